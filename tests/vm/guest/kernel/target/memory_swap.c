// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory without pages: it was never accessed, or TTM has swapped it out, which it does when
 * objects have more pages than its limit. See memory.h.
 */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "until.h"

#define LIMIT "/sys/module/ttm/parameters/pages_limit"

static uint8_t got[MAPPED];

static void read_limit(char *text, size_t size)
{
	FILE *f = fopen(LIMIT, "r");

	assert_non_null(f);
	assert_non_null(fgets(text, size, f));
	fclose(f);
}

static void set_limit(const char *pages)
{
	be(ROOT, true);
	assert_int_equal(write_file(LIMIT, pages), 0);
	be(USER, true);
}

/* From now on an allocation swaps out all objects that are not in use. */
static void swap_out_others(void)
{
	char limit[32];
	struct bo b;

	read_limit(limit, sizeof(limit));
	bo_new(&b, AMDGPU_GEM_DOMAIN_CPU, 0, false);
	set_limit("1");
	b.cpu[0] = 1;
	set_limit(limit);
	bo_free(&b);
}

static bool is_zero(const uint8_t *data, size_t bytes)
{
	return !data[0] && !memcmp(data, data + 1, bytes - 1);
}

void untouched_memory_reads_zero(void **state)
{
	const uint32_t domains[] = {
		AMDGPU_GEM_DOMAIN_CPU, AMDGPU_GEM_DOMAIN_GTT,
	};
	uint32_t i, word = 77;
	struct bo b;

	(void)state;
	for (i = 0; i < 2; i++) {
		bo_new(&b, domains[i], 0, false);
		memset(got, 0xee, sizeof(got));
		assert_int_equal(vm_read(b.va, got, sizeof(got)), 0);
		assert_true(is_zero(got, sizeof(got)));
		bo_free(&b);

		/* Or the first who does is the debugger. */
		bo_new(&b, domains[i], 0, false);
		assert_int_equal(vm_write(b.va, &word, 4), 0);
		assert_int_equal(*(uint32_t *)(b.cpu + SKIPPED), 77);
		assert_true(is_zero(b.cpu + SKIPPED + 4, MAPPED - 4));
		bo_free(&b);
	}
}

void swapped_out_memory_is_read(void **state)
{
	const uint32_t domains[] = {
		AMDGPU_GEM_DOMAIN_CPU, AMDGPU_GEM_DOMAIN_GTT,
	};
	uint32_t i, at, word = 77;
	struct bo b;

	(void)state;
	for (i = 0; i < 2; i++) {
		bo_new(&b, domains[i], 0, false);
		for (at = 0; at < MAPPED; at++)
			b.cpu[SKIPPED + at] = pattern(at);
		swap_out_others();
		assert_int_equal(vm_read(b.va, got, sizeof(got)), 0);
		for (at = 0; at < MAPPED; at++)
			assert_int_equal(got[at], pattern(at));
		swap_out_others();
		assert_int_equal(vm_write(b.va + 4, &word, 4), 0);
		assert_int_equal(((uint32_t *)(b.cpu + SKIPPED))[1], 77);
		for (at = 8; at < MAPPED; at++)
			assert_int_equal(b.cpu[SKIPPED + at], pattern(at));
		bo_free(&b);
	}
}

/* ------------------------------------------------ who waits for the GPU */

/**
 * struct reader - a process that reads memory
 * @pid: the process
 * @status: as wait() gives it, if it has ended
 * @ended: it has
 */
struct reader {
	pid_t pid;
	int status;
	bool ended;
};

static void start_reader(struct reader *r, uint64_t va)
{
	memset(r, 0, sizeof(*r));
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (!r->pid)
		_exit(vm_read(va, got, sizeof(got)) || !is_zero(got, MAPPED));
}

static bool has_ended(struct reader *r)
{
	if (!r->ended)
		r->ended = waitpid(r->pid, &r->status, WNOHANG) == r->pid;
	return r->ended;
}

static bool has_ended_at_last(void *arg)
{
	return has_ended(arg);
}

/* Where it stands in the kernel; only root may know. */
static bool waits_for_jobs_or_has_ended(void *arg)
{
	struct reader *r = arg;
	char path[64], text[4096];
	size_t n;
	FILE *f;

	if (has_ended(r))
		return true;
	snprintf(path, sizeof(path), "/proc/%d/stack", r->pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	return strstr(text, "dma_resv_wait") || strstr(text, "dma_fence");
}

/*
 * To get pages, TTM of Linux 6.1 waits for the job whose memory it wants to swap out,
 * for up to 15 s. The job ends when a debugger lets it, which must not wait for that.
 */
void other_callers_do_not_wait_for_pages(void **state)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = AMDGPUDBG_WAVE_SIZE_V1,
	};
	struct gpu_job job;
	struct reader r;
	char limit[32];
	struct bo b;

	(void)state;
	read_limit(limit, sizeof(limit));
	bo_new(&b, AMDGPU_GEM_DOMAIN_CPU, 0, false);
	start("trap_spin", &job);
	wait_begun();
	set_limit("1");
	start_reader(&r, b.va);
	be(ROOT, true);
	assert_true(until(waits_for_jobs_or_has_ended, &r, DEADLINE_S));
	be(USER, true);
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_WAVE_LIST, &list),
			 -EMSGSIZE);
	assert_int_equal(list.count, NUM_WAVES);
	stop_spinning();
	assert_true(until(has_ended_at_last, &r, DEADLINE_S));
	set_limit(limit);
	/* It was not given up, because the job has ended in time. */
	assert_true(WIFEXITED(r.status));
	assert_int_equal(WEXITSTATUS(r.status), 0);
	finish(&job, -1);
	bo_free(&b);
}

/* ---------------------------------------------------------------- patches */

#define PATCH (AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH)

static bool can_be_patched(void *arg)
{
	uint32_t three = 3;

	return !vm_access(dev, PATCH, *(uint64_t *)arg, &three, 4, NULL);
}

/* No other program touches the memory. */
void a_swapped_out_patch_is_removed(void **state)
{
	struct amdgpudbg_vm_access a;
	uint32_t two = 2, *word;
	struct bo b;
	int fd;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	word = (uint32_t *)(b.cpu + SKIPPED);
	*word = 1;
	fd = open_session(prog.gpu.fd);
	assert_int_equal(vm_access(fd, PATCH, b.va, &two, 4, NULL), 0);
	assert_int_equal(*word, 2);
	swap_out_others();
	/* By its owner's hand, and when that ends. */
	assert_int_equal(vm_access(fd, AMDGPUDBG_VM_ACCESS_UNPATCH, b.va, NULL,
				   4, &a), 0);
	assert_int_equal(*word, 1);
	swap_out_others();
	assert_int_equal(vm_access(fd, PATCH, b.va, &two, 4, NULL), 0);
	swap_out_others();
	close(fd);
	/* Until the other is out. */
	assert_true(until(can_be_patched, &b.va, DEADLINE_S));
	assert_int_equal(vm_access(dev, AMDGPUDBG_VM_ACCESS_UNPATCH, b.va, NULL,
				   4, &a), 0);
	assert_int_equal(*word, 1);
	bo_free(&b);
}
