// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calls of the kernel, and remembering their errors.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"

int adbg_ioctl_restart(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg) < 0 ? -errno : 0;
	} while (ret == -EINTR);

	return ret;
}

/* Forget the objects of the previous target, which were released with it. */
static void forget_target(struct adbg_session *session)
{
	session->trap_code = 0;
	session->trap_mailboxes = 0;
	session->hsa_watches = 0;
	session->lds_aperture = 0;
	session->scratch_aperture = 0;
	adbg_pages_keep(session, 0, -1);
}

static void remember_target(struct adbg_session *session, const struct amdgpudbg_target_set *target)
{
	forget_target(session);
	/* A caller that was compiled with an older header may have a smaller structure. */
	if (target->size < offsetof(struct amdgpudbg_target_set, busy))
		return;
	session->lds_aperture = target->lds_aperture;
	session->scratch_aperture = target->scratch_aperture;
}

bool adbg_is_waiter(const struct adbg_session *session)
{
	return session->event_thread == (uintptr_t)pthread_self();
}

static void note_failure(struct adbg_session *session, enum adbg_subject about,
			 int error)
{
	if (adbg_is_waiter(session))
		session->event_thread = 0;
	session->about = about;
	session->error = error;
}

int adbg_failed(struct adbg_session *session, enum adbg_subject about, int ret)
{
	if (ret < 0)
		note_failure(session, about, -ret);
	return ret;
}

int adbg_event_failed(struct adbg_session *session, int ret)
{
	if (ret < 0) {
		session->event_error = -ret;
		session->event_thread = (uintptr_t)pthread_self();
	}
	return ret;
}

static enum adbg_subject subject_of(unsigned long request, const void *arg)
{
	const struct amdgpudbg_reg_access *access = arg;

	switch (request) {
	case AMDGPUDBG_IOC_GET_INFO:
	case AMDGPUDBG_IOC_GET_CAPABILITY:
	case AMDGPUDBG_IOC_GET_BUSY:
		return ABOUT_INFO;
	case AMDGPUDBG_IOC_WAVE_LIST:
	case AMDGPUDBG_IOC_WAVE_SNAPSHOT:
		return ABOUT_WAVE_READ;
	case AMDGPUDBG_IOC_WAVE_CONTROL:
	case AMDGPUDBG_IOC_WAVE_BATCH:
		return ABOUT_WAVE_CONTROL;
	case AMDGPUDBG_IOC_TARGET_SET:
		return ABOUT_TARGET;
	case AMDGPUDBG_IOC_REG_BATCH:
		return ABOUT_REG_READ;
	case AMDGPUDBG_IOC_REG_ACCESS:
		return access->flags & AMDGPUDBG_REG_ACCESS_WRITE ?
		       ABOUT_REG_WRITE : ABOUT_REG_READ;
	case AMDGPUDBG_IOC_MEM_ALLOC:
	case AMDGPUDBG_IOC_MEM_FREE:
	case AMDGPUDBG_IOC_MEM_COPY:
		return ABOUT_MEM;
	case AMDGPUDBG_IOC_VM_ACCESS:
	case AMDGPUDBG_IOC_VM_LIST:
		return ABOUT_VM;
	case AMDGPUDBG_IOC_JOB_LIST:
		return ABOUT_JOB;
	case AMDGPUDBG_IOC_TRAP_HANDLER:
		return ABOUT_TRAP;
	case AMDGPUDBG_IOC_WATCH_SET:
	case AMDGPUDBG_IOC_WATCH_CLEAR:
		return ABOUT_WATCH;
	case AMDGPUDBG_IOC_LAUNCH_SET:
		return ABOUT_LAUNCH;
	case AMDGPUDBG_IOC_EVENT_ENABLE:
		return ABOUT_EVENT;
	default:
		return ABOUT_ANY;
	}
}

ADBG_API int adbg_call(struct adbg_session *session, unsigned long request,
		       void *arg)
{
	int ret = adbg_ioctl_restart(session->fd, request, arg);

	if (!ret && request == AMDGPUDBG_IOC_TARGET_SET)
		remember_target(session, arg);
	/* Operations of a batch may fail, although the call succeeds. */
	if (!ret && request == AMDGPUDBG_IOC_WAVE_BATCH)
		note_failure(session, ABOUT_WAVE_CONTROL, 0);
	if (!ret && request == AMDGPUDBG_IOC_REG_BATCH)
		note_failure(session, ABOUT_REG_READ, 0);
	return adbg_failed(session, subject_of(request, arg), ret);
}

void adbg_struct_out(void *to, const void *from, size_t known)
{
	const size_t head = sizeof(uint32_t);
	uint32_t size;
	size_t both;

	memcpy(&size, to, sizeof(size));
	both = size < known ? size : known;
	if (both > head)
		memcpy((char *)to + head, (const char *)from + head,
		       both - head);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}
