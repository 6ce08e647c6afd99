/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves that have stopped by themselves: what is told of that, and letting them go on.
 */
#ifndef WAVECTL_STOP_H
#define WAVECTL_STOP_H

#include "base/wavectl.h"

/* The events that tell of it */
#define STOP_EVENTS (1ULL << AMDGPUDBG_EVENT_WAVE)

/* Print one of them, or that some were lost. An exit status. */
int stop_say(struct wavectl *w, const struct amdgpudbg_event *ev);
/* The same for a document that was begun */
void stop_emit(struct wavectl *w, const struct amdgpudbg_event *ev);
/* Why a wave has trapped: members of what was begun */
void stop_emit_cause(struct wavectl *w, uint64_t cause, uint32_t watch_mask, uint32_t trap_id);
/* The same at the end of a sentence, which names these members; NULL: nothing is known */
const char *stop_words(uint64_t cause);
/* End the trap handler of a dialogue. One that is gone is no failure. 0 or -errno. */
int stop_clear_handler(struct wavectl *w);
/* An event that a command has taken, and that is for the dialogue to tell */
void stop_keep(struct shell_session *d, const struct amdgpudbg_event *ev);
/* Let the wave go on, if it is still there. An exit status. */
int stop_resume(struct wavectl *w, const struct amdgpudbg_wave_coord *at,
		uint32_t vmid);
/*
 * In a dialogue, the same for those whose stop was not told, when nobody waits for it any
 * more. What else has happened is for the dialogue to tell.
 */
void stop_resume_rest(struct wavectl *w);

#endif /* WAVECTL_STOP_H */
