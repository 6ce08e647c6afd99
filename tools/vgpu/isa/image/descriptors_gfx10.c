// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Descriptors of gfx10 for buffers, images and samplers, and the numbers of formats.
 * Layouts: "RDNA 2" ISA, AMD 2020, 8.1.8, 8.2.5 and 8.2.6, and Mesa 25.0,
 * src/amd/registers/gfx10-rsrc.json.
 */
#include "isa/descriptors.h"
#include "isa/image/format.h"
#include "isa/table.h"

/*
 * BUF_FMT_* and IMG_FMT_* of navi10_enum.h (Linux 6.1), which have the same numbers. Their
 * names have the highest component first. IMG_FMT_5_9_9_9_FLOAT has one exponent for three
 * components.
 */
#define FIXED(first, bytes, num, ...) \
	[first] = { bytes, num, { __VA_ARGS__ }, VGPU_UNORM }, \
	[(first) + 1] = { bytes, num, { __VA_ARGS__ }, VGPU_SNORM }, \
	[(first) + 2] = { bytes, num, { __VA_ARGS__ }, VGPU_USCALED }, \
	[(first) + 3] = { bytes, num, { __VA_ARGS__ }, VGPU_SSCALED }, \
	[(first) + 4] = { bytes, num, { __VA_ARGS__ }, VGPU_UINT }, \
	[(first) + 5] = { bytes, num, { __VA_ARGS__ }, VGPU_SINT }
#define FIXED_FLOAT(first, bytes, num, ...) \
	FIXED(first, bytes, num, __VA_ARGS__), \
	[(first) + 6] = { bytes, num, { __VA_ARGS__ }, VGPU_FLOAT }
#define WHOLE(first, bytes, num, ...) \
	[first] = { bytes, num, { __VA_ARGS__ }, VGPU_UINT }, \
	[(first) + 1] = { bytes, num, { __VA_ARGS__ }, VGPU_SINT }, \
	[(first) + 2] = { bytes, num, { __VA_ARGS__ }, VGPU_FLOAT }

static const struct vgpu_format_info formats[] = {
	FIXED(1, 1, 1, 8),
	FIXED_FLOAT(7, 2, 1, 16),
	FIXED(14, 2, 2, 8, 8),
	WHOLE(20, 4, 1, 32),
	FIXED_FLOAT(23, 4, 2, 16, 16),
	FIXED_FLOAT(30, 4, 3, 11, 11, 10),	/* BUF_FMT_10_11_11 */
	FIXED_FLOAT(37, 4, 3, 10, 11, 11),
	FIXED(44, 4, 4, 2, 10, 10, 10),
	FIXED(50, 4, 4, 10, 10, 10, 2),
	FIXED(56, 4, 4, 8, 8, 8, 8),
	WHOLE(62, 8, 2, 32, 32),
	FIXED_FLOAT(65, 8, 4, 16, 16, 16, 16),
	WHOLE(72, 12, 3, 32, 32, 32),
	WHOLE(75, 16, 4, 32, 32, 32, 32),
	[128] = { 1, 1, { 8 }, VGPU_SRGB },
	[129] = { 2, 2, { 8, 8 }, VGPU_SRGB },
	[130] = { 4, 4, { 8, 8, 8, 8 }, VGPU_SRGB },
	[132] = { 4, 3, { 9, 9, 9, 5 }, VGPU_SHARED_EXPONENT },
	[133] = { 2, 3, { 5, 6, 5 }, VGPU_UNORM },
	[134] = { 2, 4, { 5, 5, 5, 1 }, VGPU_UNORM },
	[135] = { 2, 4, { 1, 5, 5, 5 }, VGPU_UNORM },
	[136] = { 2, 4, { 4, 4, 4, 4 }, VGPU_UNORM },
	[137] = { 1, 2, { 4, 4 }, VGPU_UNORM },
};

const struct vgpu_formats vgpu_formats_gfx10 = { formats, ARRAY_SIZE(formats) };

/* Elements are dwords on gfx10 and later. */
const struct vgpu_buffer_layout vgpu_buffer_gfx10 = {
	.base_hi = GENMASK(15, 0),
	.stride = GENMASK(29, 16),
	.swizzle = BIT(31),
	.dst_sel = GENMASK(11, 0),
	.format = GENMASK(18, 12),
	.index_stride = GENMASK(22, 21),
	.add_tid = BIT(23),
	.oob_select = GENMASK(29, 28),
	.element_bytes = 4,
};

const struct vgpu_image_layout vgpu_image_gfx10 = {
	.base_hi = { 1, GENMASK(7, 0) },
	.min_lod = { 1, GENMASK(19, 8) },
	.format = { 1, GENMASK(28, 20) },
	.width_lo = { 1, GENMASK(31, 30) },
	.width_hi = { 2, GENMASK(11, 0) },
	.height = { 2, GENMASK(27, 14) },
	.dst_sel = { 3, GENMASK(11, 0) },
	.base_level = { 3, GENMASK(15, 12) },
	.last_level = { 3, GENMASK(19, 16) },
	.sw_mode = { 3, GENMASK(24, 20) },
	.type = { 3, GENMASK(31, 28) },
	.depth = { 4, GENMASK(12, 0) },
	.pitch = { 4, GENMASK(13, 0) },
	.base_array = { 4, GENMASK(28, 16) },
	.array_pitch = { 5, GENMASK(3, 0) },
	.max_level = { 5, GENMASK(7, 4) },
	.compressed = { 6, BIT(21) },
};

const struct vgpu_sampler_layout vgpu_sampler_gfx10 = {
	.clamp = {
		{ 0, GENMASK(2, 0) },
		{ 0, GENMASK(5, 3) },
		{ 0, GENMASK(8, 6) },
	},
	.compare = { 0, GENMASK(14, 12) },
	.unnormalized = { 0, BIT(15) },
	.filter_mode = { 0, GENMASK(30, 29) },
	.min_lod = { 1, GENMASK(11, 0) },
	.max_lod = { 1, GENMASK(23, 12) },
	.lod_bias = { 2, GENMASK(13, 0) },
	.mag_filter = { 2, GENMASK(21, 20) },
	.min_filter = { 2, GENMASK(23, 22) },
	.mip_filter = { 2, GENMASK(27, 26) },
	.border_type = { 3, GENMASK(31, 30) },
};
