// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model's memory, and what a session sets in the VMID of its target.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_state.h"

#define MEMORY_VA	0x600000001000ull
#define BUFFER_VA	0x601000000000ull	/* of the first one */
#define PAGE		4096ull

/* Mappings of the target. Only the first one has memory in the model. */
static const struct amdgpudbg_mapping mappings[] = {
	{ .va = MEMORY_VA, .bytes = MODEL_MEMORY_BYTES, .kind = AMDGPUDBG_KIND_VRAM,
	  .flags = AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_EXEC, .offset = 0x3000 },
	{ .va = 0xffff800000000000, .bytes = 0x1000, .kind = AMDGPUDBG_KIND_USERPTR,
	  .flags = AMDGPUDBG_MAPPING_WRITE, .cpu_address = 0x7fff12345000 },
	{ .va = 0xffff800000010000, .bytes = 0x1000, .kind = 77 },
};

void model_begin_memory(void)
{
	static const char text[] = "Hello, \001\377\nworld of waves";

	for (size_t i = 0; i < sizeof(model.memory); i++)
		model.memory[i] = (uint8_t)i;
	memcpy(model.memory, text, sizeof(text));
}

/* No instruction changes a register, because the model's steps only move the PC. */
void model_write_code(void)
{
	static const uint32_t code[] = {
		0xbe800300,	/* s_mov_b32 s0, s0 */
		0x7e020301,	/* v_mov_b32_e32 v1, v1 */
		0x36040502,	/* v_and_b32_e32 v2, v2, v2 */
		0xbf8e0001,	/* s_sleep 1 */
		0xbf82fffc,	/* s_branch to the second one */
		0xbf810000,	/* s_endpgm */
		0xbf9f0000,	/* s_code_end: padding */
		0xbf9f0000,
	};

	memcpy(model.memory, code, sizeof(code));
}

/* The memory at an address, and how many bytes are there; NULL: none */
static uint8_t *memory_at(uint64_t va, uint64_t *bytes)
{
	if (va - MEMORY_VA < MODEL_MEMORY_BYTES) {
		*bytes = MODEL_MEMORY_BYTES - (va - MEMORY_VA);
		return model.memory + (va - MEMORY_VA);
	}
	for (size_t i = 0; i < MODEL_BUFFERS_MAX; i++) {
		const struct model_buffer *b = &model.buffers[i];

		if (va - b->va < b->bytes) {
			*bytes = b->bytes - (va - b->va);
			return b->data + (va - b->va);
		}
	}
	*bytes = 0;
	return NULL;
}

static int copy_memory(struct amdgpudbg_vm_access *a)
{
	void *data = (void *)(uintptr_t)a->data;
	uint64_t bytes;
	uint8_t *there = memory_at(a->va, &bytes);

	a->done = a->bytes < bytes ? a->bytes : bytes;
	if (a->done && a->flags & AMDGPUDBG_VM_ACCESS_WRITE)
		memcpy(there, data, a->done);
	else if (a->done)
		memcpy(data, there, a->done);
	a->bad = a->done < a->bytes ? a->va + a->done : 0;
	return a->bad ? -ENXIO : 0;
}

static int check_patch(const struct amdgpudbg_vm_access *a)
{
	if (a->va % 4 || a->bytes % 4 || !a->bytes || a->bytes > AMDGPUDBG_PATCH_BYTES_MAX ||
	    a->va / PAGE != (a->va + a->bytes - 1) / PAGE)
		return -EINVAL;
	return 0;
}

static int patch(struct amdgpudbg_vm_access *a)
{
	int error = check_patch(a);
	size_t free_one = MODEL_PATCHES_MAX;
	const uint8_t *there;
	uint64_t bytes;

	for (size_t i = 0; i < MODEL_PATCHES_MAX && !error; i++) {
		if (!model.patches[i].bytes)
			free_one = i;
		else if (a->va < model.patches[i].va + model.patches[i].bytes &&
			 model.patches[i].va < a->va + a->bytes)
			error = -EEXIST;
	}
	if (error)
		return error;
	if (free_one == MODEL_PATCHES_MAX)
		return -ENOSPC;
	/* A patch is within a page, and so has all its memory or none. */
	there = memory_at(a->va, &bytes);
	if (there)
		memcpy(model.patches[free_one].original, there, a->bytes);
	error = copy_memory(a);
	if (error)
		return error;
	model.patches[free_one].va = a->va;
	model.patches[free_one].bytes = a->bytes;
	return 0;
}

static int unpatch(const struct amdgpudbg_vm_access *a)
{
	uint8_t *there;
	uint64_t bytes;

	for (size_t i = 0; i < MODEL_PATCHES_MAX; i++) {
		if (model.patches[i].va != a->va || model.patches[i].bytes != a->bytes)
			continue;
		there = memory_at(a->va, &bytes);
		if (there)
			memcpy(there, model.patches[i].original, a->bytes);
		model.patches[i].bytes = 0;
		return 0;
	}
	return -ENOENT;
}

/* As if the program had unmapped the memory, and mapped what was written there */
static void remap(void)
{
	const struct amdgpudbg_event event = {
		.size = sizeof(event), .type = AMDGPUDBG_EVENT_VM_CHANGED,
		.generation = ++model.num_maps,
	};

	mock_send_events(&event, sizeof(event));
}

int model_vm_access(void *arg)
{
	struct amdgpudbg_vm_access *a = arg;

	if (a->size != sizeof(*a) || a->bytes > AMDGPUDBG_VM_ACCESS_MAX)
		return -EINVAL;
	if (!model.has_target)
		return -ENOTCONN;
	if (a->flags & AMDGPUDBG_VM_ACCESS_UNPATCH)
		return a->data ? -EINVAL : unpatch(a);
	if (a->flags & AMDGPUDBG_VM_ACCESS_PATCH)
		return a->flags & AMDGPUDBG_VM_ACCESS_WRITE ? patch(a) : -EINVAL;
	if (a->flags & AMDGPUDBG_VM_ACCESS_WRITE && model.is_remapped)
		remap();
	else if (model.is_slow)
		usleep(1000);
	return copy_memory(a);
}

int model_vm_list(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;
	struct amdgpudbg_mapping *to = (void *)(uintptr_t)list->mappings;
	const uint64_t end = list->bytes ? list->va + list->bytes : UINT64_MAX;

	if (list->size != sizeof(*list) || list->entry_size != sizeof(*to))
		return -EINVAL;
	if (!model.has_target)
		return -ENOTCONN;
	list->count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++) {
		if (mappings[i].va >= end || mappings[i].va + mappings[i].bytes <= list->va)
			continue;
		if (list->count < list->capacity)
			to[list->count] = mappings[i];
		if (list->count < list->capacity && mappings[i].va == MEMORY_VA)
			to[list->count].offset += model.num_maps * PAGE;
		list->count++;
	}
	return list->count > list->capacity ? -EMSGSIZE : 0;
}

/* -------------------------------------------------------------------- buffers */

static struct model_buffer *buffer(uint32_t id)
{
	if (!id || id > MODEL_BUFFERS_MAX || !model.buffers[id - 1].bytes)
		return NULL;
	return &model.buffers[id - 1];
}

int model_mem_alloc(void *arg)
{
	struct amdgpudbg_mem_alloc *a = arg;

	if (a->size != sizeof(*a) || !a->bytes || a->bytes > AMDGPUDBG_MEM_MAX_BYTES)
		return -EINVAL;
	if (!model.has_target)
		return -ENOTCONN;
	for (uint32_t i = 0; i < MODEL_BUFFERS_MAX; i++) {
		if (model.buffers[i].bytes)
			continue;
		a->bytes = (a->bytes + PAGE - 1) / PAGE * PAGE;
		a->va = BUFFER_VA + i * 0x1000000000;
		a->id = i + 1;
		model.buffers[i] = (struct model_buffer){
			.va = a->va, .bytes = a->bytes, .flags = a->flags,
			.data = calloc(1, a->bytes),
		};
		return model.buffers[i].data ? 0 : -ENOMEM;
	}
	return -ENOSPC;
}

int model_mem_free(void *arg)
{
	const struct amdgpudbg_mem_free *f = arg;
	struct model_buffer *b = buffer(f->id);

	if (!b)
		return -ENOENT;
	free(b->data);
	*b = (struct model_buffer){ 0 };
	return 0;
}

int model_mem_copy(void *arg)
{
	const struct amdgpudbg_mem_copy *c = arg;
	const struct model_buffer *b = buffer(c->id);

	if (!b)
		return -ENOENT;
	if (c->offset > b->bytes || c->bytes > b->bytes - c->offset)
		return -EINVAL;
	if (c->flags == AMDGPUDBG_MEM_COPY_WRITE)
		memcpy(b->data + c->offset, (void *)(uintptr_t)c->data, c->bytes);
	else
		memcpy((void *)(uintptr_t)c->data, b->data + c->offset, c->bytes);
	return 0;
}

/* -------------------------------------- what is set in the VMID of the target */

static int check_vmid(void)
{
	if (!model.has_target)
		return -ENOTCONN;
	return model.vmid_busy ? -EBUSY : 0;
}

int model_trap_handler(void *arg)
{
	struct amdgpudbg_trap_handler *h = arg;
	const struct model_buffer *code = NULL;

	if (h->size != sizeof(*h) || h->tba % 256)
		return -EINVAL;
	for (size_t i = 0; i < MODEL_BUFFERS_MAX; i++)
		if (h->tba >= model.buffers[i].va &&
		    h->tba + h->tba_size <= model.buffers[i].va + model.buffers[i].bytes)
			code = &model.buffers[i];
	if (!(h->flags & AMDGPUDBG_TRAP_HANDLER_CLEAR) &&
	    (!code || !(code->flags & AMDGPUDBG_MEM_ALLOC_EXEC)))
		return -EINVAL;
	h->vmid = MODEL_VMID;
	return check_vmid();
}

static bool is_power_of_2(uint64_t n)
{
	return n && !(n & (n - 1));
}

int model_watch_set(void *arg)
{
	struct amdgpudbg_watch_set *set = arg;
	const bool by_mask = set->flags & AMDGPUDBG_WATCH_SET_MASK;

	if (set->size != sizeof(*set) || set->mode > AMDGPUDBG_WATCH_ALL)
		return -EINVAL;
	if (by_mask ? set->bytes != 0 : set->mask || !is_power_of_2(set->bytes) ||
	    set->bytes < model.info.watch_granule || set->address % set->bytes)
		return -EINVAL;
	if (check_vmid())
		return check_vmid();
	for (set->id = 0; set->id < MODEL_NUM_WATCH; set->id++) {
		if (model.watches >> set->id & 1)
			continue;
		model.watches |= 1u << set->id;
		set->vmid = MODEL_VMID;
		return 0;
	}
	return -ENOSPC;
}

int model_watch_clear(void *arg)
{
	const struct amdgpudbg_watch_clear *clear = arg;

	if (clear->id >= MODEL_NUM_WATCH || !(model.watches >> clear->id & 1))
		return -ENOENT;
	model.watches &= ~(1u << clear->id);
	return 0;
}

int model_launch_set(void *arg)
{
	struct amdgpudbg_launch_set *set = arg;

	if (set->size != sizeof(*set) ||
	    (set->excp_mask && !(set->flags & AMDGPUDBG_LAUNCH_SET_EXCP)))
		return -EINVAL;
	set->vmid = MODEL_VMID;
	return check_vmid();
}
