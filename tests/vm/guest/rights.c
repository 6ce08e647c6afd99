// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which capability lets a session without a target do what: "Scope and authority" of
 * linux/amdgpudbg.h, each right by each call. Run as root.
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
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

static void each_right_is_for_its_calls(void **state)
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

static void only_admin_stops_without_end(void **state)
{
	static const int caps[] = { CAP_SYS_ADMIN, CAP_SYS_PTRACE };
	int status;

	(void)state;
	prog_ctl(&prog)[0] = 0;
	assert_int_equal(prog_submit(&prog, "spin", &job), 0);
	assert_int_equal(prog_wait(&prog, 1, 1), 0);
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

static int set_up(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, NULL, PROG_GROUP, 0);
}

static int take_down(void **state)
{
	(void)state;
	prog_close(&prog);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_right_is_for_its_calls),
		cmocka_unit_test(only_admin_stops_without_end),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}
