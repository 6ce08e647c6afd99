/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changes in a wave's registers from one look to the next.
 */
#ifndef WAVECTL_CHANGES_H
#define WAVECTL_CHANGES_H

#include "wavectl.h"

struct changes {
	struct wavectl *w;
	struct adbg_wave_state *before, *now;
};

/* Look for the first time. 0 or -errno; changes_end() also then. */
int changes_begin(struct changes *c, struct wavectl *w, const struct amdgpudbg_wave *wave);
void changes_end(struct changes *c);

/*
 * Look again, and print "changed", what is not as it was, with the row or document that is
 * open: an object in JSON, in text a line for each register with a new value; of VGPRs,
 * lanes that are as they were in parentheses. 0 or -errno of reading.
 *
 * PC is not looked at, nor what only reflects others, such as EXECZ.
 */
int changes_emit(struct changes *c, const struct amdgpudbg_wave *wave);
/* The same for a wave of which nothing is known any more: nothing has changed. */
void changes_emit_none(struct changes *c);

#endif /* WAVECTL_CHANGES_H */
