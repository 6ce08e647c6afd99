// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/pages.c: pages of the target that become accessible late, or never.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

#define VA		0x600000001000ull
#define DEADLINE_S	60
#define PAGE		4096

/* What another process does instead of reading this process's page at @address */
static struct {
	_Atomic uintptr_t address;
	_Atomic int deaths;		/* so many times it ends */
	_Atomic bool comes;		/* else it waits for this */
} *late;

ssize_t pread64(int fd, void *data, size_t bytes, off64_t offset)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	if (late && (uintptr_t)offset == late->address) {
		if (late->deaths && late->deaths--)
			_exit(0);
		for (int ms = 0; !late->comes && ms < DEADLINE_S * 1000; ms++)
			nanosleep(&pause, NULL);
	}
	return syscall(SYS_pread64, fd, data, bytes, offset);
}

/* ------------------------------------------------------------------- the session */

static struct amdgpudbg_mapping mapping;

static void one_mapping(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;

	memcpy((void *)(uintptr_t)list->mappings, &mapping, sizeof(mapping));
	list->count = 1;
}

/* At VA are @bytes of a process, from @address on */
static struct adbg_session *session_of(uint64_t address, uint64_t bytes)
{
	static const struct amdgpudbg_vm_access stop = {
		.size = sizeof(stop), .bad = VA, .kind = AMDGPUDBG_KIND_USERPTR,
	};
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	static const struct mock_ioctl answers[] = {
		{ .request = AMDGPUDBG_IOC_VM_ACCESS, .out = &stop, .size = sizeof(stop),
		  .error = EOPNOTSUPP },
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = one_mapping },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	mock_answer(answers, ARRAY_SIZE(answers));
	mapping = (struct amdgpudbg_mapping){
		.va = VA, .bytes = bytes, .kind = AMDGPUDBG_KIND_USERPTR,
		.cpu_address = address,
	};
	alarm(DEADLINE_S);
	return session;
}

static void has_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	assert_int_equal(errno, ECHILD);
}

/* --------------------------------------------------------------------- its tests */

#define LONG (3 * 65536 + 5)

static void long_copies_reach_all_bytes(void **state)
{
	char *there = malloc(LONG), *here = malloc(LONG);
	struct adbg_session *session = session_of((uintptr_t)there, LONG);

	(void)state;
	for (size_t i = 0; i < LONG; i++) {
		there[i] = (char)(i % 251);
		here[i] = 0;
	}
	assert_int_equal(adbg_vm_read(session, getpid(), VA, here, LONG), 0);
	assert_memory_equal(here, there, LONG);
	memset(here, 'x', LONG);
	assert_int_equal(adbg_vm_write(session, getpid(), VA, here, LONG), 0);
	assert_memory_equal(here, there, LONG);
	adbg_session_close(session);
	has_no_children();
	free(there);
	free(here);
}

static void an_interrupt_ends_waiting_for_a_page(void **state)
{
	char there[2] = "ab", here = 0;
	struct adbg_session *session = session_of((uintptr_t)there, 2);
	int fd = eventfd(1, EFD_CLOEXEC);
	eventfd_t value;

	(void)state;
	adbg_session_set_interrupt(session, fd);
	/* What is there is read in any case. */
	assert_int_equal(adbg_vm_read(session, getpid(), VA + 1, &here, 1), 0);
	assert_int_equal(here, 'b');

	late->address = (uintptr_t)there;
	assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), -EINTR);
	assert_non_null(strstr(adbg_strerror(session, -EINTR), "waiting for a page"));
	assert_int_equal(here, 'b');
	/* Each page could take time, so no further one is tried, until the interrupt is taken. */
	assert_int_equal(adbg_vm_read(session, getpid(), VA + 1, &here, 1), -EINTR);
	assert_int_equal(eventfd_read(fd, &value), 0);
	here = 0;
	assert_int_equal(adbg_vm_read(session, getpid(), VA + 1, &here, 1), 0);
	assert_int_equal(here, 'b');
	late->comes = true;
	assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), 0);
	assert_int_equal(here, 'a');
	adbg_session_close(session);
	close(fd);
	has_no_children();
}

static void a_killed_copier_is_replaced_once(void **state)
{
	char there = 'a', here = 0;
	struct adbg_session *session = session_of((uintptr_t)&there, 1);

	(void)state;
	late->address = (uintptr_t)&there;
	late->comes = true;
	late->deaths = 1;
	assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), 0);
	assert_int_equal(here, 'a');
	late->deaths = 2;
	assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), -ECANCELED);
	assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), 0);
	adbg_session_close(session);
	has_no_children();
}

static volatile sig_atomic_t num_sigchld;

static void count_sigchld(int number)
{
	(void)number;
	num_sigchld++;
}

static void the_copier_is_no_child_of_the_caller(void **state)
{
	static void (*const handlers[])(int) = { count_sigchld, SIG_IGN, SIG_DFL };
	char there = 'a', here;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++) {
		struct adbg_session *session = session_of((uintptr_t)&there, 1);

		signal(SIGCHLD, handlers[i]);
		here = 0;
		assert_int_equal(adbg_vm_read(session, getpid(), VA, &here, 1), 0);
		assert_int_equal(here, 'a');
		has_no_children();
		adbg_session_close(session);
		has_no_children();
	}
	assert_int_equal(num_sigchld, 0);
}

/* A child of fork(2) that uses the session must not get an answer for its parent. */
static void a_forked_caller_has_its_own_copier(void **state)
{
	char there = 'a', here = 0;
	struct adbg_session *session = session_of((uintptr_t)&there, 1);
	pid_t parent = getpid(), child;
	int status;

	(void)state;
	assert_int_equal(adbg_vm_read(session, parent, VA, &here, 1), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		here = 0;
		_exit(adbg_vm_read(session, parent, VA, &here, 1) || here != 'a');
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	here = 0;
	assert_int_equal(adbg_vm_read(session, parent, VA, &here, 1), 0);
	assert_int_equal(here, 'a');
	adbg_session_close(session);
}

/* ------------------------------------------------- a FUSE server that does not answer */

#define FILES	"ab"
#define ROOT_ID	1

static void reply(int fd, const struct fuse_in_header *in, int error, void *data, size_t size)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + size, .error = error, .unique = in->unique,
	};
	struct iovec parts[] = {
		{ .iov_base = &out, .iov_len = sizeof(out) },
		{ .iov_base = data, .iov_len = size },
	};

	(void)!writev(fd, parts, 2);
}

static struct fuse_attr attributes(uint64_t id)
{
	return (struct fuse_attr){
		.ino = id, .nlink = 1, .blksize = PAGE,
		.mode = id == ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0644,
		.size = id == ROOT_ID ? 0 : PAGE,
	};
}

/* @asked: a pipe, to which it says that a page is wanted */
static void serve_one(int fd, const struct fuse_in_header *in, int asked)
{
	const char *name = (const char *)(in + 1);

	switch (in->opcode) {
	case FUSE_INIT: {
		struct fuse_init_out out = { .major = 7, .minor = 31, .max_write = PAGE };

		reply(fd, in, 0, &out, sizeof(out));
		break;
	}
	case FUSE_LOOKUP: {
		struct fuse_entry_out out = {
			.nodeid = ROOT_ID + *name, .entry_valid = 1000, .attr_valid = 1000,
			.attr = attributes(ROOT_ID + *name),
		};

		reply(fd, in, 0, &out, sizeof(out));
		break;
	}
	case FUSE_GETATTR: {
		struct fuse_attr_out out = {
			.attr_valid = 1000, .attr = attributes(in->nodeid),
		};

		reply(fd, in, 0, &out, sizeof(out));
		break;
	}
	case FUSE_OPEN: {
		struct fuse_open_out out = { .fh = 1 };

		reply(fd, in, 0, &out, sizeof(out));
		break;
	}
	case FUSE_READ:
		(void)!write(asked, "r", 1);
		break;
	case FUSE_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		reply(fd, in, -ENOSYS, NULL, 0);
	}
}

/* When it ends, the kernel lets all that wait for an answer fail. */
static void __attribute__((noreturn)) serve(int fd, int asked)
{
	static char request[1 << 17] __attribute__((aligned(8)));
	ssize_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(2 * DEADLINE_S);
	for (;;) {
		n = syscall(SYS_read, fd, request, sizeof(request));
		if (n > 0)
			serve_one(fd, (const struct fuse_in_header *)request, asked);
		else if (n == 0 || (errno != EINTR && errno != ENOENT))
			_exit(0);
	}
}

static void *map_file(const char *folder, char name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%c", folder, name);
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
	return fd < 0 ? NULL : mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
}

/* @to: a pipe, to which it says where the pages of the files are, NULL: FUSE cannot be had */
static void __attribute__((noreturn)) be_target(const char *folder, int to, int asked)
{
	int fd = syscall(SYS_openat, AT_FDCWD, "/dev/fuse", O_RDWR | O_CLOEXEC);
	void *pages[2] = { NULL };
	char options[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (fd >= 0 && !unshare(CLONE_NEWNS) &&
	    !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	    !mount("test", folder, "fuse", 0, options)) {
		if (!fork())
			serve(fd, asked);
		close(fd);
		for (int i = 0; i < 2; i++)
			pages[i] = map_file(folder, FILES[i]);
	}
	if (write(to, pages, sizeof(pages)) != sizeof(pages))
		_exit(1);
	for (;;)
		pause();
}

struct target {
	pid_t pid;
	uintptr_t pages[2];	/* that never come; 0: not to be had here */
	int asked;		/* readable when one is waited for */
	char folder[32];
};

static void start_target(struct target *t)
{
	int addresses[2], asked[2];

	strcpy(t->folder, "/tmp/pages-XXXXXX");
	assert_non_null(mkdtemp(t->folder));
	assert_int_equal(pipe(addresses), 0);
	assert_int_equal(pipe(asked), 0);
	t->pid = fork();
	assert_true(t->pid >= 0);
	if (!t->pid)
		be_target(t->folder, addresses[1], asked[1]);
	close(addresses[1]);
	close(asked[1]);
	t->asked = asked[0];
	assert_int_equal(read(addresses[0], t->pages, sizeof(t->pages)), sizeof(t->pages));
	close(addresses[0]);
}

static void end_target(const struct target *t)
{
	kill(t->pid, SIGKILL);
	assert_int_equal(waitpid(t->pid, NULL, 0), t->pid);
	close(t->asked);
	rmdir(t->folder);
}

static void wait_until_asked(const struct target *t)
{
	char byte;

	assert_int_equal(read(t->asked, &byte, 1), 1);
}

static void interrupt_copy(const struct target *t)
{
	struct adbg_session *session = session_of(t->pages[0], PAGE);
	int fd = eventfd(0, EFD_CLOEXEC), status;
	pid_t child = fork();
	char here;

	assert_true(child >= 0);
	if (!child) {
		wait_until_asked(t);
		_exit(eventfd_write(fd, 1));
	}
	adbg_session_set_interrupt(session, fd);
	assert_int_equal(adbg_vm_read(session, t->pid, VA, &here, 1), -EINTR);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	adbg_session_close(session);
	close(fd);
}

/* @kept: a descriptor that it has, as it has that of a session */
static void __attribute__((noreturn)) be_debugger(const struct target *t, int kept)
{
	struct adbg_session *session = session_of(t->pages[1], PAGE);
	char here;

	(void)kept;
	_exit(adbg_vm_read(session, t->pid, VA, &here, 1) ? 1 : 0);
}

static void kill_debugger(const struct target *t)
{
	int kept[2], status;
	pid_t child;
	char byte;

	assert_int_equal(pipe(kept), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		be_debugger(t, kept[1]);
	close(kept[1]);
	wait_until_asked(t);
	assert_int_equal(kill(child, SIGKILL), 0);
	/* When it has ended, nothing of it is open, or the alarm ends the test. */
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(read(kept[0], &byte, 1), 0);
	close(kept[0]);
}

static void a_page_of_a_fuse_file_does_not_hold_the_debugger(void **state)
{
	struct target t;

	(void)state;
	alarm(DEADLINE_S);
	start_target(&t);
	if (!t.pages[0]) {
		end_target(&t);
		/* Only root may be expected to be able to mount it. */
		skip();
	}
	interrupt_copy(&t);
	kill_debugger(&t);
	end_target(&t);
	has_no_children();
}

static int setup(void **state)
{
	memset(late, 0, sizeof(*late));
	return mock_setup(state);
}

static int teardown(void **state)
{
	late->comes = true;
	alarm(0);
	return mock_teardown(state);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(long_copies_reach_all_bytes),
		TEST(an_interrupt_ends_waiting_for_a_page),
		TEST(a_killed_copier_is_replaced_once),
		TEST(the_copier_is_no_child_of_the_caller),
		TEST(a_forked_caller_has_its_own_copier),
		TEST(a_page_of_a_fuse_file_does_not_hold_the_debugger),
	};

	late = mmap(NULL, sizeof(*late), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	if (late == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
