// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A target with traps, and its debugger: see trap_prog.h.
 */
#define _GNU_SOURCE
#include "trap_prog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "regs2.h"
#include "self.h"
#include "trap_abi.h"
#include "until.h"

#define DEBUGFS "/sys/kernel/debug/dri/0"
#define CODE_OBJECT "/usr/share/amdgpudbg/traps.co"

/* gc_10_3_0_offset.h of Linux 6.1, and the usual base of segment 0 */
#define SQ_SHADER_TBA_LO (0x1260 + 0x10b2)

/* Words of ctl, see traps.cl */
enum { CTL_END, CTL_BEGUN };

struct prog prog;

int open_prog(void)
{
	return prog_open(&prog, NULL, CODE_OBJECT, ITEMS, 0);
}

int mem_alloc(int fd, struct amdgpudbg_mem_alloc *args, uint32_t flags,
	      uint64_t bytes)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		*args = (struct amdgpudbg_mem_alloc){
			.size = sizeof(*args), .flags = flags, .bytes = bytes,
		};
		ret = self_call(fd, AMDGPUDBG_IOC_MEM_ALLOC, args);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret;
}

int mem_free(int fd, uint32_t id)
{
	struct amdgpudbg_mem_free args = { .size = sizeof(args), .id = id };

	return self_call(fd, AMDGPUDBG_IOC_MEM_FREE, &args);
}

int mem_copy(int fd, uint32_t flags, uint32_t id, uint64_t offset,
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

	return self_call(fd, AMDGPUDBG_IOC_MEM_COPY, &args);
}

int mem_write(int fd, uint32_t id, uint64_t offset, const void *data,
	      uint64_t bytes)
{
	return mem_copy(fd, AMDGPUDBG_MEM_COPY_WRITE, id, offset, data, bytes);
}

int mem_read(int fd, uint32_t id, uint64_t offset, void *data, uint64_t bytes)
{
	return mem_copy(fd, 0, id, offset, data, bytes);
}

int set_target(int fd, int drm_fd, bool pidfd)
{
	struct amdgpudbg_target_set args = {
		.size = sizeof(args), .drm_fd = drm_fd, .pidfd = -1,
	};
	int ret;

	if (pidfd)
		args.pidfd = syscall(SYS_pidfd_open, getpid(), 0);
	ret = self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &args);
	if (args.pidfd >= 0)
		close(args.pidfd);
	return ret;
}

int open_session(int drm_fd)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(set_target(fd, drm_fd, true), 0);
	return fd;
}

int set_handler(int fd, uint64_t tba, uint64_t tba_size, uint64_t tma,
		uint64_t tma_size, uint32_t *vmid)
{
	struct amdgpudbg_trap_handler args = {
		.size = sizeof(args),
		.tba = tba,
		.tba_size = tba_size,
		.tma = tma,
		.tma_size = tma_size,
	};
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		ret = self_call(fd, AMDGPUDBG_IOC_TRAP_HANDLER, &args);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	if (vmid)
		*vmid = args.vmid;
	return ret;
}

int clear_handler(int fd)
{
	struct amdgpudbg_trap_handler args = {
		.size = sizeof(args), .flags = AMDGPUDBG_TRAP_HANDLER_CLEAR,
	};

	return self_call(fd, AMDGPUDBG_IOC_TRAP_HANDLER, &args);
}

void load(int fd, struct handler *h, const uint32_t *code, size_t size)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	uint32_t *header = h->header;

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	trap_header(header, info.num_se, info.num_sa, info.num_wgp, info.num_simd,
		    info.num_wave);
	assert_int_equal(mem_alloc(fd, &h->code, AMDGPUDBG_MEM_ALLOC_EXEC,
				   size), 0);
	assert_int_equal(mem_alloc(fd, &h->tma, AMDGPUDBG_MEM_ALLOC_UNCACHED,
				   TRAP_HDR_SIZE +
				   header[TRAP_HDR_NUM_MAILBOXES / 4] *
				   TRAP_MAILBOX_SIZE), 0);
	assert_int_equal(mem_write(fd, h->code.id, 0, code, size), 0);
	assert_int_equal(mem_write(fd, h->tma.id, 0, header, TRAP_HDR_SIZE),
			 0);
}

int install_loaded(int fd, struct handler *h)
{
	return set_handler(fd, h->code.va, h->code.bytes, h->tma.va,
			   h->tma.bytes, &h->vmid);
}

/* -EBUSY: who had the VMID before, or a reservation, has not quite gone. */
void install(int fd, struct handler *h, const uint32_t *code, size_t size)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	load(fd, h, code, size);
	do {
		ret = install_loaded(fd, h);
	} while (ret == -EBUSY && now_ns() < deadline);
	assert_int_equal(ret, 0);
	assert_in_range(h->vmid, 1, 15);
}

void uninstall(int fd, const struct handler *h)
{
	assert_int_equal(clear_handler(fd), 0);
	assert_int_equal(mem_free(fd, h->code.id), 0);
	assert_int_equal(mem_free(fd, h->tma.id), 0);
}

void start_on(unsigned int ring, const char *name, struct gpu_job *job)
{
	uint32_t *in = prog.buf[PROG_IN].cpu;
	unsigned int i;

	for (i = 0; i < ITEMS; i++)
		in[i] = i * 0x9e3779b9;
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
	memset(prog.buf[PROG_CTL].cpu, 0, prog.buf[PROG_CTL].size);
	prog.ring = ring;
	assert_int_equal(prog_submit(&prog, name, job), 0);
}

void start(const char *name, struct gpu_job *job)
{
	start_on(0, name, job);
}

void wait_begun(void)
{
	assert_int_equal(prog_wait(&prog, CTL_BEGUN, ITEMS), 0);
}

void stop_spinning(void)
{
	*(volatile uint32_t *)&prog_ctl(&prog)[CTL_END] = 1;
}

void finish(struct gpu_job *job, int add)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu, *in = prog.buf[PROG_IN].cpu;
	unsigned int i;

	assert_int_equal(gpu_wait(&prog.gpu, job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(out[i], add < 0 ? in[i] ^ i : in[i] + add);
	gpu_job_free(&prog.gpu, job);
}

static int list(int fd, struct amdgpudbg_wave *waves, uint32_t *count)
{
	struct amdgpudbg_wave_list args = {
		.size = sizeof(args),
		.entry_size = sizeof(waves[0]),
		.capacity = 64,
		.waves = (uintptr_t)waves,
	};
	int ret = self_call(fd, AMDGPUDBG_IOC_WAVE_LIST, &args);

	*count = args.count;
	return ret;
}

bool are_stopped(void *arg)
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

void wait_stopped(int fd, uint32_t vmid, struct stopped *s)
{
	s->fd = fd;
	s->vmid = vmid;
	s->count = NUM_WAVES;
	assert_true(until(are_stopped, s, DEADLINE_S));
	/* A list reads STATUS last: what it has of a wave that stopped then is older. */
	assert_true(are_stopped(s));
}

void read_regs(uint32_t vmid, uint32_t regs[4])
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

void write_regs(uint32_t vmid, const uint32_t regs[4])
{
	struct regs2_state bank = { .use_srbm = 1, .srbm.vmid = vmid };
	struct regs2 r;
	int i;

	assert_int_equal(regs2_open(&r, DEBUGFS), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(regs2_write(&r, &bank, SQ_SHADER_TBA_LO + i,
					     regs[i]), 0);
	regs2_close(&r);
}

static bool regs_are_zero(void *arg)
{
	uint32_t regs[4];

	read_regs(*(uint32_t *)arg, regs);
	return !regs[0] && !regs[1] && !regs[2] && !regs[3];
}

void assert_regs_zero(uint32_t vmid)
{
	if (geteuid() == 0)
		assert_true(until(regs_are_zero, &vmid, DEADLINE_S));
}

bool is_free(void *arg)
{
	const struct amdgpudbg_mem_alloc *was = arg;
	struct gpu_buffer *b = &prog.buf[PROG_IN];
	uint64_t flags = AMDGPU_VM_PAGE_READABLE;

	if (amdgpu_bo_va_op_raw(prog.gpu.dev, b->bo, 0, 4096, was->va, flags,
				AMDGPU_VA_OP_MAP))
		return false;
	assert_int_equal(amdgpu_bo_va_op_raw(prog.gpu.dev, b->bo, 0, 4096, was->va,
					     flags, AMDGPU_VA_OP_UNMAP), 0);
	return true;
}

void assert_taken_back(const struct handler *h)
{
	struct handler copy = *h;

	assert_regs_zero(h->vmid);
	assert_true(until(is_free, &copy.code, DEADLINE_S));
	assert_true(until(is_free, &copy.tma, DEADLINE_S));
}
