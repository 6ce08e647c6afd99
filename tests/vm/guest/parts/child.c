// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts of tests in separate processes: see child.h.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int child_run(int (*what)(void *arg), void *arg)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(what(arg));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

pid_t child_hold(int (*what)(void *arg), void *arg)
{
	int ready[2], ret = 0;
	pid_t pid;
	char c;

	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		if (what(arg) || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (pid < 0)
		ret = -errno;
	close(ready[1]);
	if (!ret && read(ready[0], &c, 1) != 1) {
		child_kill(pid);
		ret = -ECHILD;
	}
	close(ready[0]);
	return ret ? ret : pid;
}

int child_kill(pid_t pid)
{
	int status;

	if (kill(pid, SIGKILL) || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFSIGNALED(status) ? 0 : -ECHILD;
}
