// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of a wave: see stack.h.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dap/stack.h"
#include "debug/code.h"
#include "debug/frame.h"

bool stack_name(struct dap *d, uint64_t pc, struct stack_frame *frame)
{
	struct place place;
	struct adbgd_line line;

	*frame = (struct stack_frame){ .pc = pc, .code = code_at(d->shell.debugger, pc) };
	snprintf(frame->name, sizeof(frame->name), "0x%016" PRIx64, pc);
	if (!frame->code || !code_name_place(d->shell.debugger, pc, &place))
		return false;
	snprintf(frame->name, sizeof(frame->name), "%s", place.symbol);
	frame->file = place.file;
	frame->line = place.line;
	if (place.file && !adbgd_line_at(frame->code, pc, &line, NULL))
		frame->column = line.column;
	return true;
}

size_t stack_open(struct dap *d, struct focus *focus)
{
	size_t num = 1;

	/* Without a code object, the PC is all that is known. */
	if (!code_at(d->shell.debugger, focus->pc) || frame_open(d->w, focus))
		return 1;
	while (frame_get(focus, num))
		num++;
	return num;
}

bool stack_get(struct dap *d, const struct focus *focus, size_t i, struct stack_frame *frame)
{
	const struct adbgd_backtrace_frame *f = focus->backtrace ? frame_get(focus, i) : NULL;

	if (!f)
		return stack_name(d, focus->pc, frame);
	*frame = (struct stack_frame){
		.pc = f->pc, .code = code_at(d->shell.debugger, focus->pc),
		.function = f->function.function, .file = f->function.file,
		.line = f->function.line, .column = f->function.column,
		.is_outer = f->flags & ADBGD_BACKTRACE_OUTER,
		.unknown = f->caller == ADBGD_CALLER_UNKNOWN ? f->how : NULL,
	};
	snprintf(frame->name, sizeof(frame->name), "%s", f->function.function);
	return true;
}
