// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in a target: see traps.h.
 */
#include "traps.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trap_prog.h"
#include "until.h"

#define FREE_ROUNDS 8
#define NUM_FREED 40

void test_memory(void **state)
{
	static char page[3 * 4096], back[3 * 4096];
	struct amdgpudbg_mem_alloc b, other;
	unsigned int i;

	(void)state;
	assert_int_equal(mem_alloc(dev, &b, 0, 2 * 4096 + 1), 0);
	assert_int_equal(b.bytes, 3 * 4096);
	assert_int_not_equal(b.id, 0);
	assert_int_not_equal(b.va, 0);
	assert_int_equal(mem_alloc(dev, &other, AMDGPUDBG_MEM_ALLOC_UNCACHED,
				   1), 0);
	assert_int_equal(other.bytes, 4096);
	assert_true(other.id != b.id);
	assert_true(other.va >= b.va + b.bytes || b.va >= other.va + 4096);

	/* New memory is zero, and what is written is read. */
	memset(back, 1, sizeof(back));
	assert_int_equal(mem_read(dev, b.id, 0, back, sizeof(back)), 0);
	assert_memory_equal(back, page, sizeof(page));
	for (i = 0; i < sizeof(page); i++)
		page[i] = i * 7 + i / 256;
	assert_int_equal(mem_write(dev, b.id, 0, page, sizeof(page)), 0);
	assert_int_equal(mem_write(dev, b.id, 4095, page, 2), 0);
	memcpy(page + 4095, page, 2);
	assert_int_equal(mem_read(dev, b.id, 0, back, sizeof(back)), 0);
	assert_memory_equal(back, page, sizeof(page));
	assert_int_equal(mem_read(dev, other.id, 0, back, 4096), 0);
	for (i = 0; i < 4096; i++)
		assert_int_equal(back[i], 0);

	assert_int_equal(mem_free(dev, other.id), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	assert_int_equal(mem_free(dev, b.id), -ENOENT);
	assert_int_equal(mem_read(dev, b.id, 0, back, 1), -ENOENT);
	assert_true(until(is_free, &b, DEADLINE_S));
	memset(page, 0, sizeof(page));
}

/* The GPU reaches it: the kernel's arguments and results are there. */
void test_gpu_uses_memory(void **state)
{
	struct amdgpudbg_mem_alloc args, out;
	struct prog_kernarg arg = {
		.in = prog.buf[PROG_IN].va,
		.ctl = prog.buf[PROG_CTL].va,
		.n = ITEMS,
	};
	struct codeobj_kernel kernel;
	struct gpu_dispatch d = {
		.kernel = &kernel,
		.code_va = prog.buf[PROG_CODE].va,
		.groups = ITEMS / PROG_GROUP,
		.group_size = PROG_GROUP,
	};
	uint32_t got[ITEMS], *in = prog.buf[PROG_IN].cpu;
	struct gpu_job job;
	unsigned int i;

	(void)state;
	assert_int_equal(mem_alloc(dev, &args, 0, sizeof(arg)), 0);
	assert_int_equal(mem_alloc(dev, &out, AMDGPUDBG_MEM_ALLOC_UNCACHED,
				   sizeof(got)), 0);
	arg.out = out.va;
	d.kernarg_va = args.va;
	assert_int_equal(mem_write(dev, args.id, 0, &arg, sizeof(arg)), 0);
	for (i = 0; i < ITEMS; i++)
		in[i] = ~i;
	assert_int_equal(codeobj_find(&prog.co, "trap_value", &kernel), 0);
	assert_int_equal(gpu_submit(&prog.gpu, &d, prog.buf, PROG_NUM_BUFS,
				    &job), 0);
	assert_int_equal(gpu_wait(&prog.gpu, &job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, &job);
	assert_int_equal(mem_read(dev, out.id, 0, got, sizeof(got)), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(got[i], ~i + 5);
	assert_int_equal(mem_free(dev, args.id), 0);
	assert_int_equal(mem_free(dev, out.id), 0);
}

/* A target's later jobs, and other buffers, do not wait for one that was freed. */
void test_free_busy(void **state)
{
	struct amdgpudbg_mem_alloc b, other;
	struct gpu_job job, later;

	(void)state;
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(mem_alloc(dev, &b, 0, 4096), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	assert_int_equal(mem_alloc(dev, &other, 0, 4096), 0);
	start_on(1, "trap_spin", &later);
	wait_begun();
	assert_int_equal(mem_free(dev, other.id), 0);
	stop_spinning();
	finish(&later, -1);
	finish(&job, -1);
	assert_true(until(is_free, &b, DEADLINE_S));
	assert_true(until(is_free, &other, DEADLINE_S));
}

/* A buffer that was freed counts until the worker that removes it has ended. */
static bool can_alloc(void *arg)
{
	struct amdgpudbg_mem_alloc b;

	(void)arg;
	return !mem_alloc(dev, &b, 0, 1) && !mem_free(dev, b.id);
}

/* What was freed, but is still there, has a limit. */
void test_free_too_many(void **state)
{
	struct amdgpudbg_mem_alloc freed[AMDGPUDBG_MEM_MAX_FREED], b;
	struct gpu_job job;
	unsigned int num = 0, i;
	int ret;

	(void)state;
	start("trap_spin", &job);
	wait_begun();
	/* What came too late to be used counts, too. */
	while (!(ret = mem_alloc(dev, &b, 0, 1))) {
		assert_in_range(num, 0, AMDGPUDBG_MEM_MAX_FREED - 1);
		assert_int_equal(mem_free(dev, b.id), 0);
		freed[num++] = b;
	}
	assert_int_equal(ret, -ENOSPC);
	assert_in_range(num, 1, AMDGPUDBG_MEM_MAX_FREED);
	assert_false(is_free(&freed[0]));
	stop_spinning();
	finish(&job, -1);
	for (i = 0; i < num; i++)
		assert_true(until(is_free, &freed[i], DEADLINE_S));
	assert_true(until(can_alloc, NULL, DEADLINE_S));
}

/*
 * A mapping that goes waits for the jobs that are there, and those that come later
 * wait for it. Here, jobs begin while many go, and the first ends only after the
 * second has begun.
 */
void test_free_between_jobs(void **state)
{
	struct amdgpudbg_mem_alloc b[NUM_FREED];
	struct gpu_job job, later;
	unsigned int round, i;

	(void)state;
	for (round = 0; round < FREE_ROUNDS; round++) {
		start("trap_spin", &job);
		wait_begun();
		for (i = 0; i < NUM_FREED; i++) {
			assert_int_equal(mem_alloc(dev, &b[i], 0, 1), 0);
			assert_int_equal(mem_free(dev, b[i].id), 0);
		}
		stop_spinning();
		finish(&job, -1);
		assert_true(until(is_free, &b[round], DEADLINE_S));

		start("trap_spin", &job);
		wait_begun();
		start_on(1, "trap_spin", &later);
		wait_begun();
		stop_spinning();
		finish(&later, -1);
		finish(&job, -1);
		for (i = 0; i < NUM_FREED; i++)
			assert_true(until(is_free, &b[i], DEADLINE_S));
	}
}

void test_memory_errors(void **state)
{
	struct amdgpudbg_mem_alloc b[AMDGPUDBG_MEM_MAX_BUFFERS], more;
	char c;
	int i;

	(void)state;
	assert_int_equal(mem_alloc(dev, &more, 0, 0), -EINVAL);
	assert_int_equal(mem_alloc(dev, &more, 0, AMDGPUDBG_MEM_MAX_BYTES + 1),
			 -EINVAL);
	assert_int_equal(mem_alloc(dev, &more, 0, UINT64_MAX), -EINVAL);
	assert_int_equal(mem_alloc(dev, &more, 4, 1), -EOPNOTSUPP);
	assert_int_equal(mem_free(dev, 0), -ENOENT);

	for (i = 0; i < AMDGPUDBG_MEM_MAX_BUFFERS; i++)
		assert_int_equal(mem_alloc(dev, &b[i], 0, 1), 0);
	assert_int_equal(mem_alloc(dev, &more, 0, 1), -ENOSPC);
	for (i = 1; i < AMDGPUDBG_MEM_MAX_BUFFERS; i++)
		assert_int_equal(mem_free(dev, b[i].id), 0);

	assert_int_equal(mem_read(dev, b[0].id, 4096, &c, 1), -EINVAL);
	assert_int_equal(mem_read(dev, b[0].id, 4095, &c, 2), -EINVAL);
	assert_int_equal(mem_read(dev, b[0].id, UINT64_MAX, &c, 2), -EINVAL);
	assert_int_equal(mem_read(dev, b[0].id, 1, &c, UINT64_MAX), -EINVAL);
	assert_int_equal(mem_read(dev, b[0].id, 4096, &c, 0), 0);
	assert_int_equal(mem_copy(dev, 2, b[0].id, 0, &c, 1), -EOPNOTSUPP);
	assert_int_equal(mem_read(dev, b[0].id, 0, (void *)1, 1), -EFAULT);
	assert_int_equal(mem_write(dev, b[0].id, 0, (void *)1, 1), -EFAULT);
	assert_int_equal(mem_free(dev, b[0].id), 0);
}

static bool can_take_region(void *arg)
{
	return !gpu_take(&prog.gpu, *(uint64_t *)arg, GPU_REGION);
}

uint64_t take_region(void)
{
	struct amdgpudbg_mem_alloc b;
	uint64_t region;

	assert_int_equal(mem_alloc(dev, &b, 0, 1), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	region = b.va & ~(GPU_REGION - 1);
	/* It, and what others have freed, goes when there are no jobs. */
	assert_true(until(can_take_region, &region, DEADLINE_S));
	return region;
}

void free_region(uint64_t va, uint64_t bytes)
{
	assert_int_equal(gpu_give(&prog.gpu, va, bytes), 0);
}

void give_region(uint64_t region)
{
	free_region(region, GPU_REGION);
}

/* A target has mapped all the addresses that are for buffers. */
void test_no_hole(void **state)
{
	struct amdgpudbg_mem_alloc b;
	uint64_t region = take_region();

	(void)state;
	assert_int_equal(mem_alloc(dev, &b, 0, 1), -EADDRNOTAVAIL);
	give_region(region);
	assert_int_equal(mem_alloc(dev, &b, 0, 1), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	assert_true(until(is_free, &b, DEADLINE_S));
}

/* All but a hole, which is found wherever it is, whenever there is room in it. */
void test_one_hole(void **state)
{
	static const uint64_t holes[][2] = {
		{ 0, 64 << 10 },
		{ 0x1234560000, 64 << 10 },
		{ 0x7fffff3000, 3 * 4096 },
		{ GPU_REGION - 4096, 4096 },
	};
	uint64_t region = take_region(), va, bytes;
	struct amdgpudbg_mem_alloc b, other;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(holes) / sizeof(holes[0]); i++) {
		va = region + holes[i][0];
		bytes = holes[i][1];
		free_region(va, bytes);
		assert_int_equal(mem_alloc(dev, &b, 0, bytes + 1),
				 -EADDRNOTAVAIL);
		assert_int_equal(mem_alloc(dev, &b, 0, bytes), 0);
		assert_int_equal(b.va, va);
		assert_int_equal(mem_alloc(dev, &other, 0, 1), -EADDRNOTAVAIL);
		assert_int_equal(mem_free(dev, b.id), 0);
		assert_true(until(is_free, &b, DEADLINE_S));
		assert_int_equal(gpu_take(&prog.gpu, va, bytes), 0);
	}
	give_region(region);
}

void test_without_target(void **state)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);
	struct amdgpudbg_mem_alloc b;
	char c;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(mem_alloc(fd, &b, 0, 1), -ENOTCONN);
	assert_int_equal(mem_free(fd, 1), -ENOTCONN);
	assert_int_equal(mem_read(fd, 1, 0, &c, 1), -ENOTCONN);
	assert_int_equal(set_handler(fd, 1 << 20, 4, 0, 0, NULL), -ENOTCONN);
	assert_int_equal(clear_handler(fd), -ENOTCONN);
	close(fd);
}
