// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces (TRAP_HDR_TRACE of trap_abi.h): the records that the handler writes after each
 * instruction match the registers of the same wave on a GPU without a debugger,
 * single-stepped; and the program of the wave cannot see that it is traced.
 *
 * usage: test_trace WAVE32_CODE_OBJECT WAVE64_CODE_OBJECT RESULTS...
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/condition_program.h"
#include "program.h"
#include "rows.h"
#include "trap_abi.h"

#define GC_10_3		0x0a0300
#define GUARD		0xdead0000U
#define GUARD_WORDS	16
#define TTMP13		(VGPU_S_TTMP0 + 13)
#define ID		(0x1234 << 2 | 2)

/* Numbers of s_getreg (RDNA 2 ISA, "Hardware register values"; LLVM's HW_REG_FLAT_SCR_*) */
enum { MODE = 1, STATUS, TRAPSTS, FLAT_SCR_LO = 20, FLAT_SCR_HI };

/* SQ_WAVE_STATUS.PRIV, .HALT, and SQ_WAVE_MODE.DEBUG_EN; gc_10_3_0_sh_mask.h (Linux 6.1) */
#define OF_A_HANDLER	(1 << 5 | 1 << 13)
#define DEBUG_EN	(1 << 11)

#define I_TRAP(n)	(0xbf920000 | (n))
#define I_RCP_V1_V0	0x7e025500	/* v_rcp_f32 v1, v0 */

/* ------------------------------------------------------------------- records */

static u32 *header(struct pair *p)
{
	return (u32 *)gpu_mem(p->debugged, PAIR_TMA);
}

static u32 record_words(const struct vgpu_wave *w, u32 vgprs)
{
	return TRAP_RECORD_VGPRS / 4 + vgprs * w->lanes;
}

/* Trace the debugged wave of @p from now on, with room for so many records. */
static void order(struct pair *p, u32 num, u32 vgprs)
{
	u32 *h = header(p), *words = (u32 *)gpu_mem(p->debugged, PAIR_RECORDS);
	u32 size = 4 * (record_words(p->d, vgprs) + GUARD_WORDS);

	assert_true((u64)(num + 1) * size <= PAIR_RECORDS_SIZE);
	for (u32 n = 0; n < PAIR_RECORDS_SIZE / 4; n++)
		words[n] = GUARD;
	h[TRAP_HDR_TRACE / 4] = ID;
	h[TRAP_HDR_TRACE_LEFT / 4] = num;
	h[TRAP_HDR_TRACE_AT_LO / 4] = lower_32_bits(PAIR_RECORDS);
	h[TRAP_HDR_TRACE_AT_HI / 4] = upper_32_bits(PAIR_RECORDS);
	h[TRAP_HDR_TRACE_SIZE / 4] = size;
	h[TRAP_HDR_TRACE_VGPRS / 4] = vgprs;
	p->d->s[TTMP13] = ID;
	pair_ready(p, PAIR_DEBUG);
}

static u32 left(struct pair *p)
{
	return header(p)[TRAP_HDR_TRACE_LEFT / 4];
}

static void resume(struct pair *p)
{
	gpu_write(p->debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p->debugged);
	if (!gpu_count_waves(p->debugged))
		p->d = NULL;
}

static void step_alone(struct pair *p)
{
	gpu_write(p->alone, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p->alone);
	if (!gpu_count_waves(p->alone))
		p->a = NULL;
}

static u32 getreg(struct pair *p, unsigned int id)
{
	u32 value = 0;

	assert_true(vgpu_wave_getreg(p->alone, p->a, id, &value));
	return value;
}

static bool is_word(const char *what, const char *name, u32 n, u32 found, u32 expected)
{
	if (found == expected)
		return true;
	printf("# %s: %s %u is %08x, and alone %08x\n", what, name, n, found, expected);
	return false;
}

static bool is_program_state(const char *what, struct pair *p, const u32 *r)
{
	const u32 *s = p->a->s;

	return is_word(what, "PC_LO", 0, r[TRAP_RECORD_PC_LO / 4], (u32)p->a->pc) &
	       is_word(what, "PC_HI", 0, r[TRAP_RECORD_PC_HI / 4] & TRAP_TTMP1_PC_HI,
		       p->a->pc >> 32 & 0xffff) &
	       is_word(what, "STATUS", 0, r[TRAP_RECORD_STATUS / 4] & ~OF_A_HANDLER,
		       getreg(p, STATUS) & ~OF_A_HANDLER) &
	       is_word(what, "TRAPSTS", 0, r[TRAP_RECORD_TRAPSTS / 4], getreg(p, TRAPSTS)) &
	       is_word(what, "MODE", 0, r[TRAP_RECORD_MODE / 4], getreg(p, MODE) | DEBUG_EN) &
	       is_word(what, "M0", 0, r[TRAP_RECORD_M0 / 4], s[VGPU_S_M0]) &
	       is_word(what, "EXEC_LO", 0, r[TRAP_RECORD_EXEC_LO / 4], s[VGPU_S_EXEC]) &
	       is_word(what, "EXEC_HI", 0, r[TRAP_RECORD_EXEC_HI / 4], s[VGPU_S_EXEC + 1]) &
	       is_word(what, "FLAT_SCRATCH", 0, r[TRAP_RECORD_FLAT_SCRATCH_LO / 4],
		       getreg(p, FLAT_SCR_LO)) &
	       is_word(what, "FLAT_SCRATCH", 1, r[TRAP_RECORD_FLAT_SCRATCH_HI / 4],
		       getreg(p, FLAT_SCR_HI));
}

/* Compare record @n with the undisturbed wave, and check that nothing is behind it. */
static bool is_record(const char *what, struct pair *p, u32 n, u32 vgprs)
{
	u32 words = record_words(p->a, vgprs), size = words + GUARD_WORDS;
	const u32 *r = (const u32 *)gpu_mem(p->debugged, PAIR_RECORDS) + n * size;
	const u32 *v = r + TRAP_RECORD_VGPRS / 4;
	bool good = is_program_state(what, p, r);

	for (u32 i = 0; i < TRAP_RECORD_NUM_SGPRS; i++)
		good &= is_word(what, "s", i, r[TRAP_RECORD_SGPRS / 4 + i], p->a->s[i]);
	for (u32 lane = 0; lane < p->a->lanes; lane++)
		for (u32 i = 0; i < vgprs; i++)
			good &= is_word(what, "v", i, *v++, p->a->v[i][lane]);
	for (u32 i = words; i < size; i++)
		good &= is_word(what, "behind it", i, r[i], GUARD);
	return good;
}

/* Check that nothing was written behind the last record. */
static void ends_there(struct pair *p, u32 n, u32 words)
{
	const u32 *r = (const u32 *)gpu_mem(p->debugged, PAIR_RECORDS);

	for (u32 i = n * (words + GUARD_WORDS); i < PAIR_RECORDS_SIZE / 4; i++)
		assert_int_equal(r[i], GUARD);
}

/* ------------------------------------------------------------------- programs */

static u32 fit(const struct vgpu_wave *w, u32 vgprs)
{
	return PAIR_RECORDS_SIZE / 4 / (record_words(w, vgprs) + GUARD_WORDS) - 1;
}

/* One chunk; how many records. */
static u32 trace_some(struct pair *p, const char *name, u32 num, u32 vgprs)
{
	u32 words = record_words(p->d, vgprs), done;
	bool has_ended;

	order(p, num, vgprs);
	resume(p);
	done = num - left(p);
	has_ended = !p->d;
	for (u32 n = 0; n < done; n++) {
		step_alone(p);
		assert_non_null(p->a);
		if (!is_record(name, p, n, vgprs))
			fail_msg("%s", name);
	}
	ends_there(p, done, words);
	if (has_ended)
		step_alone(p);
	assert_false(pair_differs(p, name));
	return done;
}

static void trace_kernel(struct pair *p, const struct codeobj *co, const char *name,
			 unsigned int lanes, int arg)
{
	static const u32 some[] = { 4, 256, 8, 100, 24 };
	u32 steps = 0, chunks = 0, vgprs, num, stops;

	(void)arg;
	program_begin(p, co, name, lanes);
	stops = pair_stops(p);
	while (p->d) {
		vgprs = some[chunks % ARRAY_SIZE(some)];
		num = chunks % 3 ? fit(p->d, vgprs) : 1;
		steps += trace_some(p, name, num, vgprs);
		chunks++;
		/* All that there was room for, or to the end; it stops there, and nowhere else. */
		assert_true(!p->d || (!left(p) && pair_stops(p) - stops == chunks));
		assert_true(steps < PROGRAM_MAX_STEPS);
	}
	assert_true(steps > 20 && chunks > 1);
	assert_int_equal(vgpu_complaints_total(p->debugged), 0);
}

static void records_of_kernels_match_an_undisturbed_wave(void **state)
{
	(void)state;
	program_all(trace_kernel, 0);
}

/* --------------------------------------------------------------- instructions */

/* 1: no difference; 0: the instruction traps anyway; -1: a difference */
static int trace_row(struct pair *p, const struct results_row *r, bool no_exec)
{
	u64 traps = p->alone->counters.traps;
	u32 vgprs;

	if (!rows_begin(p, r, no_exec))
		return 0;
	vgprs = p->d->num_vgprs;
	order(p, 1, vgprs);
	step_alone(p);
	if (p->alone->counters.traps != traps)
		return 0;
	resume(p);
	if (p->d && (left(p) || pair_mailbox(p)[TRAP_MAILBOX_TTMP0 / 4] != (u32)p->d->pc))
		return -1;
	if (p->d && p->a && !is_record(r->text, p, 0, vgprs))
		return -1;
	return pair_differs(p, r->text) ? -1 : 1;
}

static void trace_rows(bool no_exec)
{
	unsigned int n, same = 0, different = 0, left_out = 0;
	const struct results_row *r;
	struct pair p;
	int ret;

	pair_new(&p);
	for (n = 0; (r = results_row(n)); n++) {
		/* It sees what the debugger has set, and the handler's own registers. */
		ret = rows_leave_out(r) || strstr(r->code.text, "HW_REG_MODE") ? 0 :
		      trace_row(&p, r, no_exec);
		same += ret > 0;
		different += ret < 0;
		left_out += !ret;
		if (ret < 0)
			printf("# %s\n", r->text);
	}
	printf("# %u the same, %u left out\n", same, left_out);
	pair_free(&p);
	assert_int_equal(different, 0);
	assert_true(same > n * 9 / 10);
}

static void records_of_instructions_match_an_undisturbed_wave(void **state)
{
	(void)state;
	trace_rows(false);
}

static void records_without_active_lanes_match(void **state)
{
	(void)state;
	trace_rows(true);
}

/* ----------------------------------------------------------- ends of a trace */

static void begin(struct pair *p, const u32 *program, u32 bytes)
{
	pair_new(p);
	pair_write(p, GPU_VA, program, bytes);
	pair_wave(p, 32);
}

static void set_conditions(struct pair *p, const struct adbgd_handler_condition *clauses,
			   size_t num)
{
	u32 code[TRAP_CONDITION_DWORDS];

	assert_int_equal(adbgd_condition_program_build(GC_10_3, clauses, num, code), 0);
	pair_set_condition(p, code);
}

static u32 pc_of(struct pair *p, u32 n)
{
	u32 size = header(p)[TRAP_HDR_TRACE_SIZE / 4];
	const u32 *r = (const u32 *)gpu_mem(p->debugged, PAIR_RECORDS + (u64)n * size);

	return r[TRAP_RECORD_PC_LO / 4] - (u32)GPU_VA;
}

/* Without room the handler evaluates the condition and writes no record. */
static void a_wave_without_room_for_records_is_not_traced(void **state)
{
	static const u32 program[] = { I_NOP, I_ADD_S20_1, I_NOP, I_ENDPGM };
	struct pair p;
	u32 words;

	(void)state;
	begin(&p, program, sizeof(program));
	words = record_words(p.d, 8);
	order(&p, 0, 8);
	resume(&p);
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 4);
	assert_int_equal(p.d->s[TTMP13], 0);
	step_alone(&p);
	assert_false(pair_differs(&p, "no room"));
	ends_there(&p, 0, words);
	/* A trace of another wave has no effect on this one: the condition decides. */
	order(&p, 5, 8);
	p.d->s[TTMP13] = ID + 4;
	resume(&p);
	assert_int_equal(pair_stops(&p), 2);
	step_alone(&p);
	assert_false(pair_differs(&p, "another's"));
	set_conditions(&p, NULL, 0);
	p.d->s[TTMP13] = ID + 4;
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 5);
	ends_there(&p, 0, words);
	pair_free(&p);
}

/* When a wave ends, its records stay, and the rest of the room is free. */
static void a_traced_wave_may_end(void **state)
{
	static const u32 program[] = { I_NOP, I_ADD_S20_1, I_NOP, I_ENDPGM };
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	order(&p, 10, 8);
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 7);
	for (u32 n = 0; n < 3; n++) {
		step_alone(&p);
		assert_true(is_record("to the end", &p, n, 8));
	}
	assert_int_equal(p.debugged->counters.iv_entries, 0);
	pair_free(&p);
}

/* The wave stops at the program's own trap, and is traced again from behind it. */
static void a_trap_of_the_program_stops_a_traced_wave(void **state)
{
	static const u32 program[] = { I_NOP, I_NOP, I_TRAP(3), I_ADD_S20_1, I_ENDPGM };
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	order(&p, 10, 8);
	resume(&p);
	assert_int_equal(pair_stops(&p), 1);
	assert_int_equal(left(&p), 8);
	assert_true(p.d->pc == GPU_VA + 12);
	assert_int_equal(p.d->s[VGPU_S_TTMP0 + 1] >> TRAP_TTMP1_ID_SHIFT, 3);
	/* It also stops at a trap by the host. */
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_COMMAND(5, 1));
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 2);
	assert_int_equal(left(&p), 8);
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 7);
	assert_int_equal(pc_of(&p, 1), 8);
	assert_int_equal(pc_of(&p, 2), 16);
	pair_free(&p);
	/* A trap at which the condition is false is no step of its own. */
	begin(&p, program, sizeof(program));
	set_conditions(&p, NULL, 0);
	order(&p, 10, 8);
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 7);
	assert_int_equal(pc_of(&p, 2), 16);
	assert_int_equal(p.debugged->counters.iv_entries, 0);
	pair_free(&p);
}

/* An exception stops the traced wave, is visible, and is cleared when the wave is resumed. */
static void an_exception_stops_a_traced_wave(void **state)
{
	static const u32 program[] = { I_NOP, I_RCP_V1_V0, I_ADD_S20_1, I_NOP, I_ENDPGM };
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	memset(p.d->v[0], 0, sizeof(p.d->v[0]));
	p.d->excp_en |= WAVE_EXCP_DIV0;
	order(&p, 10, 8);
	resume(&p);
	assert_int_equal(pair_stops(&p), 1);
	assert_int_equal(left(&p), 9);
	assert_true(p.d->pc == GPU_VA + 8);
	assert_int_equal(p.d->excp, WAVE_EXCP_DIV0);
	assert_int_equal(p.d->s[TTMP13], (u32)p.d->pc | TRAP_TTMP13_STOPPED);
	/* It is not traced any more. */
	resume(&p);
	assert_int_equal(pair_stops(&p), 2);
	assert_int_equal(left(&p), 9);
	assert_true(p.d->pc == GPU_VA + 12);
	pair_free(&p);
}

/* The instruction that a breakpoint replaces is executed displaced, and traced there. */
static void a_displaced_instruction_is_traced(void **state)
{
	static const u32 program[] = { I_NOP, I_TRAP(TRAP_ID_BREAK), I_NOP, I_ENDPGM };
	static const u64 pcs[] = { GPU_VA + 4 };
	const u32 copied[] = {
		I_ADD_S20_1, I_TRAP(TRAP_ID_RETURN), TRAP_RETURN_MAGIC,
		lower_32_bits(GPU_VA + 8), upper_32_bits(GPU_VA + 8),
	};
	struct adbgd_handler_condition c[] = {
		{ .pcs = pcs, .num_pcs = 1, .patch = PAIR_DISTANCE(PAIR_DISPLACED),
		  .relation = ADBGD_RELATION_EQUAL, .reg = 20, .value = 99 },
		{ .elsewhere = true },
	};
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	pair_write(&p, PAIR_DISPLACED, copied, sizeof(copied));
	set_conditions(&p, c, 2);
	p.d->s[20] = 5;
	order(&p, 3, 8);
	resume(&p);
	/* Behind s_nop, the displaced instruction, s_nop */
	assert_int_equal(left(&p), 0);
	assert_int_equal(pair_stops(&p), 1);
	assert_int_equal(pc_of(&p, 0), 4);
	assert_int_equal(pc_of(&p, 1), PAIR_DISPLACED - GPU_VA + 4);
	assert_int_equal(pc_of(&p, 2), 12);
	assert_int_equal(p.d->s[20], 6);
	/* If the condition is true the wave stops there. */
	p.d->pc = GPU_VA;
	p.d->s[20] = 99;
	order(&p, 3, 8);
	resume(&p);
	assert_int_equal(left(&p), 2);
	assert_int_equal(pair_stops(&p), 2);
	assert_true(p.d->pc == GPU_VA + 8);
	pair_free(&p);
}

/* With STOP_AT, the wave stops before a patch: it evaluates no condition, and counts no hit. */
static void a_trace_stops_before_the_requested_dword(void **state)
{
	static const u32 program[] = {
		I_NOP, I_TRAP(3), I_NOP, I_TRAP(TRAP_ID_BREAK), I_ADD_S20_1, I_ENDPGM,
	};
	static const u64 pcs[] = { GPU_VA + 12 };
	struct adbgd_handler_condition c[] = {
		{ .pcs = pcs, .num_pcs = 1, .patch = PAIR_DISTANCE(PAIR_DISPLACED),
		  .relation = ADBGD_RELATION_EQUAL, .reg = 20, .value = 5 },
		{ .elsewhere = true },
	};
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	set_conditions(&p, c, 2);
	p.d->s[20] = 5;
	order(&p, 10, 8);
	header(&p)[TRAP_HDR_TRACE_STOP_AT / 4] = I_TRAP(TRAP_ID_BREAK);
	resume(&p);
	/* The first stop is that of another s_trap. */
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 8);
	assert_int_equal(left(&p), 9);
	resume(&p);
	assert_int_equal(pair_stops(&p), 2);
	assert_true(p.d->pc == GPU_VA + 12);
	assert_int_equal(left(&p), 8);
	assert_int_equal(p.d->s[VGPU_S_TTMP0 + 1] >> TRAP_TTMP1_ID_SHIFT & 0xff, 0);
	assert_int_equal(p.d->s[TTMP13], 0);
	/* The host steps it, and the wave continues with the rest of the order. */
	p.d->pc += 4;
	p.d->s[TTMP13] = ID;
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 7);
	pair_free(&p);
}

/* A trace stops before instructions that may end debug mode or wait, not before similar ones. */
static void a_trace_stops_before_instructions_that_end_debug_mode(void **state)
{
	/* As llvm-mc-19 assembles them */
	static const u32 program[] = {
		I_NOP,
		0xb9050801,		/* s_getreg_b32 s5, hwreg(HW_REG_MODE, 0, 2) */
		0xbfa40003,		/* s_round_mode 3 */
		0xb985f807,		/* s_setreg_b32 hwreg(HW_REG_IB_STS), s5 */
		0xb985f801,		/* s_setreg_b32 hwreg(HW_REG_MODE), s5 */
		I_NOP,
		0xba80f801, 0x2f0,	/* s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x2f0 */
		I_ADD_S20_1, I_BARRIER, I_NOP, I_SETHALT, I_ADD_S20_1, I_ENDPGM,
	};
	static const u32 stops[] = { 16, 24, 36, 44 };
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	for (u32 n = 0; n < ARRAY_SIZE(stops); n++) {
		order(&p, 10, 8);
		resume(&p);
		assert_int_equal(pair_stops(&p), n + 1);
		assert_true(p.d->pc == GPU_VA + stops[n]);
		assert_int_equal(left(&p), n ? 9 : 6);
		assert_int_equal(p.d->s[TTMP13], 0);
		/* By the host */
		p.d->debug_en = false;
		gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p.debugged);
	}
	order(&p, 10, 8);
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 9);
	pair_free(&p);
}

static void set_debug(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)arg;
	w->debug_en = true;
	vgpu_wave_update_slow(g, w);
}

/* Of eight waves in debug mode one is traced. */
static void one_of_many_waves_is_traced(void **state)
{
	static const u32 program[] = { I_NOP, I_ADD_S20_1, I_ADD_S20_1, I_NOP, I_ENDPGM };
	struct vgpu_dispatch d = gpu_dispatch(32, 8);
	struct pair p;

	(void)state;
	begin(&p, program, sizeof(program));
	set_conditions(&p, NULL, 0);
	gpu_launch(p.debugged, &d);
	assert_int_equal(gpu_count_waves(p.debugged), 9);
	vgpu_sq_for_each(p.debugged, set_debug, NULL);
	p.d = vgpu_sq_wave(p.debugged, p.d->se, p.d->sa, p.d->wgp, p.d->simd, p.d->slot);
	p.a->s[20] = 77;
	p.d->s[20] = 77;
	order(&p, 20, 8);
	resume(&p);
	assert_null(p.d);
	assert_int_equal(left(&p), 16);
	assert_int_equal(p.debugged->counters.traps, 9 * 4);
	for (u32 n = 0; n < 4; n++) {
		step_alone(&p);
		assert_true(is_record("one of many", &p, n, 8));
	}
	pair_free(&p);
}

static void a_traced_step_takes_few_instructions(void **state)
{
	static const u32 program[] = { I_NOP, I_NOP, I_NOP, I_NOP, I_ENDPGM };
	u64 before, each[2];
	struct pair p;

	(void)state;
	for (u32 n = 0; n < 2; n++) {
		begin(&p, program, sizeof(program));
		order(&p, 10, n ? 256 : 24);
		before = p.debugged->counters.instructions;
		resume(&p);
		each[n] = (p.debugged->counters.instructions - before) / 4;
		pair_free(&p);
	}
	printf("# a recorded step: %llu with 24 VGPRs, %llu with 256\n",
	       (unsigned long long)each[0], (unsigned long long)each[1]);
	assert_true(each[0] < 500 && each[1] < 700);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wave_without_room_for_records_is_not_traced),
		cmocka_unit_test(a_traced_wave_may_end),
		cmocka_unit_test(a_trap_of_the_program_stops_a_traced_wave),
		cmocka_unit_test(an_exception_stops_a_traced_wave),
		cmocka_unit_test(a_displaced_instruction_is_traced),
		cmocka_unit_test(a_trace_stops_before_the_requested_dword),
		cmocka_unit_test(a_trace_stops_before_instructions_that_end_debug_mode),
		cmocka_unit_test(one_of_many_waves_is_traced),
		cmocka_unit_test(a_traced_step_takes_few_instructions),
		cmocka_unit_test(records_of_kernels_match_an_undisturbed_wave),
		cmocka_unit_test(records_of_instructions_match_an_undisturbed_wave),
		cmocka_unit_test(records_without_active_lanes_match),
	};
	int status = program_arguments(argc, argv);

	if (status)
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
