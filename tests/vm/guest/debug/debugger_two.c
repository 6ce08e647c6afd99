// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two debuggers at the same time, of one process or of two. The second one is a child of this
 * process, which is its target.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "people.h"
#include "until.h"
#include "victim.h"

#define NUM_WATCHES	4	/* that the GPU has */
#define WATCHED		128	/* bytes */

/* ------------------------------------------------------------- what the second sees */

static bool is_address(const uint32_t *words, unsigned int buffer)
{
	return (words[0] | (uint64_t)words[1] << 32) == prog.buf[buffer].va;
}

/*
 * Check the registers of a wave that waits at gate (breaks.s); returns the number of its first
 * work-item, or -1 if a register has another value.
 */
static int first_item_of(struct adbg_session *session, const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_reg_range sgprs = {
		.space = AMDGPUDBG_REG_SGPR, .first = 4, .count = 9,
	}, vgprs = {
		.space = AMDGPUDBG_REG_VGPR, .first = 0, .count = 3, .num_lanes = 32,
	};
	uint32_t s[9], v[32][3], in[32], item;

	if (read_regs(session, at, &sgprs, s) || read_regs(session, at, &vgprs, v[0]) ||
	    !is_address(s, PROG_OUT) || !is_address(s + 2, PROG_IN) ||
	    !is_address(s + 4, PROG_CTL) || s[6] != ITEMS)
		return -1;
	item = s[8] + v[0][0];
	if (item % 32 || item >= ITEMS ||
	    adbg_vm_read(session, getppid(), prog.buf[PROG_IN].va + 4 * item, in, sizeof(in)))
		return -1;
	for (uint32_t lane = 0; lane < 32; lane++) {
		if (v[lane][0] != v[0][0] + lane || v[lane][1] != 4 * (item + lane) ||
		    v[lane][2] || in[lane] != input(item + lane))
			return -1;
	}
	return item;
}

/* Each wave's registers and input are what they must be, and no two waves are the same. */
static bool sees_all(struct adbg_session *session, struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;
	bool seen[NUM_WAVES] = { false };
	int item;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		item = first_item_of(session, &wave->at);
		if (item < 0 || seen[item / 32])
			return false;
		seen[item / 32] = true;
	}
	return !memchr(seen, false, sizeof(seen));
}

/* ------------------------------------------------------------------ of one process */

/* The program's code, in which the first one has a breakpoint, as it is in memory */
static bool sees_code(struct adbg_session *session)
{
	uint64_t at = address_of("breaks_mad");
	uint32_t words[3];

	return !adbg_vm_read(session, getppid(), at, words, sizeof(words)) &&
	       words[0] == 0xbf920007 &&
	       !memcmp(words + 1, (const uint8_t *)prog.co.image + 4 +
		       (at - prog.buf[PROG_CODE].va), 8);
}

/* The second debugger lists, halts and reads waves, and gets the PID of the first for the rest. */
static int second(void *arg)
{
	struct amdgpudbg_launch_set launch = { .mode = AMDGPUDBG_LAUNCH_HALT };
	struct amdgpudbg_watch_set watch = {
		.address = prog.buf[PROG_OUT].va, .bytes = WATCHED,
	};
	struct adbg_session *session;
	struct adbg_wave_list *list;
	struct amdgpudbg_busy busy;
	struct adbgd_process *p;
	char who[32];

	(void)arg;
	snprintf(who, sizeof(who), "process %d", getppid());
	if (adbgd_process_attach(NULL, getppid(), 0, &p, &error) != -EBUSY ||
	    !strstr(error.text, "another session has set a trap handler") ||
	    !strstr(strstr(error.text, "another session"), who))
		return 1;
	if (adbg_open(NULL, &session) ||
	    adbg_target_attach(session, getppid(), 0, NULL) ||
	    adbg_wave_list_new(&list))
		return 2;
	if (adbg_halt_all(session, NULL) || adbg_wave_list_read(list, session, 0) ||
	    adbg_wave_list_count(list) != NUM_WAVES)
		return 3;
	if (!sees_all(session, list))
		return 7;
	if (!sees_code(session))
		return 8;
	if (adbg_trap_install(session, NULL) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_TRAP_HANDLER || busy.pid != getppid())
		return 4;
	if (adbg_launch_set(session, &launch) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_LAUNCH || busy.pid != getppid())
		return 5;
	if (adbg_watch_set(session, &watch) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_WATCH || busy.pid != getppid())
		return 6;
	adbg_wave_list_free(list);
	adbg_session_close(session);
	return 0;
}

void a_second_debugger_can_only_read_and_halt_waves(void **state)
{
	uint64_t out = prog.buf[PROG_OUT].va;
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, &b, &error));
	start_job();
	wait_begun();
	for (unsigned int i = 0; i < NUM_WATCHES; i++)
		MUST(adbgd_watchpoint_set(process, out + i * WATCHED, WATCHED,
					  AMDGPUDBG_WATCH_ATOMIC, NULL, &error));
	assert_int_equal(child_run(second, NULL), 0);
	MUST(adbgd_breakpoint_clear(b, &error));
	release_waves();
	finish_job();
}

/* ----------------------------------------------------------------- of two processes */

/*
 * A process and its debugger, `debugger first`. Neither has files of this process: a process
 * that has them and is killed ends this process's GPU context, too.
 */
static struct {
	struct victim process, debugger;
	uint64_t code_va, breakpoint;
} other;

struct attempt {
	int32_t pid;
	int ret;
};

/* What was there for the test before may have waves until now. */
static bool is_attached(void *arg)
{
	struct attempt *a = arg;

	a->ret = attach(a->pid);
	return a->ret != -EBUSY;
}

static int all_waves_are_reported(uint64_t address)
{
	struct adbgd_stop stop;

	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		if (adbgd_process_wait_stop(process, DEADLINE_MS, &stop, &error) ||
		    stop.reason != ADBGD_STOP_BREAKPOINT || stop.pc != address)
			return -1;
	}
	return 0;
}

/* It has a breakpoint there, until its input ends; then all waves must have stopped at it. */
int be_first(const char *pid, const char *address)
{
	uint64_t at = strtoull(address, NULL, 0);
	struct attempt a = { .pid = atoi(pid) };
	int ret;
	char c;

	until(is_attached, &a, DEADLINE_MS / 1000);
	if (a.ret || adbgd_breakpoint_set(process, at, 0, NULL, &error)) {
		print_error("%s\n", error.text);
		return 1;
	}
	printf("running\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	ret = all_waves_are_reported(at);
	detach();
	return ret ? 2 : 0;
}

static void start_first(void)
{
	char pid[16], address[32];
	char *const argv[] = { "/proc/self/exe", "first", pid, address, NULL };

	assert_int_equal(start_target(&other.process, &other.code_va), 0);
	other.breakpoint = address_in(CODE_FILE, other.code_va, "breaks_call");
	snprintf(pid, sizeof(pid), "%d", other.process.pid);
	snprintf(address, sizeof(address), "%#llx", (unsigned long long)other.breakpoint);
	assert_int_equal(victim_start_as(&other.debugger, 0, argv), 0);
}

static bool waves_of_the_other_debugger_stay_halted(void *arg)
{
	(void)arg;
	return see_halted(0) == NUM_WAVES;
}

/* None of its waves, or all, are halted. */
static bool all_are(struct adbg_session *session, struct adbg_wave_list *list, uint32_t halted)
{
	const struct amdgpudbg_wave *wave;

	if (adbg_wave_list_read(list, session, 0) || adbg_wave_list_count(list) != NUM_WAVES)
		return false;
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		if ((wave->flags & AMDGPUDBG_WAVE_HALTED) != halted)
			return false;
	}
	return true;
}

/* Check that the owner of the handler is reported, and the only VMID that can have one. */
static bool has_no_handler(struct adbg_session *session)
{
	struct amdgpudbg_launch_set launch = { .mode = AMDGPUDBG_LAUNCH_HALT };
	struct adbgd_process *p = NULL;
	struct amdgpudbg_busy busy;
	char words[160];

	snprintf(words, sizeof(words), "cannot set the trap handler of process %d: another session "
		 "has set a trap handler, by process %d; ", getppid(), other.debugger.pid);
	if (adbgd_process_attach(NULL, getppid(), 0, &p, &error) != -EBUSY || p ||
	    strncmp(error.text, words, strlen(words))) {
		print_error("%d, %s\n", error.error, error.text);
		return false;
	}
	return adbg_launch_set(session, &launch) == -EBUSY &&
	       !adbg_session_get_busy(session, &busy) &&
	       busy.cause == AMDGPUDBG_BUSY_VMID_SESSION &&
	       busy.by == AMDGPUDBG_BUSY_BY_SESSION && busy.pid == other.debugger.pid;
}

/* Without a handler it does all that needs none. */
static int second_of_two(void *arg)
{
	struct adbg_session *session;
	struct adbg_wave_list *list;

	(void)arg;
	if (adbg_open(NULL, &session) || adbg_target_attach(session, getppid(), 0, NULL) ||
	    adbg_wave_list_new(&list))
		return 1;
	if (!all_are(session, list, 0))
		return 2;
	if (adbg_halt_all(session, NULL) || !all_are(session, list, AMDGPUDBG_WAVE_HALTED))
		return 3;
	if (!sees_all(session, list))
		return 4;
	if (!has_no_handler(session))
		return 5;
	/* What was refused has changed nothing. */
	if (!all_are(session, list, AMDGPUDBG_WAVE_HALTED) || !sees_all(session, list))
		return 6;
	if (see_halted(0) != 2 * NUM_WAVES)
		return 7;
	if (adbg_resume_all(session, NULL) || !all_are(session, list, 0))
		return 8;
	/* Those of the other process stand as before. */
	if (see_halted(0) != NUM_WAVES)
		return 9;
	adbg_wave_list_free(list);
	adbg_session_close(session);
	return 0;
}

/* Once; also after a failed test, when it may not have been started. */
static int finish_other(struct victim *v)
{
	int ret = v->pid > 0 ? victim_finish(v) : 0;

	v->pid = 0;
	return ret;
}

void two_debuggers_have_two_processes(void **state)
{
	int ret;

	(void)state;
	/* This process's own is not needed. */
	detach();
	start_first();
	assert_int_equal(target_begins(&other.process), 0);
	assert_true(until(waves_of_the_other_debugger_stay_halted, NULL, DEADLINE_MS / 1000));
	/* Not behind the other's job */
	prog.ring = 1;
	start_job();
	wait_begun();
	ret = child_run(second_of_two, NULL);
	prog.ring = 0;
	assert_int_equal(finish_other(&other.debugger), 0);
	assert_int_equal(ret, 0);
	release_waves();
	finish_job();
	assert_int_equal(target_finishes(&other.process), 0);
	assert_int_equal(finish_other(&other.process), 0);
}

int take_down_two(void **state)
{
	finish_other(&other.debugger);
	finish_other(&other.process);
	return take_down(state);
}
