// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl mem read, mem write, patch set and patch clear: kernel calls, and files. What they print
 * is in transcripts/mem.txt, and so are x and vm map.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define VA 0x600000001000ull
#define TARGET { .request = AMDGPUDBG_IOC_TARGET_SET }
#define ACCESS(_check, _error) { \
	.request = AMDGPUDBG_IOC_VM_ACCESS, .check = _check, .error = _error }

static struct run r;

static const char hello[] = "Hello, \001\377\nworld of waves";

/* 20 bytes are read. */
static void gives_hello(void *arg)
{
	struct amdgpudbg_vm_access *a = arg;

	assert_int_equal(a->flags, 0);
	assert_true(a->va == VA);
	assert_int_equal(a->bytes, 20);
	memcpy((void *)(uintptr_t)a->data, hello, 20);
	a->done = 20;
}

static const struct mock_ioctl reads[] = {
	OPEN, TARGET, ACCESS(gives_hello, 0),
};

static void mem_read_needs_one_call(void **state)
{
	(void)state;
	mock_expect(reads, ARRAY_SIZE(reads));
	assert_int_equal(run(&r, "mem read 0x600000001000 20 --pid 4711"), 0);
}

static void mem_read_writes_a_file(void **state)
{
	char name[] = "/tmp/wavectl-mem-XXXXXX", command[128], got[64];
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	mock_expect(reads, ARRAY_SIZE(reads));
	snprintf(command, sizeof(command),
		 "mem read 0x600000001000 20 --pid 4711 -o %s", name);
	assert_int_equal(run(&r, command), 0);
	contains(r.out, "saved 20 bytes at 0x0000600000001000 to ");
	/* What was open before is another file, which is replaced. */
	assert_int_equal(read(fd, got, sizeof(got)), 0);
	close(fd);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, got, sizeof(got)), 20);
	assert_memory_equal(got, hello, 20);
	close(fd);
	unlink(name);

	mock_expect(reads, ARRAY_SIZE(reads));
	assert_int_equal(run(&r, "mem read 0x600000001000 20 -p 4711 -o /no/x"),
			 1);
	contains(r.err, "/no/x: No such file");
}

static char folder[] = "/tmp/wavectl-mem.XXXXXX";

/* A name in the folder of the test */
static const char *name_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* "mem read" into a file of the folder */
static int read_into(const char *name)
{
	char command[128];

	mock_expect(reads, ARRAY_SIZE(reads));
	snprintf(command, sizeof(command), "mem read 0x600000001000 20 --pid 4711 -o %s/%s",
		 folder, name);
	return run(&r, command);
}

static void make_folder(void)
{
	strcpy(strrchr(folder, '.'), ".XXXXXX");
	assert_non_null(mkdtemp(folder));
}

/* Also what is left of an earlier file; and nothing else is there. */
static void end_folder(const char *name)
{
	assert_int_equal(unlink(name_of(name)), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void only_its_owner_can_read_a_file_of_mem_read(void **state)
{
	mode_t mask = umask(0);
	struct stat st;
	int fd;

	(void)state;
	make_folder();
	assert_int_equal(read_into("new"), 0);
	assert_int_equal(stat(name_of("new"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(chmod(name_of("new"), 0666), 0);
	fd = open(name_of("new"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(read_into("new"), 0);
	assert_int_equal(stat(name_of("new"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 20);
	close(fd);
	umask(mask);
	end_folder("new");
}

static void mem_read_does_not_follow_a_symbolic_link(void **state)
{
	struct stat st;
	int fd;

	(void)state;
	make_folder();
	fd = open(name_of("victim"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(write(fd, "kept", 4), 4);
	assert_int_equal(symlink("victim", name_of("link")), 0);
	assert_int_equal(read_into("link"), 1);
	contains(r.err, "/link: it is not a regular file");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 4);
	close(fd);
	assert_int_equal(lstat(name_of("link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(unlink(name_of("link")), 0);
	/* One that leads nowhere is none, either. */
	assert_int_equal(symlink("nowhere", name_of("link")), 0);
	assert_int_equal(read_into("link"), 1);
	assert_int_equal(access(name_of("nowhere"), F_OK), -1);
	assert_int_equal(unlink(name_of("link")), 0);
	end_folder("victim");
}

/* It would wait for a reader: the deadline of run() would end it. */
static void mem_write_refuses_a_fifo_at_once(void **state)
{
	struct stat st;

	(void)state;
	make_folder();
	assert_int_equal(mkfifo(name_of("fifo"), 0600), 0);
	assert_int_equal(read_into("fifo"), 1);
	contains(r.err, "/fifo: it is not a regular file");
	assert_int_equal(lstat(name_of("fifo"), &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	end_folder("fifo");
}

/* 0x11223344 and 5 */
static void takes_two_words(void *arg)
{
	static const uint8_t want[] = { 0x44, 0x33, 0x22, 0x11, 5, 0, 0, 0 };
	struct amdgpudbg_vm_access *a = arg;

	assert_int_equal(a->flags, AMDGPUDBG_VM_ACCESS_WRITE);
	assert_true(a->va == VA);
	assert_int_equal(a->bytes, sizeof(want));
	assert_memory_equal((void *)(uintptr_t)a->data, want, sizeof(want));
	a->done = sizeof(want);
}

static void mem_write_takes_values_as_dwords(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, ACCESS(takes_two_words, 0),
	};
	const struct mock_ioctl nothing[] = { OPEN, TARGET };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "mem write 0x600000001000 0x11223344 5 -p 4711"),
			 0);
	mock_expect(nothing, ARRAY_SIZE(nothing));
	assert_int_equal(run(&r, "mem write --dry-run 0x600000001000 1 -p 4711"),
			 0);
}

static void takes_the_file(void *arg)
{
	struct amdgpudbg_vm_access *a = arg;

	assert_int_equal(a->flags, AMDGPUDBG_VM_ACCESS_WRITE);
	assert_int_equal(a->bytes, 5);
	assert_memory_equal((void *)(uintptr_t)a->data, hello, 5);
	a->done = 5;
}

static void mem_write_copies_a_file_unchanged(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, ACCESS(takes_the_file, 0),
	};
	char name[] = "/tmp/wavectl-mem-XXXXXX", command[128];
	int fd = mkstemp(name);

	(void)state;
	assert_int_equal(write(fd, hello, 5), 5);
	close(fd);
	mock_expect(expect, ARRAY_SIZE(expect));
	snprintf(command, sizeof(command),
		 "mem write 0x600000001000 --pid 4711 --input %s", name);
	assert_int_equal(run(&r, command), 0);
	unlink(name);
	mock_expect(NULL, 0);
	assert_int_equal(run(&r, command), 1);
	contains(r.err, "No such file");
}

/* ------------------------------------------------------------------- patches */

#define PATCH (AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH)

static void patches_two(void *arg)
{
	static const uint8_t bytes[] = { 1, 0, 0x92, 0xbf, 0xff, 0, 0, 0 };
	struct amdgpudbg_vm_access *a = arg;

	assert_int_equal(a->flags, PATCH);
	assert_true(a->va == VA);
	assert_int_equal(a->bytes, sizeof(bytes));
	assert_memory_equal((void *)(uintptr_t)a->data, bytes, sizeof(bytes));
}

static void takes_two_out(void *arg)
{
	struct amdgpudbg_vm_access *a = arg;

	assert_int_equal(a->flags, AMDGPUDBG_VM_ACCESS_UNPATCH);
	assert_true(a->va == VA && !a->data);
	assert_int_equal(a->bytes, 8);
}

#define SET "patch set 0x600000001000 0xbf920001 255"

/* It ends with its session. */
static void a_patch_lasts_for_the_time_of_its_hold(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, ACCESS(patches_two, 0),
	};
	static const struct mock_ioctl dry[] = { OPEN, TARGET };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, SET " --pid 4711 --for 0.01"), 0);
	mock_expect(dry, ARRAY_SIZE(dry));
	assert_int_equal(run(&r, SET " --pid 4711 -n"), 0);
}

static int batch(const char *text)
{
	char name[] = "/tmp/wavectl-mem-XXXXXX", command[128];
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	snprintf(command, sizeof(command), "batch %s --pid 4711", name);
	run(&r, command);
	unlink(name);
	return r.status;
}

static void a_patch_stays_in_a_session_until_it_is_cleared(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, ACCESS(patches_two, 0),
		ACCESS(takes_two_out, 0), ACCESS(patches_two, 0),
		/* It has gone by a reset. */
		ACCESS(takes_two_out, ENOENT),
	};
	static const struct mock_ioctl timed[] = {
		OPEN, TARGET, LISTENS, LISTENS, ACCESS(patches_two, 0),
		ACCESS(takes_two_out, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(batch(SET "\npatch clear 0x600000001000\n" SET "\n"
			       "patch clear -n\npatch clear\npatch clear\n"
			       "patch clear 0x600000001000\n"), 3);
	assert_string_equal(r.out,
			    "patched 8 bytes at 0x0000600000001000 until \"patch clear\" or the session's end\n"
			    "removed 1 patches\n"
			    "patched 8 bytes at 0x0000600000001000 until \"patch clear\" or the session's end\n"
			    "would remove 1 patches; nothing was changed\n"
			    "removed 1 patches\nremoved 0 patches\n");
	contains(r.err, "the session has no patch at 0x0000600000001000");
	mock_expect(timed, ARRAY_SIZE(timed));
	assert_int_equal(batch(SET " --for 0.01\n"), 0);
	contains(r.out, "\nremoved the patch at 0x0000600000001000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(mem_read_needs_one_call),
		RUN_TEST_PROCESS(mem_read_writes_a_file),
		RUN_TEST_PROCESS(only_its_owner_can_read_a_file_of_mem_read),
		RUN_TEST_PROCESS(mem_read_does_not_follow_a_symbolic_link),
		RUN_TEST_PROCESS(mem_write_refuses_a_fifo_at_once),
		RUN_TEST_PROCESS(mem_write_takes_values_as_dwords),
		RUN_TEST_PROCESS(mem_write_copies_a_file_unchanged),
		RUN_TEST_PROCESS(a_patch_lasts_for_the_time_of_its_hold),
		RUN_TEST_PROCESS(a_patch_stays_in_a_session_until_it_is_cleared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
