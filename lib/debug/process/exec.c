// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A process that executes another program: its waves are still those of the program before,
 * for as long as the session keeps that one's GPU memory.
 *
 * Only a tracer of the process is notified. But the memory that /proc/PID/mem stands
 * for is that of the program which was there when it was opened: see mem_rw() of fs/proc/base.c
 * (Linux 6.12), which reads nothing when that memory is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

/* By its directory, which is never another process's */
static int open_memory(const struct adbgd_process *p)
{
	return openat(p->exec.proc_fd, "mem", O_RDONLY | O_CLOEXEC);
}

/*
 * An address that no process can have, also without the bits that a CPU may ignore: a page of the
 * target could be one that never comes, and the kernel would wait for it, see lib/pages.c.
 */
#define NO_ADDRESS	(INT64_MAX & ~0xfffffLL)

static bool is_there(int memory)
{
	char c;

	/* Memory that is there gives an error, which is not 0. */
	return pread64(memory, &c, 1, NO_ADDRESS);
}

/* "Uid:" or "Gid:" of /proc/PID/status: false: it is not there, or the four differ */
static bool read_id(FILE *status, const char *key, uint32_t *id)
{
	unsigned int ids[4];
	char line[256];

	rewind(status);
	while (fgets(line, sizeof(line), status)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		if (sscanf(line + strlen(key), "%u %u %u %u", &ids[0], &ids[1], &ids[2],
			   &ids[3]) != 4)
			return false;
		*id = ids[0];
		return ids[1] == ids[0] && ids[2] == ids[0] && ids[3] == ids[0];
	}
	return false;
}

/* 0, -ESRCH or -EPERM */
static int read_owner(const struct adbgd_process *process, struct adbgd_owner *owner)
{
	int fd = openat(process->exec.proc_fd, "status", O_RDONLY | O_CLOEXEC), ret = 0;
	FILE *status = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (!status) {
		if (fd >= 0)
			close(fd);
		return -ESRCH;
	}
	if (!read_id(status, "Uid:", &owner->uid) || !read_id(status, "Gid:", &owner->gid))
		ret = -EPERM;
	fclose(status);
	return ret;
}

void adbgd_exec_open(struct adbgd_process *process)
{
	char path[32];

	process->exec.program_fd = -1;
	snprintf(path, sizeof(path), "/proc/%d", process->info.pid);
	process->exec.proc_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process->exec.proc_fd >= 0)
		process->exec.program_fd = open_memory(process);
	process->exec.owner_error = read_owner(process, &process->exec.owner);
}

/*
 * The names come from the program that was there at attach, perhaps before it executed another
 * one with the rights of root; or from one that had them before it gave them up.
 */
ADBGD_API int adbgd_process_get_owner(const struct adbgd_process *process,
				      struct adbgd_owner *owner, struct adbgd_error *error)
{
	struct adbgd_owner now;
	int ret = process->exec.owner_error ? process->exec.owner_error : read_owner(process, &now);

	if (ret == -ESRCH)
		return adbgd_fail(error, ret, "process %d has ended", process->info.pid);
	if (ret)
		return adbgd_fail(error, ret, "process %d has different user or group IDs",
				  process->info.pid);
	if (now.uid != process->exec.owner.uid || now.gid != process->exec.owner.gid)
		return adbgd_fail(error, -EPERM,
				  "the user or group of process %d has changed since the attach",
				  process->info.pid);
	*owner = now;
	return 0;
}

void adbgd_exec_close(struct adbgd_process *process)
{
	if (process->exec.program_fd >= 0)
		close(process->exec.program_fd);
	if (process->exec.proc_fd >= 0)
		close(process->exec.proc_fd);
}

bool adbgd_exec_is_seen(const struct adbgd_process *process)
{
	return process->exec.program_fd >= 0;
}

bool adbgd_exec_poll(struct adbgd_process *process, struct adbgd_stop *stop)
{
	int memory;

	if (!adbgd_exec_is_seen(process) || is_there(process->exec.program_fd))
		return false;
	memory = open_memory(process);
	close(process->exec.program_fd);
	process->exec.program_fd = memory;
	/* One that ends has none any more. */
	if (memory < 0 || !is_there(memory)) {
		if (memory >= 0)
			close(memory);
		process->exec.program_fd = -1;
		return false;
	}
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_EXEC };
	return true;
}
