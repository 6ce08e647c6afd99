/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Traces: what is in them, and how that comes about.
 */
#ifndef ADBGD_TRACE_H
#define ADBGD_TRACE_H

#include <stdbool.h>

#include "internal.h"

struct adbgd_process;

/* One word that an instruction has changed: the way there is the way back. */
struct adbgd_trace_change {
	uint32_t word;
	uint32_t bits;		/* of before, exclusive or of after */
};

struct adbgd_trace {
	struct adbgd_trace_info info;
	uint32_t *words;		/* after @position steps */
	uint64_t position;
	struct adbgd_trace_change *changes;	/* of all steps, one after the other */
	size_t num_changes, room_changes;
	size_t *ends;			/* where those of each step end */
	size_t room_ends;
	bool has_begun;
	uint32_t *taken;		/* room for the words of a wave, for who records them */
	uint32_t *masks;		/* of each hardware register: what instructions set */
};

/* ----------------------------------------------------------------- trace.c */

/**
 * adbgd_trace_record_words() - adbgd_trace_add() of what a wave has been seen to have
 * @words: changed: what no instruction sets is as the trace began with it
 */
int adbgd_trace_record_words(struct adbgd_trace *trace, uint32_t *words, struct adbgd_error *error);

/* ------------------------------------------------------------- trace_gpu.c */

/* What a trace's wave does when its handler has recorded what it could; or -errno */
enum adbgd_traced {
	ADBGD_TRACED,		/* halted, and reported */
	ADBGD_TRACED_TO_TRAP,	/* stopped for another reason, pending */
	ADBGD_TRACED_TO_END,
};

/**
 * adbgd_trace_on_gpu() - let the handler of a trace's wave record up to @num steps
 *
 * The wave is where the trace ends, and does nothing if that is not for its handler. Where it
 * stands afterwards may be behind another instruction than the last one of the trace.
 */
int adbgd_trace_on_gpu(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t num,
		       struct adbgd_error *error);

/** adbgd_steps_on_gpu() - the same without a trace; @num: set to the number of steps */
int adbgd_steps_on_gpu(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		       uint64_t *num, struct adbgd_error *error);

/* Where the wave is then: @wave unless it has ended */
struct adbgd_traced_at {
	struct adbgd_stop stop;
	struct amdgpudbg_wave wave;
	bool has_undone;	/* one instruction more, not recorded, has made it trap */
};

/** adbgd_traced_stop() - that; @traced: what one of these functions has given. 0 or -errno */
int adbgd_traced_stop(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      int traced, struct adbgd_traced_at *now, struct adbgd_error *error);

/* To have its handler do less takes as many calls as the steps themselves. */
#define ADBGD_MIN_ON_GPU	8

#endif /* ADBGD_TRACE_H */
