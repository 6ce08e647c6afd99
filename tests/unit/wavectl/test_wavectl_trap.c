// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl trap install and trap set: the kernel calls. What they print is in
 * transcripts/trap.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

/* Then it tells whose waves these are. */
#define OPEN_TARGET OPEN, { .request = AMDGPUDBG_IOC_TARGET_SET }
#define ENABLE { \
	.request = AMDGPUDBG_IOC_EVENT_ENABLE, .in = &enable, \
	.size = sizeof(enable), \
}

/* Asks for the geometry, makes two buffers, and fills both. */
#define INSTALL \
	MOCK_GET_INFO, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &code, \
	  .size = sizeof(code) }, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &memory, \
	  .size = sizeof(memory) }, \
	{ .request = AMDGPUDBG_IOC_MEM_COPY }, \
	{ .request = AMDGPUDBG_IOC_MEM_COPY }
#define SET { \
	.request = AMDGPUDBG_IOC_TRAP_HANDLER, .in = &set_in, \
	.out = &set_out, .size = sizeof(set_in), \
}

#define FAILS(nr, _error) { .request = AMDGPUDBG_IOC_##nr, .error = _error }

static const struct amdgpudbg_event_enable enable = {
	.size = sizeof(enable),
	.entry_size = AMDGPUDBG_SIZE_MAX,
	.mask = 1ULL << AMDGPUDBG_EVENT_WAVE |
		1ULL << AMDGPUDBG_EVENT_GPU_RESET |
		1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED |
		1ULL << AMDGPUDBG_EVENT_HANDLER_LOST | 1ULL << AMDGPUDBG_EVENT_SLEEP,
};

static const struct amdgpudbg_mem_alloc code = {
	.size = sizeof(code), .flags = AMDGPUDBG_MEM_ALLOC_EXEC,
	.bytes = 4096, .va = 0x601000000000, .id = 1,
};

static const struct amdgpudbg_mem_alloc memory = {
	.size = sizeof(memory), .flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
	.bytes = 8192, .va = 0x602000000000, .id = 2,
};

static const struct amdgpudbg_trap_handler set_in = {
	.size = sizeof(set_in), .tba = 0x601000000000, .tba_size = 4096,
	.tma = 0x602000000000, .tma_size = 8192,
};

static const struct amdgpudbg_trap_handler set_out = {
	.size = sizeof(set_out), .vmid = 4,
};

/* At s_trap 3; at an exception; by the host. */
static const struct amdgpudbg_event stops[] = {
	{
		.size = sizeof(stops[0]),
		.type = AMDGPUDBG_EVENT_WAVE, .seq = 1,
		.at = { .wgp = 1, .wave = 2 }, .vmid = 4,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x100001000,
		.cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 3,
	},
	{
		.size = sizeof(stops[0]),
		.type = AMDGPUDBG_EVENT_WAVE, .seq = 2,
		.at = { .wgp = 2 }, .vmid = 4,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x100002000,
		.cause = AMDGPUDBG_CAUSE_FLOAT_DIV0,
	},
	{
		.size = sizeof(stops[0]),
		.type = AMDGPUDBG_EVENT_WAVE, .seq = 3,
		.at = { .wgp = 3 }, .vmid = 4,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x100003000,
		.cause = AMDGPUDBG_CAUSE_HOST_TRAP, .trap_id = 7,
	},
};

static struct run r;

static void a_handler_is_installed_and_its_stops_are_counted(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(stops, sizeof(stops));
	assert_int_equal(run(&r, "trap install --pid 4711 --count 3"), 0);
}

static void trap_install_lasts_until_a_signal(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	run_start(&r, "trap install -p 4711");
	run_line(&r);
	assert_int_equal(kill(r.pid, SIGINT), 0);
	run_end(&r);
	assert_int_equal(r.status, 0);
}

static void resumes_the_wave_that_has_stopped(void *arg)
{
	const struct amdgpudbg_wave_control *control = arg;

	assert_int_equal(control->op, AMDGPUDBG_WAVEOP_RESUME);
	assert_int_equal(control->mode, AMDGPUDBG_WAVEMODE_SINGLE);
	assert_int_equal(control->vmid, 4);
	assert_memory_equal(&control->at, &stops[0].at, sizeof(control->at));
}

static void trap_install_resume_resumes_each_stopped_wave(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL,
		  .check = resumes_the_wave_that_has_stopped },
		/* It was resumed by another, and has ended. */
		FAILS(WAVE_CONTROL, ENODATA),
		FAILS(WAVE_CONTROL, EIO),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(stops, sizeof(stops));
	assert_int_equal(run(&r, "trap install -p 4711 --resume"), 1);
}

/* A file with a handler of two instructions; its name */
static const char *write_code(void)
{
	static const unsigned char bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static char name[64];
	int fd;

	strcpy(name, "/tmp/wavectl-handler.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	close(fd);
	return name;
}

static void is_the_file(void *arg)
{
	static const unsigned char bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct amdgpudbg_mem_copy *copy = arg;

	assert_int_equal(copy->flags, AMDGPUDBG_MEM_COPY_WRITE);
	assert_int_equal(copy->id, 1);
	assert_int_equal(copy->bytes, sizeof(bytes));
	assert_memory_equal((const void *)(uintptr_t)copy->data, bytes,
			    sizeof(bytes));
}

static void trap_set_installs_the_handler_of_a_file(void **state)
{
	static const struct amdgpudbg_mem_alloc code_in = {
		.size = sizeof(code_in), .flags = AMDGPUDBG_MEM_ALLOC_EXEC,
		.bytes = 8,
	};
	static const struct amdgpudbg_mem_alloc memory_in = {
		.size = sizeof(memory_in), .bytes = 5000,
		.flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
	};
	static const struct amdgpudbg_trap_handler handler = {
		.size = sizeof(handler), .tba = 0x601000000000, .tba_size = 8,
		.tma = 0x602000000000, .tma_size = 8192,
	};
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE,
		{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .in = &code_in,
		  .out = &code, .size = sizeof(code) },
		{ .request = AMDGPUDBG_IOC_MEM_COPY, .check = is_the_file },
		{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .in = &memory_in,
		  .out = &memory, .size = sizeof(memory) },
		{ .request = AMDGPUDBG_IOC_TRAP_HANDLER, .in = &handler,
		  .out = &set_out, .size = sizeof(handler) },
	};
	const char *name = write_code();
	char command[256];

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	snprintf(command, sizeof(command),
		 "trap set %s -p 4711 --memory 5000 --for 0.01", name);
	assert_int_equal(run(&r, command), 0);
	contains(r.out, name);
	contains(r.out, " of VMID 4 is set; holding, Ctrl-C ends\n");
	unlink(name);
}

static void an_error_of_trap_set_frees_its_memory(void **state)
{
	static const struct mock_ioctl busy[] = {
		OPEN_TARGET, ENABLE, INSTALL, FAILS(TRAP_HANDLER, EBUSY),
		FAILS(MEM_FREE, 0), FAILS(MEM_FREE, 0),
	};
	static const struct mock_ioctl kfd[] = {
		OPEN_TARGET, ENABLE, INSTALL, FAILS(TRAP_HANDLER, EOPNOTSUPP),
		FAILS(MEM_FREE, 0), FAILS(MEM_FREE, 0),
	};

	(void)state;
	mock_busy.cause = AMDGPUDBG_BUSY_TRAP_HANDLER;
	mock_expect(busy, ARRAY_SIZE(busy));
	assert_int_equal(run(&r, "trap install -p 4711"), 6);
	mock_expect(kfd, ARRAY_SIZE(kfd));
	assert_int_equal(run(&r, "trap install -p 4711"), 5);
}

static void trap_install_dry_run_installs_nothing(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN_TARGET };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-n trap install -p 4711"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(a_handler_is_installed_and_its_stops_are_counted),
		RUN_TEST_PROCESS(trap_install_lasts_until_a_signal),
		RUN_TEST_PROCESS(trap_install_resume_resumes_each_stopped_wave),
		RUN_TEST_PROCESS(trap_set_installs_the_handler_of_a_file),
		RUN_TEST_PROCESS(an_error_of_trap_set_frees_its_memory),
		RUN_TEST_PROCESS(trap_install_dry_run_installs_nothing),
	};

	return cmocka_run_group_tests_name("wavectl_trap", tests, NULL, NULL);
}
