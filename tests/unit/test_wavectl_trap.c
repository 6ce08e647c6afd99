// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl trap install and trap set.
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
#include <json-c/json.h>

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

#define FIRST	"se0.sa0.wgp1.simd0.wave2 vmid 4 stopped at 0x0000000100001000: s_trap 3\n"
#define SECOND	"se0.sa0.wgp2.simd0.wave0 vmid 4 stopped at 0x0000000100002000: DIV0\n"
#define THIRD	"se0.sa0.wgp3.simd0.wave0 vmid 4 stopped at 0x0000000100003000: trap 7 by the host\n"

static struct run r;

static void each_stop_is_a_line(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(stops, sizeof(stops));
	assert_int_equal(run(&r, "trap install --pid 4711 --count 3"), 0);
	assert_string_equal(r.out,
			    "trap handler default of VMID 4 is set; holding, Ctrl-C ends\n"
			    FIRST SECOND THIRD
			    "3 stops; the waves continue to run\n");
	assert_string_equal(r.err, "");
}

static void it_holds_until_a_signal(void **state)
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
	contains(r.out, "0 stops; the waves continue to run\n");
}

static void resumes_the_wave_that_has_stopped(void *arg)
{
	const struct amdgpudbg_wave_control *control = arg;

	assert_int_equal(control->op, AMDGPUDBG_WAVEOP_RESUME);
	assert_int_equal(control->mode, AMDGPUDBG_WAVEMODE_SINGLE);
	assert_int_equal(control->vmid, 4);
	assert_memory_equal(&control->at, &stops[0].at, sizeof(control->at));
}

static void a_wave_can_go_on_at_once(void **state)
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
	contains(r.out, FIRST SECOND THIRD);
	contains(r.err, "cannot resume a wave");
}

static void stops_in_json_are_objects(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};
	struct json_object *o, *v;
	char *line, *rest = r.out;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(stops, sizeof(stops));
	assert_int_equal(run(&r, "--json trap install -p 4711 -c 1"), 0);
	line = strsep(&rest, "\n");
	contains(line, "\"state\"");
	contains(line, "\"holding\"");
	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_true(json_object_object_get_ex(o, "pc", &v));
	assert_string_equal(json_object_get_string(v), "0x0000000100001000");
	assert_true(json_object_object_get_ex(o, "trap_id", &v));
	assert_int_equal(json_object_get_int(v), 3);
	assert_true(json_object_object_get_ex(o, "host", &v));
	assert_false(json_object_get_boolean(v));
	json_object_put(o);
	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_true(json_object_object_get_ex(o, "stops", &v));
	assert_int_equal(json_object_get_int(v), 1);
	json_object_put(o);
}

static void the_end_of_the_process_is_no_failure(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(stops, sizeof(stops[0]));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "trap install -p 4711"), 0);
	contains(r.out, FIRST "the process exited after 1 stops\n");
}

static void what_ends_the_handler_is_7(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_TARGET, ENABLE, INSTALL, SET,
	};
	static const struct amdgpudbg_event events[] = {
		{ .size = sizeof(events[0]), .seq = 1,
		  .type = AMDGPUDBG_EVENT_WAVE,
		  .at = { .wgp = 1, .wave = 2 }, .vmid = 4,
		  .flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		  .pc = 0x100001000,
		  .cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 3 },
		{ .size = sizeof(events[1]), .seq = 2,
		  .type = AMDGPUDBG_EVENT_HANDLER_LOST, .vmid = 4,
		  .data = AMDGPUDBG_HANDLER_LOST_VMID_GIVEN_BACK },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(events, sizeof(events));
	assert_int_equal(run(&r, "trap install -p 4711"), 7);
	contains(r.out, FIRST "1 stops; the waves continue to run\n");
	contains(r.err, "no longer in effect: the process has released its VMID");
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

static void a_handler_comes_from_a_file(void **state)
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

static void errors_have_their_status(void **state)
{
	static const struct mock_ioctl busy[] = {
		OPEN_TARGET, ENABLE, INSTALL, FAILS(TRAP_HANDLER, EBUSY),
		FAILS(MEM_FREE, 0), FAILS(MEM_FREE, 0),
	};
	static const struct mock_ioctl kfd[] = {
		OPEN_TARGET, ENABLE, INSTALL, FAILS(TRAP_HANDLER, EOPNOTSUPP),
		FAILS(MEM_FREE, 0), FAILS(MEM_FREE, 0),
	};
	static const struct mock_ioctl dry[] = { OPEN_TARGET };

	(void)state;
	mock_busy.cause = AMDGPUDBG_BUSY_TRAP_HANDLER;
	mock_expect(busy, ARRAY_SIZE(busy));
	assert_int_equal(run(&r, "trap install -p 4711"), 6);
	contains(r.err, "cannot install the trap handler: another session has set a trap handler (EBUSY)");
	mock_expect(kfd, ARRAY_SIZE(kfd));
	assert_int_equal(run(&r, "trap install -p 4711"), 5);
	mock_expect(dry, ARRAY_SIZE(dry));
	assert_int_equal(run(&r, "-n trap install -p 4711"), 0);
	contains(r.out, "would set the trap handler default; nothing was changed\n");
	mock_expect(NULL, 0);
	assert_int_equal(run(&r, "trap install"), 2);
	contains(r.err, "--pid is missing");
	assert_int_equal(run(&r, "trap set -p 4711"), 2);
	assert_int_equal(run(&r, "trap set a b -p 4711"), 2);
	assert_int_equal(run(&r, "trap set /nonexistent -p 4711"), 1);
	contains(r.err, "No such file");
	assert_int_equal(run(&r, "trap set /dev/null -p 4711"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(each_stop_is_a_line),
		RUN_TEST_PROCESS(it_holds_until_a_signal),
		RUN_TEST_PROCESS(a_wave_can_go_on_at_once),
		RUN_TEST_PROCESS(stops_in_json_are_objects),
		RUN_TEST_PROCESS(the_end_of_the_process_is_no_failure),
		RUN_TEST_PROCESS(what_ends_the_handler_is_7),
		RUN_TEST_PROCESS(a_handler_comes_from_a_file),
		RUN_TEST_PROCESS(errors_have_their_status),
	};

	return cmocka_run_group_tests_name("wavectl_trap", tests, NULL, NULL);
}
