// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl break set, break list, break clear, continue, disasm.
 *
 * They are for a dialogue: a breakpoint belongs to its session.
 */
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "memory.h"
#include "util.h"

static void emit_breakpoint(struct wavectl *w, const struct adbgd_breakpoint_info *info)
{
	emit_uint(w->emit, "number", info->number);
	emit_hex64(w->emit, "address", info->address);
	emit_str(w->emit, "state", info->flags & ADBGD_BREAKPOINT_PENDING ? "pending" : "set");
	emit_bool(w->emit, "temporary", info->flags & ADBGD_BREAKPOINT_TEMPORARY);
	emit_uint(w->emit, "hits", info->hits);
}

static int say_set(struct wavectl *w, const struct adbgd_breakpoint_info *info)
{
	emit_begin(w->emit);
	emit_breakpoint(w, info);
	if (info->flags & ADBGD_BREAKPOINT_PENDING)
		emit_say(w->emit,
			 "breakpoint {number} at {address}, as soon as the waves have ended that began before");
	else
		emit_say(w->emit, "breakpoint {number} at {address}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The one word, which is an address, and the debugger. An exit status. */
static int open_at(struct wavectl *w, struct memory *m)
{
	int status = memory_take_address(w, m);

	if (!status && w->num_words > 1)
		status = fail_with(w, WAVECTL_USAGE, NULL, "it takes one address");
	if (!status)
		status = open_target(w);
	return status ? status : debug_open(w);
}

int cmd_break_set(struct wavectl *w)
{
	struct adbgd_breakpoint *b;
	struct memory m = { 0 };
	struct adbgd_error error;
	struct debugger *d;
	int status;

	status = open_at(w, &m);
	if (status)
		return status;
	d = w->dialogue->debugger;
	if (d->adbgd_breakpoint_set(d->process, m.va,
				    w->temporary ? ADBGD_BREAKPOINT_TEMPORARY : 0, &b, &error))
		return debug_fail(w, &error);
	return say_set(w, d->adbgd_breakpoint_get_info(b));
}

/* NULL: there are none */
static struct adbgd_breakpoint *at(const struct wavectl *w, size_t i)
{
	const struct debugger *d = w->dialogue ? w->dialogue->debugger : NULL;

	return d ? d->adbgd_process_get_breakpoint(d->process, i) : NULL;
}

int cmd_break_list(struct wavectl *w)
{
	struct adbgd_breakpoint *b;
	size_t i;
	int status = open_target(w);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "breakpoints", true);
	for (i = 0; (b = at(w, i)); i++) {
		emit_row(w->emit);
		emit_breakpoint(w, w->dialogue->debugger->adbgd_breakpoint_get_info(b));
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", i);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int clear(struct wavectl *w, struct adbgd_breakpoint *b)
{
	struct adbgd_error error;

	return w->dialogue->debugger->adbgd_breakpoint_clear(b, &error) ?
	       debug_fail(w, &error) : WAVECTL_OK;
}

int cmd_break_clear(struct wavectl *w)
{
	const struct debugger *d = w->dialogue ? w->dialogue->debugger : NULL;
	struct adbgd_breakpoint *b;
	uint64_t number = 0, num = 0;
	int status;
	size_t i = 0;

	if (w->num_words > 1 ||
	    (w->num_words && !parse_u64(w->words[0], UINT32_MAX, &number)))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes the number of one breakpoint, or nothing for all");
	status = open_target(w);
	while (!status && (b = at(w, i))) {
		if (w->num_words && d->adbgd_breakpoint_get_info(b)->number != number) {
			i++;
			continue;
		}
		status = clear(w, b);
		num++;
	}
	if (status)
		return status;
	if (!num)
		return fail_with(w, WAVECTL_GONE, NULL, w->num_words ?
				 "there is no breakpoint %s" : "there are no breakpoints",
				 w->num_words ? w->words[0] : "");
	emit_begin(w->emit);
	emit_uint(w->emit, "count", num);
	emit_say(w->emit, "cleared {count}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* ------------------------------------------------------------------ continue */

static int go_on(struct wavectl *w)
{
	struct debugger *d = w->dialogue->debugger;
	struct amdgpudbg_wave_coord coord;
	struct adbgd_error error;
	int ret;

	if (w->has_spec && adbg_wave_spec_mode(&w->spec, &coord) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes one wave, or nothing for all");
	ret = w->has_spec ? d->adbgd_wave_continue(d->process, &coord, &error) :
			    d->adbgd_process_continue(d->process, &error);
	return ret ? debug_fail(w, &error) : WAVECTL_OK;
}

int cmd_continue(struct wavectl *w)
{
	int status = open_target(w);

	if (!status)
		status = debug_open(w);
	return status ? status : go_on(w);
}

/* -------------------------------------------------------------------- disasm */

#define DEFAULT_INSNS	8

static int emit_insns(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va, uint64_t num)
{
	struct debugger *d = w->dialogue->debugger;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_memory memory;
	struct adbgd_insn insn;
	size_t size;

	d->adbgd_process_get_memory(d->process, &memory);
	emit_begin(w->emit);
	emit_table(w->emit, "instructions", true);
	for (; num; num--, va += insn.size) {
		/* The last one may be all that is mapped. */
		for (size = sizeof(bytes); size; size -= 4) {
			if (!memory.read(memory.data, va, bytes, size))
				break;
		}
		if (!size || d->adbgd_disasm_insn(disasm, va, bytes, size, &insn, NULL))
			break;
		emit_row(w->emit);
		emit_hex64(w->emit, "address", va);
		emit_str(w->emit, "instruction", insn.text);
	}
	emit_table_end(w->emit);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_disasm(struct wavectl *w)
{
	struct adbgd_disasm *disasm;
	struct adbgd_error error;
	struct memory m = { 0 };
	struct debugger *d;
	int status;

	status = open_at(w, &m);
	if (status)
		return status;
	d = w->dialogue->debugger;
	if (d->adbgd_disasm_new(d->adbgd_process_get_info(d->process)->gpu,
				w->lanes ? w->lanes : 32, &disasm, &error))
		return debug_fail(w, &error);
	status = emit_insns(w, disasm, m.va, w->count ? w->count : DEFAULT_INSNS);
	d->adbgd_disasm_free(disasm);
	return status;
}
