/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a Vulkan compute program needs of a device, in a few calls. Whatever
 * fails ends the program with a message.
 */
#ifndef TESTS_VULKAN_VK_H
#define TESTS_VULKAN_VK_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

struct vk {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	uint32_t family;
	VkCommandPool pool;
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceMemoryProperties memory;
};

struct vk_buffer {
	VkBuffer buffer;
	void *data;		/* mapped for good */
	size_t size;
};

struct vk_image {
	VkImage image;
	VkImageView view;
};

/* What an image, or a buffer with a format, is to be. */
struct vk_shape {
	VkImageType type;
	VkImageViewType view;
	VkFormat format;
	uint32_t width, height, depth, layers, levels;
	VkImageUsageFlags usage;
};

/* The one aspect that it has */
VkImageAspectFlags vk_aspect(const struct vk_shape *shape);
void vk_fail(const char *what, int result);
/* Succeeds or ends the program. */
#define vk_try(call) do { \
		VkResult try_result = (call); \
		if (try_result != VK_SUCCESS) \
			vk_fail(#call, try_result); \
	} while (0)

/*
 * The first device whose name has @name in it, with all features that it has
 * but robustness, and a queue that can do nothing but compute where there is
 * one.
 */
void vk_open(struct vk *vk, const char *name);
struct vk_buffer vk_buffer_make(struct vk *vk, size_t size,
				VkBufferUsageFlags usage);
struct vk_image vk_image_make(struct vk *vk, const struct vk_shape *shape);
/* Record with it, then vk_run() it, which waits for its end. */
VkCommandBuffer vk_begin(struct vk *vk);
void vk_run(struct vk *vk, VkCommandBuffer cmd);
/* All that has been written is seen by all that comes. */
void vk_barrier(VkCommandBuffer cmd);

#endif /* TESTS_VULKAN_VK_H */
