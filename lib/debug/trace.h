/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Traces: what is in them. How they come about is trace_record.c's.
 */
#ifndef ADBGD_TRACE_H
#define ADBGD_TRACE_H

#include <stdbool.h>

#include "internal.h"

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
	uint32_t *taken;		/* of trace_record.c: room for the words of a wave */
};

/* ---------------------------------------------------------- trace_record.c */

/**
 * adbgd_trace_take() - adbgd_trace_add() of what a wave has been seen to have
 * @words: changed: what no instruction sets is as the trace began with it
 */
int adbgd_trace_take(struct adbgd_trace *trace, uint32_t *words, struct adbgd_error *error);

#endif /* ADBGD_TRACE_H */
