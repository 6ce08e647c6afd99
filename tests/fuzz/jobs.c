// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the GPU scheduler did last, for a round that does not end. A thread that waits for a
 * fence in amdgpu shows neither whose job the fence belongs to, nor what that job waits for.
 */
#define _GNU_SOURCE
#include "supervise.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/instances/fuzz/"
#define MAX_FENCES 8192

static int write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
	bool written = fd >= 0 && write(fd, text, strlen(text)) >= 0;

	if (fd >= 0)
		close(fd);
	return written ? 0 : -1;
}

void jobs_trace(void)
{
	mkdir(TRACING, 0700);
	write_to(TRACING "buffer_size_kb", "8192");
	/* Names of tasks need further tracepoints, in the kernel's scheduler. */
	write_to(TRACING "options/record-cmd", "0");
	if (write_to(TRACING "events/gpu_scheduler/enable", "1"))
		printf("# The kernel does not trace the GPU scheduler.\n");
}

static void show_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		printf("# %s", line);
	if (f)
		fclose(f);
}

/* A fence that the trace names, by the text of its pointer. Addresses are used again. */
struct fence {
	char name[20];
	bool is_signaled;
};

/* Find the fence in a line of the trace, or add it. NULL: the line names none. */
static struct fence *fence_of(const char *line, struct fence *fences, size_t *num)
{
	const char *at = strstr(line, "fence=");
	char name[sizeof(fences->name)];
	size_t i = 0;

	if (!at || sscanf(at + strlen("fence="), "%19[0-9a-f]", name) != 1)
		return NULL;
	while (i < *num && strcmp(fences[i].name, name))
		i++;
	if (i == MAX_FENCES)
		return NULL;
	if (i == *num)
		strcpy(fences[(*num)++].name, name);
	return &fences[i];
}

/* Call @look for each line of the trace that names a fence. */
static void each_line(struct fence *fences, size_t *num,
		      void (*look)(const char *line, struct fence *fence))
{
	FILE *f = fopen(TRACING "trace", "r");
	struct fence *fence;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		fence = fence_of(line, fences, num);
		if (fence)
			look(line, fence);
	}
	if (f)
		fclose(f);
}

static void note(const char *line, struct fence *fence)
{
	if (strstr(line, " signaled"))
		fence->is_signaled = true;
	else if (strstr(line, "drm_sched_job: "))
		fence->is_signaled = false;
}

static void show_if_open(const char *line, struct fence *fence)
{
	if (!fence->is_signaled)
		printf("# %s", line);
}

/* Print what the trace has of jobs that have not ended, and of what these wait for. */
static void show_trace(void)
{
	static struct fence fences[MAX_FENCES];
	size_t num = 0;

	each_line(fences, &num, note);
	each_line(fences, &num, show_if_open);
}

void show_jobs(void)
{
	static bool shown;
	glob_t found;
	size_t i;

	if (shown)
		return;
	shown = true;
	write_to(TRACING "tracing_on", "0");
	if (!glob("/sys/kernel/debug/dri/*/amdgpu_fence_info", 0, NULL, &found)) {
		for (i = 0; i < found.gl_pathc; i++)
			show_file(found.gl_pathv[i]);
		globfree(&found);
	}
	show_trace();
}
