// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory atomics of the engines. They use atomic instructions of the CPU, because the
 * guest's CPUs access the same memory.
 */
#include <errno.h>

#include "gpu.h"
#include "mem/gmc.h"
#include "mem/tc_atomic.h"

/*
 * TC_OP: the operation in 4:0, 64 bits in bit 5, "no return" in bit 6. The numbers are
 * those of gfx9 to gfx11: vega10_enum.h, navi10_enum.h, soc21_enum.h (Linux 6.1).
 */
#define TC_OP_OPERATION		GENMASK(4, 0)
#define TC_OP_64		BIT(5)

enum tc_op {
	TC_OP_ATOMIC_SWAP = 0x07,
	TC_OP_ATOMIC_CMPSWAP = 0x08,
	TC_OP_ATOMIC_ADD = 0x0f,
	TC_OP_ATOMIC_SUB = 0x10,
	TC_OP_ATOMIC_SMIN = 0x11,
	TC_OP_ATOMIC_UMIN = 0x12,
	TC_OP_ATOMIC_SMAX = 0x13,
	TC_OP_ATOMIC_UMAX = 0x14,
	TC_OP_ATOMIC_AND = 0x15,
	TC_OP_ATOMIC_OR = 0x16,
	TC_OP_ATOMIC_XOR = 0x17,
	TC_OP_ATOMIC_INC = 0x18,
	TC_OP_ATOMIC_DEC = 0x19,
};

/* Compute the new value from the old one, @a; all values are zero-extended to 64 bits. */
static int combine(unsigned int op, bool wide, u64 a, u64 src, u64 cmp, u64 *res)
{
	s64 sa = wide ? (s64)a : (s32)a;
	s64 sb = wide ? (s64)src : (s32)src;

	switch (op) {
	case TC_OP_ATOMIC_SWAP:
		*res = src;
		return 0;
	case TC_OP_ATOMIC_CMPSWAP:
		*res = a == cmp ? src : a;
		return 0;
	case TC_OP_ATOMIC_ADD:
		*res = a + src;
		return 0;
	case TC_OP_ATOMIC_SUB:
		*res = a - src;
		return 0;
	case TC_OP_ATOMIC_SMIN:
		*res = sa < sb ? a : src;
		return 0;
	case TC_OP_ATOMIC_UMIN:
		*res = a < src ? a : src;
		return 0;
	case TC_OP_ATOMIC_SMAX:
		*res = sa > sb ? a : src;
		return 0;
	case TC_OP_ATOMIC_UMAX:
		*res = a > src ? a : src;
		return 0;
	case TC_OP_ATOMIC_AND:
		*res = a & src;
		return 0;
	case TC_OP_ATOMIC_OR:
		*res = a | src;
		return 0;
	case TC_OP_ATOMIC_XOR:
		*res = a ^ src;
		return 0;
	case TC_OP_ATOMIC_INC:
		*res = a >= src ? 0 : a + 1;
		return 0;
	case TC_OP_ATOMIC_DEC:
		*res = !a || a > src ? src : a - 1;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

int vgpu_tc_atomic(struct vgpu *g, unsigned int vmid, u64 va, unsigned int op,
		   u64 src, u64 cmp, u64 *old)
{
	unsigned int operation = FIELD_GET(TC_OP_OPERATION, op);
	bool wide = op & TC_OP_64;
	u64 res, a64;
	u32 a32;
	u8 *p;
	int ret;

	if (va & (wide ? 7 : 3))
		return -EINVAL;
	p = vgpu_gmc_translate(g, vmid, va, VGPU_WRITE);
	if (!p) {
		vgpu_gmc_fault(g, vmid, va, VGPU_WRITE);
		return -EFAULT;
	}
	if (!wide) {
		src = lower_32_bits(src);
		cmp = lower_32_bits(cmp);
		a32 = __atomic_load_n((u32 *)p, __ATOMIC_RELAXED);
		do {
			*old = a32;
			ret = combine(operation, wide, a32, src, cmp, &res);
		} while (!ret && !__atomic_compare_exchange_n((u32 *)p, &a32,
							      (u32)res, false,
							      __ATOMIC_SEQ_CST,
							      __ATOMIC_RELAXED));
		return ret;
	}
	a64 = __atomic_load_n((u64 *)p, __ATOMIC_RELAXED);
	do {
		*old = a64;
		ret = combine(operation, wide, a64, src, cmp, &res);
	} while (!ret && !__atomic_compare_exchange_n((u64 *)p, &a64, res,
						      false, __ATOMIC_SEQ_CST,
						      __ATOMIC_RELAXED));
	return ret;
}
