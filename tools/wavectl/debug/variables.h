/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of a frame in one lane.
 */
#ifndef WAVECTL_VARIABLES_H
#define WAVECTL_VARIABLES_H

#include "debug/focus.h"

#define VARIABLE_WHERE_MAX	256

/* The location of a value that is not the present one */
#define VARIABLE_PASSED		"as passed"

/*
 * Read variable @i in a lane of the selected frame. A kernel's parameter that is nowhere has the
 * value with which it was passed, and @where is VARIABLE_PASSED. Returns 0, and its value, which
 * adbgd_value_free() frees, and its location; or -errno, and the reason in @error.
 */
int variable_read(struct focus *focus, struct adbgd_variables *variables, size_t i, uint32_t lane,
		  struct adbgd_value **value, char where[VARIABLE_WHERE_MAX],
		  struct adbgd_error *error);

/*
 * Add the variables of the function of a frame to its row: their values in a lane. @focus has the
 * frames, see frame_open(). Returns an exit status.
 */
int variables_emit_frame(struct wavectl *w, struct focus *focus, size_t frame, uint32_t lane);

#endif /* WAVECTL_VARIABLES_H */
