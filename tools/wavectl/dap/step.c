// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of one wave: see step.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dap/input.h"
#include "dap/step.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "waves/hold.h"

/* A source line that takes more instructions is a loop; the user can continue with another step. */
#define MAX_INSTRUCTIONS	10000

/* The line that the wave leaves */
struct from {
	const char *file;	/* NULL: the instruction belongs to no line */
	uint32_t line;
	const char *function;	/* symbol; NULL: none */
};

static int step_once(struct dap *d, const struct amdgpudbg_wave_coord *at, enum step_kind kind,
		     struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_process *process = d->shell.debugger->process;

	switch (kind) {
	case STEP_IN:
		return adbgd_wave_step(process, at, stop, error);
	case STEP_OVER:
		return adbgd_wave_step_over(process, at, -1, stop, error);
	default:
		return adbgd_wave_finish(process, at, -1, stop, error);
	}
}

static const char *symbol_at(struct adbgd_code *code, uint64_t pc)
{
	const struct adbgd_symbol *symbol = code ? adbgd_code_symbol_at(code, pc) : NULL;

	return symbol ? symbol->name : NULL;
}

static struct from find_from(const struct dap *d, uint64_t pc)
{
	struct adbgd_code *code = code_at(d->shell.debugger, pc);
	struct from from = { .function = symbol_at(code, pc) };
	struct adbgd_line line;

	if (code && !adbgd_line_at(code, pc, &line, NULL) && line.line) {
		from.file = line.file;
		from.line = line.line;
	}
	return from;
}

/* Is @pc the beginning of another line, or in another function that has no lines? */
static bool is_elsewhere(const struct dap *d, const struct from *from, uint64_t pc)
{
	struct adbgd_code *code = code_at(d->shell.debugger, pc);
	const char *function = symbol_at(code, pc);
	struct adbgd_line line;

	if (!code)
		return true;
	if (adbgd_line_at(code, pc, &line, NULL) || !line.line)
		return function != from->function;
	if (line.line == from->line && from->file && !strcmp(line.file, from->file))
		return false;
	return line.address == pc && line.flags & ADBGD_LINE_STATEMENT;
}

static int interrupted(struct adbgd_error *error)
{
	error->error = -EINTR;
	snprintf(error->text, sizeof(error->text), "the step was interrupted");
	return -EINTR;
}

/*
 * Step to another line, instruction by instruction. This is the only place that knows how lines
 * are stepped.
 */
static int step_line(struct dap *d, const struct amdgpudbg_wave_coord *at, uint64_t pc,
		     enum step_kind kind, struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct from from = find_from(d, pc);
	int ret;

	for (unsigned int i = 0; i < MAX_INSTRUCTIONS; i++) {
		if (hold_interrupted())
			return interrupted(error);
		ret = step_once(d, at, kind, stop, error);
		if (ret || stop->reason != ADBGD_STOP_STEP || !from.file ||
		    is_elsewhere(d, &from, stop->pc))
			return ret;
	}
	return 0;
}

/* Where a wave is that was not stepped to the end. Returns false if it is not there any more. */
static bool find_wave(struct dap *d, const struct amdgpudbg_wave_coord *at, struct focus *focus)
{
	d->shell.debugger->wave = *at;
	d->shell.debugger->has_wave = true;
	return focus_try(d->w, focus);
}

int step_wave(struct dap *d, const struct amdgpudbg_wave_coord *at, enum step_kind kind,
	      bool by_instruction, struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct focus focus;
	bool is_there = find_wave(d, at, &focus);
	int ret;

	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_STEP, .at = *at, .pc = focus.pc };
	if (!is_there) {
		focus_close(&focus);
		error->error = -ENODATA;
		snprintf(error->text, sizeof(error->text), "the wave is not halted");
		return -ENODATA;
	}
	input_begin_interruptible(d->input);
	if (by_instruction || kind == STEP_OUT)
		ret = step_once(d, at, kind, stop, error);
	else
		ret = step_line(d, at, focus.pc, kind, stop, error);
	input_end_interruptible(d->input);
	focus_close(&focus);
	if (ret && find_wave(d, at, &focus)) {
		*stop = (struct adbgd_stop){
			.reason = ret == -EINTR ? ADBGD_STOP_INTERRUPTED : ADBGD_STOP_STEP,
			.at = *at, .pc = focus.pc,
		};
		focus_close(&focus);
	} else if (ret) {
		stop->reason = ADBGD_STOP_WAVE_END;
	}
	return ret;
}
