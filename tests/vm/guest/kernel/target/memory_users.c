// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Limits for the sessions, patches and buffers of one user, and the memory cgroup to which the
 * module's memory is charged: see memory.h.
 */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "until.h"

#define TRACING "/sys/kernel/tracing/"

static int open_node(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void close_all(const int *fds, uint32_t num)
{
	while (num--)
		close(fds[num]);
}

/* This process has one more, and no other process of this user has any. */
void a_user_has_a_limited_number_of_sessions(void **state)
{
	int fds[AMDGPUDBG_SESSION_MAX], fd;
	uint32_t num = 0;

	(void)state;
	while (num < AMDGPUDBG_SESSION_MAX && (fds[num] = open_node()) >= 0)
		num++;
	assert_int_equal(num, AMDGPUDBG_SESSION_MAX - 1);
	assert_int_equal(open_node(), -EMFILE);
	/* It is not the process that has too many files. */
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);

	/* Another user is not concerned, nor is CAP_SYS_RESOURCE. */
	be(ROOT, true);
	fd = open_node();
	assert_true(fd >= 0);
	close(fd);
	be(USER, true);

	close(fds[--num]);
	fds[num] = open_node();
	assert_true(fds[num] >= 0);
	close_all(fds, num + 1);
}

/* As many as fit, from @va on; 0, or the first error. */
static int patch_many(int fd, uint64_t va)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < AMDGPUDBG_PATCH_MAX; i++)
		ret = patch(fd, va + 4 * i, 1);
	return ret;
}

void a_user_has_a_limited_number_of_patches(void **state)
{
	const uint32_t full = AMDGPUDBG_USER_PATCH_MAX / AMDGPUDBG_PATCH_MAX;
	int fds[AMDGPUDBG_USER_PATCH_MAX / AMDGPUDBG_PATCH_MAX], last, i;
	const uint32_t stride = 4 * AMDGPUDBG_PATCH_MAX;
	uint32_t *words;
	struct bo b;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	words = (uint32_t *)(b.cpu + SKIPPED);
	memset(words, 0, (full + 1) * stride);
	for (i = 0; i < (int)full; i++) {
		fds[i] = session();
		assert_int_equal(patch_many(fds[i], b.va + i * stride), 0);
	}
	last = session();
	assert_int_equal(patch(last, b.va + full * stride, 1), -ENOSPC);
	assert_int_equal(words[full * stride / 4], 0);
	be(ROOT, true);
	assert_int_equal(patch(last, b.va + full * stride, 1), 0);
	assert_int_equal(unpatch(last, b.va + full * stride, 4), 0);
	be(USER, true);

	/* Each that goes makes room for one. */
	assert_int_equal(unpatch(fds[0], b.va, 4), 0);
	assert_int_equal(patch(last, b.va + full * stride, 1), 0);
	assert_int_equal(patch(fds[0], b.va, 1), -ENOSPC);
	close_all(fds, full);
	assert_int_equal(patch(last, b.va, 1), 0);
	close(last);
	for (i = 0; i <= (int)(full * stride / 4); i++)
		assert_int_equal(words[i], 0);
	bo_free(&b);
}

static bool buffer_fits(void *fd)
{
	struct amdgpudbg_mem_alloc b;

	return !mem_alloc(*(int *)fd, &b, 0, 1);
}

/* One that is not removed yet counts, also when its session has ended. */
void a_user_has_a_limited_number_of_buffers(void **state)
{
	int fds[AMDGPUDBG_USER_BUFFER_MAX / AMDGPUDBG_MEM_MAX_BUFFERS], i, j;
	const int full = AMDGPUDBG_USER_BUFFER_MAX / AMDGPUDBG_MEM_MAX_BUFFERS;
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), other = open_node();
	struct amdgpudbg_mem_alloc b;
	struct gpu_job job;

	(void)state;
	assert_true(drm >= 0 && other >= 0);
	assert_int_equal(set_target(other, drm, false), 0);
	for (i = 0; i < full; i++) {
		fds[i] = session();
		for (j = 0; j < AMDGPUDBG_MEM_MAX_BUFFERS; j++)
			assert_int_equal(mem_alloc(fds[i], &b, 0, 1), 0);
	}
	assert_int_equal(mem_alloc(other, &b, 0, 1), -ENOSPC);
	be(ROOT, true);
	assert_int_equal(mem_alloc(other, &b, 0, 1), 0);
	assert_int_equal(mem_free(other, b.id), 0);
	be(USER, true);

	/* A job of their address space keeps them. */
	start("trap_spin", &job);
	wait_begun();
	close_all(fds, full);
	assert_int_equal(mem_alloc(other, &b, 0, 1), -ENOSPC);
	stop_spinning();
	finish(&job, -1);
	assert_true(until(buffer_fits, &other, DEADLINE_S));
	/* Those of this process's address space have a limit of their own. */
	assert_true(until(buffer_fits, &dev, DEADLINE_S));
	close(other);
	close(drm);
}

/* As the shell's ">": what was there is forgotten first. */
static void write_anew(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	assert_true(fd >= 0);
	if (*text)
		assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Allocations of this process's calls that the kernel makes from here on, or not */
static void trace_allocations(bool on)
{
	char pid[16] = "";

	if (on)
		snprintf(pid, sizeof(pid), "%d", getpid());
	be(ROOT, true);
	write_anew(TRACING "set_event_pid", pid);
	if (on)
		write_anew(TRACING "trace", "");
	write_anew(TRACING "events/kmem/kmalloc/enable", on ? "1" : "0");
	be(USER, true);
}

/* Those of the module; how many are accounted, and how many are not */
static void read_allocations(uint32_t *accounted, uint32_t *others)
{
	char line[512];
	FILE *f;

	be(ROOT, true);
	f = fopen(TRACING "trace", "r");
	assert_non_null(f);
	*accounted = 0;
	*others = 0;
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "[amdgpudbg]"))
			continue;
		if (strstr(line, "_ACCOUNT")) {
			++*accounted;
			continue;
		}
		++*others;
		print_message("# %s", line);
	}
	fclose(f);
	be(USER, true);
}

/* Calls of each kind that keep something, or need room for it */
static void call_for_memory(uint64_t va)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST,
		.entry_size = sizeof(struct amdgpudbg_event),
	};
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_SGPR, .count = 1,
	};
	struct amdgpudbg_reg_access access = {
		.size = sizeof(access), .num_ranges = 1, .num_values = 1,
		.ranges = (uintptr_t)&range,
	};
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_mapping mappings[4];
	uint32_t code[64] = { 0 };
	struct handler h;
	int fd = session();

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
	load(fd, &h, code, sizeof(code));
	assert_int_equal(install_loaded(fd, &h), 0);
	assert_int_equal(patch(fd, va, 1), 0);
	assert_true(vm_list(0, 0, mappings, 4) > 0);
	assert_int_equal(vm_read(va, code, sizeof(code)), 0);
	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), 0);
	access.values = (uintptr_t)code;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_REG_ACCESS, &access),
			 -ENODATA);
	assert_int_equal(mem_read(fd, h.code.id, 0, code, sizeof(code)), 0);
	close(fd);
}

/* The memory cgroup of who calls has a limit; without it, a user could use up all there is. */
void memory_of_a_session_is_accounted_to_the_caller(void **state)
{
	uint32_t accounted, others;

	(void)state;
	trace_allocations(true);
	call_for_memory(prog.buf[PROG_IN].va);
	trace_allocations(false);
	read_allocations(&accounted, &others);
	/* The session, its user, target, patch, object, reservation, buffers, events */
	assert_true(accounted >= 8);
	assert_int_equal(others, 0);
}
