// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on one wave.
 *
 * A change that a wave cannot take back (its end, a trap, a step) must not reach
 * another wave in its slot. So either the wave is halted, and a VMID cannot go to
 * another process while one of its waves is; or no new waves of the VMID start during
 * the operation, see wdbg_control_run(). A wave is not halted just for an operation:
 * its handler may halt it at the same time, and that halt could not be distinguished
 * from ours.
 */
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/**
 * struct single - an operation in progress
 * @session: the session
 * @args: the operation
 * @slot: state of the wave's slot
 * @deadline: until when the wave may take to show the effect
 * @vmid: of the wave
 * @state: its last known state, WDBG_WAVE_*
 */
struct single {
	struct wdbg_session *session;
	struct amdgpudbg_wave_control *args;
	struct wdbg_slot *slot;
	ktime_t deadline;
	u32 vmid;
	u32 state;
};

static bool single_at_expected_pc(const struct single *s)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;

	return !(s->args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC) ||
	       wdbg_va_is(hw->ops->wave->pc(hw, &s->args->at), s->args->pc);
}

/* An id exists only while the slot has an owner and the wave is halted. */
static bool single_has_expected_id(const struct single *s)
{
	const struct amdgpudbg_wave_control *args = s->args;

	return (args->mode != AMDGPUDBG_WAVEMODE_ID &&
		!(args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_ID)) ||
	       s->slot->id == args->id;
}

/* Does another session hold the wave, in a way that excludes the operation? */
static const struct wdbg_session *single_held_by(const struct single *s)
{
	const struct amdgpudbg_wave_control *args = s->args;
	const struct wdbg_slot *slot = s->slot;
	struct wdbg_hw *hw = &s->session->gpu->hw;

	/* To halt a halted wave changes nothing. */
	if (slot->owner && slot->owner != s->session &&
	    args->op != AMDGPUDBG_WAVEOP_HALT)
		return slot->owner;
	if (args->op == AMDGPUDBG_WAVEOP_DEBUG && slot->debugger &&
	    slot->debugger != s->session && slot->debug_vmid == s->vmid &&
	    hw->ops->wave->debug(hw, &args->at))
		return slot->debugger;
	return NULL;
}

/* Select the wave, and make sure that it is the one of the call. */
static int single_find(struct single *s)
{
	const struct amdgpudbg_wave_control *args = s->args;
	struct wdbg_session *session = s->session;
	struct wdbg_hw *hw = &session->gpu->hw;
	const struct wdbg_session *holder;
	struct wdbg_slot *slot = s->slot;

	wdbg_bank_select(hw, &args->at);
	s->vmid = hw->ops->wave->vmid(hw, &args->at);
	s->state = hw->ops->wave->state(hw, &args->at);
	if (!(s->state & WDBG_WAVE_HALTED) || slot->vmid != s->vmid)
		wdbg_wave_own(slot, NULL);
	if (!(s->state & WDBG_WAVE_VALID))
		return -ENODATA;
	if (s->state & WDBG_WAVE_HALTED)
		wdbg_wave_claim(session->gpu, &args->at);
	if (session->target && !wdbg_scope_has_vmid(session, s->vmid))
		return -ENODATA;
	if (args->vmid && args->vmid != s->vmid)
		return -ESTALE;
	if (!single_has_expected_id(s) || !single_at_expected_pc(s))
		return -ESTALE;
	holder = single_held_by(s);
	return holder ? wdbg_busy_with(session, AMDGPUDBG_BUSY_WAVE, holder) : 0;
}

/*
 * The slot was seen to hold a halted wave, after single_find() had read the VMID. Is
 * that the wave of this VMID, and may the session touch it? The wave that single_find()
 * saw may have ended before STATUS was read, also because a RESUME took effect late. A
 * session with a target must not depend on how SQ_CMD interprets CHECK_VMID.
 */
static int single_confirm(struct single *s)
{
	struct wdbg_session *session = s->session;
	struct wdbg_hw *hw = &session->gpu->hw;

	if (hw->ops->wave->vmid(hw, &s->args->at) != s->vmid)
		return session->target ? -ENODATA : -ESTALE;
	return wdbg_scope_has_vmid(session, s->vmid) ? 0 : -ENODATA;
}

/*
 * The session owns a wave that it has commanded to halt, unless its handler has halted
 * it.
 */
static void single_own(struct single *s)
{
	struct wdbg_session *session = s->session;
	struct wdbg_slot *slot = s->slot;

	if (wdbg_wave_at_trap(session->gpu, &s->args->at, s->state)) {
		wdbg_wave_claim_how(session->gpu, &s->args->at,
				    WDBG_HALTED_AT_TRAP);
	} else if (!slot->owner) {
		wdbg_wave_own(slot, session);
		slot->vmid = s->vmid;
		slot->by_itself = false;
	}
	if (slot->owner == session)
		slot->leave = s->args->flags &
			      AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
}

/* The halted wave is not the one of the call, or not the session's: undo single_own(). */
static void single_undo_own(struct single *s)
{
	struct wdbg_gpu *gpu = s->session->gpu;
	int ret = 0;

	if (!wdbg_wave_at_trap(gpu, &s->args->at, s->state))
		ret = wdbg_wave_command(gpu, AMDGPUDBG_WAVEOP_RESUME,
					&s->args->at, s->vmid,
					wdbg_wave_deadline(0), &s->state);
	if (ret != -ETIMEDOUT && s->slot->owner == s->session)
		wdbg_wave_own(s->slot, NULL);
}

static int single_halt_wave(struct single *s)
{
	int ret, err;

	if (s->state & WDBG_WAVE_HALTED) {
		ret = single_confirm(s);
		if (ret)
			return ret;
		if (s->slot->owner == s->session)
			single_own(s);
		s->args->matched = 1;
		s->args->changed = 1;
		return 0;
	}
	/* Not earlier: the release afterwards gives all jobs new time. */
	ret = wdbg_halt_budget_hold(s->session);
	if (ret)
		return ret;
	ret = wdbg_wave_command(s->session->gpu, AMDGPUDBG_WAVEOP_HALT,
				&s->args->at, s->vmid, s->deadline, &s->state);
	if (ret == -ESTALE)
		return ret;
	if (!(s->state & WDBG_WAVE_VALID))
		return -ENODATA;
	/* A wave that does not halt in time may do so later. */
	single_own(s);
	if (!ret) {
		err = single_confirm(s);
		if (err) {
			single_undo_own(s);
			return err;
		}
	}
	s->args->matched = 1;
	s->args->changed = !ret;
	return ret;
}

static int single_resume_wave(struct single *s)
{
	int ret;

	if (!(s->state & WDBG_WAVE_HALTED)) {
		wdbg_wave_own(s->slot, NULL);
		return 0;
	}
	ret = single_confirm(s);
	if (ret)
		return ret;
	ret = wdbg_wave_command(s->session->gpu, s->args->op, &s->args->at,
				s->vmid, s->deadline, &s->state);
	s->args->matched = 1;
	if (ret)
		return ret;
	wdbg_wave_own(s->slot, NULL);
	s->args->changed = 1;
	return 0;
}

/* No other wave starts in the meantime that could be taken for it. */
static int single_kill_wave(struct single *s)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;
	int looks = 0;

	s->args->matched = 1;
	do {
		hw->ops->wave->command(hw, s->args->op, 0, false, &s->args->at,
				       s->vmid);
		if (hw->ops->wave->state(hw, &s->args->at) & WDBG_WAVE_VALID &&
		    hw->ops->wave->vmid(hw, &s->args->at) == s->vmid)
			continue;
		wdbg_wave_own(s->slot, NULL);
		s->slot->debugger = NULL;
		s->args->changed = 1;
		return 0;
	} while (wdbg_wave_retry(hw, &s->args->at, &looks, s->deadline));
	return -ETIMEDOUT;
}

static int single_debug_wave(struct single *s)
{
	bool on = !(s->args->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
	int ret;

	ret = wdbg_wave_set_debug(s->session->gpu, on, &s->args->at, s->vmid,
				  s->deadline);
	if (ret && ret != -ETIMEDOUT)
		return ret;
	/* Also if it enters debug mode later */
	s->slot->debugger = on ? s->session : NULL;
	s->slot->debug_vmid = s->vmid;
	s->args->matched = 1;
	s->args->changed = !ret;
	return ret;
}

static int single_trap_wave(struct single *s)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;

	if (wdbg_kfd_vmids(s->session->gpu) & BIT(s->vmid))
		return -EOPNOTSUPP;
	s->args->matched = 1;
	if (s->state & WDBG_WAVE_TRAP_EN) {
		hw->ops->wave->command(hw, s->args->op, s->args->trap_id, false,
				       &s->args->at, s->vmid);
		wdbg_wave_id_discard(s->slot);
		s->args->changed = 1;
	}
	return 0;
}

/*
 * The instruction at @pc would let the wave run, and its progress would not be known.
 * It does nothing else: continue behind it.
 */
static int single_skip_unhalt(struct single *s, u64 pc)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;
	const struct wdbg_reg_ops *regs = hw->ops->regs;
	struct amdgpudbg_wave_control *args = s->args;
	u64 next = wdbg_va_signed(pc + 4);
	int looks = 0;

	while (!regs->still(hw, &args->at))
		if (!wdbg_wave_retry(hw, &args->at, &looks, s->deadline))
			return -ETIMEDOUT;
	regs->write(hw, &args->at, AMDGPUDBG_REG_HW, regs->pc, 0,
		    lower_32_bits(next));
	if (upper_32_bits(next) != upper_32_bits(pc))
		regs->write(hw, &args->at, AMDGPUDBG_REG_HW, regs->pc + 1, 0,
			    upper_32_bits(next & (WDBG_VA_END - 1)));
	args->new_pc = hw->ops->wave->pc(hw, &args->at);
	if (args->new_pc != next)
		return -EIO;
	args->changed = 1;
	return 0;
}

/*
 * Wait until the wave has executed the instruction at @pc. The PC does not show that
 * where an instruction may lead to itself.
 */
static int single_see_step(struct single *s, u64 pc, enum wdbg_inst inst)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;
	struct amdgpudbg_wave_control *args = s->args;
	int looks = 0;

	do {
		/* A halted wave cannot end by itself: a running one is another wave. */
		s->state = hw->ops->wave->state(hw, &args->at);
		if (!(s->state & WDBG_WAVE_HALTED))
			return 0;
		args->new_pc = hw->ops->wave->pc(hw, &args->at);
		/*
		 * Read afterwards: the PC may have been that of another process's wave.
		 */
		if (hw->ops->wave->vmid(hw, &args->at) != s->vmid)
			return 0;
		if (s->state & WDBG_WAVE_PRIV)
			continue;
		/* If it should have ended, another one has started halted. */
		if (args->new_pc != pc || (inst == WDBG_INST_JUMP && looks)) {
			args->changed = inst != WDBG_INST_END;
			return 0;
		}
	} while (wdbg_wave_retry(hw, &args->at, &looks, s->deadline));
	return -ETIMEDOUT;
}

static int single_step_wave(struct single *s)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;
	struct amdgpudbg_wave_control *args = s->args;
	enum wdbg_inst inst;
	u64 pc;
	int ret;

	/* A wave in its handler runs, whether STATUS.HALT is set or not. */
	if (!(s->state & WDBG_WAVE_HALTED) || s->state & WDBG_WAVE_PRIV)
		return -EINPROGRESS;
	ret = single_confirm(s);
	if (ret)
		return ret;
	pc = hw->ops->wave->pc(hw, &args->at);
	inst = hw->ops->wave->inst(hw, &args->at);
	args->matched = 1;
	if (inst == WDBG_INST_UNHALT)
		return single_skip_unhalt(s, pc);
	hw->ops->wave->command(hw, args->op, 0, false, &args->at, s->vmid);
	ret = single_see_step(s, pc, inst);
	if (!ret && !args->changed) {
		args->new_pc = 0;
		wdbg_wave_own(s->slot, NULL);
		s->slot->debugger = NULL;
	}
	return ret;
}

/* For the calls that follow: from now on, no other wave can take its place. */
static void single_return_id(struct single *s)
{
	struct amdgpudbg_wave_control *args = s->args;

	if (args->mode == AMDGPUDBG_WAVEMODE_SINGLE && args->changed &&
	    !(s->state & WDBG_WAVE_PRIV))
		args->id = wdbg_wave_id(s->session->gpu, s->slot, s->vmid);
}

static int single_halt(struct single *s)
{
	int ret = single_halt_wave(s);

	if (!ret)
		single_return_id(s);
	return ret;
}

static int single_run_locked(struct single *s)
{
	int ret = single_find(s);

	if (ret)
		return ret;
	if (s->args->op != AMDGPUDBG_WAVEOP_HALT)
		wdbg_wave_changed(s->session->gpu, s->vmid, &s->args->at);
	switch ((enum amdgpudbg_waveop)s->args->op) {
	case AMDGPUDBG_WAVEOP_HALT:
		return single_halt(s);
	case AMDGPUDBG_WAVEOP_RESUME:
		return single_resume_wave(s);
	case AMDGPUDBG_WAVEOP_KILL:
		return single_kill_wave(s);
	case AMDGPUDBG_WAVEOP_DEBUG:
		return single_debug_wave(s);
	case AMDGPUDBG_WAVEOP_TRAP:
		return single_trap_wave(s);
	case AMDGPUDBG_WAVEOP_STEP:
		return single_step_wave(s);
	}
	return -EOPNOTSUPP;
}

/**
 * wdbg_wave_single() - do an operation on one wave
 * @session: the session
 * @args: the operation, checked; its results are set
 * @deadline: until when the wave may take to show the effect
 *
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 * Return: 0 or an error of the ABI.
 */
int wdbg_wave_single(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args, ktime_t deadline)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct single s = {
		.session = session,
		.args = args,
		.slot = wdbg_wave_slot(gpu, &args->at),
		.deadline = deadline,
	};
	int ret;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(&gpu->hw);
	ret = single_run_locked(&s);
	wdbg_bank_unlock(&gpu->hw);
	return ret;
}
