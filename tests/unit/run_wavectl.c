// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl as a child process: see run_wavectl.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/wavectl/wavectl.h"
#include "mock.h"
#include "run_wavectl.h"

#define MAX_WORDS 32
/* Seconds until a child that hangs is ended by SIGALRM. */
#define DEADLINE 30

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

static void __attribute__((noreturn)) child(const char *args)
{
	char *argv[MAX_WORDS + 1] = { "wavectl" };
	char *text = strdup(args), *rest = text;
	int argc = 1, status;

	while (argc < MAX_WORDS && (argv[argc] = strsep(&rest, " ")))
		argc += *argv[argc] != '\0';
	argv[argc] = NULL;

	alarm(DEADLINE);
	status = wavectl_main(argc, argv);
	mock_verify();
	free(text);
	exit(status);
}

/* @full: standard output is /dev/full */
static void start(struct run *run, const char *args, bool full)
{
	int out[2];

	memset(run, 0, sizeof(*run));
	must(!pipe2(out, O_CLOEXEC), "pipe");
	run->err_fd = memfd_create("stderr", MFD_CLOEXEC);
	must(run->err_fd >= 0, "memfd");
	fflush(NULL);

	run->pid = fork();
	must(run->pid >= 0, "fork");
	if (!run->pid) {
		if (full)
			out[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
		must(dup2(out[1], STDOUT_FILENO) >= 0 &&
		     dup2(run->err_fd, STDERR_FILENO) >= 0, "dup2");
		child(args);
	}

	close(out[1]);
	run->out_fd = out[0];
}

void run_start(struct run *run, const char *args)
{
	start(run, args, false);
}

void run_start_full(struct run *run, const char *args)
{
	start(run, args, true);
}

/* Read more of standard output; 0 at its end. */
static ssize_t read_some(struct run *run, size_t max)
{
	size_t have = strlen(run->out);
	ssize_t n;

	must(have + max < sizeof(run->out), "too much output");
	n = read(run->out_fd, run->out + have, max);
	must(n >= 0, "read");
	return n;
}

void run_line(struct run *run)
{
	while (read_some(run, 1) > 0)
		if (run->out[strlen(run->out) - 1] == '\n')
			return;
}

void run_end(struct run *run)
{
	int status;

	while (read_some(run, 1024) > 0)
		;
	must(waitpid(run->pid, &status, 0) == run->pid, "waitpid");
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) :
		      -WTERMSIG(status);
	must(pread(run->err_fd, run->err, sizeof(run->err) - 1, 0) >= 0,
	     "pread");
	close(run->out_fd);
	close(run->err_fd);
	if (run->status < 0)
		fprintf(stderr, "%s", run->err);
}

int run(struct run *run, const char *args)
{
	run_start(run, args);
	run_end(run);
	return run->status;
}
