/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texel formats: conversion from memory to registers and back. The numbers of formats in
 * resources and typed buffer instructions belong to an instruction set (vgpu_format(),
 * table.h).
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
	u8 bytes;		/* size of a texel; 0: vgpu does not know the format */
	u8 num;			/* number of components */
	u8 bits[4];		/* number of bits of each, the lowest first */
	u8 number;		/* enum vgpu_number */
};

/* Values of DST_SEL: 0, 1, or the component at VGPU_SEL_X + n. */
#define VGPU_SEL_0	0
#define VGPU_SEL_1	1
#define VGPU_SEL_X	4

/* Convert @data to four components, floats of 32 bits or integers. */
void vgpu_texel_unpack(const struct vgpu_format_info *f, const u32 *data,
		       u32 *v);
/* Convert components to a texel; @data has room for 16 bytes. */
void vgpu_texel_pack(const struct vgpu_format_info *f, const u32 *v, u32 *data);
/* Convert a float of 32 bits to 16 bits, and back. */
u32 vgpu_half_of(u32 v);
u32 vgpu_of_half(u32 v);
/* Are the components integers? */
bool vgpu_format_is_integer(const struct vgpu_format_info *f);

#endif /* VGPU_ISA_FORMAT_H */
