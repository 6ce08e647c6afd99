// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches that waves do not stop at: each instruction of tests/isa/results does in a copy
 * what it does in its own place; no wave passes a patch unseen; and a wave that is in a
 * copy comes back when its debugger is gone.
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
#define VA_COPY		PAIR_COPY
#define VA_LEAVE	(PAIR_COPY + 0x200)
#define WAY		PAIR_WAY(VA_COPY)
#define POINT		PAIR_POINT

/* s_trap 7: RDNA 2 ISA document, SOPP 18 */
#define I_TRAP_BREAK	0xbf920007

static const u32 leave_code[] = {
#include "gfx10_3_leave.inc"
};

static void set_decisions(struct pair *p, const struct adbgd_handler_condition *c, size_t num)
{
	u32 code[TRAP_DECIDE_DWORDS];

	assert_int_equal(adbgd_condition_program_build(GC_10_3, c, num, code), 0);
	pair_decide(p, code);
}

static void set_decision(struct pair *p, const struct adbgd_handler_condition *c)
{
	set_decisions(p, c, 1);
}

static void set_point(struct pair *p, u32 limit, u32 which)
{
	u32 *point = pair_point(p->debugged, 0);

	point[TRAP_POINT_COUNT / 4] = 0;
	point[TRAP_POINT_LIMIT / 4] = limit;
	point[TRAP_POINT_WHICH / 4] = which;
}

static bool in_copy(const struct vgpu_wave *w, const struct adbgd_displaced *copy)
{
	return w->pc >= VA_COPY && w->pc < VA_COPY + copy->num * 4;
}

/* Put the patch and the copy into the debugged one. */
static void set_patch(struct pair *p, u64 va, const struct adbgd_displaced *copy)
{
	static const u32 patch = I_TRAP_BREAK;

	gpu_code(p->debugged, VA_COPY, copy->code, copy->num);
	gpu_code(p->debugged, va, &patch, 1);
}

/* Step until the wave is out of the copy; its place in the program is known all along. */
static bool go_through(struct pair *p, const struct adbgd_displaced *copy, const char *what)
{
	u64 pc = ROWS_CODE, told;
	unsigned int n;
	bool back;

	for (n = 0; n < 8; n++) {
		gpu_write(p->debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p->debugged);
		if (!gpu_count_waves(p->debugged)) {
			p->d = NULL;
			return true;
		}
		back = !in_copy(p->d, copy);
		if (adbgd_displaced_pc(copy, VA_COPY, p->d->pc, &told) == back) {
			printf("# %s: the PC is taken for another's\n", what);
			return false;
		}
		/* In the copy it sees: where it was, then where it will be. */
		if (!back && told != ROWS_CODE && pc != ROWS_CODE && told != pc) {
			printf("# %s: it sees 0x%llx, then 0x%llx\n", what,
			       (unsigned long long)pc, (unsigned long long)told);
			return false;
		}
		if (back) {
			if (pc == ROWS_CODE || pc == p->d->pc)
				return true;
			printf("# %s: it sees 0x%llx\n", what, (unsigned long long)pc);
			return false;
		}
		pc = told;
	}
	printf("# %s: it does not come back\n", what);
	return false;
}

/* 1: it is the same; 0: it traps by itself; -1: not the same; -2: it is refused */
static int run_row(struct pair *p, const struct results_row *r)
{
	static const u32 group[] = { 9, 9, 9 };
	static const u64 pcs[] = { ROWS_CODE };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = WAY, .group = group,
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
	set_decision(p, &c);
	set_patch(p, ROWS_CODE, &copy);
	pair_ready(p, PAIR_HOST);
	gpu_write(p->alone, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p->alone);
	if (!gpu_count_waves(p->alone))
		p->a = NULL;
	if (p->alone->counters.traps != traps)
		return 0;
	if (!go_through(p, &copy, r->text))
		return -1;
	gpu_code(p->debugged, ROWS_CODE, r->code.words, 1);
	return pair_differs(p, r->text) ? -1 : 1;
}

static void instructions_do_the_same_in_a_copy(void **state)
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

static void no_wave_passes_unseen(void **state)
{
	static const u64 pcs[] = { PROGRAM_PATCH };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = WAY, .count = POINT,
	};
	struct pair p;

	(void)state;
	begin_program(&p);
	set_decision(&p, &c);
	set_point(&p, ~0U, ~0U);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(sum(&p), SUM);
	assert_int_equal(pair_point(p.debugged, 0)[TRAP_POINT_COUNT / 4], WAVES * 100);
	/* To the patch, and back */
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

/* It stops where one register of one wave says so, and continues with the displaced instruction. */
static void one_wave_stops_and_goes_on(void **state)
{
	static const struct amdgpudbg_wave_coord at = { .wgp = 2, .simd = 1, .wave = 0 };
	static const u64 pcs[] = { PROGRAM_PATCH };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = WAY, .wave = &at,
		.relation = ADBGD_EQUAL, .reg = 20, .value = 57,
	};
	struct vgpu_wave *w = NULL;
	struct pair p;

	(void)state;
	begin_program(&p);
	assert_non_null(vgpu_sq_wave(p.debugged, 0, 0, 2, 1, 0));
	set_decision(&p, &c);
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
	gpu_ind_write(p.debugged, 0, 0x108, (u32)VA_COPY);
	gpu_ind_write(p.debugged, 0, 0x109, VA_COPY >> 32);
	gpu_write(p.debugged, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(sum(&p), SUM);
	pair_free(&p);
}

static void count_in_copy(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)g;
	*(unsigned int *)arg += w->pc >= VA_COPY && w->pc < VA_LEAVE;
}

/* The module's handler for waves that are left behind brings them out of the copy. */
static void a_copy_is_left_without_a_debugger(void **state)
{
	static const u64 pcs[] = { PROGRAM_PATCH };
	static const u32 group[] = { 9999, 0, 0 };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = WAY, .group = group,
	};
	unsigned int n, inside = 0;
	struct pair p;

	(void)state;
	begin_program(&p);
	set_decision(&p, &c);
	gpu_write(p.debugged, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	/* To the patch, and into the copy */
	for (n = 0; n < 4; n++) {
		gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p.debugged);
	}
	vgpu_sq_for_each(p.debugged, count_in_copy, &inside);
	assert_int_equal(inside, WAVES);
	/* The patch is out, the handler another one. */
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

/* The host's trap in a patch's place, and the program's own s_trap with its id, always stop. */
static void a_patch_alone_is_decided(void **state)
{
	static const u32 code[] = { I_NOP, I_NOP, I_TRAP_BREAK, I_NOP, I_ENDPGM };
	static const u32 group[] = { 9999, 0, 0 };
	static const u64 pcs[] = { GPU_VA + 4 };
	const struct adbgd_handler_condition c[] = {
		{ .pcs = pcs, .num_pcs = 1, .patch = WAY, .group = group },
		{ .elsewhere = true },
	};
	struct adbgd_displaced copy;
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, code, sizeof(code));
	pair_wave(&p, 32);
	assert_int_equal(adbgd_displace(GC_10_3, &code[1], 1, GPU_VA + 4, &copy), 0);
	set_decisions(&p, c, 2);
	set_patch(&p, GPU_VA + 4, &copy);
	pair_ready(&p, PAIR_HOST);
	assert_true(pair_step(&p));
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 4);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 2);
	assert_true(p.d->pc == GPU_VA + 12);
	/* The host's, the patch, the way back, and the program's own */
	assert_int_equal(p.debugged->counters.traps, 4);
	pair_free(&p);
}

/* An s_trap of the program's own with the same number is one. */
static void an_s_trap_is_not_a_way_back(void **state)
{
	/* s_trap 255, then what is no word of a way back */
	static const u32 code[] = { 0xbf9200ff, I_NOP, I_NOP, I_NOP, I_ENDPGM };
	u32 decide[TRAP_DECIDE_DWORDS], stops;
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
	/* Without a stop it does nothing; nor with the other handler. */
	assert_int_equal(adbgd_condition_program_build(GC_10_3, NULL, 0, decide), 0);
	pair_decide(&p, decide);
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

/* With the words of the RDNA 2 ISA document: where they are is what they are about. */
static void what_must_stay_is_refused(void **state)
{
	static const u32 stay[] = {
		0xbf920003,	/* s_trap 3 */
		0xbfa10003,	/* s_clause 3 */
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

/* In the upper half of the address space, where RADV has its shaders, and over its end */
static void addresses_keep_their_sign(void **state)
{
	static const u32 branch[] = { 0xbf84fffe };	/* s_cbranch_scc0 one back */
	const u64 pc = 0xffff812345678000;
	struct adbgd_displaced copy;
	u64 at;

	(void)state;
	assert_int_equal(adbgd_displace(GC_10_3, branch, 1, pc, &copy), 0);
	assert_int_equal(copy.num, 9);
	assert_int_equal(copy.num_copied, 1);
	assert_true(adbgd_displaced_pc(&copy, VA_COPY, VA_COPY, &at));
	assert_true(at == pc);
	assert_true(adbgd_displaced_pc(&copy, VA_COPY, VA_COPY + 4, &at));
	assert_true(at == pc + 4);
	assert_true(adbgd_displaced_pc(&copy, VA_COPY, VA_COPY + 5 * 4, &at));
	assert_true(at == pc - 4);
	assert_false(adbgd_displaced_pc(&copy, VA_COPY, VA_COPY + 9 * 4, &at));
	assert_false(adbgd_displaced_pc(&copy, VA_COPY, VA_COPY - 4, &at));
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

/* The handler is before a border of 4 GiB, the copy behind it. */
static void a_way_may_carry(void **state)
{
	static const u64 by = 0xfffc8000;
	static const u64 pcs[] = { GPU_VA + by + 4 };
	static const u32 group[] = { 9999, 0, 0 };
	/* A wave that does not reach the copy never ends: s_branch to itself */
	static const u32 code[] = { I_NOP, I_TRAP_BREAK, 0xbf82ffff };
	static const u32 ends[] = { I_ENDPGM };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .patch = WAY, .group = group,
	};
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, code, sizeof(code));
	pair_write(&p, VA_COPY, ends, sizeof(ends));
	set_decision(&p, &c);
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
		cmocka_unit_test(instructions_do_the_same_in_a_copy),
		cmocka_unit_test(no_wave_passes_unseen),
		cmocka_unit_test(one_wave_stops_and_goes_on),
		cmocka_unit_test(a_copy_is_left_without_a_debugger),
		cmocka_unit_test(a_patch_alone_is_decided),
		cmocka_unit_test(an_s_trap_is_not_a_way_back),
		cmocka_unit_test(what_must_stay_is_refused),
		cmocka_unit_test(addresses_keep_their_sign),
		cmocka_unit_test(a_way_may_carry),
	};

	if (!results_read(argv + 1, argc - 1)) {
		printf("1..0 # SKIP llvm-mc-19 is not there\n");
		return 77;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
