// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in a target and trap handlers, by the bare ioctls. This process is the
 * target, and most of the time also the debugger.
 *
 * traps [-u USER]: with another user's rights.
 * traps -v KERNEL:ADD...: only a target. For each line on standard input the next
 * kernel is run; each result must be its input and ADD, or that of trap_spin if
 * ADD is negative, which then ends at the next line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>
#include <xf86drm.h>

#include "child.h"
#include "gpu.h"
#include "regs2.h"
#include "trap_abi.h"
#include "until.h"

#define NODE "/dev/amdgpudbg0"
#define RENDER "/dev/dri/renderD128"
#define DEBUGFS "/sys/kernel/debug/dri/0"
#define CODE_OBJECT "/usr/share/amdgpudbg/traps.co"

#define ITEMS 256		/* 8 waves of 32 */
#define NUM_WAVES (ITEMS / 32)
#define GROUP 64
#define DEADLINE_S 60

/* gc_10_3_0_offset.h of Linux 6.1, and the usual base of segment 0 */
#define SQ_SHADER_TBA_LO (0x1260 + 0x10b2)
#define SQ_SHADER_TBA_HI (0x1260 + 0x10b3)
#define SQ_SHADER_TMA_LO (0x1260 + 0x10b4)
#define SQ_SHADER_TMA_HI (0x1260 + 0x10b5)
#define TBA_HI_TRAP_EN (1u << 31)

static const uint32_t stop_code[] = {
#include "gfx10_3_stop.inc"
};

static const uint32_t data_code[] = {
#include "handler.inc"
};

enum { CODE, KERNARG, OUT, IN, CTL, NUM_BUFS };

static struct gpu gpu;
static struct codeobj co;
static struct gpu_buffer buf[NUM_BUFS];
static int dev = -1;		/* the session */
static bool root;

struct kernarg {
	uint64_t out, in, ctl;
	uint32_t n;
};

struct handler {
	struct amdgpudbg_mem_alloc code, tma;
	uint32_t num_boxes;
	uint32_t vmid;
};

static int call(int fd, unsigned long nr, void *arg)
{
	return ioctl(fd, nr, arg) ? -errno : 0;
}

/* Memory */

/* On a busy machine, the GPU can be slower with page tables than a call waits. */
static int mem_alloc(int fd, struct amdgpudbg_mem_alloc *args, uint32_t flags,
		     uint64_t bytes)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		*args = (struct amdgpudbg_mem_alloc){
			.size = sizeof(*args), .flags = flags, .bytes = bytes,
		};
		ret = call(fd, AMDGPUDBG_IOC_MEM_ALLOC, args);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret;
}

static int mem_free(int fd, uint32_t id)
{
	struct amdgpudbg_mem_free args = { .size = sizeof(args), .id = id };

	return call(fd, AMDGPUDBG_IOC_MEM_FREE, &args);
}

static int mem_copy(int fd, uint32_t flags, uint32_t id, uint64_t offset,
		    const void *data, uint64_t bytes)
{
	struct amdgpudbg_mem_copy args = {
		.size = sizeof(args),
		.flags = flags,
		.id = id,
		.offset = offset,
		.bytes = bytes,
		.data = (uintptr_t)data,
	};

	return call(fd, AMDGPUDBG_IOC_MEM_COPY, &args);
}

static int mem_write(int fd, uint32_t id, uint64_t offset, const void *data,
		     uint64_t bytes)
{
	return mem_copy(fd, AMDGPUDBG_MEM_COPY_WRITE, id, offset, data, bytes);
}

static int mem_read(int fd, uint32_t id, uint64_t offset, void *data,
		    uint64_t bytes)
{
	return mem_copy(fd, 0, id, offset, data, bytes);
}

/* Sessions */

static int set_target(int fd, int drm_fd, bool pidfd)
{
	struct amdgpudbg_target_set args = {
		.size = sizeof(args), .drm_fd = drm_fd, .pidfd = -1,
	};
	int ret;

	if (pidfd)
		args.pidfd = syscall(SYS_pidfd_open, getpid(), 0);
	ret = call(fd, AMDGPUDBG_IOC_TARGET_SET, &args);
	if (args.pidfd >= 0)
		close(args.pidfd);
	return ret;
}

/* A session whose target is the file @drm_fd. */
static int open_session(int drm_fd)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(set_target(fd, drm_fd, true), 0);
	return fd;
}

static int set_handler(int fd, uint64_t tba, uint64_t tba_size, uint64_t tma,
		       uint64_t tma_size, uint32_t *vmid)
{
	struct amdgpudbg_trap_handler args = {
		.size = sizeof(args),
		.tba = tba,
		.tba_size = tba_size,
		.tma = tma,
		.tma_size = tma_size,
	};
	int ret = call(fd, AMDGPUDBG_IOC_TRAP_HANDLER, &args);

	if (vmid)
		*vmid = args.vmid;
	return ret;
}

static int clear_handler(int fd)
{
	struct amdgpudbg_trap_handler args = {
		.size = sizeof(args), .flags = AMDGPUDBG_TRAP_HANDLER_CLEAR,
	};

	return call(fd, AMDGPUDBG_IOC_TRAP_HANDLER, &args);
}

/* Make the buffers of a handler, and write its code. */
static void load(int fd, struct handler *h, const uint32_t *code, size_t size)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	uint32_t header[2] = { TRAP_ABI_VERSION };

	assert_int_equal(call(fd, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	h->num_boxes = (info.num_se - 1) << TRAP_INDEX_SE_SHIFT |
		       (info.num_sa - 1) << TRAP_INDEX_SA_SHIFT |
		       (info.num_wgp - 1) << TRAP_INDEX_WGP_SHIFT |
		       (info.num_simd - 1) << TRAP_INDEX_SIMD_SHIFT |
		       (info.num_wave - 1);
	h->num_boxes++;
	assert_int_equal(mem_alloc(fd, &h->code, AMDGPUDBG_MEM_ALLOC_EXEC,
				   size), 0);
	assert_int_equal(mem_alloc(fd, &h->tma, AMDGPUDBG_MEM_ALLOC_UNCACHED,
				   TRAP_HDR_SIZE +
				   h->num_boxes * TRAP_BOX_SIZE), 0);
	assert_int_equal(mem_write(fd, h->code.id, 0, code, size), 0);
	header[1] = h->num_boxes;
	assert_int_equal(mem_write(fd, h->tma.id, 0, header, sizeof(header)),
			 0);
}

static int install_loaded(int fd, struct handler *h)
{
	return set_handler(fd, h->code.va, h->code.bytes, h->tma.va,
			   h->tma.bytes, &h->vmid);
}

static void install(int fd, struct handler *h, const uint32_t *code,
		    size_t size)
{
	load(fd, h, code, size);
	assert_int_equal(install_loaded(fd, h), 0);
	assert_in_range(h->vmid, 1, 15);
}

static void uninstall(int fd, const struct handler *h)
{
	assert_int_equal(clear_handler(fd), 0);
	assert_int_equal(mem_free(fd, h->code.id), 0);
	assert_int_equal(mem_free(fd, h->tma.id), 0);
}

/* Jobs */

static void start_on(unsigned int ring, const char *name, struct gpu_job *job)
{
	struct kernarg *arg = buf[KERNARG].cpu;
	struct codeobj_kernel kernel;
	struct gpu_dispatch d = {
		.kernel = &kernel,
		.code_va = buf[CODE].va,
		.kernarg_va = buf[KERNARG].va,
		.groups = ITEMS / GROUP,
		.group_size = GROUP,
		.ring = ring,
	};
	uint32_t *in = buf[IN].cpu;
	unsigned int i;

	assert_int_equal(codeobj_find(&co, name, &kernel), 0);
	*arg = (struct kernarg){
		.out = buf[OUT].va,
		.in = buf[IN].va,
		.ctl = buf[CTL].va,
		.n = ITEMS,
	};
	for (i = 0; i < ITEMS; i++)
		in[i] = i * 0x9e3779b9;
	memset(buf[OUT].cpu, 0, buf[OUT].size);
	memset(buf[CTL].cpu, 0, buf[CTL].size);
	assert_int_equal(gpu_submit(&gpu, &d, buf, NUM_BUFS, job), 0);
}

static void start(const char *name, struct gpu_job *job)
{
	start_on(0, name, job);
}

static bool have_begun(void *arg)
{
	volatile uint32_t *ctl = buf[CTL].cpu;

	(void)arg;
	return ctl[1] == ITEMS;
}

static void stop_spinning(void)
{
	volatile uint32_t *ctl = buf[CTL].cpu;

	ctl[0] = 1;
}

/* All results must be the input and @add, or that of trap_spin. */
static void finish(struct gpu_job *job, int add)
{
	const uint32_t *out = buf[OUT].cpu, *in = buf[IN].cpu;
	unsigned int i;

	assert_int_equal(gpu_wait(&gpu, job, DEADLINE_S * 1000000000ull), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(out[i], add < 0 ? in[i] ^ i : in[i] + add);
	gpu_job_free(&gpu, job);
}

/* Waves */

struct stopped {
	int fd;
	uint32_t vmid;
	uint32_t count;		/* how many are wanted */
	struct amdgpudbg_wave wave[64];
};

static int list(int fd, struct amdgpudbg_wave *waves, uint32_t *count)
{
	struct amdgpudbg_wave_list args = {
		.size = sizeof(args),
		.entry_size = sizeof(waves[0]),
		.capacity = 64,
		.waves = (uintptr_t)waves,
	};
	int ret = call(fd, AMDGPUDBG_IOC_WAVE_LIST, &args);

	*count = args.count;
	return ret;
}

static bool are_stopped(void *arg)
{
	struct stopped *s = arg;
	uint32_t i, count, n = 0;

	assert_int_equal(list(s->fd, s->wave, &count), 0);
	for (i = 0; i < count; i++)
		if (s->wave[i].vmid == s->vmid &&
		    s->wave[i].flags & AMDGPUDBG_WAVE_HALTED &&
		    !(s->wave[i].flags & AMDGPUDBG_WAVE_PRIV))
			n++;
	return count == s->count && n == s->count;
}

static void wait_stopped(int fd, uint32_t vmid, struct stopped *s)
{
	s->fd = fd;
	s->vmid = vmid;
	s->count = NUM_WAVES;
	assert_true(until(are_stopped, s, DEADLINE_S));
}

static int resume(int fd, uint32_t vmid)
{
	struct amdgpudbg_wave_control args = {
		.size = sizeof(args),
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.vmid = vmid,
	};

	return call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &args);
}

/* Registers, by somebody else's means */

static void read_regs(uint32_t vmid, uint32_t regs[4])
{
	struct regs2_state bank = { .use_srbm = 1, .srbm.vmid = vmid };
	struct regs2 r;
	int i;

	assert_int_equal(regs2_open(&r, DEBUGFS), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(regs2_read(&r, &bank, SQ_SHADER_TBA_LO + i,
					    &regs[i]), 0);
	regs2_close(&r);
}

static bool regs_are_zero(void *arg)
{
	uint32_t regs[4];

	read_regs(*(uint32_t *)arg, regs);
	return !regs[0] && !regs[1] && !regs[2] && !regs[3];
}

static void assert_regs_zero(uint32_t vmid)
{
	if (root)
		assert_true(until(regs_are_zero, &vmid, DEADLINE_S));
}

/* Does the driver let something else be mapped where this was? */
static bool is_free(void *arg)
{
	const struct amdgpudbg_mem_alloc *was = arg;
	struct gpu_buffer *b = &buf[IN];
	uint64_t flags = AMDGPU_VM_PAGE_READABLE;

	if (amdgpu_bo_va_op_raw(gpu.dev, b->bo, 0, 4096, was->va, flags,
				AMDGPU_VA_OP_MAP))
		return false;
	assert_int_equal(amdgpu_bo_va_op_raw(gpu.dev, b->bo, 0, 4096, was->va,
					     flags, AMDGPU_VA_OP_UNMAP), 0);
	return true;
}

static void assert_taken_back(const struct handler *h)
{
	struct handler copy = *h;

	assert_regs_zero(h->vmid);
	assert_true(until(is_free, &copy.code, DEADLINE_S));
	assert_true(until(is_free, &copy.tma, DEADLINE_S));
}

/* The tests */

static int tear_down(void **state)
{
	unsigned int i;

	(void)state;
	close(dev);
	for (i = 0; i < NUM_BUFS; i++)
		gpu_free(&gpu, &buf[i]);
	gpu_close(&gpu);
	codeobj_unload(&co);
	return 0;
}

static void test_memory(void **state)
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
/* A target's later jobs, and other buffers, do not wait for one that was freed. */
static void test_free_busy(void **state)
{
	struct amdgpudbg_mem_alloc b, other;
	struct gpu_job job, later;

	(void)state;
	start("trap_spin", &job);
	assert_true(until(have_begun, NULL, DEADLINE_S));
	assert_int_equal(mem_alloc(dev, &b, 0, 4096), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	assert_int_equal(mem_alloc(dev, &other, 0, 4096), 0);
	start_on(1, "trap_spin", &later);
	assert_true(until(have_begun, NULL, DEADLINE_S));
	assert_int_equal(mem_free(dev, other.id), 0);
	stop_spinning();
	finish(&later, -1);
	finish(&job, -1);
	assert_true(until(is_free, &b, DEADLINE_S));
	assert_true(until(is_free, &other, DEADLINE_S));
}

static void test_gpu_uses_memory(void **state)
{
	struct amdgpudbg_mem_alloc args, out;
	struct kernarg arg = { .in = buf[IN].va, .ctl = buf[CTL].va,
			       .n = ITEMS };
	struct codeobj_kernel kernel;
	struct gpu_dispatch d = {
		.kernel = &kernel,
		.code_va = buf[CODE].va,
		.groups = ITEMS / GROUP,
		.group_size = GROUP,
	};
	uint32_t got[ITEMS], *in = buf[IN].cpu;
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
	assert_int_equal(codeobj_find(&co, "trap_value", &kernel), 0);
	assert_int_equal(gpu_submit(&gpu, &d, buf, NUM_BUFS, &job), 0);
	assert_int_equal(gpu_wait(&gpu, &job, DEADLINE_S * 1000000000ull), 0);
	gpu_job_free(&gpu, &job);
	assert_int_equal(mem_read(dev, out.id, 0, got, sizeof(got)), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(got[i], ~i + 5);
	assert_int_equal(mem_free(dev, args.id), 0);
	assert_int_equal(mem_free(dev, out.id), 0);
}

static void test_memory_errors(void **state)
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

static void test_without_target(void **state)
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

/* A handler that returns with data of its own. */
static void test_data(void **state)
{
	uint32_t value = 1000;
	struct gpu_job job;
	struct handler h;
	uint32_t regs[4];

	(void)state;
	start("trap_value", &job);
	finish(&job, 5);

	install(dev, &h, data_code, sizeof(data_code));
	assert_int_equal(mem_write(dev, h.tma.id, 0, &value, 4), 0);
	if (root) {
		read_regs(h.vmid, regs);
		assert_int_equal(regs[0], (uint32_t)(h.code.va >> 8));
		assert_int_equal(regs[1], h.code.va >> 40 | TBA_HI_TRAP_EN);
		assert_int_equal(regs[2], (uint32_t)(h.tma.va >> 8));
		assert_int_equal(regs[3], h.tma.va >> 40);
	}
	start("trap_value", &job);
	finish(&job, 1000);

	uninstall(dev, &h);
	assert_taken_back(&h);
	start("trap_value", &job);
	finish(&job, 5);
}

/* The default handler: waves stop, tell why, and go on behind s_trap. */
static void test_stop(void **state)
{
	struct amdgpudbg_wave *w;
	uint32_t box[16], index;
	struct gpu_job job;
	struct stopped s;
	struct handler h;
	unsigned int i;

	(void)state;
	install(dev, &h, stop_code, sizeof(stop_code));
	start("trap_value", &job);
	wait_stopped(dev, h.vmid, &s);
	for (i = 0; i < NUM_WAVES; i++) {
		w = &s.wave[i];
		index = w->at.se << TRAP_INDEX_SE_SHIFT |
			w->at.sa << TRAP_INDEX_SA_SHIFT |
			w->at.wgp << TRAP_INDEX_WGP_SHIFT |
			w->at.simd << TRAP_INDEX_SIMD_SHIFT | w->at.wave;
		assert_int_equal(mem_read(dev, h.tma.id, TRAP_HDR_SIZE +
					  index * TRAP_BOX_SIZE, box,
					  sizeof(box)), 0);
		assert_int_equal(box[TRAP_BOX_COUNT / 4], 1);
		assert_int_equal(box[TRAP_BOX_TTMP1 / 4] >> 16 & 0x1ff, 3);
		/* It stands behind the s_trap that it came from. */
		assert_int_equal(w->pc, ((uint64_t)(box[TRAP_BOX_TTMP1 / 4] &
					TRAP_TTMP1_PC_HI) << 32 |
					box[TRAP_BOX_TTMP0 / 4]) + 4);
		assert_int_equal(box[TRAP_BOX_EXEC_LO / 4], (uint32_t)w->exec);
		assert_int_equal(box[TRAP_BOX_M0 / 4], w->m0);
		assert_int_equal(box[TRAP_BOX_MODE / 4], w->mode);
		assert_int_equal(box[TRAP_BOX_HW_ID1 / 4], w->hw_id1);
		assert_int_equal(box[TRAP_BOX_HW_ID2 / 4], w->hw_id2);
		assert_int_equal(box[TRAP_BOX_TRAPSTS / 4], w->trapsts);
	}
	assert_int_equal(resume(dev, h.vmid), 0);
	finish(&job, 5);
	uninstall(dev, &h);
	assert_taken_back(&h);
}

/* An exception is seen while the wave is halted, and does not come back. */
static void test_exception(void **state)
{
	struct gpu_job job;
	struct stopped s;
	struct handler h;
	unsigned int i;

	(void)state;
	install(dev, &h, stop_code, sizeof(stop_code));
	start("trap_div0", &job);
	wait_stopped(dev, h.vmid, &s);
	for (i = 0; i < NUM_WAVES; i++)
		assert_int_equal(s.wave[i].trapsts & 0x1ff, 4);
	assert_int_equal(resume(dev, h.vmid), 0);
	finish(&job, 0xff);
	uninstall(dev, &h);
}

static void test_errors(void **state)
{
	struct amdgpudbg_trap_handler args = { .size = sizeof(args) };
	int other = open_session(gpu.fd);
	struct handler h;
	uint64_t tba, end;

	(void)state;
	load(dev, &h, stop_code, sizeof(stop_code));
	tba = h.code.va;
	end = h.code.va + h.code.bytes;
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(set_handler(dev, tba + 128, 8, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, 0, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, 3, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, 0, 4, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, h.code.bytes + 1, 0, 0, NULL),
			 -EINVAL);
	assert_int_equal(set_handler(dev, tba - 256, 512, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba - 256, end - tba + 512, 0, 0,
				     NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, UINT64_MAX, 0, 0, NULL),
			 -EINVAL);
	assert_int_equal(set_handler(dev, tba, 4, 0, 4, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, 4, h.tma.va, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, tba, 4, h.tma.va + 4, 4, NULL),
			 -EINVAL);
	/* In the hole, and across its begin */
	assert_int_equal(set_handler(dev, 1ull << 47, 4, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, (1ull << 47) - 256, 257, 0, 0, NULL),
			 -EINVAL);
	args.flags = 2;
	assert_int_equal(call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args),
			 -EOPNOTSUPP);
	args.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR;
	args.tba = tba;
	assert_int_equal(call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args), -EINVAL);

	assert_int_equal(install_loaded(dev, &h), 0);
	assert_int_equal(install_loaded(dev, &h), 0);
	assert_int_equal(set_handler(other, 1 << 30, 4, 0, 0, NULL), -EBUSY);
	assert_int_equal(clear_handler(other), -ENOENT);
	assert_int_equal(mem_free(dev, h.code.id), -EBUSY);
	assert_int_equal(mem_free(dev, h.tma.id), -EBUSY);
	uninstall(dev, &h);
	close(other);
}

static int vm_op(int fd, uint32_t op)
{
	union drm_amdgpu_vm args = { .in.op = op };

	return drmCommandWriteRead(fd, DRM_AMDGPU_VM, &args, sizeof(args));
}

static bool is_gone(void *arg)
{
	return mem_free(dev, *(uint32_t *)arg) == 0;
}

/* The VMID must be the target's alone, and stay so. */
static void test_reservation(void **state)
{
	int other = open(RENDER, O_RDWR | O_CLOEXEC);
	struct handler h;

	(void)state;
	assert_true(other >= 0);
	load(dev, &h, stop_code, sizeof(stop_code));
	assert_int_equal(vm_op(other, AMDGPU_VM_OP_RESERVE_VMID), 0);
	assert_int_equal(install_loaded(dev, &h), -EBUSY);
	assert_int_equal(vm_op(other, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	assert_int_equal(install_loaded(dev, &h), 0);

	/* The target gives it back under the debugger. */
	assert_int_equal(vm_op(gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	assert_true(until(is_gone, &h.code.id, DEADLINE_S));
	assert_regs_zero(h.vmid);
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(mem_free(dev, h.tma.id), 0);

	/* What the target has reserved itself stays. */
	assert_int_equal(vm_op(gpu.fd, AMDGPU_VM_OP_RESERVE_VMID), 0);
	install(dev, &h, stop_code, sizeof(stop_code));
	uninstall(dev, &h);
	install(dev, &h, stop_code, sizeof(stop_code));
	/* Linux 6.12 lets others share it, the others do not. */
	if (vm_op(other, AMDGPU_VM_OP_RESERVE_VMID) == 0) {
		assert_true(until(is_gone, &h.code.id, DEADLINE_S));
		assert_int_equal(clear_handler(dev), -ENOENT);
		assert_int_equal(mem_free(dev, h.tma.id), 0);
		assert_int_equal(vm_op(other, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	} else {
		uninstall(dev, &h);
	}
	assert_int_equal(vm_op(gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	close(other);
}

/* A handler is cleared while its waves trap all the time. */
static void test_clear_busy(void **state)
{
	struct gpu_job job;
	struct stopped s;
	struct handler h;

	(void)state;
	install(dev, &h, stop_code, sizeof(stop_code));
	start("trap_spin", &job);
	wait_stopped(dev, h.vmid, &s);
	assert_int_equal(clear_handler(dev), 0);
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	/* They stand still yet, and trap, without effect, when they go on. */
	are_stopped(&s);
	assert_int_equal(resume(dev, h.vmid), 0);
	assert_true(until(have_begun, NULL, DEADLINE_S));
	stop_spinning();
	finish(&job, -1);
	assert_taken_back(&h);
}

/* A debugger that is a child of the target, until it is killed. */
struct debugger {
	pid_t pid;
	struct handler h;
};

static void debugger(int to, const uint32_t *code, size_t size)
{
	int fd = open_session(gpu.fd);
	struct handler h;

	install(fd, &h, code, size);
	if (write(to, &h, sizeof(h)) == sizeof(h))
		for (;;)
			pause();
	_exit(1);
}

static void start_debugger(struct debugger *d, const uint32_t *code,
			   size_t size)
{
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	d->pid = fork();
	assert_true(d->pid >= 0);
	if (!d->pid) {
		/* A failure must end it, not go on with the next test. */
		setenv("CMOCKA_TEST_ABORT", "1", 1);
		close(dev);
		debugger(fds[1], code, size);
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &d->h, sizeof(d->h)), sizeof(d->h));
	close(fds[0]);
}

/* It dies with nothing but a handler. */
static void test_death_idle(void **state)
{
	struct debugger d;
	struct gpu_job job;

	(void)state;
	start_debugger(&d, stop_code, sizeof(stop_code));
	assert_int_equal(child_kill(d.pid), 0);
	assert_taken_back(&d.h);
	start("trap_value", &job);
	finish(&job, 5);
}

/* It dies while waves stand where its handler has halted them. */
static void test_death_stopped(void **state)
{
	struct debugger d;
	struct gpu_job job;
	struct stopped s;

	(void)state;
	start_debugger(&d, stop_code, sizeof(stop_code));
	start("trap_value", &job);
	wait_stopped(dev, d.h.vmid, &s);
	assert_int_equal(child_kill(d.pid), 0);
	finish(&job, 5);
	assert_taken_back(&d.h);
}

/* It dies while its handler is entered all the time. */
static void test_death_busy(void **state)
{
	const uint32_t *code[2] = { stop_code, data_code };
	const size_t size[2] = { sizeof(stop_code), sizeof(data_code) };
	struct debugger d;
	struct gpu_job job;
	struct stopped s;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		start_debugger(&d, code[i], size[i]);
		start("trap_spin", &job);
		if (i == 0)
			wait_stopped(dev, d.h.vmid, &s);
		else
			assert_true(until(have_begun, NULL, DEADLINE_S));
		assert_int_equal(child_kill(d.pid), 0);
		assert_true(until(have_begun, NULL, DEADLINE_S));
		stop_spinning();
		finish(&job, -1);
		assert_taken_back(&d.h);
	}
}

/* Another handler takes over while waves of the last one still run. */
static void test_succession(void **state)
{
	struct debugger d;
	struct gpu_job job;
	struct stopped s;
	struct handler h;

	(void)state;
	start_debugger(&d, data_code, sizeof(data_code));
	start("trap_spin", &job);
	assert_true(until(have_begun, NULL, DEADLINE_S));
	assert_int_equal(child_kill(d.pid), 0);
	install(dev, &h, stop_code, sizeof(stop_code));
	assert_int_equal(h.vmid, d.h.vmid);
	wait_stopped(dev, h.vmid, &s);
	stop_spinning();
	assert_int_equal(clear_handler(dev), 0);
	assert_int_equal(resume(dev, h.vmid), 0);
	finish(&job, -1);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	assert_taken_back(&h);
	assert_taken_back(&d.h);
}

static bool drop_rights(const char *user)
{
	const struct passwd *pw = getpwnam(user);

	return pw && !initgroups(user, pw->pw_gid) && !setgid(pw->pw_gid) &&
	       !setuid(pw->pw_uid);
}

static int open_gpu(void)
{
	const uint64_t size[NUM_BUFS] = { 0, sizeof(struct kernarg), ITEMS * 4,
					  ITEMS * 4, 256 };
	unsigned int i;

	if (codeobj_load(&co, CODE_OBJECT) || gpu_open(&gpu, RENDER))
		return -1;
	for (i = 0; i < NUM_BUFS; i++)
		if (gpu_alloc(&gpu, &buf[i], i == CODE ? co.size : size[i]))
			return -1;
	memcpy(buf[CODE].cpu, co.image, co.size);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	if (open_gpu())
		return -1;
	dev = open(NODE, O_RDWR | O_CLOEXEC);
	return dev < 0 ? -1 : set_target(dev, gpu.fd, true);
}

static bool next_line(void)
{
	int c;

	do {
		c = getchar();
	} while (c != EOF && c != '\n');
	return c != EOF;
}

/* A failed assertion ends the program. */
static int be_victim(char **jobs)
{
	struct gpu_job job;
	char *add;

	setenv("CMOCKA_TEST_ABORT", "1", 1);
	if (open_gpu())
		return 1;
	printf("ready\n");
	fflush(stdout);
	for (; *jobs && next_line(); jobs++) {
		add = strchr(*jobs, ':');
		if (!add)
			return 2;
		*add++ = 0;
		start(*jobs, &job);
		if (atoi(add) < 0) {
			assert_true(until(have_begun, NULL, DEADLINE_S));
			printf("%s: running\n", *jobs);
			fflush(stdout);
			next_line();
			stop_spinning();
		}
		finish(&job, atoi(add));
		printf("%s: right\n", *jobs);
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_gpu_uses_memory),
		cmocka_unit_test(test_free_busy),
		cmocka_unit_test(test_memory_errors),
		cmocka_unit_test(test_without_target),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_exception),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_clear_busy),
		cmocka_unit_test(test_death_idle),
		cmocka_unit_test(test_death_stopped),
		cmocka_unit_test(test_death_busy),
		cmocka_unit_test(test_succession),
	};
	int opt;

	while ((opt = getopt(argc, argv, "u:v")) != -1) {
		if (opt == 'v')
			return be_victim(argv + optind);
		if (opt != 'u' || !drop_rights(optarg)) {
			fprintf(stderr, "usage: traps [-u USER]\n"
				"       traps -v KERNEL:ADD...\n");
			return 2;
		}
	}
	root = geteuid() == 0;
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
