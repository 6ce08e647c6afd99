// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The state before an instruction, see saved_state.h. Instructions of one path change it; where
 * paths meet, only what holds on all of them is kept.
 */
#include "saved_state.h"

#include <string.h>

void adbgd_saved_begin(struct adbgd_saved_state *state)
{
	unsigned int i;

	memset(state, 0, sizeof(*state));
	state->scc = -1;
	for (i = 0; i < ADBGD_NUM_S; i++)
		state->s[i] = (struct adbgd_known){ .kind = ADBGD_KNOWN_ENTRY, .reg = i };
	for (i = 0; i < ADBGD_NUM_V; i++)
		state->v[i] = (struct adbgd_known_vgpr){ .reg = i, .lanes = ADBGD_LANES_ALL };
}

static bool is_equal(const struct adbgd_known *a, const struct adbgd_known *b)
{
	return a->kind == b->kind && a->reg == b->reg && a->number == b->number;
}

/* Is the value a mask of lanes that were active on entry? @half: set to the half of EXEC */
static bool is_mask(const struct adbgd_known *k, uint8_t *half)
{
	bool is_exec = k->kind == ADBGD_KNOWN_ENTRY && k->reg >= ADBGD_S_EXEC && !k->number;

	*half = k->reg;
	return is_exec || k->kind == ADBGD_KNOWN_MASK;
}

static bool is_zero(const struct adbgd_known *k)
{
	return k->kind == ADBGD_KNOWN_CONST && !k->number;
}

static struct adbgd_known join_value(const struct adbgd_known *a, const struct adbgd_known *b)
{
	const struct adbgd_known nothing = { .kind = ADBGD_KNOWN_NOTHING };
	uint8_t half_a, half_b;
	bool mask_a, mask_b;

	if (is_equal(a, b))
		return *a;
	mask_a = is_mask(a, &half_a);
	mask_b = is_mask(b, &half_b);
	if (!mask_a && !mask_b)
		return nothing;
	if ((!mask_a && !is_zero(a)) || (!mask_b && !is_zero(b)) ||
	    (mask_a && mask_b && half_a != half_b))
		return nothing;
	return (struct adbgd_known){
		.kind = ADBGD_KNOWN_MASK, .reg = mask_a ? half_a : half_b,
	};
}

static bool is_same_place(const struct adbgd_saved_item *a, const struct adbgd_saved_item *b)
{
	return a->in_memory == b->in_memory && a->at == b->at && a->is_vgpr == b->is_vgpr &&
	       (a->is_vgpr || a->lane == b->lane);
}

/* Keep of @to what also holds in @from; returns false if this is nothing. */
static bool join_item(struct adbgd_saved_item *to, const struct adbgd_saved_item *from)
{
	if (to->is_vgpr) {
		to->vgpr.lanes &= to->vgpr.reg == from->vgpr.reg ? from->vgpr.lanes : 0;
		return to->vgpr.lanes;
	}
	to->value = join_value(&to->value, &from->value);
	return to->value.kind != ADBGD_KNOWN_NOTHING;
}

static bool join_items(struct adbgd_saved_state *to, const struct adbgd_saved_state *from)
{
	uint32_t i, j, kept = 0, before = to->num_items;
	struct adbgd_saved_item item;
	bool changed = false;

	for (i = 0; i < before; i++) {
		item = to->items[i];
		for (j = 0; j < from->num_items; j++) {
			if (is_same_place(&item, &from->items[j]))
				break;
		}
		if (j == from->num_items || !join_item(&item, &from->items[j]))
			continue;
		changed |= item.is_vgpr ? item.vgpr.lanes != to->items[i].vgpr.lanes :
					  !is_equal(&item.value, &to->items[i].value);
		to->items[kept++] = item;
	}
	to->num_items = kept;
	return changed || kept != before;
}

bool adbgd_saved_join(struct adbgd_saved_state *to, const struct adbgd_saved_state *from)
{
	bool changed = join_items(to, from);
	struct adbgd_known value;
	unsigned int i;
	uint8_t lanes;

	for (i = 0; i < ADBGD_NUM_S; i++) {
		value = join_value(&to->s[i], &from->s[i]);
		changed |= !is_equal(&value, &to->s[i]);
		to->s[i] = value;
	}
	for (i = 0; i < ADBGD_NUM_V; i++) {
		lanes = to->v[i].reg == from->v[i].reg ? to->v[i].lanes & from->v[i].lanes : 0;
		changed |= lanes != to->v[i].lanes;
		to->v[i].lanes = lanes;
	}
	if (to->scc >= 0 && to->scc != from->scc) {
		to->scc = -1;
		changed = true;
	}
	return changed;
}

void adbgd_saved_forget_items(struct adbgd_saved_state *state, bool in_memory, int32_t at)
{
	uint32_t i, kept = 0;

	for (i = 0; i < state->num_items; i++) {
		int32_t other = state->items[i].at;
		bool is_same = in_memory ? other < at + 4 && at < other + 4 : other == at;

		if (state->items[i].in_memory != in_memory || !is_same)
			state->items[kept++] = state->items[i];
	}
	state->num_items = kept;
}

void adbgd_saved_add_item(struct adbgd_saved_state *state, const struct adbgd_saved_item *item)
{
	if (state->num_items < ADBGD_MAX_SAVED_ITEMS)
		state->items[state->num_items++] = *item;
}

static uint32_t affected(const struct adbgd_known *k, uint8_t half, bool *is_exact)
{
	*is_exact = true;
	if (k->kind == ADBGD_KNOWN_ENTRY && k->reg == half && !k->number)
		return ADBGD_LANES_ON;
	if (k->kind == ADBGD_KNOWN_INVERTED && k->reg == half)
		return ADBGD_LANES_OFF;
	if (k->kind == ADBGD_KNOWN_CONST && (k->number == UINT32_MAX || !k->number))
		return k->number ? ADBGD_LANES_ALL : 0;
	*is_exact = false;
	return k->kind == ADBGD_KNOWN_MASK && k->reg == half ? ADBGD_LANES_ON : ADBGD_LANES_ALL;
}

uint32_t adbgd_saved_exec(const struct adbgd_saved_state *state, uint32_t lanes, bool *is_exact)
{
	uint32_t low = affected(&state->s[ADBGD_S_EXEC], ADBGD_S_EXEC, is_exact), high;
	bool is_high_exact;

	if (lanes == 32)
		return low;
	high = affected(&state->s[ADBGD_S_EXEC + 1], ADBGD_S_EXEC + 1, &is_high_exact);
	*is_exact &= is_high_exact && low == high;
	return low | high;
}

/* ----------------------------------------------------------------------- places */

static bool has_entry(const struct adbgd_known *k, uint32_t number)
{
	return k->kind == ADBGD_KNOWN_ENTRY && k->reg == number;
}

/* Places are numbered: the register itself, all registers, all items. */
static bool sgpr_at(const struct adbgd_saved_state *state, uint32_t number, uint32_t i,
		    struct adbgd_saved_place *place)
{
	const struct adbgd_saved_item *item;
	uint32_t at = i ? i - 1 : number;

	if (i <= ADBGD_NUM_S) {
		*place = (struct adbgd_saved_place){
			.where = ADBGD_SAVED_IN_SGPR, .number = at, .plus = state->s[at].number,
		};
		return has_entry(&state->s[at], number);
	}
	item = &state->items[i - ADBGD_NUM_S - 1];
	*place = (struct adbgd_saved_place){
		.where = item->in_memory ? ADBGD_SAVED_IN_MEMORY : ADBGD_SAVED_IN_LANE,
		.number = item->in_memory ? 0 : item->at, .lane = item->lane,
		.at = item->at, .plus = item->value.number,
	};
	return !item->is_vgpr && has_entry(&item->value, number);
}

static bool vgpr_at(const struct adbgd_saved_state *state, uint32_t number, uint32_t lanes,
		    uint32_t i, struct adbgd_saved_place *place)
{
	const struct adbgd_saved_item *item;
	uint32_t at = i ? i - 1 : number;

	if (i <= ADBGD_NUM_V) {
		*place = (struct adbgd_saved_place){ .where = ADBGD_SAVED_IN_VGPR, .number = at };
		return state->v[at].reg == number && !(lanes & ~state->v[at].lanes);
	}
	item = &state->items[i - ADBGD_NUM_V - 1];
	*place = (struct adbgd_saved_place){ .where = ADBGD_SAVED_IN_MEMORY, .at = item->at };
	return item->is_vgpr && item->vgpr.reg == number && !(lanes & ~item->vgpr.lanes);
}

bool adbgd_saved_sgpr(const struct adbgd_saved_state *state, uint32_t number, uint32_t *next,
		      struct adbgd_saved_place *place)
{
	while (*next <= ADBGD_NUM_S + state->num_items) {
		if (sgpr_at(state, number, (*next)++, place))
			return true;
	}
	return false;
}

bool adbgd_saved_vgpr(const struct adbgd_saved_state *state, uint32_t number, uint32_t lanes,
		      uint32_t *next, struct adbgd_saved_place *place)
{
	while (*next <= ADBGD_NUM_V + state->num_items) {
		if (vgpr_at(state, number, lanes, (*next)++, place))
			return true;
	}
	return false;
}
