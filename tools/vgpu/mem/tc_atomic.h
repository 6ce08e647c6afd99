/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory atomics of the engines: ATOMIC_MEM of the CP and ATOMIC of SDMA, whose
 * operation numbers are TC_OP (navi10_enum.h, Linux 6.12).
 */
#ifndef VGPU_TC_ATOMIC_H
#define VGPU_TC_ATOMIC_H

#include "types.h"

struct vgpu;

/*
 * Execute @op on the dword or qword at @va; @old is set to the old value. -EFAULT: VM
 * fault; -EOPNOTSUPP: unknown operation; -EINVAL: @va is not aligned.
 */
int vgpu_tc_atomic(struct vgpu *g, unsigned int vmid, u64 va, unsigned int op,
		   u64 src, u64 cmp, u64 *old);

#endif /* VGPU_TC_ATOMIC_H */
