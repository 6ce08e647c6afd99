// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl job list: the list of jobs, in memory that the library allocates. The output is in
 * transcripts/job.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

#define NOW 20000000000ull	/* 20 s */
#define MANY 100		/* more than the library first has room for */
#define PATIENCE_MS 60000

static struct run r;

static struct amdgpudbg_job job_of(uint32_t i)
{
	struct amdgpudbg_job job = {
		.ring = 9, .ring_type = 1, .me = 1, .pipe = 0, .queue = 1,
		.vmid = 3, .pasid = 0x8001, .pid = 4711, .job = 7 + i,
		.job_context = 41, .begin_time = NOW - 12345678901, .timeout_ms = PATIENCE_MS,
		.left_ms = PATIENCE_MS, .first_ib = 2 * i, .num_ibs = 2,
	};

	memcpy(job.ring_name, "comp_1.0.1", sizeof("comp_1.0.1"));
	if (!i) {
		job.flags = AMDGPUDBG_JOB_OLDEST;
		job.left_ms = 47654;
	}
	return job;
}

/* So many, of which those are written for which there is room */
static void give(struct amdgpudbg_job_list *list, uint32_t count)
{
	struct amdgpudbg_job *jobs = (void *)(uintptr_t)list->jobs;
	struct amdgpudbg_ib *ibs = (void *)(uintptr_t)list->ibs;

	assert_int_equal(list->size, sizeof(*list));
	assert_int_equal(list->flags, 0);
	assert_int_equal(list->entry_size, sizeof(*jobs));
	for (uint32_t i = 0; i < count && i < list->capacity; i++)
		jobs[i] = job_of(i);
	for (uint32_t i = 0; i < 2 * count && i < list->ib_capacity; i++)
		ibs[i] = (struct amdgpudbg_ib){ .va = 0x100001000 + 0x100 * i, .dwords = 16 + i };
	list->count = count;
	list->ib_count = 2 * count;
	list->time = NOW;
}

static void gives_many(void *arg)
{
	struct amdgpudbg_job_list *list = arg;

	give(list, MANY);
	assert_true(list->capacity < MANY);
}

static void gives_many_with_room(void *arg)
{
	struct amdgpudbg_job_list *list = arg;

	give(list, MANY);
	assert_true(list->capacity >= MANY && list->ib_capacity >= 2 * MANY);
}

#define JOBS(_check, _error) { \
	.request = AMDGPUDBG_IOC_JOB_LIST, .check = _check, .error = _error }

static void the_list_of_jobs_grows_as_needed(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, JOBS(gives_many, EMSGSIZE), JOBS(gives_many_with_room, 0),
	};
	struct json_object *o;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "--json job list"), 0);
	o = json_tokener_parse(r.out);
	int_is(o, "count", MANY);
	assert_int_equal(json_object_array_length(member(o, "jobs")), MANY);
	assert_int_equal(json_object_array_length(member(o, "indirect_buffers")), 2 * MANY);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(the_list_of_jobs_grows_as_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
