// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading and controlling waves through a session.
 */
#include <errno.h>

#include <linux/amdgpudbg.h>

#include "internal.h"

/* The kernel writes its records and reads its coordinates in these. */
#define SAME(ours, theirs, member) \
	_Static_assert(offsetof(struct ours, member) == \
		       offsetof(struct theirs, member), #ours "." #member)
#define SAME_SIZE(ours, theirs) \
	_Static_assert(sizeof(struct ours) == sizeof(struct theirs), #ours)

SAME(adbg_wave_at, amdgpudbg_wave_coord, xcc);
SAME(adbg_wave_at, amdgpudbg_wave_coord, se);
SAME(adbg_wave_at, amdgpudbg_wave_coord, sa);
SAME(adbg_wave_at, amdgpudbg_wave_coord, wgp);
SAME(adbg_wave_at, amdgpudbg_wave_coord, simd);
SAME(adbg_wave_at, amdgpudbg_wave_coord, wave);
SAME_SIZE(adbg_wave_at, amdgpudbg_wave_coord);

SAME(adbg_wave, amdgpudbg_wave, at);
SAME(adbg_wave, amdgpudbg_wave, flags);
SAME(adbg_wave, amdgpudbg_wave, vmid);
SAME(adbg_wave, amdgpudbg_wave, pasid);
SAME(adbg_wave, amdgpudbg_wave, status);
SAME(adbg_wave, amdgpudbg_wave, pc);
SAME(adbg_wave, amdgpudbg_wave, exec);
SAME(adbg_wave, amdgpudbg_wave, trapsts);
SAME(adbg_wave, amdgpudbg_wave, mode);
SAME(adbg_wave, amdgpudbg_wave, hw_id1);
SAME(adbg_wave, amdgpudbg_wave, hw_id2);
SAME(adbg_wave, amdgpudbg_wave, gpr_alloc);
SAME(adbg_wave, amdgpudbg_wave, lds_alloc);
SAME(adbg_wave, amdgpudbg_wave, ib_sts);
SAME(adbg_wave, amdgpudbg_wave, ib_sts2);
SAME(adbg_wave, amdgpudbg_wave, ib_dbg1);
SAME(adbg_wave, amdgpudbg_wave, inst_dw0);
SAME(adbg_wave, amdgpudbg_wave, m0);
SAME_SIZE(adbg_wave, amdgpudbg_wave);

_Static_assert((int)ADBG_WAVE_HALTED == (int)AMDGPUDBG_WAVE_HALTED, "flag");
_Static_assert((int)ADBG_WAVE_PRIV == (int)AMDGPUDBG_WAVE_PRIV, "flag");
_Static_assert((int)ADBG_WAVE_WAVE64 == (int)AMDGPUDBG_WAVE_WAVE64, "flag");
_Static_assert((int)ADBG_WAVE_PASID == (int)AMDGPUDBG_WAVE_PASID, "flag");

/* Operations, modes and flags are handed on as they are. */
_Static_assert((int)ADBG_WAVE_OP_HALT == (int)AMDGPUDBG_WAVEOP_HALT, "op");
_Static_assert((int)ADBG_WAVE_OP_RESUME == (int)AMDGPUDBG_WAVEOP_RESUME, "op");
_Static_assert((int)ADBG_WAVE_OP_KILL == (int)AMDGPUDBG_WAVEOP_KILL, "op");
_Static_assert((int)ADBG_WAVE_OP_DEBUG == (int)AMDGPUDBG_WAVEOP_DEBUG, "op");
_Static_assert((int)ADBG_WAVE_OP_TRAP == (int)AMDGPUDBG_WAVEOP_TRAP, "op");
_Static_assert((int)ADBG_WAVE_MODE_SINGLE ==
	       (int)AMDGPUDBG_WAVEMODE_SINGLE, "mode");
_Static_assert((int)ADBG_WAVE_MODE_PROCESS ==
	       (int)AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, "mode");
_Static_assert((int)ADBG_WAVE_MODE_PROCESS_CU ==
	       (int)AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU, "mode");
_Static_assert((int)ADBG_WAVE_EXPECT_PC ==
	       (int)AMDGPUDBG_WAVE_CONTROL_EXPECT_PC, "flag");
_Static_assert((int)ADBG_WAVE_LEAVE_HALTED ==
	       (int)AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED, "flag");

ADBG_API int adbg_wave_read(struct adbg_session *session,
			    struct adbg_wave_read *request)
{
	struct amdgpudbg_wave_list call = { .size = sizeof(call) };
	struct adbg_wave_read r;
	int ret;

	ret = adbg_struct_in(&r, sizeof(r), request, sizeof(r));
	if (ret)
		return ret;
	if (r.capacity && !r.waves)
		return -EINVAL;

	call.vmid_mask = r.vmid_mask;
	call.entry_size = r.entry_size ? r.entry_size : sizeof(*r.waves);
	call.capacity = r.capacity;
	call.waves = (uintptr_t)r.waves;

	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_WAVE_LIST, &call);
	if (ret && ret != -EMSGSIZE)
		return ret;

	r.count = call.count;
	r.reg_reads = call.reg_reads;
	r.reg_writes = call.reg_writes;
	r.gpu_reset_count = call.gpu_reset_count;
	adbg_struct_out(request, &r, sizeof(r));
	return ret;
}

ADBG_API int adbg_wave_control(struct adbg_session *session,
			       struct adbg_wave_control *control)
{
	struct amdgpudbg_wave_control call = { .size = sizeof(call) };
	struct adbg_wave_control c;
	int ret;

	ret = adbg_struct_in(&c, sizeof(c), control, sizeof(c));
	if (ret)
		return ret;

	call.flags = c.flags;
	call.op = c.op;
	call.mode = c.mode;
	call.vmid = c.vmid;
	call.trap_id = c.trap_id;
	call.at.xcc = c.at.xcc;
	call.at.se = c.at.se;
	call.at.sa = c.at.sa;
	call.at.wgp = c.at.wgp;
	call.at.simd = c.at.simd;
	call.at.wave = c.at.wave;
	call.at.__reserved = c.at.__reserved;
	call.pc = c.pc;

	if (c.op == ADBG_WAVE_OP_TRAP)
		ret = adbg_ioctl(session->fd, AMDGPUDBG_IOC_WAVE_CONTROL,
				 &call);
	else
		ret = adbg_ioctl_restart(session->fd,
					 AMDGPUDBG_IOC_WAVE_CONTROL, &call);
	if (ret && ret != -ETIMEDOUT)
		return ret;

	c.matched = call.matched;
	c.changed = call.changed;
	c.reg_reads = call.reg_reads;
	c.reg_writes = call.reg_writes;
	adbg_struct_out(control, &c, sizeof(c));
	return ret;
}
