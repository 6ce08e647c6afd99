/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of the selected wave, and the selected one of them.
 */
#ifndef WAVECTL_FRAME_H
#define WAVECTL_FRAME_H

#include "debug/focus.h"

/*
 * Find the frames of the wave in @focus, which focus_close() frees. If a frame is selected, and
 * the wave has not moved since, it is focus->frame. Returns an exit status.
 */
int frame_open(struct wavectl *w, struct focus *focus);
/* The same, but only if a frame other than the innermost is selected */
int frame_open_selected(struct wavectl *w, struct focus *focus);
/* Select a frame of the wave in @focus. */
void frame_select(struct wavectl *w, struct focus *focus, size_t frame);
/* Let @focus have a frame, with the lanes that are active there, for this command only. */
void frame_enter(struct focus *focus, size_t frame);

/* Frame @i; NULL: there are no more */
const struct adbgd_backtrace_frame *frame_get(const struct focus *focus, size_t i);

/* Address of the selected frame's instruction, for source lines and variables */
uint64_t frame_lookup(const struct focus *focus);
/*
 * Get the variables of the selected frame, which adbgd_variables_free() frees. Returns 0 or
 * -errno.
 */
int frame_variables(const struct focus *focus, struct adbgd_code *code,
		    struct adbgd_variables **variables, struct adbgd_error *error);

/*
 * The same at the PC of @focus, whose code must be known, or be found in the process. Returns an
 * exit status.
 */
int frame_need_variables(struct wavectl *w, const struct focus *focus,
			 struct adbgd_variables **variables);

#endif /* WAVECTL_FRAME_H */
