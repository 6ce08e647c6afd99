// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGINT, SIGTERM and SIGHUP during long operations of wavectl, and while it is blocked.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "dispatch.h"
#include "shell/shell_session.h"
#include "waves/hold.h"

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define DEADLINE_S	30
#define PAUSE_NS	20000000

static struct run r;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static void check(int ok)
{
	if (!ok)
		abort();
}

/* It has caught the signals, and does not look whether one has come. */
static void __attribute__((noreturn)) be_stuck(int ready)
{
	struct hold hold;

	alarm(DEADLINE_S);
	check(!hold_prepare(&hold) && write(ready, "", 1) == 1);
	for (;;)
		pause();
}

/* Signals are sent until it ends; what ended it */
static int end_stuck(int number)
{
	const struct timespec between = { .tv_nsec = PAUSE_NS };
	int ready[2], status;
	pid_t child;
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		be_stuck(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	do {
		assert_int_equal(kill(child, number), 0);
		/* How far apart signals are that count is for wavectl to say. */
		nanosleep(&between, NULL);
	} while (!waitpid(child, &status, WNOHANG));
	close(ready[0]);
	close(ready[1]);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void a_second_signal_ends_a_command_that_is_stuck(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		assert_int_equal(end_stuck(signals[i]), signals[i]);
}

/* Also where the shell has them ignored, as it does for what runs in the background */
static void signals_that_were_ignored_are_caught(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		signal(signals[i], SIG_IGN);
		assert_int_equal(end_stuck(signals[i]), signals[i]);
		signal(signals[i], SIG_DFL);
	}
}

static int take_one(const void *arg)
{
	const int *number = arg;
	struct hold hold;

	check(!hold_prepare(&hold) && !hold_interrupted() && !hold_take_signals());
	raise(*number);
	check(hold_interrupted());
	check(!hold_wait_for(&hold, -1));
	check(hold_take_signals() == (*number == SIGINT ? HOLD_SIGNAL_INTERRUPT :
				      HOLD_SIGNAL_END));
	check(!hold_interrupted() && !hold_take_signals());
	/* What was taken is not the first of two. */
	raise(*number);
	check(hold_interrupted());
	hold_end(&hold);
	return 0;
}

static void the_first_signal_makes_a_descriptor_readable(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		assert_int_equal(run_function(&r, take_one, &signals[i]), 0);
}

static int wait_in_flood(const void *arg)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO, LISTENS };
	static const struct amdgpudbg_event job = {
		.size = sizeof(job), .type = AMDGPUDBG_EVENT_JOB_BEGIN,
	};
	struct wavectl w = { .commands = command_tables, .dispatch = dispatch };
	struct shell_loop loop;
	int typed[2];

	(void)arg;
	check(!pipe(typed));
	/* A program gives the GPU jobs faster than their events are read. */
	mock_add_events(&job, sizeof(job));
	mock_repeat_events();
	w.emit = emit_new(false);
	w.session = mock_session(expect, ARRAY_SIZE(expect));
	check(!shell_session_begin(&loop, &w));
	raise(SIGINT);
	check(shell_session_wait(&loop, typed[0]) == SHELL_INTERRUPTED && loop.interrupted);
	check(write(typed[1], "q", 1) == 1);
	check(shell_session_wait(&loop, typed[0]) == SHELL_INPUT);
	raise(SIGTERM);
	check(shell_session_wait(&loop, typed[0]) == SHELL_ENDED && loop.ended);
	shell_session_end(&loop);
	adbg_session_close(w.session);
	emit_free(w.emit);
	return 0;
}

static void signals_and_input_are_handled_in_a_flood_of_events(void **state)
{
	(void)state;
	assert_int_equal(run_function(&r, wait_in_flood, NULL), 0);
}

#define VA	0x600000001000ull

/* A page of the process's own, which does not come before this is true, in any process */
static struct late {
	_Atomic bool comes;
	char byte;
} *late;

ssize_t pread64(int fd, void *data, size_t bytes, off64_t offset)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	if (late && (uintptr_t)offset == (uintptr_t)&late->byte)
		for (int ms = 0; !late->comes && ms < DEADLINE_S * 1000; ms++)
			nanosleep(&pause, NULL);
	return syscall(SYS_pread64, fd, data, bytes, offset);
}

static void own_mapping(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;
	const struct amdgpudbg_mapping mapping = {
		.va = VA, .bytes = 1, .kind = AMDGPUDBG_KIND_USERPTR,
		.cpu_address = (uintptr_t)&late->byte,
	};

	memcpy((void *)(uintptr_t)list->mappings, &mapping, sizeof(mapping));
	list->count = 1;
}

static int read_late_page(const void *arg)
{
	static const struct amdgpudbg_vm_access stop = {
		.size = sizeof(stop), .bad = VA, .kind = AMDGPUDBG_KIND_USERPTR,
	};
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO, LISTENS };
	static const struct mock_ioctl answers[] = {
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .out = &stop, .size = sizeof(stop),
		  .error = EOPNOTSUPP },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = own_mapping },
	};
	struct wavectl w = { .commands = command_tables, .dispatch = dispatch };
	struct shell_loop loop;
	char byte;

	(void)arg;
	alarm(DEADLINE_S);
	w.emit = emit_new(false);
	w.session = mock_session(expect, ARRAY_SIZE(expect));
	mock_answer(answers, ARRAY_SIZE(answers));
	check(!shell_session_begin(&loop, &w));
	raise(SIGINT);
	check(adbg_vm_read(w.session, getpid(), VA, &byte, 1) == -EINTR);
	check(hold_take_signals() == HOLD_SIGNAL_INTERRUPT);
	late->comes = true;
	check(!adbg_vm_read(w.session, getpid(), VA, &byte, 1));
	shell_session_end(&loop);
	adbg_session_close(w.session);
	emit_free(w.emit);
	return 0;
}

static void a_signal_ends_waiting_for_a_page_of_the_process(void **state)
{
	(void)state;
	late = mmap(NULL, sizeof(*late), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	assert_ptr_not_equal(late, MAP_FAILED);
	assert_int_equal(run_function(&r, read_late_page, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(a_second_signal_ends_a_command_that_is_stuck),
		RUN_TEST(signals_that_were_ignored_are_caught),
		RUN_TEST(the_first_signal_makes_a_descriptor_readable),
		RUN_TEST(signals_and_input_are_handled_in_a_flood_of_events),
		RUN_TEST(a_signal_ends_waiting_for_a_page_of_the_process),
	};

	return cmocka_run_group_tests_name("wavectl_signals", tests, NULL, NULL);
}
