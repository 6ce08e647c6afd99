// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading and writing a process's own pages that the GPU uses (userptr).
 *
 * A process number does not identify an address space: execve(2) replaces the address space of a
 * running process, and the number of a process that has ended is used again. An open
 * /proc/PID/mem refers to the address space that the process had at open(2), whatever happens to
 * the process (mem_open() and mem_rw() of fs/proc/base.c, Linux 6.1 to 7.2). When that address
 * space has no user any more, reads and writes transfer nothing. Therefore the file is opened
 * once for each target, and accesses need no check, which could be outdated when the access is
 * done.
 *
 * Unlike process_vm_writev(2), a write also reaches pages that the process itself may only read,
 * as a write by any debugger does.
 *
 * The target determines how long such an access takes: a page may belong to a FUSE file whose
 * server does not answer. Then the kernel waits in read(2) or write(2) of /proc/PID/mem, and not
 * even SIGKILL ends that (access_remote_vm() of mm/memory.c does not make faults killable).
 * Therefore a separate process, the copier, makes these calls. It is a fork that keeps only the
 * file and one end of a socket: when the debugger dies, its session is closed, even if the copier
 * still waits. A copier that waits for a page is abandoned. It ends when the page arrives,
 * because it cannot be killed before.
 *
 * The copier is an orphan from the beginning, so that a process with children of its own neither
 * sees it in wait(2) nor receives SIGCHLD, and init(1) reaps it whenever it ends. (A caller that
 * is a child subreaper, or init(1) itself, sees the copier, as it does any orphan.)
 *
 * The caller itself calls open(2) for /proc/PID/mem: this may wait for an execve(2) of the
 * process, but SIGKILL ends it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

/* Addresses may have bit 63 set, which file offsets and user addresses never have. */
#define ADDRESS_MAX INT64_MAX

/* Maximum size of one request in bytes, and so of what an abandoned copier still writes later */
#define PIECE 0x10000

/*
 * In ms. After an interrupt, the copier gets this time for a page, so that calls which clean up
 * can still read pages that are in memory.
 */
#define GRACE_MS 200

/* The copier may have been killed by a user, or because memory was low. */
#define MAX_TRIES 2

struct adbg_copier {
	pid_t owner;	/* after a fork(2), parent and child must not share the copier */
	int socket;
	bool is_asked;	/* a request was not answered yet */
	char *data;	/* PIECE bytes, shared with the copier */
};

struct request {
	uint64_t address;
	uint32_t bytes;
	bool write;
};

/* -------------------------------------------------------------------- the copier */

/*
 * This code runs in a fork of a process that may have threads, so it calls nothing that needs a
 * lock.
 */

static bool close_all_but(unsigned int low, unsigned int high)
{
	if (low > high)
		return close_all_but(high, low);
	return (!low || !close_range(0, low - 1, 0)) &&
	       (low + 1 == high || !close_range(low + 1, high - 1, 0)) &&
	       !close_range(high + 1, ~0U, 0);
}

/*
 * All signals but SIGKILL and SIGSTOP are blocked, because signals from the terminal are for the
 * debugger.
 */
static void __attribute__((noreturn)) be_copier(int socket, int pages, char *data)
{
	struct request r;
	ssize_t n;

	if (!close_all_but(socket, pages))
		_exit(1);
	/* The socket is closed when the debugger dies, or has abandoned this process. */
	while (recv(socket, &r, sizeof(r), 0) == sizeof(r)) {
		n = r.write ? pwrite64(pages, data, r.bytes, r.address) :
			      pread64(pages, data, r.bytes, r.address);
		if (n < 0)
			n = -errno;
		if (send(socket, &n, sizeof(n), MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

/*
 * Fork the copier by way of another process, so that it becomes an orphan. That process shares
 * the descriptors of the caller, so that its end closes none of them: close() may wait for a
 * device. It sends no signal when it ends, so that the kernel does not reap it if SIGCHLD is
 * ignored.
 */
static int fork_copier(int socket, int pages, char *data)
{
	sigset_t all, before;
	int status = 0;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = syscall(SYS_clone, CLONE_FILES, 0, 0, 0, 0);
	if (!pid) {
		pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
		if (!pid)
			be_copier(socket, pages, data);
		_exit(pid < 0 ? errno : 0);
	}
	if (pid < 0)
		status = -errno;
	while (pid > 0 && waitpid(pid, &status, __WCLONE) < 0 && errno == EINTR)
		;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return status;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECANCELED;
}

/* ------------------------------------------------------------------ the debugger */

static void abandon_copier(struct adbg_session *session)
{
	struct adbg_copier *c = session->copier;

	if (!c)
		return;
	session->copier = NULL;
	close(c->socket);
	munmap(c->data, PIECE);
	free(c);
}

static int start_copier(struct adbg_session *session)
{
	struct adbg_copier *c = calloc(1, sizeof(*c));
	int sockets[2], ret;

	if (!c)
		return -ENOMEM;
	c->owner = getpid();
	c->data = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->data == MAP_FAILED) {
		free(c);
		return -ENOMEM;
	}
	ret = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) ? -errno : 0;
	if (ret) {
		munmap(c->data, PIECE);
		free(c);
		return ret;
	}
	ret = fork_copier(sockets[1], session->pages_fd, c->data);
	close(sockets[1]);
	c->socket = sockets[0];
	session->copier = c;
	if (ret)
		abandon_copier(session);
	return ret;
}

/*
 * Start a copier if there is none. If a request was never answered, longjmp(3) or
 * pthread_cancel(3) has left the call: abandon that copier.
 */
static int need_copier(struct adbg_session *session)
{
	struct adbg_copier *c = session->copier;

	if (c && !c->is_asked && c->owner == getpid())
		return 0;
	abandon_copier(session);
	return start_copier(session);
}

static int wait_for_answer(const struct adbg_session *session)
{
	struct pollfd fds[] = {
		{ .fd = session->copier->socket, .events = POLLIN },
		{ .fd = session->interrupt_fd, .events = POLLIN },
	};

	while (poll(fds, ARRAY_SIZE(fds), -1) < 0)
		if (errno != EINTR)
			return -errno;
	if (fds[0].revents || poll(fds, 1, GRACE_MS) > 0)
		return 0;
	return -EINTR;
}

/* Return: number of bytes; -ECANCELED the copier is gone; -EINTR. */
static ssize_t ask_copier(struct adbg_session *session, const struct request *r)
{
	struct adbg_copier *c = session->copier;
	ssize_t n;
	int ret;

	c->is_asked = true;
	if (send(c->socket, r, sizeof(*r), MSG_NOSIGNAL) != sizeof(*r))
		return -ECANCELED;
	ret = wait_for_answer(session);
	if (ret)
		return ret;
	if (recv(c->socket, &n, sizeof(n), MSG_DONTWAIT) != sizeof(n))
		return -ECANCELED;
	c->is_asked = false;
	return n;
}

static ssize_t copy_piece(struct adbg_session *session, const struct request *r, char *data)
{
	ssize_t n = -ECANCELED;
	int ret;

	for (int try = 0; n == -ECANCELED && try < MAX_TRIES; try++) {
		ret = need_copier(session);
		if (ret)
			return ret;
		if (r->write)
			memcpy(session->copier->data, data, r->bytes);
		n = ask_copier(session, r);
		if (session->copier->is_asked)
			abandon_copier(session);
	}
	if (n > 0 && !r->write)
		memcpy(data, session->copier->data, n);
	return n;
}

/*
 * While the interrupt persists, fail at once. Otherwise each page could take GRACE_MS, and leave
 * one more process.
 */
static bool stays_interrupted(struct adbg_session *session)
{
	struct pollfd fd = { .fd = session->interrupt_fd, .events = POLLIN };

	if (session->is_interrupted)
		session->is_interrupted = poll(&fd, 1, 0) > 0;
	return session->is_interrupted;
}

int adbg_pages_open(int32_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR | O_CLOEXEC | O_LARGEFILE);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ESRCH : -errno;
}

void adbg_pages_keep(struct adbg_session *session, int32_t pid, int fd)
{
	abandon_copier(session);
	if (session->pages_pid && session->pages_fd >= 0)
		close(session->pages_fd);
	session->pages_pid = pid;
	session->pages_fd = fd;
}

ssize_t adbg_pages_copy(struct adbg_session *session, int32_t pid, bool write,
			uint64_t address, void *data, size_t bytes)
{
	struct request r = { .write = write };
	ssize_t n = 0, done = 0;

	if (session->pages_pid != pid)
		adbg_pages_keep(session, pid, adbg_pages_open(pid));
	if (session->pages_fd < 0)
		return session->pages_fd;
	if (address > ADDRESS_MAX)
		return -ENXIO;
	if (stays_interrupted(session))
		return -EINTR;
	do {
		r.address = address + done;
		r.bytes = bytes - done < PIECE ? bytes - done : PIECE;
		n = copy_piece(session, &r, (char *)data + done);
		if (n > 0)
			done += n;
	} while (n == r.bytes && (size_t)done < bytes);
	session->is_interrupted = n == -EINTR;
	if (done)
		return done;
	if (n < 0)
		return n == -EIO || n == -EFAULT ? -ENXIO : n;
	/* Nothing was copied, so the address space is gone. */
	return -ESRCH;
}
