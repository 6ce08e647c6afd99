// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines about one wave: see inspect.h.
 */
#include "top/inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/emit.h"
#include "base/util.h"
#include "debug/source.h"
#include "waves/hold.h"
#include "waves/wave_names.h"

/* Instructions before and after the PC */
#define NUM_BEFORE	8
#define NUM_AFTER	8
#define PER_LINE	8

/* A wave while it is described */
struct inspected {
	struct top *top;
	const struct amdgpudbg_wave *wave;
	struct top_process *process;	/* NULL: unknown, or its memory cannot be read */
	uint32_t gc_version;
	struct pane *pane;
};

void pane_add(struct pane *pane, char *text)
{
	pane->text = xreallocarray(pane->text, pane->num + 1, sizeof(*pane->text));
	pane->text[pane->num++] = text;
}

void pane_free(struct pane *pane)
{
	for (size_t i = 0; i < pane->num; i++)
		free(pane->text[i]);
	free(pane->text);
	*pane = (struct pane){ .num = 0 };
}

static void add_text(struct inspected *in, const char *text)
{
	pane_add(in->pane, xstrdup(text));
}

/* --------------------------------------------------------------------------- state */

static void add_state(struct inspected *in)
{
	const struct amdgpudbg_wave *wave = in->wave;
	char *why = wave_why(wave, in->gc_version), *text = NULL, name[ADBG_WAVE_NAME_MAX];

	xappend(&text, "%s  %s", adbg_wave_name(&wave->at, name), wave_state(wave));
	if (why)
		xappend(&text, "  %s", why);
	if (in->process)
		xappend(&text, "  process %d %s", in->process->pid,
			in->process->program ? in->process->program : "");
	xappend(&text, "  VMID %u", wave->vmid);
	pane_add(in->pane, text);
	free(why);
}

/* ---------------------------------------------------------------------------- code */

static void add_insn(struct inspected *in, const struct adbgd_insn *insn)
{
	struct adbgd_code *code = code_at(&in->process->of.debugger, insn->address);
	char *place = code_short_place(code, insn->address), *text = NULL;

	xappend(&text, "%s 0x%016" PRIx64 "  %-24s  %s", insn->address == in->wave->pc ? "=>" : "  ",
		insn->address, place ? place : "", insn->text);
	pane_add(in->pane, text);
	free(place);
}

/* The source line of the PC, if its text can be found */
static void add_source(struct inspected *in)
{
	struct wavectl *view = &in->process->of.view;
	struct adbgd_code *code = code_at(&in->process->of.debugger, in->wave->pc);
	char *line, *text = NULL;
	struct place place;

	if (!code_name_place_in(code, in->wave->pc, &place) || !place.file)
		return;
	line = source_line(view, place.file, place.line);
	xappend(&text, "%s:%" PRIu32 "%s%s", code_base_name(place.file), place.line,
		line ? "  " : "", line ? line : "");
	pane_add(in->pane, text);
	free(line);
}

static void add_insns(struct inspected *in, struct adbgd_disasm *disasm)
{
	struct wavectl *view = &in->process->of.view;
	uint64_t va = in->wave->pc, num = NUM_BEFORE;
	struct adbgd_insn insn;

	if (!insn_before(view, disasm, &va, &num))
		num = 0;
	for (num += NUM_AFTER; num && !hold_interrupted(); num--, va += insn.size) {
		if (!insn_at(view, disasm, va, &insn))
			break;
		add_insn(in, &insn);
	}
}

static void add_code(struct inspected *in)
{
	uint32_t lanes = in->wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	struct adbgd_disasm *disasm;

	add_text(in, "");
	if (!in->process) {
		add_text(in, "the memory of the process cannot be read");
		return;
	}
	add_source(in);
	disasm = top_disasm(in->top, in->process, in->wave->pc, lanes);
	if (disasm)
		add_insns(in, disasm);
	else
		add_text(in, "no disassembly: LLVM 19 is not installed, or does not know the GPU");
}

/* ----------------------------------------------------------------------- registers */

static void add_hardware(struct inspected *in)
{
	const struct adbg_field *field;
	const struct adbg_reg *reg;
	uint32_t value;

	add_text(in, "");
	for (size_t i = 0; (reg = adbg_reg_get(in->gc_version, i)); i++) {
		char *text = NULL;

		value = adbg_reg_value(reg, in->wave);
		if (!value || !adbg_reg_is_known(reg, in->wave))
			continue;
		xappend(&text, "%-18s 0x%08" PRIx32, reg->name, value);
		for (size_t n = 0; (field = adbg_reg_get_field(reg, n)); n++)
			append_field(&text, field, adbg_field_value(field, value));
		pane_add(in->pane, text);
	}
}

static void add_row(struct inspected *in, const char *label, const uint32_t *values, uint32_t num)
{
	char *text = NULL;

	xappend(&text, "%-12s", label);
	for (uint32_t i = 0; i < num; i++)
		xappend(&text, " %08" PRIx32, values[i]);
	pane_add(in->pane, text);
}

static void add_scalars(struct inspected *in, const struct adbg_wave_state *state)
{
	uint32_t count;
	const uint32_t *values = adbg_wave_state_get(state, AMDGPUDBG_REG_SGPR, 0, &count);
	char *label = NULL;

	add_text(in, "");
	for (uint32_t i = 0; i < count; i += PER_LINE) {
		xappend(&label, "s%u", i);
		add_row(in, label, &values[i], count - i < PER_LINE ? count - i : PER_LINE);
		free(label);
		label = NULL;
	}
}

static void add_vectors(struct inspected *in, const struct adbg_wave_state *state)
{
	uint32_t lanes = adbg_wave_state_get_lanes(state), count, num;
	uint32_t values[PER_LINE];
	const uint32_t *lane;
	char *label = NULL;

	add_text(in, "");
	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, 0, &num);
	for (uint32_t i = 0; i < num * lanes; i += PER_LINE) {
		for (uint32_t n = 0; n < PER_LINE; n++) {
			lane = adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, i % lanes + n,
						   &count);
			values[n] = lane && i / lanes < count ? lane[i / lanes] : 0;
		}
		xappend(&label, "v%u lane %u", i / lanes, i % lanes);
		add_row(in, label, values, PER_LINE);
		free(label);
		label = NULL;
	}
}

static void add_registers(struct inspected *in, struct adbg_session *session)
{
	struct adbg_wave_state *state;
	char *text = NULL;
	int ret;

	add_hardware(in);
	if (!(in->wave->flags & AMDGPUDBG_WAVE_HALTED)) {
		add_text(in, "");
		add_text(in, "the wave is not halted; h halts it, and shows all registers");
		return;
	}
	if (adbg_wave_state_new(&state))
		out_of_memory();
	ret = adbg_wave_state_read(state, session, in->wave);
	if (ret) {
		xappend(&text, "the registers cannot be read: %s", adbg_strerror(session, ret));
		pane_add(in->pane, text);
	} else {
		add_scalars(in, state);
		add_vectors(in, state);
	}
	adbg_wave_state_free(state);
}

/* ----------------------------------------------------------------------------- all */

/* Read the wave in the slot, with all hardware registers. NULL: there is none. */
static const struct amdgpudbg_wave *read_wave(struct top *t, const struct selection *s,
					      struct adbg_wave_list *list)
{
	struct top_gpu *gpu = &t->gpus[s->gpu];
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP | AMDGPUDBG_WAVE_LIST_PID,
		.select.at = map_coord(&gpu->map, s->slot),
		.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA |
				  AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
	};

	if (adbg_wave_list_fill(list, gpu->session, &what))
		return NULL;
	return adbg_wave_list_get(list, 0);
}

void inspect_wave(struct top *t, const struct selection *s, struct pane *pane)
{
	struct adbg_session *session = t->gpus[s->gpu].session;
	struct inspected in = {
		.top = t, .pane = pane, .gc_version = adbg_session_get_gc_version(session),
	};
	struct adbg_wave_list *list;

	if (adbg_wave_list_new(&list))
		out_of_memory();
	in.wave = read_wave(t, s, list);
	if (in.wave) {
		in.process = top_get_process(t, s->gpu, in.wave);
		if (in.process && !in.process->is_open)
			in.process = NULL;
		add_state(&in);
		add_code(&in);
		add_registers(&in, session);
	} else {
		add_text(&in, "there is no wave");
	}
	adbg_wave_list_free(list);
}
