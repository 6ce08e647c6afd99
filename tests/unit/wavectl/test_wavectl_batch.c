// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl batch and shell: commands in one session. Waves that one command has halted are still
 * halted in the next, the session is opened once, and each command works as on a command line.
 * More of the output is in transcripts/batch.txt.
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

static struct run r;
static struct amdgpudbg_wave_control halt_in, halt_out, resume_in, resume_out;
static char script[] = "/tmp/wavectl-batch.XXXXXX";

#define TARGET { .request = AMDGPUDBG_IOC_TARGET_SET }

/* In one session, so that the file is the whole of @args' last word. */
static int batch(const char *options, const char *text)
{
	FILE *f = fopen(script, "w");
	char args[256];

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0 && !fclose(f));
	snprintf(args, sizeof(args), "batch %s %s", script, options);
	return run(&r, args);
}

#define HALT { \
	.request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &halt_in, \
	.out = &halt_out, .size = sizeof(halt_in), \
}

#define RESUME { \
	.request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &resume_in, \
	.out = &resume_out, .size = sizeof(resume_in), \
}

static void make_controls(void)
{
	halt_in = (struct amdgpudbg_wave_control){
		.size = sizeof(halt_in), .op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	halt_out = halt_in;
	halt_out.matched = 3;
	halt_out.changed = 3;
	resume_in = halt_in;
	resume_in.op = AMDGPUDBG_WAVEOP_RESUME;
	resume_out = halt_out;
	resume_out.op = AMDGPUDBG_WAVEOP_RESUME;
}

static void waves_stay_halted_for_the_next_command(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, HALT, LIST_WAVES(all_vmids, 4), RESUME,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch("--pid 4711",
			       "# look\n\nhalt   # all of them\nwave list\n"
			       "  'resume' \"--pid\" 47\\11\n"), 0);
}

static void the_first_error_ends_the_batch_and_names_its_line(void **state)
{
	static const struct mock_ioctl some[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};
	static const struct mock_ioctl all[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
		LIST_WAVES(all_vmids, 0),
	};
	char where[64];

	(void)state;
	snprintf(where, sizeof(where), "wavectl: %s:3: ", script);
	mock_expect(some, ARRAY_SIZE(some));
	assert_int_equal(batch("-p 4711", "wave list\n\nwave lost\nwave list\n"), 2);
	contains(r.err, where);
	mock_expect(all, ARRAY_SIZE(all));
	assert_int_equal(batch("-p 4711 --keep-going",
			       "wave list\n\nwave lost\nwave list\n"), 2);
	contains(r.err, where);
}

/* A file that executes itself ends in an error, which ends all of them. */
static void a_file_executes_another_file(void **state)
{
	static const struct mock_ioctl once[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0), LIST_WAVES(all_vmids, 0),
	};
	static const struct mock_ioctl never[] = { OPEN, TARGET, LISTENS };
	char inner[] = "/tmp/wavectl-source.XXXXXX", lines[128];
	int fd = mkstemp(inner);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "wave list\nwave lost\nwave list\n", 30), 30);
	close(fd);
	snprintf(lines, sizeof(lines), "source %s\nwave list\n", inner);
	mock_expect(once, ARRAY_SIZE(once));
	assert_int_equal(batch("-p 4711 --keep-going", lines), 2);
	contains(r.err, inner);
	contains(r.err, ":2: unknown command 'wave lost'");
	unlink(inner);
	snprintf(lines, sizeof(lines), "source %s\nwave list\n", script);
	mock_expect(never, ARRAY_SIZE(never));
	assert_int_equal(batch("-p 4711", lines), 2);
	contains(r.err, "files are nested more than 16 times");
}

/* All else takes a GPU: tests/vm/suites/wavectl-run. */
static void run_needs_a_session_without_a_target(void **state)
{
	static const struct mock_ioctl about_one[] = { OPEN, TARGET, LISTENS };
	static const struct mock_ioctl about_none[] = { OPEN, LISTENS };

	(void)state;
	mock_expect(about_one, ARRAY_SIZE(about_one));
	assert_int_equal(batch("--pid 4711", "run -- true\n"), 2);
	mock_expect(about_none, ARRAY_SIZE(about_none));
	assert_int_equal(batch("", "run --dry-run -- ./prog --pid 3\n"), 0);
	/* Its words are those of a line, in which some need quotes. */
	mock_expect(about_none, ARRAY_SIZE(about_none));
	assert_int_equal(run(&r, "-j run -n --code-object a;b -- it's -n a=1 #"), 0);
	contains(r.out, "\"command\":\"run --code-object 'a;b' -- 'it'\\\\''s' -n a=1 '#'\"");
	contains(r.out, "\"program\":\"it's\"");
}

static void quit_ends_the_batch(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, TARGET, LISTENS };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch("--pid 4711", "quit\nwave lost\n"), 0);
}

/* That the process has ended is no error of what is not about it. */
static void the_batch_reports_that_the_process_has_exited(void **state)
{
	static const struct amdgpudbg_event gone = {
		.size = sizeof(gone), .type = AMDGPUDBG_EVENT_TARGET_GONE,
	};
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&gone, sizeof(gone));
	mock_end_events(ENOTCONN);
	assert_int_equal(batch("--pid 4711", "wave list\n"), 0);
	assert_string_equal(r.out,
			    "target-gone: the process has exited\nno live waves\n");
}

/* mock_waves: the second is halted, and the first runs: that alone is ours. */
static const struct mock_op halts[] = {
	{ .in = { .size = sizeof(halts[0].in), .op = AMDGPUDBG_WAVEOP_HALT,
		  .vmid = 1 }, .matched = 1, .changed = 1 },
};

static const struct mock_op steps[] = {
	{ .in = { .size = sizeof(steps[0].in), .op = AMDGPUDBG_WAVEOP_STEP,
		  .vmid = 1 }, .matched = 1, .changed = 1, .new_pc = 0x2000 },
	{ .in = { .size = sizeof(steps[0].in), .op = AMDGPUDBG_WAVEOP_STEP,
		  .vmid = 1, .at = { .wgp = 3, .simd = 1, .wave = 5 } },
	  .matched = 1, .changed = 1, .new_pc = 0x3000 },
};

static const struct mock_op resumes[] = {
	{ .in = { .size = sizeof(resumes[0].in),
		  .op = AMDGPUDBG_WAVEOP_RESUME, .vmid = 1, .pc = 0x2000,
		  .flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC },
	  .matched = 1, .changed = 1 },
};

#define BATCH(table) { \
	.request = AMDGPUDBG_IOC_WAVE_BATCH, .ops = table, \
	.num_ops = ARRAY_SIZE(table), \
}

/* Then both are halted; the trap handler has halted none of them. */
static const struct amdgpudbg_wave stepped[] = {
	{ .vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
	  .pc = 0x2000, .hw_mask = MOCK_HW_MASK },
	{ .vmid = 1, .at = { .wgp = 3, .simd = 1, .wave = 5 },
	  .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
	  .pc = 0x3000, .hw_mask = MOCK_HW_MASK },
};

/* But here: the step was s_trap 3. STATUS.TRAP_EN is bit 6 (gc_10_3_0_sh_mask.h). */
static const struct amdgpudbg_wave trapped[] = {
	{ .vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
	  .pc = 0x2000, .hw_mask = MOCK_HW_MASK, .HW(STATUS) = 1 << 6,
	  .ttmp = { 0x1ffc, 3 << 16 } },
	{ .vmid = 1, .at = { .wgp = 3, .simd = 1, .wave = 5 },
	  .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
	  .pc = 0x3000, .hw_mask = MOCK_HW_MASK },
};

/* And here it is in its handler, until one looks again. */
static const struct amdgpudbg_wave trapping[] = {
	{ .vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV,
	  .pc = 0x9000, .hw_mask = MOCK_HW_MASK },
};

static void halted_ones_with_ttmps(void *arg)
{
	const struct amdgpudbg_wave_list *call = arg;

	if (call->flags != AMDGPUDBG_WAVE_LIST_TTMP ||
	    call->select.wave_flags_mask != AMDGPUDBG_WAVE_HALTED ||
	    call->select.wave_flags != AMDGPUDBG_WAVE_HALTED)
		abort();
}

#define LOOK(table) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .check = halted_ones_with_ttmps, \
	.waves = table, .num_waves = ARRAY_SIZE(table), \
}

/*
 * In debug mode (MODE.DEBUG_EN, bit 11) the PC of a wave is always that of its last trap. Bit 31
 * of TTMP1 is set if the wave has been resumed since (AMDGPUDBG_IOC_TRAP_HANDLER).
 */
#define DEBUGGED(ttmp1) { \
	.vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, .pc = 0x2000, \
	.hw_mask = MOCK_HW_MASK, .HW(STATUS) = 1 << 6, .HW(MODE) = 1 << 11, \
	.ttmp = { 0x2000, ttmp1 }, \
}

static const struct amdgpudbg_wave was_resumed[] = { DEBUGGED(0x80000000) };
static const struct amdgpudbg_wave has_stopped[] = { DEBUGGED(0) };

/* A handler has resumed it behind s_trap 3. */
static const struct amdgpudbg_wave passed[] = {
	{ .vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, .pc = 0x2000,
	  .hw_mask = MOCK_HW_MASK, .HW(STATUS) = 1 << 6, .ttmp = { 0x1ffc, 0x80030000 } },
};

static void step_resumes_the_waves_that_it_halted(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 2), BATCH(halts),
		BATCH(steps), LOOK(stepped), BATCH(resumes),
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch("--pid 4711", "wave step --halt\nwave list\n"), 0);
	contains(r.out, "  0x0000000000002000  resumed\n");
	contains(r.out, "  0x0000000000003000  halted\n");
	contains(r.out, "stepped 2 of 2 waves\nno live waves\n");
}

/* The shell reports its stop, and the user resumes it. */
static void a_wave_that_stopped_during_a_step_stays_halted(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 2), BATCH(halts),
		BATCH(steps), LOOK(trapping), LOOK(trapped),
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch("--pid 4711", "wave step --halt\nwave list\n"), 0);
	contains(r.out, "  0x0000000000002000  stopped\n");
	contains(r.out, "stepped 2 of 2 waves\nno live waves\n");
}

/* HW_ID2.VM_ID is bits 27:24; the wave runs, or is halted (STATUS.HALT, bit 13). */
static void give_id(void *arg)
{
	const struct amdgpudbg_reg_access *call = arg;

	*(uint32_t *)(uintptr_t)call->values = 1 << 24;
}

static void give_running(void *arg)
{
	const struct amdgpudbg_reg_access *call = arg;

	*(uint32_t *)(uintptr_t)call->values = 0;
}

static void give_halted(void *arg)
{
	const struct amdgpudbg_reg_access *call = arg;

	*(uint32_t *)(uintptr_t)call->values = 1 << 13;
}

#define ACCESS(f) { .request = AMDGPUDBG_IOC_REG_ACCESS, .check = f }
#define HALT_AND_READ ACCESS(give_running), ACCESS(give_id), { \
	.request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &halts[0].in, \
	.size = sizeof(halts[0].in), \
}, ACCESS(NULL)
#define READ "reg read se0.sa0.wgp0.simd0.wave0 s0 --halt\nwave list\n"

static void reg_read_resumes_only_a_wave_that_it_halted(void **state)
{
	const struct mock_ioctl ran[] = {
		OPEN, TARGET, LISTENS, HALT_AND_READ, LOOK(stepped), BATCH(resumes),
		LIST_WAVES(all_vmids, 0),
	};
	const struct mock_ioctl trap[] = {
		OPEN, TARGET, LISTENS, HALT_AND_READ, LOOK(trapped), LIST_WAVES(all_vmids, 0),
	};
	/* It is not even halted: so it is not ours if it resumes. */
	const struct mock_ioctl stood[] = {
		OPEN, TARGET, LISTENS, ACCESS(give_halted), ACCESS(NULL),
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(ran, ARRAY_SIZE(ran));
	assert_int_equal(batch("--pid 4711", READ), 0);
	mock_expect(trap, ARRAY_SIZE(trap));
	assert_int_equal(batch("--pid 4711", READ), 0);
	mock_expect(stood, ARRAY_SIZE(stood));
	assert_int_equal(batch("--pid 4711", READ), 0);
}

/* So the wave is the command's to resume, unless it has stopped. */
static void a_trap_before_the_command_does_not_keep_the_wave_halted(void **state)
{
	static const struct {
		struct mock_ioctl look;
		bool stays;
	} cases[] = {
		{ LOOK(was_resumed), false }, { LOOK(passed), false }, { LOOK(has_stopped), true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct mock_ioctl stood[] = {
			OPEN, TARGET, LISTENS, HALT_AND_READ, cases[i].look,
			LIST_WAVES(all_vmids, 0),
		};
		const struct mock_ioctl ran[] = {
			OPEN, TARGET, LISTENS, HALT_AND_READ, cases[i].look, BATCH(resumes),
			LIST_WAVES(all_vmids, 0),
		};

		if (cases[i].stays)
			mock_expect(stood, ARRAY_SIZE(stood));
		else
			mock_expect(ran, ARRAY_SIZE(ran));
		if (batch("--pid 4711", READ))
			fail_msg("case %zu: %d, %s", i, r.status, r.err);
	}
}

/* mock_waves: of the three of VMID 1, the second was halted before. */
static void halt_for_resumes_the_waves_that_it_halted(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LISTENS, LIST_WAVES(all_vmids, 2), HALT,
		LOOK(stepped), BATCH(resumes), LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch("--pid 4711", "halt --for 0.01\nwave list\n"), 0);
	contains(r.out, "\nresumed 1 of 1 waves\nno live waves\n");
}

static int setup(void **state)
{
	int fd;

	strcpy(strrchr(script, '.'), ".XXXXXX");
	fd = mkstemp(script);
	if (fd < 0)
		return -1;
	close(fd);
	make_controls();
	return run_setup_process(state);
}

static int teardown(void **state)
{
	unlink(script);
	return run_teardown(state);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waves_stay_halted_for_the_next_command),
		TEST(the_first_error_ends_the_batch_and_names_its_line),
		TEST(a_file_executes_another_file),
		TEST(run_needs_a_session_without_a_target),
		TEST(quit_ends_the_batch),
		TEST(step_resumes_the_waves_that_it_halted),
		TEST(a_wave_that_stopped_during_a_step_stays_halted),
		TEST(reg_read_resumes_only_a_wave_that_it_halted),
		TEST(a_trap_before_the_command_does_not_keep_the_wave_halted),
		TEST(halt_for_resumes_the_waves_that_it_halted),
		TEST(the_batch_reports_that_the_process_has_exited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
