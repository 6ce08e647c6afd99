// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The capabilities that a session without a target needs: "Scope and authority" of
 * linux/amdgpudbg.h, each right with each call; and the calls that a descriptor allows which was
 * opened read-only. Run as root.
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>
#include <linux/capability.h>

#define NODE "/dev/amdgpudbg0"

/* Not in the headers of older systems: Linux 5.8 */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define WORDS _LINUX_CAPABILITY_U32S_3
#define NONE -1

static struct prog prog;
static struct gpu_job job;

/* From now on this process has the one capability alone. */
static int keep(int cap)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[WORDS] = { 0 };

	if (cap != NONE) {
		data[cap / 32].effective = 1U << cap % 32;
		data[cap / 32].permitted = 1U << cap % 32;
	}
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int result(int ret)
{
	return ret ? -errno : 0;
}

static int list(int fd, unsigned long nr)
{
	static char buf[256 * sizeof(struct amdgpudbg_wave)];
	struct amdgpudbg_wave_list args = {
		.size = sizeof(args),
		.entry_size = sizeof(struct amdgpudbg_wave), .capacity = 256,
		.waves = (uintptr_t)buf,
	};

	return result(ioctl(fd, nr, &args));
}

static int list_running(int fd)
{
	return list(fd, AMDGPUDBG_IOC_WAVE_LIST);
}

static int snapshot(int fd)
{
	return list(fd, AMDGPUDBG_IOC_WAVE_SNAPSHOT);
}

static int events(int fd)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args), .mask = 1ULL << AMDGPUDBG_EVENT_WAVE,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	return result(ioctl(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &args));
}

/* A VMID that has no waves is one that has none to halt. */
static struct amdgpudbg_wave_control halt_all(uint32_t flags)
{
	return (struct amdgpudbg_wave_control){
		.size = sizeof(struct amdgpudbg_wave_control), .flags = flags,
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .vmid = 1,
	};
}

static int control(int fd)
{
	struct amdgpudbg_wave_control args = halt_all(0);

	return result(ioctl(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &args));
}

static int leave_halted(int fd)
{
	struct amdgpudbg_wave_control args =
		halt_all(AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED);

	return result(ioctl(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &args));
}

static int batch(int fd)
{
	struct amdgpudbg_batch_op op = { .control = halt_all(0) };
	struct amdgpudbg_wave_batch args = {
		.size = sizeof(args), .entry_size = sizeof(op), .count = 1,
		.ops = (uintptr_t)&op,
	};
	int ret = result(ioctl(fd, AMDGPUDBG_IOC_WAVE_BATCH, &args));

	return ret ? ret : op.error;
}

static int registers(int fd)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_MODE,
		.count = 1,
	};
	uint32_t value;
	struct amdgpudbg_reg_access args = {
		.size = sizeof(args), .num_ranges = 1, .num_values = 1,
		.ranges = (uintptr_t)&range, .values = (uintptr_t)&value,
		.at = { .wave = 15 },
	};

	return result(ioctl(fd, AMDGPUDBG_IOC_REG_ACCESS, &args));
}

static int reg_batch(int fd)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_MODE,
		.count = 1,
	};
	uint32_t value;
	struct amdgpudbg_reg_batch_op op = {
		.access = {
			.size = sizeof(op.access), .num_ranges = 1,
			.num_values = 1, .ranges = (uintptr_t)&range,
			.values = (uintptr_t)&value, .at = { .wave = 15 },
		},
	};
	struct amdgpudbg_reg_batch args = {
		.size = sizeof(args), .entry_size = sizeof(op), .count = 1,
		.ops = (uintptr_t)&op,
	};
	int ret = result(ioctl(fd, AMDGPUDBG_IOC_REG_BATCH, &args));

	return ret ? ret : op.error;
}

/* As a bit of the result: it is not -EPERM. */
static int (*const calls[])(int fd) = {
	list_running, events, snapshot, control, batch, registers,
	reg_batch, leave_halted,
};

#define LOOK	0x03
#define CONTROL	0x7c
#define ADMIN	0x80

/* What this process may do now, in a session of its own */
static int what_may_be_done(void)
{
	int fd, done = 0, ret;

	for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		fd = open(NODE, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return 0xff;
		ret = calls[i](fd);
		close(fd);
		/* There may be no wave. */
		if (!ret || ret == -ENODATA)
			done |= 1 << i;
		else if (ret != -EPERM)
			return 0x80 | i;
	}
	return done;
}

static int with(int cap)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(keep(cap) ? 0xfe : what_may_be_done());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void each_capability_permits_its_calls(void **state)
{
	(void)state;
	assert_int_equal(with(NONE), 0);
	assert_int_equal(with(CAP_PERFMON), LOOK);
	assert_int_equal(with(CAP_SYS_PTRACE), LOOK | CONTROL);
	assert_int_equal(with(CAP_SYS_ADMIN), LOOK | CONTROL | ADMIN);
	/* Those that sound like it */
	assert_int_equal(with(CAP_SYS_RAWIO), 0);
	assert_int_equal(with(CAP_KILL), 0);
	assert_int_equal(with(CAP_DAC_OVERRIDE), 0);
}

/* Halts everything, and waits until that is counted, or does not see that it is. */
static int is_counted(void)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	struct amdgpudbg_wave_control args = halt_all(0);
	uint32_t before;
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, AMDGPUDBG_IOC_GET_INFO, &info))
		return 2;
	before = info.halt_left_ms;
	for (args.vmid = 1; args.vmid < info.first_kfd_vmid; args.vmid++)
		if (ioctl(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &args) &&
		    errno != ENODATA)
			return 3;
	for (int i = 0; i < 100000; i++) {
		if (ioctl(fd, AMDGPUDBG_IOC_GET_INFO, &info))
			return 4;
		if (info.halt_left_ms < before)
			return 1;
	}
	return 0;
}

/* Its waves run until the program's word 0 is not zero. */
static void begin_job(void)
{
	prog_ctl(&prog)[0] = 0;
	/* The waves of a job before have counted, too. */
	prog_ctl(&prog)[1] = 0;
	assert_int_equal(prog_submit(&prog, "spin", &job), 0);
	assert_int_equal(prog_wait(&prog, 1, 1), 0);
}

static void only_cap_sys_admin_halts_without_a_limit(void **state)
{
	static const int caps[] = { CAP_SYS_ADMIN, CAP_SYS_PTRACE };
	int status;

	(void)state;
	begin_job();
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(keep(caps[i]) ? 5 : is_counted());
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(WEXITSTATUS(status), i);
	}
	prog_ctl(&prog)[0] = 1;
	assert_int_equal(gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE), 0);
	gpu_job_free(&prog.gpu, &job);
}

/* ------------------------------------------------------ nodes that are open for reading */

static union {
	struct {
		uint32_t size;
		uint32_t flags;
	};
	struct amdgpudbg_info info;
	struct amdgpudbg_capability capability;
	struct amdgpudbg_busy busy;
	struct amdgpudbg_wave_list wave_list;
	struct amdgpudbg_wave_control wave_control;
	struct amdgpudbg_wave_batch wave_batch;
	struct amdgpudbg_reg_access reg_access;
	struct amdgpudbg_reg_batch reg_batch;
	struct amdgpudbg_target_set target_set;
	struct amdgpudbg_mem_alloc mem_alloc;
	struct amdgpudbg_mem_free mem_free;
	struct amdgpudbg_mem_copy mem_copy;
	struct amdgpudbg_vm_access vm_access;
	struct amdgpudbg_vm_list vm_list;
	struct amdgpudbg_trap_handler trap_handler;
	struct amdgpudbg_watch_set watch_set;
	struct amdgpudbg_watch_clear watch_clear;
	struct amdgpudbg_launch_set launch_set;
	struct amdgpudbg_event_enable event_enable;
	struct amdgpudbg_job_list job_list;
} arg;

/* A call, and with which of its flags it changes something: NEVER, or always with ANY */
struct right {
	unsigned long nr;
	size_t size;
	uint32_t changing;
};

#define NEVER	0
#define ANY	UINT32_MAX
#define CALL(NAME, name, changing) \
	{ AMDGPUDBG_IOC_##NAME, sizeof(struct amdgpudbg_##name), changing }

static const struct right rights[] = {
	CALL(GET_INFO, info, NEVER),
	CALL(GET_CAPABILITY, capability, NEVER),
	CALL(GET_BUSY, busy, NEVER),
	CALL(WAVE_LIST, wave_list, NEVER),
	CALL(JOB_LIST, job_list, NEVER),
	CALL(VM_LIST, vm_list, NEVER),
	CALL(TARGET_SET, target_set, NEVER),
	CALL(EVENT_ENABLE, event_enable, NEVER),
	CALL(WAVE_SNAPSHOT, wave_list, ANY),
	CALL(WAVE_CONTROL, wave_control, ANY),
	CALL(WAVE_BATCH, wave_batch, ANY),
	CALL(MEM_ALLOC, mem_alloc, ANY),
	CALL(MEM_FREE, mem_free, ANY),
	CALL(TRAP_HANDLER, trap_handler, ANY),
	CALL(WATCH_SET, watch_set, ANY),
	CALL(WATCH_CLEAR, watch_clear, ANY),
	CALL(LAUNCH_SET, launch_set, ANY),
	CALL(REG_ACCESS, reg_access, AMDGPUDBG_REG_ACCESS_WRITE),
	CALL(MEM_COPY, mem_copy, AMDGPUDBG_MEM_COPY_WRITE),
	CALL(VM_ACCESS, vm_access, AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_UNPATCH),
	/* It has accesses, some of which may write: see below */
	CALL(REG_BATCH, reg_batch, NEVER),
};

static int call_with(int fd, const struct right *r, uint32_t flags)
{
	memset(&arg, 0, sizeof(arg));
	arg.size = r->size;
	arg.flags = flags;
	if (r->nr == AMDGPUDBG_IOC_TARGET_SET) {
		arg.target_set.drm_fd = -1;
		arg.target_set.pidfd = -1;
	}
	return result(ioctl(fd, r->nr, &arg));
}

/*
 * With arguments that are mostly wrong: what is to be refused is refused before anything
 * else is looked at, and whatever else is wrong has another error.
 */
static void a_node_opened_for_reading_refuses_each_call_that_changes_anything(void **state)
{
	unsigned int known = 0;
	int fd = open(NODE, O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
		const struct right *r = &rights[i];

		known |= 1U << (_IOC_NR(r->nr) - AMDGPUDBG_CMD_BASE);
		assert_int_equal(call_with(fd, r, 0) == -EBADF, r->changing == ANY);
		for (uint32_t flag = 1; r->changing != ANY && flag; flag <<= 1)
			assert_int_equal(call_with(fd, r, flag) == -EBADF,
					 !!(r->changing & flag));
	}
	/* And the module has no calls that this test does not know. */
	for (unsigned int i = 0; i < 32; i++) {
		memset(&arg, 0, sizeof(arg));
		assert_int_equal(ioctl(fd, _IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_BASE + i), &arg),
				 -1);
		assert_int_equal(errno == ENOTTY, !(known & 1U << i));
	}
	close(fd);
}

static void take_own_target(int fd)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = prog.gpu.fd, .pidfd = -1,
	};

	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_TARGET_SET, &target), 0);
}

static struct amdgpudbg_wave first_wave(int fd)
{
	static struct amdgpudbg_wave waves[256];
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(waves[0]), .capacity = 256,
		.waves = (uintptr_t)waves,
	};

	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_WAVE_LIST, &list), 0);
	assert_in_range(list.count, 1, 256);
	return waves[0];
}

/* Reads or writes MODE of the wave, by a call or in a batch. */
static int access_mode(int fd, const struct amdgpudbg_wave *wave, uint32_t flags, bool in_batch)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_MODE, .count = 1,
	};
	uint32_t value = 0;
	struct amdgpudbg_reg_batch_op op = {
		.access = {
			.size = sizeof(op.access), .flags = flags, .num_ranges = 1,
			.num_values = 1, .ranges = (uintptr_t)&range,
			.values = (uintptr_t)&value, .at = wave->at,
		},
	};
	struct amdgpudbg_reg_batch batch = {
		.size = sizeof(batch), .entry_size = sizeof(op), .count = 1,
		.ops = (uintptr_t)&op,
	};
	int ret;

	if (!in_batch)
		return result(ioctl(fd, AMDGPUDBG_IOC_REG_ACCESS, &op.access));
	ret = result(ioctl(fd, AMDGPUDBG_IOC_REG_BATCH, &batch));
	return ret ? ret : op.error;
}

static void a_node_opened_for_reading_reads_what_it_may_not_change(void **state)
{
	struct amdgpudbg_wave_control halt = halt_all(0);
	struct amdgpudbg_wave wave;
	int fd = open(NODE, O_RDONLY | O_CLOEXEC), writer;

	(void)state;
	assert_true(fd >= 0);
	begin_job();
	take_own_target(fd);
	assert_int_equal(events(fd), 0);
	wave = first_wave(fd);
	assert_false(wave.flags & AMDGPUDBG_WAVE_HALTED);
	halt.vmid = 0;
	assert_int_equal(result(ioctl(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &halt)), -EBADF);
	assert_int_equal(snapshot(fd), -EBADF);
	assert_false(first_wave(fd).flags & AMDGPUDBG_WAVE_HALTED);

	/* Halted by another session, so that only the descriptor forbids to write. */
	writer = open(NODE, O_RDWR | O_CLOEXEC);
	assert_true(writer >= 0);
	take_own_target(writer);
	assert_int_equal(result(ioctl(writer, AMDGPUDBG_IOC_WAVE_CONTROL, &halt)), 0);
	for (int in_batch = 0; in_batch < 2; in_batch++) {
		assert_int_equal(access_mode(fd, &wave, 0, in_batch), 0);
		assert_int_equal(access_mode(fd, &wave, AMDGPUDBG_REG_ACCESS_WRITE, in_batch),
				 -EBADF);
		assert_int_equal(access_mode(writer, &wave, AMDGPUDBG_REG_ACCESS_WRITE,
					     in_batch), 0);
	}
	close(writer);
	close(fd);
	prog_ctl(&prog)[0] = 1;
	assert_int_equal(gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE), 0);
	gpu_job_free(&prog.gpu, &job);
}

static int set_up(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, NULL, PROG_GROUP, 0);
}

static int take_down(void **state)
{
	(void)state;
	/* After a test that has failed, too: a close of its file would wait for the job. */
	prog_ctl(&prog)[0] = 1;
	prog_close(&prog);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_capability_permits_its_calls),
		cmocka_unit_test(only_cap_sys_admin_halts_without_a_limit),
		cmocka_unit_test(a_node_opened_for_reading_refuses_each_call_that_changes_anything),
		cmocka_unit_test(a_node_opened_for_reading_reads_what_it_may_not_change),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}
