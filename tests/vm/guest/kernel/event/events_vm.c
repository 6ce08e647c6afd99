// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of mappings that are added and removed, as when code is loaded and unloaded.
 */
#include "events.h"
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "until.h"

#define CHANGED (1ULL << AMDGPUDBG_EVENT_VM_CHANGED)
#define DEADLINE_S 60
#define CODE_VA 0x300000000	/* nothing else is mapped there */
#define CODE_BYTES 4096
#define UNREAD 100		/* changes that no event is read of */

static void map_code(bool map)
{
	assert_int_equal(amdgpu_bo_va_op_raw(prog.gpu.dev, prog.buf[PROG_IN].bo, 0, CODE_BYTES,
					     CODE_VA, map ? AMDGPU_VM_PAGE_READABLE |
					     AMDGPU_VM_PAGE_EXECUTABLE : 0,
					     map ? AMDGPU_VA_OP_MAP : AMDGPU_VA_OP_UNMAP), 0);
}

static bool is_mapped(uint64_t *generation)
{
	struct amdgpudbg_mapping mapping;
	struct amdgpudbg_vm_list list = {
		.size = sizeof(list), .va = CODE_VA, .bytes = 1, .capacity = 1,
		.entry_size = sizeof(mapping), .mappings = (uintptr_t)&mapping,
	};

	assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_VM_LIST, &list), 0);
	*generation = list.generation;
	return list.count;
}

/* An event of before may come first, but the one of this change comes, too. */
static void notice(bool mapped, uint64_t *generation)
{
	int64_t end = deadline_ns(DEADLINE_S);
	struct amdgpudbg_event event;
	uint64_t listed;

	do {
		assert_true(now_ns() < end);
		event = next_event(dev);
		assert_int_equal(event.type, AMDGPUDBG_EVENT_VM_CHANGED);
		assert_true(event.generation > *generation);
		*generation = event.generation;
	} while (is_mapped(&listed) != mapped);
	assert_true(listed >= event.generation);
}

void code_that_comes_and_goes_is_noticed_each_time(void **state)
{
	const char *is_long = getenv("GUEST_LONG");
	int i, rounds = is_long && atoi(is_long) ? 1000 : 50;
	uint64_t generation;

	(void)state;
	dev = own_session(CHANGED, 0, NULL);
	assert_false(is_mapped(&generation));
	assert_int_not_equal(generation, 0);
	for (i = 0; i < rounds; i++) {
		map_code(true);
		notice(true, &generation);
		map_code(false);
		notice(false, &generation);
	}
}

void changes_that_are_not_read_are_one_event_or_two(void **state)
{
	struct amdgpudbg_event event;
	uint64_t generation;
	int i, num = 0;

	(void)state;
	dev = own_session(CHANGED, 0, NULL);
	for (i = 0; i < UNREAD; i++) {
		map_code(true);
		map_code(false);
	}
	map_code(true);
	do {
		event = next_event(dev);
		assert_int_equal(event.type, AMDGPUDBG_EVENT_VM_CHANGED);
		num++;
	} while (!is_mapped(&generation) || generation > event.generation);
	/* One that is read first, one for all others, and one that is on its way */
	assert_in_range(num, 1, 3);
	map_code(false);
}

void only_the_targets_mappings_are_reported(void **state)
{
	struct amdgpudbg_target_set set = { .size = sizeof(set), .pidfd = -1 };
	int other = open_session();
	uint64_t generation;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	is_mapped(&generation);
	/* The session does not count what it does not want to know. */
	assert_int_equal(generation, 0);
	assert_int_equal(enable(dev, CHANGED, 0), 0);
	set.drm_fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	assert_true(set.drm_fd >= 0);
	assert_int_equal(ioctl(other, AMDGPUDBG_IOC_TARGET_SET, &set), 0);
	assert_int_equal(enable(other, CHANGED, 0), 0);
	map_code(true);
	assert_int_equal(next_event(dev).type, AMDGPUDBG_EVENT_VM_CHANGED);
	/* All sessions get their event at the same time. */
	assert_int_equal(read_error(other), -EAGAIN);
	map_code(false);
	close(set.drm_fd);
	close(other);
}
