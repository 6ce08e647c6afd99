// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that are started to be debugged, until they submit their first GPU job. tracer.h
 * explains how the job is detected.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "tracer.h"

struct adbgd_program {
	struct adbgd_tracer *tracer;
	struct adbgd_program_info info;
};

ADBGD_API int adbgd_program_start(char *const *argv, char *const *envp, uint32_t flags,
				  struct adbgd_program **program, struct adbgd_error *error)
{
	struct adbgd_program *p;
	int ret;

	if (!argv[0] || flags & ~ADBGD_PROGRAM_BACKGROUND)
		return adbgd_fail(error, -EINVAL, argv[0] ? "unknown program flags" :
				  "there is no program to run");
	p = calloc(1, sizeof(*p));
	if (!p)
		return adbgd_no_memory(error, "a program");
	ret = adbgd_tracer_start(argv, envp ? envp : environ, flags, &p->tracer, error);
	if (ret) {
		free(p);
		return ret;
	}
	p->info.child = adbgd_tracer_get(p->tracer)->child;
	*program = p;
	return 0;
}

ADBGD_API int adbgd_program_get_fd(const struct adbgd_program *program)
{
	return adbgd_tracer_get_fd(program->tracer);
}

/*
 * Read the number after @key in a file of /proc/TID; 0: the file, the key or the number is
 * missing.
 */
static uint64_t read_number(pid_t tid, const char *file, const char *key)
{
	char path[64], line[256];
	uint64_t value = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, file);
	in = fopen(path, "re");
	while (in && !value && fgets(line, sizeof(line), in))
		if (!strncmp(line, key, strlen(key)))
			value = strtoull(line + strlen(key), NULL, 10);
	if (in)
		fclose(in);
	return value;
}

/* Is the DRM client in the list, which is freed? Return: 0 yes; -EAGAIN no. */
static int find_in(struct adbg_client_list *list, uint64_t client_id)
{
	const struct adbg_client *client;
	size_t i = 0;

	while ((client = adbg_client_list_get(list, i)) && client->client_id != client_id)
		i++;
	adbg_client_list_free(list);
	return client ? 0 : -EAGAIN;
}

/* Find the GPU that the DRM client uses. Return: 0; -EAGAIN it is not served; -errno. */
static int find_gpu(int32_t pid, uint64_t client_id, uint32_t *number)
{
	struct adbg_client_list *clients;
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list = NULL;
	int ret = adbg_gpu_list_new(&list), found = -EAGAIN;

	for (size_t i = 0; !ret && found && (gpu = adbg_gpu_list_get(list, i)); i++) {
		/* A GPU that the caller cannot open is not one to debug. */
		if (gpu->error)
			continue;
		*number = gpu->number;
		ret = adbg_gpu_client_list_new(gpu, pid, &clients);
		if (!ret)
			found = find_in(clients, client_id);
	}
	adbg_gpu_list_free(list);
	return ret ? ret : found;
}

/*
 * Does the DRM client use the GPU of this session, or with NULL, one that can be debugged? Return:
 * 0 yes; -EAGAIN no; -errno.
 */
static int find_client(struct adbg_session *session, int32_t pid, uint64_t client_id,
		       uint32_t *number)
{
	struct adbg_client_list *list;
	int ret;

	if (!session)
		return find_gpu(pid, client_id, number);
	*number = adbg_session_get_number(session);
	ret = adbg_client_list_new(session, pid, &list);
	return ret ? ret : find_in(list, client_id);
}

/* Return: 0 the thread submits a job to the GPU; -EAGAIN it does not, or was killed; -errno. */
static int take_job(struct adbgd_program *p, struct adbg_session *session,
		    const struct adbgd_traced *traced, struct adbgd_error *error)
{
	int32_t pid = read_number(traced->tid, "status", "Tgid:");
	uint32_t number = 0;
	char file[32];
	uint64_t id;
	int ret;

	/*
	 * The descriptor may be a duplicate, which the list of clients does not contain, so read
	 * its ID.
	 */
	snprintf(file, sizeof(file), "fdinfo/%d", traced->fd);
	id = read_number(traced->tid, file, "drm-client-id:");
	ret = find_client(session, pid, id, &number);
	if (ret == -EACCES || ret == -EPERM)
		return adbgd_fail(error, ret, "no permission to see which GPU process %d uses: %s",
				  pid,
				  adbg_target_reason(pid));
	if (ret)
		return -EAGAIN;
	p->info.pid = pid;
	p->info.client_id = id;
	p->info.gpu = number;
	return 0;
}

static int has_ended(const struct adbgd_program *p, int status, struct adbgd_error *error)
{
	const char *what = "it did not submit a GPU job";

	if (WIFSIGNALED(status))
		return adbgd_fail(error, -ECHILD, "process %d was killed by signal %d (%s); %s",
				  p->info.child, WTERMSIG(status), strsignal(WTERMSIG(status)),
				  what);
	return adbgd_fail(error, -ECHILD, "process %d has exited with status %d; %s",
			  p->info.child, WEXITSTATUS(status), what);
}

/* Return: 0 or an error of adbgd_program_wait_job(); -EAGAIN: keep waiting. */
static int look(struct adbgd_program *p, struct adbg_session *session,
		struct adbgd_error *error)
{
	const struct adbgd_traced *traced = adbgd_tracer_get(p->tracer);
	int ret;

	switch (traced->state) {
	case ADBGD_TRACER_ASKS:
		ret = take_job(p, session, traced, error);
		if (ret == -EAGAIN)
			adbgd_tracer_resume(p->tracer);
		return ret;
	case ADBGD_TRACER_ENDED:
		return has_ended(p, traced->status, error);
	case ADBGD_TRACER_FAILED:
		return adbgd_fail(error, traced->error, "cannot trace process %d any longer: %s",
				  p->info.child, strerror(-traced->error));
	default:
		return -EAGAIN;
	}
}

ADBGD_API int adbgd_program_wait_job(struct adbgd_program *program, struct adbg_session *session,
				     int timeout_ms, struct adbgd_error *error)
{
	struct pollfd fd = { .fd = adbgd_program_get_fd(program), .events = POLLIN };
	int64_t end = adbgd_now_ms() + timeout_ms;
	int ret;

	for (;;) {
		ret = look(program, session, error);
		if (ret != -EAGAIN)
			return ret;
		if (timeout_ms >= 0)
			timeout_ms = end > adbgd_now_ms() ? (int)(end - adbgd_now_ms()) : 0;
		ret = poll(&fd, 1, timeout_ms);
		if (ret < 0 && errno == EINTR)
			return adbgd_fail(error, -EINTR, "interrupted by a signal");
		if (ret < 0)
			return adbgd_fail(error, -errno, "cannot wait: %s", strerror(errno));
		if (!ret)
			return adbgd_fail(error, -EAGAIN,
					  "process %d has not submitted a GPU job yet",
					  program->info.child);
	}
}

ADBGD_API const struct adbgd_program_info *
adbgd_program_get_info(const struct adbgd_program *program)
{
	return &program->info;
}

ADBGD_API void adbgd_program_release(struct adbgd_program *program)
{
	if (!program)
		return;
	adbgd_tracer_end(program->tracer);
	free(program);
}

/*
 * Wait for the first job, and attach. The session then belongs to the process; on failure it is
 * closed.
 */
static int attach(struct adbgd_program *program, struct adbg_session *session, uint32_t flags,
		  struct adbgd_process **process, struct adbgd_error *error)
{
	const struct adbgd_program_info *info = &program->info;
	struct adbgd_process *p;
	int ret = adbgd_program_wait_job(program, session, -1, error);

	if (ret) {
		adbg_session_close(session);
		return ret;
	}
	ret = adbgd_process_attach_in(session, info->pid, info->client_id, &p, error);
	if (ret)
		return ret;
	if (flags & ADBGD_PROGRAM_STOP_AT_START)
		ret = adbgd_process_stop_at_start(p, true, error);
	if (ret)
		adbgd_process_detach(p);
	else
		*process = p;
	return ret;
}

ADBGD_API int adbgd_process_start(const char *gpu, char *const *argv, char *const *envp,
				  uint32_t flags, int32_t *child,
				  struct adbgd_process **process, struct adbgd_error *error)
{
	struct adbgd_program *program;
	struct adbg_session *session;
	int ret = adbgd_open_gpu(gpu, &session, error);

	if (child)
		*child = 0;
	if (ret)
		return ret;
	ret = adbgd_program_start(argv, envp, flags & ~ADBGD_PROGRAM_STOP_AT_START, &program,
				  error);
	if (ret) {
		adbg_session_close(session);
		return ret;
	}
	if (child)
		*child = program->info.child;
	ret = attach(program, session, flags, process, error);
	adbgd_program_release(program);
	return ret;
}
