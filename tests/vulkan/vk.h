/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small layer over Vulkan for compute programs: device, buffers, images and command
 * buffers. An error ends the program with a message.
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
	void *data;		/* mapped as long as the buffer exists */
	size_t size;
};

struct vk_image {
	VkImage image;
	VkImageView view;
};

/* The properties of an image, or of a buffer with a format */
struct vk_shape {
	VkImageType type;
	VkImageViewType view;
	VkFormat format;
	uint32_t width, height, depth, layers, levels;
	VkImageUsageFlags usage;
};

/* Returns the aspect of an image of this shape. */
VkImageAspectFlags vk_aspect(const struct vk_shape *shape);
void vk_fail(const char *what, int result);
/* Makes a call of Vulkan, and ends the program if it fails. */
#define vk_try(call) do { \
		VkResult try_result = (call); \
		if (try_result != VK_SUCCESS) \
			vk_fail(#call, try_result); \
	} while (0)

/*
 * Open the first device whose name contains @name, with all its features except
 * robustness. The queue is one that supports only compute, if the device has such a
 * queue.
 */
void vk_open(struct vk *vk, const char *name);
struct vk_buffer vk_buffer_make(struct vk *vk, size_t size,
				VkBufferUsageFlags usage);
struct vk_image vk_image_make(struct vk *vk, const struct vk_shape *shape);
/* Begin a command buffer. vk_run() ends and submits it, and waits until it has finished. */
VkCommandBuffer vk_begin(struct vk *vk);
void vk_run(struct vk *vk, VkCommandBuffer cmd);
/* Make all earlier writes visible to all later commands. */
void vk_barrier(VkCommandBuffer cmd);

#endif /* TESTS_VULKAN_VK_H */
