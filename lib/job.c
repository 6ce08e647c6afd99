// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The jobs on the rings of a GPU, in memory that the library allocates.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define FIRST_JOBS	32
#define FIRST_IBS	128
#define MAX_TRIES	8

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

/* Replace a buffer. @before is freed also on failure. Return: 0: out of memory. */
static uint64_t grow(uint64_t before, uint32_t capacity, size_t size)
{
	free(at(before));
	return (uintptr_t)calloc(capacity, size);
}

ADBG_API int adbg_jobs_sized(struct adbg_session *session, struct amdgpudbg_job_list *list)
{
	int ret = -EMSGSIZE;

	list->jobs = 0;
	list->ibs = 0;
	list->capacity = FIRST_JOBS;
	list->ib_capacity = FIRST_IBS;
	for (int try = 0; ret == -EMSGSIZE && try < MAX_TRIES; try++) {
		list->jobs = grow(list->jobs, list->capacity, list->entry_size);
		list->ibs = grow(list->ibs, list->ib_capacity, sizeof(struct amdgpudbg_ib));
		if (!list->jobs || !list->ibs) {
			ret = adbg_failed(session, ABOUT_JOB, -ENOMEM);
			break;
		}
		ret = adbg_call(session, AMDGPUDBG_IOC_JOB_LIST, list);
		if (ret == -EMSGSIZE) {
			/* Include jobs that begin before the next call. */
			list->capacity = list->count + list->count / 4 + 16;
			list->ib_capacity = list->ib_count + list->ib_count / 4 + 64;
		}
	}
	if (ret)
		adbg_jobs_free(list);
	return ret;
}

ADBG_API void adbg_jobs_free(struct amdgpudbg_job_list *list)
{
	free(at(list->jobs));
	free(at(list->ibs));
	list->jobs = 0;
	list->ibs = 0;
	list->count = 0;
	list->ib_count = 0;
}

ADBG_API const struct amdgpudbg_job *
adbg_jobs_get(const struct amdgpudbg_job_list *list, size_t i)
{
	if (i >= list->count)
		return NULL;
	return at(list->jobs + i * list->entry_size);
}

ADBG_API const struct amdgpudbg_ib *
adbg_jobs_get_ib(const struct amdgpudbg_job_list *list, const struct amdgpudbg_job *job,
		 size_t i)
{
	const struct amdgpudbg_ib *ibs = at(list->ibs);

	if (i >= job->num_ibs || job->first_ib + i >= list->ib_count)
		return NULL;
	return &ibs[job->first_ib + i];
}
