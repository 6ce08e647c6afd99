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
SAME(adbg_wave, amdgpudbg_wave, ttmp);
SAME_SIZE(adbg_wave, amdgpudbg_wave);

_Static_assert((int)ADBG_WAVE_HALTED == (int)AMDGPUDBG_WAVE_HALTED, "flag");
_Static_assert((int)ADBG_WAVE_PRIV == (int)AMDGPUDBG_WAVE_PRIV, "flag");
_Static_assert((int)ADBG_WAVE_WAVE64 == (int)AMDGPUDBG_WAVE_WAVE64, "flag");
_Static_assert((int)ADBG_WAVE_PASID == (int)AMDGPUDBG_WAVE_PASID, "flag");
_Static_assert((int)ADBG_WAVE_TTMP == (int)AMDGPUDBG_WAVE_TTMP, "flag");

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

_Static_assert((int)ADBG_WAVE_OP_STEP == (int)AMDGPUDBG_WAVEOP_STEP, "op");
_Static_assert((int)ADBG_WAVE_DEBUG_OFF ==
	       (int)AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF, "flag");
_Static_assert((int)ADBG_WAVE_READ_HALT == (int)AMDGPUDBG_WAVE_LIST_HALT,
	       "flag");
_Static_assert((int)ADBG_WAVE_READ_RESUME ==
	       (int)AMDGPUDBG_WAVE_LIST_RESUME, "flag");
_Static_assert((int)ADBG_WAVE_READ_TTMP == (int)AMDGPUDBG_WAVE_LIST_TTMP,
	       "flag");
_Static_assert((int)ADBG_AT_XCC == (int)AMDGPUDBG_AT_XCC, "flag");
_Static_assert((int)ADBG_AT_SE == (int)AMDGPUDBG_AT_SE, "flag");
_Static_assert((int)ADBG_AT_SA == (int)AMDGPUDBG_AT_SA, "flag");
_Static_assert((int)ADBG_AT_WGP == (int)AMDGPUDBG_AT_WGP, "flag");
_Static_assert((int)ADBG_AT_SIMD == (int)AMDGPUDBG_AT_SIMD, "flag");
_Static_assert((int)ADBG_AT_WAVE == (int)AMDGPUDBG_AT_WAVE, "flag");

static struct amdgpudbg_wave_coord to_kernel(const struct adbg_wave_at *at)
{
	return (struct amdgpudbg_wave_coord){
		.xcc = at->xcc,
		.se = at->se,
		.sa = at->sa,
		.wgp = at->wgp,
		.simd = at->simd,
		.wave = at->wave,
		.__reserved = at->__reserved,
	};
}

ADBG_API int adbg_wave_read(struct adbg_session *session,
			    struct adbg_wave_read *request)
{
	struct amdgpudbg_wave_list call = { .size = sizeof(call) };
	struct adbg_wave_read r;
	int ret;

	ret = adbg_struct_in(&r, sizeof(r), request, sizeof(r));
	if (ret)
		return ret;
	if ((r.capacity && !r.waves) || r.__reserved)
		return -EINVAL;

	call.flags = r.flags;
	call.vmid_mask = r.vmid_mask;
	call.entry_size = r.entry_size ? r.entry_size : sizeof(*r.waves);
	call.capacity = r.capacity;
	call.waves = (uintptr_t)r.waves;
	call.at = to_kernel(&r.at);
	call.at_mask = r.at_mask;
	call.wave_flags_mask = r.wave_flags_mask;
	call.wave_flags = r.wave_flags;

	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_WAVE_LIST, &call);
	if (ret && ret != -EMSGSIZE)
		return ret;

	r.count = call.count;
	r.reg_reads = call.reg_reads;
	r.reg_writes = call.reg_writes;
	r.gpu_reset_count = call.gpu_reset_count;
	r.num_halted = call.num_halted;
	adbg_struct_out(request, &r, sizeof(r));
	return ret;
}

int adbg_control_in(struct amdgpudbg_wave_control *call,
		    const struct adbg_wave_control *control)
{
	struct adbg_wave_control c;
	int ret;

	ret = adbg_struct_in(&c, sizeof(c), control, sizeof(c));
	if (ret)
		return ret;

	*call = (struct amdgpudbg_wave_control){
		.size = sizeof(*call),
		.flags = c.flags,
		.op = c.op,
		.mode = c.mode,
		.vmid = c.vmid,
		.trap_id = c.trap_id,
		.at = to_kernel(&c.at),
		.pc = c.pc,
	};
	return 0;
}

void adbg_control_out(struct adbg_wave_control *control,
		      const struct amdgpudbg_wave_control *call)
{
	control->matched = call->matched;
	control->changed = call->changed;
	control->reg_reads = call->reg_reads;
	control->reg_writes = call->reg_writes;
	control->new_pc = call->new_pc;
}

ADBG_API int adbg_wave_control(struct adbg_session *session,
			       struct adbg_wave_control *control)
{
	struct amdgpudbg_wave_control call;
	int ret;

	ret = adbg_control_in(&call, control);
	if (ret)
		return ret;

	if (call.op == AMDGPUDBG_WAVEOP_TRAP ||
	    call.op == AMDGPUDBG_WAVEOP_STEP)
		ret = adbg_ioctl(session->fd, AMDGPUDBG_IOC_WAVE_CONTROL,
				 &call);
	else
		ret = adbg_ioctl_restart(session->fd,
					 AMDGPUDBG_IOC_WAVE_CONTROL, &call);
	if (!ret || ret == -ETIMEDOUT)
		adbg_control_out(control, &call);
	return ret;
}
