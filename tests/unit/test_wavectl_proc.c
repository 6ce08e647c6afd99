// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl proc list, and --pid of the verbs that are about waves.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

#define CLIENT(pasid, client) \
	"pasid:\t" pasid "\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:04:00.0\n" \
	"drm-client-id:\t" client "\n"

#define SET { .request = AMDGPUDBG_IOC_TARGET_SET }
#define LIST(n) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves, \
	.num_waves = n, \
}

static struct run r;

static int setup(void **state)
{
	run_setup_process(state);
	mock_proc_file("4711/comm", "shader\n");
	mock_proc_file("4711/status", "Uid:\t1001\t1001\t1001\t1001\n");
	mock_proc_file("4712/comm", "game\n");
	mock_proc_file("4712/fdinfo/7", CLIENT("32774", "50"));
	mock_proc_file("4712/fdinfo/8", CLIENT("32775", "51"));
	mock_proc_file("12/fdinfo/0", "pos:\t0\n");
	return 0;
}

static void processes_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };
	struct json_object *o, *clients, *v;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "proc list"), 0);
	assert_string_equal(r.out,
			    "PID   CLIENT  PASID  FD  NUM FDS  NAME\n"
			    "4711  41      32769  9   1        shader\n"
			    "4712  50      32774  7   1        game\n"
			    "4712  51      32775  8   1        game\n");

	assert_int_equal(run(&r, "proc list -p 4711 --json"), 0);
	o = json_tokener_parse(r.out);
	assert_true(json_object_object_get_ex(o, "clients", &clients));
	assert_int_equal(json_object_array_length(clients), 1);
	v = json_object_array_get_idx(clients, 0);
	assert_true(json_object_object_get_ex(v, "client", &v));
	assert_int_equal(json_object_get_int(v), 41);
	json_object_put(o);

	assert_int_equal(run(&r, "proc list --pid 12"), 0);
	assert_string_equal(r.out, "the process does not use this GPU\n");
	assert_int_equal(run(&r, "proc list --pid 13"), 3);
	contains(r.err, "process 13: no such process (ESRCH)");
}

static void a_process_is_attached_to_first(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, SET, LIST(3) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --pid 4711"), 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
	assert_int_equal(run(&r, "wave list -p 4712 --client 51"), 0);
}

static void a_pid_alone_halts_the_process(void **state)
{
	struct amdgpudbg_wave_control in = {
		.size = sizeof(in), .op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	struct amdgpudbg_wave_control out = in;
	/* The module knows which VMIDs are the process's. */
	const struct mock_ioctl expect[] = {
		OPEN, SET,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &in, .out = &out,
		  .size = sizeof(in) },
	};
	const struct mock_ioctl look[] = { OPEN, SET, LIST(3) };
	const struct mock_ioctl none[] = { OPEN, SET, LIST(0) };

	(void)state;
	out.matched = 3;
	out.changed = 3;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "resume --pid 4711"), 0);
	assert_string_equal(r.out, "resumed 3 of 3 waves\n");

	out.matched = 0;
	out.changed = 0;
	assert_int_equal(run(&r, "resume --pid 4711"), 3);
	contains(r.err, "no halted wave to resume");

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "-n resume --pid 4711"), 0);
	contains(r.out, "resume     BROADCAST_PROCESS  -     -");
	contains(r.out, "would resume 1 waves");
	mock_expect(none, ARRAY_SIZE(none));
	assert_int_equal(run(&r, "-n resume --pid 4711"), 3);
	contains(r.err, "process 4711 has no live wave");
}

static void it_is_said_why_not(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };
	static const struct mock_ioctl busy[] = {
		OPEN, { .request = AMDGPUDBG_IOC_TARGET_SET, .error = EBUSY },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --pid 13"), 3);
	contains(r.err, "cannot debug process 13: no such process");
	assert_int_equal(run(&r, "wave list --pid 12"), 3);
	contains(r.err, "process 12 does not use this GPU");
	assert_int_equal(run(&r, "wave list --pid 4711 --client 5"), 3);
	contains(r.err, "process 4711 has no client 5 of this GPU");
	assert_int_equal(run(&r, "wave list --pid 4712"), 2);
	contains(r.err, "select one with --client");
	mock_proc_owner(1001);
	mock_set_getfd_error(EPERM);
	assert_int_equal(run(&r, "halt --pid 4711"), 4);
	contains(r.err, "cannot debug process 4711; it is another user's");
	mock_set_getfd_error(0);

	mock_expect(busy, ARRAY_SIZE(busy));
	assert_int_equal(run(&r, "halt --pid 4711"), 6);
	contains(r.err, "(EBUSY)");

	mock_expect(NULL, 0);
	assert_int_equal(run(&r, "wave list --client 3"), 2);
	assert_int_equal(run(&r, "wave list --pid 0"), 2);
	assert_int_equal(run(&r, "wave list --pid 4711 --client 0"), 2);
	assert_int_equal(run(&r, "wave list --pid 4294967296"), 2);
}

/* The process exits while it is looked at. */
static void a_process_that_exits_is_gone(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, SET,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = ENOTCONN },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --pid 4711"), 3);
	contains(r.err, "the session has no target, or the target has exited (ENOTCONN)");
}

/*
 * What a process calls itself is its own choice: an escape sequence, a line feed, CSI as
 * ISO 8859 and UTF-8 have it, and letters that are none of ASCII.
 */
#define EVIL "\033[2Jx\n\233m\302\233m\303\251"
#define SHOWN "\\x1b[2Jx\\x0a\\x9bm\\xc2\\x9bm\303\251"

/* The same without the line feed, behind which the library does not read */
#define EVIL_LINE "\033[2Jx\233m\302\233m\303\251"
#define SHOWN_LINE "\\x1b[2Jx\\x9bm\\xc2\\x9bm\303\251"

static void a_name_does_nothing_to_the_terminal(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };
	static const struct mock_ioctl busy[] = {
		OPEN, SET, LISTENS,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .error = EBUSY },
	};
	static const char watch[] =
		"watch set -p 4711 --address 0 --bytes 4096";

	(void)state;
	mock_proc_file("4713/comm", EVIL_LINE "\n");
	mock_proc_file("4713/fdinfo/3", CLIENT("99", "60"));
	mock_proc_file("4714/comm", EVIL "\n");
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "proc list --pid 4713"), 0);
	contains(r.out, "  " SHOWN_LINE "\n");

	mock_expect(busy, ARRAY_SIZE(busy));
	mock_busy = (struct amdgpudbg_busy){
		.cause = AMDGPUDBG_BUSY_VMID_JOBS, .vmid = 4, .pasid = 99,
		.by = AMDGPUDBG_BUSY_BY_PROCESS,
	};
	assert_int_equal(run(&r, watch), 6);
	contains(r.err, "jobs of process 4713 (" SHOWN_LINE ") are still in VMID 4");

	mock_busy = (struct amdgpudbg_busy){
		.cause = AMDGPUDBG_BUSY_WAVE, .pid = 4714,
	};
	assert_int_equal(run(&r, watch), 6);
	contains(r.err, "process 4714 (" SHOWN ") (EBUSY)");

	/* JSON has the name as it is, as far as it can be written in it. */
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-j proc list --pid 4713"), 0);
	contains(r.out, "\"\\u001b[2Jx\357\277\275m\\u009bm\303\251\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_are_listed),
		cmocka_unit_test(a_process_is_attached_to_first),
		cmocka_unit_test(a_pid_alone_halts_the_process),
		cmocka_unit_test(it_is_said_why_not),
		cmocka_unit_test(a_process_that_exits_is_gone),
		cmocka_unit_test(a_name_does_nothing_to_the_terminal),
	};

	return cmocka_run_group_tests_name("wavectl_proc", tests, setup,
					   run_teardown);
}
