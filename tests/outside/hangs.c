// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the job that hangs. Prints one line for each job that is on a ring of the GPU:
 *
 * outside-hangs [-g GPU] [-p PID] [-m MILLISECONDS]
 *
 *	RING JOB CONTEXT PID PROGRAM PASID VMID AGE LEFT STATE IBS
 *
 * AGE and LEFT are in milliseconds: the time since the job was put on its ring, and the time
 * until the driver considers the ring hung. STATE is "held" if the timeout of the ring is
 * held; otherwise it is "oldest" for the job that the ring executes and "waits" for all later
 * jobs. IBS is the address of the first command buffer, and the number of these buffers. -m leaves
 * out jobs that are younger than MILLISECONDS.
 */
#include "outside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct jobs {
	struct amdgpudbg_job_list list;
	struct amdgpudbg_job *jobs;
	struct amdgpudbg_ib *ibs;
};

/* Jobs may be added between two calls, so the second one has room for some more. */
static void get_jobs(int session, struct jobs *j)
{
	__u32 jobs = 64, ibs = 256;

	for (;;) {
		j->jobs = allocate(jobs, sizeof(*j->jobs));
		j->ibs = allocate(ibs, sizeof(*j->ibs));
		j->list = (struct amdgpudbg_job_list){
			.size = sizeof(j->list), .entry_size = sizeof(*j->jobs),
			.capacity = jobs, .ib_capacity = ibs,
			.jobs = (uintptr_t)j->jobs, .ibs = (uintptr_t)j->ibs,
		};
		if (!ioctl(session, AMDGPUDBG_IOC_JOB_LIST, &j->list))
			return;
		if (errno != EMSGSIZE)
			fail_call("JOB_LIST", j->list.busy);
		free(j->jobs);
		free(j->ibs);
		jobs = j->list.count + 64;
		ibs = j->list.ib_count + 256;
	}
}

/* program: "-" if the job has no process, or the process has ended */
static void program(pid_t pid, char *name, size_t size)
{
	char path[32];
	FILE *file;

	snprintf(name, size, "-");
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = pid ? fopen(path, "r") : NULL;
	if (!file)
		return;
	if (fgets(name, size, file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
}

static const char *state(const struct amdgpudbg_job *job)
{
	if (job->flags & AMDGPUDBG_JOB_HELD)
		return "held";
	return job->flags & AMDGPUDBG_JOB_OLDEST ? "oldest" : "waits";
}

static __u64 age_ms(const struct amdgpudbg_job_list *list, const struct amdgpudbg_job *job)
{
	if (!job->begin_time || job->begin_time > list->time)
		return 0;
	return (list->time - job->begin_time) / 1000000;
}

static void print_job(const struct jobs *j, const struct amdgpudbg_job *job)
{
	char name[32], left[16] = "forever";

	program(job->pid, name, sizeof(name));
	if (job->left_ms != 0xffffffff)
		snprintf(left, sizeof(left), "%u", job->left_ms);
	printf("%.*s %" PRIu64 " %" PRIu64 " %d %s %u %u %" PRIu64 " %s %s ",
	       (int)sizeof(job->ring_name), job->ring_name, (uint64_t)job->job,
	       (uint64_t)job->job_context, job->pid, name, job->pasid, job->vmid,
	       (uint64_t)age_ms(&j->list, job), left, state(job));
	if (job->num_ibs)
		printf("0x%" PRIx64 "+%u\n", (uint64_t)j->ibs[job->first_ib].va, job->num_ibs);
	else
		printf("-\n");
}

int main(int argc, char **argv)
{
	struct amdgpudbg_target_set target;
	struct amdgpudbg_info info;
	unsigned int gpu = 0;
	unsigned long min = 0;
	int session, option;
	struct jobs j;
	pid_t pid = 0;
	__u32 i;

	while ((option = getopt(argc, argv, "g:p:m:")) != -1) {
		switch (option) {
		case 'g':
			gpu = number(optarg, 0, 255);
			break;
		case 'p':
			pid = number(optarg, 1, 0x7fffffff);
			break;
		case 'm':
			min = number(optarg, 0, 0xffffffff);
			break;
		default:
			return 2;
		}
	}
	session = open_session(gpu, &info);
	if (pid)
		take_target(session, pid, &target);
	get_jobs(session, &j);
	for (i = 0; i < j.list.count; i++) {
		if (age_ms(&j.list, &j.jobs[i]) >= min)
			print_job(&j, &j.jobs[i]);
	}
	free(j.jobs);
	free(j.ibs);
	return 0;
}
