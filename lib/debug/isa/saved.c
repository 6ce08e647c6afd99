// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Following the instructions of a function, with the state of saved_state.h. The state is kept at
 * the beginning of the function and at each target of a branch, where paths meet; a path is
 * followed again when the state at its beginning has changed.
 *
 * A call changes the registers that the callee does not restore, which is found by following the
 * callee. Where it is not known, they are those of the calling convention (AMDGPUUsage, LLVM 19:
 * "Non-Kernel Functions").
 */
#include "saved.h"

#include <errno.h>
#include <stdlib.h>

#include "flow.h"
#include "internal.h"

#define MAX_DEPTH	16
#define MAX_LEADERS	32768
/* Each has some KiB. */
#define MAX_STATES	4096
#define MAX_CALLEES	1024
/* Instructions that are followed in all functions, again and again */
#define MAX_STEPS	(1U << 19)
/* Joining the items of two states compares each with each; an instruction is so many of these. */
#define ITEMS_OF_STEP	64

/* What a function leaves as it was when it was called */
struct adbgd_saved_callee {
	uint64_t entry;
	bool is_known;		/* else it is being followed, or cannot be */
	bool sgprs[ADBGD_NUM_S];
	uint8_t vgprs[ADBGD_NUM_V];	/* ADBGD_LANES_* */
};

/* Where a path begins */
struct leader {
	uint64_t pc;
	struct adbgd_saved_state *state;	/* NULL: not reached */
	bool is_waiting;
};

struct pass {
	struct adbgd_saved_walk *walk;
	struct adbgd_flow_walk flow;
	const struct adbgd_saved_point *point;	/* NULL: only the end is needed */
	struct leader *leaders;
	size_t num_leaders, room;
	size_t *waiting;
	size_t num_waiting;
	struct adbgd_saved_state *at_point, *at_end;	/* owned by the caller */
	bool has_point, has_end, has_other_end;
	struct adbgd_saved_function *function;	/* NULL if @point is */
	bool has_callee, has_other_callee;
};

/* ------------------------------------------------------------------------ leaders */

static int spend(struct pass *p)
{
	if (++p->walk->steps > MAX_STEPS)
		return -E2BIG;
	return p->walk->steps % 256 || !p->walk->spend ? 0 : p->walk->spend(p->walk->data, 256);
}

static int add_leader(struct pass *p, uint64_t pc)
{
	struct leader *leaders;

	if (p->num_leaders >= 2 * MAX_LEADERS)
		return -E2BIG;
	leaders = adbgd_grow(p->leaders, p->num_leaders, &p->room, sizeof(*leaders));
	if (!leaders)
		return -ENOMEM;
	p->leaders = leaders;
	leaders[p->num_leaders++] = (struct leader){ .pc = pc };
	return 0;
}

static uint64_t target_of(const struct adbgd_flow_insn *insn)
{
	return insn->pc + 4 * (insn->num + (int64_t)insn->next_pc.offset);
}

static bool is_call(const struct adbgd_flow_insn *insn)
{
	return insn->next_pc.has_return && (insn->next_pc.kind == ADBGD_NEXT_PC_REG ||
					    insn->next_pc.kind == ADBGD_NEXT_PC_JUMP);
}

static int note_target(void *arg, const struct adbgd_flow_insn *insn)
{
	struct pass *p = arg;
	int ret = spend(p);

	if (ret)
		return ret;
	if (insn->next_pc.kind == ADBGD_NEXT_PC_BRANCH ||
	    (insn->next_pc.kind == ADBGD_NEXT_PC_JUMP && !insn->next_pc.has_return))
		return add_leader(p, target_of(insn));
	return 0;
}

static int compare_pc(const void *a, const void *b)
{
	const struct leader *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static int find_leaders(struct pass *p, uint64_t entry)
{
	size_t i, kept = 0;
	int ret = add_leader(p, entry);

	if (ret)
		return ret;
	p->flow.visit = note_target;
	p->flow.arg = p;
	ret = adbgd_flow_follow(&p->flow, entry);
	/* A part of the function may be far away, or its memory not readable. */
	if (ret == -ENOMEM || ret == -EINTR)
		return ret;
	qsort(p->leaders, p->num_leaders, sizeof(*p->leaders), compare_pc);
	for (i = 0; i < p->num_leaders; i++) {
		if (!i || p->leaders[i].pc != p->leaders[kept - 1].pc)
			p->leaders[kept++] = p->leaders[i];
	}
	p->num_leaders = kept;
	if (kept > MAX_LEADERS)
		return -E2BIG;
	p->waiting = calloc(kept, sizeof(*p->waiting));
	return p->waiting ? 0 : -ENOMEM;
}

static struct leader *leader_at(struct pass *p, uint64_t pc)
{
	const struct leader key = { .pc = pc };

	return bsearch(&key, p->leaders, p->num_leaders, sizeof(key), compare_pc);
}

/* A path with this state leads to the leader. */
static int reach(struct pass *p, struct leader *to, const struct adbgd_saved_state *state)
{
	bool changed = !to->state;

	if (!to->state) {
		if (p->walk->num_states >= MAX_STATES)
			return -E2BIG;
		to->state = malloc(sizeof(*state));
		if (!to->state)
			return -ENOMEM;
		p->walk->num_states++;
		*to->state = *state;
	} else {
		p->walk->steps += to->state->num_items * state->num_items / ITEMS_OF_STEP;
		changed = adbgd_saved_join(to->state, state);
	}
	if (changed && !to->is_waiting) {
		to->is_waiting = true;
		p->waiting[p->num_waiting++] = to - p->leaders;
	}
	return 0;
}

static void meet(struct adbgd_saved_state *at, bool *has, const struct adbgd_saved_state *state)
{
	if (*has)
		adbgd_saved_join(at, state);
	else
		*at = *state;
	*has = true;
}

/* -------------------------------------------------------------------------- calls */

/* Does a function leave an SGPR as it was? @callee: NULL: by convention */
static bool keeps(const struct adbgd_saved_callee *callee, uint32_t number)
{
	if (callee)
		return callee->sgprs[number];
	return number < 4 || (number >= 32 && number < ADBGD_S_VCC) || number >= ADBGD_S_EXEC;
}

/* In which lanes does a function leave a VGPR as it was? */
static uint32_t keeps_lanes(const struct adbgd_saved_callee *callee, uint32_t number)
{
	if (callee)
		return callee->vgprs[number];
	return adbgd_keeps_vgpr(number) ? ADBGD_LANES_ALL : 0;
}

static void return_from(struct adbgd_saved_state *state, const struct adbgd_saved_callee *callee,
			uint32_t lanes)
{
	const struct adbgd_known nothing = { .kind = ADBGD_KNOWN_NOTHING };
	bool is_exact;
	uint32_t i, kept, on = adbgd_saved_exec(state, lanes, &is_exact);
	/* The lanes that are inactive in the callee */
	uint32_t off = is_exact && on == ADBGD_LANES_ON ? ADBGD_LANES_OFF : ADBGD_LANES_ALL;

	for (i = 0; i < ADBGD_NUM_S; i++) {
		if (!keeps(callee, i))
			state->s[i] = nothing;
	}
	for (i = 0; i < ADBGD_NUM_V; i++) {
		kept = keeps_lanes(callee, i);
		if (kept == ADBGD_LANES_ALL)
			continue;
		state->v[i].lanes &= ~((kept & ADBGD_LANES_ON ? 0 : on) |
				       (kept & ADBGD_LANES_OFF ? 0 : off));
		adbgd_saved_forget_items(state, false, i);
	}
	state->scc = -1;
}

static int follow_function(struct pass *p, uint64_t entry);

static void pass_free(struct pass *p)
{
	size_t i;

	for (i = 0; i < p->num_leaders; i++) {
		p->walk->num_states -= p->leaders[i].state ? 1 : 0;
		free(p->leaders[i].state);
	}
	free(p->leaders);
	free(p->waiting);
	free(p->at_end);
	adbgd_flow_free(&p->flow);
}

static void note_end(struct adbgd_saved_callee *callee, const struct adbgd_saved_state *end)
{
	uint32_t i;

	for (i = 0; i < ADBGD_NUM_S; i++)
		callee->sgprs[i] = end->s[i].kind == ADBGD_KNOWN_ENTRY && end->s[i].reg == i &&
				   !end->s[i].number;
	for (i = 0; i < ADBGD_NUM_V; i++)
		callee->vgprs[i] = end->v[i].reg == i ? end->v[i].lanes : 0;
	callee->is_known = true;
}

static int follow_callee(struct adbgd_saved_walk *walk, struct adbgd_saved_callee *callee)
{
	struct pass p = { .walk = walk };
	int ret = -ENOMEM;

	p.at_end = malloc(sizeof(*p.at_end));
	walk->depth++;
	if (p.at_end)
		ret = follow_function(&p, callee->entry);
	walk->depth--;
	if (!ret && p.has_end && !p.has_other_end)
		note_end(callee, p.at_end);
	pass_free(&p);
	/* A function that cannot be read is not known. */
	return ret == -ENOMEM || ret == -EINTR ? ret : 0;
}

/* Set @callee to what is known of a function; NULL: nothing. */
static int find_callee(struct adbgd_saved_walk *walk, uint64_t entry,
		       const struct adbgd_saved_callee **callee)
{
	struct adbgd_saved_callee **list, *c;
	size_t i;
	int ret;

	*callee = NULL;
	for (i = 0; i < walk->num_callees; i++) {
		if (walk->callees[i]->entry == entry) {
			*callee = walk->callees[i]->is_known ? walk->callees[i] : NULL;
			return 0;
		}
	}
	if (walk->depth >= MAX_DEPTH || walk->num_callees >= MAX_CALLEES)
		return 0;
	list = adbgd_grow(walk->callees, walk->num_callees, &walk->room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	walk->callees = list;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->entry = entry;
	list[walk->num_callees++] = c;
	ret = follow_callee(walk, c);
	*callee = c->is_known ? c : NULL;
	return ret;
}

static bool address_of(const struct adbgd_saved_state *state, uint32_t reg, uint64_t *address)
{
	const struct adbgd_known *low = &state->s[reg % ADBGD_NUM_S];
	const struct adbgd_known *high = &state->s[(reg + 1) % ADBGD_NUM_S];

	*address = (uint64_t)high->number << 32 | low->number;
	return low->kind == ADBGD_KNOWN_CONST && high->kind == ADBGD_KNOWN_CONST;
}

static int leave_to(struct pass *p, struct adbgd_saved_state *state, bool is_known, uint64_t entry)
{
	const struct adbgd_saved_callee *callee = NULL;
	int ret = is_known ? find_callee(p->walk, entry, &callee) : 0;

	if (!ret)
		return_from(state, callee, p->walk->lanes);
	return ret;
}

static void note_callee(struct pass *p, bool is_known, uint64_t to)
{
	p->has_other_callee |= !is_known || (p->has_callee && p->function->callee != to);
	p->has_callee = true;
	p->function->callee = to;
	p->function->calls = !p->has_other_callee;
}

static int call(struct pass *p, const struct adbgd_flow_insn *insn,
		struct adbgd_saved_state *state)
{
	uint64_t next = insn->pc + 4 * insn->num, to = target_of(insn);
	bool is_known = true;
	uint32_t reg = insn->next_pc.return_reg;

	if (insn->next_pc.kind == ADBGD_NEXT_PC_REG)
		is_known = address_of(state, insn->next_pc.reg, &to);
	if (reg + 1 < ADBGD_NUM_S) {
		state->s[reg] = (struct adbgd_known){
			.kind = ADBGD_KNOWN_CONST, .number = next,
		};
		state->s[reg + 1] = (struct adbgd_known){
			.kind = ADBGD_KNOWN_CONST, .number = next >> 32,
		};
	}
	if (p->point && p->point->is_return && p->point->pc == next) {
		meet(p->at_point, &p->has_point, state);
		note_callee(p, is_known, to);
	}
	return leave_to(p, state, is_known, to);
}

/* s_setpc_b64: a return, or a call whose return is also that of this function */
static int leave(struct pass *p, const struct adbgd_flow_insn *insn,
		 struct adbgd_saved_state *state)
{
	uint32_t reg = insn->next_pc.reg % ADBGD_NUM_S;
	const struct adbgd_known *low = &state->s[reg], *high = &state->s[(reg + 1) % ADBGD_NUM_S];
	uint64_t to;
	int ret = 0;

	if (address_of(state, reg, &to)) {
		ret = p->at_end ? leave_to(p, state, true, to) : 0;
	} else if (low->kind != ADBGD_KNOWN_ENTRY || high->kind != ADBGD_KNOWN_ENTRY ||
		   low->number || high->number || high->reg != low->reg + 1) {
		p->has_other_end = true;
		return 0;
	} else if (p->function) {
		p->function->return_reg = low->reg;
	}
	if (!ret && p->at_end)
		meet(p->at_end, &p->has_end, state);
	return ret;
}

/* -------------------------------------------------------------------------- paths */

/* Return: 1 to continue with the next instruction; 0 the path ends; -errno. */
static int execute(struct pass *p, const struct adbgd_flow_insn *insn,
		   struct adbgd_saved_state *state)
{
	const struct adbgd_next_pc *next_pc = &insn->next_pc;
	struct leader *to;
	int ret;

	if (p->point && !p->point->is_return && p->point->pc == insn->pc)
		meet(p->at_point, &p->has_point, state);
	if (next_pc->ends)
		return 0;
	if (is_call(insn)) {
		ret = call(p, insn, state);
		return ret ? ret : 1;
	}
	if (next_pc->kind == ADBGD_NEXT_PC_REG)
		return leave(p, insn, state);
	adbgd_saved_apply_gfx10_3(state, insn->pc, insn->insn, insn->num, p->walk->lanes);
	if (next_pc->kind != ADBGD_NEXT_PC_BRANCH && next_pc->kind != ADBGD_NEXT_PC_JUMP)
		return 1;
	to = leader_at(p, target_of(insn));
	ret = to ? reach(p, to, state) : 0;
	if (ret)
		return ret;
	return next_pc->kind == ADBGD_NEXT_PC_BRANCH;
}

static int follow_path(struct pass *p, const struct leader *from)
{
	struct adbgd_saved_state state = *from->state;
	struct adbgd_flow_insn insn;
	uint64_t pc = from->pc;
	struct leader *to;
	int ret;

	do {
		ret = spend(p);
		if (ret)
			return ret;
		ret = adbgd_flow_read(&p->flow, pc, &insn);
		/* What cannot be read ends the path. */
		if (ret <= 0)
			return ret == -ENOMEM || ret == -EINTR ? ret : 0;
		ret = execute(p, &insn, &state);
		if (ret <= 0)
			return ret;
		pc += 4 * insn.num;
		to = leader_at(p, pc);
	} while (!to);
	return reach(p, to, &state);
}

static int follow_function(struct pass *p, uint64_t entry)
{
	struct adbgd_saved_state *begin = malloc(sizeof(*begin));
	struct leader *first;
	int ret;

	if (!begin)
		return -ENOMEM;
	adbgd_saved_begin(begin);
	ret = adbgd_flow_begin(&p->flow, &p->walk->memory, p->walk->gc_version, entry);
	if (!ret)
		ret = find_leaders(p, entry);
	first = ret ? NULL : leader_at(p, entry);
	if (first)
		ret = reach(p, first, begin);
	free(begin);
	while (!ret && p->num_waiting) {
		struct leader *next = &p->leaders[p->waiting[--p->num_waiting]];

		next->is_waiting = false;
		ret = follow_path(p, next);
	}
	return ret;
}

int adbgd_saved_find(struct adbgd_saved_walk *walk, const struct adbgd_saved_point *point,
		     struct adbgd_saved_state *state, struct adbgd_saved_function *function)
{
	struct pass p = {
		.walk = walk, .point = point, .at_point = state, .function = function,
	};
	int ret;

	/* So far the instructions of this generation only */
	if (ADBG_GC_MAJOR(walk->gc_version) != 10 || ADBG_GC_MINOR(walk->gc_version) != 3)
		return -EOPNOTSUPP;
	*function = (struct adbgd_saved_function){ .return_reg = ADBGD_S_RETURN };
	ret = follow_function(&p, point->entry);
	pass_free(&p);
	return ret ? ret : p.has_point;
}

int adbgd_saved_forget_callers(struct adbgd_saved_walk *walk, struct adbgd_saved_state *state,
			       const uint64_t *called)
{
	const struct adbgd_saved_callee *callee = NULL;
	uint32_t i, kept = 0;
	int ret = called ? find_callee(walk, *called, &callee) : 0;

	if (ret)
		return ret;
	for (i = 0; i < ADBGD_NUM_S; i++) {
		if (state->s[i].kind == ADBGD_KNOWN_ENTRY && !keeps(callee, state->s[i].reg))
			state->s[i].kind = ADBGD_KNOWN_NOTHING;
	}
	for (i = 0; i < ADBGD_NUM_V; i++)
		state->v[i].lanes &= keeps_lanes(callee, state->v[i].reg);
	for (i = 0; i < state->num_items; i++) {
		struct adbgd_saved_item *item = &state->items[i];

		if (item->is_vgpr)
			item->vgpr.lanes &= keeps_lanes(callee, item->vgpr.reg);
		if (item->is_vgpr ? item->vgpr.lanes != 0 :
				    item->value.kind != ADBGD_KNOWN_ENTRY ||
				    keeps(callee, item->value.reg))
			state->items[kept++] = *item;
	}
	state->num_items = kept;
	return 0;
}

void adbgd_saved_end(struct adbgd_saved_walk *walk)
{
	size_t i;

	for (i = 0; i < walk->num_callees; i++)
		free(walk->callees[i]);
	free(walk->callees);
	walk->callees = NULL;
	walk->num_callees = 0;
}
