// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading and writing registers of waves through a session.
 */
#include <errno.h>

#include <linux/amdgpudbg.h>

#include "internal.h"

/* The kernel reads the caller's ranges. */
#define SAME(member) \
	_Static_assert(offsetof(struct adbg_reg_range, member) == \
		       offsetof(struct amdgpudbg_reg_range, member), #member)

SAME(space);
SAME(first);
SAME(count);
SAME(first_lane);
SAME(num_lanes);
SAME(__reserved);
_Static_assert(sizeof(struct adbg_reg_range) ==
	       sizeof(struct amdgpudbg_reg_range), "size");

/* Spaces, hardware registers and flags are handed on as they are. */
_Static_assert((int)ADBG_REG_SGPR == (int)AMDGPUDBG_REG_SGPR, "space");
_Static_assert((int)ADBG_REG_VGPR == (int)AMDGPUDBG_REG_VGPR, "space");
_Static_assert((int)ADBG_REG_TTMP == (int)AMDGPUDBG_REG_TTMP, "space");
_Static_assert((int)ADBG_REG_HW == (int)AMDGPUDBG_REG_HW, "space");
_Static_assert((int)ADBG_REG_WRITE == (int)AMDGPUDBG_REG_ACCESS_WRITE, "flag");
_Static_assert((int)ADBG_REG_COMPARE ==
	       (int)AMDGPUDBG_REG_ACCESS_COMPARE, "flag");
_Static_assert((int)ADBG_REG_EXPECT_PC ==
	       (int)AMDGPUDBG_REG_ACCESS_EXPECT_PC, "flag");
_Static_assert(ADBG_REG_RANGES_MAX == AMDGPUDBG_REG_RANGES_MAX, "ranges");
_Static_assert(ADBG_REG_VALUES_MAX == AMDGPUDBG_REG_VALUES_MAX, "values");

#define SAME_HWREG(name) \
	_Static_assert((int)ADBG_HWREG_##name == \
		       (int)AMDGPUDBG_HWREG_##name, #name)

SAME_HWREG(MODE);
SAME_HWREG(STATUS);
SAME_HWREG(TRAPSTS);
SAME_HWREG(HW_ID1);
SAME_HWREG(HW_ID2);
SAME_HWREG(GPR_ALLOC);
SAME_HWREG(LDS_ALLOC);
SAME_HWREG(IB_STS);
SAME_HWREG(IB_STS2);
SAME_HWREG(IB_DBG1);
SAME_HWREG(INST_DW0);
SAME_HWREG(PC_LO);
SAME_HWREG(PC_HI);
SAME_HWREG(M0);
SAME_HWREG(EXEC_LO);
SAME_HWREG(EXEC_HI);
SAME_HWREG(FLAT_SCRATCH_LO);
SAME_HWREG(FLAT_SCRATCH_HI);
SAME_HWREG(SCHED_MODE);

ADBG_API uint64_t adbg_reg_num_values(const struct adbg_reg_range *ranges,
				      size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (uint64_t)ranges[i].count *
		       (ranges[i].space == ADBG_REG_VGPR ?
			ranges[i].num_lanes : 1);

	return sum;
}

ADBG_API int adbg_reg_access(struct adbg_session *session,
			     struct adbg_reg_access *access)
{
	struct amdgpudbg_reg_access call = { .size = sizeof(call) };
	struct adbg_reg_access a;
	int ret;

	ret = adbg_struct_in(&a, sizeof(a), access, sizeof(a));
	if (ret)
		return ret;
	if (!a.ranges || !a.values)
		return -EINVAL;

	call.flags = a.flags;
	call.at.xcc = a.at.xcc;
	call.at.se = a.at.se;
	call.at.sa = a.at.sa;
	call.at.wgp = a.at.wgp;
	call.at.simd = a.at.simd;
	call.at.wave = a.at.wave;
	call.at.__reserved = a.at.__reserved;
	call.vmid = a.vmid;
	call.num_ranges = a.num_ranges;
	call.pc = a.pc;
	call.ranges = (uintptr_t)a.ranges;
	call.values = (uintptr_t)a.values;
	call.compare = (uintptr_t)a.compare;
	call.num_values = a.num_values;

	/* Interrupted calls have not begun. */
	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_REG_ACCESS, &call);
	a.num_done = call.num_done;
	a.reg_reads = call.reg_reads;
	a.reg_writes = call.reg_writes;
	adbg_struct_out(access, &a, sizeof(a));
	return ret;
}
