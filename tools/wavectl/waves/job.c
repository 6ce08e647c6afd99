// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job on a ring of the GPU: see job.h.
 */
#include "waves/job.h"

#include <stdio.h>
#include <string.h>

char *job_ring(const struct amdgpudbg_job *job, char text[JOB_TEXT_MAX])
{
	size_t length = strnlen(job->ring_name, sizeof(job->ring_name));

	_Static_assert(sizeof(job->ring_name) < JOB_TEXT_MAX, "the name of a ring fits");
	memcpy(text, job->ring_name, length);
	text[length] = '\0';
	return text;
}

char *job_name(const struct amdgpudbg_job *job, char text[JOB_TEXT_MAX])
{
	snprintf(text, JOB_TEXT_MAX, "%llu:%llu", (unsigned long long)job->job_context,
		 (unsigned long long)job->job);
	return text;
}

uint64_t job_age_ms(const struct amdgpudbg_job *job, uint64_t now)
{
	return job->begin_time && now > job->begin_time ? (now - job->begin_time) / 1000000 : 0;
}
