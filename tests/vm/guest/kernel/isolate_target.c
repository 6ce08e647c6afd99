// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that cannot be a target, and the end of a target: see isolate.h.
 */
#define _GNU_SOURCE
#include "isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "child.h"
#include "until.h"

void files_of_other_kinds_are_no_target(void **state)
{
	static const struct {
		const char *path;
		int flags;
		int error;
	} files[] = {
		{ "/dev/null", O_RDWR, -ENOTTY },
		{ "/dev/amdgpudbg0", O_RDWR, -ENOTTY },
		{ "/tmp", O_RDONLY | O_DIRECTORY, -ENOTTY },
		{ "/proc/self/status", O_RDONLY, -ENOTTY },
		{ RENDER, O_PATH, -EBADF },
		{ "/dev/kfd", O_RDWR, -ENOTTY },
	};
	struct adbg_session *session = open_session();
	unsigned int count;
	int fd, fds[2];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		fd = open(files[i].path, files[i].flags | O_CLOEXEC);
		/* Not every guest has one. */
		if (fd < 0 && !strcmp(files[i].path, "/dev/kfd"))
			continue;
		assert_true(fd >= 0);
		assert_int_equal(set_target(session, fd, -1), files[i].error);
		close(fd);
		/* It was the highest that is open. */
		assert_int_equal(set_target(session, fd, -1), -EBADF);
	}
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(set_target(session, fds[0], -1), -ENOTTY);
	close(fds[0]);
	close(fds[1]);

	assert_int_equal(set_target(session, -2, -1), -EINVAL);
	assert_int_equal(set_target(session, -1, 0), -EINVAL);
	assert_int_equal(set_target(session, INT32_MIN, -1), -EINVAL);
	assert_int_equal(set_target(session, INT32_MAX, -1), -EBADF);
	/* None of them became one. */
	assert_int_equal(list(session, &count), -EPERM);
	adbg_session_close(session);
}

static int exited_pidfd(void)
{
	pid_t pid = fork();
	int pidfd;

	if (!pid)
		_exit(0);
	pidfd = pidfd_open(pid, 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pidfd;
}

void files_of_other_kinds_are_no_pidfd(void **state)
{
	/* One whose name is that of a pidfd. */
	static const char fifo[] = "/tmp/[pidfd]";
	struct adbg_session *session = open_session();
	int drm = open(RENDER, O_RDWR | O_CLOEXEC);
	int event = eventfd(0, EFD_CLOEXEC);
	unsigned int count;
	int fd;

	(void)state;
	assert_true(drm >= 0 && event >= 0);
	assert_int_equal(set_target(session, drm, event), -EINVAL);
	assert_int_equal(set_target(session, drm, drm), -EINVAL);
	assert_int_equal(set_target(session, drm, -2), -EINVAL);
	assert_int_equal(set_target(session, drm, 1000), -EBADF);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(set_target(session, drm, fd), -EINVAL);
	close(fd);
	unlink(fifo);
	fd = exited_pidfd();
	assert_int_equal(set_target(session, drm, fd), -ESRCH);
	close(fd);
	assert_int_equal(list(session, &count), -EPERM);

	/* Right, and an address space of its own that has no waves. */
	assert_int_equal(set_target(session, drm, -1), 0);
	assert_int_equal(list(session, &count), 0);
	assert_int_equal(count, 0);
	assert_busy(adbg_session_get_fd(session), AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(set_target(session, drm, -1), -EBUSY);
	assert_busy(adbg_session_get_fd(session), AMDGPUDBG_BUSY_TARGET, 0);
	close(event);
	close(drm);
	adbg_session_close(session);
}

/* The file behind /proc/PID/fd/N is opened anew: no way to its waves. */
void reopening_a_descriptor_gives_no_access(void **state)
{
	struct adbg_session *session = open_session();
	struct adbg_client_list *clients;
	unsigned int count;
	char path[64];
	int fd;

	(void)state;
	assert_int_equal(adbg_client_list_new(session, user.victim.pid,
					      &clients), 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", user.victim.pid,
		 adbg_client_list_get(clients, 0)->fd);
	adbg_client_list_free(clients);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(set_target(session, fd, -1), 0);
	assert_int_equal(list(session, &count), 0);
	assert_int_equal(count, 0);
	close(fd);
	adbg_session_close(session);
}

static bool is_gone(void *arg)
{
	unsigned int count;

	return list(arg, &count) == -ENOTCONN;
}

void the_session_ends_with_its_target(void **state)
{
	struct person mortal = { .uid = USER, .ring = 3 };
	struct adbg_session *session, *roots;
	unsigned int count;

	(void)state;
	assert_int_equal(start(&mortal), 0);
	roots = open_on(&mortal);
	be(USER, true);
	session = open_on(&mortal);
	assert_sees_only(session, &mortal);
	be(ROOT, true);
	assert_int_equal(victim_finish(&mortal.victim), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 60));
	assert_int_equal(control(session, AMDGPUDBG_WAVEOP_HALT, 1), -ENOTCONN);

	/* It can have another. */
	assert_int_equal(adbg_target_attach(session, user.victim.pid, 0, NULL),
			 0);
	assert_sees_only(session, &user);
	/* The whole GPU is for the privileged only. */
	assert_int_equal(adbg_target_clear(session), 0);
	assert_int_equal(list(session, &count), -EPERM);
	adbg_session_close(session);

	be(ROOT, true);
	assert_true(until(is_gone, roots, 60));
	assert_int_equal(adbg_target_clear(roots), 0);
	assert_int_equal(list(roots, &count), 0);
	assert_int_equal(count, 3 * WAVES);
	adbg_session_close(roots);
}

/*
 * A PASID goes to the next process when the last file of the old one closes. A
 * session that keeps the file keeps it from that; one that notices the exit
 * does not see the next one.
 */
void a_pasid_that_is_used_again_is_not_seen(void **state)
{
	struct person first = { .uid = USER, .ring = 3 };
	struct person second = { .uid = OTHER, .ring = 3 };
	struct adbg_session *keeper, *session;
	unsigned int count;
	int pidfd, fd;

	(void)state;
	assert_int_equal(start(&first), 0);
	be(USER, true);
	session = open_on(&first);
	keeper = open_session();
	pidfd = pidfd_open(first.victim.pid, 0);
	fd = file_of(&first, pidfd);
	assert_int_equal(set_target(keeper, fd, -1), 0);
	close(fd);
	close(pidfd);

	be(ROOT, true);
	assert_int_equal(victim_finish(&first.victim), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 60));
	assert_int_equal(start(&second), 0);
	be(USER, true);
	assert_int_not_equal(second.pasid, first.pasid);
	assert_int_equal(list(session, &count), -ENOTCONN);
	assert_int_equal(list(keeper, &count), 0);
	assert_int_equal(count, 0);

	/* Now it is free, and the next may get it. */
	be(ROOT, true);
	assert_int_equal(victim_finish(&second.victim), 0);
	adbg_session_close(keeper);
	assert_int_equal(start(&second), 0);
	be(USER, true);
	print_message("# PASID %u, then %u\n", first.pasid, second.pasid);
	assert_int_equal(list(session, &count), -ENOTCONN);
	be(ROOT, true);
	assert_int_equal(victim_finish(&second.victim), 0);
	be(USER, true);
	adbg_session_close(session);
}

/* The pidfd says when it ends, and nothing about who it is. */
void the_pidfd_of_another_process_only_ends_it(void **state)
{
	struct adbg_session *session = open_session();
	pid_t pid = start_bystander(true);
	int pidfd, theirs, fd;

	(void)state;
	pidfd = pidfd_open(user.victim.pid, 0);
	fd = file_of(&user, pidfd);
	theirs = pidfd_open(pid, 0);
	assert_true(theirs >= 0);
	assert_int_equal(set_target(session, fd, theirs), 0);
	close(fd);
	close(pidfd);
	close(theirs);
	assert_sees_only(session, &user);
	halt(session, &user);
	be(ROOT, true);
	assert_int_equal(child_kill(pid), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 60));
	assert_int_equal(see_halted(user.pasid), 0);
	adbg_session_close(session);
}
