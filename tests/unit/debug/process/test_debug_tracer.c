// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/tracer.c, with programs that make the system call for a GPU job on a file
 * that is not a GPU. Such a program is this one again, with a word as its argument. It writes
 * its progress to a pipe, and the end of the pipe shows its end.
 */
#include "debug/util.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/tracer.h"

/* The call of amdgpu_drm.h, and one of another number */
#define SUBMIT	_IOWR('d', 0x44, uint64_t[3])
#define OTHER	_IOWR('d', 0x46, uint64_t[3])

static struct adbgd_tracer *tracer;
static struct adbgd_traced traced;	/* as it was seen last */
static struct adbgd_error error;
static int from_program;	/* a pipe, whose other end is @SAYS there */
#define SAYS	42

/* In place of libc's: the process whose number must not be used any more; 0: none */
static pid_t ended;
static unsigned int signals_to_ended;

int kill(pid_t pid, int signal)
{
	signals_to_ended += ended && pid == ended;
	return syscall(SYS_kill, pid, signal);
}

/* ------------------------------------------------------------------ the programs */

static void say(const char *text)
{
	if (write(SAYS, text, strlen(text)) < 0)
		_exit(99);
}

static void submit_on(int fd)
{
	uint64_t args[3] = { 0 };

	ioctl(fd, OTHER, args);
	ioctl(fd, SUBMIT, args);
	say("s");
}

static void submit(void)
{
	submit_on(open("/dev/null", O_RDWR));
}

static void *submit_thread(void *arg)
{
	submit();
	return arg;
}

static int be_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, submit_thread, NULL);
	pthread_join(thread, NULL);
	return 0;
}

/* Its child lives longer. */
static int be_parent(void)
{
	char *argv[] = { "submit", "submit", NULL };
	pid_t self = getpid();

	if (fork())
		return 4;
	while (getppid() == self)
		sched_yield();
	return execv("/proc/self/exe", argv);
}

/* A thread that is not the first becomes another program. */
static void *exec_thread(void *arg)
{
	char *argv[] = { "submit", "submit", NULL };

	execv("/proc/self/exe", argv);
	return arg;
}

static int __attribute__((noreturn)) be_exec(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_thread, NULL);
	for (;;)
		pause();
}

static void on_signal(int signal)
{
	(void)signal;
	say("h");
}

static int be_signalled(void)
{
	sigset_t set;

	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	sigemptyset(&set);
	pthread_sigmask(SIG_SETMASK, NULL, &set);
	say(sigismember(&set, SIGUSR2) ? "blocked" : "open");
	raise(SIGSTOP);
	say("c");
	raise(SIGTERM);
	return 0;
}

static int be_background(void)
{
	char byte;

	say(read(STDIN_FILENO, &byte, 1) ? "reads" : "nothing");
	say(getpgrp() == getpid() ? " own" : " shared");
	return 0;
}

#ifdef __x86_64__
/* As a program of 32 bits calls it */
static int be_32(void)
{
	int fd = open("/dev/null", O_RDWR), ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(54), "b"(fd), "c"(SUBMIT), "d"(0) :
			 "memory");
	say("s");
	return ret == -ENOTTY ? 0 : 1;
}
#endif

static int be(const char *what)
{
	char byte;

	if (!strcmp(what, "submit")) {
		submit();
		return 0;
	}
	if (!strcmp(what, "twice")) {
		submit();
		submit();
		return 7;
	}
	if (!strcmp(what, "threads"))
		return be_threads();
	if (!strcmp(what, "parent"))
		return be_parent();
	if (!strcmp(what, "exec"))
		return be_exec();
	if (!strcmp(what, "signals"))
		return be_signalled();
	if (!strcmp(what, "background"))
		return be_background();
	if (!strcmp(what, "reads")) {
		say("r");
		if (read(STDIN_FILENO, &byte, 1) != 1)
			return 6;
		say("5");
		return 5;
	}
#ifdef __x86_64__
	if (!strcmp(what, "32"))
		return be_32();
#endif
	return 98;
}

/* --------------------------------------------------------------------- the tests */

static int start(char *const *argv, uint32_t flags)
{
	int fds[2], ret;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(dup2(fds[1], SAYS), SAYS);
	close(fds[1]);
	ret = adbgd_tracer_start(argv, environ, flags, &tracer, &error);
	close(SAYS);
	from_program = fds[0];
	return ret;
}

static void start_self(const char *what, uint32_t flags)
{
	char *argv[] = { "/proc/self/exe", (char *)what, NULL };

	if (start(argv, flags))
		fail_msg("%s", error.text);
	traced = *adbgd_tracer_get(tracer);
}

/* Until it does not run on by itself */
static void wait_until_not_running(void)
{
	struct pollfd fd = { .fd = adbgd_tracer_get_fd(tracer), .events = POLLIN };

	while ((traced = *adbgd_tracer_get(tracer)).state == ADBGD_TRACER_RUNS)
		assert_int_equal(poll(&fd, 1, -1), 1);
}

static void wait_for(enum adbgd_tracer_state state)
{
	wait_until_not_running();
	assert_int_equal(traced.state, state);
}

/* What it says from now on is this, and then it says no more. */
static void says(const char *text)
{
	char buffer[64];
	size_t len = 0;
	ssize_t n;

	do {
		n = read(from_program, buffer + len, sizeof(buffer) - 1 - len);
		assert_true(n >= 0);
		len += n;
	} while (n);
	buffer[len] = '\0';
	assert_string_equal(buffer, text);
	close(from_program);
}

/* The next bytes that it says */
static void says_next(const char *text)
{
	char buffer[64] = "";
	size_t len = 0;

	while (len < strlen(text)) {
		ssize_t n = read(from_program, buffer + len, strlen(text) - len);

		assert_true(n > 0);
		len += n;
	}
	assert_string_equal(buffer, text);
}

static void says_nothing_yet(void)
{
	struct pollfd fd = { .fd = from_program, .events = POLLIN };

	assert_int_equal(poll(&fd, 1, 0), 0);
}

static void end_tracer(void)
{
	adbgd_tracer_end(tracer);
	tracer = NULL;
}

static void exits_with(int status)
{
	int got;

	assert_int_equal(waitpid(traced.child, &got, 0), traced.child);
	assert_true(WIFEXITED(got));
	assert_int_equal(WEXITSTATUS(got), status);
	/* Nor is any other child left. */
	assert_int_equal(waitpid(-1, NULL, __WALL), -1);
	assert_int_equal(errno, ECHILD);
}

static void is_ended_by(int signal)
{
	int got;

	assert_int_equal(waitpid(traced.child, &got, 0), traced.child);
	assert_true(WIFSIGNALED(got));
	assert_int_equal(WTERMSIG(got), signal);
}

/* A number of /proc/PID/status */
static int status_of(pid_t pid, const char *format)
{
	char path[64], line[256];
	int value = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (value < 0 && fgets(line, sizeof(line), file))
		sscanf(line, format, &value);
	fclose(file);
	return value;
}

static int says_to[2];
static int own_stdin = -1;

/* For programs that are started from here on; -1: as it was */
static void in_place_of_stdin(int fd)
{
	if (fd >= 0) {
		own_stdin = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	} else {
		assert_int_equal(dup2(own_stdin, STDIN_FILENO), STDIN_FILENO);
		close(own_stdin);
	}
}

static void a_program_stops_before_its_first_job(void **state)
{
	(void)state;
	start_self("submit", 0);
	wait_for(ADBGD_TRACER_ASKS);
	assert_int_equal(traced.tid, traced.child);
	assert_int_equal(status_of(traced.tid, "PPid: %d"), getpid());
	assert_int_equal(status_of(status_of(traced.tid, "TracerPid: %d"), "PPid: %d"), getpid());
	says_nothing_yet();
	end_tracer();
	says("s");
	exits_with(0);
}

static void each_job_is_asked_for(void **state)
{
	(void)state;
	start_self("twice", 0);
	wait_for(ADBGD_TRACER_ASKS);
	adbgd_tracer_resume(tracer);
	says_next("s");
	wait_for(ADBGD_TRACER_ASKS);
	says_nothing_yet();
	adbgd_tracer_resume(tracer);
	wait_for(ADBGD_TRACER_ENDED);
	assert_true(WIFEXITED(traced.status));
	assert_int_equal(WEXITSTATUS(traced.status), 7);
	end_tracer();
	says("s");
	exits_with(7);
}

static void it_may_be_what_a_shell_starts(void **state)
{
	char exe[256] = "", *argv[] = { "sh", "-c", exe, NULL };
	char self[128] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(exe, sizeof(exe), "true; %s submit; exit 3", self);
	assert_int_equal(start(argv, 0), 0);
	wait_for(ADBGD_TRACER_ASKS);
	assert_int_not_equal(traced.tid, traced.child);
	assert_int_equal(status_of(traced.tid, "PPid: %d"), traced.child);
	end_tracer();
	says("s");
	exits_with(3);
}

static void it_may_be_a_thread(void **state)
{
	(void)state;
	start_self("threads", 0);
	wait_for(ADBGD_TRACER_ASKS);
	assert_int_not_equal(traced.tid, traced.child);
	assert_int_equal(status_of(traced.tid, "Tgid: %d"), traced.child);
	end_tracer();
	says("s");
	exits_with(0);
}

static void it_may_outlive_the_program(void **state)
{
	(void)state;
	start_self("parent", 0);
	wait_for(ADBGD_TRACER_ASKS);
	assert_int_not_equal(traced.tid, traced.child);
	adbgd_tracer_resume(tracer);
	wait_for(ADBGD_TRACER_ENDED);
	assert_int_equal(WEXITSTATUS(traced.status), 4);
	end_tracer();
	says("s");
	exits_with(4);
}

static void it_may_become_another_program(void **state)
{
	(void)state;
	start_self("exec", 0);
	wait_for(ADBGD_TRACER_ASKS);
	assert_int_equal(traced.tid, traced.child);
	end_tracer();
	says("s");
	exits_with(0);
}

static void signals_are_its_own(void **state)
{
	struct pollfd fd;

	(void)state;
	start_self("signals", 0);
	says_next("hopen");
	/* It has stopped itself and continues at SIGCONT, which may arrive too early. */
	fd = (struct pollfd){ .fd = from_program, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 50), 0);
	traced = *adbgd_tracer_get(tracer);
	do {
		assert_int_equal(kill(traced.child, SIGCONT), 0);
	} while (!poll(&fd, 1, 10));
	says("c");
	wait_for(ADBGD_TRACER_ENDED);
	assert_true(WIFSIGNALED(traced.status));
	assert_int_equal(WTERMSIG(traced.status), SIGTERM);
	end_tracer();
	is_ended_by(SIGTERM);
}

static void the_tracer_may_end_at_any_time(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	in_place_of_stdin(fds[0]);
	start_self("reads", 0);
	in_place_of_stdin(-1);
	says_next("r");
	end_tracer();
	assert_int_equal(status_of(traced.child, "TracerPid: %d"), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	says("5");
	exits_with(5);
	close(fds[0]);
	close(fds[1]);
}

/* A program that is stopped when the tracer ends stays stopped. */
static void the_tracer_may_end_while_the_program_is_stopped(void **state)
{
	int status;

	(void)state;
	start_self("signals", 0);
	says_next("hopen");
	end_tracer();
	assert_int_equal(waitpid(traced.child, &status, WUNTRACED), traced.child);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(WSTOPSIG(status), SIGSTOP);
	kill(traced.child, SIGCONT);
	says("c");
	is_ended_by(SIGTERM);
}

/* The program, by the kernel, because SIGCHLD is ignored */
static void is_reaped(void)
{
	assert_int_equal(waitpid(traced.child, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

/*
 * A caller may have inherited that SIGCHLD is ignored: then a tracer that was killed leaves no
 * zombie, and its number may be another process's at once.
 */
static void a_tracer_that_was_reaped_is_not_killed_by_its_number(void **state)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

	(void)state;
	assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
	start_self("submit", 0);
	wait_for(ADBGD_TRACER_ASKS);
	ended = status_of(traced.tid, "TracerPid: %d");
	assert_int_equal(syscall(SYS_kill, ended, SIGKILL), 0);
	while (!syscall(SYS_kill, ended, 0))
		sched_yield();
	assert_int_equal(adbgd_tracer_get(tracer)->state, ADBGD_TRACER_FAILED);
	end_tracer();
	assert_int_equal(signals_to_ended, 0);
	ended = 0;
	says("s");
	is_reaped();
	assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

static void a_tracer_ends_where_sigchld_is_ignored(void **state)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	pid_t pid;

	(void)state;
	assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
	start_self("submit", 0);
	wait_for(ADBGD_TRACER_ASKS);
	pid = status_of(traced.tid, "TracerPid: %d");
	end_tracer();
	assert_int_equal(syscall(SYS_kill, pid, 0), -1);
	says("s");
	is_reaped();
	assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

static void in_the_background_it_reads_nothing(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	in_place_of_stdin(fds[0]);
	start_self("background", ADBGD_PROGRAM_BACKGROUND);
	wait_for(ADBGD_TRACER_ENDED);
	says("nothing own");
	end_tracer();
	exits_with(0);
	start_self("background", 0);
	wait_for(ADBGD_TRACER_ENDED);
	says("reads shared");
	end_tracer();
	exits_with(0);
	in_place_of_stdin(-1);
	close(fds[0]);
	close(fds[1]);
}

/* A debugger in a process of its own, which is killed when it is this far */
static void kill_debugger(const char *what, bool asks)
{
	int fds[2], status;
	pid_t pid;
	char byte;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(pipe2(says_to, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		char *argv[] = { "/proc/self/exe", (char *)what, NULL };
		struct pollfd fd = { .events = POLLIN };

		dup2(says_to[1], SAYS);
		if (adbgd_tracer_start(argv, environ, 0, &tracer, &error))
			_exit(1);
		close(SAYS);
		close(says_to[1]);
		fd.fd = adbgd_tracer_get_fd(tracer);
		if (asks && poll(&fd, 1, -1) != 1)
			_exit(1);
		if (write(fds[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(says_to[1]);
	from_program = says_to[0];
	assert_int_equal(read(fds[0], &byte, 1), 1);
	if (!asks)
		says_next("r");
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	close(fds[0]);
	close(fds[1]);
}

static void the_program_continues_when_its_debugger_dies(void **state)
{
	int fds[2];

	(void)state;
	kill_debugger("submit", true);
	says("s");
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	in_place_of_stdin(fds[0]);
	kill_debugger("reads", false);
	in_place_of_stdin(-1);
	assert_int_equal(write(fds[1], "x", 1), 1);
	says("5");
	close(fds[0]);
	close(fds[1]);
}

#ifdef __x86_64__
static void it_may_be_of_32_bits(void **state)
{
	(void)state;
	start_self("32", 0);
	wait_until_not_running();
	if (traced.state == ADBGD_TRACER_ENDED && WIFSIGNALED(traced.status)) {
		/* This kernel runs none. */
		assert_int_equal(WTERMSIG(traced.status), SIGSEGV);
		end_tracer();
		says("");
		is_ended_by(SIGSEGV);
		skip();
	}
	assert_int_equal(traced.state, ADBGD_TRACER_ASKS);
	says_nothing_yet();
	end_tracer();
	says("s");
	exits_with(0);
}
#endif

static void an_error_of_exec_is_reported(void **state)
{
	char *argv[] = { "/nosuch", NULL };

	(void)state;
	assert_int_equal(start(argv, 0), -ENOENT);
	assert_int_equal(error.error, -ENOENT);
	assert_string_equal(error.text, "cannot run /nosuch: No such file or directory");
	argv[0] = "/etc/passwd";
	close(from_program);
	assert_int_equal(start(argv, 0), -EACCES);
	assert_string_equal(error.text, "cannot run /etc/passwd: Permission denied");
	close(from_program);
	assert_int_equal(waitpid(-1, NULL, __WALL), -1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_stops_before_its_first_job),
		cmocka_unit_test(each_job_is_asked_for),
		cmocka_unit_test(it_may_be_what_a_shell_starts),
		cmocka_unit_test(it_may_be_a_thread),
		cmocka_unit_test(it_may_outlive_the_program),
		cmocka_unit_test(it_may_become_another_program),
#ifdef __x86_64__
		cmocka_unit_test(it_may_be_of_32_bits),
#endif
		cmocka_unit_test(signals_are_its_own),
		cmocka_unit_test(the_tracer_may_end_at_any_time),
		cmocka_unit_test(the_tracer_may_end_while_the_program_is_stopped),
		cmocka_unit_test(a_tracer_that_was_reaped_is_not_killed_by_its_number),
		cmocka_unit_test(a_tracer_ends_where_sigchld_is_ignored),
		cmocka_unit_test(in_the_background_it_reads_nothing),
		cmocka_unit_test(the_program_continues_when_its_debugger_dies),
		cmocka_unit_test(an_error_of_exec_is_reported),
	};

	/* At once: a sanitizer that looks for leaks cannot do so in what is traced. */
	if (argc == 2 && getenv("TRACED"))
		_exit(be(argv[1]));
	setenv("TRACED", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
