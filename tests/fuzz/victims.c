// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and ends the victims of the fuzzer: see victims.h.
 */
#define _GNU_SOURCE
#include "victims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define RENDER_NODE "/dev/dri/renderD128"
#define LOOP " hash saxpy intloop divide"
#define LOOP_TIMES 100

int victim_spin(struct victim *v, uid_t uid, unsigned int items)
{
	char n[16];
	char *const argv[] = { "compute", "-n", n, "spin", NULL };

	snprintf(n, sizeof(n), "%u", items);
	return victim_start_as(v, uid, argv);
}

static int start_silent(struct victim *v, uid_t uid, char *script)
{
	char *const argv[] = { "sh", "-c", script, NULL };

	return victim_start_as(v, uid, argv);
}

int victim_spin_silent(struct victim *v, uid_t uid)
{
	return start_silent(v, uid, "exec compute -n 64 spin 2>/dev/null");
}

int victim_loop(struct victim *v, uid_t uid)
{
	static char script[128 + LOOP_TIMES * sizeof(LOOP)];
	unsigned int i;
	int ret;

	strcpy(script, "exec 2>/dev/null compute -n 64 spin");
	for (i = 0; i < LOOP_TIMES; i++)
		strcat(script, LOOP);
	ret = start_silent(v, uid, script);
	if (!ret && write(v->in, "\n", 1) != 1)
		ret = -errno;
	return ret;
}

int victim_loop_on(struct victim *v, uid_t uid, bool moves)
{
	return start_silent(v, uid, moves ?
			    "exec compute -n 64 -i -l -V" LOOP " 2>/dev/null" :
			    "exec compute -n 64 -i -l" LOOP " 2>/dev/null");
}

/* "pasid:" of a DRM file's fdinfo (amdgpu_fdinfo.c); -ENOENT if it has none */
static int read_pasid(int dir, const char *fd)
{
	int file = openat(dir, fd, O_RDONLY | O_CLOEXEC), ret = -ENOENT;
	FILE *f = file < 0 ? NULL : fdopen(file, "r");
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "pasid:", 6))
			ret = atoi(line + 6);
	if (f)
		fclose(f);
	return ret;
}

int victim_pasid(const struct victim *v)
{
	struct dirent *e;
	int ret = -ENOENT;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", v->pid);
	dir = opendir(path);
	while (dir && ret <= 0 && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			ret = read_pasid(dirfd(dir), e->d_name);
	if (dir)
		closedir(dir);
	return ret;
}

int victim_pidfd(const struct victim *v)
{
	int fd = syscall(SYS_pidfd_open, v->pid, 0);

	return fd < 0 ? -errno : fd;
}

int victim_drm_fd(const struct victim *v, int pidfd)
{
	char path[64], link[64];
	struct dirent *e;
	int ret = -ENOENT;
	DIR *dir;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd", v->pid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (ret == -ENOENT && (e = readdir(dir))) {
		n = readlinkat(dirfd(dir), e->d_name, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = 0;
		if (strcmp(link, RENDER_NODE))
			continue;
		ret = syscall(SYS_pidfd_getfd, pidfd, atoi(e->d_name), 0);
		if (ret < 0)
			ret = -errno;
	}
	closedir(dir);
	return ret;
}

bool victim_let_end(struct victim *v, unsigned int ms)
{
	struct pollfd pfd = { .fd = victim_pidfd(v), .events = POLLIN };
	bool ended;

	if (v->in >= 0)
		close(v->in);
	v->in = -1;
	ended = poll(&pfd, 1, ms) == 1;
	close(pfd.fd);
	return ended;
}

void victim_drop(struct victim *v)
{
	kill(v->pid, SIGKILL);
	if (v->in >= 0)
		close(v->in);
	close(v->out);
	waitpid(v->pid, NULL, 0);
}
