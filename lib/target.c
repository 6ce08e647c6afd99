// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Attaching a session to its target process.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* Find the client with an ID; 0: the only one. */
static int choose(const struct adbg_client_list *list, uint64_t client_id,
		  struct adbg_client *client)
{
	const struct adbg_client *c;
	size_t found = 0;

	for (size_t i = 0; (c = adbg_client_list_get(list, i)); i++) {
		if (client_id && c->client_id != client_id)
			continue;
		*client = *c;
		found++;
	}

	if (found > 1)
		return -ENOTUNIQ;
	return found ? 0 : -ENODATA;
}

static bool has_exited(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

/*
 * Get a duplicate of the client's file. The process may have given the descriptor to another file
 * since the client was listed.
 */
static int get_file(struct adbg_session *session, int pidfd,
		    const struct adbg_client *client)
{
	struct adbg_client got;
	int fd, ret;

	fd = pidfd_getfd(pidfd, client->fd, 0);
	if (fd < 0)
		return errno == EBADF ? -EAGAIN : -errno;

	ret = adbg_client_read("self", fd, session->pci, &got);
	if (!ret && got.client_id != client->client_id)
		ret = -EAGAIN;
	if (ret) {
		close(fd);
		return ret == -ENOTTY ? -EAGAIN : ret;
	}

	return fd;
}

/*
 * Get the number of the process in our /proc, which may belong to another PID namespace than the
 * number by which the caller named the process (pidfds(2): "Pid" of fdinfo is the number in the
 * PID namespace of the /proc that it is read from; 0: the process is not in that namespace).
 */
static int number_in_proc(int pidfd, int32_t *pid)
{
	char path[64], text[1024];
	const char *value;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	n = adbg_read_text(path, text, sizeof(text));
	if (n < 0)
		return adbg_is_lack(n) ? n : -EXDEV;
	value = adbg_find_value(text, "Pid");
	if (!value)
		return -EXDEV;
	*pid = strtol(value, NULL, 10);
	if (*pid < 0)
		return -ESRCH;
	return *pid ? 0 : -EXDEV;
}

/*
 * @number: the process, as the caller names it
 *
 * The address space is opened before the process's client is read. If the process executes
 * another program between the two, @pages is the old address space, which is gone, so accesses
 * fail. The other order could combine the old client with the new address space.
 */
static int attach(struct adbg_session *session, int pidfd, int32_t number, uint64_t client_id,
		  struct amdgpudbg_target_set *target)
{
	struct adbg_client client = { .fd = -1 };
	struct adbg_client_list *list;
	int32_t pid;
	int ret, pages;

	ret = number_in_proc(pidfd, &pid);
	if (ret)
		return ret;
	pages = adbg_pages_open(pid);
	if (adbg_is_lack(pages))
		return pages;
	ret = adbg_client_list_new(session, pid, &list);
	if (!ret) {
		ret = choose(list, client_id, &client);
		adbg_client_list_free(list);
	}
	/*
	 * What was read belongs to @pid only if the process has not ended, and its number was not
	 * reused.
	 */
	if (has_exited(pidfd))
		ret = -ESRCH;
	if (!ret)
		ret = get_file(session, pidfd, &client);
	if (ret < 0)
		goto out;
	/*
	 * close() would wait for the target's jobs, or make amdkfd preempt its queues. So let the
	 * module close the duplicate, also when the call fails.
	 */
	target->flags = AMDGPUDBG_TARGET_SET_TAKE_FD;
	target->drm_fd = ret;
	target->pidfd = pidfd;
	ret = adbg_target_set(session, target);
	/* With this error, the module has not taken the descriptor. */
	if (ret == -EMFILE)
		close(target->drm_fd);
	if (!ret) {
		adbg_pages_keep(session, number, pages);
		pages = -1;
	}
out:
	if (pages >= 0)
		close(pages);
	return ret;
}

static int attach_pid(struct adbg_session *session, int32_t pid,
		      uint64_t client_id, struct amdgpudbg_target_set *target)
{
	struct amdgpudbg_target_set own = { 0 };
	int pidfd, ret, tries = 0;

	if (pid <= 0)
		return -EINVAL;

	pidfd = pidfd_open(pid, 0);
	if (pidfd < 0)
		/* @pid is the number of a thread, not of a process. */
		return errno == EINVAL || errno == ENOENT ? -ESRCH : -errno;
	do {
		ret = attach(session, pidfd, pid, client_id, &own);
	} while (ret == -EAGAIN && ++tries < 8);
	close(pidfd);

	/* The caller must not see the descriptors and the flag of this function. */
	own.flags = 0;
	own.drm_fd = -1;
	own.pidfd = -1;
	if (!ret && target)
		adbg_struct_out(target, &own, sizeof(own));
	return ret;
}

ADBG_API int adbg_target_attach_sized(struct adbg_session *session, int32_t pid,
				      uint64_t client_id,
				      struct amdgpudbg_target_set *target)
{
	return adbg_failed(session, ABOUT_TARGET,
			   attach_pid(session, pid, client_id, target));
}

/* Get kernel.yama.ptrace_scope; 0: without Yama. */
static int yama_scope(void)
{
	char text[16];

	if (adbg_read_text("/proc/sys/kernel/yama/ptrace_scope", text,
			   sizeof(text)) < 0)
		return 0;
	return atoi(text);
}

/* Get the real user of a process; false: there is no such process. */
static bool real_uid(int32_t pid, uid_t *uid)
{
	char path[64], text[4096];
	const char *value;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (adbg_read_text(path, text, sizeof(text)) < 0)
		return false;
	value = adbg_find_value(text, "Uid");
	if (!value)
		return false;
	*uid = strtoul(value, NULL, 10);
	return true;
}

ADBG_API const char *adbg_target_reason(int32_t pid)
{
	struct stat st;
	char path[64];
	uid_t uid;
	int yama;

	/* The file belongs to root if the process is not dumpable. */
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (!real_uid(pid, &uid) || stat(path, &st))
		return "there is no such process";
	yama = yama_scope();
	if (yama == 3)
		return "the kernel lets no process be debugged (kernel.yama.ptrace_scope is 3)";
	if (uid != geteuid())
		return "it is another user's; debug it as that user, or as root";
	if (st.st_uid != uid)
		return "it changed its rights or is not dumpable "
		       "(PR_SET_DUMPABLE); debug it as root";
	if (yama == 2)
		return "only root may debug (kernel.yama.ptrace_scope is 2)";
	if (yama == 1)
		return "only its parents may debug it (kernel.yama.ptrace_scope is 1)";
	return "it has rights that you lack; debug it as root";
}
