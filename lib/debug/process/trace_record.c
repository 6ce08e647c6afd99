// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Recording traces of a halted wave: the host steps it and reads all registers after each
 * instruction, or its trap handler records them.
 */
#include <string.h>

#include "breakpoint.h"
#include "trace.h"
#include "wave.h"

/* At a breakpoint, the PC register may have the address of the displaced instruction. */
static void set_pc(struct adbgd_trace *t, uint64_t pc)
{
	const struct adbg_reg *lo = adbg_reg_find(t->info.gc_version, "PC_LO");
	const struct adbg_reg *hi = adbg_reg_find(t->info.gc_version, "PC_HI");

	t->taken[lo->number] = (uint32_t)pc;
	t->taken[hi->number] = (uint32_t)(pc >> 32) & 0xffff;
}

static void copy_state(struct adbgd_trace *t, const struct adbg_wave_state *state, uint64_t pc)
{
	uint32_t *to = t->taken, count;
	const uint32_t *from;

	from = adbg_wave_state_get(state, AMDGPUDBG_REG_HW, 0, &count);
	memcpy(to, from, count * sizeof(*to));
	set_pc(t, pc);
	to += count;
	from = adbg_wave_state_get(state, AMDGPUDBG_REG_SGPR, 0, &count);
	memcpy(to, from, count * sizeof(*to));
	to += count;
	for (uint32_t i = 0; i < t->info.lanes; i++, to += count) {
		from = adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, i, &count);
		memcpy(to, from, count * sizeof(*to));
	}
}

static struct adbgd_trace_info info_of(const struct adbgd_process *p,
				       const struct amdgpudbg_wave *wave,
				       const struct adbg_wave_state *state)
{
	struct adbgd_trace_info info = {
		.gc_version = p->info.gc_version,
		.lanes = adbg_wave_state_get_lanes(state),
		.at = wave->at,
	};

	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_HW, 0, &info.num_hwregs);
	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_SGPR, 0, &info.num_sgprs);
	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, 0, &info.num_vgprs);
	return info;
}

static int read_state(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
		      struct adbg_wave_state *state, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbg_wave_state_read(state, p->session, wave);

	return ret ? adbgd_failed(p, error, ret, "cannot read the registers of wave %s",
				  adbg_wave_name(&wave->at, name)) : 0;
}

static int same_size(const struct adbgd_trace *t, const struct adbgd_trace_info *now,
		     struct adbgd_error *error)
{
	const struct adbgd_trace_info *then = &t->info;

	if (now->lanes == then->lanes && now->num_vgprs == then->num_vgprs &&
	    now->num_sgprs == then->num_sgprs && now->num_hwregs == then->num_hwregs)
		return 0;
	return adbgd_fail(error, -ESTALE, "the slot has another wave than the traced one");
}

/*
 * Can the wave's trap handler read its VGPRs, and are there as many as before? A wave that waits at
 * a barrier does not enter its handler.
 */
static bool has_vgprs_by_handler(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
				 const struct adbgd_trace *t)
{
	return t && adbgd_wave_has_handler(p, wave) && !adbgd_wave_is_pending(p, wave) &&
	       !adbgd_field(p, wave, "STATUS", "IN_BARRIER") &&
	       adbg_wave_num_vgprs(p->info.gc_version, wave) == t->info.num_vgprs &&
	       t->info.lanes == (wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32);
}

/*
 * Most of a wave's registers are VGPRs, and the host needs an access for each lane of each. The
 * wave's handler writes all of them to memory in less time than a single step takes.
 */
static int look_by_handler(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
			   struct adbgd_trace *t, struct adbgd_error *error)
{
	const struct adbgd_trace_info *info = &t->info;
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .count = info->num_hwregs },
		{ .space = AMDGPUDBG_REG_SGPR, .count = info->num_sgprs },
	};
	struct amdgpudbg_reg_access access = {
		.at = wave->at, .vmid = wave->vmid,
		.num_ranges = ARRAY_SIZE(ranges), .ranges = (uintptr_t)ranges,
		.num_values = info->num_hwregs + info->num_sgprs, .values = (uintptr_t)t->taken,
	};
	uint64_t pc = adbgd_wave_get_pc(p, wave);
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbg_reg_access(p->session, &access);

	if (ret)
		return adbgd_failed(p, error, ret, "cannot read the registers of wave %s",
				    adbg_wave_name(&wave->at, name));
	ret = adbgd_vgprs_read(p, &wave->at, info->num_vgprs, t->taken + access.num_values, error);
	if (ret)
		return ret;
	set_pc(t, pc);
	return adbgd_trace_record_words(t, t->taken, error);
}

/* Add the current registers of a halted wave to a trace. If @trace is NULL, create it. */
static int look(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
		struct adbg_wave_state *state, struct adbgd_trace **trace,
		struct adbgd_error *error)
{
	struct adbgd_trace_info info;
	int ret;

	if (has_vgprs_by_handler(p, wave, *trace))
		return look_by_handler(p, wave, *trace, error);
	ret = read_state(p, wave, state, error);
	if (ret)
		return ret;
	info = info_of(p, wave, state);
	ret = *trace ? same_size(*trace, &info, error) : adbgd_trace_new(&info, trace, error);
	if (ret)
		return ret;
	copy_state(*trace, state, adbgd_wave_get_pc(p, wave));
	return adbgd_trace_record_words(*trace, (*trace)->taken, error);
}

ADBGD_API int adbgd_trace_begin(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at,
				struct adbgd_trace **trace, struct adbgd_error *error)
{
	struct adbg_wave_state *state;
	struct adbgd_trace *t = NULL;
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	if (ret)
		return ret;
	if (adbg_wave_state_new(&state))
		return adbgd_no_memory(error, "a trace");
	ret = look(process, &wave, state, &t, error);
	adbg_wave_state_free(state);
	if (ret)
		adbgd_trace_free(t);
	else
		*trace = t;
	return ret;
}

/* The instruction that has ended a wave leaves no registers to read: record no change. */
static int take_end(struct adbgd_trace *t, struct adbgd_error *error)
{
	memcpy(t->taken, t->words, t->info.num_words * sizeof(*t->taken));
	return adbgd_trace_add_step(t, t->taken, error);
}

static bool is_at_end(const struct adbgd_trace *t, uint64_t pc)
{
	return !((pc ^ adbgd_trace_get_pc(t)) & 0xffffffffffffULL);
}

/*
 * Record one step by the host. Return: 0; 1 it was the last one, because the wave has ended or
 * trapped; -errno.
 */
static int step(struct adbgd_process *p, struct adbgd_trace *t, struct adbg_wave_state *state,
		struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	bool has_trapped;
	int ret = adbgd_wave_step(p, &t->info.at, stop, error);

	if (ret)
		return ret;
	if (stop->reason != ADBGD_STOP_STEP) {
		ret = take_end(t, error);
		return ret ? ret : 1;
	}
	ret = adbgd_wave_find(p, &t->info.at, &wave, error);
	has_trapped = ret == -EBUSY && adbgd_wave_is_pending(p, &wave);
	if (ret && !has_trapped)
		return ret;
	ret = look(p, &wave, state, &t, error);
	return ret ? ret : has_trapped;
}

/* Let the trap handler record as many of @num steps as it can. Return: as step(). */
static int steps_on_gpu(struct adbgd_process *p, struct adbgd_trace *t, uint64_t num,
			struct adbg_wave_state *state, struct adbgd_stop *stop,
			struct adbgd_error *error)
{
	struct adbgd_traced_at now;
	int traced = adbgd_trace_on_gpu(p, t, num, error), ret;

	ret = traced < 0 ? traced : adbgd_traced_stop(p, &t->info.at, traced, &now, error);
	if (ret)
		return ret;
	*stop = now.stop;
	if (traced == ADBGD_TRACED_TO_END) {
		ret = take_end(t, error);
		return ret ? ret : 1;
	}
	/*
	 * An instruction that has made the wave trap, or that was in progress, was not recorded
	 * yet.
	 */
	if (!is_at_end(t, stop->pc) || now.has_undone)
		ret = look(p, &now.wave, state, &t, error);
	return ret ? ret : traced == ADBGD_TRACED_TO_TRAP;
}

/*
 * Is the wave where the trace ends? Otherwise it was moved, or is another wave, and the trace
 * would have a gap.
 */
static int check_place(struct adbgd_process *p, struct adbgd_trace *t,
		       struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave wave;
	uint64_t pc;
	int ret = adbgd_trace_seek(t, t->info.num_steps, error);

	if (!ret)
		ret = adbgd_wave_find(p, &t->info.at, &wave, error);
	if (ret)
		return ret;
	pc = adbgd_wave_get_pc(p, &wave);
	if (is_at_end(t, pc))
		return 0;
	return adbgd_fail(error, -ESTALE, "wave %s is at %#llx, but the trace ends at %#llx",
			  adbg_wave_name(&t->info.at, name), (unsigned long long)pc,
			  (unsigned long long)adbgd_trace_get_pc(t));
}

ADBGD_API int adbgd_trace_record(struct adbgd_process *process, struct adbgd_trace *trace,
				 uint64_t *num, struct adbgd_stop *stop,
				 struct adbgd_error *error)
{
	struct adbg_wave_state *state;
	uint64_t wanted = *num, before = trace->info.num_steps, left;
	int ret = wanted ? 0 : adbgd_fail(error, -EINVAL, "the number of steps must be at "
					  "least 1");

	*num = 0;
	if (!ret)
		ret = check_place(process, trace, error);
	if (ret)
		return ret;
	if (adbg_wave_state_new(&state))
		return adbgd_no_memory(error, "a trace");
	/* The host executes the first step, and each one that the handler cannot execute. */
	while (!ret && trace->info.num_steps - before < wanted) {
		ret = step(process, trace, state, stop, error);
		left = wanted - (trace->info.num_steps - before);
		if (!ret && left >= ADBGD_MIN_ON_GPU)
			ret = steps_on_gpu(process, trace, left, state, stop, error);
		if (adbgd_is_interrupted(process))
			break;
	}
	adbg_wave_state_free(state);
	*num = trace->info.num_steps - before;
	return ret > 0 ? 0 : ret;
}

/* ------------------------------------------------------------------- many steps */

/* Return: 0; 1 the wave must not be stepped further; -errno. */
static int count_on_gpu(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
			uint64_t num, uint64_t *done, struct adbgd_stop *stop,
			struct adbgd_error *error)
{
	int traced = adbgd_steps_on_gpu(p, at, &num, error), ret;
	struct adbgd_traced_at now;

	*done += num;
	if (traced < 0)
		return traced;
	/* The handler has executed nothing, so @stop is still that of the last step by the host. */
	if (traced == ADBGD_TRACED && !num)
		return 0;
	ret = adbgd_traced_stop(p, at, traced, &now, error);
	if (ret)
		return ret;
	*stop = now.stop;
	/* The instruction that has made the wave end or trap was not counted by the handler. */
	*done += traced == ADBGD_TRACED_TO_END || now.has_undone;
	return traced != ADBGD_TRACED;
}

static bool ends(const struct adbgd_process *p, const struct adbgd_stop *stop)
{
	return stop->reason != ADBGD_STOP_STEP || adbgd_stop_is_at_breakpoint(p, stop) ||
	       adbgd_is_interrupted(p);
}

ADBGD_API int adbgd_wave_step_n(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, uint64_t *num,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t wanted = *num, done = 0;
	int ret = wanted ? 0 : adbgd_fail(error, -EINVAL, "the number of steps must be at "
					  "least 1");

	/* The host executes the first step, and each one that the handler cannot execute. */
	while (!ret && done < wanted) {
		ret = adbgd_wave_step(process, at, stop, error);
		done += !ret;
		if (ret || ends(process, stop))
			break;
		if (wanted - done >= ADBGD_MIN_ON_GPU)
			ret = count_on_gpu(process, at, wanted - done, &done, stop, error);
		if (!ret && ends(process, stop))
			break;
	}
	*num = done;
	/* -EBUSY after some steps: the wave has trapped in a step, and its stop is pending. */
	return ret > 0 || (ret == -EBUSY && done) ? 0 : ret;
}
