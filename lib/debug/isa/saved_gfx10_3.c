// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gfx10.3: what an instruction does to the state of saved_state.h. The instructions are those with
 * which LLVM saves registers (SIFrameLowering.cpp, SIRegisterInfo.cpp of LLVM 19):
 *
 *	s_mov_b32 s6, s33			to another SGPR
 *	s_xor_saveexec_b32 s4, -1		lanes that the caller does not expect to change
 *	buffer_store_dword v7, off, s[0:3], s33 offset:12
 *	v_writelane_b32 v7, s30, 0		to a lane of a VGPR
 *	s_addk_i32 s32, 0x400			the stack pointer, times the number of lanes
 *
 * All other instructions change the registers that adbgd_writes_gfx10_3() finds to unknown values.
 * Encodings and opcodes are those of the RDNA 2 ISA document, chapter "Microcode formats".
 */
#include "saved_state.h"

#include <string.h>

#define LITERAL		255

#define SDST(w)		((w) >> 16 & 0x7f)
#define SSRC0(w)	((w) & 0xff)
#define SSRC1(w)	((w) >> 8 & 0xff)

/* Operations on masks */
enum logic { AND, OR, XOR, ANDN2, NO_LOGIC };

struct change {
	struct adbgd_saved_state *state;
	const struct adbgd_saved_state *before;
	uint64_t pc;
	const uint32_t *insn;
	size_t num;
	uint32_t lanes;
};

static const struct adbgd_known nothing = { .kind = ADBGD_KNOWN_NOTHING };

static struct adbgd_known constant(uint32_t number)
{
	return (struct adbgd_known){ .kind = ADBGD_KNOWN_CONST, .number = number };
}

/* A scalar operand; @half: 1 for the upper half of a 64-bit one */
static struct adbgd_known source(const struct change *c, uint32_t operand, unsigned int half)
{
	if (operand < ADBGD_NUM_S)
		return operand + half < ADBGD_NUM_S ? c->before->s[operand + half] : nothing;
	if (operand >= 128 && operand <= 192)
		return constant(half ? 0 : operand - 128);
	if (operand >= 193 && operand <= 208)
		return constant(half ? UINT32_MAX : 192 - operand);
	if (operand == LITERAL && c->num > 1)
		return constant(half ? 0 : c->insn[1]);
	return nothing;
}

static void set(struct change *c, uint32_t to, struct adbgd_known value)
{
	if (to < ADBGD_NUM_S)
		c->state->s[to] = value;
}

/* ------------------------------------------------------------------------ masks */

static bool is_exec(const struct adbgd_known *k)
{
	return k->kind == ADBGD_KNOWN_ENTRY && k->reg >= ADBGD_S_EXEC && !k->number;
}

static bool is_const(const struct adbgd_known *k, uint32_t number)
{
	return k->kind == ADBGD_KNOWN_CONST && k->number == number;
}

/* Is it a mask of lanes that were active on entry? */
static bool is_mask(const struct adbgd_known *k)
{
	return is_exec(k) || k->kind == ADBGD_KNOWN_MASK || is_const(k, 0);
}

static struct adbgd_known mask_of(const struct adbgd_known *a, const struct adbgd_known *b)
{
	const struct adbgd_known *k = is_const(a, 0) ? b : a;

	if (is_const(k, 0))
		return *k;
	return (struct adbgd_known){ .kind = ADBGD_KNOWN_MASK, .reg = k->reg };
}

/* Are both masks of lanes of the same half of EXEC? */
static bool are_masks(const struct adbgd_known *a, const struct adbgd_known *b)
{
	return is_mask(a) && is_mask(b) && (is_const(a, 0) || is_const(b, 0) || a->reg == b->reg);
}

static struct adbgd_known or_of(const struct adbgd_known *a, const struct adbgd_known *b)
{
	if (is_const(a, UINT32_MAX) || is_const(b, UINT32_MAX))
		return constant(UINT32_MAX);
	if (is_const(a, 0) || (is_exec(b) && are_masks(a, b)))
		return *b;
	if (is_const(b, 0) || (is_exec(a) && are_masks(a, b)))
		return *a;
	return are_masks(a, b) ? mask_of(a, b) : nothing;
}

static struct adbgd_known xor_of(const struct adbgd_known *a, const struct adbgd_known *b)
{
	const struct adbgd_known *other = is_const(a, UINT32_MAX) ? b : a;

	if (are_masks(a, b))
		return mask_of(a, b);
	if (!is_const(a, UINT32_MAX) && !is_const(b, UINT32_MAX))
		return nothing;
	if (is_exec(other))
		return (struct adbgd_known){ .kind = ADBGD_KNOWN_INVERTED, .reg = other->reg };
	if (other->kind == ADBGD_KNOWN_INVERTED)
		return (struct adbgd_known){ .kind = ADBGD_KNOWN_ENTRY, .reg = other->reg };
	return nothing;
}

static struct adbgd_known combine(enum logic how, struct adbgd_known a, struct adbgd_known b)
{
	switch (how) {
	case AND:
		if (is_const(&a, UINT32_MAX))
			return b;
		if (is_const(&b, UINT32_MAX))
			return a;
		if (is_mask(&a))
			return mask_of(&a, &a);
		return is_mask(&b) ? mask_of(&b, &b) : nothing;
	case OR:
		return or_of(&a, &b);
	case XOR:
		return xor_of(&a, &b);
	case ANDN2:
		return is_mask(&a) ? mask_of(&a, &a) : nothing;
	default:
		return nothing;
	}
}

/* ---------------------------------------------------------------------- scalar */

static void save_exec(struct change *c, enum logic how, unsigned int halves)
{
	uint32_t w = c->insn[0];
	unsigned int i;

	/* Which of both results EXEC has is not defined. */
	if (SDST(w) >= ADBGD_S_EXEC)
		return;
	for (i = 0; i < halves; i++) {
		struct adbgd_known exec = c->before->s[ADBGD_S_EXEC + i];

		set(c, ADBGD_S_EXEC + i, combine(how, source(c, SSRC0(w), i), exec));
		set(c, SDST(w) + i, exec);
	}
}

static void sop1(struct change *c)
{
	uint32_t w = c->insn[0], op = w >> 8 & 0xff;
	uint64_t next = c->pc + 4 * c->num;

	switch (op) {
	case 3:		/* S_MOV_B32 */
		set(c, SDST(w), source(c, SSRC0(w), 0));
		break;
	case 4:		/* S_MOV_B64 */
		set(c, SDST(w), source(c, SSRC0(w), 0));
		set(c, SDST(w) + 1, source(c, SSRC0(w), 1));
		break;
	case 0x1f:	/* S_GETPC_B64 */
		set(c, SDST(w), constant(next));
		set(c, SDST(w) + 1, constant(next >> 32));
		break;
	case 0x24:	/* S_{AND,OR,XOR}_SAVEEXEC_B64 */
	case 0x25:
	case 0x26:
		save_exec(c, AND + op - 0x24, 2);
		break;
	case 0x3c:	/* S_{AND,OR,XOR}_SAVEEXEC_B32 */
	case 0x3d:
	case 0x3e:
		save_exec(c, AND + op - 0x3c, 1);
		break;
	}
}

/* Add to a stack pointer or to a constant. */
static struct adbgd_known add(struct adbgd_known a, struct adbgd_known b)
{
	if (b.kind != ADBGD_KNOWN_CONST) {
		struct adbgd_known t = a;

		a = b;
		b = t;
	}
	if (b.kind != ADBGD_KNOWN_CONST ||
	    (a.kind != ADBGD_KNOWN_CONST &&
	     !(a.kind == ADBGD_KNOWN_ENTRY && a.reg == ADBGD_S_STACK)))
		return nothing;
	a.number += b.number;
	return a;
}

static struct adbgd_known negative(struct adbgd_known k)
{
	return k.kind == ADBGD_KNOWN_CONST ? constant(-k.number) : nothing;
}

/* S_ADD_U32, S_ADDC_U32: as of an address that is relative to the PC */
static void add_carry(struct change *c, struct adbgd_known a, struct adbgd_known b, int8_t carry)
{
	uint64_t sum = (uint64_t)a.number + b.number + (carry > 0);

	set(c, SDST(c->insn[0]), nothing);
	if (a.kind != ADBGD_KNOWN_CONST || b.kind != ADBGD_KNOWN_CONST || carry < 0)
		return;
	set(c, SDST(c->insn[0]), constant(sum));
	c->state->scc = sum >> 32;
}

static void sop2(struct change *c)
{
	static const enum logic logics[] = { AND, OR, XOR, ANDN2 };
	uint32_t w = c->insn[0], op = w >> 23 & 0x7f;
	struct adbgd_known a = source(c, SSRC0(w), 0), b = source(c, SSRC1(w), 0);
	unsigned int i;

	switch (op) {
	case 0:		/* S_ADD_U32 */
		add_carry(c, a, b, 0);
		set(c, SDST(w), add(a, b));
		return;
	case 2:		/* S_ADD_I32 */
		set(c, SDST(w), add(a, b));
		return;
	case 1:		/* S_SUB_U32 */
	case 3:		/* S_SUB_I32 */
		set(c, SDST(w), add(a, negative(b)));
		return;
	case 4:
		add_carry(c, a, b, c->before->scc);
		return;
	}
	/* S_{AND,OR,XOR,ANDN2}_{B32,B64} */
	if (op < 0x0e || op > 0x15)
		return;
	for (i = 0; i <= (op & 1); i++)
		set(c, SDST(w) + i, combine(logics[(op - 0x0e) / 2], source(c, SSRC0(w), i),
					    source(c, SSRC1(w), i)));
}

static void sopk(struct change *c)
{
	uint32_t w = c->insn[0], op = w >> 23 & 0x1f, value = (int16_t)w;

	if (op == 0)		/* S_MOVK_I32 */
		set(c, SDST(w), constant(value));
	else if (op == 15)	/* S_ADDK_I32 */
		set(c, SDST(w), add(c->before->s[SDST(w)], constant(value)));
}

/* ---------------------------------------------------------------------- vector */

/* V_WRITELANE_B32: the VGPR is one for saved SGPRs, and no longer has its value in any lane. */
static void write_lane(struct change *c)
{
	uint32_t to = c->insn[0] & 0xff, from = c->insn[1] & 0x1ff;
	struct adbgd_known lane = source(c, c->insn[1] >> 9 & 0x1ff, 0);
	struct adbgd_saved_item item = {
		.at = to, .value = from < 256 ? source(c, from, 0) : nothing,
	};
	uint32_t i, kept = 0;

	c->state->v[to].lanes = 0;
	if (lane.kind != ADBGD_KNOWN_CONST) {
		adbgd_saved_forget_items(c->state, false, to);
		return;
	}
	item.lane = lane.number & (c->lanes - 1);
	for (i = 0; i < c->state->num_items; i++) {
		const struct adbgd_saved_item *other = &c->state->items[i];

		if (other->in_memory || other->at != item.at ||
		    (other->lane != item.lane && other->lane != ADBGD_EACH_LANE))
			c->state->items[kept++] = *other;
	}
	c->state->num_items = kept;
	if (item.value.kind != ADBGD_KNOWN_NOTHING)
		adbgd_saved_add_item(c->state, &item);
}

/* What is in a lane of a VGPR */
static struct adbgd_known read_lane(const struct change *c, uint32_t vgpr, uint32_t lane)
{
	uint32_t i;

	for (i = 0; i < c->before->num_items; i++) {
		const struct adbgd_saved_item *item = &c->before->items[i];

		if (!item->in_memory && !item->is_vgpr && item->at == (int32_t)vgpr &&
		    item->lane == lane)
			return item->value;
	}
	return nothing;
}

static void vop3(struct change *c)
{
	uint32_t w = c->insn[0], op = w >> 16 & 0x3ff, from = c->insn[1] & 0x1ff;
	struct adbgd_known lane;

	if (op == 0x360 && from >= 256) {	/* V_READLANE_B32 */
		lane = source(c, c->insn[1] >> 9 & 0x1ff, 0);
		if (lane.kind == ADBGD_KNOWN_CONST)
			set(c, w & 0xff, read_lane(c, from - 256, lane.number & (c->lanes - 1)));
	}
}

/*
 * V_MOV_B32 of an SGPR writes it to each active lane; V_READFIRSTLANE_B32 reads it, if the lanes
 * are the same.
 */
static void vop1(struct change *c)
{
	uint32_t w = c->insn[0], op = w >> 9 & 0xff, from = w & 0x1ff, to = w >> 17 & 0xff;
	struct adbgd_saved_item item = { .at = to, .lane = ADBGD_EACH_LANE };
	bool is_exact;

	if (adbgd_saved_exec(c->before, c->lanes, &is_exact) != ADBGD_LANES_ON || !is_exact)
		return;
	if (op == 2 && from >= 256) {
		set(c, to, read_lane(c, from - 256, ADBGD_EACH_LANE));
	} else if (op == 1 && from < 256) {
		item.value = source(c, from, 0);
		if (item.value.kind == ADBGD_KNOWN_ENTRY)
			adbgd_saved_add_item(c->state, &item);
	}
}

/* ---------------------------------------------------------------------- memory */

/* Does a store with the present EXEC write the lane? */
static bool writes_lane(const struct change *c, uint32_t lane)
{
	const struct adbgd_known *exec = &c->before->s[ADBGD_S_EXEC];
	bool is_exact;
	uint32_t mask = adbgd_saved_exec(c->before, c->lanes, &is_exact);

	if (lane == ADBGD_EACH_LANE)
		return is_exact && mask & ADBGD_LANES_ON;
	if (is_exact && mask == ADBGD_LANES_ALL)
		return true;
	exec += lane / 32;
	return exec->kind == ADBGD_KNOWN_CONST && exec->number >> lane % 32 & 1;
}

/*
 * Arguments and variables can also be in the memory of a frame, and be changed by pointers to them.
 * Values that a function has to restore are not.
 */
static bool is_restored(const struct adbgd_saved_item *item)
{
	if (item->is_vgpr)
		return item->vgpr.lanes & ADBGD_LANES_OFF || adbgd_keeps_vgpr(item->vgpr.reg);
	return item->lane != ADBGD_EACH_LANE || item->value.reg >= ADBGD_S_RETURN;
}

static void store(struct change *c, uint32_t vgpr, int32_t at)
{
	bool is_exact;
	uint32_t i, num, mask;
	struct adbgd_saved_item item;

	mask = adbgd_saved_exec(c->before, c->lanes, &is_exact);
	adbgd_saved_forget_items(c->state, true, at);
	num = c->state->num_items;
	for (i = 0; i < num; i++) {
		item = c->state->items[i];
		if (item.in_memory || item.at != (int32_t)vgpr || !writes_lane(c, item.lane))
			continue;
		item.in_memory = true;
		item.at = at;
		if (is_restored(&item))
			adbgd_saved_add_item(c->state, &item);
	}
	item = (struct adbgd_saved_item){
		.in_memory = true, .is_vgpr = true, .at = at, .vgpr = c->before->v[vgpr],
	};
	item.vgpr.lanes &= is_exact ? mask : 0;
	if (item.vgpr.lanes && is_restored(&item))
		adbgd_saved_add_item(c->state, &item);
}

/* The VGPR and its items were already forgotten, in the lanes that the load writes. */
static void load(struct change *c, uint32_t vgpr, int32_t at)
{
	struct adbgd_known_vgpr *v = &c->state->v[vgpr];
	const struct adbgd_saved_item *from;
	bool is_exact;
	uint32_t i, mask = adbgd_saved_exec(c->before, c->lanes, &is_exact);

	for (i = 0; i < c->before->num_items; i++) {
		struct adbgd_saved_item item = c->before->items[i];

		from = &c->before->items[i];
		if (!item.in_memory || item.at != at)
			continue;
		if (item.is_vgpr) {
			uint8_t lanes = is_exact ? from->vgpr.lanes & mask : 0;

			if (v->lanes && v->reg != from->vgpr.reg)
				continue;
			v->reg = from->vgpr.reg;
			v->lanes |= lanes;
		} else if (writes_lane(c, item.lane)) {
			item.in_memory = false;
			item.at = vgpr;
			adbgd_saved_add_item(c->state, &item);
		}
	}
}

/* VGPRs that BUFFER_STORE_DWORD* and BUFFER_LOAD_DWORD* access; 0: another instruction */
static unsigned int access_count(uint32_t op, bool *stores)
{
	static const uint8_t counts[] = { 1, 2, 4, 3 };

	*stores = op >= 0x1c;
	if ((op >= 0x0c && op <= 0x0f) || (op >= 0x1c && op <= 0x1f))
		return counts[op & 3];
	return 0;
}

/* MUBUF: only what is at a fixed distance from the stack pointer on entry is known. */
static void buffer(struct change *c)
{
	uint32_t w = c->insn[0], second = c->insn[1], vgpr = second >> 8 & 0xff;
	struct adbgd_known base = source(c, second >> 24, 0);
	bool stores, is_indexed = w & (1 << 12 | 1 << 13);
	unsigned int i, count = access_count(w >> 18 & 0x7f, &stores);
	int32_t at;

	if (base.kind != ADBGD_KNOWN_ENTRY || base.reg != ADBGD_S_STACK || is_indexed)
		return;
	at = (int32_t)base.number / (int32_t)c->lanes + (w & 0xfff);
	/* Dwords of lanes alternate: where more than one of a lane are is not defined. */
	for (i = 0; count > 1 && stores && i < count; i++)
		adbgd_saved_forget_items(c->state, true, at + 4 * i);
	if (count == 1 && stores)
		store(c, vgpr, at);
	else if (count == 1)
		load(c, vgpr, at);
}

/* Forget what the instruction writes. */
static void forget(struct change *c)
{
	struct adbgd_writes writes;
	unsigned int i, r;
	bool is_exact;
	uint32_t lanes = adbgd_saved_exec(c->before, c->lanes, &is_exact);

	adbgd_writes_gfx10_3(c->insn, c->lanes, &writes);
	for (r = 0; r < 2; r++) {
		for (i = 0; i < writes.scalar[r].count; i++)
			c->state->s[writes.scalar[r].first + i] = nothing;
		/* The result of a comparison is 0 in inactive lanes. */
		for (i = 0; writes.is_mask && i < writes.scalar[r].count && i < 2; i++) {
			if (is_mask(&c->before->s[ADBGD_S_EXEC + i]))
				set(c, writes.scalar[r].first + i,
				    mask_of(&c->before->s[ADBGD_S_EXEC + i],
					    &c->before->s[ADBGD_S_EXEC + i]));
		}
		for (i = 0; i < writes.vector[r].count; i++) {
			c->state->v[writes.vector[r].first + i].lanes &= ~lanes;
			adbgd_saved_forget_items(c->state, false, writes.vector[r].first + i);
		}
	}
	if (writes.scc)
		c->state->scc = -1;
}

void adbgd_saved_apply_gfx10_3(struct adbgd_saved_state *state, uint64_t pc,
			       const uint32_t *insn, size_t num, uint32_t lanes)
{
	const struct adbgd_saved_state before = *state;
	struct change c = {
		.state = state, .before = &before, .pc = pc, .insn = insn, .num = num,
		.lanes = lanes,
	};

	/* V_WRITELANE_B32 leaves the other lanes as they are. */
	if (insn[0] >> 26 == 0x35 && (insn[0] >> 16 & 0x3ff) == 0x361) {
		write_lane(&c);
		return;
	}
	forget(&c);
	if (insn[0] >> 25 == 0x3f)
		vop1(&c);
	else if (insn[0] >> 26 == 0x35)
		vop3(&c);
	else if (insn[0] >> 26 == 0x38)
		buffer(&c);
	else if (insn[0] >> 23 == 0x17d)
		sop1(&c);
	else if (insn[0] >> 28 == 0xb && insn[0] >> 23 < 0x17d)
		sopk(&c);
	else if (insn[0] >> 30 == 2 && insn[0] >> 23 < 0x17d)
		sop2(&c);
}
