// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_TRAP_HANDLER: the trap handler of a target, in the VMID that is
 * reserved for it. As there is one such VMID at most, a GPU has one handler of
 * ours at most.
 *
 * A wave that has started while a handler was set enters it whenever it traps,
 * for all its life. So when a handler is taken away, its place is taken by one
 * that returns at once, and waves that were started from then on have none. The
 * registers get their old values, and the memory is freed, when the last wave of
 * the other kind has ended: at once, if there is none, or later by a worker.
 * Until then the VMID stays reserved and the GPU awake.
 *
 * Waves that their handler has halted belong to the session that has set it, as
 * if it had halted them. Nobody is told of them, so job timeouts are held for as
 * long as there is a handler.
 */
#include <linux/delay.h>
#include <linux/slab.h>

#include "buffer.h"
#include "hw/mmio.h"
#include "main.h"
#include "power.h"
#include "reserve.h"
#include "stall.h"
#include "timeout.h"
#include "trap.h"
#include "slots.h"

/* How often to look whether the last wave has ended, and the first looks. */
#define LOOK_MS		20
#define FIRST_LOOKS	10

/* Addresses that amdgpu's address spaces have not: AMDGPU_GMC_HOLE_* */
#define HOLE_START	0x0000800000000000ULL
#define HOLE_END	0xffff800000000000ULL

/* Is the handler gone, but not all of its waves? */
static bool is_leaving(const struct wdbg_trap *trap)
{
	return trap->set && !trap->owner;
}

/* What the registers hold while waves leave: see the top of this file. */
static void leaving_regs(struct wdbg_gpu *gpu, struct wdbg_trap_regs *regs)
{
	const struct wdbg_trap_ops *ops = gpu->hw.ops->trap;
	const struct wdbg_trap *trap = &gpu->trap;

	if (ops->enabled(&trap->before))
		*regs = trap->before;
	else
		ops->encode(trap->leave->va, trap->tma, false, regs);
}

static void write_regs(struct wdbg_gpu *gpu, const struct wdbg_trap_regs *regs)
{
	struct wdbg_hw *hw = &gpu->hw;

	wdbg_vmid_lock(hw, gpu->reservation->vmid);
	hw->ops->trap->write(hw, regs);
	wdbg_vmid_unlock(hw);
}

/* The handler's waves have all ended, or went with the hardware's state. */
static void finish(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = &gpu->trap;
	struct wdbg_buffer *buffer, *next;
	struct wdbg_session *session;

	trap->set = false;
	trap->lost = false;
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

/* As finish(), after begin_leaving(). */
static void finish_leaving(struct wdbg_gpu *gpu)
{
	finish(gpu);
	wdbg_vmid_drop(gpu);
	if (!--gpu->power_users)
		wdbg_power_drop(gpu);
}

static void finish_lost(struct wdbg_session *owner)
{
	struct wdbg_gpu *gpu = owner->gpu;

	gpu->trap.owner = NULL;
	finish(gpu);
	wdbg_vmid_release(owner);
	wdbg_timeout_release_unused(gpu);
}

/**
 * struct look - a look at the waves of a handler that is gone
 * @ours: the VMID is still the target's alone
 * @busy: there is one that may still need it
 */
struct look {
	bool ours;
	bool busy;
};

static int look_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		     u32 live, void *arg)
{
	bool others = gpu->hw.ops->trap->enabled(&gpu->trap.before);
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	u32 state, vmid = gpu->reservation->vmid;
	struct wdbg_hw *hw = &gpu->hw;
	struct look *look = arg;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		state = 0;
		if (live & BIT(at->wave) && hw->ops->wave_vmid(hw, at) == vmid)
			state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_HALTED))
			slot->left = false;
		if (!(state & WDBG_WAVE_VALID))
			continue;
		/* Its handler has halted it, or is about to. */
		if (state & WDBG_WAVE_HALTED && look->ours && !slot->owner &&
		    !slot->left)
			hw->ops->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, false,
					 at, vmid);
		if (state & WDBG_WAVE_PRIV ||
		    (state & WDBG_WAVE_TRAP_EN && !others))
			look->busy = true;
	}
	return 0;
}

/* Returns true when nobody is left, and all is as before. */
static bool look_once(struct wdbg_gpu *gpu)
{
	struct look look = { .ours = !wdbg_vmid_check(gpu) };
	int bracket;

	/* Without power, there are neither waves nor registers. */
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		wdbg_wave_scan(gpu, NULL, look_simd, &look);
		if (!look.busy)
			write_regs(gpu, &gpu->trap.before);
		wdbg_power_end(gpu, bracket);
	}
	if (look.busy)
		return false;
	finish_leaving(gpu);
	return true;
}

/*
 * The registers are gone with a reset, or the VMID is not the target's alone any
 * more: the target may give it back, and with Linux 6.12, others may come to share
 * it. Their waves must not have the handler.
 */
static void guard_vmid(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = &gpu->trap;

	if (trap->lost || wdbg_vmid_check(gpu))
		wdbg_trap_off(trap->owner);
}

static void look_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(to_delayed_work(work),
					    struct wdbg_gpu, trap.look);
	struct wdbg_trap *trap = &gpu->trap;

	mutex_lock(&gpu->lock);
	if (gpu->adev && trap->set && !gpu->sleeping) {
		if (trap->owner)
			guard_vmid(gpu);
		if (is_leaving(trap))
			look_once(gpu);
	}
	if (gpu->adev && trap->set)
		queue_delayed_work(wdbg_workqueue, &trap->look,
				   msecs_to_jiffies(LOOK_MS));
	mutex_unlock(&gpu->lock);
}

/**
 * wdbg_trap_init() - before any other function of this file
 * @gpu: the GPU
 */
void wdbg_trap_init(struct wdbg_gpu *gpu)
{
	INIT_DELAYED_WORK(&gpu->trap.look, look_work);
	INIT_LIST_HEAD(&gpu->trap.kept);
}

/**
 * wdbg_trap_exit() - the GPU is gone
 * @gpu: the GPU, whose lock is not held
 */
void wdbg_trap_exit(struct wdbg_gpu *gpu)
{
	cancel_delayed_work_sync(&gpu->trap.look);
}

/**
 * wdbg_trap_why_not() - can trap handlers be set?
 * @gpu: the GPU
 *
 * Return: NULL if so, else a sentence.
 */
const char *wdbg_trap_why_not(const struct wdbg_gpu *gpu)
{
	if (!gpu->hw.ops->trap)
		return "This generation has no trap handlers per VMID.";
	if (!gpu->hw.srbm_lock)
		return "How this amdgpu keeps others from selecting a VMID is not known.";
	return wdbg_buffer_why_not(gpu) ?: wdbg_vmid_why_not(gpu);
}

static bool lies_in(const struct wdbg_buffer *buffer, u64 address)
{
	return address >= buffer->va && address - buffer->va < buffer->bytes;
}

/**
 * wdbg_trap_uses() - is a session's handler or its memory in a buffer?
 * @session: the session
 * @buffer: the buffer
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_trap_uses(const struct wdbg_session *session,
		    const struct wdbg_buffer *buffer)
{
	const struct wdbg_trap *trap = &session->gpu->trap;

	lockdep_assert_held(&session->gpu->lock);
	if (!trap->set || trap->lost || trap->owner != session)
		return false;
	return lies_in(buffer, trap->tba) ||
	       (trap->tma && lies_in(buffer, trap->tma));
}

/**
 * wdbg_trap_keep() - keep a buffer for waves that may need it
 * @gpu: the GPU
 * @buffer: the buffer, in no list
 *
 * While waves leave a handler, they may need everything that it knew of.
 * Context: the GPU's lock is held.
 * Return: true if it is kept, and freed when nobody needs it any more; false if
 * nobody does.
 */
bool wdbg_trap_keep(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	struct wdbg_trap *trap = &gpu->trap;

	lockdep_assert_held(&gpu->lock);
	if (!trap->set || gpu->reservation->drm != buffer->drm)
		return false;
	if (!buffer->in_handler && !is_leaving(trap))
		return false;
	list_add_tail(&buffer->node, &trap->kept);
	return true;
}

/**
 * wdbg_trap_notice_reset() - is the handler still there after a reset?
 * @gpu: the GPU
 *
 * Context: between wdbg_power_begin() or _begin_cleanup() and _end().
 */
void wdbg_trap_notice_reset(struct wdbg_gpu *gpu)
{
	struct wdbg_trap *trap = &gpu->trap;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_trap_regs now;

	lockdep_assert_held(&gpu->lock);
	if (!trap->owner)
		return;
	wdbg_vmid_lock(hw, gpu->reservation->vmid);
	hw->ops->trap->read(hw, &now);
	wdbg_vmid_unlock(hw);
	if (!hw->ops->trap->same(&now, &trap->now))
		trap->lost = true;
}

/* Waves of the handler that are halted, and that nobody halted. */
static int claim_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		      u32 live, void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;

	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave) &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED)
			wdbg_trap_claim(gpu, at);
	return 0;
}

/**
 * wdbg_trap_claim() - whose is a halted wave that nobody halted?
 * @gpu: the GPU
 * @at: the wave, which is halted, its bank selected
 *
 * If its VMID has a handler, it belongs to the session that has set that.
 * Context: within wdbg_bank_lock().
 */
void wdbg_trap_claim(struct wdbg_gpu *gpu,
		     const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_trap *trap = &gpu->trap;

	lockdep_assert_held(&gpu->lock);
	if (trap->owner && !trap->lost)
		wdbg_wave_claim_for(gpu, at, gpu->reservation->vmid,
				    trap->owner);
}

/**
 * wdbg_trap_claim_all() - before waves are resumed: those that a handler halted
 * @gpu: the GPU
 * @session: whose handler; NULL: anybody's
 *
 * Nobody's job timeouts are held because of the handler from then on.
 * Context: between wdbg_power_begin_cleanup() and wdbg_power_end().
 */
void wdbg_trap_claim_all(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_trap *trap = &gpu->trap;

	lockdep_assert_held(&gpu->lock);
	if (!trap->owner || (session && trap->owner != session))
		return;
	wdbg_wave_scan(gpu, NULL, claim_simd, NULL);
	trap->holds_timeouts = false;
}

/* Those who asked that waves stay halted for ever mean these, too. */
static void mark_left(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	u32 i;

	for (i = 0; i < gpu->num_slots; i++)
		gpu->slots[i].left = gpu->slots[i].owner == session &&
				     gpu->slots[i].leave;
}

static void begin_leaving(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = &gpu->trap;

	trap->owner = NULL;
	trap->holds_timeouts = false;
	wdbg_vmid_hold(gpu);
	gpu->power_users++;
	wdbg_vmid_release(session);
	mark_left(gpu, session);
}

/* Waves that start from now on have no handler of ours. */
static int turn_off(struct wdbg_gpu *gpu)
{
	u32 vmids = BIT(gpu->reservation->vmid);
	struct wdbg_trap_regs regs;
	int ret, bracket;
	bool stalled;

	ret = wdbg_power_begin_cleanup(gpu, &bracket);
	if (ret)
		return ret;
	leaving_regs(gpu, &regs);
	wdbg_vmid_lock(&gpu->hw, gpu->reservation->vmid);
	/* So that those on their way are seen when it is looked for them. */
	stalled = !wdbg_stall_begin(gpu, vmids);
	gpu->hw.ops->trap->write(&gpu->hw, &regs);
	if (stalled)
		wdbg_stall_end(gpu, vmids);
	wdbg_vmid_unlock(&gpu->hw);
	wdbg_power_end(gpu, bracket);
	return 0;
}

/**
 * wdbg_trap_off() - take a session's handler away
 * @session: the session; it may have none
 *
 * Its waves that are halted may be resumed then. To be followed by
 * wdbg_trap_settle().
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin()
 * and _end().
 */
void wdbg_trap_off(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = &gpu->trap;

	lockdep_assert_held(&gpu->lock);
	if (!trap->set || trap->owner != session)
		return;
	if (trap->lost || turn_off(gpu))
		finish_lost(session);
	else
		begin_leaving(session);
}

/**
 * wdbg_trap_settle() - free what a handler that was taken away has used
 * @gpu: the GPU
 *
 * At once, if its waves end or leave it soon, else by a worker.
 * Context: as wdbg_trap_off().
 */
void wdbg_trap_settle(struct wdbg_gpu *gpu)
{
	int i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < FIRST_LOOKS && is_leaving(&gpu->trap); i++) {
		if (look_once(gpu))
			return;
		usleep_range(100, 300);
	}
}

/**
 * wdbg_trap_sleep() - the system is about to sleep, and registers are lost
 * @gpu: the GPU, attached
 *
 * Context: as wdbg_trap_off().
 */
void wdbg_trap_sleep(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	if (gpu->trap.owner)
		wdbg_trap_off(gpu->trap.owner);
}

/**
 * wdbg_trap_end() - do not wait for waves any longer, because the GPU goes
 * @gpu: the GPU, attached; no session has anything there
 *
 * Context: as wdbg_trap_off().
 */
void wdbg_trap_end(struct wdbg_gpu *gpu)
{
	int bracket;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->trap.set)
		return;
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		write_regs(gpu, &gpu->trap.before);
		wdbg_power_end(gpu, bracket);
	}
	finish_leaving(gpu);
}

/* Does an area lie within one buffer, or else where there may be memory? */
static bool area_is_right(struct wdbg_session *session, u64 address, u64 bytes)
{
	struct wdbg_buffer *buffer;
	u64 last;

	if (address & (session->gpu->hw.ops->trap->align - 1) || !address ||
	    check_add_overflow(address, bytes - 1, &last))
		return false;
	list_for_each_entry(buffer, &session->buffers, node)
		if (address < buffer->va + buffer->bytes && last >= buffer->va)
			return lies_in(buffer, address) &&
			       lies_in(buffer, last);
	return last < HOLE_START || address >= HOLE_END;
}

static int check_set(struct wdbg_session *session,
		     const struct amdgpudbg_trap_handler *args)
{
	if (args->tba_size < sizeof(u32) ||
	    !area_is_right(session, args->tba, args->tba_size))
		return -EINVAL;
	if (!args->tma != !args->tma_size)
		return -EINVAL;
	if (args->tma && !area_is_right(session, args->tma, args->tma_size))
		return -EINVAL;
	return 0;
}

static int make_leave(struct wdbg_gpu *gpu, struct wdbg_target *target)
{
	const struct wdbg_trap_ops *ops = gpu->hw.ops->trap;
	struct wdbg_buffer *buffer;
	int ret;

	buffer = wdbg_buffer_new(gpu, target, AMDGPUDBG_MEM_ALLOC_EXEC,
				 PAGE_SIZE);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = wdbg_buffer_copy(buffer, 0, (void *)ops->leave_code,
			       ops->leave_size, true);
	if (ret)
		wdbg_buffer_delete(gpu, buffer);
	else
		gpu->trap.leave = buffer;
	return ret;
}

/* Between wdbg_power_begin() and _end() */
static int program(struct wdbg_gpu *gpu, u32 vmid,
		   const struct wdbg_trap_regs *regs)
{
	struct wdbg_trap *trap = &gpu->trap;
	struct wdbg_trap_regs old, got;
	struct wdbg_hw *hw = &gpu->hw;
	int ret = 0;

	wdbg_vmid_lock(hw, vmid);
	hw->ops->trap->read(hw, &old);
	hw->ops->trap->write(hw, regs);
	hw->ops->trap->read(hw, &got);
	if (!hw->ops->trap->same(&got, regs)) {
		hw->ops->trap->write(hw, &old);
		ret = -EIO;
	}
	wdbg_vmid_unlock(hw);
	if (ret)
		return ret;
	if (!trap->set)
		trap->before = old;
	trap->now = *regs;
	return 0;
}

static int program_powered(struct wdbg_session *session, u32 vmid,
			   const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap_regs regs;
	int ret, bracket;

	ret = wdbg_power_begin(session, &bracket);
	if (ret)
		return ret;
	gpu->hw.ops->trap->encode(args->tba, args->tma, true, &regs);
	/* Not earlier: the release afterwards gives all jobs new time. */
	ret = wdbg_timeout_hold(session);
	if (!ret)
		ret = program(gpu, vmid, &regs);
	wdbg_timeout_release_unused(gpu);
	wdbg_power_end(gpu, bracket);
	return ret;
}

static void note_set(struct wdbg_session *session,
		     const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_trap *trap = &session->gpu->trap;
	struct wdbg_buffer *buffer;

	trap->owner = session;
	trap->set = true;
	trap->lost = false;
	trap->tba = args->tba;
	trap->tma = args->tma;
	list_for_each_entry(buffer, &session->buffers, node)
		if (wdbg_trap_uses(session, buffer))
			buffer->in_handler = true;
	queue_delayed_work(wdbg_workqueue, &trap->look,
			   msecs_to_jiffies(LOOK_MS));
}

/* The VMID is reserved for the session. */
static int set_reserved(struct wdbg_session *session, u32 vmid,
			const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = &gpu->trap;
	bool was_holding = trap->holds_timeouts;
	bool was_leaving = is_leaving(trap);
	int ret = 0;

	if (!trap->leave)
		ret = make_leave(gpu, session->target);
	if (!ret) {
		/* Before timeouts are held for it. */
		trap->holds_timeouts = true;
		ret = program_powered(session, vmid, args);
	}
	if (ret) {
		trap->holds_timeouts = was_holding;
		wdbg_timeout_release_unused(gpu);
		if (!trap->set && trap->leave) {
			wdbg_buffer_delete(gpu, trap->leave);
			trap->leave = NULL;
		}
		return ret;
	}
	note_set(session, args);
	if (was_leaving) {
		wdbg_vmid_drop(gpu);
		gpu->power_users--;
	}
	return 0;
}

static int set(struct wdbg_session *session,
	       struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = &gpu->trap;
	bool first;
	u32 vmid;
	int ret;

	ret = check_set(session, args);
	if (ret)
		return ret;
	if (gpu->sleeping || (trap->owner && trap->owner != session))
		return -EBUSY;
	if (trap->lost)
		finish_lost(session);
	first = trap->owner != session;
	if (first)
		ret = wdbg_vmid_reserve(session, &vmid);
	else
		ret = wdbg_vmid_check(gpu);
	if (ret)
		return ret;
	vmid = gpu->reservation->vmid;
	ret = set_reserved(session, vmid, args);
	if (ret && first)
		wdbg_vmid_release(session);
	if (!ret)
		args->vmid = vmid;
	return ret;
}

static int clear(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = &gpu->trap;
	bool lost = trap->lost;
	int bracket;

	if (!trap->set || trap->owner != session)
		return -ENOENT;
	/* What the handler has halted and nobody will resume any more. */
	if (!lost && !wdbg_power_begin_cleanup(gpu, &bracket)) {
		wdbg_trap_claim_all(gpu, session);
		wdbg_power_end(gpu, bracket);
	}
	wdbg_trap_off(session);
	wdbg_trap_settle(gpu);
	wdbg_timeout_release_unused(gpu);
	return lost ? -ENOENT : 0;
}

static int check_args(const struct amdgpudbg_trap_handler *args)
{
	if (args->flags & ~AMDGPUDBG_TRAP_HANDLER_CLEAR)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CLEAR &&
	    (args->tba || args->tba_size || args->tma || args->tma_size))
		return -EINVAL;
	return 0;
}

static int handler(struct wdbg_session *session,
		   struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (!gpu->adev)
		return -ENODEV;
	ret = wdbg_target_need(session);
	if (ret)
		return ret;
	if (wdbg_trap_why_not(gpu))
		return -EOPNOTSUPP;
	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CLEAR)
		return clear(session);
	return set(session, args);
}

/**
 * wdbg_trap_handler() - AMDGPUDBG_IOC_TRAP_HANDLER
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_trap_handler(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_trap_handler *args = cmd->data;
	struct wdbg_gpu *gpu = cmd->session->gpu;
	int ret;

	ret = check_args(args);
	if (ret)
		return ret;
	args->vmid = 0;
	/* A structure that cannot be written is noticed before anything changes. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	ret = handler(cmd->session, args);
	mutex_unlock(&gpu->lock);
	return ret ? ret : wdbg_respond(cmd, sizeof(*args));
}
