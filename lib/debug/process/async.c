// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Operations as the caller of the library sees them: see amdgpudbg-debug-async.h.
 */
#include <amdgpudbg-debug-async.h>

#include "async.h"
#include "poll_fd.h"

int adbgd_operation_start(struct adbgd_operation *operation, int ret, uint32_t *number)
{
	struct adbgd_process *p = operation->run.process;

	if (ret) {
		adbgd_operation_free(operation);
		return ret;
	}
	if (number)
		*number = operation->run.operation;
	adbgd_poll_fd_wake(p);
	return 0;
}

static int start(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at, uint32_t kind,
		 adbgd_operation_begin *begin, uint64_t address, uint32_t *number,
		 struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = adbgd_operation_new(p, at, kind, &op, error);

	return ret ? ret : adbgd_operation_start(op, begin(op, address, error), number);
}

static int step(struct adbgd_operation *op, uint64_t address, struct adbgd_error *error)
{
	(void)address;
	(void)error;
	adbgd_operation_step(op);
	return 0;
}

ADBGD_API int adbgd_wave_start_step(struct adbgd_process *process,
				    const struct amdgpudbg_wave_coord *at, uint32_t *number,
				    struct adbgd_error *error)
{
	return start(process, at, ADBGD_OPERATION_STEP, step, 0, number, error);
}

ADBGD_API int adbgd_wave_start_step_over(struct adbgd_process *process,
					 const struct amdgpudbg_wave_coord *at, uint32_t *number,
					 struct adbgd_error *error)
{
	return start(process, at, ADBGD_OPERATION_STEP_OVER, adbgd_operation_step_over, 0, number,
		     error);
}

ADBGD_API int adbgd_wave_start_until(struct adbgd_process *process,
				     const struct amdgpudbg_wave_coord *at, uint64_t address,
				     uint32_t *number, struct adbgd_error *error)
{
	return start(process, at, ADBGD_OPERATION_UNTIL, adbgd_operation_until, address, number,
		     error);
}

ADBGD_API int adbgd_wave_start_finish(struct adbgd_process *process,
				      const struct amdgpudbg_wave_coord *at, uint32_t *number,
				      struct adbgd_error *error)
{
	return start(process, at, ADBGD_OPERATION_FINISH, adbgd_operation_finish, 0, number, error);
}

/* ------------------------------------------------------------------------- ending them */

static struct adbgd_operation *find(const struct adbgd_process *p, uint32_t number,
				    struct adbgd_error *error)
{
	struct adbgd_run *run = p->runs;

	while (run && (!number || run->operation != number))
		run = run->next;
	if (!run)
		adbgd_fail(error, -ENOENT, "operation %u has ended, or never was", number);
	return run ? adbgd_operation_of(run) : NULL;
}

/* A running wave may have reached a breakpoint whose stops are ignored: then it was resumed. */
static int halt(struct adbgd_operation *op, struct adbgd_error *error)
{
	int ret;

	if (op->stage != ADBGD_STAGE_RUNS) {
		adbgd_runner_set_stop(&op->runner, ADBGD_STOP_INTERRUPTED, adbgd_operation_pc(op));
		return 0;
	}
	do {
		ret = adbgd_runner_halt(&op->run, &op->runner, error);
	} while (ret == 1);
	return ret;
}

ADBGD_API int adbgd_operation_cancel(struct adbgd_process *process, uint32_t number,
				     struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_operation *op = find(process, number, error);
	int ret = op ? halt(op, error) : -ENOENT;

	if (ret)
		return ret;
	*stop = op->runner.stop;
	stop->operation = number;
	adbgd_operation_free(op);
	adbgd_poll_fd_wake(process);
	return 0;
}

ADBGD_API int adbgd_operation_release(struct adbgd_process *process, uint32_t number,
				      struct adbgd_error *error)
{
	struct adbgd_operation *op = find(process, number, error);
	struct amdgpudbg_wave_coord at;
	bool is_held;

	if (!op)
		return -ENOENT;
	at = op->runner.wave.at;
	is_held = op->run.holds_wave;
	adbgd_operation_free(op);
	adbgd_poll_fd_wake(process);
	return is_held ? adbgd_wave_continue(process, &at, error) : 0;
}

/* ------------------------------------------------------------------------- information */

ADBGD_API int adbgd_process_get_operation(const struct adbgd_process *process, size_t i,
					  struct adbgd_operation_info *info)
{
	struct adbgd_run *run = process->runs;
	const struct adbgd_operation *op;

	while (run && (!run->operation || i--))
		run = run->next;
	if (!run)
		return -ENOENT;
	op = adbgd_operation_of(run);
	*info = (struct adbgd_operation_info){
		.number = run->operation, .kind = op->kind, .at = op->runner.wave.at,
		.flags = op->stage == ADBGD_STAGE_RUNS ? 0 : ADBGD_OPERATION_STEPPED,
	};
	return 0;
}

ADBGD_API const struct adbgd_error *
adbgd_process_get_operation_error(const struct adbgd_process *process)
{
	return &process->operation_error;
}
