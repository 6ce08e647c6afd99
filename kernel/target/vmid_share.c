// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session's share of the VMID that is reserved for its target: one for all its
 * watches and its launch mode. These can also end within the power bracket, where the
 * VMID cannot be given back; then the share is kept until the next opportunity.
 */
#include "gpu.h"
#include "session.h"
#include "target/target.h"

/**
 * wdbg_vmid_share_begin() - prepare to set something for the target's VMID
 * @session: the session
 * @try: see wdbg_vmid_reserve()
 * @vmid: out, see wdbg_vmid_reserve()
 *
 * The caller has to call wdbg_vmid_share_release_unused(), whether something was set or
 * not.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 * Return: 0; -ENODEV; -ENOTCONN without a target; -EBUSY if the system is about to
 *	sleep, which would end it; or errors of wdbg_vmid_reserve().
 */
int wdbg_vmid_share_begin(struct wdbg_session *session, struct wdbg_vmid_try *try,
			  u32 *vmid)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->adev)
		return -ENODEV;
	ret = wdbg_target_need(session);
	if (ret)
		return ret;
	if (gpu->sleeping)
		return wdbg_busy(session, AMDGPUDBG_BUSY_SLEEP);
	if (!session->shares_vmid) {
		ret = wdbg_vmid_reserve(session, try, vmid);
		session->shares_vmid = !ret;
		return ret;
	}
	return wdbg_vmid_check(session, vmid);
}

/**
 * wdbg_vmid_share_release_unused() - give the VMID back if nothing is set for it
 * @session: the session
 *
 * Context: see wdbg_vmid_share_begin().
 */
void wdbg_vmid_share_release_unused(struct wdbg_session *session)
{
	const struct wdbg_part *const *p;
	struct wdbg_gpu *gpu = session->gpu;

	lockdep_assert_held(&gpu->lock);
	if (!session->shares_vmid)
		return;
	for (p = gpu->parts; *p; p++)
		if ((*p)->uses_vmid && (*p)->uses_vmid(gpu, session))
			return;
	session->shares_vmid = false;
	wdbg_vmid_release(session);
}

static void vmid_share_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_session *s;

	list_for_each_entry(s, &gpu->sessions, node)
		if (!session || s == session)
			wdbg_vmid_share_release_unused(s);
}

static void vmid_share_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	vmid_share_discard(gpu, NULL);
}

const struct wdbg_part wdbg_vmid_share_part = {
	.id = WDBG_PART_VMID_SHARE,
	.when = WDBG_FOR_VMID | WDBG_AT_END,
	.discard = vmid_share_discard,
	.vmid_revoked = vmid_share_vmid_revoked,
};
