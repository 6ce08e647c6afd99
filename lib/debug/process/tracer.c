// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See tracer.h. The tracer is a separate process: if it is killed, the kernel resumes all threads
 * that it has traced, in whatever state they are. PR_SET_PDEATHSIG kills it when the debugger
 * dies, so that tracing always ends in the same way.
 *
 * The program itself is a child of the debugger (CLONE_PARENT), which waits for its end like any
 * parent. The tracer is a fork of a process that may have threads, so it calls nothing that needs
 * a lock.
 */
#include "tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS (PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | \
		 PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE)

/* Exit status if a program cannot be run (POSIX, "Exit Status for Commands") */
#define STATUS_NOT_RUN	127

/* DRM_IOCTL_AMDGPU_CS (amdgpu_drm.h of Linux 6.1). DRM looks only at the type and the number. */
#define DRM_TYPE	'd'
#define DRM_AMDGPU_CS	(0x40 + 0x04)

/* Maximum number of threads that Linux has at once: PID_MAX_LIMIT of linux/threads.h */
#define MAX_TIDS	(4 * 1024 * 1024)

/* The debugger's side. The tracer sends a struct adbgd_traced when the state changes. */
struct adbgd_tracer {
	int pidfd;	/* a PID could belong to another process after the tracer was reaped */
	int socket;
	struct adbgd_traced traced;
};

/* The tracer's side */
struct tracing {
	int socket;		/* to the debugger */
	int child_socket;	/* to the child that becomes the program */
	char *const *argv, *const *envp;
	uint32_t flags;
	struct adbgd_traced traced;
	bool has_begun;		/* the child has become the program */
	pid_t *tids;		/* threads that are traced, as far as the tracer knows */
	size_t num_tids;
};

/* ----------------------------------------------------------------- the program */

/* In the child: wait until it is traced, then execute the program. */
static void __attribute__((noreturn)) be_program(const struct tracing *t, int socket)
{
	sigset_t none;
	int error, fd;
	char go;

	/* Move the socket away from stdin, stdout and stderr. */
	socket = fcntl(socket, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (t->flags & ADBGD_PROGRAM_BACKGROUND) {
		setpgid(0, 0);
		fd = open("/dev/null", O_RDONLY);
		if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
			_exit(STATUS_NOT_RUN);
		if (fd != STDIN_FILENO)
			close(fd);
	}
	/* The debugger has died. */
	if (read(socket, &go, 1) != 1)
		_exit(STATUS_NOT_RUN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvpe(t->argv[0], t->argv, t->envp);
	error = errno;
	_exit(write(socket, &error, sizeof(error)) < 0 ? 1 : STATUS_NOT_RUN);
}

/*
 * Yama lets a process be traced by a process that is not its parent if the former names the
 * latter.
 */
static void be_program_of(const struct tracing *t, int socket, pid_t tracer)
{
	prctl(PR_SET_PTRACER, tracer);
	if (send(socket, "", 1, MSG_NOSIGNAL) == 1)
		be_program(t, socket);
	_exit(STATUS_NOT_RUN);
}

static int fork_program(struct tracing *t)
{
	pid_t tracer = getpid(), child;
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		close(sockets[0]);
		be_program_of(t, sockets[1], tracer);
	}
	t->child_socket = sockets[0];
	close(sockets[1]);
	if (child < 0)
		return -errno;
	t->traced.child = child;
	return 0;
}

/* ---------------------------------------------------------------- traced threads */

/*
 * The array cannot overflow: each thread is in it once, and it has room for all threads of Linux.
 */
static void note(struct tracing *t, pid_t tid)
{
	for (size_t i = 0; i < t->num_tids; i++)
		if (t->tids[i] == tid)
			return;
	if (t->num_tids < MAX_TIDS)
		t->tids[t->num_tids++] = tid;
}

static void forget(struct tracing *t, pid_t tid)
{
	for (size_t i = 0; i < t->num_tids; i++)
		if (t->tids[i] == tid) {
			t->tids[i] = t->tids[--t->num_tids];
			return;
		}
}

/* If the thread was killed, waitpid() reports that next. */
static void resume(pid_t tid, int signal)
{
	ptrace(PTRACE_SYSCALL, tid, NULL, (void *)(intptr_t)signal);
}

/* Is the system call ioctl(2), in the ABI that the program uses? */
static bool is_ioctl(const struct __ptrace_syscall_info *info)
{
	switch (info->arch) {
	case AUDIT_ARCH_X86_64:
		/* asm/unistd_64.h and unistd_x32.h */
		return info->entry.nr == 16 || info->entry.nr == (0x40000000 | 514);
	case AUDIT_ARCH_AARCH64:
	case AUDIT_ARCH_RISCV64:
		/* asm-generic/unistd.h */
		return info->entry.nr == 29;
	case AUDIT_ARCH_I386:
	case AUDIT_ARCH_ARM:
	case AUDIT_ARCH_PPC64LE:
	case AUDIT_ARCH_PPC64:
		return info->entry.nr == 54;
	default:
		return false;
	}
}

static bool is_submission(pid_t tid, int *fd)
{
	struct __ptrace_syscall_info info = { .op = PTRACE_SYSCALL_INFO_NONE };
	uint32_t request;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, (void *)sizeof(info), &info) < 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY || !is_ioctl(&info))
		return false;
	request = info.entry.args[1];
	*fd = info.entry.args[0];
	return _IOC_TYPE(request) == DRM_TYPE && _IOC_NR(request) == DRM_AMDGPU_CS;
}

/* -------------------------------------------------------------------- the tracer */

/* If the debugger cannot be reached it has died; exit. */
static void report(struct tracing *t, enum adbgd_tracer_state state, int error)
{
	t->traced.state = state;
	t->traced.error = error;
	if (send(t->socket, &t->traced, sizeof(t->traced), MSG_NOSIGNAL) < 0)
		_exit(1);
}

/* Keep the thread before its system call until the debugger has answered. */
static void ask(struct tracing *t, pid_t tid, int fd)
{
	char order;

	t->traced.tid = tid;
	t->traced.fd = fd;
	report(t, ADBGD_TRACER_ASKS, 0);
	if (recv(t->socket, &order, 1, 0) != 1)
		_exit(1);
}

static bool is_group_stop(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void take_event(struct tracing *t, pid_t tid, int event, int signal)
{
	unsigned long number = 0;

	switch (event) {
	case PTRACE_EVENT_EXEC:
		/*
		 * The thread that calls execve() takes the PID of its process; its own number is
		 * gone.
		 */
		if (!ptrace(PTRACE_GETEVENTMSG, tid, NULL, &number) && (pid_t)number != tid)
			forget(t, (pid_t)number);
		if (tid == t->traced.child && !t->has_begun) {
			t->has_begun = true;
			report(t, ADBGD_TRACER_RUNS, 0);
		}
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		if (!ptrace(PTRACE_GETEVENTMSG, tid, NULL, &number))
			note(t, (pid_t)number);
		break;
	case PTRACE_EVENT_STOP:
		/* In a group stop the thread stays stopped, and listens for SIGCONT. */
		if (is_group_stop(signal)) {
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			return;
		}
		break;
	}
	resume(tid, 0);
}

static void take_stop(struct tracing *t, pid_t tid, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16, fd;

	note(t, tid);
	if (event) {
		take_event(t, tid, event, signal);
	} else if (signal == (SIGTRAP | 0x80)) {
		if (is_submission(tid, &fd))
			ask(t, tid, fd);
		resume(tid, 0);
	} else {
		/* A signal for the program: deliver it. */
		resume(tid, signal);
	}
}

/* Return why the child did not become the program: the error that it has sent, or it was killed. */
static int child_error(const struct tracing *t)
{
	int error = 0;

	if (recv(t->child_socket, &error, sizeof(error), 0) != sizeof(error))
		return -ECHILD;
	return -error;
}

static void take_end(struct tracing *t, pid_t tid, int status)
{
	forget(t, tid);
	if (tid == t->traced.child) {
		t->traced.status = status;
		if (!t->has_begun)
			report(t, ADBGD_TRACER_FAILED, child_error(t));
	}
}

/*
 * Close all other descriptors: another process may wait for the end of a pipe that they refer to.
 */
static void keep_sockets(struct tracing *t)
{
	int ours = fcntl(t->socket, F_DUPFD, STDERR_FILENO + 1);
	int of_child = fcntl(t->child_socket, F_DUPFD, STDERR_FILENO + 1);

	t->socket = dup2(ours, STDIN_FILENO);
	t->child_socket = dup2(of_child, STDOUT_FILENO);
	close_range(STDERR_FILENO, ~0U, 0);
}

static int start(struct tracing *t)
{
	char named;
	int ret;

	t->tids = mmap(NULL, MAX_TIDS * sizeof(*t->tids), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (t->tids == MAP_FAILED)
		return -errno;
	ret = fork_program(t);
	if (ret)
		return ret;
	keep_sockets(t);
	if (recv(t->child_socket, &named, 1, 0) != 1)
		return -ECHILD;
	if (ptrace(PTRACE_SEIZE, t->traced.child, NULL, (void *)(uintptr_t)OPTIONS) < 0)
		return -errno;
	note(t, t->traced.child);
	/* Let the child call execve(). */
	return send(t->child_socket, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -ECHILD;
}

/* All signals but SIGKILL are blocked, because signals from the terminal are for the debugger. */
static void __attribute__((noreturn)) be_tracer(struct tracing *t, pid_t debugger)
{
	int status, ret;
	pid_t tid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != debugger)
		_exit(1);
	ret = start(t);
	if (ret)
		report(t, ADBGD_TRACER_FAILED, ret);
	while (!ret && t->num_tids) {
		tid = waitpid(-1, &status, __WALL);
		if (tid < 0)
			break;
		if (WIFSTOPPED(status))
			take_stop(t, tid, status);
		else
			take_end(t, tid, status);
	}
	if (t->has_begun)
		report(t, ADBGD_TRACER_ENDED, 0);
	_exit(0);
}

/* ------------------------------------------------------------------ the debugger */

static int fork_tracer(struct adbgd_tracer *tracer, struct tracing *t)
{
	pid_t debugger = getpid(), pid;
	sigset_t all, before;
	int sockets[2], ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	t->socket = sockets[1];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* fork() that also returns a pidfd, which clone(2) writes to its third argument */
	pid = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &tracer->pidfd, 0, 0);
	if (!pid)
		be_tracer(t, debugger);
	ret = pid < 0 ? -errno : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(sockets[1]);
	if (ret)
		close(sockets[0]);
	else
		tracer->socket = sockets[0];
	return ret;
}

static void receive(struct adbgd_tracer *tracer, int flags)
{
	struct adbgd_traced traced;
	ssize_t n;

	do {
		n = recv(tracer->socket, &traced, sizeof(traced), flags);
	} while (n < 0 && errno == EINTR);
	if (n == sizeof(traced)) {
		tracer->traced = traced;
	} else if (!n && tracer->traced.state <= ADBGD_TRACER_ASKS) {
		/* The tracer was killed. */
		tracer->traced.state = ADBGD_TRACER_FAILED;
		tracer->traced.error = -ECANCELED;
	}
}

static int fail_start(struct adbgd_tracer *tracer, const char *file, struct adbgd_error *error)
{
	int ret = tracer->traced.error;
	const char *why = strerror(-ret);

	if (ret == -ECHILD)
		why = "it was killed before it began";
	/* With a status, the child was traced, and execve() itself has failed with -EPERM. */
	else if (ret == -EPERM && !tracer->traced.status)
		why = adbg_target_reason(getpid());
	adbgd_tracer_end(tracer);
	return adbgd_fail(error, ret, "cannot run %s: %s", file, why);
}

int adbgd_tracer_start(char *const *argv, char *const *envp, uint32_t flags,
		       struct adbgd_tracer **tracer, struct adbgd_error *error)
{
	struct tracing t = { .argv = argv, .envp = envp, .flags = flags };
	struct adbgd_tracer *new = calloc(1, sizeof(*new));
	pid_t child;
	int ret;

	if (!new)
		return adbgd_no_memory(error, "a program");
	ret = fork_tracer(new, &t);
	if (ret) {
		free(new);
		return adbgd_fail(error, ret, "cannot fork: %s", strerror(-ret));
	}
	receive(new, 0);
	if (new->traced.state == ADBGD_TRACER_RUNS) {
		*tracer = new;
		return 0;
	}
	child = new->traced.child;
	ret = fail_start(new, argv[0], error);
	if (child > 0)
		waitpid(child, NULL, 0);
	return ret;
}

int adbgd_tracer_get_fd(const struct adbgd_tracer *tracer)
{
	return tracer->socket;
}

const struct adbgd_traced *adbgd_tracer_get(struct adbgd_tracer *tracer)
{
	receive(tracer, MSG_DONTWAIT);
	return &tracer->traced;
}

void adbgd_tracer_resume(struct adbgd_tracer *tracer)
{
	ssize_t n;

	tracer->traced.state = ADBGD_TRACER_RUNS;
	n = send(tracer->socket, "", 1, MSG_NOSIGNAL);
	/* If the tracer was killed, adbgd_tracer_get() reports that next. */
	(void)n;
}

void adbgd_tracer_end(struct adbgd_tracer *tracer)
{
	siginfo_t info;

	syscall(SYS_pidfd_send_signal, tracer->pidfd, SIGKILL, NULL, 0);
	/*
	 * waitid() returns when the tracer has ended, and so the kernel has resumed the threads.
	 * If SIGCHLD is ignored, which the caller may have inherited, the kernel reaps the tracer
	 * itself; waitid() then waits for that and fails with ECHILD.
	 */
	while (waitid(P_PIDFD, tracer->pidfd, &info, WEXITED) < 0 && errno == EINTR)
		;
	close(tracer->pidfd);
	close(tracer->socket);
	free(tracer);
}
