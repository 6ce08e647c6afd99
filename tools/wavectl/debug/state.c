// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All registers of a wave: see state.h.
 */
#include <stdio.h>

#include "base/util.h"
#include "debug/state.h"
#include "waves/regs.h"

#define PER_LINE 8
#define MAX_LANES 64

/* Registers of a state, or of a trace, which has no TTMPs */
struct view {
	uint32_t gc_version;
	uint32_t lanes;
	const struct adbg_wave_state *state;
	const struct adbgd_trace *trace;	/* NULL: @state's */
};

static const uint32_t *get(const struct view *v, uint32_t space, uint32_t lane, uint32_t *count)
{
	return v->trace ? adbgd_trace_get_regs(v->trace, space, lane, count) :
			  adbg_wave_state_get(v->state, space, lane, count);
}

/* Print SGPRs or TTMPs as @prefix0 and so on, in JSON below @key. */
static void emit_scalars(struct wavectl *w, const struct view *v, uint32_t space,
			 const char *key, const char *prefix)
{
	const uint32_t *values;
	uint32_t count;

	values = get(v, space, 0, &count);
	emit_list(w->emit, key);
	for (uint32_t i = 0; i < count; i += PER_LINE) {
		const char *texts[PER_LINE];
		char text[PER_LINE][VALUE_TEXT_MAX], label[32];
		uint32_t n;

		for (n = 0; n < PER_LINE && i + n < count; n++) {
			format_value(w->format, values[i + n], text[n]);
			texts[n] = text[n];
		}
		snprintf(label, sizeof(label), "%s%u", prefix, i);
		emit_list_line(w->emit, label, texts, n, ~0ULL >> (64 - n));
	}
	emit_list_end(w->emit);
}

/* Print VGPR @reg in all lanes; the lanes in @exec are active. */
static void emit_lanes_of(struct wavectl *w, const struct view *v, uint32_t reg, uint64_t exec)
{
	emit_list(w->emit, NULL);
	for (uint32_t first = 0; first < v->lanes; first += PER_LINE) {
		const char *texts[PER_LINE];
		char text[PER_LINE][VALUE_TEXT_MAX], label[48];

		for (uint32_t i = 0; i < PER_LINE; i++) {
			uint32_t count;
			const uint32_t *values = get(v, AMDGPUDBG_REG_VGPR, first + i,
						     &count);

			format_value(w->format, values[reg], text[i]);
			texts[i] = text[i];
		}
		snprintf(label, sizeof(label), "v%u lane %u", reg, first);
		emit_list_line(w->emit, label, texts, PER_LINE, exec >> first);
	}
	emit_list_end(w->emit);
}

static void emit_vectors(struct wavectl *w, const struct view *v, uint64_t exec)
{
	uint32_t count;

	(void)get(v, AMDGPUDBG_REG_VGPR, 0, &count);
	emit_list(w->emit, "vgprs");
	for (uint32_t reg = 0; reg < count; reg++)
		emit_lanes_of(w, v, reg, exec);
	emit_list_end(w->emit);
}

/* Print the hardware registers. Returns EXEC. */
static uint64_t emit_hwregs(struct wavectl *w, const struct view *v)
{
	uint32_t count;
	struct amdgpudbg_reg_range exec;
	char name[ADBG_REG_NAME_MAX];
	const uint32_t *values;

	values = get(v, AMDGPUDBG_REG_HW, 0, &count);
	emit_members(w->emit, "hwregs");
	for (uint32_t i = 0; i < count; i++)
		emit_hex_line(w->emit, adbg_reg_name(v->gc_version, AMDGPUDBG_REG_HW, i, name),
			      values[i]);
	emit_members_end(w->emit);
	if (adbg_reg_parse(v->gc_version, "exec", &exec) ||
	    exec.first + 1 >= count)
		return 0;
	return (uint64_t)values[exec.first + 1] << 32 | values[exec.first];
}

static void emit_view(struct wavectl *w, const struct view *v)
{
	uint64_t exec = emit_hwregs(w, v);

	emit_scalars(w, v, AMDGPUDBG_REG_SGPR, "sgprs", "s");
	if (!v->trace)
		emit_scalars(w, v, AMDGPUDBG_REG_TTMP, "ttmps", "ttmp");
	emit_vectors(w, v, exec);
}

int state_emit(struct wavectl *w, struct adbg_wave_state *state,
	       const struct amdgpudbg_wave *wave)
{
	int ret = adbg_wave_state_read(state, w->session, wave);
	const struct view v = {
		.gc_version = adbg_session_get_gc_version(w->session),
		.lanes = adbg_wave_state_get_lanes(state),
		.state = state,
	};

	if (ret)
		emit_failed(w->emit, "not_read", adbg_strerror(w->session, ret));
	else
		emit_view(w, &v);
	return ret;
}

void state_emit_trace(struct wavectl *w, const struct adbgd_trace *trace)
{
	const struct adbgd_trace_info *info = adbgd_trace_get_info(trace);
	const struct view v = {
		.gc_version = info->gc_version, .lanes = info->lanes, .trace = trace,
	};

	emit_view(w, &v);
}
