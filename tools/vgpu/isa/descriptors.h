/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts of resource descriptors, and numbers of formats, which belong to an instruction
 * set. Numbers that are the same from gfx9 on are not here: types of images
 * (SQ_RSRC_IMG_*), DST_SEL (SQ_SEL_*) and the values of a sampler's fields (SQ_TEX_*) are
 * the same in vega10_enum.h, navi10_enum.h and soc21_enum.h (Linux 6.1), modes of swizzling
 * (SW_*) in the first two.
 */
#ifndef VGPU_ISA_DESCRIPTORS_H
#define VGPU_ISA_DESCRIPTORS_H

#include "types.h"

struct vgpu_format_info;

/* All formats by number; a row whose size is 0 has a format that vgpu does not know. */
struct vgpu_formats {
	const struct vgpu_format_info *rows;
	u16 num;
};

/* Masks of fields in dwords 1 and 3 of a buffer's resource descriptor */
struct vgpu_buffer_layout {
	u32 base_hi, stride, swizzle;
	u32 dst_sel, format, index_stride, add_tid, oob_select;
	u8 element_bytes;	/* size of an element in a swizzled buffer */
};

/*
 * Fields of an image's resource descriptor. Dword 0 is the lower part of the address, in
 * units of 256 bytes. Fields for sizes and DEPTH have the value - 1.
 */
struct vgpu_image_layout {
	struct vgpu_bits base_hi, min_lod, format;
	struct vgpu_bits width_lo, width_hi, height, depth, pitch;
	struct vgpu_bits dst_sel, sw_mode, type;
	struct vgpu_bits base_level, last_level, max_level;
	struct vgpu_bits base_array, array_pitch;
	struct vgpu_bits compressed;
};

/* Fields of a sampler. Levels of detail and the signed bias are in units of 1/256. */
struct vgpu_sampler_layout {
	struct vgpu_bits clamp[3];
	struct vgpu_bits compare, unnormalized, filter_mode;
	struct vgpu_bits min_lod, max_lod, lod_bias;
	struct vgpu_bits mag_filter, min_filter, mip_filter;
	struct vgpu_bits border_type;
};

#endif /* VGPU_ISA_DESCRIPTORS_H */
