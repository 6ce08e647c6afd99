/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves that stopped: prints stops and resumes the waves.
 */
#ifndef WAVECTL_STOP_H
#define WAVECTL_STOP_H

#include "base/wavectl.h"

/* Events that report stops */
#define STOP_EVENTS (1ULL << AMDGPUDBG_EVENT_WAVE)

/*
 * Events can arrive faster than they are handled: a portion of them, after which input and signals
 * are handled. Begin with { 0 }.
 */
struct event_portion {
	unsigned int num;
	uint64_t end_ns;
};

/* Take one more event of the portion. Returns false if it is over. */
bool event_portion_take(struct event_portion *portion);

/* Print a stop, or that events were lost. Returns an exit status. */
int stop_say(struct wavectl *w, const struct amdgpudbg_event *ev);
/* Add the same to a document that was begun. */
void stop_emit(struct wavectl *w, const struct amdgpudbg_event *ev);
/* Add the cause of a trap to the document. */
void stop_emit_cause(struct wavectl *w, uint64_t cause, uint32_t watch_mask, uint32_t trap_id);
/* The cause for the end of a sentence, with these members in braces; NULL: unknown */
const char *stop_reason_text(uint64_t cause);
/*
 * Clear the trap handler of the session of a shell. It is no error if it is gone. Returns 0 or
 * -errno.
 */
int stop_clear_handler(struct wavectl *w);
/* Keep an event that a command has read but that the shell must report. */
void stop_keep(struct shell_session *d, const struct amdgpudbg_event *ev);
/* Resume the wave, if it still exists. Returns an exit status. */
int stop_resume(struct wavectl *w, const struct amdgpudbg_wave_coord *at,
		uint32_t vmid);
/*
 * In a shell, resume the waves whose stop was not reported, when no command waits for it any
 * more. Other events are left to the shell.
 */
void stop_resume_rest(struct wavectl *w);

#endif /* WAVECTL_STOP_H */
