// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Many steps of a wave: by its trap handler, which counts them, as far as it can; the host does
 * the others.
 */
#include "target.h"
#include "trace.h"

/* A breakpoint that is for some waves is not asked by a step. */
static bool is_at_breakpoint(const struct adbgd_process *p, const struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = p->breakpoints;

	while (b && b->info.number != stop->breakpoint)
		b = b->next;
	return stop->breakpoint && b && !b->has_condition;
}

/* 0; 1 it is to do no more; -errno */
static int steps_on_gpu(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
			uint64_t num, uint64_t *done, struct adbgd_stop *stop,
			struct adbgd_error *error)
{
	int traced = adbgd_steps_on_gpu(p, at, &num, error), ret;
	struct adbgd_traced_at now;

	*done += num;
	if (traced < 0)
		return traced;
	/* What is not for it has left the wave as the host's step has told it. */
	if (traced == ADBGD_TRACED && !num)
		return 0;
	ret = adbgd_traced_stop(p, at, traced, &now, error);
	if (ret)
		return ret;
	*stop = now.stop;
	/* Not counted is the one that has made it end, or trap. */
	*done += traced == ADBGD_TRACED_TO_END || now.has_undone;
	return traced != ADBGD_TRACED;
}

static bool ends(const struct adbgd_process *p, const struct adbgd_stop *stop)
{
	return stop->reason != ADBGD_STOP_STEP || is_at_breakpoint(p, stop) ||
	       adbgd_is_interrupted(p);
}

ADBGD_API int adbgd_wave_step_n(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, uint64_t *num,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t wanted = *num, done = 0;
	int ret = wanted ? 0 : adbgd_fail(error, -EINVAL, "no step is none");

	/* By the host first, also what is not for its handler */
	while (!ret && done < wanted) {
		ret = adbgd_wave_step(process, at, stop, error);
		done += !ret;
		if (ret || ends(process, stop))
			break;
		if (wanted - done >= ADBGD_MIN_ON_GPU)
			ret = steps_on_gpu(process, at, wanted - done, &done, stop, error);
		if (!ret && ends(process, stop))
			break;
	}
	*num = done;
	/* It has trapped in one: that is still to be told. */
	return ret > 0 || (ret == -EBUSY && done) ? 0 : ret;
}
