/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the steps of a trace have changed.
 */
#ifndef WAVECTL_CHANGES_H
#define WAVECTL_CHANGES_H

#include "debug/debug.h"

#define CHANGES_LANES 64

/* A register that is not as before: of a VGPR those lanes whose bits are in @lanes */
struct change {
	uint32_t space;
	uint32_t number;
	uint32_t num_lanes;	/* of the wave; else 1 */
	uint64_t lanes;
	uint32_t before[CHANGES_LANES];
	uint32_t now[CHANGES_LANES];
};

typedef void change_visit(void *data, const struct change *change);

/*
 * Each one of the @step of a trace, from 1: hardware registers, then SGPRs, then VGPRs. The
 * trace is behind it then.
 */
void changes_visit(struct adbgd_trace *trace, uint64_t step, change_visit *visit, void *data);

/*
 * Print them, as "changed", with the row or document that is open: an object in JSON, in
 * text a line for each register with a new value; of VGPRs, lanes that are as they were in
 * parentheses. PC is left out, and what only reflects others, such as EXECZ.
 */
void changes_emit(struct wavectl *w, struct adbgd_trace *trace, uint64_t step);

#endif /* WAVECTL_CHANGES_H */
