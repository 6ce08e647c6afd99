// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of the selected wave: see frame.h.
 */
#include <stdlib.h>
#include <string.h>

#include "debug/code.h"
#include "debug/frame.h"

/*
 * Has the wave not moved since a frame was selected? Reading LDS resumes a wave in its trap
 * handler, so that its id is another one, and its PC the same.
 */
static bool is_of(const struct wavectl *w, const struct focus *focus)
{
	const struct selected_frame *f = &w->shell->debugger->frame;

	return f->number && f->moves == w->shell->moves &&
	       !memcmp(&f->at, &focus->wave.at, sizeof(f->at)) &&
	       f->vmid == focus->wave.vmid && f->pc == focus->pc;
}

/* The lanes that are active in the frame are those at its call. */
static void take_exec(struct focus *focus)
{
	struct adbgd_context c = focus_context(focus, 0);
	uint32_t low, high = 0;

	if (c.read_register(c.data, ADBGD_REG_EXEC, 0, 0, &low) ||
	    (focus->lanes > 32 && c.read_register(c.data, ADBGD_REG_EXEC, 1, 0, &high)))
		return;
	focus->wave.exec = (uint64_t)high << 32 | low;
}

void frame_enter(struct focus *focus, size_t frame)
{
	focus->frame = frame;
	if (frame)
		take_exec(focus);
}

int frame_open(struct wavectl *w, struct focus *focus)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_context context;
	struct adbgd_memory memory;
	struct adbgd_error error;
	struct adbgd_code *code;
	int status = code_need_at(w, focus->pc, &code);

	if (status)
		return status;
	context = focus_context(focus, 0);
	adbgd_process_get_memory(d->process, &memory);
	if (adbgd_backtrace_new_after(code, focus->pc, focus_insn(focus), &context, &memory,
				      &focus->backtrace, &error))
		return debug_fail(w, &error);
	if (!is_of(w, focus) || !frame_get(focus, d->frame.number))
		return WAVECTL_OK;
	frame_enter(focus, d->frame.number);
	return WAVECTL_OK;
}

int frame_open_selected(struct wavectl *w, struct focus *focus)
{
	return is_of(w, focus) ? frame_open(w, focus) : WAVECTL_OK;
}

void frame_select(struct wavectl *w, struct focus *focus, size_t frame)
{
	struct debugger *d = w->shell->debugger;

	d->frame = (struct selected_frame){
		.number = frame, .moves = w->shell->moves, .at = focus->wave.at,
		.vmid = focus->wave.vmid, .pc = focus->pc,
	};
	focus->frame = frame;
	/* "list" begins at the line of the frame. */
	free(d->listed);
	d->listed = NULL;
}

const struct adbgd_backtrace_frame *frame_get(const struct focus *focus, size_t i)
{
	return adbgd_backtrace_get(focus->backtrace, i);
}

uint64_t frame_lookup(const struct focus *focus)
{
	return focus->frame ? frame_get(focus, focus->frame)->lookup : focus->pc;
}

int frame_variables(const struct focus *focus, struct adbgd_code *code,
		    struct adbgd_variables **variables, struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *f;

	if (!focus->frame)
		return adbgd_variables_new(code, focus->pc, variables, error);
	f = frame_get(focus, focus->frame);
	return adbgd_variables_new_inlined(code, f->lookup, f->inlined, variables, error);
}

int frame_need_variables(struct wavectl *w, const struct focus *focus,
			 struct adbgd_variables **variables)
{
	struct adbgd_error error;
	struct adbgd_code *code;
	int status = code_need_at(w, focus->pc, &code);

	if (status)
		return status;
	return frame_variables(focus, code, variables, &error) ? debug_fail(w, &error) :
								 WAVECTL_OK;
}
