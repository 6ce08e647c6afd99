/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the texels of a block lie in it: which bits of the coordinates make each
 * bit of the offset, by swizzle mode and size of a texel. It depends on the
 * number of pipes and packers of a GPU.
 */
#ifndef VGPU_ISA_SWIZZLE_H
#define VGPU_ISA_SWIZZLE_H

#include "types.h"

#define VGPU_SWIZZLE_MODES	32
#define VGPU_TEXEL_SIZES	5	/* logarithms */

/* The bits whose exclusive or the bit of the offset is. */
struct vgpu_swizzle_bit {
	u16 x, y, z;
};

struct vgpu_swizzle {
	u8 pipes, packers;	/* GB_ADDR_CONFIG: NUM_PIPES, NUM_PKRS, logarithms */
	/* Number + 1 of the pattern, of two and of three dimensions; 0: none */
	u8 index[2][VGPU_SWIZZLE_MODES][VGPU_TEXEL_SIZES];
};

/* swizzle_table.c */
extern const struct vgpu_swizzle_bit vgpu_swizzle_patterns[][16];
extern const struct vgpu_swizzle vgpu_swizzles[];
extern const unsigned int vgpu_num_swizzles;

/* lookup.c: of a GPU; NULL: no table has so many pipes and packers. */
const struct vgpu_swizzle *vgpu_swizzle_find(u32 pipes, u32 packers);

#endif /* VGPU_ISA_SWIZZLE_H */
