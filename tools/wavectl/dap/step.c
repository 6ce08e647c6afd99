// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of one wave: see step.h.
 */
#include <errno.h>
#include <stdio.h>

#include <amdgpudbg-debug-step.h>

#include "dap/input.h"
#include "dap/step.h"
#include "debug/code.h"
#include "debug/focus.h"

static int by_instruction(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			  enum step_kind kind, struct adbgd_stop *stop, struct adbgd_error *error)
{
	return kind == STEP_IN ? adbgd_wave_step(process, at, stop, error) :
	       adbgd_wave_step_over(process, at, -1, stop, error);
}

/* Step to another line; or by one instruction where no lines are known. */
static int by_line(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		   struct adbgd_code *code, enum step_kind kind, struct adbgd_stop *stop,
		   struct adbgd_error *error)
{
	uint32_t how = kind == STEP_IN ? ADBGD_STEP_LINE_INTO : ADBGD_STEP_LINE_OVER;
	int ret = code ? adbgd_wave_step_line(process, at, code, how, -1, stop, error) : -ENOENT;

	if (ret == -ENOENT || ret == -EOPNOTSUPP)
		return by_instruction(process, at, kind, stop, error);
	return ret;
}

/* Where a wave is that was not stepped to the end. Returns false if it is not there any more. */
static bool find_wave(struct dap *d, const struct amdgpudbg_wave_coord *at, struct focus *focus)
{
	d->shell.debugger->wave = *at;
	d->shell.debugger->has_wave = true;
	return focus_try(d->w, focus);
}

int step_wave(struct dap *d, const struct amdgpudbg_wave_coord *at, enum step_kind kind,
	      bool is_instruction, struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_process *process = d->shell.debugger->process;
	struct focus focus;
	bool is_there = find_wave(d, at, &focus);
	struct adbgd_code *code = code_at(d->shell.debugger, focus.pc);
	int ret;

	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_STEP, .at = *at, .pc = focus.pc };
	if (!is_there) {
		focus_close(&focus);
		error->error = -ENODATA;
		snprintf(error->text, sizeof(error->text), "the wave is not halted");
		return -ENODATA;
	}
	input_begin_step(d->input);
	if (kind == STEP_OUT)
		ret = adbgd_wave_finish_frame(process, at, code, 0, -1, stop, error);
	else if (is_instruction)
		ret = by_instruction(process, at, kind, stop, error);
	else
		ret = by_line(process, at, code, kind, stop, error);
	input_end_step(d->input);
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
