// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trap handler of a target, in the VMID that is reserved for it, and how its waves
 * leave it; trap_set.c sets it. There is one such VMID at most, so a GPU has one handler
 * of this module at most.
 *
 * A wave that started while a handler was set enters it whenever it traps, for all its
 * life: TRAP_EN is latched when the wave starts, TBA is read when it traps. So a
 * handler is replaced, not removed: with the VMID stalled, so that every wave that has
 * the handler is in its slot afterwards, TBA gets a handler that returns at once
 * (trap/leave.S) and TRAP_EN is cleared. Then the drain, and a tick every LOOK_MS,
 * resume what the old handler has halted, end debug mode that no session began, and
 * search for waves with TRAP_EN. When there is none, TBA and TMA get their old values,
 * and the buffers, the VMID and the target's file are released. Until then the VMID
 * stays reserved and the GPU awake. This outlives the session (&struct wdbg_trap)
 * and the reservation; the job timeouts, which run again, bound it. A new handler can
 * be set at any time.
 *
 * A wave that the old handler halted at an illegal instruction stays halted until its
 * job times out, as it does without a debugger: it would only come back.
 *
 * There are two ways to lose the VMID. If no other process has got it yet
 * (wdbg_guard_restore()), its waves are still there, and the handler is replaced as
 * above. If another process has, all waves of the target have ended: the guard restores
 * TBA and TMA, and vmid_revoked() waits for nothing. Nor does anything wait when the GPU
 * is unbound.
 *
 * The handler is also lost when other addresses are written to the VMID's registers. In
 * the source of Linux 6.1, amdkfd writes them for its own VMIDs only
 * (program_trap_handler_settings()) and amdgpu for none, but root can by debugfs; the
 * sources of 6.12 and 7.2 were not read for that. The registers are compared every
 * REWRITTEN_MS (four registers and two selects). What was written stays, the patches
 * are removed, and the session gets AMDGPUDBG_HANDLER_LOST_REWRITTEN.
 *
 * Waves that their handler has halted belong to the session that has set it, as if it
 * had halted them. The module gets no notice of them, so job timeouts are held for as
 * long as there is a handler; for callers whose time is limited, from when such a wave
 * is found (wdbg_halt_budget_quiet()).
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "target/trap.h"
#include "wave/wave.h"

/* How often to check whether the last wave has ended, and the first time, in ms */
#define LOOK_MS		20
#define FIRST_LOOKS	10

/* How often to look whether the driver has written other addresses */
#define REWRITTEN_MS	250

/* Contents of the registers while waves leave: see the top of this file. */
static void trap_leaving_regs(struct wdbg_gpu *gpu, struct wdbg_trap_regs *regs)
{
	const struct wdbg_trap_ops *ops = gpu->hw.ops->trap;
	const struct wdbg_trap *trap = wdbg_trap_of(gpu);

	if (ops->enabled(&trap->before))
		*regs = trap->before;
	else
		ops->encode(trap->leave->va, trap->tma, false, regs);
}

static void trap_write_regs(struct wdbg_gpu *gpu, const struct wdbg_trap_regs *regs)
{
	struct wdbg_hw *hw = &gpu->hw;

	wdbg_vmid_lock(hw, wdbg_vmid_reserved(gpu));
	hw->ops->trap->write(hw, regs);
	wdbg_vmid_unlock(hw);
}

/* The handler's waves have all ended, or were lost with the hardware's state. */
static void trap_finish(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	struct wdbg_buffer *buffer, *next;
	struct wdbg_session *session;

	trap->set = false;
	trap->lost = false;
	trap->holds_timeouts = false;
	list_for_each_entry(session, &gpu->sessions, node)
		list_for_each_entry(buffer, &session->buffers, node)
			buffer->in_handler = false;
	list_for_each_entry_safe(buffer, next, &trap->kept, node) {
		list_del(&buffer->node);
		wdbg_buffer_delete(gpu, buffer);
	}
	wdbg_buffer_delete(gpu, trap->leave);
	trap->leave = NULL;
}

/* As trap_finish(), after trap_begin_leaving() */
static void trap_finish_leaving(struct wdbg_gpu *gpu)
{
	trap_finish(gpu);
	wdbg_vmid_put(gpu);
	wdbg_power_put(gpu);
}

/**
 * wdbg_trap_finish_lost() - discard a handler that is not in the registers any more
 * @owner: the session that has set it
 *
 * Context: the GPU's lock is held.
 */
void wdbg_trap_finish_lost(struct wdbg_session *owner)
{
	struct wdbg_gpu *gpu = owner->gpu;

	wdbg_trap_of(gpu)->owner = NULL;
	trap_finish(gpu);
	wdbg_vmid_release(owner);
	wdbg_halt_budget_update(gpu);
}

/*
 * Halted, though no session has halted it and it has not started so. The halt by its
 * handler may have been noticed: then its owner has lost the handler since, see
 * trap_mark_left().
 */
static bool trap_is_stopped(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			    const struct amdgpudbg_wave_coord *at, u32 state)
{
	if (!(state & WDBG_WAVE_HALTED) ||
	    test_bit(slot - gpu->slots, wdbg_trap_of(gpu)->left))
		return false;
	if (slot->owner && slot->by_itself)
		wdbg_wave_own(slot, NULL);
	if (slot->owner)
		return false;
	wdbg_wave_claim(gpu, at);
	return !slot->owner;
}

/*
 * At an illegal instruction the wave would only halt again, in the handler that
 * replaces this one, which has no other way to end a wave that cannot continue
 * (trap/leave.S). The job's timeout ends it.
 */
static bool trap_is_illegal(struct wdbg_gpu *gpu,
			    const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_wave_stop stop = { };

	return gpu->hw.ops->wave->read_stop(&gpu->hw, at, &stop) &&
	       stop.cause & AMDGPUDBG_CAUSE_ILLEGAL_INST;
}

/*
 * A handler can put its wave in debug mode itself (s_setreg MODE). No session would end
 * that, and the wave would trap after each instruction for ever.
 */
static void trap_end_debug(struct wdbg_gpu *gpu, const struct wdbg_slot *slot,
			   const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	struct wdbg_hw *hw = &gpu->hw;

	if ((slot->debugger && slot->debug_vmid == vmid) ||
	    wdbg_launch_is_set(gpu, vmid) ||
	    !hw->ops->wave->debug(hw, at))
		return;
	hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_DEBUG, false, false, at, vmid);
}

static int trap_look_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			  u32 live, void *arg)
{
	bool others = gpu->hw.ops->trap->enabled(&wdbg_trap_of(gpu)->before);
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	u32 state, vmid = wdbg_vmid_reserved(gpu);
	struct wdbg_hw *hw = &gpu->hw;
	bool *busy = arg;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		state = 0;
		if (live & BIT(at->wave) && hw->ops->wave->vmid(hw, at) == vmid)
			state = hw->ops->wave->state(hw, at);
		if (!(state & WDBG_WAVE_HALTED))
			__clear_bit(slot - gpu->slots, wdbg_trap_of(gpu)->left);
		if (!(state & WDBG_WAVE_VALID))
			continue;
		/*
		 * Its handler has halted it, or is about to. It belongs to the target,
		 * also when that has given the VMID back, until another process gets
		 * it.
		 */
		if (!wdbg_guard_is_lost(gpu)) {
			trap_end_debug(gpu, slot, at, vmid);
			if (trap_is_stopped(gpu, slot, at, state) &&
			    !trap_is_illegal(gpu, at))
				hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0,
						       false, at, vmid);
		}
		if (state & WDBG_WAVE_PRIV ||
		    (state & WDBG_WAVE_TRAP_EN && !others))
			*busy = true;
	}
	return 0;
}

/* Returns true when no wave is left, and everything was restored. */
static bool trap_look_once(struct wdbg_gpu *gpu)
{
	bool busy = false;
	int bracket;

	/* Without power, there are neither waves nor registers. */
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		wdbg_wave_scan(gpu, NULL, trap_look_simd, &busy);
		if (!busy)
			trap_write_regs(gpu, &wdbg_trap_of(gpu)->before);
		wdbg_power_end(gpu, bracket);
	}
	if (busy)
		return false;
	trap_finish_leaving(gpu);
	return true;
}

/**
 * wdbg_trap_unsupported_reason() - explain why no trap handler can be set
 * @gpu: the GPU
 *
 * Return: NULL if one can, else a sentence.
 */
const char *wdbg_trap_unsupported_reason(const struct wdbg_gpu *gpu)
{
	if (!gpu->hw.ops->trap)
		return "This generation has no trap handlers per VMID.";
	if (!gpu->hw.srbm_lock)
		return "The lock that protects the selected VMID of this amdgpu is not known.";
	return wdbg_buffer_unsupported_reason(gpu) ?: wdbg_vmid_unsupported_reason(gpu);
}

/**
 * wdbg_trap_uses() - check whether a buffer has a session's handler or its memory
 * @session: the session
 * @buffer: the buffer
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_trap_uses(const struct wdbg_session *session,
		    const struct wdbg_buffer *buffer)
{
	const struct wdbg_trap *trap = wdbg_trap_of(session->gpu);

	lockdep_assert_held(&session->gpu->lock);
	if (!trap->set || trap->lost || trap->owner != session)
		return false;
	return wdbg_trap_lies_in(buffer, trap->tba) ||
	       (trap->tma && wdbg_trap_lies_in(buffer, trap->tma));
}

/**
 * wdbg_trap_keep() - keep a buffer for waves that may need it
 * @gpu: the GPU
 * @buffer: the buffer, in no list
 *
 * Waves that leave a handler may need all memory that it knew.
 * Context: the GPU's lock is held.
 * Return: true if the buffer is kept, and freed when no wave needs it any more; false
 *	if none does.
 */
bool wdbg_trap_keep(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	lockdep_assert_held(&gpu->lock);
	if (!trap->set || wdbg_vmid_drm(gpu) != buffer->drm)
		return false;
	if (!buffer->in_handler && !wdbg_trap_is_leaving(trap))
		return false;
	list_add_tail(&buffer->node, &trap->kept);
	return true;
}

/* Is it still there? */
static void trap_after_reset(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_trap_regs now;

	if (!trap->owner)
		return;
	wdbg_vmid_lock(hw, wdbg_vmid_reserved(gpu));
	hw->ops->trap->read(hw, &now);
	wdbg_vmid_unlock(hw);
	if (hw->ops->trap->same(&now, &trap->now))
		return;
	trap->lost = true;
	wdbg_event_post_handler_lost(trap->owner, wdbg_vmid_reserved(gpu),
				     AMDGPUDBG_HANDLER_LOST_RESET);
}

/* Waves are about to lose the handler. */
static void trap_handler_goes(struct wdbg_gpu *gpu)
{
	struct wdbg_session *owner = wdbg_trap_of(gpu)->owner;
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++)
		if ((*p)->handler_goes)
			(*p)->handler_goes(gpu, owner);
}

static bool trap_is_rewritten(struct wdbg_gpu *gpu)
{
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_trap_regs now;
	bool guarded;

	wdbg_vmid_lock(hw, wdbg_vmid_reserved(gpu));
	hw->ops->trap->read(hw, &now);
	guarded = !wdbg_guard_is_lost(gpu);
	wdbg_vmid_unlock(hw);
	/* If the VMID is lost, the guard restores the registers and reports that itself. */
	return guarded && !hw->ops->trap->same(&now, &wdbg_trap_of(gpu)->now);
}

/*
 * amdkfd writes the registers of its own VMIDs only, and amdgpu's other code none
 * (Linux 6.1); but root can, by debugfs. This module does not restore what was written.
 * Waves that the handler has halted still belong to its session.
 */
static void trap_look_for_rewrite(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	struct wdbg_session *owner = trap->owner;
	u32 vmid = wdbg_vmid_reserved(gpu);
	int bracket;

	if (wdbg_session_power_begin(owner, &bracket))
		return;
	/* A reset that is noticed only now is another case. */
	if (!trap->lost && trap_is_rewritten(gpu)) {
		trap_handler_goes(gpu);
		wdbg_wave_claim_all(gpu);
		trap->lost = true;
		wdbg_event_post_handler_lost(owner, vmid, AMDGPUDBG_HANDLER_LOST_REWRITTEN);
	}
	wdbg_power_end(gpu, bracket);
}

static void trap_claim(struct wdbg_gpu *gpu, const struct amdgpudbg_wave_coord *at,
		       enum wdbg_halted how)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	if (how == WDBG_HALTED_AT_TRAP && trap->owner && !trap->lost &&
	    !wdbg_guard_is_lost(gpu))
		wdbg_wave_claim_for(gpu, at, wdbg_vmid_reserved(gpu),
				    trap->owner);
}

/* From then on, no job timeouts are held because of the handler. */
static void trap_claim_all(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	if (!trap->owner || (session && trap->owner != session))
		return;
	wdbg_wave_claim_all(gpu);
	trap->holds_timeouts = false;
}

/*
 * A session that asked for waves to stay halted for ever means these, too. @all: the
 * session keeps all waves that it has halted, as one does that clears its handler.
 */
static void trap_mark_left(struct wdbg_gpu *gpu, struct wdbg_session *session, bool all)
{
	u32 i;

	for (i = 0; i < gpu->num_slots; i++)
		__assign_bit(i, wdbg_trap_of(gpu)->left,
			     gpu->slots[i].owner == session &&
			     (all || gpu->slots[i].leave));
}

static void trap_begin_leaving(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	trap->owner = NULL;
	trap->holds_timeouts = false;
	wdbg_vmid_get(gpu);
	wdbg_power_get(gpu);
	wdbg_vmid_release(session);
	trap_mark_left(gpu, session, false);
}

static bool trap_is_of(const struct wdbg_trap *trap,
		       const struct wdbg_session *session)
{
	return trap->owner && (!session || trap->owner == session);
}

/*
 * Waves that start from now on have no handler of this module. Halted ones may be
 * resumed then.
 */
static void trap_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	struct wdbg_trap_regs regs;
	bool stalled;
	u32 vmids;

	if (!trap_is_of(trap, session) || trap->lost)
		return;
	vmids = BIT(wdbg_vmid_reserved(gpu));
	trap_leaving_regs(gpu, &regs);
	wdbg_vmid_lock(&gpu->hw, wdbg_vmid_reserved(gpu));
	if (wdbg_guard_is_lost(gpu)) {
		/*
		 * The VMID is another process's: revoke() may come too late to find
		 * any.
		 */
		gpu->hw.ops->trap->write(&gpu->hw, &trap->before);
	} else {
		/* So that waves on their way are there when they are searched for */
		stalled = !wdbg_stall_begin(gpu, vmids);
		gpu->hw.ops->trap->write(&gpu->hw, &regs);
		if (stalled)
			wdbg_stall_end(gpu, vmids);
		trap->turned_off = true;
	}
	wdbg_vmid_unlock(&gpu->hw);
}

static void trap_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	if (!trap_is_of(trap, session))
		return;
	if (trap->turned_off)
		trap_begin_leaving(trap->owner);
	else
		wdbg_trap_finish_lost(trap->owner);
	trap->turned_off = false;
}

/* Do not wait for waves any longer, because the GPU is removed. */
static void trap_drain_now(struct wdbg_gpu *gpu)
{
	int bracket;

	if (!wdbg_trap_is_leaving(wdbg_trap_of(gpu)))
		return;
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		trap_write_regs(gpu, &wdbg_trap_of(gpu)->before);
		wdbg_power_end(gpu, bracket);
	}
	trap_finish_leaving(gpu);
}

/* At once, if waves end or leave the handler soon; otherwise trap_tick() does it. */
static void trap_drain(struct wdbg_gpu *gpu, bool now)
{
	int i;

	if (now) {
		trap_drain_now(gpu);
		return;
	}
	for (i = 0; i < FIRST_LOOKS && wdbg_trap_is_leaving(wdbg_trap_of(gpu)); i++) {
		if (trap_look_once(gpu))
			return;
		usleep_range(100, 300);
	}
}

static u32 trap_tick(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = wdbg_trap_of(gpu);

	if (!gpu->sleeping) {
		if (trap->owner && !trap->lost &&
		    time_after(jiffies, trap->looked + msecs_to_jiffies(REWRITTEN_MS))) {
			trap->looked = jiffies;
			trap_look_for_rewrite(gpu);
		}
		if (trap->owner && trap->lost)
			trap_discard(gpu, trap->owner);
		if (wdbg_trap_is_leaving(trap))
			trap_look_once(gpu);
	}
	return trap->set ? LOOK_MS : 0;
}

static void trap_revoke(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(gpu->hw.srbm_lock);
	if (wdbg_trap_of(gpu)->set && !wdbg_trap_of(gpu)->lost)
		gpu->hw.ops->trap->write(&gpu->hw, &wdbg_trap_of(gpu)->before);
}

static void trap_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	if (!wdbg_trap_of(gpu)->set)
		return;
	if (wdbg_trap_of(gpu)->owner)
		wdbg_trap_finish_lost(wdbg_trap_of(gpu)->owner);
	else
		trap_finish_leaving(gpu);
}

static bool trap_holds_timeouts(struct wdbg_gpu *gpu, bool bounded)
{
	return !bounded && wdbg_trap_of(gpu)->holds_timeouts;
}

static struct wdbg_session *trap_may_stop(struct wdbg_gpu *gpu)
{
	const struct wdbg_trap *trap = wdbg_trap_of(gpu);

	return wdbg_is_of(trap->owner, true) && !trap->lost ? trap->owner :
							      NULL;
}

static int trap_init_gpu(struct wdbg_gpu *gpu)
{
	INIT_LIST_HEAD(&wdbg_trap_of(gpu)->kept);
	wdbg_trap_of(gpu)->left = bitmap_zalloc(gpu->num_slots, GFP_KERNEL);
	return wdbg_trap_of(gpu)->left ? 0 : -ENOMEM;
}

static void trap_exit_gpu(struct wdbg_gpu *gpu)
{
	bitmap_free(wdbg_trap_of(gpu)->left);
}

/* The handler may halt its waves at any time. */
static u32 trap_keeps_halted(struct wdbg_gpu *gpu, const struct wdbg_session *session)
{
	return wdbg_trap_of(gpu)->set && wdbg_vmid_drm(gpu) ? BIT(wdbg_vmid_reserved(gpu)) : 0;
}

static unsigned int trap_num_kept(struct wdbg_gpu *gpu, const struct drm_file *drm)
{
	struct wdbg_buffer *buffer;
	unsigned int num = 0;

	list_for_each_entry(buffer, &wdbg_trap_of(gpu)->kept, node)
		num += buffer->drm == drm;
	return num;
}

const struct wdbg_part wdbg_trap_part = {
	.id = WDBG_PART_TRAP,
	.when = WDBG_AT_SLEEP | WDBG_FOR_VMID | WDBG_AT_END,
	.data_size = sizeof(struct wdbg_trap),
	.init = trap_init_gpu,
	.exit = trap_exit_gpu,
	.tick = trap_tick,
	.claim_all = trap_claim_all,
	.restore = trap_restore,
	.discard = trap_discard,
	.drain = trap_drain,
	.revoke = trap_revoke,
	.vmid_revoked = trap_vmid_revoked,
	.after_reset = trap_after_reset,
	.claim = trap_claim,
	.keeps_halted = trap_keeps_halted,
	.num_kept = trap_num_kept,
	.holds_timeouts = trap_holds_timeouts,
	.may_stop = trap_may_stop,
};

/**
 * wdbg_trap_begin() - note that the registers have a session's handler
 * @session: the session
 * @args: what was set
 *
 * Context: the GPU's lock is held.
 */
void wdbg_trap_begin(struct wdbg_session *session,
		     const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_trap *trap = wdbg_trap_of(session->gpu);
	struct wdbg_buffer *buffer;

	trap->owner = session;
	trap->lost = false;
	trap->looked = jiffies;
	trap->tba = args->tba;
	trap->tma = args->tma;
	list_for_each_entry(buffer, &session->buffers, node)
		if (wdbg_trap_uses(session, buffer))
			buffer->in_handler = true;
	wdbg_part_tick(session->gpu, &wdbg_trap_part, LOOK_MS);
}

/**
 * wdbg_trap_clear() - replace a session's handler, and wait a moment for its waves
 * @session: the session
 *
 * Context: the GPU's lock is held.
 * Return: 0; -ENOENT if the session has set none, or has lost it.
 */
int wdbg_trap_clear(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	bool lost = trap->lost;
	int bracket;

	if (!trap->set || trap->owner != session)
		return -ENOENT;
	/* Waves that the handler has halted and that no session will resume any more */
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		if (!lost) {
			trap_handler_goes(gpu);
			trap_claim_all(gpu, session);
		}
		trap_restore(gpu, session);
		wdbg_power_end(gpu, bracket);
	}
	trap_discard(gpu, session);
	if (wdbg_trap_is_leaving(trap))
		trap_mark_left(gpu, session, true);
	trap_drain(gpu, false);
	wdbg_halt_budget_update(gpu);
	return lost ? -ENOENT : 0;
}
