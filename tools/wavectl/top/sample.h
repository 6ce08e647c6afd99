/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples: the waves of each GPU at one moment after another, as a map and as a list of the hottest
 * PCs. A sample is one list of waves for each GPU, for which four registers of each wave are read.
 * No wave is halted.
 */
#ifndef WAVECTL_TOP_SAMPLE_H
#define WAVECTL_TOP_SAMPLE_H

#include "top/process.h"

/*
 * Prepare samples of the GPUs that the options of @w select. @interrupt_fd: readable if a signal
 * has arrived. Call top_close() also after an error. Returns an exit status.
 */
int top_open(struct top *t, struct wavectl *w, int interrupt_fd);
/* Close the sessions, too, which resumes the waves that were halted by them. */
void top_close(struct top *t);
/* Take a sample. Returns 0, or -errno of listing the waves; w->session is then of that GPU. */
int top_sample(struct top *t);

/* The wave in a slot at the last sample; NULL: there was none */
const struct amdgpudbg_wave *top_wave(const struct top_gpu *gpu, size_t slot);

#endif /* WAVECTL_TOP_SAMPLE_H */
