// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds what the steps of a trace changed: see changes.h.
 */
#include "debug/changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/regs.h"

struct walk {
	const struct adbgd_trace *trace;	/* positioned after the step */
	const uint32_t *before;			/* all registers before the step */
	change_visit *visit;
	void *data;
};

/* The registers of one space now, and before the step */
static const uint32_t *both(const struct walk *k, uint32_t space, uint32_t lane,
			    const uint32_t **before, uint32_t *count)
{
	const uint32_t *now = adbgd_trace_get_regs(k->trace, space, lane, count);

	if (now)
		*before = k->before + (now - adbgd_trace_get_all_regs(k->trace));
	return now;
}

static void visit_scalars(const struct walk *k, uint32_t space)
{
	const uint32_t *before = NULL, *now;
	uint32_t count;

	now = both(k, space, 0, &before, &count);
	for (uint32_t i = 0; i < count; i++) {
		struct change change = {
			.space = space, .number = i, .num_lanes = 1, .lanes = 1,
			.before = { before[i] }, .now = { now[i] },
		};

		if (before[i] != now[i])
			k->visit(k->data, &change);
	}
}

static void visit_vgpr(const struct walk *k, uint32_t number, uint32_t num_lanes)
{
	struct change change = {
		.space = AMDGPUDBG_REG_VGPR, .number = number, .num_lanes = num_lanes,
	};
	const uint32_t *before = NULL, *now;
	uint32_t count;

	for (uint32_t i = 0; i < num_lanes; i++) {
		now = both(k, AMDGPUDBG_REG_VGPR, i, &before, &count);
		change.before[i] = before[number];
		change.now[i] = now[number];
		change.lanes |= (uint64_t)(before[number] != now[number]) << i;
	}
	if (change.lanes)
		k->visit(k->data, &change);
}

void changes_visit(struct adbgd_trace *trace, uint64_t step, change_visit *visit, void *data)
{
	const struct adbgd_trace_info *info = adbgd_trace_get_info(trace);
	uint32_t *before = xcalloc(info->num_words + 1, sizeof(*before));
	const struct walk k = { trace, before, visit, data };

	if (!adbgd_trace_seek(trace, step - 1, NULL)) {
		memcpy(before, adbgd_trace_get_all_regs(trace),
		       info->num_words * sizeof(*before));
		if (!adbgd_trace_seek(trace, step, NULL)) {
			visit_scalars(&k, AMDGPUDBG_REG_HW);
			visit_scalars(&k, AMDGPUDBG_REG_SGPR);
			for (uint32_t i = 0; i < info->num_vgprs; i++)
				visit_vgpr(&k, i, info->lanes);
		}
	}
	free(before);
}

struct printed {
	struct emit *emit;
	uint32_t gc_version;
};

/* Hardware registers that are printed. Of STATUS, only SCC is. */
static bool is_shown(const struct printed *p, uint32_t number)
{
	static const char *const names[] = { "M0", "EXEC_LO", "EXEC_HI", "MODE", "TRAPSTS" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct adbg_reg *reg = adbg_reg_find(p->gc_version, names[i]);

		if (reg && reg->number == number)
			return true;
	}
	return false;
}

static void print_scc(const struct printed *p, const struct change *c)
{
	const struct adbg_reg *status = adbg_reg_find(p->gc_version, "STATUS");
	const struct adbg_field *scc = status ? adbg_reg_find_field(status, "SCC") : NULL;
	uint32_t before, now;

	if (!scc || status->number != c->number)
		return;
	before = adbg_field_value(scc, c->before[0]);
	now = adbg_field_value(scc, c->now[0]);
	if (before != now)
		emit_hex_change(p->emit, "scc", before, now);
}

/* The debugger sets DEBUG_EN for its own steps. */
static uint32_t without_debug(const struct printed *p, const struct change *c, uint32_t value)
{
	const struct adbg_reg *mode = adbg_reg_find(p->gc_version, "MODE");
	const struct adbg_field *field = mode ? adbg_reg_find_field(mode, "DEBUG_EN") : NULL;

	if (!field || c->space != AMDGPUDBG_REG_HW || mode->number != c->number)
		return value;
	return value & ~(1U << field->shift);
}

static void print(void *data, const struct change *c)
{
	const struct printed *p = data;
	char text[ADBG_REG_NAME_MAX];
	const char *name = reg_shown_name(p->gc_version, c->space, c->number, text);
	uint32_t before = without_debug(p, c, c->before[0]);
	uint32_t now = without_debug(p, c, c->now[0]);

	if (c->space == AMDGPUDBG_REG_VGPR)
		emit_lane_changes(p->emit, name, c->before, c->now, c->num_lanes, c->lanes);
	else if (c->space == AMDGPUDBG_REG_HW && !is_shown(p, c->number))
		print_scc(p, c);
	else if (before != now)
		emit_hex_change(p->emit, name, before, now);
}

void changes_emit(struct wavectl *w, struct adbgd_trace *trace, uint64_t step)
{
	struct printed p = { w->emit, adbgd_trace_get_info(trace)->gc_version };

	emit_members(w->emit, "changed");
	changes_visit(trace, step, print, &p);
	emit_members_end(w->emit);
}
