/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Swizzle patterns: the bits of the coordinates that compose each bit of a texel's offset in
 * its block, for each swizzle mode and size of a texel. They depend on the GPU's number of
 * pipes and packers.
 */
#ifndef VGPU_ISA_SWIZZLE_H
#define VGPU_ISA_SWIZZLE_H

#include "types.h"

#define VGPU_SWIZZLE_MODES	32
#define VGPU_TEXEL_SIZES	5	/* sizes are 1, 2, 4, 8 and 16 bytes */

/* Masks of the coordinates: the bit of the offset is the exclusive or of these bits. */
struct vgpu_swizzle_bit {
	u16 x, y, z;
};

struct vgpu_swizzle {
	u8 pipes, packers;	/* GB_ADDR_CONFIG: NUM_PIPES, NUM_PKRS, logarithms */
	/* Index + 1 of the pattern for 2D and for 3D images; 0: there is none */
	u8 index[2][VGPU_SWIZZLE_MODES][VGPU_TEXEL_SIZES];
};

/* swizzle_table.c */
extern const struct vgpu_swizzle_bit vgpu_swizzle_patterns[][16];
extern const struct vgpu_swizzle vgpu_swizzles[];
extern const unsigned int vgpu_num_swizzles;

/* lookup.c: find the patterns of a GPU; NULL: there are none for these numbers. */
const struct vgpu_swizzle *vgpu_swizzle_find(u32 pipes, u32 packers);

#endif /* VGPU_ISA_SWIZZLE_H */
