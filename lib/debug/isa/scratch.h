/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffer descriptors in SGPRs with which compiled code accesses the private memory of its lanes.
 */
#ifndef ADBGD_SCRATCH_H
#define ADBGD_SCRATCH_H

#include <amdgpudbg-debug.h>

/** struct adbgd_swizzle - where the private memory of lanes is in global memory */
struct adbgd_swizzle {
	uint64_t base;
	uint32_t stride;	/* see adbgd_swizzle_address() */
	uint32_t lanes;		/* whose dwords alternate */
};

/**
 * adbgd_scratch_find() - find the descriptor with which a function accesses private memory
 * @gc_version: of the GPU
 * @code: the function, @num dwords
 * @offset: bytes from its beginning to the next instruction of the wave
 * @context: reads SGPRs of the wave
 * @swizzle: set to where private memory is
 *
 * Return: 1; 0: no instruction of the function has such a descriptor; -ENODATA: a descriptor that
 * the function uses, maybe this one, is completed after @offset; or an error of @context.
 */
int adbgd_scratch_find(uint32_t gc_version, const uint32_t *code, size_t num, uint64_t offset,
		       const struct adbgd_context *context, struct adbgd_swizzle *swizzle);

/** adbgd_swizzle_address() - get the global address of the dword at @offset of a lane */
static inline uint64_t adbgd_swizzle_address(const struct adbgd_swizzle *s, uint32_t lane,
					     uint64_t offset)
{
	return s->base + ((uint64_t)(lane / s->lanes) * s->stride + (offset & ~3ULL)) * s->lanes +
	       lane % s->lanes * 4;
}

#endif /* ADBGD_SCRATCH_H */
