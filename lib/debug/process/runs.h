/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waves that run to an address: the data of runs, and what files below until.c ask about them.
 * A process has a list of its runs: blocking ones (until.c) and operations (operation.c).
 */
#ifndef ADBGD_RUNS_H
#define ADBGD_RUNS_H

#include <string.h>

#include "breakpoint.h"
#include "calls.h"
#include "wave.h"

/**
 * struct adbgd_runner - a wave of a run
 * @wave: as it was before the run
 * @to: where it stops; empty: it executes one instruction
 * @stop: reason 0: the stop is not known yet
 * @next_look: when the wave is halted for a closer look, see runner.c
 * @runs: it has a goal, has not reached it, and has not stopped otherwise
 * @is_halting: it is to stop anywhere, also at the goal of another wave
 */
struct adbgd_runner {
	struct amdgpudbg_wave wave;
	struct adbgd_exits to;
	struct adbgd_stop stop;
	uint64_t next_look;
	bool runs;
	bool is_halting;
};

/**
 * struct adbgd_run - waves that run at the same time
 * @next: next run of the process
 * @only: condition of the momentary breakpoints of a single wave
 * @condition: @only; NULL: for all waves
 * @end: when the time is over, see adbgd_now_ns()
 * @is_stepped: a breakpoint would be pending: the host executes each instruction
 * @operation: number of the operation; 0: the run is that of a blocking function
 * @holds_wave: between two instructions of an operation, its wave is halted
 * @free: free the run of an operation
 */
struct adbgd_run {
	struct adbgd_process *process;
	struct adbgd_run *next;
	struct adbgd_runner *runners;
	size_t num;
	struct adbgd_condition only;
	const struct adbgd_condition *condition;
	uint64_t end;
	int timeout_ms;
	bool is_stepped;
	uint32_t operation;
	bool holds_wave;
	void (*free)(struct adbgd_run *run);
};

static inline bool adbgd_runner_runs_to(const struct adbgd_runner *runner, uint64_t pc)
{
	size_t i;

	for (i = 0; i < runner->to.num; i++) {
		if (runner->to.at[i] == pc)
			return true;
	}
	return false;
}

/** adbgd_runner_of() - find the wave among those that run to a goal; NULL: it is none of them */
static inline const struct adbgd_runner *adbgd_runner_of(const struct adbgd_process *process,
							 const struct amdgpudbg_wave *wave)
{
	const struct adbgd_runner *runner;
	const struct adbgd_run *run;
	size_t i;

	for (run = process->runs; run; run = run->next) {
		for (i = 0; i < run->num; i++) {
			runner = &run->runners[i];
			if (runner->runs && adbgd_wave_is_same(&runner->wave, wave) &&
			    !memcmp(&runner->wave.at, &wave->at, sizeof(wave->at)))
				return runner;
		}
	}
	return NULL;
}

/** adbgd_run_of() - find the operation that moves the wave in a slot; NULL: none */
static inline struct adbgd_run *adbgd_run_of(const struct adbgd_process *process,
					     const struct amdgpudbg_wave_coord *at)
{
	struct adbgd_run *run = process->runs;

	while (run && (!run->operation || memcmp(&run->runners->wave.at, at, sizeof(*at))))
		run = run->next;
	return run;
}

/** adbgd_run_holds() - test whether an operation keeps the wave in a slot halted */
static inline bool adbgd_run_holds(const struct adbgd_process *process,
				   const struct amdgpudbg_wave_coord *at)
{
	const struct adbgd_run *run = adbgd_run_of(process, at);

	return run && run->holds_wave;
}

/* -------------------------------------------------------------------- momentary.c */

/**
 * adbgd_momentary_add() - set momentary breakpoints at all goals of a run
 *
 * On failure, adbgd_momentary_remove() removes those that were set. If @run->is_stepped is set
 * then, a breakpoint would be pending.
 */
int adbgd_momentary_add(struct adbgd_run *run, struct adbgd_error *error);

/** adbgd_momentary_remove() - remove the momentary breakpoints that no run of the process needs */
void adbgd_momentary_remove(struct adbgd_process *process);

/* ----------------------------------------------------------------------- runner.c */

/** adbgd_run_link() - add a run to the end of the list of its process */
void adbgd_run_link(struct adbgd_run *run);

/** adbgd_run_unlink() - remove a run from the list of its process, and its breakpoints */
void adbgd_run_unlink(struct adbgd_run *run);

/** adbgd_run_is_over() - test whether the time is over, or the run was interrupted */
bool adbgd_run_is_over(const struct adbgd_run *run);

/** adbgd_runner_set_stop() - set the stop of a wave that has stopped without a trap */
void adbgd_runner_set_stop(struct adbgd_runner *runner, uint32_t reason, uint64_t pc);

/** adbgd_runner_start() - resume a wave that has a goal, at which a breakpoint is set */
int adbgd_runner_start(struct adbgd_run *run, struct adbgd_runner *runner,
		       struct adbgd_error *error);

/**
 * adbgd_runner_poll() - test whether a resumed wave has stopped, without waiting
 *
 * Return: 1 it is still running; 0 the stop is set; -errno.
 */
int adbgd_runner_poll(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error);

/** adbgd_runner_arrived() - change the stop, which is set, if it is at a momentary breakpoint */
void adbgd_runner_arrived(struct adbgd_run *run, struct adbgd_runner *runner);

/**
 * adbgd_runner_halt() - halt a resumed wave where it is
 *
 * Return: as adbgd_runner_poll(); 1: it has stopped where it is ignored, and was resumed.
 */
int adbgd_runner_halt(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error);

/**
 * adbgd_runner_step() - execute one instruction
 *
 * In a run of all waves, a wave whose instruction waits for longer than the module does
 * (-ETIMEDOUT) has the stop ADBGD_STOP_INTERRUPTED.
 */
int adbgd_runner_step(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error);

/** adbgd_runner_report_trap() - set the stop of a wave that has trapped in the last step */
int adbgd_runner_report_trap(struct adbgd_run *run, struct adbgd_runner *runner,
			     struct adbgd_error *error);

/**
 * adbgd_runner_step_on() - execute one instruction of a wave that has a goal
 *
 * Afterwards @runner->runs says whether it is still on its way.
 */
int adbgd_runner_step_on(struct adbgd_run *run, struct adbgd_runner *runner,
			 struct adbgd_error *error);

#endif /* ADBGD_RUNS_H */
