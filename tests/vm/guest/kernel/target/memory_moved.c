// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that the driver is moving: see memory.h. The copy is a job of the DMA engine. It waits
 * for an earlier job of this process, which waits for a word in memory.
 */
#include "memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <xf86drm.h>

#include "busy.h"
#include "until.h"

/*
 * navi10_sdma_pkt_open.h (Linux 6.1): write words to memory; wait until a word there is
 * the reference value
 */
#define SDMA_WRITE 2
#define SDMA_POLL_MEM (8 | 3 << 28 | 1u << 31)
#define SDMA_POLL_FOR_EVER (0xfff << 16 | 10)
#define IB_DWORDS 16	/* the rest of them NOP, which is 0 */

/* Words of memory that the engine and this process tell each other something by */
enum { BEGUN, RELEASE };

/* @also: what the job uses, beside its own code */
static void submit_dma(struct gpu_job *job, amdgpu_bo_handle also)
{
	amdgpu_bo_handle bos[] = { job->ib.bo, also };
	struct amdgpu_cs_ib_info ib = {
		.ib_mc_address = job->ib.va, .size = IB_DWORDS,
	};
	struct amdgpu_cs_request req = {
		.ip_type = AMDGPU_HW_IP_DMA, .number_of_ibs = 1, .ibs = &ib,
	};

	assert_int_equal(amdgpu_bo_list_create(prog.gpu.dev, 2, bos, NULL,
					       &req.resources), 0);
	assert_int_equal(amdgpu_cs_submit(prog.gpu.ctx, 0, &req, 1), 0);
	amdgpu_bo_list_destroy(req.resources);
	job->fence = (struct amdgpu_cs_fence){
		.context = prog.gpu.ctx, .ip_type = AMDGPU_HW_IP_DMA,
		.fence = req.seq_no,
	};
}

static bool has_begun(void *words)
{
	return ((volatile uint32_t *)words)[BEGUN] == 1;
}

/* Block the DMA engine until it is released. */
static void hold_dma(struct gpu_job *job, const struct gpu_buffer *words)
{
	const uint64_t begun = words->va + BEGUN * 4;
	const uint64_t release = words->va + RELEASE * 4;
	const uint32_t ib[] = {
		SDMA_WRITE, begun, begun >> 32, 0, 1,
		SDMA_POLL_MEM, release, release >> 32, 1, ~0u, SDMA_POLL_FOR_EVER,
	};

	memcpy(job->ib.cpu, ib, sizeof(ib));
	submit_dma(job, words->bo);
	/* Else the driver's own jobs come first. */
	assert_true(until(has_begun, words->cpu, DEADLINE_S));
}

/* It is to be in system memory from now on, and is moved for the next job. */
static void want_in_system(const struct bo *b)
{
	struct drm_amdgpu_gem_op op = {
		.op = AMDGPU_GEM_OP_SET_PLACEMENT,
		.value = AMDGPU_GEM_DOMAIN_GTT,
	};

	assert_int_equal(amdgpu_bo_export(b->bo, amdgpu_bo_handle_type_kms,
					  &op.handle), 0);
	assert_int_equal(drmCommandWriteRead(prog.gpu.fd, DRM_AMDGPU_GEM_OP,
					     &op, sizeof(op)), 0);
}

static void finish_dma(struct gpu_job *job)
{
	assert_int_equal(gpu_wait(&prog.gpu, job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, job);
}

/* With Linux 7.2, a job of a program's for the DMA engine does not begin on vgpu. */
static bool runs_dma_jobs(void)
{
	struct utsname name;

	return !uname(&name) && atoi(name.release) < 7;
}

void memory_that_is_moved_is_refused(void **state)
{
	struct gpu_job hold = { .fence = { 0 } }, next = { .fence = { 0 } };
	struct amdgpudbg_vm_access a;
	struct gpu_buffer words;
	struct bo b;
	uint8_t got[64];
	size_t i;

	(void)state;
	if (!runs_dma_jobs())
		skip();
	bo_new(&b, AMDGPU_GEM_DOMAIN_VRAM, 0, false);
	for (i = 0; i < sizeof(got); i++)
		b.cpu[SKIPPED + i] = pattern(i);
	assert_int_equal(gpu_alloc(&prog.gpu, &words, PAGE), 0);
	assert_int_equal(gpu_alloc(&prog.gpu, &hold.ib, PAGE), 0);
	assert_int_equal(gpu_alloc(&prog.gpu, &next.ib, PAGE), 0);
	assert_int_equal(vm_access(dev, 0, b.va, got, sizeof(got), &a), 0);

	hold_dma(&hold, &words);
	want_in_system(&b);
	submit_dma(&next, b.bo);
	assert_int_equal(vm_access(dev, 0, b.va, got, sizeof(got), &a), -EBUSY);
	assert_busy(dev, AMDGPUDBG_BUSY_MOVED, 0);
	assert_int_equal(a.done, 0);
	assert_int_equal(a.bad, b.va);

	((volatile uint32_t *)words.cpu)[RELEASE] = 1;
	finish_dma(&hold);
	finish_dma(&next);
	memset(got, 0, sizeof(got));
	assert_int_equal(vm_access(dev, 0, b.va, got, sizeof(got), &a), 0);
	for (i = 0; i < sizeof(got); i++)
		assert_int_equal(got[i], pattern(i));
	gpu_free(&prog.gpu, &words);
	bo_free(&b);
}
