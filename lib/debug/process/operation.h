/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Operations: one wave moves, in one or several stages. A stage is one instruction, or a run to
 * an address. Functions that wait for a wave use the same operations as those that return at
 * once; they only call adbgd_operation_wait().
 */
#ifndef ADBGD_OPERATION_H
#define ADBGD_OPERATION_H

#include <stddef.h>

#include "runs.h"

struct adbgd_operation;

/**
 * struct adbgd_plan - an operation of several stages
 * @next: called when a stage has ended, with the stop in @operation->runner: begin another one by
 *	adbgd_operation_step() or adbgd_operation_go(), and return 1; 0: the stop is that of the
 *	operation, and may be changed; -errno with @error set
 * @free: free @data
 * @late: what a wave has not done if its time is over, such as "arrived"
 */
struct adbgd_plan {
	int (*next)(struct adbgd_operation *operation, void *data, struct adbgd_error *error);
	void (*free)(void *data);
	const char *late;
};

enum adbgd_stage {
	ADBGD_STAGE_STOPPED,	/* nothing is left to do, the stop is set */
	ADBGD_STAGE_STEP,	/* the host executes one instruction */
	ADBGD_STAGE_STEPPED,	/* the host executes instructions, until a goal */
	ADBGD_STAGE_RUNS,	/* the wave runs to a goal */
};

/**
 * struct adbgd_operation - a wave that moves
 * @run: the run; its only runner is @runner
 * @kind: enum adbgd_operation_kind
 * @leaves: at the goal, also execute an s_setpc_b64
 * @has_stepped: an instruction was executed, which may have trapped
 * @pause: next pause of adbgd_operation_wait(), in ns
 * @plan: NULL: there is one stage
 * @data: for @plan; freed with the operation
 */
struct adbgd_operation {
	struct adbgd_run run;
	struct adbgd_runner runner;
	enum adbgd_stage stage;
	uint32_t kind;
	bool leaves;
	bool has_stepped;
	long pause;
	const struct adbgd_plan *plan;
	void *data;
};

/** adbgd_operation_of() - get the operation of a run; only for runs with a number */
static inline struct adbgd_operation *adbgd_operation_of(struct adbgd_run *run)
{
	return (struct adbgd_operation *)((char *)run - offsetof(struct adbgd_operation, run));
}

/** adbgd_operation_pc() - get the address at which the wave was halted last */
uint64_t adbgd_operation_pc(const struct adbgd_operation *operation);

/**
 * adbgd_operation_new() - create an operation for a halted wave
 * @kind: enum adbgd_operation_kind; 0: a function waits for it
 * @operation: set to the operation, whose first stage is still to begin
 */
int adbgd_operation_new(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			uint32_t kind, struct adbgd_operation **operation,
			struct adbgd_error *error);

/** adbgd_operation_free() - free an operation; its wave stays as it is */
void adbgd_operation_free(struct adbgd_operation *operation);

/** adbgd_operation_step() - begin a stage: execute one instruction */
void adbgd_operation_step(struct adbgd_operation *operation);

/** adbgd_operation_go() - begin a stage: run to one of @to; if that is empty, as _step() */
int adbgd_operation_go(struct adbgd_operation *operation, const struct adbgd_exits *to,
		       struct adbgd_error *error);

/* Begin the first stage. */
typedef int adbgd_operation_begin(struct adbgd_operation *operation, uint64_t address,
				  struct adbgd_error *error);

/** adbgd_operation_until() - run to @address */
adbgd_operation_begin adbgd_operation_until;

/** adbgd_operation_step_over() - execute one instruction, or a call; @address is ignored */
adbgd_operation_begin adbgd_operation_step_over;

/** adbgd_operation_finish() - run until the function is left; @address is ignored */
adbgd_operation_begin adbgd_operation_finish;

/**
 * adbgd_operation_wait() - wait until an operation has ended, and free it
 * @ret: the result of the function that has begun its first stage; if that is an error, only free
 *	the operation, and return the error
 * @timeout_ms: how long to wait; -1: without limit
 * @stop: set to the stop, on success
 *
 * Return: 0; -ETIMEDOUT or -EINTR, and the wave is halted; or an error of the operation.
 */
int adbgd_operation_wait(struct adbgd_operation *operation, int ret, int timeout_ms,
			 struct adbgd_stop *stop, struct adbgd_error *error);

/**
 * adbgd_operations_take() - attribute a stop to the operation of its wave
 * @stop: a stop that is to be reported; changed if it ends an operation
 *
 * Return: 0: report the stop; -EAGAIN: the operation continues.
 */
int adbgd_operations_take(struct adbgd_process *process, struct adbgd_stop *stop);

/**
 * adbgd_operations_poll() - test whether operations have ended, and step those that the host steps
 *
 * Return: 0: @stop is set; -EAGAIN: no operation has ended.
 */
int adbgd_operations_poll(struct adbgd_process *process, struct adbgd_stop *stop);

/** adbgd_operations_timeout() - get the time until adbgd_operations_poll() in ms; -1: no limit */
int adbgd_operations_timeout(const struct adbgd_process *process);

#endif /* ADBGD_OPERATION_H */
