// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Instructions of condition programs for gfx10.3, see emit.h.
 */
#include "encode_gfx10_3.h"
#include "trap_abi.h"

/* Operands */
#define EXEC_LO		ADBGD_OPERAND_EXEC_LO
#define EXEC_HI		(EXEC_LO + 1)
#define VGPR(n)		(256 + (n))
#define TTMP(n)		(108 + (n))

/* STATUS as the handler has found it (trap_abi.h). STATUS.SCC: gc_10_3_0_sh_mask.h (Linux 6.1) */
#define SAVED_STATUS	TTMP(2)
#define STATUS_SCC	1

/* SOP2, SOP1, SOPP */
#define S_AND_B32	0x0e
#define S_AND_B64	0x0f
#define S_OR_B32	0x10
#define S_OR_B64	0x11
#define S_MOV_B64	0x04
#define S_SEXT_I32_I16	0x1a
#define S_BRANCH	0x02
#define S_CBRANCH_SCC0	0x04
#define S_CBRANCH_SCC1	0x05
#define S_WAITCNT	0x0c

/* SOPC, and VALU compares in VOP3, which have the register as second operand */
#define S_CMP_EQ_U32	0x06
#define S_CMP_LG_U32	0x07
#define S_CMP_LT_U32	0x0a
#define S_CMP_LT_I32	0x04
#define S_CMP_GT_U32	0x08
#define S_CMP_GT_I32	0x02
#define V_CMP_EQ_U32	0xc2
#define V_CMP_NE_U32	0xc5
#define V_CMP_GT_U32	0xc4
#define V_CMP_LE_U32	0xc3
#define V_CMP_GT_I32	0x84
#define V_CMP_LT_U32	0xc1
#define V_CMP_LT_I32	0x81
#define V_ALIGNBIT_B32	0x14e

/* VOP1: destinations are the numbers of VGPRs. GLOBAL: SEG 2, opcode 12, GLC, DLC */
#define V_MOV_B32	0x7e000200
#define V_READFIRSTLANE_B32 0x7e000400
#define GLOBAL_LOAD_DWORD 0xdc319000

/* s_waitcnt: expcnt [6:4]; lgkmcnt [13:8], vmcnt [15:14] and [3:0] */
#define WAIT_LGKM	0xc07f
#define WAIT_VM		0x3f70
#define WAIT_VM_LGKM	0x0070
#define WAIT_VM_EXP_LGKM 0

/* s_getreg_b32: the register, and the number of all its bits */
#define HWREG_HW_ID1	(23 | 31 << 11)

/* SQ_WAVE_HW_ID1: gc_10_3_0_sh_mask.h (Linux 6.1) */
#define ID1_WAVE	0
#define ID1_SIMD	8
#define ID1_WGP		10
#define ID1_SA		16
#define ID1_SE		18
#define ID1_MASK	(0x1f | 3 << ID1_SIMD | 0xf << ID1_WGP | 1 << ID1_SA | 3 << ID1_SE)

#define PC_HI		TRAP_TTMP1_PC_HI
#define TRAP_ID		(((1 << TRAP_TTMP1_ID_BITS) - 1) << TRAP_TTMP1_ID_SHIFT)
/* All 0 in a step. The condition program does not run for exceptions. */
#define NO_STEP		(TRAP_ID | 1 << TRAP_TTMP1_HT_BIT)

static void sopc(struct adbgd_emitter *e, uint32_t op, uint32_t reg, uint32_t value)
{
	adbgd_emit(e, 0xbf000000 | op << 16 | constant(value) << 8 | reg);
	put_literal(e, value);
}

static void sop2(struct adbgd_emitter *e, uint32_t op, uint32_t to, uint32_t a, uint32_t b)
{
	adbgd_emit(e, 0x80000000 | op << 23 | to << 16 | b << 8 | a);
}

static void and_with(struct adbgd_emitter *e, uint32_t to, uint32_t reg, uint32_t value)
{
	sop2(e, S_AND_B32, to, reg, constant(value));
	put_literal(e, value);
}

static uint32_t jump(uint32_t op, size_t at, size_t to)
{
	return sopp(op, (uint32_t)(to - at - 1));
}

static uint32_t unless(size_t at, size_t to)
{
	return jump(S_CBRANCH_SCC0, at, to);
}

static uint32_t when(size_t at, size_t to)
{
	return jump(S_CBRANCH_SCC1, at, to);
}

static uint32_t branch(size_t at, size_t to)
{
	return jump(S_BRANCH, at, to);
}

static void pc_lo_is(struct adbgd_emitter *e, uint32_t lo)
{
	sopc(e, S_CMP_EQ_U32, TTMP(0), lo);
}

static void pc_hi_is(struct adbgd_emitter *e, uint32_t hi)
{
	and_with(e, TTMP(4), TTMP(1), PC_HI);
	sopc(e, S_CMP_EQ_U32, TTMP(4), hi & PC_HI);
}

static void patch_hi_is(struct adbgd_emitter *e, uint32_t hi)
{
	and_with(e, TTMP(4), TTMP(1), PC_HI | NO_STEP);
	sopc(e, S_CMP_EQ_U32, TTMP(4), (hi & PC_HI) | TRAP_ID_BREAK << TRAP_TTMP1_ID_SHIFT);
}

static void step_hi_is(struct adbgd_emitter *e, uint32_t hi)
{
	and_with(e, TTMP(4), TTMP(1), PC_HI | NO_STEP);
	sopc(e, S_CMP_EQ_U32, TTMP(4), hi & PC_HI);
}

static void is_step(struct adbgd_emitter *e)
{
	and_with(e, TTMP(4), TTMP(1), NO_STEP);
	sopc(e, S_CMP_EQ_U32, TTMP(4), 0);
}

static void is_no_step(struct adbgd_emitter *e)
{
	and_with(e, TTMP(4), TTMP(1), NO_STEP);
}

static void no_patch(struct adbgd_emitter *e)
{
	sopc(e, S_CMP_EQ_U32, TTMP(12), 0);
}

/*
 * Load the dword into TTMP5, past all caches but the last one, as load_new of trap/gfx10_3.inc
 * does: a patch may have changed it. Lane 0 of v0 is used for that, so loads and exports that may
 * still use v0 must be complete.
 */
static void load_insn(struct adbgd_emitter *e)
{
	adbgd_emit(e, sopp(S_WAITCNT, WAIT_VM_EXP_LGKM));
	sop1(e, S_MOV_B32, TTMP(14), TTMP(0));
	sop1(e, S_SEXT_I32_I16, TTMP(15), TTMP(1));
	sop1(e, S_MOV_B64, TTMP(6), EXEC_LO);
	sop1(e, S_MOV_B64, EXEC_LO, constant(1));
	adbgd_emit(e, V_READFIRSTLANE_B32 | TTMP(4) << 17 | VGPR(0));
	adbgd_emit(e, V_MOV_B32 | constant(0));
	adbgd_emit(e, GLOBAL_LOAD_DWORD);
	adbgd_emit(e, TTMP(14) << 16);
	adbgd_emit(e, sopp(S_WAITCNT, WAIT_VM));
	adbgd_emit(e, V_READFIRSTLANE_B32 | TTMP(5) << 17 | VGPR(0));
	adbgd_emit(e, V_MOV_B32 | TTMP(4));
	sop1(e, S_MOV_B64, EXEC_LO, TTMP(6));
}

static void insn_is(struct adbgd_emitter *e, const struct adbgd_insn_match *insn)
{
	and_with(e, TTMP(4), TTMP(5), insn->mask);
	sopc(e, S_CMP_EQ_U32, TTMP(4), insn->value);
}

static bool has_wave(const struct amdgpudbg_wave_coord *at)
{
	return !at->xcc && at->se <= 3 && at->sa <= 1 && at->wgp <= 0xf && at->simd <= 3 &&
	       at->wave <= 0x1f;
}

static void wave_is(struct adbgd_emitter *e, const struct amdgpudbg_wave_coord *at)
{
	adbgd_emit(e, 0xb9000000 | TTMP(4) << 16 | HWREG_HW_ID1);
	and_with(e, TTMP(4), TTMP(4), ID1_MASK);
	sopc(e, S_CMP_EQ_U32, TTMP(4),
	     (uint32_t)at->wave << ID1_WAVE | (uint32_t)at->simd << ID1_SIMD |
	     (uint32_t)at->wgp << ID1_WGP | (uint32_t)at->sa << ID1_SA |
	     (uint32_t)at->se << ID1_SE);
}

/* The hardware writes it for waves with a trap handler: cwsr_trap_handler_gfx10.asm, Linux 7.2. */
static void group_is(struct adbgd_emitter *e, unsigned int i, uint32_t value)
{
	sopc(e, S_CMP_EQ_U32, TTMP(8 + i), value);
}

/* Test whether one of @lanes is set in a pair of registers, which may be EXEC itself. */
static void any_lane(struct adbgd_emitter *e, uint32_t lo, uint32_t hi, uint64_t lanes)
{
	and_with(e, TTMP(4), lo, (uint32_t)lanes);
	and_with(e, TTMP(5), hi, lanes >> 32);
	sop2(e, S_OR_B32, TTMP(4), TTMP(4), TTMP(5));
}

static void has_lanes(struct adbgd_emitter *e, uint64_t lanes)
{
	any_lane(e, EXEC_LO, EXEC_HI, lanes);
}

static void compare_scalar(struct adbgd_emitter *e, const struct adbgd_handler_compare *c)
{
	static const uint8_t ops[] = {
		[ADBGD_RELATION_EQUAL] = S_CMP_EQ_U32, [ADBGD_RELATION_NOT_EQUAL] = S_CMP_LG_U32,
		[ADBGD_RELATION_LESS] = S_CMP_LT_U32, [ADBGD_RELATION_LESS_SIGNED] = S_CMP_LT_I32,
		[ADBGD_RELATION_GREATER] = S_CMP_GT_U32,
		[ADBGD_RELATION_GREATER_SIGNED] = S_CMP_GT_I32,
	};

	uint32_t reg = c->reg;

	if (reg == ADBGD_OPERAND_SCC) {
		reg = TTMP(4);
		and_with(e, reg, SAVED_STATUS, STATUS_SCC);
	} else {
		adbgd_emit(e, sopp(S_WAITCNT, WAIT_LGKM));
	}
	if (c->relation == ADBGD_RELATION_HAS_BITS)
		and_with(e, TTMP(4), reg, c->value);
	else
		sopc(e, ops[c->relation], reg, c->value);
}

/* Set a bit in @to for each active lane in which @value compares with @reg. */
static void v_cmp(struct adbgd_emitter *e, uint32_t op, uint32_t to, uint32_t value, uint32_t reg)
{
	adbgd_emit(e, 0xd4000000 | op << 16 | to);
	adbgd_emit(e, VGPR(reg) << 9 | constant(value));
	put_literal(e, value);
}

/* Rotate right in the active lanes. */
static void rotate(struct adbgd_emitter *e, uint32_t reg, uint32_t by)
{
	if (!(by % 32))
		return;
	adbgd_emit(e, 0xd4000000 | V_ALIGNBIT_B32 << 16 | reg);
	adbgd_emit(e, constant(by % 32) << 18 | VGPR(reg) << 9 | VGPR(reg));
}

/*
 * Set a bit in @to for each active lane in which one of @bits is set, without a spare VGPR: rotate
 * the register until the highest of a group of adjacent bits is bit 31. One of them is set if the
 * rotated register is not less than the lowest bit of the group. In the end rotate it back.
 */
static void v_has_bits(struct adbgd_emitter *e, uint32_t to, uint32_t reg, uint32_t bits)
{
	uint32_t turned = 0, shift = 0;

	while (bits >> shift) {
		uint32_t begin, end;

		while (!(bits >> shift & 1))
			shift++;
		begin = shift;
		while (shift < 32 && bits >> shift & 1)
			shift++;
		end = shift;
		rotate(e, reg, end - turned);
		turned = end;
		v_cmp(e, V_CMP_LE_U32, TTMP(6), 1U << (32 - (end - begin)) % 32, reg);
		sop2(e, S_OR_B64, to, to, TTMP(6));
		if (shift == 32)
			break;
	}
	rotate(e, reg, 32 - turned);
}

/* Set a bit in @to for each active lane in which the comparison is true. */
static void compare_vgpr(struct adbgd_emitter *e, uint32_t to,
			 const struct adbgd_handler_compare *c)
{
	static const uint8_t ops[] = {
		[ADBGD_RELATION_EQUAL] = V_CMP_EQ_U32, [ADBGD_RELATION_NOT_EQUAL] = V_CMP_NE_U32,
		[ADBGD_RELATION_LESS] = V_CMP_GT_U32, [ADBGD_RELATION_LESS_SIGNED] = V_CMP_GT_I32,
		[ADBGD_RELATION_GREATER] = V_CMP_LT_U32,
		[ADBGD_RELATION_GREATER_SIGNED] = V_CMP_LT_I32,
	};

	if (c->relation != ADBGD_RELATION_HAS_BITS) {
		v_cmp(e, ops[c->relation], to, c->value, c->reg);
		return;
	}
	sop1(e, S_MOV_B64, TTMP(6), constant(0));
	v_has_bits(e, to, c->reg, c->value);
}

static void compare_vectors(struct adbgd_emitter *e, const struct adbgd_handler_compare *c,
			    size_t num, uint64_t lanes)
{
	bool has_bits = false;
	size_t i;

	for (i = 0; i < num; i++)
		has_bits |= c[i].relation == ADBGD_RELATION_HAS_BITS;
	/* Exports read their registers late, and v_has_bits() changes the register for a while. */
	adbgd_emit(e, sopp(S_WAITCNT, has_bits ? WAIT_VM_EXP_LGKM : WAIT_VM_LGKM));
	/* A compare in a wave32 writes only the first of two registers. */
	sop1(e, S_MOV_B64, TTMP(4), constant(0));
	compare_vgpr(e, TTMP(4), &c[0]);
	for (i = 1; i < num; i++) {
		if (c[i].relation == ADBGD_RELATION_HAS_BITS)
			sop1(e, S_MOV_B64, TTMP(14), constant(0));
		compare_vgpr(e, TTMP(14), &c[i]);
		sop2(e, S_AND_B64, TTMP(4), TTMP(4), TTMP(14));
	}
	if (lanes)
		any_lane(e, TTMP(4), TTMP(5), lanes);
	else
		sop2(e, S_OR_B32, TTMP(4), TTMP(4), TTMP(5));
}

static bool has_reg(bool is_vector, uint32_t reg)
{
	if (is_vector)
		return reg <= 255;
	return reg < ADBGD_OPERAND_AFTER_SGPRS || reg == ADBGD_OPERAND_M0 || reg == EXEC_LO ||
	       reg == EXEC_HI || reg == ADBGD_OPERAND_SCC;
}

static void always(struct adbgd_emitter *e, bool holds)
{
	adbgd_emit(e, 0xbf000000 | (holds ? S_CMP_EQ_U32 : S_CMP_LG_U32) << 16 |
		      constant(0) << 8 | constant(0));
}

static void set_counter(struct adbgd_emitter *e, uint32_t counter)
{
	move(e, TTMP(3), counter);
}

static void set_patch(struct adbgd_emitter *e, uint32_t distance)
{
	move(e, TTMP(12), distance);
}

static void set_stepped_tag(struct adbgd_emitter *e, uint32_t tag)
{
	move(e, TTMP(13), tag);
}

const struct adbgd_emit_ops adbgd_emit_gfx10_3 = {
	.pc_lo_is = pc_lo_is,
	.pc_hi_is = pc_hi_is,
	.patch_hi_is = patch_hi_is,
	.step_hi_is = step_hi_is,
	.no_patch = no_patch,
	.is_step = is_step,
	.is_no_step = is_no_step,
	.insn_is = insn_is,
	.wave_is = wave_is,
	.group_is = group_is,
	.has_lanes = has_lanes,
	.compare_scalar = compare_scalar,
	.compare_vectors = compare_vectors,
	.always = always,
	.load_insn = load_insn,
	.set_counter = set_counter,
	.set_patch = set_patch,
	.set_stepped_tag = set_stepped_tag,
	.unless = unless,
	.when = when,
	.branch = branch,
	.has_reg = has_reg,
	.has_wave = has_wave,
};
