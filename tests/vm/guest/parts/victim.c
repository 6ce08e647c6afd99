// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and ends the child program that has waves on the GPU.
 */
#define _GNU_SOURCE
#include "victim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The group that /init gives the GPU's nodes to */
#define RENDER_GID 106

int victim_become(uid_t uid)
{
	const gid_t group = RENDER_GID;

	if (!uid)
		return 0;
	if (setgroups(1, &group) || setgid(uid) || setuid(uid))
		return -errno;
	return 0;
}

/* The child bounds its own wait, so this ends. */
static int wait_running(struct victim *v)
{
	char line[64];
	size_t len = 0;

	while (len < sizeof(line) - 1 && read(v->out, line + len, 1) == 1) {
		if (line[len++] == '\n')
			break;
	}
	line[len] = 0;
	return strcmp(line, "running\n") ? -EIO : 0;
}

int victim_start_as(struct victim *v, uid_t uid, char *const argv[])
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC))
		return -errno;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return -errno;
	}
	v->pid = fork();
	if (v->pid == 0) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		if (!victim_become(uid))
			execvp(argv[0], argv);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	v->in = to[1];
	v->out = from[0];
	if (v->pid < 0)
		return -errno;
	if (wait_running(v)) {
		victim_finish(v);
		return -EIO;
	}
	return 0;
}

int victim_start(struct victim *v, unsigned int items, unsigned int ring)
{
	char n[16], r[16];
	char *const argv[] = { "compute", "-n", n, "-r", r, "spin", NULL };

	snprintf(n, sizeof(n), "%u", items);
	snprintf(r, sizeof(r), "%u", ring);
	return victim_start_as(v, 0, argv);
}

int victim_finish(struct victim *v)
{
	char buf[256];
	int status;

	close(v->in);
	while (read(v->out, buf, sizeof(buf)) > 0)
		;
	close(v->out);
	if (waitpid(v->pid, &status, 0) != v->pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
