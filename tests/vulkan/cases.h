/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resources of each shader of shaders/. Binding 0 is a buffer of words that the shader
 * reads and binding 1 the buffer of its results; the resources of this table follow from
 * binding 2 on.
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
	struct vk_shape shape;	/* for a buffer, only its format is used */
	uint32_t texel;		/* bytes of a texel */
	uint32_t size;		/* bytes of the buffer or of the image's contents */
	VkFilter filter;
	VkSamplerMipmapMode mipmap;
	VkSamplerAddressMode address;
	VkBool32 compare, unnormalized;
	VkBool32 whole;		/* filled with floats that are whole numbers from 0 to 255 */
};

struct vulkan_case {
	const char *name;	/* the name of the shader */
	uint32_t groups[3];
	struct case_resource resources[CASE_RESOURCES];
};

/* Find the case for the compiled shader @path. Returns NULL if there is none. */
const struct vulkan_case *vulkan_case_find(const char *path);

#endif /* TESTS_VULKAN_CASES_H */
