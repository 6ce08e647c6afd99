// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one compute shader of shaders/ with a Vulkan driver, and writes its results to a
 * file: the output buffer, then each of its images. The input is the same with each
 * driver, so that the results of two drivers can be compared.
 *
 * usage: vulkan [-w | -l] NAME SHADER.spv OUTPUT
 *	NAME: a part of the device's name
 *	SHADER: its name selects the resources in cases.c
 *	-w: prints "ready" before it runs the shader, and "done" when it has written the
 *	file, and each time waits for a line, so that a debugger can attach and detach
 *	-l: runs the shader repeatedly until the program's input ends, and prints the
 *	beginning of the output buffer each time
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "vk.h"

#define INPUT_SIZE	65536
#define OUTPUT_SIZE	262144
#define IMAGE_SIZE	262144	/* largest size of the contents of an image */

struct resource {
	const struct case_resource *what;
	struct vk_image image;
	VkSampler sampler;
	VkBufferView texels;
	struct vk_buffer contents;
};

struct program {
	struct vk vk;
	const struct vulkan_case *c;
	struct vk_buffer input, output;
	struct resource resources[CASE_RESOURCES];
	VkDescriptorSetLayout set_layout;
	VkDescriptorSet set;
	VkPipelineLayout layout;
	VkPipeline pipeline;
};

/* Fill memory with the same pseudo-random numbers each time: xorshift32, Marsaglia 2003. */
static void fill(void *data, size_t size)
{
	uint32_t x = 2463534242u, *to = data;
	size_t n;

	for (n = 0; n < size / 4; n++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		to[n] = x;
	}
}

static void make_whole(void *data, size_t size)
{
	uint32_t *bits = data;
	float *to = data;
	size_t n;

	for (n = 0; n < size / 4; n++)
		to[n] = bits[n] >> 24;
}

static VkDescriptorType descriptor_type(const struct case_resource *r)
{
	switch (r->kind) {
	case CASE_STORAGE_IMAGE:
		return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
	case CASE_TEXTURE:
		return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	case CASE_TEXELS:
		return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
	case CASE_STORAGE_TEXELS:
		return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
	case CASE_NONE:
		break;
	}
	return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static int is_image(const struct case_resource *r)
{
	return r->kind == CASE_STORAGE_IMAGE || r->kind == CASE_TEXTURE;
}

static void make_sampler(struct program *p, struct resource *r)
{
	const struct case_resource *w = r->what;
	VkSamplerCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
		.magFilter = w->filter,
		.minFilter = w->filter,
		.mipmapMode = w->mipmap,
		.addressModeU = w->address,
		.addressModeV = w->address,
		.addressModeW = w->address,
		.compareEnable = w->compare,
		.compareOp = VK_COMPARE_OP_LESS,
		.maxLod = VK_LOD_CLAMP_NONE,
		.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
		.unnormalizedCoordinates = w->unnormalized,
	};

	if (w->unnormalized)
		info.maxLod = 0;
	vk_try(vkCreateSampler(p->vk.device, &info, NULL, &r->sampler));
}

static void make_texels(struct program *p, struct resource *r)
{
	VkBufferViewCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.buffer = r->contents.buffer,
		.format = r->what->shape.format,
		.range = VK_WHOLE_SIZE,
	};

	vk_try(vkCreateBufferView(p->vk.device, &info, NULL, &r->texels));
}

static void make_resources(struct program *p)
{
	struct resource *r = p->resources;
	struct vk_shape shape;
	unsigned int n;

	p->input = vk_buffer_make(&p->vk, INPUT_SIZE,
				  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	fill(p->input.data, INPUT_SIZE);
	p->output = vk_buffer_make(&p->vk, OUTPUT_SIZE,
				   VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(p->output.data, 0, OUTPUT_SIZE);
	for (n = 0; n < CASE_RESOURCES && p->c->resources[n].kind; n++, r++) {
		r->what = &p->c->resources[n];
		r->contents = vk_buffer_make(&p->vk, r->what->size ?
			r->what->size : IMAGE_SIZE,
			VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
			VK_BUFFER_USAGE_TRANSFER_DST_BIT |
			VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
			VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
		fill(r->contents.data, r->contents.size);
		if (r->what->whole)
			make_whole(r->contents.data, r->contents.size);
		if (!is_image(r->what)) {
			make_texels(p, r);
			continue;
		}
		shape = r->what->shape;
		shape.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
			      VK_IMAGE_USAGE_TRANSFER_DST_BIT |
			      (r->what->kind == CASE_TEXTURE ?
			       VK_IMAGE_USAGE_SAMPLED_BIT :
			       VK_IMAGE_USAGE_STORAGE_BIT);
		r->image = vk_image_make(&p->vk, &shape);
		if (r->what->kind == CASE_TEXTURE)
			make_sampler(p, r);
	}
}

static void make_layout(struct program *p)
{
	VkDescriptorSetLayoutBinding bindings[2 + CASE_RESOURCES] = { 0 };
	VkDescriptorSetLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.pBindings = bindings,
	};
	VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &p->set_layout,
	};
	unsigned int n;

	for (n = 0; n < 2 + CASE_RESOURCES; n++) {
		if (n >= 2 && !p->c->resources[n - 2].kind)
			break;
		bindings[n].binding = n;
		bindings[n].descriptorCount = 1;
		bindings[n].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
		bindings[n].descriptorType = n < 2 ?
			VK_DESCRIPTOR_TYPE_STORAGE_BUFFER :
			descriptor_type(&p->c->resources[n - 2]);
	}
	info.bindingCount = n;
	vk_try(vkCreateDescriptorSetLayout(p->vk.device, &info, NULL,
					   &p->set_layout));
	vk_try(vkCreatePipelineLayout(p->vk.device, &layout, NULL,
				      &p->layout));
}

static void write_set(struct program *p, unsigned int binding,
		      const struct vk_buffer *buffer, const struct resource *r)
{
	VkDescriptorBufferInfo b = { .range = VK_WHOLE_SIZE };
	VkDescriptorImageInfo i = { .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
	VkWriteDescriptorSet w = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstSet = p->set,
		.dstBinding = binding,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &b,
		.pImageInfo = &i,
	};

	if (buffer)
		b.buffer = buffer->buffer;
	if (r) {
		i.imageView = r->image.view;
		i.sampler = r->sampler;
		w.pTexelBufferView = &r->texels;
		w.descriptorType = descriptor_type(r->what);
	}
	vkUpdateDescriptorSets(p->vk.device, 1, &w, 0, NULL);
}

static void make_set(struct program *p)
{
	static const VkDescriptorPoolSize sizes[] = {
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, CASE_RESOURCES },
		{ VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, CASE_RESOURCES },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, CASE_RESOURCES },
		{ VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, CASE_RESOURCES },
	};
	VkDescriptorPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
		.pPoolSizes = sizes,
	};
	VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
		.pSetLayouts = &p->set_layout,
	};
	unsigned int n;

	vk_try(vkCreateDescriptorPool(p->vk.device, &info, NULL,
				      &set.descriptorPool));
	vk_try(vkAllocateDescriptorSets(p->vk.device, &set, &p->set));
	write_set(p, 0, &p->input, NULL);
	write_set(p, 1, &p->output, NULL);
	for (n = 0; n < CASE_RESOURCES && p->c->resources[n].kind; n++)
		write_set(p, 2 + n, NULL, &p->resources[n]);
}

static void make_pipeline(struct program *p, const char *path)
{
	VkShaderModuleCreateInfo code = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
	};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main",
		},
		.layout = p->layout,
	};
	static uint32_t words[65536];
	FILE *f = fopen(path, "rb");

	if (!f)
		vk_fail(path, 0);
	code.codeSize = 4 * fread(words, 4, sizeof(words) / 4, f);
	fclose(f);
	code.pCode = words;
	vk_try(vkCreateShaderModule(p->vk.device, &code, NULL,
				    &info.stage.module));
	vk_try(vkCreateComputePipelines(p->vk.device, VK_NULL_HANDLE, 1, &info,
					NULL, &p->pipeline));
}

/* Between an image and what of it the host sees. */
static void copy(VkCommandBuffer cmd, struct resource *r, int to_image)
{
	const struct vk_shape *s = &r->what->shape;
	VkBufferImageCopy region = {
		.imageSubresource = { vk_aspect(s), 0, 0, s->layers },
	};
	const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
	VkBuffer contents = r->contents.buffer;
	VkImage image = r->image.image;
	uint32_t level, texels;

	for (level = 0; level < s->levels; level++) {
		region.imageSubresource.mipLevel = level;
		region.imageExtent.width = s->width >> level ?: 1;
		region.imageExtent.height = s->height >> level ?: 1;
		region.imageExtent.depth = s->depth >> level ?: 1;
		if (to_image)
			vkCmdCopyBufferToImage(cmd, contents, image, layout, 1,
					       &region);
		else
			vkCmdCopyImageToBuffer(cmd, image, layout, contents, 1,
					       &region);
		texels = region.imageExtent.width * region.imageExtent.height *
			 region.imageExtent.depth * s->layers;
		region.bufferOffset += texels * r->what->texel;
	}
}

static void use_image(VkCommandBuffer cmd, struct resource *r)
{
	VkImageMemoryBarrier b = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = r->image.image,
		.subresourceRange = { vk_aspect(&r->what->shape), 0,
				      VK_REMAINING_MIP_LEVELS, 0,
				      VK_REMAINING_ARRAY_LAYERS },
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
			     NULL, 1, &b);
}

static void run(struct program *p)
{
	VkCommandBuffer cmd = vk_begin(&p->vk);
	const struct vulkan_case *c = p->c;
	unsigned int n;

	for (n = 0; n < CASE_RESOURCES && c->resources[n].kind; n++) {
		if (!is_image(&c->resources[n]))
			continue;
		use_image(cmd, &p->resources[n]);
		copy(cmd, &p->resources[n], 1);
	}
	vk_barrier(cmd);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout,
				0, 1, &p->set, 0, NULL);
	vkCmdDispatch(cmd, c->groups[0], c->groups[1], c->groups[2]);
	vk_barrier(cmd);
	for (n = 0; n < CASE_RESOURCES && c->resources[n].kind; n++) {
		if (is_image(&c->resources[n]))
			copy(cmd, &p->resources[n], 0);
	}
	vk_barrier(cmd);
	vk_run(&p->vk, cmd);
}

static void write_down(struct program *p, const char *path)
{
	FILE *f = fopen(path, "wb");
	unsigned int n;

	if (!f)
		vk_fail(path, 0);
	fwrite(p->output.data, 1, p->output.size, f);
	for (n = 0; n < CASE_RESOURCES && p->c->resources[n].kind; n++) {
		const struct vk_buffer *b = &p->resources[n].contents;

		fwrite(b->data, 1, b->size, f);
	}
	if (fclose(f))
		vk_fail(path, 0);
}

static void wait_for_line(const char *what)
{
	int c;

	printf("%s\n", what);
	fflush(stdout);
	do {
		c = getchar();
	} while (c != '\n' && c != EOF);
}

/* It is closed: no process writes to it. */
static bool input_has_ended(void)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

static void run_again(struct program *p)
{
	const uint32_t *out = p->output.data;
	unsigned int n;

	do {
		run(p);
		printf("%s:", p->c->name);
		for (n = 0; n < 8; n++)
			printf(" %u", out[n]);
		printf("\n");
		fflush(stdout);
	} while (!input_has_ended());
}

int main(int argc, char **argv)
{
	static struct program p;
	const char *option = argc == 5 ? argv[1] : "";
	bool waits = !strcmp(option, "-w"), again = !strcmp(option, "-l");

	argv += waits || again;
	if (argc - (waits || again) != 4) {
		fprintf(stderr, "usage: vulkan [-w | -l] NAME SHADER.spv OUTPUT\n");
		return 2;
	}
	p.c = vulkan_case_find(argv[2]);
	if (!p.c)
		vk_fail("there is no case for this shader", 0);
	vk_open(&p.vk, argv[1]);
	make_layout(&p);
	make_pipeline(&p, argv[2]);
	make_resources(&p);
	make_set(&p);
	if (waits)
		wait_for_line("ready");
	if (again)
		run_again(&p);
	else
		run(&p);
	write_down(&p, argv[3]);
	if (waits)
		wait_for_line("done");
	printf("%s\n", p.vk.properties.deviceName);
	return 0;
}
