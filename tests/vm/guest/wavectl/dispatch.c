// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one kernel of any code object once, and prints the buffers that it got.
 *
 * dispatch CODE_OBJECT KERNEL GROUPS GROUP_SIZE ARGUMENT...
 *
 * The arguments are those of the kernel, in order: 32:NUMBER and 64:NUMBER are integers of as many
 * bits, buffer:BYTES is the address of a buffer of zeros. Each buffer is printed as its words in
 * hexadecimal, a line each. Arguments that the compiler has added are zero, except for the dispatch
 * packet, which contains the size of the grid (HSA Runtime 1.2, hsa_kernel_dispatch_packet_t).
 */
#include "gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODE "/dev/dri/renderD128"

enum { BUF_CODE, BUF_KERNARG, BUF_FIRST, MAX_BUFS = 8 };

/* The packet is in the buffer of the arguments, behind them. */
#define PACKET_AT	4096
#define KERNARG_BYTES	8192

/* The beginning of hsa_kernel_dispatch_packet_t */
struct packet {
	uint16_t header, setup;
	uint16_t group_size[3], reserved;
	uint32_t grid_size[3];
	uint32_t private_bytes, lds_bytes;
	uint64_t kernel_object, kernarg;
};

struct dispatch {
	struct gpu gpu;
	struct codeobj co;
	struct codeobj_kernel kernel;
	struct gpu_buffer bufs[MAX_BUFS];
	size_t bytes[MAX_BUFS];
	unsigned int num_bufs;
	size_t kernarg_used;
};

static int add_buffer(struct dispatch *d, size_t bytes)
{
	int ret;

	if (d->num_bufs == MAX_BUFS)
		return -E2BIG;
	ret = gpu_alloc(&d->gpu, &d->bufs[d->num_bufs], bytes);
	if (ret)
		return ret;
	memset(d->bufs[d->num_bufs].cpu, 0, bytes);
	d->bytes[d->num_bufs++] = bytes;
	return 0;
}

/* Arguments are aligned as in C. */
static int add_argument(struct dispatch *d, const void *value, size_t bytes)
{
	size_t at = (d->kernarg_used + bytes - 1) / bytes * bytes;

	if (at + bytes > PACKET_AT)
		return -E2BIG;
	memcpy((uint8_t *)d->bufs[BUF_KERNARG].cpu + at, value, bytes);
	d->kernarg_used = at + bytes;
	return 0;
}

static int parse_argument(struct dispatch *d, const char *text)
{
	const char *colon = strchr(text, ':');
	uint64_t number;
	uint32_t word;
	char *end;
	int ret;

	if (!colon)
		return -EINVAL;
	number = strtoull(colon + 1, &end, 0);
	if (*end)
		return -EINVAL;
	word = number;
	if (!strncmp(text, "32:", 3))
		return add_argument(d, &word, sizeof(word));
	if (!strncmp(text, "64:", 3))
		return add_argument(d, &number, sizeof(number));
	if (strncmp(text, "buffer:", 7))
		return -EINVAL;
	ret = add_buffer(d, number);
	return ret ? ret : add_argument(d, &d->bufs[d->num_bufs - 1].va, sizeof(uint64_t));
}

static int set_up(struct dispatch *d, char **argv)
{
	int ret = codeobj_load(&d->co, argv[1]);

	if (!ret)
		ret = codeobj_find(&d->co, argv[2], &d->kernel);
	if (!ret)
		ret = gpu_open(&d->gpu, NODE);
	if (!ret)
		ret = add_buffer(d, d->co.size);
	if (!ret)
		ret = add_buffer(d, KERNARG_BYTES);
	if (!ret)
		memcpy(d->bufs[BUF_CODE].cpu, d->co.image, d->co.size);
	for (argv += 5; !ret && *argv; argv++)
		ret = parse_argument(d, *argv);
	return ret;
}

static int run(struct dispatch *d, uint32_t groups, uint32_t group_size)
{
	const struct gpu_buffer *kernarg = &d->bufs[BUF_KERNARG];
	const struct gpu_dispatch dispatch = {
		.kernel = &d->kernel,
		.code_va = d->bufs[BUF_CODE].va,
		.kernarg_va = kernarg->va,
		.packet_va = kernarg->va + PACKET_AT,
		.groups = groups,
		.group_size = group_size,
	};
	struct packet *packet = (void *)((uint8_t *)kernarg->cpu + PACKET_AT);
	struct gpu_job job;
	int ret;

	*packet = (struct packet){
		.setup = 1,	/* dimensions */
		.group_size = { group_size, 1, 1 },
		.grid_size = { groups * group_size, 1, 1 },
		.kernarg = kernarg->va,
	};
	ret = gpu_submit(&d->gpu, &dispatch, d->bufs, d->num_bufs, &job);
	if (ret)
		return ret;
	ret = gpu_wait(&d->gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	gpu_job_free(&d->gpu, &job);
	return ret;
}

static void print_buffers(const struct dispatch *d)
{
	unsigned int i;
	size_t word;

	for (i = BUF_FIRST; i < d->num_bufs; i++)
		for (word = 0; word < d->bytes[i] / 4; word++)
			printf("%08x\n", ((const uint32_t *)d->bufs[i].cpu)[word]);
}

int main(int argc, char **argv)
{
	struct dispatch d = { .num_bufs = 0 };
	int ret;

	if (argc < 5) {
		fprintf(stderr, "usage: dispatch CODE_OBJECT KERNEL GROUPS GROUP_SIZE ARGUMENT...\n");
		return 2;
	}
	ret = set_up(&d, argv);
	if (!ret)
		ret = run(&d, strtoul(argv[3], NULL, 0), strtoul(argv[4], NULL, 0));
	if (ret) {
		fprintf(stderr, "dispatch: %s\n", strerror(-ret));
		return 1;
	}
	print_buffers(&d);
	return 0;
}
