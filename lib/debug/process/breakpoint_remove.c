// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Removing a breakpoint from the code: waves that have stopped there, or are in its displaced
 * instruction, must execute the instruction itself.
 */
#include "breakpoint.h"
#include "launch.h"
#include "trap_abi.h"
#include "wave.h"

/*
 * Move halted waves out of the displaced instruction, because its slot will be used again. Waves
 * with a pending stop stay: their stop is recognized by their address.
 */
static int empty_displaced(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	struct adbgd_process *p = b->process;
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave wave;
	uint64_t pc;
	size_t i;
	int ret = adbgd_waves_list(p, NULL, error);

	for (i = 0; !ret && (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (!(w->flags & AMDGPUDBG_WAVE_HALTED) || !adbgd_wave_left_handler(w) ||
		    adbgd_wave_is_pending(p, w) ||
		    adbgd_displaced_around(p, w->pc, &pc) != &p->handler.displaced[b->slot])
			continue;
		wave = *w;
		ret = adbgd_wave_clear_exceptions(p, &wave);
		if (!ret)
			ret = adbgd_wave_move_reported(p, &wave, pc);
		/* The wave has ended; another wave may be in its slot. */
		if (adbgd_wave_is_gone(ret))
			ret = 0;
		else if (ret)
			adbgd_failed(p, error, ret, "cannot move a wave away from breakpoint %u",
				     b->info.number);
	}
	return ret;
}

/* A wave that a breakpoint by stepping has stopped has not executed the s_trap of another one. */
static bool has_trapped(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	struct adbg_trap trap;

	return !adbg_wave_get_trap(wave, p->info.gc_version, &trap) && trap.id == TRAP_ID_BREAK;
}

int adbgd_breakpoint_resume_past(struct adbgd_process *process, struct amdgpudbg_wave *wave,
				 uint64_t pc)
{
	struct adbgd_breakpoint *b = has_trapped(process, wave) ?
				     adbgd_breakpoint_at(process, pc) : NULL;
	uint64_t before = wave->pc;
	int ret;

	if (adbgd_wave_is_kept(process, wave))
		return adbgd_wave_move_reported(process, wave, pc);
	ret = adbgd_wave_move(process, wave, b ? adbgd_breakpoint_displaced(b) : pc);
	if (ret)
		return ret;
	/* The next wave in this slot is a new one. */
	adbgd_launch_mark_resumed(process, &wave->at);
	ret = adbgd_wave_resume(process, wave);
	/* A stop is recognized by its address. */
	if (ret && !adbgd_wave_is_gone(ret) && !adbgd_wave_move(process, wave, before))
		adbgd_launch_mark_halted(process, &wave->at);
	return ret;
}

/* Are there breakpoints at which waves enter the trap handler without stopping? */
static bool has_conditions(const struct adbgd_process *p)
{
	const struct adbgd_breakpoint *b = p->breakpoints.first;

	while (b && (!adbgd_is_in_handler(b) || b->info.flags & ADBGD_BREAKPOINT_PENDING))
		b = b->next;
	return b;
}

static bool has_stopped_for(const struct adbgd_breakpoint *b, const struct amdgpudbg_wave *w,
			    const struct adbg_trap *trap)
{
	if (trap->host)
		return false;
	if (adbgd_is_stepped(b))
		return !trap->id && w->ttmp[13] == adbgd_stepped_tag(b);
	return trap->id == TRAP_ID_BREAK && trap->pc == b->info.address;
}

/*
 * Resume waves that have stopped for a removed breakpoint, and whose stop was not reported.
 *
 * When a patch is removed, the module moves waves that are halted there back to the instruction,
 * so that they execute it even if the debugger dies before this function. Waves that have
 * trapped, but are not halted yet, are resumed later, because the addresses of cleared
 * breakpoints are remembered.
 */
static int resume_stopped(struct adbgd_process *p, const struct adbgd_breakpoint *gone)
{
	bool is_stepped = adbgd_is_stepped(gone);
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave wave;
	struct adbg_trap trap;
	size_t i;
	int ret;

	/*
	 * Waves that are in the handler now may be about to stop for the breakpoint, so wait for
	 * them.
	 */
	ret = is_stepped || has_conditions(p) ? adbgd_conditions_reload(p, NULL) :
	      adbgd_waves_list_without(p, adbgd_wave_in_handler, NULL);

	for (i = 0; !ret && (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (!adbgd_wave_pending_trap(p, w, &trap) || !has_stopped_for(gone, w, &trap))
			continue;
		wave = *w;
		ret = adbgd_breakpoint_resume_past(p, &wave, is_stepped ? w->pc : trap.pc);
		if (adbgd_wave_is_gone(ret))
			ret = 0;
	}
	return ret;
}

/* The target or the GPU is gone, and all waves with it. */
static bool has_ended(int ret)
{
	return ret == -ENOTCONN || ret == -ENODEV;
}

int adbgd_breakpoint_unpatch(struct adbgd_breakpoint *breakpoint, bool *was_there,
			     struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = breakpoint;
	struct adbgd_process *p = b->process;
	int ret;

	*was_there = !(b->info.flags & ADBGD_BREAKPOINT_PENDING);
	/* Another breakpoint may be set at the address of a disabled one. */
	if (adbgd_is_stepped(b) || adbgd_is_out_of_use(b))
		return 0;
	ret = empty_displaced(b, error);
	if (ret && !has_ended(ret))
		return ret;
	ret = adbg_vm_unpatch(p->session, b->info.address, 4, 0);
	*was_there = !ret;
	if (!ret || ret == -ENOENT || has_ended(ret))
		return 0;
	return adbgd_failed(p, error, ret, "cannot remove breakpoint %u", b->info.number);
}

int adbgd_breakpoint_resume_removed(struct adbgd_breakpoint *breakpoint, struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	int ret = resume_stopped(p, breakpoint);

	if (!ret || has_ended(ret))
		return 0;
	p->lost_events = true;
	return adbgd_failed(p, error, ret, "cannot resume all waves that have stopped at "
			    "breakpoint %u", breakpoint->info.number);
}
