/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "memory": buffer objects of every kind in this process's GPU address space, and a
 * debugger's accesses to them by address. Unless stated otherwise, a failure ends the test.
 */
#ifndef GUEST_MEMORY_H
#define GUEST_MEMORY_H

#include <linux/amdgpudbg.h>

#include "trap_prog.h"

#define RENDER "/dev/dri/renderD128"
#define PAGE 4096
#define BO_BYTES (256 << 10)
#define SKIPPED (2 * PAGE)	/* of a buffer object, before what is mapped */
#define MAPPED (BO_BYTES - SKIPPED)

#define PATCH (AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH)

#define UNPATCH_KEEP (AMDGPUDBG_VM_ACCESS_UNPATCH | AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP)

extern int dev;		/* the session */
extern int udmabuf;	/* /dev/udmabuf, or -1 */

struct bo {
	amdgpu_bo_handle bo;
	amdgpu_va_handle range;
	uint64_t reserved;	/* first address of the reserved range */
	uint64_t va;		/* where it is mapped */
	uint8_t *cpu;		/* of its first byte, or NULL */
};

/*
 * A buffer object, mapped from SKIPPED on, with a page's room before and behind. With
 * @high, in the upper half of the addresses.
 */
void bo_new(struct bo *b, uint32_t domain, uint64_t flags, bool high);
void bo_free(struct bo *b);
/* Reserve unused addresses; bo_free() releases them. */
void bo_room(struct bo *b, uint64_t bytes, bool high);
int bo_map(struct bo *b, uint64_t offset, uint64_t bytes, uint64_t va,
	   uint64_t flags);
void bo_unmap(struct bo *b, uint64_t offset, uint64_t bytes, uint64_t va);

/*
 * A page of the address space of another DRM file, and where it is here. Not by libdrm,
 * for which two files of a process are one device.
 */
void *map_in(int drm, uint64_t va);
/* The first page of an object of such a file. */
void map_handle(int drm, uint32_t handle, uint64_t va);

/* Get the byte of the test pattern at an offset; it differs from its neighbours. */
uint8_t pattern(uint64_t at);

/* 0 or -errno, and the whole answer if @a is not NULL. */
int vm_access(int fd, uint32_t flags, uint64_t va, void *data, uint64_t bytes,
	      struct amdgpudbg_vm_access *a);
int vm_read(uint64_t va, void *data, uint64_t bytes);
int vm_write(uint64_t va, const void *data, uint64_t bytes);
/* How many mappings have an address there, and the first @max; or -errno. */
int vm_list(uint64_t va, uint64_t bytes, struct amdgpudbg_mapping *m,
	    uint32_t max);
/* A session whose target is this process. */
int session(void);
int patch(int fd, uint64_t va, uint32_t value);
int unpatch(int fd, uint64_t va, uint64_t bytes);
/* All waves of this process are halted, and listed. How many, at most @max */
uint32_t halt_waves(int fd, struct amdgpudbg_wave *waves, uint32_t max);
/* The only one that has this address. */
void vm_at(uint64_t va, struct amdgpudbg_mapping *m);

/* For until(): has the child at @pid ended? Then sets @pid to 0, or to -1 if the child failed. */
bool child_has_ended(void *pid);

/* What the software GPU assumes of hardware: an assumption's name */
void set_quirk(const char *name, unsigned int value);

/* memory_list.c */
void the_list_has_all_mappings(void **state);
void the_records_of_the_list_have_a_stride(void **state);
void wrong_calls_of_the_list_are_refused(void **state);
void pages_of_the_process_are_reported(void **state);
void imported_memory_is_refused(void **state);
void prt_mappings_are_no_memory(void **state);
void buffers_of_the_driver_are_refused(void **state);

/* memory_waves.c */
void code_may_lie_above_the_hole(void **state);
void code_is_what_a_halted_wave_runs(void **state);
void a_wave_sees_what_was_written(void **state);
void the_gpu_sees_memory_without_a_bar(void **state);
void data_in_a_cache_is_not_read(void **state);
void mappings_may_be_removed_during_a_list(void **state);

/* memory_moved.c */
void memory_that_is_moved_is_refused(void **state);

/* memory_objects.c */
void an_object_is_patched_once_at_all_addresses(void **state);
void an_object_is_patched_once_in_all_processes(void **state);
void a_patch_stays_with_its_object(void **state);
void other_memory_is_patched_at_the_same_address(void **state);
void freed_memory_takes_its_patch_along(void **state);
/* memory_buffers.c */
void a_copy_of_a_fragmented_buffer_stays_in_it(void **state);
void a_replaced_buffer_shows_no_other_memory(void **state);
void waves_are_resumed_while_a_target_is_blocked(void **state);
void calls_end_while_a_target_is_blocked(void **state);
void a_vmid_is_given_back_while_its_target_is_blocked(void **state);
/* Nothing can follow: the GPU has no driver then. */
void a_page_that_never_comes_does_not_delay_unbind(void **state);

/* memory_close.c */
/* As a process of its own: the target of a session, whose job runs on when it ends. */
int leave_job(const char *session);
void closes_that_wait_for_jobs_are_bounded_and_delay_no_session(void **state);

/* memory_swap.c */
void untouched_memory_reads_zero(void **state);
void swapped_out_memory_is_read(void **state);
void other_callers_do_not_wait_for_pages(void **state);
void a_swapped_out_patch_is_removed(void **state);

/* memory_patch.c */
void a_patch_is_executed_until_it_is_removed(void **state);
void a_write_changes_memory_under_a_patch(void **state);
void the_size_of_patches_is_limited(void **state);
void waves_that_wait_at_a_patch_continue_there(void **state);
void waves_halted_at_a_patch_resume_at_the_original_instruction(void **state);
void unpatch_keep_leaves_waves_behind_the_s_trap(void **state);
void patches_are_removed_before_their_handler(void **state);
void waves_continue_at_all_addresses_of_a_patch(void **state);
void waves_stay_at_patches_that_stay(void **state);
void patches_of_a_killed_debugger_are_removed(void **state);
void without_invalidation_the_old_code_runs(void **state);
void a_patch_is_removed_with_its_target(void **state);
void patches_stay_when_another_target_loses_its_vmid(void **state);
void patches_wait_for_jobs_without_the_handler(void **state);
void a_patch_goes_with_its_handler_that_a_reset_ends(void **state);

/* memory_race.c */
void unpatch_loses_no_store_of_the_program(void **state);

/* memory_rewind.c */
void patches_of_many_sessions_wait_once_when_the_handler_is_cleared(void **state);
void patches_of_many_sessions_wait_once_when_their_time_is_over(void **state);
void patches_of_many_sessions_wait_once_when_the_vmid_is_given_back(void **state);

/* memory_users.c */
void a_user_has_a_limited_number_of_sessions(void **state);
void a_user_has_a_limited_number_of_patches(void **state);
void a_user_has_a_limited_number_of_buffers(void **state);
void memory_of_a_session_is_accounted_to_the_caller(void **state);

#endif /* GUEST_MEMORY_H */
