/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texel formats: from what memory holds to what registers hold, and back. What number
 * stands for which format in resources and typed buffer instructions, an instruction
 * set says (vgpu_format(), table.h).
 */
#ifndef VGPU_ISA_FORMAT_H
#define VGPU_ISA_FORMAT_H

#include "types.h"

enum vgpu_number {
	VGPU_UNORM, VGPU_SNORM, VGPU_USCALED, VGPU_SSCALED, VGPU_UINT,
	VGPU_SINT, VGPU_FLOAT, VGPU_SRGB,
	VGPU_SHARED_EXPONENT,	/* 5_9_9_9 */
};

struct vgpu_format_info {
	u8 bytes;		/* of a texel; 0: the format is not known here */
	u8 num;			/* components */
	u8 bits[4];		/* of each, from the lowest on */
	u8 number;		/* enum vgpu_number */
};

/* What a component is read as that there is no bit of, and DST_SEL's numbers. */
#define VGPU_SEL_0	0
#define VGPU_SEL_1	1
#define VGPU_SEL_X	4

/* Four components of @data, as 32-bit floats or integers. */
void vgpu_texel_unpack(const struct vgpu_format_info *f, const u32 *data,
		       u32 *v);
/* The other way; @data is as many dwords as the texel needs. */
void vgpu_texel_pack(const struct vgpu_format_info *f, const u32 *v, u32 *data);
/* 32-bit floats as 16-bit ones, and back. */
u32 vgpu_half_of(u32 v);
u32 vgpu_of_half(u32 v);
/* Are the components integers? */
bool vgpu_format_is_integer(const struct vgpu_format_info *f);

#endif /* VGPU_ISA_FORMAT_H */
