/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each shader of shaders/ is given: besides binding 0, words to read, and
 * binding 1, where it writes, resources from binding 2 on.
 */
#ifndef TESTS_VULKAN_CASES_H
#define TESTS_VULKAN_CASES_H

#include "vk.h"

#define CASE_RESOURCES	8

enum case_kind {
	CASE_NONE,
	CASE_STORAGE_IMAGE,
	CASE_TEXTURE,
	CASE_TEXELS,
	CASE_STORAGE_TEXELS,
};

struct case_resource {
	enum case_kind kind;
	struct vk_shape shape;	/* of buffers, the format */
	uint32_t texel;		/* bytes of a texel */
	uint32_t size;		/* of buffers, and of an image's contents */
	VkFilter filter;
	VkSamplerMipmapMode mipmap;
	VkSamplerAddressMode address;
	VkBool32 compare, unnormalized;
	VkBool32 whole;		/* filled with floats that are whole, 0 to 255 */
};

struct vulkan_case {
	const char *name;	/* of the shader */
	uint32_t groups[3];
	struct case_resource resources[CASE_RESOURCES];
};

/* @path: of the compiled shader; NULL: there is none for it */
const struct vulkan_case *vulkan_case_find(const char *path);

#endif /* TESTS_VULKAN_CASES_H */
