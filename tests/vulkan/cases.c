// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases.h"

#include <string.h>

/* Images: type, format, sizes, bytes of a texel */
#define SHAPE_1D(format, w) \
	{ VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, VK_FORMAT_##format, \
	  w, 1, 1, 1, 1, 0 }
#define SHAPE_2D(format, w, h, levels) \
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_##format, \
	  w, h, 1, 1, levels, 0 }
#define SHAPE_ARRAY(format, w, h, n) \
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_##format, \
	  w, h, 1, n, 1, 0 }
#define SHAPE_LAYERS(format, w, h, n, levels) \
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_##format, \
	  w, h, 1, n, levels, 0 }
#define SHAPE_3D(format, w, h, d) \
	{ VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_##format, \
	  w, h, d, 1, 1, 0 }
/* Buffers with a format */
#define TEXELS(f, n) \
	{ .kind = CASE_TEXELS, .size = n, .shape = { .format = VK_FORMAT_##f } }
#define STORAGE_TEXELS(f, n) \
	{ .kind = CASE_STORAGE_TEXELS, .size = n, \
	  .shape = { .format = VK_FORMAT_##f } }
#define STORAGE(bytes, ...) \
	{ .kind = CASE_STORAGE_IMAGE, .texel = bytes, .shape = __VA_ARGS__ }

#define TEXTURE(bytes, mode, image, ...) \
	{ .kind = CASE_TEXTURE, .texel = bytes, .shape = image, \
	  .address = VK_SAMPLER_ADDRESS_MODE_##mode, __VA_ARGS__ }

static const struct vulkan_case cases[] = {
	{ "image_store", { 8, 8, 1 }, {
		STORAGE(4, SHAPE_2D(R8G8B8A8_UNORM, 64, 64, 1)),
		STORAGE(4, SHAPE_2D(R32_UINT, 64, 128, 1)),
		STORAGE(8, SHAPE_ARRAY(R16G16B16A16_SINT, 64, 64, 3)),
		STORAGE(16, SHAPE_2D(R32G32B32A32_SFLOAT, 64, 64, 1)),
		STORAGE(2, SHAPE_2D(R16_SFLOAT, 64, 64, 1)),
		STORAGE(4, SHAPE_3D(A2B10G10R10_UINT_PACK32, 32, 16, 8)),
		STORAGE(2, SHAPE_1D(R8G8_SNORM, 256)),
		STORAGE(8, SHAPE_2D(R16G16B16A16_UNORM, 64, 64, 1)),
	} },
	{ "texel_buffers", { 16, 1, 1 }, {
		TEXELS(R8G8B8A8_UNORM, 4096),
		TEXELS(R16G16_SINT, 4096),
		TEXELS(A2B10G10R10_UINT_PACK32, 4096),
		TEXELS(R16_SFLOAT, 2048),
		STORAGE_TEXELS(R32_UINT, 4096),
		STORAGE_TEXELS(R8G8B8A8_SNORM, 4096),
		STORAGE_TEXELS(R16G16B16A16_SFLOAT, 8192),
		TEXELS(B10G11R11_UFLOAT_PACK32, 4096),
	} },
	{ "textures", { 8, 8, 1 }, {
		TEXTURE(4, REPEAT, SHAPE_2D(R32_UINT, 64, 64, 7),
			.mipmap = VK_SAMPLER_MIPMAP_MODE_NEAREST),
		TEXTURE(8, MIRRORED_REPEAT, SHAPE_2D(R32G32_SFLOAT, 64, 64, 1),
			.filter = VK_FILTER_LINEAR, .whole = VK_TRUE),
		TEXTURE(4, CLAMP_TO_EDGE, SHAPE_3D(R32_SFLOAT, 64, 64, 16),
			.filter = VK_FILTER_LINEAR, .whole = VK_TRUE),
		/* As small as RADV keeps without compression */
		TEXTURE(2, CLAMP_TO_BORDER, SHAPE_2D(D16_UNORM, 4, 8, 1),
			.filter = VK_FILTER_LINEAR, .compare = VK_TRUE),
		TEXTURE(16, REPEAT,
			SHAPE_LAYERS(R32G32B32A32_SFLOAT, 32, 32, 4, 6),
			.mipmap = VK_SAMPLER_MIPMAP_MODE_LINEAR,
			.whole = VK_TRUE),
		TEXTURE(4, CLAMP_TO_EDGE, SHAPE_2D(R32_SFLOAT, 64, 64, 1),
			.filter = VK_FILTER_LINEAR, .unnormalized = VK_TRUE,
			.whole = VK_TRUE),
	} },
	{ .name = "atomics", .groups = { 64, 1, 1 } },
	{ .name = "floats", .groups = { 2, 32, 1 } },
	{ .name = "integer", .groups = { 16, 1, 1 } },
	{ .name = "packed16", .groups = { 16, 1, 1 } },
	{ .name = "private_array", .groups = { 16, 1, 1 } },
	{ .name = "shared_memory", .groups = { 16, 1, 1 } },
	{ .name = "squares", .groups = { 1, 1, 1 } },
	{ .name = "subgroups", .groups = { 16, 1, 1 } },
};

const struct vulkan_case *vulkan_case_find(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t n;

	name = name ? name + 1 : path;
	for (n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		size_t len = strlen(cases[n].name);

		if (!strncmp(name, cases[n].name, len) &&
		    !strcmp(name + len, ".spv"))
			return &cases[n];
	}
	return NULL;
}
