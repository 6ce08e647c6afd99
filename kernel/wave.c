// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wave slots: their coordinates, walks over them, one verified command to one
 * wave, and who owns the waves that are halted.
 */
#include <linux/delay.h>
#include <linux/ktime.h>

#include "hw/mmio.h"
#include "wave.h"

/*
 * How long a wave may take to show what it was told. It does so at its next
 * instruction; the rest is for machines that are slow or busy.
 */
#define VERIFY_MS	200
/* At least so many looks, however long one takes. */
#define VERIFY_MIN	4

/**
 * wdbg_wave_deadline() - until when to look for the effect of a command
 *
 * Return: the time.
 */
ktime_t wdbg_wave_deadline(void)
{
	return ktime_add_ms(ktime_get(), VERIFY_MS);
}

/**
 * wdbg_wave_slot() - what is known about a wave slot
 * @gpu: the GPU
 * @at: the slot, which must exist
 *
 * Return: the slot.
 */
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;
	u32 i = at->xcc;

	i = i * hw->num_se + at->se;
	i = i * hw->num_sa + at->sa;
	i = i * hw->num_wgp + at->wgp;
	i = i * hw->num_simd + at->simd;
	i = i * hw->num_wave + at->wave;
	return &gpu->slots[i];
}

/**
 * wdbg_wave_exists() - is there such a wave slot
 * @gpu: the GPU
 * @at: the slot
 *
 * Return: true if so, false if it is out of range or harvested.
 */
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;

	return at->xcc < hw->num_xcc && at->se < hw->num_se &&
	       at->sa < hw->num_sa && at->wgp < hw->num_wgp &&
	       at->simd < hw->num_simd && at->wave < hw->num_wave &&
	       hw->wgp_mask[at->se][at->sa] & BIT(at->wgp);
}

/* The next SIMD in the order of coordinates; false after the last. */
static bool next_simd(const struct wdbg_hw *hw,
		      struct amdgpudbg_wave_coord *at)
{
	at->wave = 0;
	if (++at->simd < hw->num_simd)
		return true;
	at->simd = 0;
	if (++at->wgp < hw->num_wgp)
		return true;
	at->wgp = 0;
	if (++at->sa < hw->num_sa)
		return true;
	at->sa = 0;
	if (++at->se < hw->num_se)
		return true;
	at->se = 0;
	return ++at->xcc < hw->num_xcc;
}

static bool same_cu(const struct amdgpudbg_wave_coord *a,
		    const struct amdgpudbg_wave_coord *b)
{
	return a->xcc == b->xcc && a->se == b->se && a->sa == b->sa &&
	       a->wgp == b->wgp;
}

/**
 * wdbg_wave_scan() - walk over the SIMDs and see which slots hold waves
 * @gpu: the GPU
 * @cu: only those of this WGP or CU; NULL: all
 * @fn: called for each
 * @arg: for @fn
 *
 * The bank lock is left and taken again between SIMDs now and then.
 * Context: between wdbg_power_begin() and _end(), without the bank lock.
 * It is not ended by signals, because callers note in @fn what they own.
 * Return: 0, or what @fn returned.
 */
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct amdgpudbg_wave_coord *cu, wdbg_scan_fn fn,
		   void *arg)
{
	struct amdgpudbg_wave_coord at = { };
	struct wdbg_hw *hw = &gpu->hw;
	int ret = 0;
	u32 live;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		if (!wdbg_wave_exists(gpu, &at) || (cu && !same_cu(&at, cu)))
			continue;
		wdbg_bank_breathe(hw);
		wdbg_bank_select(hw, &at);
		live = hw->ops->live_slots(hw, &at);
		ret = fn(gpu, &at, live, arg);
	} while (!ret && next_simd(hw, &at));
	wdbg_bank_unlock(hw);
	return ret;
}

/**
 * wdbg_wave_command() - halt or resume one wave and see it done
 * @gpu: the GPU
 * @op: AMDGPUDBG_WAVEOP_HALT or _RESUME
 * @at: the wave, its bank selected
 * @vmid: of the wave
 * @deadline: until when it may take its time
 * @state: out, the last that was seen of it, WDBG_WAVE_*
 *
 * Context: within wdbg_bank_lock(), which is left and taken again if the wave
 * takes its time; may sleep.
 * Return: 0 if the wave is in the wanted state or has ended, -ESTALE if it is
 * of another VMID, -ETIMEDOUT.
 */
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state)
{
	u32 want = WDBG_WAVE_VALID;
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	if (op == AMDGPUDBG_WAVEOP_HALT)
		want |= WDBG_WAVE_HALTED;

	for (;;) {
		hw->ops->command(hw, op, false, at, vmid);
		*state = hw->ops->wave_state(hw, at);
		if (*state == want || !(*state & WDBG_WAVE_VALID))
			return 0;
		/* CHECK_VMID keeps the wave of another VMID as it is. */
		if (hw->ops->wave_vmid(hw, at) != vmid)
			return -ESTALE;
		if (++looks >= VERIFY_MIN && ktime_after(ktime_get(), deadline))
			return -ETIMEDOUT;
		wdbg_bank_unlock(hw);
		usleep_range(20, 100);
		wdbg_bank_lock(hw);
		wdbg_bank_select(hw, at);
	}
}

static bool owns(const struct wdbg_slot *slot,
		 const struct wdbg_session *session)
{
	return slot->owner && (!session || slot->owner == session);
}

/* Resume what is owned and halted on one SIMD. */
static void resume_simd(struct wdbg_gpu *gpu,
			struct wdbg_session *session,
			struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	bool selected = false;
	u32 state;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!owns(slot, session) || slot->leave)
			continue;
		if (!selected) {
			wdbg_bank_breathe(hw);
			wdbg_bank_select(hw, at);
			selected = true;
		}
		state = hw->ops->wave_state(hw, at);
		if (state != (WDBG_WAVE_VALID | WDBG_WAVE_HALTED))
			continue;
		if (wdbg_wave_command(gpu, AMDGPUDBG_WAVEOP_RESUME, at,
				      slot->vmid, deadline,
				      &state) == -ETIMEDOUT)
			/* Limited: a shader can halt itself again and again. */
			dev_err_ratelimited(&gpu->pdev->dev,
					    "amdgpudbg: the wave at se %u sa %u wgp %u simd %u slot %u does not resume\n",
					    at->se, at->sa, at->wgp, at->simd,
					    at->wave);
	}
}

/**
 * wdbg_wave_resume_owned() - resume what was halted and not to be left so
 * @gpu: the GPU
 * @session: by whom; NULL: by anybody
 *
 * Context: between wdbg_power_begin_cleanup() and wdbg_power_end().
 */
void wdbg_wave_resume_owned(struct wdbg_gpu *gpu,
			    struct wdbg_session *session)
{
	struct amdgpudbg_wave_coord at = { };
	ktime_t deadline = wdbg_wave_deadline();
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		resume_simd(gpu, session, &at, deadline);
	} while (next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/* Of the waves that are owned on one SIMD, forget those that have ended. */
static void disown_ended_simd(struct wdbg_gpu *gpu,
			      struct amdgpudbg_wave_coord *at)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	bool selected = false;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->owner)
			continue;
		if (!selected) {
			wdbg_bank_breathe(hw);
			wdbg_bank_select(hw, at);
			selected = true;
		}
		if (!(hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED) ||
		    hw->ops->wave_vmid(hw, at) != slot->vmid)
			slot->owner = NULL;
	}
}

/**
 * wdbg_wave_disown_ended() - forget who halted waves that are there no more
 * @gpu: the GPU
 *
 * Context: between wdbg_power_begin() or wdbg_power_begin_cleanup() and
 * wdbg_power_end().
 */
void wdbg_wave_disown_ended(struct wdbg_gpu *gpu)
{
	struct amdgpudbg_wave_coord at = { };
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		disown_ended_simd(gpu, &at);
	} while (next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/**
 * wdbg_wave_disown() - forget who halted waves
 * @gpu: the GPU
 * @session: whose; NULL: anybody's
 */
void wdbg_wave_disown(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->num_slots; i++)
		if (owns(&gpu->slots[i], session))
			gpu->slots[i].owner = NULL;
}
