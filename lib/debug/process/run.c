// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Halting, resuming and single-stepping waves.
 */
#include "breakpoint.h"
#include "launch.h"
#include "runs.h"
#include "wave.h"

ADBGD_API int adbgd_process_halt(struct adbgd_process *process, struct adbgd_error *error)
{
	int ret = adbgd_process_notify_halt_begin(process, error);

	if (ret)
		return ret;
	ret = adbg_halt_all(process->session, NULL);
	if (ret)
		return adbgd_failed(process, error, ret, "cannot halt the waves");
	ret = adbgd_process_notify_halt_end(process, error);
	/* Only stops at breakpoints are not reported. */
	return ret || !process->breakpoints.first ? ret :
	       adbgd_process_keep_halted(process, NULL, NULL, error);
}

/* A wave at a breakpoint executes the displaced instruction when it is resumed. */
int adbgd_wave_prepare_resume(struct adbgd_process *process, struct amdgpudbg_wave *wave)
{
	struct adbgd_breakpoint *b;
	int ret = adbgd_stepped_prepare_resume(process, wave);

	adbgd_launch_mark_resumed(process, &wave->at);
	if (ret)
		return ret;
	b = adbgd_breakpoint_under(process, wave->pc);
	if (!b)
		return 0;
	ret = adbgd_wave_clear_exceptions(process, wave);
	return ret ? ret : adbgd_wave_move_reported(process, wave, adbgd_breakpoint_displaced(b));
}

bool adbgd_wave_can_resume(const struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	return w->flags & AMDGPUDBG_WAVE_HALTED && adbgd_wave_left_handler(w) &&
	       !adbgd_wave_is_pending(p, w) && !adbgd_wave_is_starting(p, w) &&
	       !adbgd_run_holds(p, &w->at);
}

/*
 * Fill @ops with operations for waves that can be resumed, starting with the listed wave @from.
 * Return how many. An error of one wave is stored in @first, if that is 0, and does not affect
 * others.
 */
static int collect(struct adbgd_process *p, struct amdgpudbg_batch_op *ops, size_t *from,
		   int *first)
{
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave wave;
	int num = 0, ret;

	while (num < AMDGPUDBG_WAVE_BATCH_MAX) {
		w = adbg_wave_list_get(p->waves, *from);
		if (!w)
			break;
		(*from)++;
		if (!adbgd_wave_can_resume(p, w))
			continue;
		wave = *w;
		ret = adbgd_wave_prepare_resume(p, &wave);
		if (!ret)
			ops[num++].control = adbgd_wave_resume_op(&wave);
		else if (!adbgd_wave_is_gone(ret) && !*first)
			*first = ret;
	}
	return num;
}

ADBGD_API int adbgd_process_continue(struct adbgd_process *process, struct adbgd_error *error)
{
	struct amdgpudbg_batch_op *ops;
	int num, ret, first = 0;
	size_t from = 0;

	ret = adbgd_launch_look(process, error);
	if (ret)
		return ret;
	process->num_kept = 0;
	/* End this mode before listing waves, so that no wave starts halted after the list. */
	if (process->launch.state == ADBGD_LAUNCH_REPORTED) {
		ret = adbgd_process_stop_at_start(process, false, error);
		if (ret)
			return ret;
	}
	ops = calloc(AMDGPUDBG_WAVE_BATCH_MAX, sizeof(*ops));
	if (!ops)
		return adbgd_no_memory(error, "a list of waves");
	/* Errors are ignored: pending breakpoints may wait for these waves to end. */
	adbgd_breakpoints_arm(process, NULL, NULL);
	ret = adbgd_waves_list_without(process, adbgd_wave_is_halting, error);
	if (ret)
		goto out;
	do {
		num = collect(process, ops, &from, &first);
		ret = adbgd_waves_resume(process, ops, num, &first);
	} while (!ret && num);
	if (!ret)
		ret = first;
	if (ret)
		adbgd_failed(process, error, ret, "cannot resume all waves");
out:
	free(ops);
	return ret;
}

int adbgd_wave_find(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    struct amdgpudbg_wave *wave, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbgd_waves_list(process, at, error);

	if (ret)
		return ret;
	if (!adbg_wave_list_count(process->waves))
		return adbgd_fail(error, -ENODATA, "there is no wave of process %d at %s",
				  process->info.pid, adbg_wave_name(at, name));
	*wave = *adbg_wave_list_get(process->waves, 0);
	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED) || !adbgd_wave_left_handler(wave))
		return adbgd_fail(error, -EINPROGRESS, "wave %s is not halted",
				  adbg_wave_name(at, name));
	if (adbgd_wave_is_pending(process, wave))
		return adbgd_fail(error, -EBUSY, "the stop of wave %s was not reported yet",
				  adbg_wave_name(at, name));
	if (adbgd_wave_is_starting(process, wave))
		return adbgd_fail(error, -EBUSY, "the start of wave %s was not reported yet",
				  adbg_wave_name(at, name));
	if (adbgd_run_holds(process, at))
		return adbgd_fail(error, -EBUSY, "operation %u moves wave %s",
				  adbgd_run_of(process, at)->operation,
				  adbg_wave_name(at, name));
	return 0;
}

ADBGD_API int adbgd_wave_continue(struct adbgd_process *process,
				  const struct amdgpudbg_wave_coord *at,
				  struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	if (ret)
		return ret;
	ret = adbgd_wave_prepare_resume(process, &wave);
	if (!ret)
		ret = adbgd_wave_resume(process, &wave);
	return ret ? adbgd_failed(process, error, ret, "cannot resume wave %s",
				  adbg_wave_name(at, name)) : 0;
}

/* --------------------------------------------------------------------- steps */

static int step_once(struct adbgd_process *p, struct amdgpudbg_wave *wave, bool *ended)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_STEP, .flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.at = wave->at, .vmid = wave->vmid, .pc = wave->pc,
	};
	int ret = adbg_wave_control(p->session, &control);

	if (ret)
		return ret;
	*ended = !control.changed;
	wave->pc = control.new_pc;
	if (*ended)
		adbgd_launch_mark_resumed(p, &wave->at);
	return 0;
}

/*
 * Move a wave out of a displaced instruction. If the wave has trapped in it, its stop is pending;
 * reporting the stop will move it (-ESTALE).
 */
static int back_into_program(struct adbgd_process *p, struct amdgpudbg_wave *wave)
{
	uint64_t pc;
	int ret;

	if (!adbgd_displaced_around(p, wave->pc, &pc))
		return 0;
	ret = adbgd_wave_move_reported(p, wave, pc);
	if (ret == -ESTALE) {
		wave->pc = pc;
		return 0;
	}
	return ret;
}

/*
 * Execute one step, or, in a displaced instruction, all steps of its copy. The instructions of a
 * copy follow each other. If a step does not lead to a later one of the same copy, the program's
 * own instruction was executed, wherever the wave is then: an s_setpc_b64 may jump to any
 * address, also into a copy.
 */
static int step_copied(struct adbgd_process *p, struct amdgpudbg_wave *wave, bool *ended)
{
	uint64_t before;
	int ret;

	do {
		before = wave->pc;
		ret = step_once(p, wave, ended);
	} while (!ret && !*ended && wave->pc > before &&
		 adbgd_is_in_same_displaced(p, wave->pc, before));
	return ret;
}

/*
 * Execute one instruction of the program. If a breakpoint is set there, or if the wave has
 * stopped in the middle of a displaced instruction, this means to execute the rest of the
 * displaced instruction, and to move the wave back into the program.
 *
 * Return: 0 or -errno; for -EBADMSG, @error is set.
 */
static int step(struct adbgd_process *p, struct amdgpudbg_wave *wave, bool *ended,
		struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;
	uint64_t pc;
	int ret = adbgd_wave_clear_exceptions(p, wave);

	if (!ret)
		ret = adbgd_stepped_prepare_step(p, wave);
	/* The wave has executed the displaced instruction, and is at the return trap. */
	if (!ret && !adbgd_is_in_displaced(p, wave->pc) && adbgd_displaced_around(p, wave->pc, &pc))
		ret = adbgd_wave_move_reported(p, wave, pc);
	if (ret)
		return ret;
	pc = wave->pc;
	b = adbgd_is_in_displaced(p, pc) ? NULL : adbgd_breakpoint_under(p, pc);
	if (b)
		pc = adbgd_breakpoint_displaced(b);
	ret = adbgd_displaced_check(p, pc, error);
	if (!ret && b)
		ret = adbgd_wave_move_reported(p, wave, pc);
	if (!ret)
		ret = step_copied(p, wave, ended);
	return ret || *ended ? ret : back_into_program(p, wave);
}

/*
 * Set the breakpoint at which the wave is. There may be several: prefer one that stops all waves,
 * or whose condition the host finds true. A single step does not evaluate conditions of the GPU.
 */
static void set_breakpoint(struct adbgd_process *p, struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *at[] = {
		adbgd_breakpoint_under(p, stop->pc), adbgd_stepped_at(p, stop->pc),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		while (at[i] && at[i]->test.evaluate && !adbgd_breakpoint_is_at(at[i], stop))
			at[i] = adbgd_is_stepped(at[i]) ?
				adbgd_stepped_next(p, at[i], stop->pc) : NULL;
		if (!at[i])
			continue;
		if (!stop->breakpoint || !adbgd_is_gpu_condition(at[i]))
			stop->breakpoint = at[i]->info.number;
		if (!adbgd_is_gpu_condition(at[i]))
			return;
	}
}

bool adbgd_stop_is_at_breakpoint(const struct adbgd_process *process,
				 const struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = process->breakpoints.first;

	while (b && b->info.number != stop->breakpoint)
		b = b->next;
	return stop->breakpoint && b && !adbgd_is_gpu_condition(b);
}

ADBGD_API int adbgd_wave_step(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at,
			      struct adbgd_stop *stop, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave wave;
	bool ended = false;
	uint64_t pc;
	int ret = adbgd_wave_find(process, at, &wave, error);

	if (ret)
		return ret;
	pc = adbgd_wave_get_pc(process, &wave);
	ret = step(process, &wave, &ended, error);
	if (ret == -EBADMSG)
		return ret;
	if (ret == -ETIMEDOUT)
		return adbgd_fail(error, ret, "wave %s waits in the instruction at %#llx: for "
				  "other waves, or for memory", adbg_wave_name(at, name),
				  (unsigned long long)pc);
	if (ret)
		return adbgd_failed(process, error, ret, "cannot single-step wave %s",
				    adbg_wave_name(at, name));
	*stop = (struct adbgd_stop){
		.reason = ended ? ADBGD_STOP_WAVE_END : ADBGD_STOP_STEP,
		.at = *at, .vmid = wave.vmid, .pc = wave.pc,
	};
	if (!ended)
		set_breakpoint(process, stop);
	return 0;
}
