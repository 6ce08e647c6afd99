// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that adbgd_process_start() starts. Such a program is this one again, as `debugger run
 * HOW`, without any code for a debugger: it has two jobs, whose results it compares. It writes
 * the address of its code to a pipe, and at the end that the results are right.
 */
#define _GNU_SOURCE
#include "debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "until.h"

#define SAYS		42	/* the pipe, in the program */
#define RIGHT		'r'
#define NODE		"/dev/dri/renderD128"

/* ------------------------------------------------------------------- the program */

static void *have_jobs(void *arg)
{
	for (unsigned int i = 0; i < 2; i++) {
		start_job();
		release_waves();
		finish_job();
	}
	return arg;
}

int be_run(const char *how)
{
	pthread_t thread;
	char right = RIGHT;

	/* A client of the GPU that has no job */
	if (!strcmp(how, "two") && open(NODE, O_RDWR) < 0)
		return 1;
	if (prog_open(&prog, NULL, CODE_FILE, ITEMS, 0) ||
	    write(SAYS, &prog.buf[PROG_CODE].va, 8) != 8)
		return 1;
	if (strcmp(how, "thread"))
		have_jobs(NULL);
	else if (pthread_create(&thread, NULL, have_jobs, NULL) || pthread_join(thread, NULL))
		return 1;
	prog_close(&prog);
	return write(SAYS, &right, 1) != 1;
}

/* ------------------------------------------------------------------ its debugger */

static int32_t child;
static int from_program = -1;

/* Around what starts a program: what it writes can be read here. */
static void open_pipe(void)
{
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(dup2(fds[1], SAYS), SAYS);
	close(fds[1]);
	from_program = fds[0];
}

static void close_pipe(void)
{
	if (from_program >= 0)
		close(from_program);
	from_program = -1;
}

static void forget_program(void)
{
	if (child) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
	close_pipe();
}

static int tear_down(void **state)
{
	(void)state;
	detach();
	forget_program();
	code_va = 0;
	return 0;
}

static int run_argv(char *const *argv, uint32_t flags)
{
	int64_t deadline = deadline_ns(DEADLINE_MS / 1000);
	int ret;

	/* As attach() of this program does it */
	do {
		forget_program();
		open_pipe();
		ret = adbgd_process_start(NULL, argv, NULL, flags, &child, &process, &error);
		close(SAYS);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret;
}

/* "debugger run HOW", which has opened the GPU when this returns */
static void run_how(const char *how, uint32_t flags)
{
	char *argv[] = { "/proc/self/exe", "run", (char *)how, NULL };

	MUST(run_argv(argv, flags));
	assert_int_equal(adbgd_process_get_info(process)->pid, child);
	assert_int_equal(read(from_program, &code_va, 8), 8);
}

/* The program has right results, and ends. */
static void is_right(void)
{
	char c;

	assert_int_equal(read(from_program, &c, 1), 1);
	assert_int_equal(c, RIGHT);
	assert_int_equal(read(from_program, &c, 1), 0);
}

static void ends_with(int wanted)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	child = 0;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), wanted);
}

/* Of "breaks", as another reader of ELF files finds it */
static uint64_t entry(void)
{
	struct codeobj_kernel kernel;
	struct codeobj co;

	assert_int_equal(codeobj_load(&co, CODE_FILE), 0);
	assert_int_equal(codeobj_find(&co, "breaks", &kernel), 0);
	codeobj_unload(&co);
	return code_va + kernel.entry;
}

static struct adbgd_stop starts(void)
{
	struct adbgd_stop stop = next_stop();
	struct amdgpudbg_wave wave = wave_at(&stop.at);

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "start");
	assert_true(stop.pc == entry());
	assert_true(wave.pc == stop.pc);
	assert_true(wave.flags & AMDGPUDBG_WAVE_HALTED);
	return stop;
}

static void wait_exit_report(void)
{
	struct adbgd_stop stop = next_stop();

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "exited");
}

/* All waves of the first job are halted, one is reported, and none of the second job. */
static void the_waves_of_the_first_job_are_halted(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;

	(void)state;
	run_how("once", ADBGD_PROGRAM_STOP_AT_START);
	starts();
	wait_halted(NUM_WAVES);
	assert_no_stop();
	MUST(adbgd_breakpoint_set(process, address_of("breaks_call"), 0, &b, &error));
	assert_false(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	MUST(adbgd_process_continue(process, &error));
	all_stop_at(b, stops);
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		assert_int_equal(read_sgpr(&stops[i].at, 13), 1);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_continue(process, &error));
	wait_exit_report();
	is_right();
	ends_with(0);
}

/* Its launch state is that of watchpoints, too. */
static void a_watchpoint_keeps_waves_halted(void **state)
{
	struct adbgd_watchpoint *w;

	(void)state;
	run_how("once", ADBGD_PROGRAM_STOP_AT_START);
	MUST(adbgd_watchpoint_set(process, entry() & -128, 128, AMDGPUDBG_WATCH_NONREAD, &w,
				  &error));
	starts();
	wait_halted(NUM_WAVES);
	MUST(adbgd_watchpoint_clear(w, &error));
	MUST(adbgd_process_stop_at_start(process, false, &error));
	/* Those that stand there stay. */
	assert_int_equal(count_halted(), NUM_WAVES);
	MUST(adbgd_process_continue(process, &error));
	wait_exit_report();
	ends_with(0);
}

/* Without ADBGD_PROGRAM_STOP_AT_START no wave is halted, and none is reported. */
static void a_program_may_start_without_halted_waves(void **state)
{
	(void)state;
	run_how("once", 0);
	wait_exit_report();
	is_right();
	ends_with(0);
}

static void steps_begin_at_the_first_instruction(void **state)
{
	struct adbgd_stop stop, step;

	(void)state;
	run_how("thread", ADBGD_PROGRAM_STOP_AT_START);
	stop = starts();
	wait_halted(NUM_WAVES);
	MUST(adbgd_wave_step(process, &stop.at, &step, &error));
	assert_int_equal(step.reason, ADBGD_STOP_STEP);
	assert_true(step.pc > stop.pc && step.pc <= stop.pc + 8);
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	wait_halted(NUM_WAVES - 1);
	/* Without the debugger the others resume. */
	detach();
	is_right();
	ends_with(0);
}

static void a_program_may_have_another_drm_client(void **state)
{
	(void)state;
	run_how("two", ADBGD_PROGRAM_STOP_AT_START);
	starts();
	MUST(adbgd_process_continue(process, &error));
	wait_exit_report();
	is_right();
	ends_with(0);
}

static void a_program_may_exit_without_a_job(void **state)
{
	char *argv[] = { "sh", "-c", "exit 3", NULL };

	(void)state;
	assert_int_equal(run_argv(argv, ADBGD_PROGRAM_STOP_AT_START), -ECHILD);
	assert_non_null(strstr(error.text, "exited with status 3; it did not submit a GPU job"));
	ends_with(3);
	argv[0] = "/nosuch";
	assert_int_equal(run_argv(argv, 0), -ENOENT);
	assert_int_equal(child, 0);
}

/* ---------------------------------------------------------- the debugger's death */

/* In a process of its own, which has the pipe from here, and fails without any words */
static int hold_first_wave(void *arg)
{
	struct adbgd_stop stop;

	if (adbgd_process_start(NULL, arg, NULL, ADBGD_PROGRAM_STOP_AT_START, NULL, &process,
				&error))
		return -1;
	close(SAYS);
	return adbgd_process_wait_stop(process, DEADLINE_MS, &stop, &error) ||
	       stop.reason != ADBGD_STOP_START;
}

/* No debugger answers: the program stays stopped before its first job. */
static int hold_first_job(void *arg)
{
	struct adbgd_program *program;
	struct pollfd fd = { .events = POLLIN };

	if (adbgd_program_start(arg, NULL, 0, &program, &error))
		return -1;
	close(SAYS);
	fd.fd = adbgd_program_get_fd(program);
	return poll(&fd, 1, DEADLINE_MS) != 1;
}

static void dies(int (*what)(void *arg))
{
	char *argv[] = { "/proc/self/exe", "run", "once", NULL };
	pid_t pid;

	open_pipe();
	pid = child_hold(what, argv);
	close(SAYS);
	assert_true(pid > 0);
	assert_int_equal(read(from_program, &code_va, 8), 8);
	assert_int_equal(child_kill(pid), 0);
	is_right();
	close_pipe();
}

static void the_program_continues_when_its_debugger_dies(void **state)
{
	(void)state;
	dies(hold_first_job);
	dies(hold_first_wave);
}

int debugger_run(void)
{
#define RUN_TEST(name) cmocka_unit_test_teardown(name, tear_down)
	const struct CMUnitTest tests[] = {
		RUN_TEST(the_waves_of_the_first_job_are_halted),
		RUN_TEST(a_watchpoint_keeps_waves_halted),
		RUN_TEST(a_program_may_start_without_halted_waves),
		RUN_TEST(steps_begin_at_the_first_instruction),
		RUN_TEST(a_program_may_have_another_drm_client),
		RUN_TEST(a_program_may_exit_without_a_job),
		RUN_TEST(the_program_continues_when_its_debugger_dies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
