// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trace with its instructions as text: see trace_view.h.
 */
#include "debug/trace_view.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/changes.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "debug/insn.h"
#include "waves/hold.h"
#include "waves/progress.h"

/*
 * Steps per call: instructions are described soon after they were executed, and Ctrl-C is
 * handled in between.
 */
#define STEPS_AT_ONCE 64

struct trace_view_insn *trace_view_add(struct trace_view *t, uint64_t address)
{
	if (t->num == t->room) {
		t->room = t->room ? 2 * t->room : STEPS_AT_ONCE;
		t->insns = xreallocarray(t->insns, t->room, sizeof(*t->insns));
	}
	t->insns[t->num] = (struct trace_view_insn){ .address = address };
	return &t->insns[t->num++];
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *trace_view_keep(struct trace_view *t, const char *text)
{
	char **kept, *copy;

	if (!text)
		return NULL;
	copy = strndup(text, PATH_MAX - 1);
	kept = copy ? tsearch(copy, &t->names, compare_names) : NULL;
	if (!kept)
		out_of_memory();
	if (*kept != copy)
		free(copy);
	return *kept;
}

static void describe(struct wavectl *w, struct adbgd_disasm *disasm, struct trace_view *t,
		     uint64_t address)
{
	struct debugger *d = w->shell->debugger;
	struct trace_view_insn *insn = trace_view_add(t, address);
	struct adbgd_insn decoded;
	struct place place;
	size_t size = insn_read(w, insn->address, insn->bytes);

	insn->num_bytes = adbgd_insn_length(adbgd_process_get_info(d->process)->gc_version,
					    insn->bytes, size);
	if (size && disasm && !adbgd_disasm_insn(disasm, insn->address, insn->bytes, size,
						 &decoded, NULL))
		insn->text = trace_view_keep(t, decoded.text);
	if (!code_name_place(d, insn->address, &place))
		return;
	insn->place = trace_view_keep(t, place.text);
	insn->file = trace_view_keep(t, place.file);
	insn->line = place.line;
}

/* Describe the steps that have no text yet. */
static void describe_new(struct wavectl *w, struct adbgd_disasm *disasm, struct trace_view *t)
{
	while (t->num < adbgd_trace_get_info(t->trace)->num_steps &&
	       !adbgd_trace_seek(t->trace, t->num, NULL))
		describe(w, disasm, t, adbgd_trace_get_pc(t->trace));
}

struct recording {
	struct wavectl *w;
	struct adbgd_disasm *disasm;
	struct trace_view *t;
	struct adbgd_stop *stop;
	struct adbgd_error error;
};

static int record_some(void *arg, uint64_t done, uint64_t *num)
{
	struct recording *r = arg;
	struct debugger *d = r->w->shell->debugger;
	int ret = adbgd_trace_record(d->process, r->t->trace, num, r->stop, &r->error);

	(void)done;
	describe_new(r->w, r->disasm, r->t);
	return ret ? ret : r->stop->reason != ADBGD_STOP_STEP;
}

static int record(struct recording *r, uint64_t num)
{
	const struct progress p = {
		.what = "steps", .num = num, .at_once = STEPS_AT_ONCE, .part = record_some,
	};
	uint64_t done;
	int ret = progress_run(&p, r, &done);

	/* Report the steps that were executed; the next command fails with the reason. */
	return ret && !done ? debug_fail(r->w, &r->error) : WAVECTL_OK;
}

int trace_view_record(struct wavectl *w, const struct amdgpudbg_wave_coord *at, uint64_t num,
		      struct trace_view *t, struct adbgd_stop *stop)
{
	const struct debugger *d = w->shell->debugger;
	struct adbgd_disasm *disasm = NULL;
	struct adbgd_error error;
	struct focus focus;
	int status;

	*t = (struct trace_view){ .trace = NULL };
	status = focus_open(w, &focus);
	if (!status && adbgd_trace_begin(d->process, at, &t->trace, &error))
		status = debug_fail(w, &error);
	if (!status && insn_open(w, focus.pc, 0, &focus, &disasm, &error))
		disasm = NULL;
	focus_close(&focus);
	if (!status)
		status = record(&(struct recording){
			.w = w, .disasm = disasm, .t = t, .stop = stop }, num);
	if (disasm)
		adbgd_disasm_free(disasm);
	return status;
}

bool trace_view_has_places(const struct trace_view *t)
{
	for (size_t i = 0; i < t->num; i++)
		if (t->insns[i].place)
			return true;
	return false;
}

static void emit_known(struct emit *e, const char *key, const char *value)
{
	if (value)
		emit_str(e, key, value);
	else
		emit_none(e, key);
}

void trace_view_emit_insn(struct wavectl *w, const struct trace_view_insn *insn, bool has_places)
{
	emit_quiet(w->emit, !has_places);
	emit_known(w->emit, "place", insn->place);
	emit_quiet(w->emit, true);
	emit_known(w->emit, "file", insn->file);
	if (insn->file)
		emit_uint(w->emit, "line", insn->line);
	else
		emit_none(w->emit, "line");
	emit_quiet(w->emit, false);
	emit_known(w->emit, "instruction", insn->text);
}

void trace_view_emit(struct wavectl *w, const struct trace_view *t, uint64_t first, uint64_t last,
		     bool numbered)
{
	bool has_places = trace_view_has_places(t);

	emit_table(w->emit, "instructions", true);
	for (uint64_t i = first; i <= last; i++) {
		const struct trace_view_insn *insn = &t->insns[i - 1];

		emit_row(w->emit);
		if (numbered)
			emit_uint(w->emit, "step", i);
		emit_hex64(w->emit, "address", insn->address);
		trace_view_emit_insn(w, insn, has_places);
		changes_emit(w, t->trace, i);
	}
	emit_table_end(w->emit);
}

void trace_view_free(struct trace_view *t)
{
	free(t->insns);
	tdestroy(t->names, free);
	if (t->trace)
		adbgd_trace_free(t->trace);
}
