// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that loads and unloads a code object while it runs, by commands.
 *
 * reload CODE_OBJECT KERNEL
 *
 * It runs the kernel "spin" of another code object once, and prints "running". Then each line of
 * standard input is a command, and it prints the command when that is done:
 *
 *	load	load CODE_OBJECT at another address than before
 *	reload	load it at the same address again
 *	run	run KERNEL of it
 *	spin	run "spin" of the first code object
 *	unload	free its memory
 */
#include "prog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ITEMS 64
#define MAX_LOADS 16

struct reload {
	struct prog first, late;
	struct gpu_buffer spacers[MAX_LOADS];	/* where the code object was before */
	unsigned int num_spacers;
	const char *kernel;
};

static int run(struct prog *p, const char *kernel)
{
	struct gpu_job job;
	int ret;

	prog_ctl(p)[0] = 1;		/* "spin" ends at once */
	ret = prog_submit(p, kernel, &job);
	if (ret)
		return ret;
	ret = gpu_wait(&p->gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	gpu_job_free(&p->gpu, &job);
	return ret;
}

static void unload(struct reload *r)
{
	gpu_free(&r->first.gpu, &r->late.buf[PROG_CODE]);
}

/* @moves: something else takes the memory in which it was before. */
static int load(struct reload *r, bool moves)
{
	struct gpu_buffer *code = &r->late.buf[PROG_CODE];
	int ret = 0;

	if (moves && r->num_spacers == MAX_LOADS)
		return -ENOSPC;
	if (moves)
		ret = gpu_alloc(&r->first.gpu, &r->spacers[r->num_spacers++], r->late.co.size);
	if (!ret)
		ret = gpu_alloc(&r->first.gpu, code, r->late.co.size);
	if (!ret)
		memcpy(code->cpu, r->late.co.image, r->late.co.size);
	return ret;
}

static int execute(struct reload *r, const char *command)
{
	if (!strcmp(command, "load"))
		return load(r, true);
	if (!strcmp(command, "reload"))
		return load(r, false);
	if (!strcmp(command, "run"))
		return run(&r->late, r->kernel);
	if (!strcmp(command, "spin"))
		return run(&r->first, "spin");
	if (strcmp(command, "unload"))
		return -EINVAL;
	unload(r);
	return 0;
}

/* Both use the same device and the same buffers, except for the code. */
static int open_both(struct reload *r, const char *code)
{
	int ret = prog_open(&r->first, NULL, NULL, ITEMS, 0);

	if (ret)
		return ret;
	r->late = r->first;
	memset(&r->late.buf[PROG_CODE], 0, sizeof(r->late.buf[PROG_CODE]));
	return codeobj_load(&r->late.co, code);
}

int main(int argc, char **argv)
{
	struct reload r = { .kernel = argc == 3 ? argv[2] : NULL };
	char line[32];
	int ret;

	if (!r.kernel) {
		fprintf(stderr, "usage: reload CODE_OBJECT KERNEL\n");
		return 2;
	}
	ret = open_both(&r, argv[1]);
	if (!ret)
		ret = run(&r.first, "spin");
	printf("running\n");
	fflush(stdout);
	while (!ret && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		ret = execute(&r, line);
		if (!ret)
			printf("%s\n", line);
		fflush(stdout);
	}
	if (ret) {
		fprintf(stderr, "reload: %s\n", strerror(-ret));
		return 1;
	}
	codeobj_unload(&r.late.co);
	prog_close(&r.first);
	return 0;
}
