/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops of waves: those found by single steps, and those found by reading PCs of running waves.
 */
#ifndef WAVECTL_LOOP_H
#define WAVECTL_LOOP_H

#include <amdgpudbg-debug-loop.h>

#include "base/options.h"
#include "debug/debug.h"

/*
 * Add the tables "loops" and "conditions". Values of VGPRs are those of @lane, or of the first
 * lane that is active.
 */
void loop_emit(struct wavectl *w, struct adbgd_trace *trace, const struct adbgd_loops *loops,
	       const struct optional_u64 *lane);

/*
 * Read the PCs of the running waves that the options select for @ns nanoseconds, and report the
 * loops around them. Returns an exit status.
 */
int loop_sample(struct wavectl *w, uint64_t ns);

#endif /* WAVECTL_LOOP_H */
