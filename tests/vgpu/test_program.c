// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program vgpu as a whole: options and the messages about wrong ones, signals, exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/vfio.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/vfio_user.h"

#define DEADLINE_MS 20000
#define MAX_ARGS 16

static char program[4096];
static char dir[32];
static char socket_path[64], control_path[64];

struct child {
	pid_t pid;
	int out;		/* stdout and stderr */
	char text[65536];
	size_t len;
};

static void start(struct child *c, const char *const *args)
{
	const char *argv[MAX_ARGS + 2] = { program };
	int i, pipe_fds[2];

	for (i = 0; args[i]; i++) {
		assert_true(i < MAX_ARGS);
		argv[i + 1] = args[i];
	}
	assert_int_equal(pipe(pipe_fds), 0);
	c->len = 0;
	c->out = pipe_fds[0];
	c->pid = fork();
	assert_true(c->pid >= 0);
	if (!c->pid) {
		dup2(pipe_fds[1], STDOUT_FILENO);
		dup2(pipe_fds[1], STDERR_FILENO);
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	close(pipe_fds[1]);
}

/* Read until @what has been said (NULL: until the end). */
static void wait_for(struct child *c, const char *what)
{
	ssize_t n;

	c->text[c->len] = 0;
	while (!what || !strstr(c->text, what)) {
		struct pollfd p = { .fd = c->out, .events = POLLIN };

		if (poll(&p, 1, DEADLINE_MS) != 1) {
			kill(c->pid, SIGKILL);
			fail_msg("no \"%s\" in time, only: %s",
				 what ? what : "end", c->text);
		}
		n = read(c->out, c->text + c->len,
			 sizeof(c->text) - c->len - 1);
		if (n <= 0 && !what)
			return;
		if (n <= 0)
			fail_msg("ended without \"%s\": %s", what, c->text);
		c->len += (size_t)n;
		c->text[c->len] = 0;
	}
}

static int finish(struct child *c)
{
	int status;

	wait_for(c, NULL);
	close(c->out);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void says(const char *what, int status, const char *const *args)
{
	static struct child c;
	int got;

	start(&c, args);
	got = finish(&c);
	if (got != status || !strstr(c.text, what))
		fail_msg("%s %s: status %d, not %d; says: %s", args[0],
			 args[1] ? args[1] : "", got, status, c.text);
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/vgpu-test.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(socket_path, sizeof(socket_path), "%s/vfio", dir);
	snprintf(control_path, sizeof(control_path), "%s/control", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	/* It takes its sockets away itself, however it ends. */
	assert_int_equal(rmdir(dir), 0);
	return 0;
}

static void help_lists_options_profiles_and_quirks(void **state)
{
	(void)state;
	says("--socket PATH", 0, ARGS("--help"));
	says("vgpu 0", 0, ARGS("--version"));
	says("vangogh", 0, ARGS("--profile", "help"));
	says("sethalt-checks-vmid=1", 0, ARGS("--quirk", "help"));
}

static void wrong_options_give_a_message(void **state)
{
	const char *s = socket_path;
	char long_path[200] = { 0 };

	(void)state;
	says("use --socket PATH", 2, ARGS("--strict"));
	says("unrecognized option", 2, ARGS("-s", s, "--nonsense"));
	says("unexpected argument \"word\"", 2, ARGS("-s", s, "word"));
	says("no profile \"vega\"", 2, ARGS("-s", s, "-p", "vega"));
	says("from 1 to 32, not \"0\"", 2, ARGS("-s", s, "--se", "0"));
	says("from 1 to 32, not \"-1\"", 2, ARGS("-s", s, "--wgp", "-1"));
	says("from 1 to 32, not \"1x\"", 2, ARGS("-s", s, "--sa", "1x"));
	says("power of two", 2, ARGS("-s", s, "--vram", "100"));
	says("from 16 to 16384", 2, ARGS("-s", s, "--vram", "1"));
	says("not \"everything\"", 2, ARGS("-s", s, "--trace", "mmio,everything"));
	says("NAME=VALUE", 2, ARGS("-s", s, "--quirk", "word"));
	says("no quirk \"none\"", 2, ARGS("-s", s, "--quirk", "none=1"));
	says("not \"yes\"", 2,
	     ARGS("-s", s, "--quirk", "sethalt-checks-vmid=yes"));
	says("No such file or directory", 2, ARGS("-s", "/nowhere/socket"));
	says("No such file or directory", 2, ARGS("-s", s, "-l", "/nowhere/log"));
	memset(long_path, 'x', sizeof(long_path) - 1);
	says("File name too long", 2, ARGS("-s", long_path));
}

static void a_signal_ends_the_program_in_order(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT };
	static struct child c;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		start(&c, ARGS("--socket", socket_path, "--control",
			       control_path, "--strict"));
		wait_for(&c, "listening");
		kill(c.pid, signals[i]);
		assert_int_equal(finish(&c), 0);
		assert_non_null(strstr(c.text, "ended by a signal"));
		assert_non_null(strstr(c.text, "0 complaints in all"));
		assert_int_equal(access(socket_path, F_OK), -1);
		assert_int_equal(access(control_path, F_OK), -1);
	}
}

static void a_second_process_does_not_take_the_socket(void **state)
{
	static struct child c;

	(void)state;
	start(&c, ARGS("--socket", socket_path));
	wait_for(&c, "listening");
	says("Address already in use", 2, ARGS("--socket", socket_path));
	assert_int_equal(access(socket_path, F_OK), 0);
	kill(c.pid, SIGTERM);
	assert_int_equal(finish(&c), 0);
}

/* A host that writes two bytes to a doorbell, which no driver may, and goes. */
static void be_a_bad_host(void)
{
	struct {
		struct vfio_user_header hdr;
		struct vfio_user_region_rw rw;
		u8 data[2];
	} __attribute__((packed)) msg = {
		.hdr = {
			.command = VFIO_USER_REGION_WRITE, .size = sizeof(msg),
		},
		.rw = { .region = VFIO_PCI_BAR2_REGION_INDEX, .count = 2 },
	};
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct vfio_user_header reply;

	strcpy(addr.sun_path, socket_path);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(write(fd, &msg, sizeof(msg)), sizeof(msg));
	assert_int_equal(read(fd, &reply, sizeof(reply)), sizeof(reply));
	assert_int_equal(reply.error, EINVAL);
	close(fd);
}

static void with_strict_complaints_set_the_exit_status(void **state)
{
	static struct child c;

	(void)state;
	start(&c, ARGS("--socket", socket_path));
	wait_for(&c, "listening");
	be_a_bad_host();
	assert_int_equal(finish(&c), 0);
	assert_non_null(strstr(c.text, "bad-doorbell: 1"));

	start(&c, ARGS("--socket", socket_path, "--strict"));
	wait_for(&c, "listening");
	be_a_bad_host();
	assert_int_equal(finish(&c), 1);
}

static void with_persist_the_next_host_is_served(void **state)
{
	static struct child c;

	(void)state;
	start(&c, ARGS("--socket", socket_path, "--persist"));
	wait_for(&c, "listening");
	be_a_bad_host();
	be_a_bad_host();
	wait_for(&c, "disconnected");
	kill(c.pid, SIGTERM);
	assert_int_equal(finish(&c), 0);
	assert_non_null(strstr(c.text, "bad-doorbell: 2"));
}

static void the_log_goes_to_a_file(void **state)
{
	static struct child c;
	char path[64], text[4096];
	ssize_t n;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/log", dir);
	start(&c, ARGS("--socket", socket_path, "--control", control_path,
		       "--log", path));
	/* It listens on the control socket last. */
	while (access(control_path, F_OK))
		assert_int_equal(waitpid(c.pid, NULL, WNOHANG), 0);
	kill(c.pid, SIGTERM);
	assert_int_equal(finish(&c), 0);
	assert_int_equal(c.len, 0);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n > 0);
	text[n] = 0;
	assert_non_null(strstr(text, "listening on"));
	close(fd);
	unlink(path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* build/tests/vgpu/test_program -> build/tools/vgpu/vgpu */
static int find_program(void **state)
{
	char self[2048];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)state;
	assert_true(n > 0);
	self[n] = 0;
	snprintf(program, sizeof(program), "%s/../../tools/vgpu/vgpu",
		 dirname(self));
	assert_int_equal(access(program, X_OK), 0);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(help_lists_options_profiles_and_quirks),
		TEST(wrong_options_give_a_message),
		TEST(a_signal_ends_the_program_in_order),
		TEST(a_second_process_does_not_take_the_socket),
		TEST(with_strict_complaints_set_the_exit_status),
		TEST(with_persist_the_next_host_is_served),
		TEST(the_log_goes_to_a_file),
	};

	return cmocka_run_group_tests(tests, find_program, NULL);
}
