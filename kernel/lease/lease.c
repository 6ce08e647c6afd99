// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session's hold on the VMID that is reserved for its target: one for all its
 * watches and its launch mode. These can also end where the VMID cannot be given
 * back, within the power bracket; then it is kept until the next time.
 */
#include "launch.h"
#include "lease.h"
#include "reserve.h"
#include "target.h"
#include "watch.h"

/**
 * wdbg_lease_begin() - before something is set for the target's VMID
 * @session: the session
 * @vmid: out, the VMID
 *
 * To be followed by wdbg_lease_end_unused(), whether something was set or not.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin()
 * and _end().
 * Return: 0; -ENODEV; -ENOTCONN without a target; -EBUSY if the system is about
 * to sleep, which would end it; or as wdbg_vmid_reserve().
 */
int wdbg_lease_begin(struct wdbg_session *session, u32 *vmid)
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
		return -EBUSY;
	if (!session->leased) {
		ret = wdbg_vmid_reserve(session, vmid);
		session->leased = !ret;
		return ret;
	}
	*vmid = gpu->reservation->vmid;
	return wdbg_vmid_check(gpu);
}

/**
 * wdbg_lease_end_unused() - give the VMID back if nothing is set for it
 * @session: the session
 *
 * Context: as wdbg_lease_begin().
 */
void wdbg_lease_end_unused(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;

	lockdep_assert_held(&gpu->lock);
	if (!session->leased || wdbg_watch_used(gpu, session) ||
	    wdbg_launch_used(gpu, session))
		return;
	session->leased = false;
	wdbg_vmid_release(session);
}
