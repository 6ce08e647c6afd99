// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which waves a call is about: AMDGPUDBG_IOC_WAVE_LIST, _WAVE_SNAPSHOT and
 * _WAVE_CONTROL have the same structure for that.
 */
#include <linux/capability.h>
#include <linux/ktime.h>
#include <linux/pid.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "gpu.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

#define ALL_AT		(WDBG_AT_CU | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE)
/* Without the flags that only say which members a record has */
#define STATE_FLAGS	(AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV | \
			 AMDGPUDBG_WAVE_WAVE64 | AMDGPUDBG_WAVE_PASID | \
			 AMDGPUDBG_WAVE_OWNED | AMDGPUDBG_WAVE_OWNED_BY_OTHER | \
			 AMDGPUDBG_WAVE_BY_HANDLER | AMDGPUDBG_WAVE_FATAL_HALT | \
			 AMDGPUDBG_WAVE_BARRIER | AMDGPUDBG_WAVE_HAS_HANDLER)
#define ALL_STAGES	GENMASK(AMDGPUDBG_STAGE_PIXEL, AMDGPUDBG_STAGE_UNKNOWN)

#define ALL_VMIDS	GENMASK(WDBG_NUM_VMID - 1, 1)

/* -ENXIO: the GPU has no such coordinate. */
static int select_check_member(u32 wanted, u32 value, u32 num)
{
	if (!wanted)
		return value ? -EINVAL : 0;
	return value < num ? 0 : -ENXIO;
}

static int select_check_at(const struct wdbg_hw *hw,
			   const struct amdgpudbg_select *want)
{
	const struct amdgpudbg_wave_coord *at = &want->at;
	const struct {
		u32 wanted;
		u32 value;
		u32 num;
	} members[] = {
		{ AMDGPUDBG_AT_XCC, at->xcc, hw->num_xcc },
		{ AMDGPUDBG_AT_SE, at->se, hw->num_se },
		{ AMDGPUDBG_AT_SA, at->sa, hw->num_sa },
		{ AMDGPUDBG_AT_WGP, at->wgp, hw->num_wgp },
		{ AMDGPUDBG_AT_SIMD, at->simd, hw->num_simd },
		{ AMDGPUDBG_AT_WAVE, at->wave, hw->num_wave },
	};
	int i, ret;

	if (at->__reserved)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(members); i++) {
		ret = select_check_member(want->at_mask & members[i].wanted,
					  members[i].value, members[i].num);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * wdbg_select_check() - check that a selection is valid
 * @gpu: the GPU
 * @want: the selection
 *
 * Return: 0; -EOPNOTSUPP, -EINVAL or -ENXIO as documented in the ABI.
 */
int wdbg_select_check(const struct wdbg_gpu *gpu,
		      const struct amdgpudbg_select *want)
{
	if (want->at_mask & ~ALL_AT || want->wave_flags_mask & ~STATE_FLAGS)
		return -EOPNOTSUPP;
	if (want->wave_flags & ~want->wave_flags_mask ||
	    want->stage_mask & ~ALL_STAGES ||
	    memchr_inv(want->__reserved, 0, sizeof(want->__reserved)))
		return -EINVAL;
	if (want->vmid_mask & ~ALL_VMIDS)
		return -EINVAL;
	if (want->xcc_mask & ~GENMASK(gpu->hw.num_xcc - 1, 0))
		return -ENXIO;
	return select_check_at(&gpu->hw, want);
}

/**
 * wdbg_select_is_empty() - check whether every member is zero
 * @want: the selection
 *
 * Return: true if so.
 */
bool wdbg_select_is_empty(const struct amdgpudbg_select *want)
{
	return !memchr_inv(want, 0, sizeof(*want));
}

/**
 * wdbg_select_picks() - check whether waves have to be read one by one
 * @want: the selection
 *
 * Otherwise it is all waves of some VMIDs in whole WGPs or CUs, which a broadcast
 * command can address.
 * Return: true if so.
 */
bool wdbg_select_picks(const struct amdgpudbg_select *want)
{
	return want->wave_flags_mask || want->stage_mask ||
	       want->at_mask & (AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE);
}

static u32 select_pasid(struct wdbg_selection *s, u32 vmid)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;

	if (!(s->known & BIT(vmid))) {
		s->pasid[vmid] = hw->ops->vmid_pasid(hw, vmid);
		s->known |= BIT(vmid);
	}
	return s->pasid[vmid];
}

/**
 * wdbg_select_begin() - find the VMIDs and the slots of a selection
 * @s: filled in
 * @session: the session, which has passed wdbg_scope_check()
 * @want: the selection, which wdbg_select_check() has passed
 *
 * Context: between wdbg_power_begin() and wdbg_power_end().
 * Return: 0; -EINVAL if it names VMIDs without their XCC.
 */
int wdbg_select_begin(struct wdbg_selection *s, struct wdbg_session *session,
		      const struct amdgpudbg_select *want)
{
	const struct wdbg_hw *hw = &session->gpu->hw;
	u32 vmid;

	*s = (struct wdbg_selection){
		.session = session,
		.want = want,
		.place = { .at = want->at, .mask = want->at_mask },
		.sees_all = ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE),
	};
	if (want->xcc_mask != GENMASK(hw->num_xcc - 1, 0))
		s->place.xccs = want->xcc_mask;
	if (hw->num_xcc > 1 && want->vmid_mask && !session->target &&
	    hweight32(want->xcc_mask) != 1)
		return -EINVAL;
	s->vmids = wdbg_scope_vmids(session) & (want->vmid_mask ?: ALL_VMIDS);
	if (!want->pasid)
		return 0;
	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (s->vmids & BIT(vmid) &&
		    select_pasid(s, vmid) != want->pasid)
			s->vmids &= ~BIT(vmid);
	return 0;
}

/**
 * wdbg_select_is_everywhere() - check that a selection excludes no slot
 * @s: the selection
 *
 * Return: true if so.
 */
bool wdbg_select_is_everywhere(const struct wdbg_selection *s)
{
	return !s->place.mask && !s->place.xccs;
}

/*
 * Store which session has halted a halted wave. A slot that has lost its wave has no
 * owner.
 */
static void select_note_owner(const struct wdbg_selection *s,
			      struct amdgpudbg_wave *wave)
{
	const struct wdbg_session *session = s->session;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, &wave->at);

	if (slot->owner && slot->vmid != wave->vmid)
		return;
	if (!slot->owner)
		wdbg_wave_claim(gpu, &wave->at);
	if (!slot->owner)
		return;
	if (!(wave->flags & AMDGPUDBG_WAVE_PRIV))
		wave->id = wdbg_wave_id(gpu, slot, wave->vmid);
	if (slot->by_itself)
		wave->flags |= AMDGPUDBG_WAVE_BY_HANDLER;
	if (slot->owner == session) {
		wave->flags |= AMDGPUDBG_WAVE_OWNED;
		return;
	}
	wave->flags |= AMDGPUDBG_WAVE_OWNED_BY_OTHER;
	if (s->sees_all || slot->owner->user == session->user)
		wave->session_pid = pid_vnr(slot->owner->opener);
}

/* The registers that show whether a wave is selected */
static u64 select_need(const struct wdbg_selection *s)
{
	return s->want->wave_flags_mask & AMDGPUDBG_WAVE_WAVE64 ?
	       BIT_ULL(s->session->gpu->hw.ops->regs->lanes) : 0;
}

/**
 * wdbg_select_read() - read the wave in a slot, if it is selected
 * @s: the selection; the slot is one of it
 * @at: the slot, its bank selected
 * @want: which hardware registers to read, one bit each
 * @ttmps: also read the TTMPs of a halted wave
 * @wave: out, the record
 *
 * Context: within wdbg_bank_lock().
 * Return: true if it is selected; otherwise @wave is not valid.
 */
bool wdbg_select_read(struct wdbg_selection *s,
		      const struct amdgpudbg_wave_coord *at, u64 want,
		      bool ttmps, struct amdgpudbg_wave *wave)
{
	struct wdbg_hw *hw = &s->session->gpu->hw;

	if (!hw->ops->wave->read(hw, at, s->vmids, want | select_need(s), ttmps,
				 wave))
		return false;
	wave->time = ktime_get_ns();
	if (wave->flags & AMDGPUDBG_WAVE_HALTED)
		select_note_owner(s, wave);
	wave->pasid = select_pasid(s, wave->vmid);
	if (wave->pasid)
		wave->flags |= AMDGPUDBG_WAVE_PASID;
	if ((wave->flags & s->want->wave_flags_mask) != s->want->wave_flags)
		return false;
	if (s->want->stage_mask && !(s->want->stage_mask & BIT(wave->stage)))
		return false;
	/*
	 * The VMID may have gone to another process since it was looked up: then what
	 * was read must not be returned.
	 */
	return wdbg_scope_has_vmid(s->session, wave->vmid);
}
