// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of a wave: see stack.h.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dap/stack.h"
#include "debug/code.h"

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

size_t stack_frames(struct dap *d, const struct focus *focus, struct stack_frame *frames)
{
	struct adbgd_frame found[STACK_FRAMES_MAX];
	size_t count = 0;

	stack_name(d, focus->pc, &frames[0]);
	if (!frames[0].code ||
	    adbgd_frames_at(frames[0].code, focus->pc, found, STACK_FRAMES_MAX, &count, NULL) ||
	    !count)
		return 1;
	if (count > STACK_FRAMES_MAX)
		count = STACK_FRAMES_MAX;
	for (size_t i = 0; i < count; i++) {
		frames[i] = (struct stack_frame){
			.pc = focus->pc, .code = frames[0].code, .function = found[i].function,
			.file = found[i].file, .line = found[i].line, .column = found[i].column,
			.is_inlined = found[i].flags & ADBGD_FRAME_INLINED,
		};
		snprintf(frames[i].name, sizeof(frames[i].name), "%s", found[i].function);
	}
	return count;
}

struct adbgd_context stack_context(struct focus *focus, const struct stack_frame *frame,
				   uint32_t lane)
{
	(void)frame;
	return focus_context(focus, lane);
}
