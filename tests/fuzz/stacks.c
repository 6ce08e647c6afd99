// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel stacks of threads, which show what a round that does not end waits for. */
#define _GNU_SOURCE
#include "supervise.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void visit_numbers(const char *path, void (*visit)(pid_t number))
{
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (atoi(e->d_name) > 0)
			visit(atoi(e->d_name));
	}
	if (dir)
		closedir(dir);
}

static void read_stack(pid_t tid, char *stack, size_t size)
{
	size_t len = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stack", tid);
	f = fopen(path, "r");
	if (f) {
		len = fread(stack, 1, size - 1, f);
		fclose(f);
	}
	stack[len] = '\0';
}

static void print_stack(pid_t tid, const char *stack)
{
	const char *end;

	printf("# thread %d waits in\n", tid);
	for (; *stack; stack = end + (*end == '\n')) {
		end = strchrnul(stack, '\n');
		printf("#   %.*s\n", (int)(end - stack), stack);
	}
}

void show_stack(pid_t tid)
{
	char stack[4096];

	read_stack(tid, stack, sizeof(stack));
	print_stack(tid, stack);
}

static void show_if_in_amdgpu(pid_t tid)
{
	char stack[4096];

	read_stack(tid, stack, sizeof(stack));
	if (strstr(stack, "[amdgpu]"))
		print_stack(tid, stack);
}

static void visit_threads(pid_t pid, void (*visit)(pid_t tid))
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	visit_numbers(path, visit);
}

void show_stacks(pid_t pid)
{
	visit_threads(pid, show_stack);
}

static void show_process_in_amdgpu(pid_t pid)
{
	visit_threads(pid, show_if_in_amdgpu);
}

void show_amdgpu_stacks(void)
{
	visit_numbers("/proc", show_process_in_amdgpu);
}
