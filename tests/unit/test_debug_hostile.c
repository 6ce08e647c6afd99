// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug on code objects of a hostile target: what they cost is bounded by what was read, no
 * file is opened because they name it, and an interrupt ends all of it.
 */
#include <stdbool.h>

#include "debug/hostile.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE	0x100000000ull
#define PAGE	4096

/* ------------------------------------------------------------------ in memory */

static int interrupt_fds[2];

static void interrupt(bool on)
{
	char byte = 0;

	if (on)
		assert_int_equal(write(interrupt_fds[1], &byte, 1), 1);
	else
		assert_int_equal(read(interrupt_fds[0], &byte, 1), 1);
}

/* A header of a file that goes on for @size bytes, and has no section */
static void put_file_header(uint8_t *to, uint64_t size)
{
	struct hostile none = { 0 };
	size_t length;
	uint8_t *file = hostile_file(&none, &length);
	Elf64_Ehdr *h = (Elf64_Ehdr *)to;
	Elf64_Phdr *p = (Elf64_Phdr *)(to + sizeof(*h));

	memcpy(to, file, sizeof(*h) + sizeof(*p));
	h->e_shnum = 0;
	h->e_shoff = 0;
	h->e_phnum = 2;
	p->p_filesz = size;
	p->p_memsz = size;
	/* Where a loader would put it there is nothing of that kind, so it is a file. */
	p[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_filesz = 2 * sizeof(Elf64_Dyn) };
	free(file);
}

static void overlapping_code_objects_are_read_once(void **state)
{
	static const size_t size = 1 << 20;
	struct adbgd_error error;
	struct fake_memory fake;
	struct adbgd_code *code;
	unsigned int found = 0, i;
	uint64_t at;
	uint8_t *bytes;

	(void)state;
	fake_init(&fake);
	bytes = fake_add(&fake, BASE, size);
	/* One at each page, all up to the same end */
	for (i = 0; i < size / PAGE; i++)
		put_file_header(bytes + i * PAGE, size - i * PAGE);
	assert_int_equal(adbgd_budget_new(-1, &fake.memory.budget, &error), 0);
	for (at = BASE; !adbgd_code_find(&fake.memory, fake.spans, fake.num, at, &at, &error);
	     at++) {
		if (adbgd_code_new_memory(&fake.memory, at, size - (at - BASE), &code, &error))
			fail_msg("%s", error.text);
		adbgd_code_free(code);
		found++;
	}
	assert_int_equal(error.error, -ENOENT);
	assert_int_equal(found, 1);
	assert_in_range(fake.bytes_read, size, size + size / 4);
	assert_int_equal(adbgd_code_new_memory(&fake.memory, BASE + PAGE, PAGE, &code, &error),
			 -EEXIST);
	adbgd_budget_free(fake.memory.budget);
	fake_free(&fake);
}

/* They have no instructions, which is seen when all of them is read. */
static void failed_code_objects_are_counted(void **state)
{
	static const size_t size = 64 << 20;
	struct adbgd_error error;
	struct fake_memory fake;
	struct adbgd_code *code;
	unsigned int i;
	uint64_t at;
	uint8_t *bytes;
	int ret;

	(void)state;
	fake_init(&fake);
	bytes = fake_add(&fake, BASE, size);
	for (i = 0; i < size / PAGE; i++) {
		put_file_header(bytes + i * PAGE, size - i * PAGE);
		((Elf64_Phdr *)(bytes + i * PAGE + sizeof(Elf64_Ehdr)))->p_flags = PF_R;
	}
	assert_int_equal(adbgd_budget_new(-1, &fake.memory.budget, &error), 0);
	for (at = BASE;; at++) {
		ret = adbgd_code_find(&fake.memory, fake.spans, fake.num, at, &at, &error);
		if (ret)
			break;
		ret = adbgd_code_new_memory(&fake.memory, at, size - (at - BASE), &code, &error);
		assert_true(ret == -ENOEXEC || ret == -E2BIG);
	}
	assert_int_equal(ret, -E2BIG);
	assert_string_equal(error.text, "the search for code objects: there are more than 8192 "
			    "ELF headers in memory");
	/* All of it several times, but not thousands of times */
	assert_true(fake.bytes_read < 300 << 20);
	adbgd_budget_free(fake.memory.budget);
	fake_free(&fake);
}

static int read_zeros(void *data, uint64_t address, void *buffer, size_t size)
{
	unsigned int *reads = data;

	(void)address;
	++*reads;
	memset(buffer, 0, size);
	return 0;
}

static void a_search_can_be_interrupted(void **state)
{
	static const struct adbgd_span all = { BASE, 1ull << 46 };
	unsigned int reads = 0;
	struct adbgd_memory memory = { .read = read_zeros, .data = &reads };
	struct hostile none = { 0 };
	struct adbgd_code *code = hostile_code(&none);
	struct adbgd_error error;
	uint64_t at;

	(void)state;
	assert_int_equal(adbgd_budget_new(interrupt_fds[0], &memory.budget, &error), 0);
	interrupt(true);
	assert_int_equal(adbgd_code_find(&memory, &all, 1, 0, &at, &error), -EINTR);
	assert_string_equal(error.text, "the search for code objects: interrupted");
	assert_true(reads < 10000);
	assert_int_equal(adbgd_code_match(code, &memory, &all, 1, NULL, 0, &at, &error), -EINTR);
	adbgd_budget_free(memory.budget);
	memory.budget = NULL;
	adbgd_code_set_interrupt(code, interrupt_fds[0]);
	assert_int_equal(adbgd_code_match(code, &memory, &all, 1, NULL, 0, &at, &error), -EINTR);
	assert_string_equal(error.text, "it: interrupted");
	interrupt(false);
	adbgd_code_free(code);
}

/* Not for ever, where nothing interrupts it */
static void a_search_ends(void **state)
{
	static const struct adbgd_span all = { BASE, 1ull << 46 };
	unsigned int reads = 0;
	struct adbgd_memory memory = { .read = read_zeros, .data = &reads };
	struct adbgd_error error;
	uint64_t at;

	(void)state;
	assert_int_equal(adbgd_code_find(&memory, &all, 1, 0, &at, &error), -E2BIG);
	assert_int_equal(reads, 16 << 20);
}

/* TESTS */

static int make_interrupt(void **state)
{
	(void)state;
	return pipe2(interrupt_fds, O_CLOEXEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlapping_code_objects_are_read_once),
		cmocka_unit_test(failed_code_objects_are_counted),
		cmocka_unit_test(a_search_can_be_interrupted),
		cmocka_unit_test(a_search_ends),
		/* LIST */
	};

	return cmocka_run_group_tests(tests, make_interrupt, NULL);
}
