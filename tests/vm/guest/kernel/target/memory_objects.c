// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A patch belongs to a buffer object and follows its mappings; it does not belong to an address:
 * see memory.h.
 */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "child.h"
#include "until.h"

#define NUM_WORDS 16
#define BIG (8 << 20)
#define THEIR_VA 0x200000000

/* What is mapped of it */
static uint32_t *words_of(const struct bo *b)
{
	return (uint32_t *)(b->cpu + SKIPPED);
}

static void new_words(struct bo *b, uint32_t domain)
{
	uint32_t i;

	bo_new(b, domain, 0, false);
	for (i = 0; i < NUM_WORDS; i++)
		words_of(b)[i] = i;
}

static void are_as_before(const struct bo *b)
{
	uint32_t i;

	for (i = 0; i < NUM_WORDS; i++)
		assert_int_equal(words_of(b)[i], i);
}

static int map_at(struct bo *b, uint64_t va)
{
	return bo_map(b, SKIPPED, MAPPED, va, AMDGPU_VM_PAGE_READABLE);
}

static void patch_twice(uint32_t domain)
{
	uint32_t two[] = { 77, 78 };
	int fd = session(), other = session();
	struct bo b, again;
	uint64_t va;

	new_words(&b, domain);
	bo_room(&again, BO_BYTES, false);
	va = again.reserved;
	assert_int_equal(map_at(&b, va), 0);
	assert_int_equal(patch(fd, b.va + 4, 11), 0);
	assert_int_equal(patch(fd, va + 4, 22), -EEXIST);
	assert_int_equal(vm_access(fd, PATCH, va, two, 8, NULL), -EEXIST);
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(patch(other, va + 4, 33), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_PATCH, getpid());
	assert_int_equal(unpatch(other, va + 4, 4), -ENOENT);
	assert_int_equal(words_of(&b)[1], 11);
	assert_int_equal(patch(other, va + 8, 44), 0);
	assert_int_equal(words_of(&b)[2], 44);

	/* Any address that it has will do. */
	assert_int_equal(unpatch(fd, va + 4, 4), 0);
	assert_int_equal(words_of(&b)[1], 1);
	assert_int_equal(patch(fd, va + 4, 55), 0);
	assert_int_equal(unpatch(fd, b.va + 4, 4), 0);
	assert_int_equal(patch(fd, va + 4, 66), 0);
	close(fd);
	close(other);
	are_as_before(&b);
	bo_unmap(&b, SKIPPED, MAPPED, va);
	bo_free(&again);
	bo_free(&b);
}

void an_object_is_patched_once_at_all_addresses(void **state)
{
	(void)state;
	patch_twice(AMDGPU_GEM_DOMAIN_GTT);
	patch_twice(AMDGPU_GEM_DOMAIN_VRAM);
}

/* A process that has the object of the dma-buf at @arg, too, and patches its word 1. */
static int patch_what_is_shared(void *arg)
{
	struct drm_prime_handle import = { .fd = *(int *)arg };
	int drm = open(RENDER, O_RDWR | O_CLOEXEC);
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	if (drm < 0 || fd < 0 ||
	    ioctl(drm, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import))
		return -errno;
	map_handle(drm, import.handle, THEIR_VA);
	if (set_target(fd, drm, false))
		return -ENOTCONN;
	return patch(fd, THEIR_VA + 4, 11);
}

void an_object_is_patched_once_in_all_processes(void **state)
{
	struct bo b, first;
	int fd = session();
	uint32_t buf;
	pid_t pid;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	bo_room(&first, BO_BYTES, false);
	/* They map it from its beginning on. */
	assert_int_equal(bo_map(&b, 0, PAGE, first.reserved,
				AMDGPU_VM_PAGE_READABLE), 0);
	((uint32_t *)b.cpu)[1] = 1;
	assert_int_equal(amdgpu_bo_export(b.bo,
					  amdgpu_bo_handle_type_dma_buf_fd,
					  &buf), 0);
	pid = child_hold(patch_what_is_shared, &buf);
	assert_true(pid > 0);
	assert_int_equal(((uint32_t *)b.cpu)[1], 11);
	assert_int_equal(patch(fd, first.reserved + 4, 22), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_PATCH, pid);
	/* The object's other bytes are free. */
	assert_int_equal(patch(fd, b.va + 4, 33), 0);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(((uint32_t *)b.cpu)[1], 1);
	assert_int_equal(patch(fd, first.reserved + 4, 22), 0);
	close(fd);
	assert_int_equal(((uint32_t *)b.cpu)[1], 1);
	close(buf);
	bo_unmap(&b, 0, PAGE, first.reserved);
	bo_free(&first);
	bo_free(&b);
}

/* From now on, @b is where @a was. */
static void replace(struct bo *a, struct bo *b)
{
	bo_unmap(a, SKIPPED, MAPPED, a->va);
	assert_int_equal(map_at(b, a->va), 0);
}

static void replace_back(struct bo *a, struct bo *b)
{
	bo_unmap(b, SKIPPED, MAPPED, a->va);
	assert_int_equal(map_at(a, a->va), 0);
}

/* Also where what is there now looks like the patch. */
void a_patch_stays_with_its_object(void **state)
{
	struct bo a, b;
	int fd, round;

	(void)state;
	new_words(&a, AMDGPU_GEM_DOMAIN_GTT);
	new_words(&b, AMDGPU_GEM_DOMAIN_GTT);
	for (round = 0; round < 2; round++) {
		fd = session();
		assert_int_equal(patch(fd, a.va + 4, 2), 0);
		words_of(&b)[1] = 2;
		replace(&a, &b);
		if (round)
			assert_int_equal(unpatch(fd, a.va + 4, 4), 0);
		else
			close(fd);
		assert_int_equal(words_of(&b)[1], 2);
		are_as_before(&a);
		replace_back(&a, &b);
	}
	close(fd);
	bo_free(&a);
	bo_free(&b);
}

void other_memory_is_patched_at_the_same_address(void **state)
{
	int fd = session(), other = session();
	struct bo a, b, c;

	(void)state;
	new_words(&a, AMDGPU_GEM_DOMAIN_GTT);
	new_words(&b, AMDGPU_GEM_DOMAIN_VRAM);
	assert_int_equal(patch(fd, a.va + 4, 11), 0);
	replace(&a, &b);
	assert_int_equal(patch(fd, a.va + 4, 22), 0);
	assert_int_equal(patch(other, a.va + 4, 33), -EBUSY);
	/* That which is there, and then that which was. */
	assert_int_equal(unpatch(fd, a.va + 4, 4), 0);
	are_as_before(&b);
	assert_int_equal(words_of(&a)[1], 11);
	assert_int_equal(patch(other, a.va + 4, 33), 0);
	assert_int_equal(unpatch(fd, a.va + 4, 4), 0);
	are_as_before(&a);
	assert_int_equal(unpatch(fd, a.va + 4, 4), -ENOENT);
	close(other);
	are_as_before(&b);
	replace_back(&a, &b);

	/* The one that was there is no more. */
	assert_int_equal(patch(fd, a.va + 4, 11), 0);
	c = a;
	bo_unmap(&a, SKIPPED, MAPPED, a.va);
	amdgpu_bo_cpu_unmap(a.bo);
	amdgpu_bo_free(a.bo);
	assert_int_equal(map_at(&b, c.va), 0);
	words_of(&b)[1] = 11;
	assert_int_equal(patch(fd, c.va + 8, 12), 0);
	close(fd);
	assert_int_equal(words_of(&b)[1], 11);
	assert_int_equal(words_of(&b)[2], 2);
	bo_unmap(&b, SKIPPED, MAPPED, c.va);
	amdgpu_va_range_free(c.range);
	bo_free(&b);
}

static uint64_t vram_usage(void)
{
	uint64_t bytes;

	assert_int_equal(amdgpu_query_info(prog.gpu.dev, AMDGPU_INFO_VRAM_USAGE,
					   sizeof(bytes), &bytes), 0);
	return bytes;
}

static bool is_at_most(void *arg)
{
	return vram_usage() <= *(uint64_t *)arg;
}

/* The debugger must not keep memory that the program has freed. */
void freed_memory_takes_its_patch_along(void **state)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = BIG,
		.phys_alignment = PAGE,
		.preferred_heap = AMDGPU_GEM_DOMAIN_VRAM,
		.flags = AMDGPU_GEM_CREATE_VRAM_CLEARED,
	};
	uint64_t before = vram_usage() + BIG / 2;
	int fd = session();
	struct bo b;

	(void)state;
	bo_room(&b, BIG, false);
	assert_int_equal(amdgpu_bo_alloc(prog.gpu.dev, &req, &b.bo), 0);
	assert_int_equal(bo_map(&b, 0, BIG, b.reserved, AMDGPU_VM_PAGE_READABLE),
			 0);
	assert_int_equal(patch(fd, b.reserved + 4, 11), 0);
	assert_false(is_at_most(&before));
	bo_unmap(&b, 0, BIG, b.reserved);
	assert_int_equal(amdgpu_bo_free(b.bo), 0);
	assert_true(until(is_at_most, &before, DEADLINE_S));
	assert_int_equal(unpatch(fd, b.reserved + 4, 4), -ENOENT);
	amdgpu_va_range_free(b.range);
	close(fd);
}
