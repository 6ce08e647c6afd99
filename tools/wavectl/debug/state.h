/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All registers of a wave: reading them, and what they look like.
 */
#ifndef WAVECTL_STATE_H
#define WAVECTL_STATE_H

#include "debug/debug.h"

/*
 * Read all registers of @wave, which is halted, into @state, and print them with the row
 * or document that is open; or that they cannot be read. 0, or -errno of reading.
 */
int state_emit(struct wavectl *w, struct adbg_wave_state *state,
	       const struct amdgpudbg_wave *wave);
/* Those of a trace, where it is */
void state_emit_trace(struct wavectl *w, const struct adbgd_trace *trace);

#endif /* WAVECTL_STATE_H */
