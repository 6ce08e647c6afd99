/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and prints all registers of a wave.
 */
#ifndef WAVECTL_STATE_H
#define WAVECTL_STATE_H

#include "debug/debug.h"

/*
 * Read all registers of the halted @wave into @state, and add them, or the reason why they
 * cannot be read, to the row or document. Returns 0, or -errno of reading.
 */
int state_emit(struct wavectl *w, struct adbg_wave_state *state,
	       const struct amdgpudbg_wave *wave);
/* Add all registers at the position of a trace. */
void state_emit_trace(struct wavectl *w, const struct adbgd_trace *trace);

#endif /* WAVECTL_STATE_H */
