// SPDX-License-Identifier: GPL-2.0-or-later
#include "vk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vk_fail(const char *what, int result)
{
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

static void choose_device(struct vk *vk, const char *name)
{
	VkPhysicalDevice all[8];
	uint32_t n, num = 8;

	vk_try(vkEnumeratePhysicalDevices(vk->instance, &num, all));
	for (n = 0; n < num; n++) {
		vkGetPhysicalDeviceProperties(all[n], &vk->properties);
		if (strstr(vk->properties.deviceName, name)) {
			vk->physical = all[n];
			return;
		}
	}
	fprintf(stderr, "no device's name has \"%s\" in it\n", name);
	exit(1);
}

static void choose_family(struct vk *vk)
{
	VkQueueFamilyProperties all[16];
	uint32_t n, num = 16;

	vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &num, all);
	vk->family = num;
	for (n = 0; n < num; n++) {
		if (!(all[n].queueFlags & VK_QUEUE_COMPUTE_BIT))
			continue;
		if (vk->family == num ||
		    !(all[n].queueFlags & VK_QUEUE_GRAPHICS_BIT))
			vk->family = n;
	}
	if (vk->family == num)
		vk_fail("no queue computes", 0);
}

static void open_device(struct vk *vk)
{
	const float priority = 1;
	VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = vk->family,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkPhysicalDeviceVulkan12Features v12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
	};
	VkPhysicalDeviceVulkan11Features v11 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
		.pNext = &v12,
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &v11,
	};
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};

	vkGetPhysicalDeviceFeatures2(vk->physical, &features);
	features.features.robustBufferAccess = VK_FALSE;
	vk_try(vkCreateDevice(vk->physical, &info, NULL, &vk->device));
	vkGetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
}

void vk_open(struct vk *vk, const char *name)
{
	VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_2,
	};
	VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app,
	};
	VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};

	vk_try(vkCreateInstance(&info, NULL, &vk->instance));
	choose_device(vk, name);
	choose_family(vk);
	open_device(vk);
	vkGetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);
	pool.queueFamilyIndex = vk->family;
	vk_try(vkCreateCommandPool(vk->device, &pool, NULL, &vk->pool));
}

static VkDeviceMemory allocate(struct vk *vk, const VkMemoryRequirements *want,
			       VkMemoryPropertyFlags flags)
{
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = want->size,
	};
	VkDeviceMemory memory;
	uint32_t n;

	for (n = 0; n < vk->memory.memoryTypeCount; n++) {
		if (want->memoryTypeBits >> n & 1 &&
		    (vk->memory.memoryTypes[n].propertyFlags & flags) == flags)
			break;
	}
	if (n == vk->memory.memoryTypeCount)
		vk_fail("no such memory", (int)flags);
	info.memoryTypeIndex = n;
	vk_try(vkAllocateMemory(vk->device, &info, NULL, &memory));
	return memory;
}

struct vk_buffer vk_buffer_make(struct vk *vk, size_t size,
				VkBufferUsageFlags usage)
{
	VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = usage,
	};
	struct vk_buffer b = { .size = size };
	VkMemoryRequirements want;
	VkDeviceMemory memory;

	vk_try(vkCreateBuffer(vk->device, &info, NULL, &b.buffer));
	vkGetBufferMemoryRequirements(vk->device, b.buffer, &want);
	memory = allocate(vk, &want, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
			  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	vk_try(vkBindBufferMemory(vk->device, b.buffer, memory, 0));
	vk_try(vkMapMemory(vk->device, memory, 0, VK_WHOLE_SIZE, 0, &b.data));
	return b;
}

VkImageAspectFlags vk_aspect(const struct vk_shape *shape)
{
	return shape->format == VK_FORMAT_D16_UNORM ?
	       VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

struct vk_image vk_image_make(struct vk *vk, const struct vk_shape *shape)
{
	VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = shape->type,
		.format = shape->format,
		.extent = { shape->width, shape->height, shape->depth },
		.mipLevels = shape->levels,
		.arrayLayers = shape->layers,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = shape->usage,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = shape->view,
		.format = shape->format,
		.subresourceRange = { vk_aspect(shape), 0, shape->levels, 0,
				      shape->layers },
	};
	VkMemoryRequirements want;
	VkDeviceMemory memory;
	struct vk_image i;

	if (shape->view == VK_IMAGE_VIEW_TYPE_CUBE)
		info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
	vk_try(vkCreateImage(vk->device, &info, NULL, &i.image));
	vkGetImageMemoryRequirements(vk->device, i.image, &want);
	memory = allocate(vk, &want, 0);
	vk_try(vkBindImageMemory(vk->device, i.image, memory, 0));
	view.image = i.image;
	vk_try(vkCreateImageView(vk->device, &view, NULL, &i.view));
	return i;
}

VkCommandBuffer vk_begin(struct vk *vk)
{
	VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk->pool,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	VkCommandBuffer cmd;

	vk_try(vkAllocateCommandBuffers(vk->device, &info, &cmd));
	vk_try(vkBeginCommandBuffer(cmd, &begin));
	return cmd;
}

void vk_run(struct vk *vk, VkCommandBuffer cmd)
{
	VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	vk_try(vkEndCommandBuffer(cmd));
	vk_try(vkQueueSubmit(vk->queue, 1, &submit, VK_NULL_HANDLE));
	vk_try(vkQueueWaitIdle(vk->queue));
}

void vk_barrier(VkCommandBuffer cmd)
{
	VkMemoryBarrier all = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
				 VK_ACCESS_MEMORY_WRITE_BIT,
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT |
			     VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL,
			     0, NULL);
}
