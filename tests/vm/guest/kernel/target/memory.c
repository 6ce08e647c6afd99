// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The target's memory by GPU address, and its mappings, through the ioctls. This process is the
 * target and the debugger, with the rights of an ordinary user.
 *
 * memory patches: patches of its code.
 * memory buffers [TEST]: buffers of a debugger in a target that works against it.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"

int dev = -1;
int udmabuf = -1;

/* ---------------------------------------------------------------- objects */

void bo_room(struct bo *b, uint64_t bytes, bool high)
{
	memset(b, 0, sizeof(*b));
	assert_int_equal(amdgpu_va_range_alloc(prog.gpu.dev,
					       amdgpu_gpu_va_range_general,
					       bytes, 1 << 16, 0, &b->reserved,
					       &b->range,
					       high ? AMDGPU_VA_RANGE_HIGH : 0),
			 0);
}

int bo_map(struct bo *b, uint64_t offset, uint64_t bytes, uint64_t va,
	   uint64_t flags)
{
	return amdgpu_bo_va_op_raw(prog.gpu.dev, b->bo, offset, bytes, va,
				   flags, AMDGPU_VA_OP_MAP);
}

void bo_unmap(struct bo *b, uint64_t offset, uint64_t bytes, uint64_t va)
{
	assert_int_equal(amdgpu_bo_va_op_raw(prog.gpu.dev, b->bo, offset, bytes,
					     va, b->bo ? 0 : AMDGPU_VM_PAGE_PRT,
					     AMDGPU_VA_OP_UNMAP), 0);
}

void bo_new(struct bo *b, uint32_t domain, uint64_t flags, bool high)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = BO_BYTES,
		.phys_alignment = PAGE,
		.preferred_heap = domain,
		.flags = flags,
	};

	bo_room(b, BO_BYTES + PAGE, high);
	assert_int_equal(amdgpu_bo_alloc(prog.gpu.dev, &req, &b->bo), 0);
	b->va = b->reserved + PAGE;
	assert_int_equal(bo_map(b, SKIPPED, MAPPED, b->va,
				AMDGPU_VM_PAGE_READABLE |
				AMDGPU_VM_PAGE_WRITEABLE), 0);
	if (!(flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS))
		assert_int_equal(amdgpu_bo_cpu_map(b->bo, (void **)&b->cpu), 0);
}

void bo_free(struct bo *b)
{
	if (b->cpu)
		amdgpu_bo_cpu_unmap(b->bo);
	if (b->va)
		bo_unmap(b, SKIPPED, MAPPED, b->va);
	if (b->bo)
		amdgpu_bo_free(b->bo);
	amdgpu_va_range_free(b->range);
}

uint8_t pattern(uint64_t at)
{
	return at * 7 + at / 251;
}

/* ------------------------------------------------------------------ calls */

int vm_access(int fd, uint32_t flags, uint64_t va, void *data, uint64_t bytes,
	      struct amdgpudbg_vm_access *a)
{
	struct amdgpudbg_vm_access access = {
		.size = sizeof(access),
		.flags = flags,
		.va = va,
		.data = (uintptr_t)data,
		.bytes = bytes,
	};
	int ret = self_call(fd, AMDGPUDBG_IOC_VM_ACCESS, &access);

	if (!ret)
		assert_int_equal(access.done, bytes);
	if (a)
		*a = access;
	return ret;
}

int vm_read(uint64_t va, void *data, uint64_t bytes)
{
	return vm_access(dev, 0, va, data, bytes, NULL);
}

int vm_write(uint64_t va, const void *data, uint64_t bytes)
{
	return vm_access(dev, AMDGPUDBG_VM_ACCESS_WRITE, va, (void *)data,
			 bytes, NULL);
}

int vm_list(uint64_t va, uint64_t bytes, struct amdgpudbg_mapping *m,
	    uint32_t max)
{
	struct amdgpudbg_vm_list list = {
		.size = sizeof(list),
		.va = va,
		.bytes = bytes,
		.entry_size = sizeof(*m),
		.capacity = max,
		.mappings = (uintptr_t)m,
	};
	int ret = self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list);

	if (ret && ret != -EMSGSIZE)
		return ret;
	assert_int_equal(ret, list.count > max ? -EMSGSIZE : 0);
	return list.count;
}

void vm_at(uint64_t va, struct amdgpudbg_mapping *m)
{
	assert_int_equal(vm_list(va, 1, m, 1), 1);
}

void set_quirk(const char *name, unsigned int value)
{
	char question[96], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"quirk\",\"name\":\"%s\",\"value\":%u}", name,
		 value);
	be(ROOT, true);
	assert_int_equal(vgpu_ask(question, answer, sizeof(answer)), 0);
	be(USER, true);
	assert_non_null(strstr(answer, "true"));
}

/* ------------------------------------------------------------------ tests */

static const struct kind {
	uint32_t domain;
	uint64_t flags;
} kinds[] = {
	{ AMDGPU_GEM_DOMAIN_GTT, 0 },
	{ AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_CREATE_CPU_GTT_USWC },
	{ AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID },
	{ AMDGPU_GEM_DOMAIN_CPU, 0 },
	{ AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED },
	{ AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED |
				  AMDGPU_GEM_CREATE_VM_ALWAYS_VALID },
	{ AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED |
				  AMDGPU_GEM_CREATE_VRAM_CLEARED },
};

#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Places of what is mapped, and lengths: odd ones, whole pages, all */
static const struct {
	uint32_t at, bytes;
} places[] = {
	{ 0, 1 }, { 0, MAPPED }, { 1, 4095 }, { 4095, 2 }, { 4096, 4096 },
	{ 12345, 70001 }, { MAPPED - 1, 1 }, { 3, 65536 }, { 2048, 2048 },
};

#define NUM_PLACES (sizeof(places) / sizeof(places[0]))

static uint8_t buffer[MAPPED + 2 * PAGE];

static void is_read(const struct bo *b, uint32_t at, uint32_t bytes)
{
	uint32_t i;

	memset(buffer, 0xee, sizeof(buffer));
	assert_int_equal(vm_read(b->va + at, buffer + 1, bytes), 0);
	assert_int_equal(buffer[0], 0xee);
	assert_int_equal(buffer[1 + bytes], 0xee);
	for (i = 0; i < bytes; i++)
		assert_int_equal(buffer[1 + i], b->cpu[SKIPPED + at + i]);
}

/* The CPU sees it, and its neighbours as they were. */
static void is_written(const struct bo *b, uint32_t at, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		buffer[i] = ~pattern(at + i);
	assert_int_equal(vm_write(b->va + at, buffer, bytes), 0);
	for (i = 0; i < BO_BYTES; i++) {
		bool within = i >= SKIPPED + at && i < SKIPPED + at + bytes;

		assert_int_equal(b->cpu[i], within ?
				 (uint8_t)~pattern(i - SKIPPED) : pattern(i));
	}
	for (i = 0; i < BO_BYTES; i++)
		b->cpu[i] = pattern(i);
}

static void memory_of_each_kind_is_accessed(void **state)
{
	struct bo b;
	size_t k, p;
	uint32_t i;

	(void)state;
	for (k = 0; k < NUM_KINDS; k++) {
		bo_new(&b, kinds[k].domain, kinds[k].flags, k % 2);
		for (i = 0; i < BO_BYTES; i++)
			b.cpu[i] = pattern(i);
		for (p = 0; p < NUM_PLACES; p++) {
			is_read(&b, places[p].at, places[p].bytes);
			is_written(&b, places[p].at, places[p].bytes);
		}
		bo_free(&b);
	}
}

/* What follows from @va on has no memory: after so many bytes, all of them right */
static void ends_after(uint64_t va, uint32_t done, uint32_t bytes)
{
	struct amdgpudbg_vm_access a;

	assert_int_equal(vm_access(dev, 0, va, buffer, bytes, &a), -ENXIO);
	assert_int_equal(a.done, done);
	assert_int_equal(a.bad, va + done);
	assert_int_equal(a.kind, AMDGPUDBG_KIND_NONE);
	assert_int_equal(vm_access(dev, AMDGPUDBG_VM_ACCESS_WRITE, va, buffer,
				   bytes, &a), -ENXIO);
	assert_int_equal(a.done, done);
	assert_int_equal(a.bad, va + done);
}

static void where_nothing_is_mapped_there_is_no_memory(void **state)
{
	static const uint64_t nowhere[] = {
		0, 1, (1ull << 47) - 1, 1ull << 47, 1ull << 48, ~0ull,
		1ull << 63, 0xffff7fffffffffff, 0xffff800000000000,
		0x0001000000000000, 0xffefffffffffffff,
	};
	struct bo b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		ends_after(nowhere[i], 0, 1);
		ends_after(nowhere[i], 0, 100000);
	}
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	ends_after(b.va - 1, 0, 1);
	ends_after(b.va - 1, 0, 2);
	ends_after(b.va + MAPPED, 0, 1);
	ends_after(b.va + MAPPED - 1, 1, 2);
	ends_after(b.va, MAPPED, MAPPED + 1);
	ends_after(b.va + 5, MAPPED - 5, MAPPED + PAGE);
	/* What had memory, until it was unmapped. */
	bo_unmap(&b, SKIPPED, MAPPED, b.va);
	ends_after(b.va, 0, 1);
	b.va = 0;
	bo_free(&b);
}

/* Objects of two kinds that follow each other, and one of them twice */
static void an_access_crosses_boundaries_of_buffers(void **state)
{
	uint64_t rw = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE;
	struct bo a, b, room;
	uint32_t i;

	(void)state;
	bo_new(&a, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	bo_new(&b, AMDGPU_GEM_DOMAIN_VRAM,
	       AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, false);
	for (i = 0; i < BO_BYTES; i++) {
		a.cpu[i] = pattern(i);
		b.cpu[i] = ~pattern(i);
	}
	bo_room(&room, 3 * PAGE, false);
	assert_int_equal(bo_map(&a, 0, PAGE, room.reserved, rw), 0);
	assert_int_equal(bo_map(&b, PAGE, PAGE, room.reserved + PAGE, rw), 0);
	assert_int_equal(bo_map(&a, 5 * PAGE, PAGE, room.reserved + 2 * PAGE,
				rw), 0);

	assert_int_equal(vm_read(room.reserved + 100, buffer, 3 * PAGE - 100),
			 0);
	assert_memory_equal(buffer, a.cpu + 100, PAGE - 100);
	assert_memory_equal(buffer + PAGE - 100, b.cpu + PAGE, PAGE);
	assert_memory_equal(buffer + 2 * PAGE - 100, a.cpu + 5 * PAGE, PAGE);
	memset(buffer, 0x55, 2 * PAGE);
	assert_int_equal(vm_write(room.reserved + PAGE - 1, buffer, PAGE + 2),
			 0);
	assert_int_equal(a.cpu[PAGE - 2], pattern(PAGE - 2));
	assert_int_equal(a.cpu[PAGE - 1], 0x55);
	assert_int_equal(a.cpu[PAGE], pattern(PAGE));
	assert_memory_equal(b.cpu + PAGE, buffer, PAGE);
	assert_int_equal(b.cpu[2 * PAGE], (uint8_t)~pattern(2 * PAGE));
	assert_int_equal(a.cpu[5 * PAGE], 0x55);
	assert_int_equal(a.cpu[5 * PAGE + 1], pattern(5 * PAGE + 1));

	bo_unmap(&a, 0, PAGE, room.reserved);
	bo_unmap(&b, PAGE, PAGE, room.reserved + PAGE);
	bo_unmap(&a, 5 * PAGE, PAGE, room.reserved + 2 * PAGE);
	bo_free(&room);
	bo_free(&a);
	bo_free(&b);
}

/* Bit 47 is a sign, or it is not. */
static void addresses_may_lack_their_sign(void **state)
{
	struct amdgpudbg_mapping m;
	struct bo b;
	uint8_t c;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, true);
	assert_int_equal(b.va >> 47, 0x1ffff);
	b.cpu[SKIPPED + 77] = 42;
	assert_int_equal(vm_read(b.va + 77, &c, 1), 0);
	assert_int_equal(c, 42);
	c = 0;
	assert_int_equal(vm_read((b.va & 0xffffffffffff) + 77, &c, 1), 0);
	assert_int_equal(c, 42);
	assert_int_equal(vm_read((b.va & 0x1ffffffffffff) + 77, &c, 1), -ENXIO);
	assert_int_equal(vm_read(b.va + 77 - (1ull << 63), &c, 1), -ENXIO);
	vm_at(b.va & 0xffffffffffff, &m);
	assert_int_equal(m.va, b.va);
	vm_at(b.va, &m);
	assert_int_equal(m.va, b.va);
	bo_free(&b);
}

static void wrong_memory_calls_are_refused(void **state)
{
	uint8_t *last = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct amdgpudbg_vm_access a;
	struct bo b;
	uint64_t max = AMDGPUDBG_VM_ACCESS_MAX;

	(void)state;
	assert_ptr_not_equal(last, MAP_FAILED);
	assert_int_equal(mprotect(last + PAGE, PAGE, PROT_NONE), 0);
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	assert_int_equal(vm_access(dev, 16, b.va, buffer, 1, &a), -EOPNOTSUPP);
	assert_int_equal(vm_read(b.va, buffer, max + 1), -EINVAL);
	assert_int_equal(vm_read(b.va, buffer, UINT64_MAX), -EINVAL);
	assert_int_equal(vm_read(b.va, buffer, 0), 0);
	assert_int_equal(vm_read(1ull << 62, NULL, 0), 0);
	assert_int_equal(vm_access(dev, 0, b.va, (void *)1, 1, &a), -EFAULT);
	assert_int_equal(a.bad, 0);
	assert_int_equal(vm_write(b.va, (void *)1, 1), -EFAULT);
	/* The caller's own memory ends within it. */
	assert_int_equal(vm_read(b.va, last + PAGE - 4, 8), -EFAULT);
	assert_int_equal(vm_write(b.va, last + PAGE - 4, 8), -EFAULT);
	bo_free(&b);
	munmap(last, 2 * PAGE);
}

void map_handle(int drm, uint32_t handle, uint64_t va)
{
	struct drm_amdgpu_gem_va map = {
		.handle = handle,
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE,
		.va_address = va,
		.map_size = PAGE,
	};

	assert_int_equal(ioctl(drm, DRM_IOCTL_AMDGPU_GEM_VA, &map), 0);
}

void *map_in(int drm, uint64_t va)
{
	union drm_amdgpu_gem_create create = {
		.in.bo_size = PAGE,
		.in.alignment = PAGE,
		.in.domains = AMDGPU_GEM_DOMAIN_GTT,
	};
	union drm_amdgpu_gem_mmap where = { 0 };
	void *cpu;

	assert_int_equal(ioctl(drm, DRM_IOCTL_AMDGPU_GEM_CREATE, &create), 0);
	map_handle(drm, create.out.handle, va);
	where.in.handle = create.out.handle;
	assert_int_equal(ioctl(drm, DRM_IOCTL_AMDGPU_GEM_MMAP, &where), 0);
	cpu = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, drm,
		   where.out.addr_ptr);
	assert_ptr_not_equal(cpu, MAP_FAILED);
	return cpu;
}

/* Each file has an address space of its own, whatever is at the same address. */
static void address_spaces_of_other_processes_are_not_accessed(void **state)
{
	int other = open(NODE, O_RDWR | O_CLOEXEC);
	int drm = open(RENDER, O_RDWR | O_CLOEXEC);
	struct amdgpudbg_vm_access a;
	struct bo mine;
	uint8_t *theirs, c;

	(void)state;
	assert_true(other >= 0 && drm >= 0);
	bo_new(&mine, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	mine.cpu[SKIPPED] = 1;
	assert_int_equal(vm_access(other, 0, mine.va, &c, 1, &a), -ENOTCONN);
	assert_int_equal(a.bad, 0);
	assert_int_equal(set_target(other, drm, false), 0);
	assert_int_equal(vm_access(other, 0, mine.va, &c, 1, &a), -ENXIO);

	theirs = map_in(drm, mine.va);
	*theirs = 2;
	assert_int_equal(vm_access(other, 0, mine.va, &c, 1, &a), 0);
	assert_int_equal(c, 2);
	assert_int_equal(vm_read(mine.va, &c, 1), 0);
	assert_int_equal(c, 1);
	c = 3;
	assert_int_equal(vm_access(other, AMDGPUDBG_VM_ACCESS_WRITE, mine.va, &c,
				   1, &a), 0);
	assert_int_equal(*theirs, 3);
	assert_int_equal(mine.cpu[SKIPPED], 1);

	/* When the target has gone, so has its memory. */
	munmap(theirs, PAGE);
	close(drm);
	assert_int_equal(set_target(other, -1, false), 0);
	assert_int_equal(vm_access(other, 0, mine.va, &c, 1, &a), -ENOTCONN);
	bo_free(&mine);
	close(other);
}

bool child_has_ended(void *arg)
{
	pid_t *pid = arg;
	int status;

	if (*pid > 0 && waitpid(*pid, &status, WNOHANG) == *pid)
		*pid = WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
	return *pid <= 0;
}

static int set_up_group(void **state)
{
	(void)state;
	/* Only root may have that one. */
	udmabuf = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	be(USER, true);
	if (open_prog())
		return -1;
	dev = open(NODE, O_RDWR | O_CLOEXEC);
	return dev < 0 ? -1 : set_target(dev, prog.gpu.fd, false);
}

static int take_down_group(void **state)
{
	(void)state;
	close(dev);
	prog_close(&prog);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_each_kind_is_accessed),
		cmocka_unit_test(where_nothing_is_mapped_there_is_no_memory),
		cmocka_unit_test(an_access_crosses_boundaries_of_buffers),
		cmocka_unit_test(addresses_may_lack_their_sign),
		cmocka_unit_test(wrong_memory_calls_are_refused),
		cmocka_unit_test(address_spaces_of_other_processes_are_not_accessed),
		cmocka_unit_test(the_list_has_all_mappings),
		cmocka_unit_test(the_records_of_the_list_have_a_stride),
		cmocka_unit_test(wrong_calls_of_the_list_are_refused),
		cmocka_unit_test(pages_of_the_process_are_reported),
		cmocka_unit_test(imported_memory_is_refused),
		cmocka_unit_test(prt_mappings_are_no_memory),
		cmocka_unit_test(buffers_of_the_driver_are_refused),
		cmocka_unit_test(code_is_what_a_halted_wave_runs),
		cmocka_unit_test(code_may_lie_above_the_hole),
		cmocka_unit_test(a_wave_sees_what_was_written),
		cmocka_unit_test(the_gpu_sees_memory_without_a_bar),
		cmocka_unit_test(data_in_a_cache_is_not_read),
		cmocka_unit_test(mappings_may_be_removed_during_a_list),
		cmocka_unit_test(memory_that_is_moved_is_refused),
		cmocka_unit_test(untouched_memory_reads_zero),
		cmocka_unit_test(swapped_out_memory_is_read),
		cmocka_unit_test(other_callers_do_not_wait_for_pages),
	};
	const struct CMUnitTest patches[] = {
		cmocka_unit_test(a_patch_is_executed_until_it_is_removed),
		cmocka_unit_test(a_write_changes_memory_under_a_patch),
		cmocka_unit_test(the_size_of_patches_is_limited),
		cmocka_unit_test(a_user_has_a_limited_number_of_sessions),
		cmocka_unit_test(a_user_has_a_limited_number_of_patches),
		cmocka_unit_test(a_user_has_a_limited_number_of_buffers),
		cmocka_unit_test(memory_of_a_session_is_accounted_to_the_caller),
		cmocka_unit_test(unpatch_loses_no_store_of_the_program),
		cmocka_unit_test(an_object_is_patched_once_at_all_addresses),
		cmocka_unit_test(an_object_is_patched_once_in_all_processes),
		cmocka_unit_test(a_patch_stays_with_its_object),
		cmocka_unit_test(other_memory_is_patched_at_the_same_address),
		cmocka_unit_test(freed_memory_takes_its_patch_along),
		cmocka_unit_test(waves_that_wait_at_a_patch_continue_there),
		cmocka_unit_test(waves_halted_at_a_patch_resume_at_the_original_instruction),
		cmocka_unit_test(unpatch_keep_leaves_waves_behind_the_s_trap),
		cmocka_unit_test(waves_continue_at_all_addresses_of_a_patch),
		cmocka_unit_test(waves_stay_at_patches_that_stay),
		cmocka_unit_test(patches_are_removed_before_their_handler),
		cmocka_unit_test(patches_of_many_sessions_wait_once_when_the_handler_is_cleared),
		cmocka_unit_test(patches_of_many_sessions_wait_once_when_their_time_is_over),
		cmocka_unit_test(patches_of_many_sessions_wait_once_when_the_vmid_is_given_back),
		cmocka_unit_test(patches_of_a_killed_debugger_are_removed),
		cmocka_unit_test(without_invalidation_the_old_code_runs),
		cmocka_unit_test(a_patch_is_removed_with_its_target),
		cmocka_unit_test(patches_stay_when_another_target_loses_its_vmid),
		cmocka_unit_test(a_swapped_out_patch_is_removed),
		cmocka_unit_test(patches_wait_for_jobs_without_the_handler),
		cmocka_unit_test(a_patch_goes_with_its_handler_that_a_reset_ends),
	};

	const struct CMUnitTest buffers[] = {
		cmocka_unit_test(a_copy_of_a_fragmented_buffer_stays_in_it),
		cmocka_unit_test(a_replaced_buffer_shows_no_other_memory),
		cmocka_unit_test(calls_end_while_a_target_is_blocked),
		cmocka_unit_test(waves_are_resumed_while_a_target_is_blocked),
		cmocka_unit_test(a_vmid_is_given_back_while_its_target_is_blocked),
		cmocka_unit_test(closes_that_wait_for_jobs_are_bounded_and_delay_no_session),
		cmocka_unit_test(a_page_that_never_comes_does_not_delay_unbind),
	};

	if (argc == 3 && !strcmp(argv[1], "leave-job"))
		return leave_job(argv[2]);
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "buffers"))
		return cmocka_run_group_tests(buffers, set_up_group,
					      take_down_group);
	if (argc > 1 && !strcmp(argv[1], "patches"))
		return cmocka_run_group_tests(patches, set_up_group,
					      take_down_group);
	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
