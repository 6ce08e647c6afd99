// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changes in a wave's registers: see changes.h.
 */
#include "changes.h"

#include "regs.h"
#include "util.h"

#define MAX_LANES 64

/* Hardware registers that instructions write; STATUS has more than that. */
static const char *const hw_names[] = { "M0", "EXEC_LO", "EXEC_HI", "MODE", "TRAPSTS" };

static void compare_scalars(struct changes *c, uint32_t space)
{
	uint32_t num, same;
	const uint32_t *x = adbg_wave_state_get(c->before, space, 0, &num);
	const uint32_t *y = adbg_wave_state_get(c->now, space, 0, &same);
	char name[ADBG_REG_NAME_MAX];

	for (uint32_t i = 0; i < num && i < same; i++)
		if (x[i] != y[i])
			emit_hex_change(c->w->emit, reg_shown_name(c->w, space, i, name),
					x[i], y[i]);
}

static void compare_hw(struct changes *c)
{
	uint32_t gc_version = adbg_session_get_gc_version(c->w->session), x, y;
	const struct adbg_reg *status = adbg_reg_find(gc_version, "STATUS");
	const struct adbg_field *scc = status ? adbg_reg_find_field(status, "SCC") : NULL;
	char name[ADBG_REG_NAME_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(hw_names); i++) {
		const struct adbg_reg *reg = adbg_reg_find(gc_version, hw_names[i]);

		if (!reg)
			continue;
		x = adbg_wave_state_get_hwreg(c->before, reg->number);
		y = adbg_wave_state_get_hwreg(c->now, reg->number);
		if (x != y)
			emit_hex_change(c->w->emit, reg_shown_name(c->w, reg->space,
								   reg->number, name),
					x, y);
	}
	if (!scc)
		return;
	x = adbg_field_value(scc, adbg_wave_state_get_hwreg(c->before, status->number));
	y = adbg_field_value(scc, adbg_wave_state_get_hwreg(c->now, status->number));
	if (x != y)
		emit_hex_change(c->w->emit, "scc", x, y);
}

static void compare_vgpr(struct changes *c, uint32_t reg)
{
	uint32_t lanes = adbg_wave_state_get_lanes(c->now), before[MAX_LANES], now[MAX_LANES];
	uint32_t count;
	char name[ADBG_REG_NAME_MAX];
	uint64_t changed = 0;

	for (uint32_t i = 0; i < lanes; i++) {
		before[i] = adbg_wave_state_get(c->before, AMDGPUDBG_REG_VGPR, i, &count)[reg];
		now[i] = adbg_wave_state_get(c->now, AMDGPUDBG_REG_VGPR, i, &count)[reg];
		changed |= (uint64_t)(before[i] != now[i]) << i;
	}
	if (changed)
		emit_lane_changes(c->w->emit, reg_shown_name(c->w, AMDGPUDBG_REG_VGPR, reg, name),
				  before, now, lanes, changed);
}

static void compare(struct changes *c)
{
	uint32_t num, same;

	compare_hw(c);
	compare_scalars(c, AMDGPUDBG_REG_SGPR);
	(void)adbg_wave_state_get(c->before, AMDGPUDBG_REG_VGPR, 0, &num);
	(void)adbg_wave_state_get(c->now, AMDGPUDBG_REG_VGPR, 0, &same);
	if (adbg_wave_state_get_lanes(c->before) != adbg_wave_state_get_lanes(c->now))
		return;
	for (uint32_t i = 0; i < num && i < same; i++)
		compare_vgpr(c, i);
}

int changes_begin(struct changes *c, struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	int ret;

	*c = (struct changes){ .w = w };
	ret = adbg_wave_state_new(&c->before);
	ret = ret ? ret : adbg_wave_state_new(&c->now);
	return ret ? ret : adbg_wave_state_read(c->before, w->session, wave);
}

void changes_end(struct changes *c)
{
	adbg_wave_state_free(c->before);
	adbg_wave_state_free(c->now);
}

int changes_emit(struct changes *c, const struct amdgpudbg_wave *wave)
{
	struct adbg_wave_state *before = c->before;
	int ret = adbg_wave_state_read(c->now, c->w->session, wave);

	emit_members(c->w->emit, "changed");
	if (!ret)
		compare(c);
	emit_members_end(c->w->emit);
	c->before = c->now;
	c->now = before;
	return ret;
}

void changes_emit_none(struct changes *c)
{
	emit_members(c->w->emit, "changed");
	emit_members_end(c->w->emit);
}
