// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/vm.c: access to the target's memory, in pieces and through the target's own pages, and its
 * mappings. Tests that need a real target use this process.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

#define VA 0x600000001000ull
#define MAX AMDGPUDBG_VM_ACCESS_MAX

static char data[64];

static void one_call_is_handed_on(void **state)
{
	const struct amdgpudbg_vm_access in = {
		.size = sizeof(in), .flags = AMDGPUDBG_VM_ACCESS_WRITE,
		.va = VA, .bytes = 10, .data = (uintptr_t)data,
	};
	struct amdgpudbg_vm_access out = in, read_in = in, read_out = in;
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &in, .out = &out,
		  .size = sizeof(in) },
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &read_in,
		  .out = &read_out, .size = sizeof(in), .error = ENXIO },
	};
	struct adbg_session *session;
	uint64_t done = 99;

	(void)state;
	out.done = 10;
	read_in.flags = 0;
	read_out.done = 4;
	read_out.bad = VA + 4;
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_vm_write(session, 0, VA, data, 10), 0);
	assert_int_equal(adbg_vm_copy(session, 0, 0, VA, data, 10, &done),
			 -ENXIO);
	assert_int_equal(done, 4);
	assert_string_equal(adbg_strerror(session, -ENXIO),
			    "there is no memory at the address");
	adbg_session_close(session);
}

/* The kernel takes so many at once, and no more. */
static void a_long_copy_takes_several_calls(void **state)
{
	char *room = mmap(NULL, 2 * MAX + 5, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct amdgpudbg_vm_access in[3], out[3];
	struct mock_ioctl expect[4] = { MOCK_GET_INFO };
	struct adbg_session *session;
	uint64_t done;
	int i;

	(void)state;
	assert_ptr_not_equal(room, MAP_FAILED);
	for (i = 0; i < 3; i++) {
		in[i] = (struct amdgpudbg_vm_access){
			.size = sizeof(in[i]), .va = VA + i * (uint64_t)MAX,
			.bytes = i < 2 ? MAX : 5,
			.data = (uintptr_t)room + i * (uint64_t)MAX,
		};
		out[i] = in[i];
		out[i].done = in[i].bytes;
		expect[1 + i] = (struct mock_ioctl){
			.request = AMDGPUDBG_IOC_VM_ACCESS, .in = &in[i],
			.out = &out[i], .size = sizeof(in[i]),
		};
	}
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_vm_copy(session, 0, 0, VA, room, 2 * MAX + 5,
				      &done), 0);
	assert_int_equal(done, 2 * MAX + 5);
	adbg_session_close(session);
	munmap(room, 2 * MAX + 5);
}

/* At @va there are so many bytes of this process's own. */
static struct amdgpudbg_mapping mapping;

static void one_mapping(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;

	assert_int_equal(list->bytes, 1);
	assert_int_equal(list->capacity, 1);
	assert_int_equal(list->entry_size, sizeof(mapping));
	memcpy((void *)(uintptr_t)list->mappings, &mapping, sizeof(mapping));
	list->count = 1;
}

#define USERPTR(_out) { \
	.request = AMDGPUDBG_IOC_VM_ACCESS, .out = _out, \
	.size = sizeof(struct amdgpudbg_vm_access), .error = EOPNOTSUPP }
#define LIST { .request = AMDGPUDBG_IOC_VM_LIST, .check = one_mapping }

/* Two bytes by the kernel, four of the process, two by the kernel */
static void own_pages_are_copied(uint32_t flags, char *pages)
{
	struct amdgpudbg_vm_access stop = {
		.size = sizeof(stop), .flags = flags, .va = VA - 2, .bytes = 8,
		.data = (uintptr_t)data, .done = 2, .bad = VA,
		.kind = AMDGPUDBG_KIND_USERPTR,
	};
	struct amdgpudbg_vm_access rest = {
		.size = sizeof(rest), .flags = flags, .va = VA + 4, .bytes = 2,
		.data = (uintptr_t)data + 6,
	};
	struct amdgpudbg_vm_access end = rest;
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, USERPTR(&stop), LIST,
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &rest, .out = &end,
		  .size = sizeof(rest) },
	};
	struct adbg_session *session;
	uint64_t done;

	end.done = 2;
	/* The mapping has begun before. */
	mapping = (struct amdgpudbg_mapping){
		.va = VA - 0x1000, .bytes = 0x1004,
		.kind = AMDGPUDBG_KIND_USERPTR,
		.cpu_address = (uintptr_t)pages - 0x1000,
	};
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_vm_copy(session, getpid(), flags, VA - 2, data, 8,
				      &done), 0);
	assert_int_equal(done, 8);
	adbg_session_close(session);
}

static void own_pages_are_read(void **state)
{
	char pages[] = "abcdef";

	(void)state;
	memset(data, '.', sizeof(data));
	own_pages_are_copied(0, pages);
	assert_memory_equal(data, "..abcd..", 8);
}

static void own_pages_are_written(void **state)
{
	char pages[] = "abcdef";

	(void)state;
	memcpy(data, "01234567", 8);
	own_pages_are_copied(AMDGPUDBG_VM_ACCESS_WRITE, pages);
	assert_string_equal(pages, "2345ef");
}

/*
 * Where no loader and no mmap(2) without an address puts anything, so that the library does not
 * either while it starts its copier
 */
#define NO_ADDRESS 0x200000000000ull

static void own_pages_need_a_process(void **state)
{
	const struct amdgpudbg_vm_access stop = {
		.size = sizeof(stop), .bad = VA,
		.kind = AMDGPUDBG_KIND_USERPTR,
	};
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, USERPTR(&stop), USERPTR(&stop), LIST,
		USERPTR(&stop), LIST,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(adbg_vm_read(session, 0, VA, data, 1), -EOPNOTSUPP);
	/* Nothing is there any more, or the mapping is another one now. */
	mapping = (struct amdgpudbg_mapping){
		.va = VA, .bytes = 4096, .kind = AMDGPUDBG_KIND_USERPTR,
		.cpu_address = NO_ADDRESS,
	};
	assert_int_equal(adbg_vm_read(session, getpid(), VA, data, 1), -ENXIO);
	mapping.kind = AMDGPUDBG_KIND_IMPORTED;
	assert_int_equal(adbg_vm_read(session, getpid(), VA, data, 1),
			 -EOPNOTSUPP);
	adbg_session_close(session);
}

/* Where the two programs of a process both have a page */
#define SHARED_ADDRESS NO_ADDRESS
#define TEXT "program"

/* @to: a socket, to which it says when the page is there and what it has in the end */
static void __attribute__((noreturn)) be_program(int to, bool is_first)
{
	char *exe = "/proc/self/exe", fd[16], *argv[] = { exe, fd, NULL };
	char *page = mmap((void *)SHARED_ADDRESS, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	char order;

	if (page == MAP_FAILED)
		_exit(2);
	strcpy(page, TEXT);
	if (write(to, "r", 1) != 1 || read(to, &order, 1) != 1)
		_exit(3);
	if (is_first) {
		snprintf(fd, sizeof(fd), "%d", to);
		execv(exe, argv);
		_exit(4);
	}
	_exit(!strcmp(page, TEXT) ? 0 : 5);
}

static void wait_until_ready(int from)
{
	char ready;

	assert_int_equal(read(from, &ready, 1), 1);
}

static void own_pages_are_never_those_of_the_next_program(void **state)
{
	const struct amdgpudbg_vm_access stop = {
		.size = sizeof(stop), .bad = VA,
		.kind = AMDGPUDBG_KIND_USERPTR,
	};
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, USERPTR(&stop), LIST, USERPTR(&stop), LIST,
		USERPTR(&stop), LIST, USERPTR(&stop), LIST,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	int sockets[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(sockets[0]);
		be_program(sockets[1], true);
	}
	close(sockets[1]);
	wait_until_ready(sockets[0]);
	mapping = (struct amdgpudbg_mapping){
		.va = VA, .bytes = 4096, .kind = AMDGPUDBG_KIND_USERPTR,
		.cpu_address = SHARED_ADDRESS,
	};
	assert_int_equal(adbg_vm_read(session, pid, VA, data, sizeof(TEXT)), 0);
	assert_string_equal(data, TEXT);
	assert_int_equal(adbg_vm_write(session, pid, VA, "x", 1), 0);

	assert_int_equal(write(sockets[0], "e", 1), 1);
	wait_until_ready(sockets[0]);
	assert_int_equal(adbg_vm_write(session, pid, VA, "x", 1), -ESRCH);
	memset(data, '.', sizeof(data));
	assert_int_equal(adbg_vm_read(session, pid, VA, data, sizeof(TEXT)), -ESRCH);
	assert_int_equal(data[0], '.');
	assert_non_null(strstr(adbg_strerror(session, -ESRCH), "another program"));

	assert_int_equal(write(sockets[0], "e", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	/* 5: the program that was executed has been written to. */
	assert_int_equal(status, 0);
	close(sockets[0]);
	adbg_session_close(session);
}

static void patches_are_handed_on(void **state)
{
	const struct amdgpudbg_vm_access in = {
		.size = sizeof(in), .va = VA, .bytes = 4,
		.flags = AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH,
		.data = (uintptr_t)data,
	};
	const struct amdgpudbg_vm_access out = {
		.size = sizeof(out), .va = VA, .bytes = 4,
		.flags = AMDGPUDBG_VM_ACCESS_UNPATCH,
	};
	const struct amdgpudbg_vm_access keep = {
		.size = sizeof(keep), .va = VA, .bytes = 4,
		.flags = AMDGPUDBG_VM_ACCESS_UNPATCH |
			 AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP,
	};
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &in,
		  .size = sizeof(in) },
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &keep,
		  .size = sizeof(keep), .error = ENOENT },
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .in = &out,
		  .size = sizeof(out), .error = ENOENT },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(adbg_vm_patch(session, VA, data, 4), 0);
	assert_int_equal(adbg_vm_unpatch(session, VA, 4,
					 AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP), -ENOENT);
	assert_int_equal(adbg_vm_unpatch(session, VA, 4, 0), -ENOENT);
	assert_string_equal(adbg_strerror(session, -ENOENT),
			    "the session has no such patch");
	adbg_session_close(session);
}

/* In pieces, or in the process's own pages, they would be something else. */
static void a_copy_is_no_patch(void **state)
{
	static const uint32_t flags[] = {
		AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH,
		AMDGPUDBG_VM_ACCESS_UNPATCH, 1u << 31,
	};
	const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, 1);
	uint64_t done;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		done = 99;
		assert_int_equal(adbg_vm_copy(session, 0, flags[i], VA, data, 4,
					      &done), -EINVAL);
		assert_int_equal(done, 0);
	}
	assert_string_equal(adbg_strerror(session, -EINVAL),
			    "too many bytes, a patch that crosses a page, or a value that is not valid");
	adbg_session_close(session);
}

#define MANY 200

/* There are MANY: as many as fit are returned, in records of that length. */
static void many_mappings(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;
	char *to = (void *)(uintptr_t)list->mappings;
	struct amdgpudbg_mapping m = { 0 };
	uint32_t i;

	assert_int_equal(list->va, VA);
	assert_int_equal(list->bytes, 4096);
	for (i = 0; i < MANY && i < list->capacity; i++) {
		m.va = VA + i;
		memset(to + i * list->entry_size, 0, list->entry_size);
		memcpy(to + i * list->entry_size, &m, sizeof(m));
	}
	list->count = MANY;
}

static void a_list_grows(void **state)
{
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = many_mappings,
		  .error = EMSGSIZE },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = many_mappings },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = many_mappings,
		  .error = EMSGSIZE },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = many_mappings },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .error = ENOTCONN },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_mapping *list;
	uint32_t count, i;
	void *records;

	(void)state;
	assert_int_equal(adbg_vm_mappings(session, VA, 4096, &list, &count), 0);
	assert_int_equal(count, MANY);
	for (i = 0; i < count; i++)
		assert_int_equal(list[i].va, VA + i);
	free(list);

	/* For a program that knows a longer record */
	assert_int_equal(adbg_vm_mappings_sized(session, VA, 4096, 72, &records,
						&count), 0);
	assert_int_equal(count, MANY);
	for (i = 0; i < count; i++)
		assert_int_equal(*(uint64_t *)((char *)records + 72 * i),
				 VA + i);
	free(records);

	count = 5;
	assert_int_equal(adbg_vm_mappings(session, 0, 0, &list, &count),
			 -ENOTCONN);
	assert_null(list);
	assert_int_equal(count, 0);
	adbg_session_close(session);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(one_call_is_handed_on),
		MOCK_TEST(a_long_copy_takes_several_calls),
		MOCK_TEST(own_pages_are_read),
		MOCK_TEST(own_pages_are_written),
		MOCK_TEST(own_pages_need_a_process),
		MOCK_TEST(own_pages_are_never_those_of_the_next_program),
		MOCK_TEST(patches_are_handed_on),
		MOCK_TEST(a_copy_is_no_patch),
		MOCK_TEST(a_list_grows),
	};

	if (argc == 2)
		be_program(atoi(argv[1]), false);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
