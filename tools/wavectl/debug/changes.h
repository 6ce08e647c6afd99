/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what the steps of a trace have changed.
 */
#ifndef WAVECTL_CHANGES_H
#define WAVECTL_CHANGES_H

#include "debug/debug.h"

#define CHANGES_LANES 64

/* A register that changed; of a VGPR, the lanes whose bits are set in @lanes */
struct change {
	uint32_t space;
	uint32_t number;
	uint32_t num_lanes;	/* of the wave, if it is a VGPR; else 1 */
	uint64_t lanes;
	uint32_t before[CHANGES_LANES];
	uint32_t now[CHANGES_LANES];
};

typedef void change_visit(void *data, const struct change *change);

/*
 * Call @visit for each register that step @step, from 1, changed: hardware registers, then
 * SGPRs, then VGPRs. Afterwards the position of the trace is behind that step.
 */
void changes_visit(struct adbgd_trace *trace, uint64_t step, change_visit *visit, void *data);

/*
 * Add the changes of a step as "changed" to the row or document: in JSON an object, in text a
 * line for each register with its new value. Unchanged lanes of a VGPR are in parentheses. PC,
 * and bits that only mirror others, such as EXECZ, are left out.
 */
void changes_emit(struct wavectl *w, struct adbgd_trace *trace, uint64_t step);

#endif /* WAVECTL_CHANGES_H */
