/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job on a ring of the GPU, as users see it.
 */
#ifndef WAVECTL_JOB_H
#define WAVECTL_JOB_H

#include <stdint.h>

#include <amdgpudbg.h>

#define JOB_TEXT_MAX	48
#define JOB_FOR_EVER	UINT32_MAX	/* amdgpudbg_job.left_ms: the driver has no timeout */

/* Write the name of its ring. Returns @text. */
char *job_ring(const struct amdgpudbg_job *job, char text[JOB_TEXT_MAX]);
/* Write its number, "CONTEXT:JOB". Returns @text. */
char *job_name(const struct amdgpudbg_job *job, char text[JOB_TEXT_MAX]);
/* How long it executes, in milliseconds. @now: the time of the list. 0: it has not begun */
uint64_t job_age_ms(const struct amdgpudbg_job *job, uint64_t now);

#endif /* WAVECTL_JOB_H */
