// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A compute program as users have them: runs kernels of tests/kernels through
 * libdrm_amdgpu and compares every result with the same kernel run on the CPU.
 *
 * compute [-n ITEMS] [-r RING] [-d NODE] KERNEL...
 *
 * The kernel "spin" runs until it is told to end: compute prints "running" once
 * all of its work-items have begun, and ends it when a line or the end of file
 * arrives on standard input.
 */
#include "gpu.h"
#include "kernels.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_ITEMS 1000
#define MAX_ITEMS (1 << 20)
#define GROUP 64
#define CTL_WORDS 64
#define DEADLINE_S 60

struct run {
	struct gpu gpu;
	struct codeobj co;
	struct gpu_buffer buf[5];	/* code, kernarg, out, in, ctl */
	unsigned int ring;
	uint32_t items;
};

enum { CODE, KERNARG, OUT, IN, CTL, NUM_BUFS };

struct kernarg {
	uint64_t out, in, ctl;
	uint32_t n;
};

uint32_t cpu_global_id;

static int64_t now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void fill_input(const struct kernel *k, uint32_t *in, uint32_t *ctl,
		       uint32_t items)
{
	uint32_t x = 0x9e3779b9, i;
	float f;

	for (i = 0; i < 2 * items; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		if (k->float_input) {
			f = (float)(int32_t)x / 65536.0f;
			memcpy(&in[i], &f, sizeof(f));
		} else {
			in[i] = x;
		}
	}
	memset(ctl, 0, CTL_WORDS * 4);
	f = 2.5f;
	memcpy(&ctl[2], &f, sizeof(f));
	ctl[20] = 0xffffffff;
	ctl[22] = 0xffffffff;
}

static int wait_spin(struct run *r)
{
	volatile uint32_t *ctl = r->buf[CTL].cpu;
	uint32_t begun = (r->items + GROUP - 1) / GROUP * GROUP;
	int64_t deadline = now_s() + DEADLINE_S;
	char c;

	while (ctl[1] != begun) {
		if (now_s() > deadline) {
			fprintf(stderr, "compute: %u of %u work-items began\n",
				ctl[1], begun);
			return -ETIME;
		}
		sched_yield();
	}
	printf("running\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		;
	ctl[0] = 1;
	return 0;
}

static int compare(const struct run *r, const struct kernel *k,
		   const uint32_t *ref_out, const uint32_t *ref_ctl)
{
	const uint32_t *out = r->buf[OUT].cpu, *ctl = r->buf[CTL].cpu;
	unsigned int wrong = 0;
	uint32_t i;

	for (i = 0; i < r->items; i++) {
		if (out[i] != ref_out[i] && wrong++ < 5)
			fprintf(stderr, "compute: %s: out[%u] is %08x, not %08x\n",
				k->name, i, out[i], ref_out[i]);
	}
	/* The words before are for control. */
	for (i = 16; i < CTL_WORDS; i++) {
		if (ctl[i] != ref_ctl[i] && wrong++ < 5)
			fprintf(stderr, "compute: %s: ctl[%u] is %08x, not %08x\n",
				k->name, i, ctl[i], ref_ctl[i]);
	}
	printf("%s: %u results, %u wrong\n", k->name, r->items, wrong);
	fflush(stdout);
	return wrong ? -EIO : 0;
}

static int reference(const struct run *r, const struct kernel *k,
		     uint32_t **out, uint32_t *ctl)
{
	uint32_t groups = (r->items + GROUP - 1) / GROUP;
	uint32_t *in = r->buf[IN].cpu;

	*out = calloc(r->items, 4);
	if (!*out)
		return -ENOMEM;
	memcpy(ctl, r->buf[CTL].cpu, CTL_WORDS * 4);
	ctl[0] = 1;	/* do not wait */
	for (cpu_global_id = 0; cpu_global_id < groups * GROUP; cpu_global_id++)
		k->cpu(*out, in, ctl, r->items);
	return 0;
}

static int run_kernel(struct run *r, const struct kernel *k)
{
	struct kernarg *arg = r->buf[KERNARG].cpu;
	struct codeobj_kernel ck;
	struct gpu_dispatch d = {
		.kernel = &ck,
		.code_va = r->buf[CODE].va,
		.kernarg_va = r->buf[KERNARG].va,
		.groups = (r->items + GROUP - 1) / GROUP,
		.group_size = GROUP,
		.ring = r->ring,
	};
	uint32_t ref_ctl[CTL_WORDS], *ref_out = NULL;
	struct gpu_job job;
	int ret;

	ret = codeobj_find(&r->co, k->name, &ck);
	if (ret)
		return ret;
	*arg = (struct kernarg){
		.out = r->buf[OUT].va,
		.in = r->buf[IN].va,
		.ctl = r->buf[CTL].va,
		.n = r->items,
	};
	memset(r->buf[OUT].cpu, 0, r->buf[OUT].size);
	fill_input(k, r->buf[IN].cpu, r->buf[CTL].cpu, r->items);
	ret = reference(r, k, &ref_out, ref_ctl);
	if (!ret)
		ret = gpu_submit(&r->gpu, &d, r->buf, NUM_BUFS, &job);
	if (ret)
		goto out;
	if (k->spins)
		ret = wait_spin(r);
	if (!ret)
		ret = gpu_wait(&r->gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	if (!ret)
		ret = compare(r, k, ref_out, ref_ctl);
	gpu_job_free(&r->gpu, &job);
out:
	free(ref_out);
	if (ret)
		fprintf(stderr, "compute: %s: %s\n", k->name, strerror(-ret));
	return ret;
}

static int set_up(struct run *r, const char *node, const char *code)
{
	const uint64_t size[NUM_BUFS] = {
		[KERNARG] = sizeof(struct kernarg),
		[OUT] = r->items * 4ull,
		[IN] = r->items * 8ull,
		[CTL] = CTL_WORDS * 4,
	};
	unsigned int i;
	int ret;

	ret = codeobj_load(&r->co, code);
	if (ret) {
		fprintf(stderr, "compute: %s: %s\n", code, strerror(-ret));
		return ret;
	}
	ret = gpu_open(&r->gpu, node);
	if (ret) {
		fprintf(stderr, "compute: %s: %s\n", node, strerror(-ret));
		return ret;
	}
	for (i = 0; i < NUM_BUFS && !ret; i++)
		ret = gpu_alloc(&r->gpu, &r->buf[i],
				i == CODE ? r->co.size : size[i]);
	if (ret) {
		fprintf(stderr, "compute: no buffer: %s\n", strerror(-ret));
		return ret;
	}
	memcpy(r->buf[CODE].cpu, r->co.image, r->co.size);
	return 0;
}

static void take_down(struct run *r)
{
	unsigned int i;

	for (i = 0; i < NUM_BUFS; i++)
		gpu_free(&r->gpu, &r->buf[i]);
	gpu_close(&r->gpu);
	codeobj_unload(&r->co);
}

static int usage(void)
{
	const struct kernel *k;

	fprintf(stderr, "usage: compute [-n ITEMS] [-r RING] [-d NODE] [-c CODE_OBJECT] KERNEL...\nkernels:");
	for (k = kernels; k->name; k++)
		fprintf(stderr, " %s", k->name);
	fprintf(stderr, "\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *node = "/dev/dri/renderD128";
	const char *code = "/usr/share/amdgpudbg/kernels.co";
	struct run r = { .items = DEFAULT_ITEMS };
	const struct kernel *k;
	int opt, ret = 0;

	while ((opt = getopt(argc, argv, "n:r:d:c:")) != -1) {
		if (opt == 'n')
			r.items = strtoul(optarg, NULL, 0);
		else if (opt == 'r')
			r.ring = strtoul(optarg, NULL, 0);
		else if (opt == 'd')
			node = optarg;
		else if (opt == 'c')
			code = optarg;
		else
			return usage();
	}
	if (optind == argc || !r.items || r.items > MAX_ITEMS)
		return usage();
	if (set_up(&r, node, code))
		return 1;
	for (; optind < argc && !ret; optind++) {
		k = kernel_find(argv[optind]);
		if (!k)
			return usage();
		ret = run_kernel(&r, k);
	}
	/* After a failed job its buffers may still be in use. */
	if (!ret)
		take_down(&r);
	return ret ? 1 : 0;
}
