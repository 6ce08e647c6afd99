// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Detecting that the process executes another program (execve(2)). Its waves still belong to the
 * old program, for as long as the session keeps that program's GPU memory.
 *
 * The kernel notifies only a tracer of the process. But /proc/PID/mem refers to the memory of the
 * program that ran when the file was opened: mem_rw() of fs/proc/base.c (Linux 6.12) reads 0
 * bytes when that memory is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

/* Open it relative to the directory, which never becomes that of another process. */
static int open_memory(const struct adbgd_process *p)
{
	return openat(p->exec.proc_fd, "mem", O_RDONLY | O_CLOEXEC);
}

/*
 * An address that is mapped in no process, also if the CPU ignores its highest bits. An address
 * of the target would not do: the kernel waits for the content of a page, which may never arrive;
 * see lib/pages.c.
 */
#define NO_ADDRESS	(INT64_MAX & ~0xfffffLL)

static bool is_there(int memory)
{
	char c;

	/*
	 * Reading existing memory fails with an error; only memory that is gone reads as 0 bytes.
	 */
	return pread64(memory, &c, 1, NO_ADDRESS);
}

/*
 * Read "Uid:" or "Gid:" of /proc/PID/status. Return: false if it is missing, or if the four IDs
 * differ.
 */
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

/* Return: 0, -ESRCH or -EPERM. */
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
 * The caller opens files whose names come from the program that ran at the attach. The process
 * may have gained root's rights by execve(2) since, or may have dropped them. In both cases it is
 * not clear with whose rights these files may be opened.
 */
ADBGD_API int adbgd_process_get_credentials(const struct adbgd_process *process,
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
	/* The process is ending, which also removes its memory. */
	if (memory < 0 || !is_there(memory)) {
		if (memory >= 0)
			close(memory);
		process->exec.program_fd = -1;
		return false;
	}
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_EXEC };
	return true;
}
