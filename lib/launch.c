// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How new waves start.
 */
#include <linux/amdgpudbg.h>

#include "internal.h"

/* Modes, flags and exceptions are handed on as they are. */
#define SAME(ours, theirs) \
	_Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(ADBG_LAUNCH_NORMAL, AMDGPUDBG_LAUNCH_NORMAL);
SAME(ADBG_LAUNCH_HALT, AMDGPUDBG_LAUNCH_HALT);
SAME(ADBG_LAUNCH_DEBUG, AMDGPUDBG_LAUNCH_DEBUG);
SAME(ADBG_LAUNCH_EXCP, AMDGPUDBG_LAUNCH_SET_EXCP);
SAME(ADBG_LAUNCH_STALL, AMDGPUDBG_LAUNCH_SET_STALL);
SAME(ADBG_EXCP_INVALID, AMDGPUDBG_EXCP_INVALID);
SAME(ADBG_EXCP_INPUT_DENORM, AMDGPUDBG_EXCP_INPUT_DENORM);
SAME(ADBG_EXCP_FLOAT_DIV0, AMDGPUDBG_EXCP_FLOAT_DIV0);
SAME(ADBG_EXCP_OVERFLOW, AMDGPUDBG_EXCP_OVERFLOW);
SAME(ADBG_EXCP_UNDERFLOW, AMDGPUDBG_EXCP_UNDERFLOW);
SAME(ADBG_EXCP_INEXACT, AMDGPUDBG_EXCP_INEXACT);
SAME(ADBG_EXCP_INT_DIV0, AMDGPUDBG_EXCP_INT_DIV0);
SAME(ADBG_EXCP_ADDR_WATCH, AMDGPUDBG_EXCP_ADDR_WATCH);
SAME(ADBG_EXCP_MEM_VIOL, AMDGPUDBG_EXCP_MEM_VIOL);

ADBG_API int adbg_launch_set(struct adbg_session *session,
			     struct adbg_launch_set *launch)
{
	struct amdgpudbg_launch_set call = { .size = sizeof(call) };
	struct adbg_launch_set l;
	int ret;

	ret = adbg_struct_in(&l, sizeof(l), launch, sizeof(l));
	if (ret)
		return ret;

	call.flags = l.flags;
	call.mode = l.mode;
	call.excp_mask = l.excp_mask;
	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_LAUNCH_SET, &call);
	adbg_note_vmid_user(session, ret, call.vmid, call.busy_pasid);
	if (ret)
		return ret;

	l.vmid = call.vmid;
	adbg_struct_out(launch, &l, sizeof(l));
	return 0;
}
