// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Halting waves, letting them go on, and single steps.
 */
#include "process.h"
#include "trap_abi.h"

/* A wave that is in its handler is out of it soon, or in a loop there for ever. */
#define MAX_LOOKS	1000

static const char *name_of(const struct amdgpudbg_wave_coord *at, char name[ADBG_WAVE_NAME_MAX])
{
	return adbg_wave_name(at, name);
}

ADBGD_API int adbgd_process_halt(struct adbgd_process *process, struct adbgd_error *error)
{
	int ret = adbg_halt_all(process->session, NULL);

	return ret ? adbgd_failed(process, error, ret, "the waves do not halt") : 0;
}

/*
 * It goes on with the copy of the instruction, if there is a breakpoint in its place. Of an
 * exception it is told by its handler when it has gone on: trap/stop.S.
 */
static int leave_breakpoint(struct adbgd_process *p, struct amdgpudbg_wave *wave)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(p, wave->pc);

	return b ? adbgd_wave_put(p, wave, adbgd_breakpoint_copy(b)) : 0;
}

static bool can_go_on(const struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	return w->flags & AMDGPUDBG_WAVE_HALTED && !(w->flags & AMDGPUDBG_WAVE_PRIV) &&
	       !adbgd_wave_is_untold(p, w);
}

static struct amdgpudbg_wave_control resume(const struct amdgpudbg_wave *w)
{
	return (struct amdgpudbg_wave_control){
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.at = w->at, .vmid = w->vmid, .pc = w->pc,
	};
}

/* It was another wave's slot meanwhile, or somebody has let it go. */
static bool is_gone(int ret)
{
	return ret == -ESTALE || ret == -ENODATA;
}

/* Those that @ops has room for, from the wave @from on; how many, or -errno. */
static int collect(struct adbgd_process *p, struct amdgpudbg_batch_op *ops, size_t *from)
{
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave wave;
	int num = 0, ret;

	for (; num < AMDGPUDBG_WAVE_BATCH_MAX &&
	       (w = adbg_wave_list_get(p->waves, *from)); (*from)++) {
		if (!can_go_on(p, w))
			continue;
		wave = *w;
		ret = leave_breakpoint(p, &wave);
		if (is_gone(ret))
			continue;
		if (ret)
			return ret;
		ops[num++].control = resume(&wave);
	}
	return num;
}

static int resume_some(struct adbgd_process *p, struct amdgpudbg_batch_op *ops, int num)
{
	struct amdgpudbg_wave_batch batch = {
		.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE, .ops = (uintptr_t)ops,
	};
	int done = 0, i, ret = 0;

	/* A batch may end early, after a second. */
	while (!ret && done < num) {
		batch.ops = (uintptr_t)(ops + done);
		batch.count = num - done;
		ret = adbg_wave_batch(p->session, &batch);
		for (i = done; !ret && i < num && ops[i].error != -ECANCELED; i++) {
			if (!is_gone(ops[i].error))
				ret = ops[i].error;
			done++;
		}
	}
	return ret;
}

static bool any_in_handler(const struct adbgd_process *p)
{
	const struct amdgpudbg_wave *w;
	size_t i;

	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (w->flags & AMDGPUDBG_WAVE_HALTED && w->flags & AMDGPUDBG_WAVE_PRIV)
			return true;
	}
	return false;
}

/* Who was halted while it was in its handler shows why only when it is out of it. */
static int list_outside(struct adbgd_process *p, struct adbgd_error *error)
{
	unsigned int looks = 0;
	int ret;

	do {
		ret = adbgd_waves_list(p, NULL, error);
	} while (!ret && any_in_handler(p) && ++looks < MAX_LOOKS);
	return ret;
}

ADBGD_API int adbgd_process_continue(struct adbgd_process *process, struct adbgd_error *error)
{
	struct amdgpudbg_batch_op *ops = calloc(AMDGPUDBG_WAVE_BATCH_MAX, sizeof(*ops));
	size_t from = 0;
	int num, ret;

	if (!ops)
		return adbgd_no_memory(error, "a list of waves");
	ret = adbgd_breakpoints_arm(process, error);
	ret = ret ? ret : list_outside(process, error);
	if (ret)
		goto out;
	do {
		num = collect(process, ops, &from);
		ret = num < 0 ? num : resume_some(process, ops, num);
	} while (!ret && num);
	if (ret)
		adbgd_failed(process, error, ret, "not all waves go on");
out:
	free(ops);
	return ret;
}

/* The wave, if it is halted and was told of: something can be done with it. */
static int find(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		struct amdgpudbg_wave *wave, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbgd_waves_list(p, at, error);

	if (ret)
		return ret;
	if (!adbg_wave_list_count(p->waves))
		return adbgd_fail(error, -ENODATA, "there is no wave of process %d at %s",
				  p->info.pid, name_of(at, name));
	*wave = *adbg_wave_list_get(p->waves, 0);
	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED) || wave->flags & AMDGPUDBG_WAVE_PRIV)
		return adbgd_fail(error, -EAGAIN, "wave %s is not halted", name_of(at, name));
	if (adbgd_wave_is_untold(p, wave))
		return adbgd_fail(error, -EBUSY, "wave %s has stopped by itself, which is still "
				  "to be told", name_of(at, name));
	return 0;
}

ADBGD_API int adbgd_wave_continue(struct adbgd_process *process,
				  const struct amdgpudbg_wave_coord *at,
				  struct adbgd_error *error)
{
	struct amdgpudbg_wave_control control;
	char name[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave wave;
	int ret = find(process, at, &wave, error);

	if (ret)
		return ret;
	ret = leave_breakpoint(process, &wave);
	if (!ret) {
		control = resume(&wave);
		ret = adbg_wave_control(process->session, &control);
	}
	return ret ? adbgd_failed(process, error, ret, "wave %s does not go on",
				  name_of(at, name)) : 0;
}

/* --------------------------------------------------------------------- steps */

/*
 * A wave that has stopped for an exception would have it again before its next
 * instruction: trap/stop.S clears it only when the wave is resumed.
 */
static int clear_exceptions(struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *trapsts = adbg_reg_find(p->info.gc_version, "TRAPSTS");
	uint32_t ttmp13 = wave->ttmp[13], values[2];
	const char *cause;
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = trapsts->number, .count = 1 },
		{ .space = AMDGPUDBG_REG_TTMP, .first = 13, .count = 1 },
	};
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE,
		.at = wave->at, .vmid = wave->vmid,
		.num_ranges = ARRAY_SIZE(ranges), .ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values, .num_values = ARRAY_SIZE(values),
	};

	if (ttmp13 != ((uint32_t)wave->pc | TRAP_TTMP13_STOPPED) ||
	    !adbg_wave_get_causes(wave, p->info.gc_version, &cause, 1))
		return 0;
	values[0] = 0;
	values[1] = 0;
	return adbg_reg_access(p->session, &access);
}

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
	return 0;
}

/*
 * All of a copy that stands for the instruction, if there is a breakpoint in its place, or
 * the wave has stopped in the middle of one; then back into the program.
 */
static int step(struct adbgd_process *p, struct amdgpudbg_wave *wave, bool *ended)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(p, wave->pc);
	uint64_t pc;
	int ret = clear_exceptions(p, wave);

	if (!ret && b)
		ret = adbgd_wave_put(p, wave, adbgd_breakpoint_copy(b));
	else
		b = adbgd_breakpoint_of_copy(p, wave->pc, &pc);
	do {
		ret = ret ? ret : step_once(p, wave, ended);
	} while (!ret && !*ended && b &&
		 wave->pc - adbgd_breakpoint_copy(b) < 4 * b->copy.num_copied);
	if (ret || *ended || !adbgd_breakpoint_of_copy(p, wave->pc, &pc))
		return ret;
	return adbgd_wave_put(p, wave, pc);
}

ADBGD_API int adbgd_wave_step(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at,
			      struct adbgd_stop *stop, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct adbgd_breakpoint *b;
	struct amdgpudbg_wave wave;
	bool ended = false;
	int ret = find(process, at, &wave, error);

	if (ret)
		return ret;
	ret = step(process, &wave, &ended);
	if (ret == -ETIMEDOUT)
		return adbgd_fail(error, ret, "wave %s waits in the instruction at %#llx: for "
				  "other waves, or for memory", name_of(at, name),
				  (unsigned long long)wave.pc);
	if (ret)
		return adbgd_failed(process, error, ret, "wave %s does no step",
				    name_of(at, name));
	b = ended ? NULL : adbgd_breakpoint_at(process, wave.pc);
	*stop = (struct adbgd_stop){
		.reason = ended ? ADBGD_STOP_WAVE_END : ADBGD_STOP_STEP,
		.at = *at, .pc = wave.pc, .breakpoint = b ? b->info.number : 0,
	};
	return 0;
}
