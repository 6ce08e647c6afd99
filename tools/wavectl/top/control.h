/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Halts, resumes and kills the waves that the user has selected on the map.
 */
#ifndef WAVECTL_TOP_CONTROL_H
#define WAVECTL_TOP_CONTROL_H

#include "top/sample.h"

enum top_unit {
	UNIT_WAVE,
	UNIT_SIMD,
	UNIT_WGP,
	UNIT_ALL,		/* all waves of the target on the GPU */
	NUM_UNITS,
};

struct selection {
	size_t gpu;		/* index in struct top */
	size_t slot;
	enum top_unit unit;
};

/* Is a slot of the same GPU selected? */
bool selection_has(const struct top *t, const struct selection *s, size_t slot);
/* "wave se0.sa0.wgp3.simd1.wave5", "se0.sa0.wgp3", ...; the caller frees it */
char *selection_name(const struct top *t, const struct selection *s);
/* The number of its waves at the last sample */
size_t selection_count(const struct top *t, const struct selection *s);

/*
 * Halt, resume or kill the selected waves; with --dry-run change nothing. Returns what was done, or
 * why not, as a sentence; the caller frees it.
 */
char *control_waves(struct top *t, const struct selection *s, enum amdgpudbg_waveop op);
/* Resume all waves that this command has halted. Returns their number. */
size_t control_resume_all(struct top *t);

#endif /* WAVECTL_TOP_CONTROL_H */
