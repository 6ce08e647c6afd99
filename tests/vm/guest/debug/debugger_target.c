// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Targets that interfere with the debugger: they free the code with a breakpoint and put other
 * code in its place; they exit, fork and exec while waves are stopped. A target is this program
 * again, as `debugger target`: it prints "running" and the address of its code, then executes
 * the order of each byte on its standard input, and answers with the same byte, unless it has
 * exited.
 */
#include "debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "people.h"
#include "until.h"
#include "victim.h"

/* What a breakpoint is: SOPP 18 of the RDNA 2 ISA document */
#define S_TRAP_7	0xbf920007

enum order {
	START = 's',	/* a job, which is not waited for */
	FINISH = 'f',	/* it has ended, with right results */
	CHANGE = 'c',	/* the code is other code */
	RENEW = 'r',	/* the same code, in other memory */
	BEGIN = 'b',	/* the job begins, and its waves wait */
	GO = 'g',	/* until then */
	FREE = 'e',	/* the code is freed */
	FORK = 'k',	/* a child that has all of it, and finishes when its parent is gone */
	EXEC = 'x',	/* the program is cat */
};

/* ------------------------------------------------------------------ the target */

static void answer(char c)
{
	if (write(STDOUT_FILENO, &c, 1) != 1)
		_exit(1);
}

/* Until its parent is gone, whose end of the pipe is the only one. */
static void inherit(void)
{
	int alive[2];
	char c;

	if (pipe(alive))
		_exit(1);
	if (fork()) {
		close(alive[0]);
		return;
	}
	close(alive[1]);
	if (read(alive[0], &c, 1))
		_exit(1);
	finish_job();
	assert_code_as_before();
	answer(FINISH);
	_exit(0);
}

static int obey(char order)
{
	switch (order) {
	case START:
		start_job();
		release_waves();
		return 0;
	case FINISH:
		finish_job();
		return 0;
	case CHANGE:
		return change_code();
	case RENEW:
		return renew_code();
	case BEGIN:
		start_job();
		return 0;
	case GO:
		release_waves();
		return 0;
	case FREE:
		gpu_free(&prog.gpu, &prog.buf[PROG_CODE]);
		return 0;
	case FORK:
		inherit();
		return 0;
	case EXEC:
		return execlp("cat", "cat", NULL);
	default:
		return -1;
	}
}

int be_target(void)
{
	char order;

	if (prog_open(&prog, NULL, CODE_FILE, ITEMS, 0))
		return 1;
	printf("running\n");
	fflush(stdout);
	if (write(STDOUT_FILENO, &prog.buf[PROG_CODE].va, 8) != 8)
		return 1;
	while (read(STDIN_FILENO, &order, 1) == 1) {
		if (obey(order))
			return 1;
		answer(order);
	}
	prog_close(&prog);
	return 0;
}

/* ------------------------------------------------------------------- its debugger */

static struct victim target;
static bool target_is_dead;

int start_target(struct victim *v, uint64_t *va)
{
	char *const argv[] = { "/proc/self/exe", "target", NULL };
	int ret = victim_start_as(v, 0, argv);

	if (ret)
		return ret;
	return read(v->out, va, sizeof(*va)) == sizeof(*va) ? 0 : -EIO;
}

int set_up_target(void **state)
{
	(void)state;
	target_is_dead = false;
	if (start_target(&target, &code_va))
		return -1;
	if (!attach(target.pid))
		return 0;
	print_error("%s\n", error.text);
	return -1;
}

static bool none_is_halted(void *arg)
{
	(void)arg;
	return !see_halted(0);
}

/* Whatever became of it, nothing is left of its debugger. */
int take_down_target(void **state)
{
	int ret = 0;

	(void)state;
	detach();
	code_va = 0;
	if (!until(none_is_halted, NULL, DEADLINE_MS / 1000))
		ret = -1;
	if (!target_is_dead && victim_finish(&target))
		ret = -1;
	/* All can be had again. */
	if (!ret)
		ret = attach(getpid());
	detach();
	return ret;
}

static int hear(const struct victim *v, char order)
{
	char c;

	return read(v->out, &c, 1) == 1 && c == order ? 0 : -EIO;
}

static int order(const struct victim *v, char what)
{
	return write(v->in, &what, 1) == 1 ? hear(v, what) : -EIO;
}

int target_begins(const struct victim *v)
{
	return order(v, START);
}

int target_finishes(const struct victim *v)
{
	return order(v, FINISH);
}

static void heard(char order)
{
	assert_int_equal(hear(&target, order), 0);
}

static void order_target(char what)
{
	assert_int_equal(order(&target, what), 0);
}

static void kill_target(void)
{
	assert_int_equal(child_kill(target.pid), 0);
	target_is_dead = true;
}

static struct adbgd_breakpoint *set_at(uint64_t address)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address, 0, &b, &error));
	return b;
}

/* A copy of the instruction that was there before would count one. */
void replaced_code_has_no_breakpoint(void **state)
{
	uint64_t loop = address_of("breaks_loop");
	struct adbgd_breakpoint *b = set_at(loop), *before;
	struct adbgd_memory memory;
	uint32_t seen, is;

	(void)state;
	order_target(CHANGE);
	before = set_at(loop - 4);
	adbgd_process_get_memory(process, &memory);
	MUST(memory.read(memory.data, loop, &seen, 4));
	MUST(adbg_vm_read(adbgd_process_get_session(process), target.pid, loop, &is, 4));
	assert_int_equal(seen, is);
	order_target(START);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		struct adbgd_stop stop = stop_at(before);

		MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
		assert_true(stop.pc == loop);
		assert_int_equal(stop.breakpoint, 0);
		MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
		assert_true(stop.pc == address_of("breaks_call"));
		assert_int_equal(read_sgpr(&stop.at, 13), 2);
		MUST(adbgd_wave_continue(process, &stop.at, &error));
	}
	order_target(FINISH);
	assert_true(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	MUST(adbgd_breakpoint_clear(b, &error));
}

/* What is in its place, whatever the debugger makes of it */
static bool is_set_at(void *arg)
{
	struct adbgd_breakpoint *b = arg;
	uint64_t address = adbgd_breakpoint_get_info(b)->address;
	struct adbgd_stop stop;
	uint32_t insn;

	assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	MUST(adbg_vm_read(adbgd_process_get_session(process), target.pid, address, &insn, 4));
	return insn == S_TRAP_7;
}

/* The same code, in other memory: the breakpoint is there again when the next job begins. */
void code_that_is_mapped_again_has_its_breakpoint(void **state)
{
	struct adbgd_breakpoint *b = set_at(address_of("breaks_function"));

	(void)state;
	assert_true(is_set_at(b));
	order_target(RENEW);
	assert_false(is_set_at(b));
	order_target(BEGIN);
	assert_true(until(is_set_at, b, DEADLINE_MS / 1000));
	assert_false(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	order_target(GO);
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		stop_at(b);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_continue(process, &error));
	order_target(FINISH);
}

void freed_code_has_no_breakpoint(void **state)
{
	uint64_t address = address_of("breaks_call");
	struct adbgd_breakpoint *b = set_at(address);

	(void)state;
	order_target(FREE);
	MUST(adbgd_process_continue(process, &error));
	MUST(adbgd_breakpoint_clear(b, &error));
	assert_int_equal(adbgd_breakpoint_set(process, address, 0, &b, &error), -ENXIO);
	assert_non_null(strstr(error.text, "nothing is mapped at"));
}

/* Stops that are still pending are reported before the end of the process. */
static void wait_exit_report(void)
{
	struct adbgd_stop stop;

	do {
		stop = next_stop();
	} while (stop.reason == ADBGD_STOP_BREAKPOINT);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "exited");
}

static void says_that_it_has_exited(int ret)
{
	assert_int_equal(ret, -ENOTCONN);
	assert_non_null(strstr(error.text, "has exited"));
}

void the_target_exits(void **state)
{
	struct adbgd_breakpoint *b = set_at(address_of("breaks_call"));
	struct adbgd_stop stop;

	(void)state;
	order_target(START);
	stop = stop_at(b);
	kill_target();
	wait_exit_report();
	says_that_it_has_exited(adbgd_process_continue(process, &error));
	says_that_it_has_exited(adbgd_wave_step(process, &stop.at, &stop, &error));
	says_that_it_has_exited(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, NULL,
						     &error));
	MUST(adbgd_breakpoint_clear(b, &error));
}

/* Until then something is done to the waves; what fails is that they are gone. */
static void wait_exit_report_during_calls(pid_t pid, unsigned int events)
{
	struct adbgd_stop stop = { .reason = 0 };
	int ret;

	for (unsigned int n = 0; stop.reason != ADBGD_STOP_EXITED; n++) {
		if (n == events)
			kill(pid, SIGKILL);
		MUST(adbgd_process_wait_stop(process, DEADLINE_MS, &stop, &error));
		if (stop.reason == ADBGD_STOP_EXITED)
			break;
		assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint");
		ret = rand() % 2 ? adbgd_wave_continue(process, &stop.at, &error) :
				   adbgd_process_continue(process, &error);
		if (ret && n < events)
			fail_msg("%d, %s", ret, error.text);
	}
}

void the_target_is_killed_at_random(void **state)
{
	unsigned int rounds = long_or_short(60, 2);

	for (unsigned int seed = 1; seed <= rounds; seed++) {
		srand(seed);
		set_at(address_of("breaks_call"));
		set_at(address_of("breaks_mad"));
		order_target(START);
		wait_exit_report_during_calls(target.pid, rand() % (NUM_WAVES * ROUNDS));
		target_is_dead = true;
		detach();
		assert_int_equal(victim_finish(&target), 128 + SIGKILL);
		assert_true(until(none_is_halted, NULL, DEADLINE_MS / 1000));
		assert_int_equal(set_up_target(state), 0);
		print_progress(seed);
	}
}

/* Another process has its memory, too: the code is restored, and all waves resume. */
void the_target_exits_but_a_fork_of_it_stays(void **state)
{
	struct adbgd_breakpoint *b = set_at(address_of("breaks_call"));
	struct adbgd_stop stop;

	(void)state;
	order_target(START);
	stop = stop_at(b);
	order_target(FORK);
	/* With the child there, it is as before. */
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	stop = stop_at(b);
	kill_target();
	wait_exit_report();
	heard(FINISH);
}

/* Check that exec is reported once, among stops of waves. */
static void wait_exec_report(struct adbgd_breakpoint *b)
{
	struct adbgd_stop stop;

	do {
		stop = next_stop();
	} while (stop.breakpoint == adbgd_breakpoint_get_info(b)->number);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "exec");
	assert_int_equal(stop.pc, 0);
}

/* The waves are still those of the program that is gone. */
void the_target_calls_exec(void **state)
{
	struct adbgd_breakpoint *b = set_at(address_of("breaks_call"));
	struct adbgd_process *again;
	struct adbgd_stop stops[NUM_WAVES];

	(void)state;
	order_target(START);
	stop_at(b);
	assert_int_equal(write(target.in, (char[]){ EXEC, START }, 2), 2);
	heard(START);
	wait_exec_report(b);
	MUST(adbgd_process_continue(process, &error));
	all_stop_at(b, stops);
	assert_int_equal(adbgd_process_attach(NULL, target.pid, 0, &again, &error), -ENODATA);
	assert_non_null(strstr(error.text, "cannot attach to process"));
}
