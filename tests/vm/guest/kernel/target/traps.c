// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in a target and trap handlers, through the ioctls. This process is the target, and in
 * most tests also the debugger.
 *
 * traps [-u USER]: with the rights of another user.
 * traps -v KERNEL:ADD...: only a target. For each line on standard input the next kernel is run;
 * each result must be its input + ADD. If ADD is negative, the kernel is trap_spin, which ends at
 * the next line.
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
#include <unistd.h>

#include <cmocka.h>

#include <xf86drm.h>

#include "busy.h"
#include "child.h"
#include "self.h"
#include "trap_abi.h"
#include "trap_prog.h"
#include "traps.h"
#include "until.h"

#define RENDER "/dev/dri/renderD128"

#define TBA_HI_TRAP_EN (1u << 31)	/* SQ_SHADER_TBA_HI */

static const uint32_t stop_code[] = {
#include "gfx10_3_stop.inc"
};

static const uint32_t data_code[] = {
#include "handler.inc"
};

int dev = -1;
static bool root;

static int tear_down(void **state)
{
	(void)state;
	close(dev);
	prog_close(&prog);
	return 0;
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

/* The default handler: waves stop, report the cause, and continue behind s_trap. */
static void test_stop(void **state)
{
	struct amdgpudbg_wave *w;
	uint32_t mailbox[16], index;
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
		index = trap_mailbox(h.header, w->at.se, w->at.sa, w->at.wgp,
				     w->at.simd, w->at.wave);
		assert_int_equal(mem_read(dev, h.tma.id, TRAP_HDR_SIZE +
					  index * TRAP_MAILBOX_SIZE, mailbox,
					  sizeof(mailbox)), 0);
		assert_int_equal(mailbox[TRAP_MAILBOX_COUNT / 4], 1);
		assert_int_equal(mailbox[TRAP_MAILBOX_TTMP1 / 4] >> 16 & 0x1ff, 3);
		/* It stands behind the s_trap that it came from. */
		assert_int_equal(w->pc, ((uint64_t)(mailbox[TRAP_MAILBOX_TTMP1 / 4] &
					TRAP_TTMP1_PC_HI) << 32 |
					mailbox[TRAP_MAILBOX_TTMP0 / 4]) + 4);
		assert_int_equal(mailbox[TRAP_MAILBOX_EXEC_LO / 4], (uint32_t)w->exec);
		assert_int_equal(mailbox[TRAP_MAILBOX_M0 / 4], HW(w, M0));
		assert_int_equal(mailbox[TRAP_MAILBOX_MODE / 4], HW(w, MODE));
		assert_int_equal(mailbox[TRAP_MAILBOX_HW_ID1 / 4], HW(w, HW_ID1));
		assert_int_equal(mailbox[TRAP_MAILBOX_HW_ID2 / 4], HW(w, HW_ID2));
		assert_int_equal(mailbox[TRAP_MAILBOX_TRAPSTS / 4], HW(w, TRAPSTS));
	}
	assert_int_equal(self_resume(dev, h.vmid), 0);
	finish(&job, 5);
	uninstall(dev, &h);
	assert_taken_back(&h);
}

/* A handler finds room in a target that has left little. */
static void test_little_room(void **state)
{
	uint64_t region = take_region();
	uint32_t value = 1000;
	struct gpu_job job;
	struct handler h;

	(void)state;
	/* Its code, its memory, and what takes its place */
	free_region(region + 0x8765433000, 1 << 20);
	install(dev, &h, data_code, sizeof(data_code));
	assert_int_equal(mem_write(dev, h.tma.id, 0, &value, 4), 0);
	start("trap_value", &job);
	finish(&job, 1000);
	uninstall(dev, &h);
	assert_taken_back(&h);
	give_region(region);
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
		assert_int_equal(HW(&s.wave[i], TRAPSTS) & 0x1ff, 4);
	assert_int_equal(self_resume(dev, h.vmid), 0);
	finish(&job, 0xff);
	uninstall(dev, &h);
}

static void test_errors(void **state)
{
	struct amdgpudbg_trap_handler args = { .size = sizeof(args) };
	int other = open_session(prog.gpu.fd);
	struct amdgpudbg_mem_alloc mine;
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
	assert_int_equal(set_handler(dev, 1ull << 48, 4, 0, 0, NULL), -EINVAL);
	assert_int_equal(set_handler(dev, (1ull << 47) - 256, 257, 0, 0, NULL),
			 -EINVAL);
	args.flags = AMDGPUDBG_TRAP_HANDLER_FORCE << 1;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args),
			 -EOPNOTSUPP);
	args.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR;
	args.tba = tba;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args),
			 -EINVAL);

	assert_int_equal(install_loaded(dev, &h), 0);
	assert_int_equal(install_loaded(dev, &h), 0);
	assert_int_equal(mem_alloc(other, &mine, AMDGPUDBG_MEM_ALLOC_EXEC, 1),
			 0);
	assert_int_equal(set_handler(other, mine.va, 4, 0, 0, NULL), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_TRAP_HANDLER, getpid());
	/* In no buffer, or in another session's. */
	assert_int_equal(set_handler(other, 1 << 30, 4, 0, 0, NULL),
			 getuid() ? -EPERM : -EBUSY);
	assert_int_equal(set_handler(other, tba, 4, 0, 0, NULL),
			 getuid() ? -EPERM : -EBUSY);
	assert_int_equal(clear_handler(other), -ENOENT);
	assert_int_equal(mem_free(dev, h.code.id), -EBUSY);
	assert_busy(dev, AMDGPUDBG_BUSY_IN_USE, 0);
	assert_int_equal(mem_free(dev, h.tma.id), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_TRAP_HANDLER, getpid());
	uninstall(dev, &h);
	close(other);
}

static int vm_op(int fd, uint32_t op)
{
	union drm_amdgpu_vm args = { .in.op = op };

	return drmCommandWriteRead(fd, DRM_AMDGPU_VM, &args, sizeof(args));
}

/* ------------------------------------------------------------------- forwarding */

#define CHAIN_OFFSET 64
#define OLD_TBA 0x123456789a00
#define OLD_TMA 0x23456789ab00

static int set_chained(struct handler *h, uint64_t tma, uint64_t tma_size, uint64_t offset)
{
	struct amdgpudbg_trap_handler args = {
		.size = sizeof(args), .flags = AMDGPUDBG_TRAP_HANDLER_CHAIN,
		.tba = h->code.va, .tba_size = sizeof(stop_code),
		.tma = tma, .tma_size = tma_size, .chain_offset = offset,
	};
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		ret = self_call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	h->vmid = args.vmid;
	return ret;
}

static void assert_pair(const struct handler *h, uint64_t tba, uint64_t tma)
{
	uint64_t pair[2] = { 0 };

	assert_int_equal(mem_read(dev, h->tma.id, CHAIN_OFFSET, pair, sizeof(pair)), 0);
	assert_true(pair[0] == tba);
	assert_true(pair[1] == tma);
}

static void test_chain_is_checked(void **state)
{
	struct amdgpudbg_trap_handler args = { .size = sizeof(args) };
	struct handler h;
	uint64_t tma;

	(void)state;
	load(dev, &h, stop_code, sizeof(stop_code));
	tma = h.tma.va;
	assert_int_equal(set_chained(&h, 0, 0, 0), -EINVAL);
	assert_int_equal(set_chained(&h, tma, 15, 0), -EINVAL);
	assert_int_equal(set_chained(&h, tma, 64, 4), -EINVAL);
	assert_int_equal(set_chained(&h, tma, 64, 56), -EINVAL);
	assert_int_equal(set_chained(&h, tma, 64, -8ull), -EINVAL);
	/* In no buffer */
	assert_int_equal(set_chained(&h, 1 << 30, 64, 0), -EINVAL);
	args.chain_offset = 8;
	args.tba = h.code.va;
	args.tba_size = 4;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args), -EINVAL);
	args = (struct amdgpudbg_trap_handler){
		.size = sizeof(args),
		.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR | AMDGPUDBG_TRAP_HANDLER_CHAIN,
	};
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_TRAP_HANDLER, &args), -EINVAL);
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
}

/* What others have set for the VMID that the target has reserved */
static void test_chain_has_the_pair_of_before(void **state)
{
	static const uint32_t old[4] = {
		(uint32_t)(OLD_TBA >> 8), OLD_TBA >> 40 | TBA_HI_TRAP_EN,
		(uint32_t)(OLD_TMA >> 8), OLD_TMA >> 40,
	}, none[4];
	uint32_t regs[4];
	struct handler h;

	(void)state;
	/* As root, by debugfs */
	if (!root)
		skip();
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_RESERVE_VMID), 0);
	load(dev, &h, stop_code, sizeof(stop_code));
	assert_int_equal(set_chained(&h, h.tma.va, 128, CHAIN_OFFSET), 0);
	assert_pair(&h, 0, 0);
	assert_int_equal(clear_handler(dev), 0);
	assert_regs_zero(h.vmid);

	write_regs(h.vmid, old);
	assert_int_equal(set_chained(&h, h.tma.va, 128, CHAIN_OFFSET), 0);
	assert_pair(&h, OLD_TBA | 1ull << 63, OLD_TMA);
	/* Another one of the session's gets the same. */
	assert_int_equal(set_chained(&h, h.tma.va, 128, CHAIN_OFFSET), 0);
	assert_pair(&h, OLD_TBA | 1ull << 63, OLD_TMA);
	assert_int_equal(clear_handler(dev), 0);
	read_regs(h.vmid, regs);
	write_regs(h.vmid, none);
	assert_memory_equal(regs, old, sizeof(regs));
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
}

static bool is_there(void *arg)
{
	return mem_alloc(dev, arg, 0, 1) == 0;
}

/* What one handler after the other leaves behind has the same limit. */
static void test_replace_too_many(void **state)
{
	struct amdgpudbg_mem_alloc first, now, next;
	unsigned int num = 0;
	int ret;

	(void)state;
	assert_int_equal(mem_alloc(dev, &first, 0, 1), 0);
	now = first;
	assert_int_equal(set_handler(dev, now.va, 4, 0, 0, NULL), 0);
	while (!(ret = mem_alloc(dev, &next, 0, 1))) {
		assert_in_range(num, 0, AMDGPUDBG_MEM_MAX_FREED - 1);
		num++;
		assert_int_equal(set_handler(dev, next.va, 4, 0, 0, NULL), 0);
		assert_int_equal(mem_free(dev, now.id), 0);
		now = next;
	}
	assert_int_equal(ret, -ENOSPC);
	assert_in_range(num, 1, AMDGPUDBG_MEM_MAX_FREED);
	assert_false(is_free(&first));
	assert_int_equal(clear_handler(dev), 0);
	assert_true(until(is_free, &first, DEADLINE_S));
	assert_int_equal(mem_free(dev, now.id), 0);
	assert_true(until(is_free, &now, DEADLINE_S));
	/* One after the other, as the driver's own jobs for that end. */
	assert_true(until(is_there, &next, DEADLINE_S));
	assert_int_equal(mem_free(dev, next.id), 0);
}

static bool is_gone(void *arg)
{
	return mem_free(dev, *(uint32_t *)arg) == 0;
}

/* What was reserved for the test before may not have been given back until now. */
static bool can_reserve(void *fd)
{
	return vm_op(*(int *)fd, AMDGPU_VM_OP_RESERVE_VMID) == 0;
}

/* The VMID must be the target's alone, and stay so. */
static void test_reservation(void **state)
{
	int other = open(RENDER, O_RDWR | O_CLOEXEC);
	struct handler h;

	(void)state;
	assert_true(other >= 0);
	load(dev, &h, stop_code, sizeof(stop_code));
	assert_true(until(can_reserve, &other, DEADLINE_S));
	assert_int_equal(install_loaded(dev, &h), -EBUSY);
	assert_busy(dev, AMDGPUDBG_BUSY_VMID_RESERVED, 0);
	assert_int_equal(vm_op(other, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	assert_int_equal(install_loaded(dev, &h), 0);

	/* The target gives it back under the debugger. */
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	assert_true(until(is_gone, &h.code.id, DEADLINE_S));
	assert_regs_zero(h.vmid);
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(mem_free(dev, h.tma.id), 0);

	/* What the target has reserved itself stays. */
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_RESERVE_VMID), 0);
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
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	close(other);
}

/* All waves of a program are halted by a handler. */
static void stop_a_program(struct handler *h, struct gpu_job *job,
			   struct stopped *s)
{
	install(dev, h, stop_code, sizeof(stop_code));
	start("trap_spin", job);
	wait_stopped(dev, h->vmid, s);
}

/* A handler is cleared while its waves trap all the time. */
static void test_clear_busy(void **state)
{
	struct gpu_job job;
	struct stopped s;
	struct handler h;

	(void)state;
	stop_a_program(&h, &job, &s);
	assert_int_equal(clear_handler(dev), 0);
	assert_int_equal(clear_handler(dev), -ENOENT);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	/* They are still halted, and trap, without effect, when they are resumed. */
	assert_true(are_stopped(&s));
	assert_int_equal(self_resume(dev, h.vmid), 0);
	wait_begun();
	stop_spinning();
	finish(&job, -1);
	assert_taken_back(&h);
}

/* What counts against the time of a user belongs to his session, which resumes it. */
static bool is_done(void *arg)
{
	if (!root)
		self_resume(dev, 0);
	return !gpu_wait(&prog.gpu, arg, 0);
}

/*
 * The target releases the VMID, and no other process gets it: its waves are still there,
 * and those that the handler has halted without a report are resumed.
 */
static void test_unreserved_stopped(void **state)
{
	struct gpu_job job;
	struct stopped s;
	struct handler h;

	(void)state;
	stop_a_program(&h, &job, &s);
	assert_int_equal(vm_op(prog.gpu.fd, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	stop_spinning();
	assert_true(until(is_done, &job, DEADLINE_S));
	finish(&job, -1);
	clear_handler(dev);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	assert_taken_back(&h);
}

/* A debugger that is a child of the target, until it is killed. */
struct debugger {
	pid_t pid;
	struct handler h;
};

static void debugger(int to, const uint32_t *code, size_t size)
{
	int fd = open_session(prog.gpu.fd);
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
		/* A failure must end the program, not start the next test. */
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
			wait_begun();
		assert_int_equal(child_kill(d.pid), 0);
		wait_begun();
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
	wait_begun();
	assert_int_equal(child_kill(d.pid), 0);
	install(dev, &h, stop_code, sizeof(stop_code));
	assert_int_equal(h.vmid, d.h.vmid);
	wait_stopped(dev, h.vmid, &s);
	stop_spinning();
	assert_int_equal(clear_handler(dev), 0);
	assert_int_equal(self_resume(dev, h.vmid), 0);
	finish(&job, -1);
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	assert_taken_back(&h);
	assert_taken_back(&d.h);
}

/* What the driver has written stays, and a new handler can be set. */
static void a_handler_that_the_driver_replaces_is_reported(void **state)
{
	static const uint32_t other[4] = { 0x1234, 0, 0x5678, 0 }, none[4];
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST,
		.entry_size = sizeof(struct amdgpudbg_event),
	};
	struct amdgpudbg_event event;
	struct gpu_job job;
	uint32_t regs[4];
	struct handler h;

	(void)state;
	if (!root)
		skip();
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
	install(dev, &h, data_code, sizeof(data_code));
	write_regs(h.vmid, other);
	/* read() waits. */
	assert_int_equal(read(dev, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.type, AMDGPUDBG_EVENT_HANDLER_LOST);
	assert_int_equal(event.data, AMDGPUDBG_HANDLER_LOST_REWRITTEN);
	assert_int_equal(event.vmid, h.vmid);
	assert_int_equal(clear_handler(dev), -ENOENT);
	read_regs(h.vmid, regs);
	assert_memory_equal(regs, other, sizeof(regs));
	assert_int_equal(mem_free(dev, h.code.id), 0);
	assert_int_equal(mem_free(dev, h.tma.id), 0);
	write_regs(h.vmid, none);

	install(dev, &h, stop_code, sizeof(stop_code));
	uninstall(dev, &h);
	assert_taken_back(&h);
	start("trap_value", &job);
	finish(&job, 5);
	enable.mask = 0;
	enable.entry_size = 0;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
}

static bool drop_rights(const char *user)
{
	const struct passwd *pw = getpwnam(user);

	return pw && !initgroups(user, pw->pw_gid) && !setgid(pw->pw_gid) &&
	       !setuid(pw->pw_uid);
}

static int set_up(void **state)
{
	(void)state;
	if (open_prog())
		return -1;
	dev = open(NODE, O_RDWR | O_CLOEXEC);
	return dev < 0 ? -1 : set_target(dev, prog.gpu.fd, true);
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
	if (open_prog())
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
			wait_begun();
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
		cmocka_unit_test(test_free_too_many),
		cmocka_unit_test(test_free_between_jobs),
		cmocka_unit_test(test_memory_errors),
		cmocka_unit_test(test_no_hole),
		cmocka_unit_test(test_one_hole),
		cmocka_unit_test(test_without_target),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_little_room),
		cmocka_unit_test(test_exception),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_chain_is_checked),
		cmocka_unit_test(test_chain_has_the_pair_of_before),
		cmocka_unit_test(test_replace_too_many),
		cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_clear_busy),
		cmocka_unit_test(test_unreserved_stopped),
		cmocka_unit_test(test_death_idle),
		cmocka_unit_test(test_death_stopped),
		cmocka_unit_test(test_death_busy),
		cmocka_unit_test(test_succession),
		cmocka_unit_test(a_handler_that_the_driver_replaces_is_reported),
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
