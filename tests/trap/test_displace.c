// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches at which waves do not stop: each instruction of tests/isa/results has the same
 * effect when it is displaced; each wave that reaches a patch traps; and a wave that
 * executes a displaced instruction returns when its debugger has died.
 *
 * usage: test_displace RESULTS...
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/condition_program.h"
#include "isa/displace.h"
#include "rows.h"
#include "trap_abi.h"

#define GC_10_3		0x0a0300
#define VA_DISPLACED		PAIR_DISPLACED
#define VA_LEAVE	(PAIR_DISPLACED + 0x200)
#define DISTANCE		PAIR_DISTANCE(VA_DISPLACED)
#define COUNTER		PAIR_COUNTERS

/* s_trap 7: RDNA 2 ISA document, SOPP 18 */
#define I_TRAP_BREAK	0xbf920007

static const u32 leave_code[] = {
#include "gfx10_3_leave.inc"
};

static void set_conditions(struct pair *p, const struct adbgd_handler_condition *c, size_t num)
{
	u32 code[TRAP_CONDITION_DWORDS];

	assert_int_equal(adbgd_condition_program_build(GC_10_3, c, num, code), 0);
	pair_set_condition(p, code);
}

static void set_condition(struct pair *p, const struct adbgd_handler_condition *c)
{
	set_conditions(p, c, 1);
}

static void set_counter(struct pair *p, u32 limit, u32 which)
{
	u32 *point = pair_counter(p->debugged, 0);

	point[TRAP_COUNTER_HITS / 4] = 0;
	point[TRAP_COUNTER_LIMIT / 4] = limit;
	point[TRAP_COUNTER_STOPS_AT / 4] = which;
}

static bool in_displaced(const struct vgpu_wave *w, const struct adbgd_displaced *copy)
{
	return w->pc >= VA_DISPLACED && w->pc < VA_DISPLACED + copy->num * 4;
}

/* Write the patch and the displaced instruction to the memory of the debugged GPU. */
static void set_patch(struct pair *p, u64 va, const struct adbgd_displaced *copy)
{
	static const u32 patch = I_TRAP_BREAK;

	gpu_code(p->debugged, VA_DISPLACED, copy->code, copy->num);
	gpu_code(p->debugged, va, &patch, 1);
}

/* Step until the wave has returned; check the PC in the program that is reported for it. */
static bool step_through(struct pair *p, const struct adbgd_displaced *copy, const char *what)
{
	u64 pc = ROWS_CODE, in_program;
	unsigned int n;
	bool returned;

	for (n = 0; n < 8; n++) {
		gpu_write(p->debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p->debugged);
		if (!gpu_count_waves(p->debugged)) {
			p->d = NULL;
			return true;
		}
		returned = !in_displaced(p->d, copy);
		if (adbgd_displaced_pc(copy, VA_DISPLACED, p->d->pc, &in_program) == returned) {
			printf("# %s: wrong answer whether the PC is displaced\n", what);
			return false;
		}
		/* The reported PC is that of the patch, then the one to which the wave returns. */
		if (!returned && in_program != ROWS_CODE && pc != ROWS_CODE && in_program != pc) {
			printf("# %s: reported PC 0x%llx, then 0x%llx\n", what,
			       (unsigned long long)pc, (unsigned long long)in_program);
			return false;
		}
		if (returned) {
			if (pc == ROWS_CODE || pc == p->d->pc)
				return true;
			printf("# %s: reported PC 0x%llx\n", what, (unsigned long long)pc);
			return false;
		}
		pc = in_program;
	}
	printf("# %s: the wave does not return\n", what);
	return false;
}

/* 1: no difference; 0: the instruction traps itself; -1: a difference; -2: refused */
static int run_row(struct pair *p, const struct results_row *r)
{
	static const u32 group[] = { 9, 9, 9 };
	static const u64 pcs[] = { ROWS_CODE };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .group = group,
	};
	u64 traps = p->alone->counters.traps;
	struct adbgd_displaced copy;
	int ret;

	if (!rows_begin(p, r, false))
		return 0;
	ret = adbgd_displace(GC_10_3, r->code.words, r->code.num_words, ROWS_CODE, &copy);
	if (ret == -EOPNOTSUPP)
		return -2;
	assert_int_equal(ret, 0);
	set_condition(p, &c);
	set_patch(p, ROWS_CODE, &copy);
	pair_ready(p, PAIR_HOST);
	gpu_write(p->alone, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p->alone);
	if (!gpu_count_waves(p->alone))
		p->a = NULL;
	if (p->alone->counters.traps != traps)
		return 0;
	if (!step_through(p, &copy, r->text))
		return -1;
	gpu_code(p->debugged, ROWS_CODE, r->code.words, 1);
	return pair_differs(p, r->text) ? -1 : 1;
}

static void displaced_instructions_have_the_same_effect(void **state)
{
	unsigned int n, same = 0, different = 0, own_trap = 0, left_out = 0;
	const struct results_row *r;
	struct pair p;

	(void)state;
	pair_new(&p);
	for (n = 0; (r = results_row(n)); n++) {
		if (rows_leave_out(r)) {
			left_out++;
			continue;
		}
		switch (run_row(&p, r)) {
		case 1:
			same++;
			break;
		case 0:
			own_trap++;
			break;
		case -1:
			different++;
			break;
		default:
			printf("# refused: %s\n", r->code.text);
			left_out++;
		}
	}
	printf("# %u the same, %u trap by themselves, %u left out\n", same, own_trap,
	       left_out);
	pair_free(&p);
	assert_int_equal(different, 0);
	assert_true(same > n * 9 / 10);
}

/*
 * Each wave counts s20 up to 100, and adds s20 to word 0 of memory each time; the patch is
 * in the place of the addition.
 */
#define PROGRAM_PATCH	(GPU_VA + 4 * 4)
#define PROGRAM_SUM	(GPU_VA + 0x8000)

static const u32 program[] = {
	0x7e000280,			/* v_mov_b32 v0, 0 */
	0xbe940380,			/* s_mov_b32 s20, 0 */
	0xbe8203ff, 0x00008000,		/* s_mov_b32 s2, 0x8000 */
	0x80148114,			/* s_add_u32 s20, s20, 1 */
	0xbe830381,			/* s_mov_b32 s3, 1: the upper half of GPU_VA */
	0x7e020214,			/* v_mov_b32 v1, s20 */
	0xdcc88000, 0x00020100,		/* global_atomic_add v0, v1, s[2:3] */
	0xbf06ff14, 100,		/* s_cmp_eq_u32 s20, 100 */
	0xbf84fff8,			/* s_cbranch_scc0 to the s_add_u32 */
	I_ENDPGM,
};

#define WAVES	24
/* Of 32 lanes each, for 1 to 100 */
#define SUM	(WAVES * 32 * 5050)

static void begin_program(struct pair *p)
{
	struct vgpu_dispatch d = gpu_dispatch(32, WAVES);
	struct adbgd_displaced copy;

	pair_new(p);
	pair_write(p, GPU_VA, program, sizeof(program));
	assert_int_equal(adbgd_displace(GC_10_3, &program[4], 1, PROGRAM_PATCH, &copy), 0);
	set_patch(p, PROGRAM_PATCH, &copy);
	gpu_write(p->debugged, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(p->debugged, &d);
	assert_int_equal(gpu_count_waves(p->debugged), WAVES);
}

static u32 sum(struct pair *p)
{
	return *(u32 *)gpu_mem(p->debugged, PROGRAM_SUM);
}

static void each_wave_that_reaches_a_patch_traps(void **state)
{
	static const u64 pcs[] = { PROGRAM_PATCH };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .counter = COUNTER,
	};
	struct pair p;

	(void)state;
	begin_program(&p);
	set_condition(&p, &c);
	set_counter(&p, ~0U, ~0U);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(sum(&p), SUM);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], WAVES * 100);
	/* At the patch, and at the return trap */
	assert_int_equal(p.debugged->counters.traps, 2 * WAVES * 100);
	assert_int_equal(p.debugged->counters.iv_entries, 0);
	assert_int_equal(vgpu_complaints_total(p.debugged), 0);
	pair_free(&p);
}

static void find_halted(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)g;
	if (w->stop & VGPU_STOP_HALT)
		*(struct vgpu_wave **)arg = w;
}

/* The wave for which a register has a value stops, and continues with the displaced instruction. */
static void one_wave_stops_at_a_patch_and_is_resumed(void **state)
{
	static const struct amdgpudbg_wave_coord at = { .wgp = 2, .simd = 1, .wave = 0 };
	static const u64 pcs[] = { PROGRAM_PATCH };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .wave = &at,
		.relation = ADBGD_RELATION_EQUAL, .reg = 20, .value = 57,
	};
	struct vgpu_wave *w = NULL;
	struct pair p;

	(void)state;
	begin_program(&p);
	assert_non_null(vgpu_sq_wave(p.debugged, 0, 0, 2, 1, 0));
	set_condition(&p, &c);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 1);
	vgpu_sq_for_each(p.debugged, find_halted, &w);
	assert_non_null(w);
	assert_int_equal(w->wgp, 2);
	assert_int_equal(w->simd, 1);
	assert_int_equal(w->s[20], 57);
	/* Behind the s_trap; the patched instruction is yet to come. */
	assert_true(w->pc == PROGRAM_PATCH + 4);
	/* SQ_IND: PC_LO 0x108, PC_HI 0x109 (gc_10_3_0_offset.h, Linux 6.1) */
	gpu_write(p.debugged, R_GRBM_GFX_INDEX, 0, GPU_SIMD(2, 1));
	gpu_ind_write(p.debugged, 0, 0x108, (u32)VA_DISPLACED);
	gpu_ind_write(p.debugged, 0, 0x109, VA_DISPLACED >> 32);
	gpu_write(p.debugged, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(sum(&p), SUM);
	pair_free(&p);
}

static void count_in_displaced(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)g;
	*(unsigned int *)arg += w->pc >= VA_DISPLACED && w->pc < VA_LEAVE;
}

/* The handler that the module leaves behind knows the return trap, too. */
static void displaced_waves_return_without_a_debugger(void **state)
{
	static const u64 pcs[] = { PROGRAM_PATCH };
	static const u32 group[] = { 9999, 0, 0 };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .group = group,
	};
	unsigned int n, inside = 0;
	struct pair p;

	(void)state;
	begin_program(&p);
	set_condition(&p, &c);
	gpu_write(p.debugged, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	/* To the patch, and to the displaced instruction */
	for (n = 0; n < 4; n++) {
		gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p.debugged);
	}
	vgpu_sq_for_each(p.debugged, count_in_displaced, &inside);
	assert_int_equal(inside, WAVES);
	/* Remove the patch and replace the handler. */
	gpu_code(p.debugged, PROGRAM_PATCH, &program[4], 1);
	gpu_code(p.debugged, VA_LEAVE, leave_code, ARRAY_SIZE(leave_code));
	gpu_set_handler(p.debugged, GPU_VMID, VA_LEAVE, true);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(sum(&p), SUM);
	assert_int_equal(p.debugged->counters.traps, 2 * WAVES);
	pair_free(&p);
}

/* A trap by the host at a patch, and an s_trap of the program with its id, always stop. */
static void a_patch_condition_applies_to_its_s_trap_alone(void **state)
{
	static const u32 code[] = { I_NOP, I_NOP, I_TRAP_BREAK, I_NOP, I_ENDPGM };
	static const u32 group[] = { 9999, 0, 0 };
	static const u64 pcs[] = { GPU_VA + 4 };
	const struct adbgd_handler_condition c[] = {
		{ .pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .group = group },
		{ .elsewhere = true },
	};
	struct adbgd_displaced copy;
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, code, sizeof(code));
	pair_wave(&p, 32);
	assert_int_equal(adbgd_displace(GC_10_3, &code[1], 1, GPU_VA + 4, &copy), 0);
	set_conditions(&p, c, 2);
	set_patch(&p, GPU_VA + 4, &copy);
	pair_ready(&p, PAIR_HOST);
	assert_true(pair_step(&p));
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 4);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 2);
	assert_true(p.d->pc == GPU_VA + 12);
	/* The host's, the patch, the return trap, and the program's own */
	assert_int_equal(p.debugged->counters.traps, 4);
	pair_free(&p);
}

/* An s_trap of the program with the id of return traps stops the wave as any other. */
static void an_s_trap_of_the_program_is_no_return_trap(void **state)
{
	/* s_trap 255, then another word than a return trap has */
	static const u32 code[] = { 0xbf9200ff, I_NOP, I_NOP, I_NOP, I_ENDPGM };
	u32 condition[TRAP_CONDITION_DWORDS], stops;
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, code, sizeof(code));
	pair_wave(&p, 32);
	pair_ready(&p, PAIR_HOST);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 4);
	assert_int_equal(p.d->stop, VGPU_STOP_HALT);
	/* With a false condition it has no effect; nor with the other handler. */
	assert_int_equal(adbgd_condition_program_build(GC_10_3, NULL, 0, condition), 0);
	pair_set_condition(&p, condition);
	pair_wave(&p, 32);
	pair_ready(&p, PAIR_HOST);
	stops = pair_stops(&p);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p.debugged);
	assert_true(p.d->pc == GPU_VA + 4);
	assert_int_equal(pair_stops(&p), stops);
	gpu_code(p.debugged, VA_LEAVE, leave_code, ARRAY_SIZE(leave_code));
	gpu_set_handler(p.debugged, GPU_VMID, VA_LEAVE, true);
	pair_wave(&p, 32);
	pair_ready(&p, PAIR_HOST);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p.debugged);
	assert_true(p.d->pc == GPU_VA + 4);
	pair_free(&p);
}

/* Instructions whose effect depends on their address (encodings of the RDNA 2 ISA document) */
static void instructions_that_cannot_be_displaced_are_refused(void **state)
{
	static const u32 stay[] = {
		0xbf920003,	/* s_trap 3 */
		0xbf9f0000,	/* s_code_end */
		0xbe802204,	/* s_rfe_b64 s[4:5] */
		0xbe842104,	/* s_swappc_b64 s[4:5], s[4:5] */
	};
	static const u32 two[] = { 0xbf820003 /* s_branch */, 0 };
	struct adbgd_displaced copy = { .num = 0x1234 };
	unsigned int n;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(stay); n++)
		assert_int_equal(adbgd_displace(GC_10_3, &stay[n], 1, GPU_VA, &copy),
				 -EOPNOTSUPP);
	assert_int_equal(adbgd_displace(GC_10_3, two, 2, GPU_VA, &copy), -EINVAL);
	assert_int_equal(adbgd_displace(GC_10_3, two, 0, GPU_VA, &copy), -EINVAL);
	assert_int_equal(adbgd_displace(GC_10_3, two, 6, GPU_VA, &copy), -EINVAL);
	assert_int_equal(adbgd_displace(0x0b0000, two, 1, GPU_VA, &copy), -EOPNOTSUPP);
	assert_int_equal(copy.num, 0x1234);
}

/* The instructions after s_clause are not in the copy, so that it has nothing to group there. */
static void s_clause_becomes_s_nop(void **state)
{
	static const u32 clause = 0xbfa10003;	/* s_clause 3 */
	struct adbgd_displaced copy;
	u64 at;

	(void)state;
	assert_int_equal(adbgd_displace(GC_10_3, &clause, 1, GPU_VA, &copy), 0);
	assert_int_equal(copy.num_copied, 1);
	assert_int_equal(copy.code[0], I_NOP);
	assert_true(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED + 4, &at));
	assert_true(at == GPU_VA + 4);
}

/* In the upper half of the address space, where RADV has its shaders, and over its end */
static void displaced_addresses_keep_their_sign(void **state)
{
	static const u32 branch[] = { 0xbf84fffe };	/* s_cbranch_scc0, one instruction back */
	const u64 pc = 0xffff812345678000;
	struct adbgd_displaced copy;
	u64 at;

	(void)state;
	assert_int_equal(adbgd_displace(GC_10_3, branch, 1, pc, &copy), 0);
	assert_int_equal(copy.num, 9);
	assert_int_equal(copy.num_copied, 1);
	assert_true(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED, &at));
	assert_true(at == pc);
	assert_true(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED + 4, &at));
	assert_true(at == pc + 4);
	assert_true(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED + 5 * 4, &at));
	assert_true(at == pc - 4);
	assert_false(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED + 9 * 4, &at));
	assert_false(adbgd_displaced_pc(&copy, VA_DISPLACED, VA_DISPLACED - 4, &at));
}

/* The same memory at other addresses: no wave is there yet. */
static void move_memory(struct vgpu *g, u64 by)
{
	unsigned int vmid = GPU_VMID * g->profile->gen->vm_context_addr_stride;
	u64 page = (GPU_VA + by) >> VGPU_PAGE_SHIFT;

	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, vmid, (u32)page);
	page += GPU_VA_SIZE >> VGPU_PAGE_SHIFT;
	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, vmid, (u32)page - 1);
}

/* The handler is before a border of 4 GiB, the displaced instruction behind it. */
static void the_distance_to_a_displaced_instruction_may_cross_4_gib(void **state)
{
	static const u64 by = 0xfffc8000;
	static const u64 pcs[] = { GPU_VA + by + 4 };
	static const u32 group[] = { 9999, 0, 0 };
	/* A wave that does not reach the displaced s_endpgm never ends: s_branch to itself */
	static const u32 code[] = { I_NOP, I_TRAP_BREAK, 0xbf82ffff };
	static const u32 ends[] = { I_ENDPGM };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = DISTANCE, .group = group,
	};
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, code, sizeof(code));
	pair_write(&p, VA_DISPLACED, ends, sizeof(ends));
	set_condition(&p, &c);
	move_memory(p.debugged, by);
	gpu_set_handler(p.debugged, GPU_VMID, PAIR_HANDLER + by, true);
	d.pgm += by;
	gpu_launch(p.debugged, &d);
	gpu_run(p.debugged);
	assert_int_equal(p.debugged->counters.traps, 1);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(vgpu_complaints_total(p.debugged), 0);
	pair_free(&p);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(displaced_instructions_have_the_same_effect),
		cmocka_unit_test(each_wave_that_reaches_a_patch_traps),
		cmocka_unit_test(one_wave_stops_at_a_patch_and_is_resumed),
		cmocka_unit_test(displaced_waves_return_without_a_debugger),
		cmocka_unit_test(a_patch_condition_applies_to_its_s_trap_alone),
		cmocka_unit_test(an_s_trap_of_the_program_is_no_return_trap),
		cmocka_unit_test(s_clause_becomes_s_nop),
		cmocka_unit_test(instructions_that_cannot_be_displaced_are_refused),
		cmocka_unit_test(displaced_addresses_keep_their_sign),
		cmocka_unit_test(the_distance_to_a_displaced_instruction_may_cross_4_gib),
	};

	if (!results_read(argv + 1, argc - 1)) {
		printf("1..0 # SKIP llvm-mc-19 is not there\n");
		return 77;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
