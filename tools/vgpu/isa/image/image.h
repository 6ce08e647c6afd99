/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Images: their resource descriptors, the addresses of texels, and the operands of image
 * instructions.
 */
#ifndef VGPU_ISA_IMAGE_H
#define VGPU_ISA_IMAGE_H

#include "isa/exec/mem.h"
#include "isa/image/format.h"
#include "isa/image/image_operands.h"
#include "isa/image/swizzle.h"

#define VGPU_IMAGE_LEVELS	16

/* "RDNA 2" ISA, AMD 2020, 8.2.5, table of the image resource: TYPE */
enum vgpu_image_type {
	VGPU_IMAGE_1D = 8, VGPU_IMAGE_2D, VGPU_IMAGE_3D, VGPU_IMAGE_CUBE,
	VGPU_IMAGE_1D_ARRAY, VGPU_IMAGE_2D_ARRAY, VGPU_IMAGE_MSAA,
	VGPU_IMAGE_MSAA_ARRAY,
};

struct vgpu_image_level {
	u64 offset;		/* of its first block, in a slice */
	u32 width, height, depth;
	u32 blocks;		/* number of blocks in a row */
	u32 tail_x, tail_y;	/* its first texel in the block that small levels share */
};

struct vgpu_image {
	u64 base;
	u32 pipe_xor;		/* exclusive-ored to the offset in a block */
	u8 type, mode;		/* enum vgpu_image_type, swizzle mode */
	u8 sel[4];		/* DST_SEL */
	u32 width, height, depth;
	u32 base_array, last_array;
	u32 base_level, last_level, max_level;
	u32 min_lod;		/* in units of 1/256 */
	u32 pitch;		/* of a linear image, in texels; 0: it follows from the width */
	bool thick;		/* blocks have a depth */
	u32 bytes, block_log2;
	u32 block_w, block_h, block_d;
	u64 slice;		/* bytes from one slice of blocks to the next */
	const struct vgpu_format_info *format;
	const struct vgpu_swizzle_bit *pattern;
	struct vgpu_image_level level[VGPU_IMAGE_LEVELS];
};

/* Operands that only image instructions have. */
struct vgpu_mimg {
	u8 addr[13];		/* VGPRs of the address */
	u8 dmask, dim;
	bool unnormalized, a16, d16, r128;
	bool mip;		/* loads, stores: the last operand is the level */
	u16 samp;		/* SGPR of the sampler */
	struct vgpu_mimg *next;	/* in the page's list */
};

/* Read an image's descriptor. Returns false if it is not modelled: refuse the instruction. */
bool vgpu_image_read(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		     struct vgpu_image *im);
/* Get the address of a texel that exists. @z: the slice, for arrays. */
u64 vgpu_image_address(const struct vgpu_image *im, u32 level, u32 x, u32 y,
		       u32 z);
/* Get address component @k of a lane: a dword, or with A16 half of one. */
u32 vgpu_image_component(struct vgpu_isa_state *c, const struct vgpu_mimg *m,
			 unsigned int k, unsigned int l);

/*
 * Compute c->addr[] of texels for image loads, stores and atomics. Returns false if the image
 * is not modelled.
 */
bool vgpu_image_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			  struct vgpu_accesses *a);

/* Does the instruction return one component of four texels? */
static inline bool vgpu_image_gathers(const struct vgpu_insn *i)
{
	return i->op >= VGPU_OP_IMAGE_GATHER4 &&
	       i->op <= VGPU_OP_IMAGE_GATHER4_C_LZ_O;
}

/* Read the four components of the texel at @va, with the format of @a. */
void vgpu_texel_read(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		     u32 *v);
/* Write components to a lane's registers, by DST_SEL and DMASK. */
void vgpu_texel_to_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			const struct vgpu_accesses *a, unsigned int l,
			const u32 *v);

#endif /* VGPU_ISA_IMAGE_H */
