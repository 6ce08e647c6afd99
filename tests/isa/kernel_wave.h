/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves of compiled kernels.
 */
#ifndef TESTS_ISA_KERNEL_WAVE_H
#define TESTS_ISA_KERNEL_WAVE_H

#include "codeobj.h"
#include "isa/internal.h"

/* Addresses of what a kernel needs */
struct kernel_where {
	u64 image, kernarg, dispatch, scratch;
	u32 scratch_offset;	/* of the wave */
};

/*
 * SGPRs and VGPRs of a wave whose lanes are known, as the dispatcher sets them for
 * this kernel, MODE and PC.
 */
void kernel_wave(struct vgpu_wave *w, const struct codeobj_kernel *k,
		 const struct kernel_where *where, u32 group, u32 wave);

#endif /* TESTS_ISA_KERNEL_WAVE_H */
