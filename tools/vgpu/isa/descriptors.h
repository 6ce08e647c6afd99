/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the fields of resources are, and what numbers formats have: data of an
 * instruction set. What is not here is the same from gfx9 on: types of images
 * (SQ_RSRC_IMG_*), DST_SEL's numbers (SQ_SEL_*), and what a sampler's fields say
 * (SQ_TEX_*), as vega10_enum.h, navi10_enum.h and soc21_enum.h have them (Linux 6.1);
 * modes of swizzling (SW_*), as the first two have them.
 */
#ifndef VGPU_ISA_DESCRIPTORS_H
#define VGPU_ISA_DESCRIPTORS_H

#include "types.h"

struct vgpu_format_info;

/* By number; rows without bytes are of formats that are not known here. */
struct vgpu_formats {
	const struct vgpu_format_info *rows;
	u16 num;
};

/* A buffer's resource, dwords 1 and 3 */
struct vgpu_buffer_layout {
	u32 base_hi, stride, swizzle;
	u32 dst_sel, format, index_stride, add_tid, oob_select;
	u8 element_bytes;	/* of a swizzled one */
};

/*
 * An image's; dword 0 is the lower part of its address, in 256 bytes. Sizes and DEPTH
 * are one less than they mean.
 */
struct vgpu_image_layout {
	struct vgpu_bits base_hi, min_lod, format;
	struct vgpu_bits width_lo, width_hi, height, depth, pitch;
	struct vgpu_bits dst_sel, sw_mode, type;
	struct vgpu_bits base_level, last_level, max_level;
	struct vgpu_bits base_array, array_pitch;
	struct vgpu_bits compressed;
};

/* Levels of detail, and the bias, which has a sign, are in 1/256. */
struct vgpu_sampler_layout {
	struct vgpu_bits clamp[3];
	struct vgpu_bits compare, unnormalized, filter_mode;
	struct vgpu_bits min_lod, max_lod, lod_bias;
	struct vgpu_bits mag_filter, min_filter, mip_filter;
	struct vgpu_bits border_type;
};

#endif /* VGPU_ISA_DESCRIPTORS_H */
