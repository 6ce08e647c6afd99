// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Watchpoints. They need the GPU's watches, and waves that have the exception addr-watch enabled:
 * new waves get it from the session's launch state; for waves that exist already it is written
 * into MODE.
 */
#include <errno.h>
#include <stdlib.h>

#include "breakpoint.h"
#include "wave.h"

/* -------------------------------------------------------------- existing waves */

static const struct adbg_reg *reg(const struct adbgd_process *p, const char *name)
{
	return adbg_reg_find(p->info.gc_version, name);
}

static bool can_stop(const struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	return adbgd_field(p, w, "MODE", "EXCP_EN") & ADBGD_EXCP_WATCH;
}

/* Get the bits of TRAPSTS that hits of the watches set. */
static uint32_t hit_bits(const struct adbgd_process *p)
{
	const struct adbg_field *first = adbg_reg_find_field(reg(p, "TRAPSTS"), "EXCP");
	const struct adbg_field *others = adbg_reg_find_field(reg(p, "TRAPSTS"), "EXCP_HI");

	return ADBGD_EXCP_WATCH << first->shift |
	       ((1U << others->width) - 1) << others->shift;
}

/*
 * Enable the exception in a halted wave. Clear TRAPSTS first, so that it does not stop for
 * earlier hits.
 */
static int enable(struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	const struct adbg_reg *mode = reg(p, "MODE"), *trapsts = reg(p, "TRAPSTS");
	const struct adbg_field *excp = adbg_reg_find_field(mode, "EXCP_EN");
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = trapsts->number, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = mode->number, .count = 1 },
	};
	const uint32_t values[] = { 0, UINT32_MAX };
	const uint32_t bits[] = { hit_bits(p), ADBGD_EXCP_WATCH << excp->shift };
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE | AMDGPUDBG_REG_ACCESS_MASK,
		.at = w->at, .vmid = w->vmid,
		.num_ranges = ARRAY_SIZE(ranges), .ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values, .num_values = ARRAY_SIZE(values),
		.compare = (uintptr_t)bits,
	};

	return adbg_reg_access(p->session, &access);
}

/* A wave that has ended, or another wave that has started in its slot, is no error. */
static int wave_failed(struct adbgd_process *p, const struct amdgpudbg_wave *wave, int ret,
		       struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (!ret || adbgd_wave_is_gone(ret))
		return 0;
	return adbgd_failed(p, error, ret, "cannot make wave %s stop at watchpoints",
			    adbg_wave_name(&wave->at, name));
}

/*
 * Enable the exception in a wave. A wave that was running is resumed, unless its handler has
 * halted it.
 */
static int enable_in(struct adbgd_process *p, const struct amdgpudbg_wave *listed,
		     struct adbgd_error *error)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT, .at = listed->at, .vmid = listed->vmid,
	};
	bool ran = !(listed->flags & AMDGPUDBG_WAVE_HALTED);
	int ret = ran ? adbg_wave_control(p->session, &control) : 0, resumed = 0;
	const struct amdgpudbg_wave *w;

	if (ret)
		return wave_failed(p, listed, ret, error);
	ret = adbgd_wave_wait_left_handler(p, &listed->at, &w, error);
	if (!w)
		return ret;
	if (!ret && w->flags & AMDGPUDBG_WAVE_HALTED && adbgd_wave_has_handler(p, w))
		ret = wave_failed(p, w, enable(p, w), error);
	if (ran && !adbgd_wave_is_pending(p, w)) {
		control.op = AMDGPUDBG_WAVEOP_RESUME;
		resumed = adbg_wave_control(p->session, &control);
	}
	return ret ? ret : wave_failed(p, w, resumed, error);
}

static int enable_in_all(struct adbgd_process *p, struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	struct adbg_wave_list *all;
	int ret = adbg_wave_list_new(&all);

	if (ret)
		return adbgd_no_memory(error, "a list of waves");
	ret = adbg_wave_list_read(all, p->session, 0);
	if (ret)
		adbgd_failed(p, error, ret, "cannot list the waves");
	for (size_t i = 0; !ret && (w = adbg_wave_list_get(all, i)); i++) {
		if (adbgd_wave_has_handler(p, w) && !can_stop(p, w))
			ret = enable_in(p, w, error);
	}
	adbg_wave_list_free(all);
	return ret;
}

/* ----------------------------------------------------------------------- checks */

static int check_size(struct adbgd_process *p, uint64_t address, uint64_t size,
		      struct adbgd_error *error)
{
	struct amdgpudbg_info gpu = { 0 };
	uint64_t most;
	int ret = adbg_session_get_info(p->session, &gpu);

	if (ret)
		return adbgd_failed(p, error, ret, "cannot read the properties of the GPU");
	/* The lowest address bit that the watch must compare is the largest size. */
	most = gpu.watch_mask_ones & -gpu.watch_mask_ones;
	if (!size || size & (size - 1) || size < gpu.watch_granule || (most && size > most))
		return adbgd_fail(error, -EINVAL, "the GPU cannot watch %llu bytes: the size must "
				  "be a power of two from %u to %llu", (unsigned long long)size,
				  gpu.watch_granule, (unsigned long long)most);
	if (address & (size - 1))
		return adbgd_fail(error, -EINVAL, "the address %#llx is not a multiple of the "
				  "watched size, %llu",
				  (unsigned long long)address, (unsigned long long)size);
	return 0;
}

static int check(struct adbgd_process *p, uint64_t address, uint64_t size, uint32_t mode,
		 struct adbgd_error *error)
{
	uint32_t flags;
	int ret;

	if (mode > AMDGPUDBG_WATCH_ALL)
		return adbgd_fail(error, -EINVAL, "unknown watch mode: %u", mode);
	ret = check_size(p, address, size, error);
	return ret ? ret : adbgd_check_mapping(p, address, size, &flags, error);
}

/* ------------------------------------------------------------------ watchpoints */

/* An error is ignored: then the launch state was lost, and there is nothing to restore. */
static void unset_launch(struct adbgd_process *p)
{
	int ret = p->watchpoints.first ? 0 : adbgd_process_set_launch(p, false);

	(void)ret;
}

static int set(struct adbgd_watchpoint *w, struct adbgd_error *error)
{
	struct adbgd_process *p = w->process;
	struct amdgpudbg_watch_set watch = {
		.mode = w->info.mode, .address = w->info.address, .bytes = w->info.size,
	};
	int ret;

	/* Enable the exception before a watch can be hit, so that each hit stops the wave. */
	ret = adbgd_process_set_launch(p, true);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot make waves of process %d stop at "
				    "watchpoints", p->info.pid);
	ret = enable_in_all(p, error);
	if (ret)
		return ret;
	ret = adbg_watch_set(p->session, &watch);
	if (ret == -ENOSPC)
		return adbgd_fail(error, ret, "all watches of the GPU are in use");
	if (ret)
		return adbgd_failed(p, error, ret, "%#llx cannot be watched",
				    (unsigned long long)w->info.address);
	w->id = watch.id;
	return 0;
}

ADBGD_API int adbgd_watchpoint_set(struct adbgd_process *process, uint64_t address,
				   uint64_t size, uint32_t mode,
				   struct adbgd_watchpoint **watchpoint,
				   struct adbgd_error *error)
{
	struct adbgd_watchpoint *w, **end = &process->watchpoints.first;
	int ret;

	address = adbgd_canonical(process, address);
	ret = check(process, address, size, mode, error);
	if (ret)
		return ret;
	w = calloc(1, sizeof(*w));
	if (!w)
		return adbgd_no_memory(error, "a watchpoint");
	w->process = process;
	w->info = (struct adbgd_watchpoint_info){
		.address = address, .size = size, .mode = mode,
		.number = process->watchpoints.last_number + 1,
	};
	ret = set(w, error);
	if (ret) {
		free(w);
		unset_launch(process);
		return ret;
	}
	process->watchpoints.last_number++;
	while (*end)
		end = &(*end)->next;
	*end = w;
	if (watchpoint)
		*watchpoint = w;
	return 0;
}

static void unlink_and_free(struct adbgd_watchpoint *watchpoint)
{
	struct adbgd_watchpoint **w = &watchpoint->process->watchpoints.first;

	while (*w != watchpoint)
		w = &(*w)->next;
	*w = watchpoint->next;
	free(watchpoint);
}

ADBGD_API int adbgd_watchpoint_clear(struct adbgd_watchpoint *watchpoint,
				     struct adbgd_error *error)
{
	struct adbgd_process *p = watchpoint->process;
	int ret = 0;

	if (!(watchpoint->info.flags & ADBGD_WATCHPOINT_INVALIDATED))
		ret = adbg_watch_clear(p->session, watchpoint->id);
	/* In case of these errors, the watch was removed with the target or the GPU. */
	if (ret && ret != -ENOENT && ret != -ENOTCONN && ret != -ENODEV)
		return adbgd_failed(p, error, ret, "cannot clear watchpoint %u",
				    watchpoint->info.number);
	unlink_and_free(watchpoint);
	unset_launch(p);
	return 0;
}

ADBGD_API const struct adbgd_watchpoint_info *
adbgd_watchpoint_get_info(const struct adbgd_watchpoint *watchpoint)
{
	return &watchpoint->info;
}

ADBGD_API struct adbgd_watchpoint *
adbgd_process_get_watchpoint(const struct adbgd_process *process, size_t i)
{
	struct adbgd_watchpoint *w = process->watchpoints.first;

	while (w && i--)
		w = w->next;
	return w;
}

void adbgd_watchpoints_hit(struct adbgd_process *process, struct adbgd_stop *stop)
{
	struct adbgd_watchpoint *w;

	for (w = process->watchpoints.first; w; w = w->next) {
		if (w->info.flags & ADBGD_WATCHPOINT_INVALIDATED ||
		    !(stop->watch_mask >> w->id & 1))
			continue;
		w->info.hits++;
		if (!stop->watchpoint)
			stop->watchpoint = w->info.number;
	}
}

void adbgd_watchpoints_invalidate(struct adbgd_process *process)
{
	struct adbgd_watchpoint *w;
	int ret = 0;

	/* The GPU's watches may still be set, although no wave stops for them any more. */
	for (w = process->watchpoints.first; w; w = w->next) {
		if (!(w->info.flags & ADBGD_WATCHPOINT_INVALIDATED))
			ret |= adbg_watch_clear(process->session, w->id);
		w->info.flags |= ADBGD_WATCHPOINT_INVALIDATED;
	}
	(void)ret;
}

void adbgd_watchpoints_clear(struct adbgd_process *process)
{
	bool had_some = process->watchpoints.first;
	int ret = 0;

	while (process->watchpoints.first) {
		if (!(process->watchpoints.first->info.flags & ADBGD_WATCHPOINT_INVALIDATED))
			ret |= adbg_watch_clear(process->session, process->watchpoints.first->id);
		unlink_and_free(process->watchpoints.first);
	}
	if (had_some)
		unset_launch(process);
	(void)ret;
}

void adbgd_watchpoints_free(struct adbgd_process *process)
{
	while (process->watchpoints.first)
		unlink_and_free(process->watchpoints.first);
}
