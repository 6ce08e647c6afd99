// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets up and dispatches the kernels of tests/kernels.
 */
#include "prog.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "until.h"

#define NODE "/dev/dri/renderD128"
#define CODE_OBJECT "/usr/share/amdgpudbg/kernels.co"
#define DEADLINE_S 60

/* For its segments, and for all of the file */
static uint64_t code_size(const struct codeobj *co)
{
	return co->size > co->file_size ? co->size : co->file_size;
}

int prog_open(struct prog *p, const char *node, const char *code,
	      uint32_t items, unsigned int ring)
{
	const uint64_t size[PROG_NUM_BUFS] = {
		[PROG_KERNARG] = sizeof(struct prog_kernarg),
		[PROG_OUT] = items * 4ull,
		[PROG_IN] = items * 8ull,
		[PROG_CTL] = PROG_CTL_WORDS * 4,
	};
	unsigned int i;
	int ret;

	memset(p, 0, sizeof(*p));
	p->items = items;
	p->ring = ring;
	node = node ? node : NODE;
	code = code ? code : CODE_OBJECT;
	ret = codeobj_load(&p->co, code);
	if (ret) {
		fprintf(stderr, "%s: %s\n", code, strerror(-ret));
		return ret;
	}
	ret = gpu_open(&p->gpu, node);
	if (ret) {
		fprintf(stderr, "%s: %s\n", node, strerror(-ret));
		return ret;
	}
	for (i = 0; i < PROG_NUM_BUFS && !ret; i++)
		ret = gpu_alloc(&p->gpu, &p->buf[i],
				i == PROG_CODE ? code_size(&p->co) : size[i]);
	if (ret) {
		fprintf(stderr, "no buffer: %s\n", strerror(-ret));
		return ret;
	}
	memcpy(p->buf[PROG_CODE].cpu, p->co.image, p->co.size);
	return 0;
}

void prog_put_file(struct prog *p)
{
	memset(p->buf[PROG_CODE].cpu, 0, p->co.size);
	memcpy(p->buf[PROG_CODE].cpu, p->co.file, p->co.file_size);
	p->as_file = true;
}

void prog_close(struct prog *p)
{
	unsigned int i;

	for (i = 0; i < PROG_NUM_BUFS; i++)
		gpu_free(&p->gpu, &p->buf[i]);
	gpu_close(&p->gpu);
	codeobj_unload(&p->co);
}

int prog_submit(struct prog *p, const char *kernel, struct gpu_job *job)
{
	struct prog_kernarg *arg = p->buf[PROG_KERNARG].cpu;
	uint32_t group_size = p->group_size ? p->group_size : PROG_GROUP;
	struct codeobj_kernel ck;
	struct gpu_dispatch d = {
		.kernel = &ck,
		.code_va = p->buf[PROG_CODE].va + (p->as_file ? p->co.text_in_file : 0),
		.kernarg_va = p->buf[PROG_KERNARG].va,
		.groups = (p->items + group_size - 1) / group_size,
		.group_size = group_size,
		.lds_bytes = p->lds_bytes,
		.graphics = p->graphics,
		.ring = p->ring,
		.again_va = p->again ? p->buf[PROG_CTL].va + p->again * 4 : 0,
	};
	int ret;

	ret = codeobj_find(&p->co, kernel, &ck);
	if (ret)
		return ret;
	*arg = (struct prog_kernarg){
		.out = p->buf[PROG_OUT].va,
		.in = p->buf[PROG_IN].va,
		.ctl = p->buf[PROG_CTL].va,
		.n = p->items,
	};
	return gpu_submit(&p->gpu, &d, p->buf, PROG_NUM_BUFS, job);
}

int prog_wait(struct prog *p, unsigned int word, uint32_t value)
{
	const volatile uint32_t *ctl = prog_ctl(p);
	int64_t deadline = deadline_ns(DEADLINE_S);

	while (ctl[word] < value) {
		if (now_ns() > deadline)
			return -ETIME;
		sched_yield();
	}
	return 0;
}
