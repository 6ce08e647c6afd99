// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Condition programs of the trap handler: they are the instructions that LLVM assembles, they
 * stop the same waves as a model and change nothing in others, and a wave that does not stop
 * executes few instructions.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/handler.h"
#include "mc.h"
#include "pair.h"
#include "trap_abi.h"

#define GC_10_3		0x0a0300
#define MAX_LINES	40
#define CASES		3000

/* --------------------------------------------------------------- instructions */

/* The lines, and nothing behind them */
static void is_code(const struct adbgd_handler_condition *clauses, size_t num,
		    const char *const *lines)
{
	static struct mc_insn insns[MAX_LINES];
	struct mc_insn *list[MAX_LINES];
	u32 code[TRAP_CONDITION_DWORDS], want[TRAP_CONDITION_DWORDS] = { 0 };
	unsigned int n, words = 0;

	for (n = 0; lines[n]; n++) {
		insns[n].text = lines[n];
		list[n] = &insns[n];
	}
	if (!mc_encode(list, n, 32))
		skip();
	for (n = 0; lines[n]; n++) {
		memcpy(want + words, insns[n].words, insns[n].num_words * 4);
		words += insns[n].num_words;
	}
	assert_int_equal(adbgd_condition_program_build(GC_10_3, clauses, num, code), 0);
	for (n = 0; n < TRAP_CONDITION_DWORDS; n++) {
		if (code[n] != want[n])
			fail_msg("%s: dword %u is %08x, not %08x", lines[0], n, code[n], want[n]);
	}
}

#define LINES(...) ((const char *const []){ __VA_ARGS__, NULL })

static void addresses_in_conditions_are_encoded(void **state)
{
	static const u64 one[] = { 0xffff812345678abc };
	static const u64 two[] = { 0x100000010, 0x100000020 };
	const struct adbgd_handler_condition c1 = { .pcs = one, .num_pcs = 1 };
	const struct adbgd_handler_condition c2 = { .pcs = two, .num_pcs = 2 };

	(void)state;
	is_code(NULL, 0, LINES("s_cmp_lg_u32 0, 0", "s_branch 254"));
	is_code(&c1, 1, LINES("s_cmp_eq_u32 ttmp0, 0x45678abc", "s_cbranch_scc0 253",
			      "s_and_b32 ttmp4, ttmp1, 0xffff",
			      "s_cmp_eq_u32 ttmp4, 0x8123", "s_cbranch_scc0 248",
			      "s_branch 247"));
	is_code(&c2, 1, LINES("s_cmp_eq_u32 ttmp0, 16", "s_cbranch_scc1 2",
			      "s_cmp_eq_u32 ttmp0, 32", "s_cbranch_scc0 252",
			      "s_and_b32 ttmp4, ttmp1, 0xffff", "s_cmp_eq_u32 ttmp4, 1",
			      "s_cbranch_scc0 248", "s_branch 247"));
}

static void wave_slots_in_conditions_are_encoded(void **state)
{
	static const struct amdgpudbg_wave_coord at = {
		.se = 3, .sa = 1, .wgp = 9, .simd = 2, .wave = 31,
	};
	static const u32 group[] = { 7, 0, 0x12345 };
	const struct adbgd_handler_condition wave = { .wave = &at };
	const struct adbgd_handler_condition place = { .group = group, .lanes = 0x100000000 };

	(void)state;
	/* gc_10_3_0_sh_mask.h (Linux 6.1), SQ_WAVE_HW_ID1 */
	is_code(&wave, 1, LINES("s_getreg_b32 ttmp4, hwreg(HW_REG_HW_ID1)",
				"s_and_b32 ttmp4, ttmp4, 0xd3f1f",
				"s_cmp_eq_u32 ttmp4, 0xd261f", "s_cbranch_scc0 250",
				"s_branch 249"));
	is_code(&place, 1, LINES("s_cmp_eq_u32 ttmp8, 7", "s_cbranch_scc0 254",
				 "s_cmp_eq_u32 ttmp9, 0", "s_cbranch_scc0 252",
				 "s_cmp_eq_u32 ttmp10, 0x12345", "s_cbranch_scc0 249",
				 "s_and_b32 ttmp4, exec_lo, 0", "s_and_b32 ttmp5, exec_hi, 1",
				 "s_or_b32 ttmp4, ttmp4, ttmp5", "s_cbranch_scc0 245",
				 "s_branch 244"));
}

static void comparisons_in_conditions_are_encoded(void **state)
{
	const struct adbgd_handler_condition sgpr[] = {
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 5, .value = 64, .counter = 0x8000 },
		{ .relation = ADBGD_RELATION_NOT_EQUAL, .reg = 106, .value = 65 },
		{ .relation = ADBGD_RELATION_LESS, .reg = 124, .value = ~0U },
		{ .relation = ADBGD_RELATION_LESS_SIGNED, .reg = 127, .value = 0 },
		{ .relation = ADBGD_RELATION_HAS_BITS, .reg = 105, .value = 0xf0 },
	};
	const struct adbgd_handler_condition vgpr[] = {
		{ .relation = ADBGD_RELATION_EQUAL, .is_vector = true, .reg = 255, .value = 3 },
		{ .relation = ADBGD_RELATION_LESS_SIGNED, .is_vector = true, .reg = 1,
		  .value = 0xfffffff0, .lanes = 0xff00000001 },
	};
	const struct adbgd_handler_condition several = {
		.relation = ADBGD_RELATION_GREATER, .is_vector = true, .reg = 1, .value = 3,
		.more = {
			{ ADBGD_RELATION_GREATER_SIGNED, false, 7, -3U },
			{ ADBGD_RELATION_GREATER_SIGNED, true, 2, 4 },
		},
	};
	const struct adbgd_handler_condition bits = {
		.relation = ADBGD_RELATION_HAS_BITS, .is_vector = true, .reg = 2,
		.value = 0xe0000ff0,
	};

	(void)state;
	is_code(sgpr, 5, LINES("s_waitcnt lgkmcnt(0)", "s_cmp_eq_u32 s5, 64",
			       "s_cbranch_scc0 3", "s_mov_b32 ttmp3, 0x8000", "s_branch 250",
			       "s_waitcnt lgkmcnt(0)", "s_cmp_lg_u32 vcc_lo, 0x41",
			       "s_cbranch_scc0 1", "s_branch 245",
			       "s_waitcnt lgkmcnt(0)", "s_cmp_lt_u32 m0, -1",
			       "s_cbranch_scc0 1", "s_branch 241",
			       "s_waitcnt lgkmcnt(0)", "s_cmp_lt_i32 exec_hi, 0",
			       "s_cbranch_scc0 1", "s_branch 237",
			       "s_waitcnt lgkmcnt(0)", "s_and_b32 ttmp4, s105, 0xf0",
			       "s_cbranch_scc0 233", "s_branch 232"));
	is_code(vgpr, 2, LINES("s_waitcnt vmcnt(0) lgkmcnt(0)", "s_mov_b64 ttmp[4:5], 0",
			       "v_cmp_eq_u32_e64 ttmp4, 3, v255",
			       "s_or_b32 ttmp4, ttmp4, ttmp5", "s_cbranch_scc0 1",
			       "s_branch 249",
			       "s_waitcnt vmcnt(0) lgkmcnt(0)", "s_mov_b64 ttmp[4:5], 0",
			       "v_cmp_gt_i32_e64 ttmp4, -16, v1",
			       "s_and_b32 ttmp4, ttmp4, 1", "s_and_b32 ttmp5, ttmp5, 0xff",
			       "s_or_b32 ttmp4, ttmp4, ttmp5", "s_cbranch_scc0 240",
			       "s_branch 239"));
	is_code(&several, 1, LINES("s_waitcnt lgkmcnt(0)", "s_cmp_gt_i32 s7, -3",
				   "s_cbranch_scc0 253", "s_waitcnt vmcnt(0) lgkmcnt(0)",
				   "s_mov_b64 ttmp[4:5], 0", "v_cmp_lt_u32_e64 ttmp4, 3, v1",
				   "v_cmp_lt_i32_e64 ttmp14, 4, v2",
				   "s_and_b64 ttmp[4:5], ttmp[4:5], ttmp[14:15]",
				   "s_or_b32 ttmp4, ttmp4, ttmp5", "s_cbranch_scc0 244",
				   "s_branch 243"));
	/* v2 must not change while its last value is being exported. */
	is_code(&bits, 1, LINES("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)",
				"s_mov_b64 ttmp[4:5], 0", "s_mov_b64 ttmp[6:7], 0",
				"v_alignbit_b32 v2, v2, v2, 12",
				"v_cmp_le_u32_e64 ttmp6, 0x1000000, v2",
				"s_or_b64 ttmp[4:5], ttmp[4:5], ttmp[6:7]",
				"v_alignbit_b32 v2, v2, v2, 20",
				"v_cmp_le_u32_e64 ttmp6, 0x20000000, v2",
				"s_or_b64 ttmp[4:5], ttmp[4:5], ttmp[6:7]",
				"s_or_b32 ttmp4, ttmp4, ttmp5", "s_cbranch_scc0 239",
				"s_branch 238"));
}

/* TTMP2 is STATUS as the handler has found it, with SCC in bit 0: gc_10_3_0_sh_mask.h. */
static void scc_in_conditions_is_encoded(void **state)
{
	const struct adbgd_handler_condition scc[] = {
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 253, .value = 1, .counter = 0x8000 },
		{ .relation = ADBGD_RELATION_HAS_BITS, .reg = 253, .value = 1 },
	};

	(void)state;
	is_code(scc, 2, LINES("s_and_b32 ttmp4, ttmp2, 1", "s_cmp_eq_u32 ttmp4, 1",
			      "s_cbranch_scc0 3", "s_mov_b32 ttmp3, 0x8000", "s_branch 250",
			      "s_and_b32 ttmp4, ttmp2, 1", "s_and_b32 ttmp4, ttmp4, 1",
			      "s_cbranch_scc0 247", "s_branch 246"));
}

static void patches_in_conditions_are_encoded(void **state)
{
	static const u64 pc[] = { 0x100000010 };
	const struct adbgd_handler_condition c[] = {
		{ .pcs = pc, .num_pcs = 1, .patch = 0x9000, .counter = 0x9000,
		  .relation = ADBGD_RELATION_EQUAL, .reg = 0 },
		{ .elsewhere = true },
	};

	(void)state;
	/* TTMP1 of an s_trap 7: TrapID in [23:16], HT in [24] (RDNA 2 ISA, "Trap handler") */
	is_code(c, 1, LINES("s_cmp_eq_u32 ttmp0, 16", "s_cbranch_scc0 254",
			    "s_and_b32 ttmp4, ttmp1, 0x1ffffff", "s_cmp_eq_u32 ttmp4, 0x70001",
			    "s_cbranch_scc0 249", "s_mov_b32 ttmp12, 0x9000",
			    "s_waitcnt lgkmcnt(0)", "s_cmp_eq_u32 s0, 0",
			    "s_cbranch_scc0 244", "s_mov_b32 ttmp3, 0x9000", "s_branch 241"));
	is_code(c, 2, LINES("s_cmp_eq_u32 ttmp0, 16", "s_cbranch_scc0 13",
			    "s_and_b32 ttmp4, ttmp1, 0x1ffffff", "s_cmp_eq_u32 ttmp4, 0x70001",
			    "s_cbranch_scc0 8", "s_mov_b32 ttmp12, 0x9000",
			    "s_waitcnt lgkmcnt(0)", "s_cmp_eq_u32 s0, 0",
			    "s_cbranch_scc0 3", "s_mov_b32 ttmp3, 0x9000", "s_branch 241",
			    "s_cmp_eq_u32 ttmp12, 0", "s_cbranch_scc0 239", "s_branch 238"));
}

/* TTMP1 of a step has neither a TrapID nor HT; TTMP13 is for a number in [31:2]. */
static void steps_in_conditions_are_encoded(void **state)
{
	static const u64 pcs[] = { 0xffff812345678abc, 0xffff812345678ac0 };
	static const struct adbgd_insn_match insns[] = {
		{ 0x7e000200, 0xfe01fe00 }, { 0xbf8c0000, 0xffffffff },
	};
	const struct adbgd_handler_condition at = {
		.pcs = pcs, .num_pcs = 2, .step = true, .stepped_tag = 0x1234,
	};
	const struct adbgd_handler_condition step = { .step = true, .counter = 0x9000,
						      .stepped_tag = 8 };
	const struct adbgd_handler_condition insn = { .insns = insns, .num_insns = 2,
						      .stepped_tag = 4 };
	const struct adbgd_handler_condition elsewhere = { .elsewhere = true, .no_step = true };

	(void)state;
	is_code(&at, 1, LINES("s_cmp_eq_u32 ttmp0, 0x45678abc", "s_cbranch_scc1 3",
			      "s_cmp_eq_u32 ttmp0, 0x45678ac0", "s_cbranch_scc0 250",
			      "s_and_b32 ttmp4, ttmp1, 0x1ffffff",
			      "s_cmp_eq_u32 ttmp4, 0x8123", "s_cbranch_scc0 245",
			      "s_mov_b32 ttmp13, 0x1234", "s_branch 242"));
	is_code(&step, 1, LINES("s_and_b32 ttmp4, ttmp1, 0x1ff0000", "s_cmp_eq_u32 ttmp4, 0",
				"s_cbranch_scc0 252", "s_mov_b32 ttmp3, 0x9000",
				"s_mov_b32 ttmp13, 8", "s_branch 248"));
	is_code(&insn, 1, LINES("s_and_b32 ttmp4, ttmp1, 0x1ff0000", "s_cmp_eq_u32 ttmp4, 0",
				"s_cbranch_scc0 252",
				"s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)",
				"s_mov_b32 ttmp14, ttmp0", "s_sext_i32_i16 ttmp15, ttmp1",
				"s_mov_b64 ttmp[6:7], exec", "s_mov_b64 exec, 1",
				"v_readfirstlane_b32 ttmp4, v0", "v_mov_b32 v0, 0",
				"global_load_dword v0, v0, ttmp[14:15] glc dlc",
				"s_waitcnt vmcnt(0)", "v_readfirstlane_b32 ttmp5, v0",
				"v_mov_b32 v0, ttmp4", "s_mov_b64 exec, ttmp[6:7]",
				"s_and_b32 ttmp4, ttmp5, 0xfe01fe00",
				"s_cmp_eq_u32 ttmp4, 0x7e000200", "s_cbranch_scc1 4",
				"s_and_b32 ttmp4, ttmp5, -1",
				"s_cmp_eq_u32 ttmp4, 0xbf8c0000", "s_cbranch_scc0 230",
				"s_mov_b32 ttmp13, 4", "s_branch 228"));
	is_code(&elsewhere, 1, LINES("s_and_b32 ttmp4, ttmp1, 0x1ff0000", "s_cbranch_scc0 253",
				     "s_cmp_eq_u32 ttmp12, 0", "s_cbranch_scc0 251",
				     "s_branch 250"));
}

static void impossible_conditions_are_refused(void **state)
{
	static const struct adbgd_insn_match insn = { 4, 4 }, no_insn = { 5, 4 };
	static const u64 far[] = { 0x100000010, 0x200000010 };
	static const u64 many[TRAP_CONDITION_DWORDS];
	static const struct amdgpudbg_wave_coord nowhere = { .se = 4 }, xcc = { .xcc = 1 };
	static const struct adbgd_handler_condition bad[] = {
		{ .pcs = far, .num_pcs = 2 },
		{ .pcs = far, .num_pcs = 0, .patch = 0x9000 },
		{ .pcs = many, .num_pcs = 2, .patch = 0x9000 },
		{ .pcs = many, .num_pcs = 1, .patch = 0x9000, .elsewhere = true },
		{ .wave = &nowhere },
		{ .wave = &xcc },
		{ .relation = ADBGD_RELATION_LESS, .reg = 0, .value = 0 },
		{ .relation = ADBGD_RELATION_LESS_SIGNED, .reg = 0, .value = 0x80000000 },
		{ .relation = ADBGD_RELATION_HAS_BITS, .reg = 0, .value = 0 },
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 108 },
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 125 },
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 128 },
		{ .relation = ADBGD_RELATION_EQUAL, .is_vector = true, .reg = 256 },
		{ .relation = ADBGD_RELATION_GREATER_SIGNED + 1 },
		{ .relation = ADBGD_RELATION_GREATER, .reg = 0, .value = ~0U },
		{ .relation = ADBGD_RELATION_GREATER_SIGNED, .reg = 0, .value = 0x7fffffff },
		{ .relation = ADBGD_RELATION_EQUAL,
		  .more = { { ADBGD_RELATION_EQUAL, true, 256, 0 } } },
		{ .relation = ADBGD_RELATION_EQUAL,
		  .more = { { ADBGD_RELATION_EQUAL }, { ADBGD_RELATION_LESS, true, 1, 0 } } },
		{ .step = true, .no_step = true },
		{ .step = true, .pcs = far, .num_pcs = 1, .patch = 0x9000 },
		{ .insns = &insn, .num_insns = 1, .pcs = far, .num_pcs = 1, .patch = 0x9000 },
		{ .insns = &insn, .num_insns = ADBGD_MAX_INSN_MATCHES + 1 },
		{ .insns = &no_insn, .num_insns = 1 },
		{ .stepped_tag = 4 },
		{ .step = true, .stepped_tag = 4 | TRAP_TTMP13_STOPPED },
		{ .step = true, .stepped_tag = 4 | TRAP_TTMP13_TRACED },
	};
	const struct adbgd_handler_condition good = { .pcs = far, .num_pcs = 1 };
	struct adbgd_handler_condition large = { .pcs = many, .num_pcs = 85 };
	u32 code[TRAP_CONDITION_DWORDS] = { 0x1234 };
	unsigned int n;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(bad); n++)
		assert_int_equal(adbgd_condition_program_build(GC_10_3, &bad[n], 1, code), -EINVAL);
	assert_int_equal(adbgd_condition_program_build(0x0b0000, &good, 1, code), -EOPNOTSUPP);
	assert_int_equal(adbgd_condition_program_build(0x0a0100, &good, 1, code), -EOPNOTSUPP);
	large.num_pcs = 200;
	assert_int_equal(adbgd_condition_program_build(GC_10_3, &large, 1, code), -ENOSPC);
	large.num_pcs = SIZE_MAX;
	assert_int_equal(adbgd_condition_program_build(GC_10_3, &large, 1, code), -ENOSPC);
	assert_int_equal(code[0], 0x1234);
	large.num_pcs = 80;
	assert_int_equal(adbgd_condition_program_build(GC_10_3, &large, 1, code), 0);
}

static const u32 as_assembled[] = {
#include "gfx10_3_stop.inc"
};

/* The program is at its place in the handler, and the rest is unchanged. */
static void the_condition_program_is_put_into_the_handler(void **state)
{
	static u32 code[4096], want[4096];
	const struct adbgd_handler_condition c = { .relation = ADBGD_RELATION_EQUAL, .reg = 3,
						   .value = 4 };
	const struct adbgd_handler_condition bad = { .relation = ADBGD_RELATION_EQUAL, .reg = 111 };
	size_t size = adbgd_handler_size(GC_10_3);

	(void)state;
	assert_int_equal(size, sizeof(as_assembled));
	assert_int_equal(adbgd_handler_size(0x0b0000), 0);
	memcpy(want, as_assembled, size);
	assert_int_equal(adbgd_condition_program_build(GC_10_3, &c, 1,
						       want + TRAP_CONDITION / 4), 0);
	assert_int_equal(adbgd_handler_build(GC_10_3, &bad, 1, code), -EINVAL);
	assert_int_equal(code[0], 0);
	assert_int_equal(adbgd_handler_build(GC_10_3, &c, 1, code), 0);
	assert_memory_equal(code, want, size);
	/* As assembled, every wave stops: s_cmp_eq_u32 ttmp12, 0, which is 0 */
	assert_int_equal(as_assembled[TRAP_CONDITION / 4], 0xbf068078);
	assert_true(size > TRAP_CONDITION + TRAP_CONDITION_DWORDS * 4);
}

/* -------------------------------------------------------------------- waves */

static u32 random_word(void)
{
	static u64 seed = 0x9e3779b97f4a7c15ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 16);
}

/* Often one of few values, so that comparisons are sometimes true */
static u32 value(void)
{
	static const u32 some[] = {
		0, 1, 2, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff, 0x00ff00ff,
	};

	return random_word() % 4 ? some[random_word() % ARRAY_SIZE(some)] : random_word();
}

static bool holds(enum adbgd_relation r, u32 reg, u32 value)
{
	switch (r) {
	case ADBGD_RELATION_EQUAL:
		return reg == value;
	case ADBGD_RELATION_NOT_EQUAL:
		return reg != value;
	case ADBGD_RELATION_LESS:
		return reg < value;
	case ADBGD_RELATION_LESS_SIGNED:
		return (s32)reg < (s32)value;
	case ADBGD_RELATION_HAS_BITS:
		return reg & value;
	case ADBGD_RELATION_GREATER:
		return reg > value;
	case ADBGD_RELATION_GREATER_SIGNED:
		return (s32)reg > (s32)value;
	default:
		return true;
	}
}

static u64 mask_of(const struct vgpu_wave *w)
{
	return vgpu_wave_exec(w) & (w->lanes == 64 ? ~0ULL : 0xffffffff);
}

/*
 * Are all comparisons of scalar registers true? Those of vector registers leave those of @lanes in
 * which they are true.
 */
static bool compares_hold(const struct adbgd_handler_condition *c, const struct vgpu_wave *w,
			  u64 *lanes, bool *is_vector)
{
	struct adbgd_handler_compare all[1 + ADBGD_MAX_MORE] = {
		{ c->relation, c->is_vector, c->reg, c->value },
	};
	unsigned int i, n;

	*is_vector = false;
	memcpy(all + 1, c->more, sizeof(c->more));
	for (i = 0; i < ARRAY_SIZE(all) && all[i].relation; i++) {
		const struct adbgd_handler_compare *one = &all[i];

		*is_vector |= one->is_vector;
		for (n = 0; one->is_vector && n < w->lanes; n++) {
			if (!holds(one->relation, w->v[one->reg][n], one->value))
				*lanes &= ~(1ULL << n);
		}
		if (!one->is_vector && !holds(one->relation, one->reg == ADBGD_OPERAND_SCC ?
					      w->scc : w->s[one->reg], one->value))
			return false;
	}
	return true;
}

/* Does the wave stop? By its state before the condition program; @pc is that of the trap. */
static bool model(const struct adbgd_handler_condition *c, const struct vgpu_wave *w)
{
	u64 lanes = c->lanes ? c->lanes & mask_of(w) : mask_of(w);
	bool any = false, is_vector;
	unsigned int n;

	for (n = 0; n < c->num_pcs; n++)
		any |= c->pcs[n] == w->pc;
	if (c->num_pcs && !any)
		return false;
	if (c->wave && (c->wave->wgp != w->wgp || c->wave->simd != w->simd ||
			c->wave->wave != w->slot || c->wave->se || c->wave->sa))
		return false;
	for (n = 0; c->group && n < 3; n++) {
		/* There is one group. */
		if (c->group[n])
			return false;
	}
	if (!compares_hold(c, w, &lanes, &is_vector))
		return false;
	return is_vector || c->lanes ? lanes : true;
}

static u32 random_register(bool is_vector)
{
	static const u32 sgprs[] = { 0, 1, 105, 106, 107, 124, 126, 127, 253, 253 };
	static const u32 vgprs[] = { 0, 1, 2, 255 };

	return is_vector ? vgprs[random_word() % 4] : sgprs[random_word() % ARRAY_SIZE(sgprs)];
}

/* A value that no relation makes impossible */
static u32 random_value(void)
{
	u32 v;

	do {
		v = value();
	} while (!v || v == 0x80000000 || v == 0x7fffffff || v == ~0U);
	return v;
}

static void random_clause(struct adbgd_handler_condition *c, const struct vgpu_wave *w)
{
	static struct amdgpudbg_wave_coord at;
	static u32 group[3];
	static u64 pcs[3];
	u32 r = random_word();
	unsigned int n;

	memset(c, 0, sizeof(*c));
	for (n = 0; n < 3; n++) {
		pcs[n] = w->pc + 4 * (random_word() % 3);
		group[n] = !(random_word() % 8);
	}
	c->pcs = pcs;
	c->num_pcs = r & 1 ? 0 : 1 + random_word() % 3;
	if (!(r & 14)) {
		at = (struct amdgpudbg_wave_coord){
			.wgp = w->wgp, .simd = w->simd, .wave = w->slot,
		};
		at.simd ^= random_word() & 1;
		c->wave = &at;
	}
	if (!(r & 0x70))
		c->group = group;
	if (r & 0x80)
		c->lanes = (u64)value() << 32 | value();
	c->relation = random_word() % (ADBGD_RELATION_GREATER_SIGNED + 1);
	c->is_vector = r & 0x100;
	c->reg = random_register(c->is_vector);
	c->value = random_value();
	for (n = 0; c->relation && n < random_word() % (ADBGD_MAX_MORE + 1); n++) {
		struct adbgd_handler_compare *more = &c->more[n];

		more->relation = 1 + random_word() % ADBGD_RELATION_GREATER_SIGNED;
		more->is_vector = random_word() & 1;
		more->reg = random_register(more->is_vector);
		/* Many groups of bits would need too much room. */
		more->value = more->relation == ADBGD_RELATION_HAS_BITS ? 0x0ff0 : random_value();
	}
}

static void random_wave(struct vgpu_wave *a, struct vgpu_wave *d)
{
	unsigned int n, lane;

	for (n = 0; n < VGPU_S_TTMP0; n++)
		a->s[n] = value();
	a->s[124] = value();
	a->s[126] = value();
	a->s[127] = a->lanes == 64 ? value() : 0;
	for (n = 0; n < VGPU_NUM_VGPRS; n++) {
		u32 same = value();

		for (lane = 0; lane < a->lanes; lane++)
			a->v[n][lane] = random_word() % 8 ? same : value();
	}
	a->scc = random_word() & 1;
	memcpy(d->s, a->s, VGPU_S_TTMP0 * 4);
	memcpy(d->s + 124, a->s + 124, 16);
	memcpy(d->v, a->v, sizeof(a->v));
	d->scc = a->scc;
}

/* A program of s_nop, with a random wave and random conditions */
static void waves_stop_as_in_the_model_of_conditions(void **state)
{
	static u32 nops[64];
	u32 code[TRAP_CONDITION_DWORDS];
	unsigned int n, stopped = 0;
	struct pair p;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(nops); n++)
		nops[n] = I_NOP;
	pair_new(&p);
	pair_write(&p, GPU_VA, nops, sizeof(nops));
	for (n = 0; n < CASES; n++) {
		struct adbgd_handler_condition c[2];
		u32 before;
		char what[32];
		bool stop;

		if (!(n % 16)) {
			pair_wave(&p, random_word() & 1 ? 32 : 64);
			pair_ready(&p, PAIR_HOST);
		}
		random_wave(p.a, p.d);
		/* Where it will be after its s_nop */
		p.a->pc += 4;
		random_clause(&c[0], p.a);
		random_clause(&c[1], p.a);
		stop = model(&c[0], p.a) || (n & 1 && model(&c[1], p.a));
		p.a->pc -= 4;
		assert_int_equal(adbgd_condition_program_build(GC_10_3, c, 1 + (n & 1), code), 0);
		pair_set_condition(&p, code);
		before = pair_stops(&p);
		snprintf(what, sizeof(what), "case %u", n);
		assert_true(pair_step(&p));
		if (pair_stops(&p) - before != stop)
			fail_msg("case %u: %s", n, stop ? "it does not stop" : "it stops");
		assert_false(pair_differs(&p, what));
		stopped += stop;
	}
	pair_free(&p);
	printf("# %u of %u stop\n", stopped, CASES);
	assert_in_range(stopped, CASES / 10, CASES * 9 / 10);
}

/* ------------------------------------------------------------------- counts */

static void set_condition(struct pair *p, const struct adbgd_handler_condition *clauses, size_t num)
{
	u32 code[TRAP_CONDITION_DWORDS];

	assert_int_equal(adbgd_condition_program_build(GC_10_3, clauses, num, code), 0);
	pair_set_condition(p, code);
}

/* A halted wave in a row of s_nop, which the host traps */
static void begin_nops(struct pair *p, enum pair_by by)
{
	static u32 nops[128];
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(nops); n++)
		nops[n] = I_NOP;
	nops[ARRAY_SIZE(nops) - 1] = I_ENDPGM;
	pair_new(p);
	pair_write(p, GPU_VA, nops, sizeof(nops));
	pair_wave(p, 32);
	pair_ready(p, by);
}

static void set_counter(struct pair *p, unsigned int n, u32 limit, u32 which)
{
	const u32 point[] = { 0, limit, which };

	memcpy(pair_counter(p->debugged, n), point, sizeof(point));
	memcpy(pair_counter(p->alone, n), point, sizeof(point));
}

static u32 counter_at(unsigned int n)
{
	return PAIR_COUNTERS + n * TRAP_COUNTER_SIZE;
}

/* Get which of the next @num traps stop, as a bitmap. */
static u32 stops(struct pair *p, unsigned int num)
{
	u32 bits = 0;
	unsigned int n;

	for (n = 0; n < num; n++) {
		u32 before = pair_stops(p);

		assert_true(pair_step(p));
		bits |= (pair_stops(p) - before) << n;
		assert_false(pair_differs(p, "counting"));
	}
	return bits;
}

static void hits_of_conditions_are_counted(void **state)
{
	struct adbgd_handler_condition c = { .counter = counter_at(0) };
	struct adbgd_handler_condition two[] = {
		{ .relation = ADBGD_RELATION_EQUAL, .reg = 0, .value = 1,
		  .counter = counter_at(0) },
		{ .counter = counter_at(1) },
	};
	struct pair p;

	(void)state;
	begin_nops(&p, PAIR_HOST);
	set_condition(&p, &c, 1);
	/* Every third one */
	set_counter(&p, 0, 2, 2);
	assert_int_equal(stops(&p, 12), 0x924);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], 0);
	/* The fifth alone */
	set_counter(&p, 0, ~0U, 4);
	assert_int_equal(stops(&p, 12), 0x010);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], 12);
	/* Each one */
	set_counter(&p, 0, 0, 0);
	assert_int_equal(stops(&p, 4), 0xf);
	/* A false condition is no hit, and the second condition has its own counter. */
	set_condition(&p, two, 2);
	set_counter(&p, 0, 1, 1);
	set_counter(&p, 1, 2, 2);
	assert_int_equal(stops(&p, 6), 0x24);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], 0);
	p.a->s[0] = 1;
	p.d->s[0] = 1;
	assert_int_equal(stops(&p, 6), 0x2a);
	assert_int_equal(pair_counter(p.debugged, 1)[TRAP_COUNTER_HITS / 4], 0);
	pair_free(&p);
}

static void count_halted(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)g;
	*(unsigned int *)arg += !!(w->stop & VGPU_STOP_HALT);
}

/* Of many waves that reach the same address one stops. */
static void the_first_wave_at_a_counted_breakpoint_stops(void **state)
{
	static const u32 program[] = { I_NOP, 0xbf920003 /* s_trap 3 */, I_NOP, I_ENDPGM };
	struct vgpu_dispatch d = gpu_dispatch(32, 24);
	static const u64 pcs[] = { GPU_VA + 4 };
	const struct adbgd_handler_condition c = {
		.pcs = pcs, .num_pcs = 1, .counter = counter_at(0),
	};
	unsigned int halted = 0;
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, program, sizeof(program));
	set_condition(&p, &c, 1);
	set_counter(&p, 0, ~0U, 0);
	assert_int_equal(vgpu_sq_dispatch(p.debugged, &d), 0);
	gpu_run(p.debugged);
	vgpu_sq_for_each(p.debugged, count_halted, &halted);
	assert_int_equal(halted, 1);
	assert_int_equal(gpu_count_waves(p.debugged), 1);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], 24);
	assert_int_equal(p.debugged->counters.traps, 24);
	/* It continues behind the s_trap, to the end. */
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(p.debugged->counters.traps, 24);
	pair_free(&p);
}

/* A wave in debug mode runs by itself to one of the addresses. */
static void a_wave_in_debug_mode_stops_at_addresses(void **state)
{
	static const u64 pcs[] = { GPU_VA + 0x40, GPU_VA + 0x80, GPU_VA + 0x1000 };
	const struct adbgd_handler_condition c = { .pcs = pcs, .num_pcs = 3 };
	unsigned int n;
	struct pair p;

	(void)state;
	begin_nops(&p, PAIR_DEBUG);
	set_condition(&p, &c, 1);
	for (n = 1; n <= 2; n++) {
		gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
		gpu_run(p.debugged);
		assert_true(p.d->pc == GPU_VA + 0x40 * n);
		assert_int_equal(p.d->stop, VGPU_STOP_HALT);
		assert_int_equal(pair_stops(&p), n);
		assert_int_equal(p.debugged->counters.traps, 0x10 * n);
		p.a->pc = p.d->pc;
		assert_false(pair_differs(&p, "at an address"));
	}
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	pair_free(&p);
}

/* s[0:1] is an address of the program's, s4 is not 0, v0 are offsets. */
static void set_registers(struct vgpu_wave *w)
{
	unsigned int n;

	w->s[0] = (u32)GPU_VA + 0x1000;
	w->s[1] = GPU_VA >> 32;
	w->s[4] = 1;
	for (n = 0; n < w->lanes; n++)
		w->v[0][n] = 4 * n;
}

/* A wave that stops has the number of the pattern in TTMP13; its results are unchanged. */
static void a_wave_in_debug_mode_stops_at_instructions(void **state)
{
	static const u32 program[] = {
		0xdc308000, 0x05000004,	/* global_load_dword v5, v0, s[0:1] .. */
		0xbf800000,		/* s_nop 0 */
		0x7e000300,		/* v_mov_b32 v0, v0 */
		0xbefe0480,		/* s_mov_b64 exec, 0 */
		0x7e020302,		/* v_mov_b32 v1, v2 */
		0xbf800003,		/* s_nop 3 */
		0x7e020300,		/* v_mov_b32 v1, v0 */
		0xbf810000,		/* s_endpgm */
	};
	static const struct adbgd_insn_match moves[] = {
		{ 0x12345678, 0xffffffff }, { 0x7e000200, 0xfe01fe00 },
	};
	static const struct adbgd_insn_match nop = { 0xbf800003, 0xffffffff };
	static const u64 last[] = { GPU_VA + 0x20 };
	const struct adbgd_handler_condition c[] = {
		{ .insns = moves, .num_insns = 2, .stepped_tag = 4 },
		{ .insns = &nop, .num_insns = 1, .stepped_tag = 8,
		  .relation = ADBGD_RELATION_NOT_EQUAL, .reg = 4, .value = 0 },
		{ .pcs = last, .num_pcs = 1, .step = true, .stepped_tag = 12 },
		{ .elsewhere = true, .no_step = true },
	};
	static const struct { u32 at, match; } stops[] = {
		{ 0xc, 4 }, { 0x14, 4 }, { 0x18, 8 }, { 0x1c, 4 }, { 0x20, 12 },
	};
	unsigned int lanes, n;
	struct pair p;

	(void)state;
	for (lanes = 32; lanes <= 64; lanes += 32) {
		pair_new(&p);
		pair_write(&p, GPU_VA, program, sizeof(program));
		set_condition(&p, c, ARRAY_SIZE(c));
		pair_wave(&p, lanes);
		set_registers(p.a);
		set_registers(p.d);
		pair_ready(&p, PAIR_DEBUG);
		for (n = 0; n < ARRAY_SIZE(stops); n++) {
			gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
			gpu_run(p.debugged);
			assert_int_equal(gpu_count_waves(p.debugged), 1);
			if (p.d->pc != GPU_VA + stops[n].at)
				fail_msg("stop %u is at %#llx", n, (unsigned long long)p.d->pc);
			assert_int_equal(p.d->s[VGPU_S_TTMP0 + 13], stops[n].match);
			assert_int_equal(pair_stops(&p), n + 1);
			while (p.a->pc != p.d->pc) {
				gpu_write(p.alone, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
				gpu_run(p.alone);
			}
			assert_false(pair_differs(&p, "at an instruction"));
		}
		gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
		gpu_run(p.debugged);
		assert_int_equal(gpu_count_waves(p.debugged), 0);
		pair_free(&p);
	}
}

/* An s_trap and a trap by the host are no steps, whatever the next instruction is. */
static void step_conditions_ignore_other_traps(void **state)
{
	static const struct adbgd_insn_match nop = { I_NOP, 0xffffffff };
	const struct adbgd_handler_condition c = { .insns = &nop, .num_insns = 1,
						   .stepped_tag = 4 };
	const struct adbgd_handler_condition any = { .step = true };
	const struct adbgd_handler_condition no_step = { .elsewhere = true, .no_step = true };
	struct pair p;

	(void)state;
	begin_nops(&p, PAIR_HOST);
	set_condition(&p, &c, 1);
	assert_int_equal(stops(&p, 4), 0);
	set_condition(&p, &any, 1);
	assert_int_equal(stops(&p, 4), 0);
	set_condition(&p, &no_step, 1);
	assert_int_equal(stops(&p, 4), 0xf);
	pair_free(&p);
}

/* An exception stops the wave under any condition, and once. */
static void exceptions_stop_a_wave_under_any_condition(void **state)
{
	/* v_rcp_f32 v1, v0 */
	static const u32 program[] = { 0x7e025500, I_NOP, I_ENDPGM };
	struct pair p;

	(void)state;
	pair_new(&p);
	pair_write(&p, GPU_VA, program, sizeof(program));
	set_condition(&p, NULL, 0);
	pair_wave(&p, 32);
	memset(p.d->v[0], 0, sizeof(p.d->v[0]));
	p.d->excp_en |= WAVE_EXCP_DIV0;
	pair_ready(&p, PAIR_HOST);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 1);
	assert_int_equal(pair_stops(&p), 1);
	assert_true(p.d->pc == GPU_VA + 4);
	assert_int_equal(p.d->excp, WAVE_EXCP_DIV0);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	assert_int_equal(p.debugged->counters.traps, 2);
	pair_free(&p);
}

/*
 * Number of instructions that a patch costs a wave which does not stop there: the s_trap, the
 * handler, and, if it @returns from a displaced instruction, the return trap
 */
static u64 cost(const struct adbgd_handler_condition *test, bool returns)
{
	static const u32 program[] = { I_NOP, 0xbf920007 /* s_trap 7 */, I_NOP, I_ENDPGM };
	static const u64 pcs[] = { GPU_VA + 4 };
	const u32 copy[] = {
		I_NOP, returns ? 0xbf9200ff /* s_trap 255 */ : I_ENDPGM, TRAP_RETURN_MAGIC,
		lower_32_bits(GPU_VA + 8), upper_32_bits(GPU_VA + 8),
	};
	struct adbgd_handler_condition c = *test;
	u64 executed;
	struct pair p;

	pair_new(&p);
	pair_write(&p, GPU_VA, program, sizeof(program));
	pair_write(&p, PAIR_DISPLACED, copy, sizeof(copy));
	pair_wave(&p, 32);
	pair_ready(&p, PAIR_HOST);
	c.pcs = pcs;
	c.num_pcs = 1;
	c.patch = PAIR_DISTANCE(PAIR_DISPLACED);
	set_condition(&p, (const struct adbgd_handler_condition[]){ c, { .elsewhere = true } }, 2);
	set_counter(&p, 0, ~0U, 5);
	executed = p.debugged->counters.instructions;
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	executed = p.debugged->counters.instructions - executed;
	assert_int_equal(p.debugged->counters.traps, 1 + returns);
	assert_int_equal(pair_counter(p.debugged, 0)[TRAP_COUNTER_HITS / 4], test->counter ? 1 : 0);
	pair_free(&p);
	/* Two or three s_nop, and s_endpgm */
	return executed - 3 - returns;
}

/* Number of instructions that a step costs a wave which does not stop */
static u64 step_cost(const struct adbgd_handler_condition *c, size_t num)
{
	u64 before;
	struct pair p;

	begin_nops(&p, PAIR_DEBUG);
	set_condition(&p, c, num);
	before = p.debugged->counters.instructions;
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(gpu_count_waves(p.debugged), 0);
	/* 127 s_nop, with a trap after each, and s_endpgm */
	before = p.debugged->counters.instructions - before - 128;
	pair_free(&p);
	return (before + 126) / 127;
}

static void say(const char *what, u64 instructions, unsigned int most)
{
	printf("# %s: %llu instructions\n", what, (unsigned long long)instructions);
	assert_in_range(instructions, 1, most);
}

static void a_wave_that_does_not_stop_executes_few_instructions(void **state)
{
	const struct adbgd_handler_condition sgpr = {
		.relation = ADBGD_RELATION_EQUAL, .reg = 0, .value = 99,
	};
	const struct adbgd_handler_condition scc = {
		.relation = ADBGD_RELATION_EQUAL, .reg = 253, .value = 1,
	};
	const struct adbgd_handler_condition vgpr = {
		.relation = ADBGD_RELATION_EQUAL, .is_vector = true, .reg = 9, .value = 99,
	};
	const struct adbgd_handler_condition several = {
		.relation = ADBGD_RELATION_GREATER, .is_vector = true, .reg = 9, .value = 99,
		.more = {
			{ ADBGD_RELATION_LESS, true, 8, 5 }, { ADBGD_RELATION_LESS, true, 7, 5 },
		},
	};
	const struct adbgd_handler_condition counted = {
		.relation = ADBGD_RELATION_NOT_EQUAL, .is_vector = true, .reg = 9, .value = 99,
		.counter = counter_at(0),
	};

	(void)state;
	say("an SGPR at a patch, into the copy", cost(&sgpr, false), 39);
	say("SCC", cost(&scc, false), 39);
	say("a VGPR", cost(&vgpr, false), 39);
	say("three VGPRs", cost(&several, false), 43);
	say("an SGPR, and returns from the copy", cost(&sgpr, true), 49);
	say("SCC, and returns", cost(&scc, true), 49);
	say("a VGPR, and returns", cost(&vgpr, true), 49);
	say("a VGPR with a count, and returns", cost(&counted, true), 79);
}

static void a_step_that_does_not_stop_takes_few_instructions(void **state)
{
	static const struct adbgd_insn_match insn = { 0x7e000200, 0xfe01fe00 };
	static const u64 pcs[] = { GPU_VA + 0x1000 };
	const struct adbgd_handler_condition elsewhere = { .pcs = pcs, .num_pcs = 1 };
	const struct adbgd_handler_condition match[] = {
		{ .pcs = pcs, .num_pcs = 1, .step = true, .stepped_tag = 4 },
		{ .elsewhere = true, .no_step = true },
	};
	const struct adbgd_handler_condition insns[] = {
		{ .insns = &insn, .num_insns = 1, .stepped_tag = 4 },
		{ .elsewhere = true, .no_step = true },
	};

	(void)state;
	say("a step", step_cost(&elsewhere, 1), 39);
	say("a step, with an address", step_cost(match, 2), 39);
	say("a step, with an instruction", step_cost(insns, 2), 59);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_in_conditions_are_encoded),
		cmocka_unit_test(wave_slots_in_conditions_are_encoded),
		cmocka_unit_test(comparisons_in_conditions_are_encoded),
		cmocka_unit_test(scc_in_conditions_is_encoded),
		cmocka_unit_test(patches_in_conditions_are_encoded),
		cmocka_unit_test(steps_in_conditions_are_encoded),
		cmocka_unit_test(impossible_conditions_are_refused),
		cmocka_unit_test(the_condition_program_is_put_into_the_handler),
		cmocka_unit_test(waves_stop_as_in_the_model_of_conditions),
		cmocka_unit_test(hits_of_conditions_are_counted),
		cmocka_unit_test(the_first_wave_at_a_counted_breakpoint_stops),
		cmocka_unit_test(a_wave_in_debug_mode_stops_at_addresses),
		cmocka_unit_test(a_wave_in_debug_mode_stops_at_instructions),
		cmocka_unit_test(step_conditions_ignore_other_traps),
		cmocka_unit_test(exceptions_stop_a_wave_under_any_condition),
		cmocka_unit_test(a_wave_that_does_not_stop_executes_few_instructions),
		cmocka_unit_test(a_step_that_does_not_stop_takes_few_instructions),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
