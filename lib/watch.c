// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Address watches.
 */
#include <errno.h>

#include <linux/amdgpudbg.h>

#include "internal.h"

/* Modes and flags are handed on as they are. */
_Static_assert((int)ADBG_WATCH_READ == (int)AMDGPUDBG_WATCH_READ, "mode");
_Static_assert((int)ADBG_WATCH_NONREAD == (int)AMDGPUDBG_WATCH_NONREAD, "mode");
_Static_assert((int)ADBG_WATCH_ATOMIC == (int)AMDGPUDBG_WATCH_ATOMIC, "mode");
_Static_assert((int)ADBG_WATCH_ALL == (int)AMDGPUDBG_WATCH_ALL, "mode");
_Static_assert((int)ADBG_WATCH_MASK == (int)AMDGPUDBG_WATCH_SET_MASK, "flag");

ADBG_API int adbg_watch_set(struct adbg_session *session,
			    struct adbg_watch_set *watch)
{
	struct amdgpudbg_watch_set call = { .size = sizeof(call) };
	struct adbg_watch_set w;
	int ret;

	ret = adbg_struct_in(&w, sizeof(w), watch, sizeof(w));
	if (ret)
		return ret;

	call.flags = w.flags;
	call.mode = w.mode;
	call.address = w.address;
	call.bytes = w.bytes;
	call.mask = w.mask;
	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_WATCH_SET, &call);
	adbg_note_vmid_user(session, ret, call.vmid, call.busy_pasid);
	if (ret && ret != -EINVAL)
		return ret;

	/* What the caller should have asked for. */
	w.granule = call.granule;
	if (!ret) {
		w.id = call.id;
		w.vmid = call.vmid;
	}
	adbg_struct_out(watch, &w, sizeof(w));
	return ret;
}

ADBG_API int adbg_watch_clear(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_watch_clear call = { .size = sizeof(call), .id = id };

	return adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_WATCH_CLEAR,
				  &call);
}

/*
 * SQ_WAVE_TRAPSTS: EXCP.ADDR_WATCH0 is bit 7, the other three are EXCP_HI
 * (gc_10_3_0_sh_mask.h of Linux 6.12 has the fields, ROCdbgapi their meaning).
 */
ADBG_API uint32_t adbg_watch_hits(uint32_t gc_version, uint32_t trapsts)
{
	uint32_t major = ADBG_GC_MAJOR(gc_version);

	if (major < 9 || major > 11)
		return 0;
	return (trapsts >> 7 & 1) | (trapsts >> 12 & 7) << 1;
}
