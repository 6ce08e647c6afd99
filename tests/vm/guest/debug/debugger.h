/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests of libamdgpudbg-debug on a process: a program with the kernel of breaks.s, and its
 * known state at each instruction. Unless stated otherwise, a failure ends the test.
 */
#ifndef GUEST_DEBUGGER_H
#define GUEST_DEBUGGER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg-debug.h>

#include "prog.h"

#define CODE_FILE	"/usr/share/amdgpudbg/breaks.co"
#define ITEMS		256
#define NUM_WAVES	(ITEMS / 32)
#define ROUNDS		8		/* of the loop in breaks.s */
#define GROUP_WAVES	4		/* of a work-group of "exchange" */
#define DEADLINE_MS	60000

/* More than the GPU has room for at once; and some, all of which it has */
#define MANY_ITEMS	(1000 * 32)
#define SOME_ITEMS	(64 * 32)
#define MAX_WAVES	1024		/* that there are at once, at most */

extern struct prog prog;
extern struct gpu_job job;
extern struct adbgd_process *process;
extern struct adbgd_error error;

/* What must give 0, else with the error's words */
#define MUST(call) \
	do { \
		int ret_ = (call); \
		if (ret_) \
			fail_msg("%s: %d, %s", #call, ret_, error.text); \
	} while (0)

/*
 * Attach to this process, which then is @process; @to: another's. On a busy machine the GPU
 * can be slower with page tables than a call waits: that is tried again. 0 or -errno.
 */
int attach(int32_t to);
void detach(void);
/* One about this process, for adbgd_process_attach_session(); take_down() closes it, too. */
struct adbg_session *own_session(void);
void close_own_session(void);

/*
 * For cmocka: a program for @ITEMS, also one for "exchange"; for SOME_ITEMS; for MANY_ITEMS;
 * attaching to it before each test, and what there is to do after each, also after one that
 * has failed.
 */
int open_some(void **state);
int open_exchange(void **state);
int open_waves(void **state);
int open_many(void **state);
int close_prog(void **state);
int set_up(void **state);
int take_down(void **state);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, take_down)

/* Address of a name in breaks.s, where the program has it: this one, or that at @code_va */
extern uint64_t code_va;
uint64_t address_of(const char *name);
/* The same of any code object, which is loaded at @va */
uint64_t address_in(const char *file, uint64_t va, const char *name);

/* What item @i begins with, and what of that is after so many rounds: see breaks.s */
uint32_t input(uint32_t i);
uint32_t after_rounds(uint32_t x, uint32_t rounds);

/* The job begins, of prog.items; its waves wait until release_waves(). */
void start_job(void);
void start_kernel(const char *name);
/* From now on each round of the loop counts for two, in code that is mapped instead. */
int change_code(void);
/* The same code is mapped instead. */
int renew_code(void);
/* The same; then it waits without waves for go_again(), and does all once more. */
void start_job_twice(void);
void go_again(void);
/* Until all waves have written their results, which must be right, and are erased then */
void wait_written(void);
void release_waves(void);
/*
 * The same with "rounds", all waves of which have begun and run on; and until it has ended,
 * as it now must, with right results. The rounds of all waves together
 */
void start_rounds(void);
uint64_t finish_rounds(void);
/*
 * "exchange" begins, all waves of which run; the one with work-item @late as its first does
 * not come to a barrier until come(). And until it has ended, with right results
 */
void start_exchange(uint32_t late);
void come(void);
void finish_exchange(void);
bool is_exchanged(void);
#define NONE_LATE	UINT32_MAX
/* Until all work-items have begun */
void wait_begun(void);
/* Has it ended? */
bool job_has_ended(void);
/* Until it has, in time */
void wait_job(void);
/* It has ended, with right results; the code is as it was. */
void finish_job(void);

/* Is the program's code as it was? */
bool is_code_as_before(void);
void assert_code_as_before(void);

/* The next stop, which there must be */
struct adbgd_stop next_stop(void);
/* Check that no stop is pending. */
void assert_no_stop(void);
/* The next one is of a wave at the breakpoint @b, which its own registers say, too. */
struct adbgd_stop stop_at(struct adbgd_breakpoint *b);
/* Such stops of all waves, of each one */
void all_stop_at(struct adbgd_breakpoint *b, struct adbgd_stop stops[NUM_WAVES]);

/* How many waves are halted; until as many are; until there are no more than that at all */
unsigned int count_halted(void);
void wait_halted(unsigned int num);
void wait_waves(unsigned int num);

/* A test that takes long gives a sign of life now and then. */
void print_progress(unsigned int done);

/* The wave in a slot, in which there must be one */
struct amdgpudbg_wave wave_at(const struct amdgpudbg_wave_coord *at);

/* Read registers of a halted wave, also in the session of another debugger; 0 or -errno */
int read_regs(struct adbg_session *session, const struct amdgpudbg_wave_coord *at,
	      const struct amdgpudbg_reg_range *range, uint32_t *values);

/* Read a scalar register of a halted wave. */
uint32_t read_sgpr(const struct amdgpudbg_wave_coord *at, uint32_t number);

/* The same is written, as are other registers of one number */
void write_reg(const struct amdgpudbg_wave_coord *at, uint32_t space, uint32_t number,
	       uint32_t value);

/* Read a vector register of a halted wave, in each of its lanes. */
void read_lanes(const struct amdgpudbg_wave_coord *at, uint32_t reg, uint32_t lanes[32]);

/* Wait until the breakpoint is no longer pending; no wave may stop before. */
void wait_set(struct adbgd_breakpoint *b);

/*
 * It is attached to a job that runs already, and one at breaks_loop waits for its waves to end;
 * a wave of the next job has stopped there.
 */
struct adbgd_breakpoint *waits_for_waves_of_before(uint32_t flags);

/*
 * Trace a wave until it ends or stops for another reason, by its handler or by steps of the
 * host; returns how many nanoseconds that took. And check that two traces are the same, except
 * for registers that no instruction has written yet.
 */
int64_t record_trace(struct adbgd_trace *t, bool alone, struct adbgd_stop *stop);
void same_traces(struct adbgd_trace *a, struct adbgd_trace *b);

/* What `debugger target` is: see debugger_target.c */
int be_target(void);
/* And what `debugger first PID ADDRESS` is: see debugger_two.c */
int be_first(const char *pid, const char *address);

/*
 * Such a process, whose code is at @va; its job begins, and is not waited for; that has ended,
 * with right results. 0 or -errno
 */
struct victim;
int start_target(struct victim *v, uint64_t *va);
int target_begins(const struct victim *v);
int target_finishes(const struct victim *v);

/* Tests, by file; an exit status */
int debugger_if(void);
int debugger_trace(void);
int debugger_until(void);
int debugger_barrier(void);
int debugger_deaths(unsigned int first_seed);
int debugger_stepped(void);
int debugger_waves(void);
int debugger_watch(void);
int be_hanging(void);
int debugger_run(void);
int debugger_start(void);
int be_run(const char *how);
void replaced_code_has_no_breakpoint(void **state);
void freed_code_has_no_breakpoint(void **state);
void code_that_is_mapped_again_has_its_breakpoint(void **state);
void the_target_exits(void **state);
void the_target_is_killed_at_random(void **state);
void the_target_exits_but_a_fork_of_it_stays(void **state);
void the_target_calls_exec(void **state);
void lds_is_read_and_written(void **state);
void lds_is_accessed_after_a_step(void **state);
void wrong_lds_accesses_are_refused(void **state);
void lds_of_waves_that_have_none_is_refused(void **state);
void vgprs_of_all_lanes_are_read_by_one_command(void **state);
void cond_dbg_bits_change_branches(void **state);
int set_up_faults(void **state);
int take_down_faults(void **state);
void each_exception_is_a_stop(void **state);
void each_exception_is_reported_once(void **state);
void a_trace_has_no_gap(void **state);
void s_trap_is_a_stop(void **state);
void s_trap_7_is_no_breakpoint(void **state);
void traces_end_where_waves_stop(void **state);
void traps_by_the_host_are_reported(void **state);
void stops_in_debug_mode_are_reported(void **state);
int set_up_target(void **state);
int take_down_target(void **state);
void debugger_killed_at_random(void **state);
void a_second_debugger_can_only_read_and_halt_waves(void **state);
int take_down_two(void **state);
void two_debuggers_have_two_processes(void **state);
int set_up_room(void **state);
int take_down_room(void **state);
void a_process_without_free_addresses_for_a_handler(void **state);
void a_process_without_free_addresses_for_records(void **state);
void nothing_is_left_after_detaching(void **state);
void the_halt_time_of_a_user_runs_out(void **state);

/* debugger_clear.c */
void a_breakpoint_whose_waves_are_not_resumed_can_be_cleared_again(void **state);
void waves_of_a_breakpoint_that_is_being_cleared_report_no_stop(void **state);
void waves_of_a_breakpoint_that_is_being_cleared_continue_after_detach(void **state);

#endif /* GUEST_DEBUGGER_H */
