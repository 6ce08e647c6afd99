// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Long operations are done in parts: a terminal shows their progress, and Ctrl-C ends them.
 */
#include <errno.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "waves/hold.h"
#include "waves/progress.h"

#include <cmocka.h>

#include "run_wavectl.h"

#define AT_ONCE	10

static char said[4096];

/* Parts, and what has come of the last one */
static struct {
	uint64_t last;		/* 0: all of it is done */
	int ret;
	bool is_interrupted;
} parts;

static int do_part(void *arg, uint64_t done, uint64_t *num)
{
	uint64_t *sum = arg;

	if (*num > AT_ONCE || done != *sum)
		abort();
	if (parts.last && done + *num > parts.last) {
		*num = parts.last - done;
		*sum += *num;
		return parts.ret;
	}
	if (parts.is_interrupted)
		raise(SIGINT);
	*sum += *num;
	return 0;
}

static int go(uint64_t num, uint64_t *done)
{
	const struct progress p = {
		.what = "steps", .num = num, .at_once = AT_ONCE, .part = do_part,
	};
	uint64_t sum = 0;
	int ret = progress_run(&p, &sum, done);

	assert_true(sum == *done);
	return ret;
}

/* What a terminal sees of it */
static void show(uint64_t num)
{
	size_t n = 0;
	ssize_t ret;
	uint64_t done;
	int tty, status;
	pid_t child = forkpty(&tty, NULL, NULL, NULL);

	assert_true(child >= 0);
	if (!child) {
		alarm(30);
		go(num, &done);
		_exit(0);
	}
	memset(said, 0, sizeof(said));
	while ((ret = read(tty, said + n, sizeof(said) - 1 - n)) > 0)
		n += ret;
	close(tty);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static int setup(void **state)
{
	(void)state;
	memset(&parts, 0, sizeof(parts));
	return 0;
}

static void progress_is_printed_on_a_terminal(void **state)
{
	(void)state;
	show(35);
	assert_string_equal(said, "\r10 of 35 steps\r20 of 35 steps\r30 of 35 steps\r\033[K");
	/* The line is gone also if it ends early. */
	parts.last = 25;
	show(35);
	assert_string_equal(said, "\r10 of 35 steps\r20 of 35 steps\r\033[K");
	parts.ret = -EIO;
	show(35);
	assert_string_equal(said, "\r10 of 35 steps\r20 of 35 steps\r\033[K");
}

static void short_operations_print_no_progress(void **state)
{
	(void)state;
	show(AT_ONCE);
	assert_string_equal(said, "");
}

static int go_35(const void *arg)
{
	uint64_t done;

	(void)arg;
	return go(35, &done);
}

static void progress_is_not_printed_into_files(void **state)
{
	static struct run r;

	(void)state;
	assert_int_equal(run_function(&r, go_35, NULL), 0);
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, "");
}

static void the_last_part_or_an_error_ends_a_long_operation(void **state)
{
	uint64_t done;

	(void)state;
	assert_int_equal(go(35, &done), 0);
	assert_true(done == 35);
	parts.last = 20;
	assert_int_equal(go(35, &done), 0);
	assert_true(done == 20);
	parts.last = 17;
	parts.ret = -EIO;
	assert_int_equal(go(35, &done), -EIO);
	assert_true(done == 17);
}

static void ctrl_c_ends_a_long_operation_after_a_part(void **state)
{
	struct hold hold;
	uint64_t done;

	(void)state;
	assert_int_equal(hold_prepare(&hold), 0);
	parts.is_interrupted = true;
	assert_int_equal(go(35, &done), 0);
	assert_true(done == AT_ONCE);
	assert_int_equal(hold_take_signals(), HOLD_SIGNAL_INTERRUPT);
	hold_end(&hold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(progress_is_printed_on_a_terminal, setup),
		cmocka_unit_test_setup(short_operations_print_no_progress, setup),
		cmocka_unit_test_setup(progress_is_not_printed_into_files, setup),
		cmocka_unit_test_setup(the_last_part_or_an_error_ends_a_long_operation, setup),
		cmocka_unit_test_setup(ctrl_c_ends_a_long_operation_after_a_part, setup),
	};

	return cmocka_run_group_tests_name("wavectl_progress", tests, NULL, NULL);
}
