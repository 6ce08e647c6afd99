// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events: enabling and reading them, and their names.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/* Complete events that were read from the kernel, but not yet by the caller */
struct adbg_event_buffer {
	size_t begin;
	size_t end;
	char data[AMDGPUDBG_SIZE_MAX];
};

static const char *const type_names[] = {
	[AMDGPUDBG_EVENT_LOST] = "lost",
	[AMDGPUDBG_EVENT_WAVE] = "wave",
	[AMDGPUDBG_EVENT_TARGET_GONE] = "target-gone",
	[AMDGPUDBG_EVENT_GPU_RESET] = "gpu-reset",
	[AMDGPUDBG_EVENT_GPU_GONE] = "gpu-gone",
	[AMDGPUDBG_EVENT_HALT_EXPIRED] = "halt-expired",
	[AMDGPUDBG_EVENT_HANDLER_LOST] = "handler-lost",
	[AMDGPUDBG_EVENT_SLEEP] = "sleep",
	[AMDGPUDBG_EVENT_JOB_BEGIN] = "job-begin",
	[AMDGPUDBG_EVENT_JOB_END] = "job-end",
	[AMDGPUDBG_EVENT_VM_FAULT] = "vm-fault",
	[AMDGPUDBG_EVENT_VM_CHANGED] = "vm-changed",
};

static int make_buffer(struct adbg_session *session)
{
	int flags;

	if (session->events)
		return 0;

	/*
	 * Do not block in read(): another process that shares the file may read the event for
	 * which poll() has returned.
	 */
	flags = fcntl(session->fd, F_GETFL);
	if (flags < 0 || fcntl(session->fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return -errno;

	session->events = calloc(1, sizeof(*session->events));
	return session->events ? 0 : -ENOMEM;
}

ADBG_API int adbg_event_enable(struct adbg_session *session, uint64_t types,
			       uint64_t causes, uint32_t capacity)
{
	struct amdgpudbg_event_enable call = {
		.size = sizeof(call), .cause_mask = causes, .capacity = capacity,
		.mask = types == ADBG_EVENTS_ALL ? session->event_mask : types,
		/*
		 * Request the largest size. Members that the caller does not know are cut off
		 * later.
		 */
		.entry_size = types ? AMDGPUDBG_SIZE_MAX : 0,
	};
	int ret;

	ret = make_buffer(session);
	if (ret)
		return adbg_failed(session, ABOUT_EVENT, ret);

	ret = adbg_call(session, AMDGPUDBG_IOC_EVENT_ENABLE, &call);
	if (!ret && !types) {
		session->events->begin = 0;
		session->events->end = 0;
	}
	return ret;
}

/* Take one event out of the buffer; -EAGAIN: it is empty. */
static int take(struct adbg_event_buffer *b, struct amdgpudbg_event *event)
{
	struct amdgpudbg_event now = { .size = sizeof(now) };
	uint32_t min = AMDGPUDBG_EVENT_SIZE_V1, size = 0;
	size_t left = b->end - b->begin;

	if (!left)
		return -EAGAIN;

	if (left >= min)
		memcpy(&size, b->data + b->begin, sizeof(size));
	if (size < min || size > left) {
		/* The events behind it cannot be found, either. */
		b->begin = b->end;
		return -EPROTO;
	}

	memcpy(&now, b->data + b->begin,
	       size < sizeof(now) ? size : sizeof(now));
	b->begin += size;
	adbg_struct_out(event, &now, sizeof(now));
	return 0;
}

/* Read events into the buffer, which is empty. */
static int fill(struct adbg_session *session)
{
	struct adbg_event_buffer *b = session->events;
	ssize_t n = read(session->fd, b->data, sizeof(b->data));

	if (n < 0)
		return -errno;

	b->begin = 0;
	b->end = n;
	return n ? 0 : -EPROTO;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

/* Wait until there may be an event. @until is ignored if @timeout_ms is negative. */
static int wait_until(int fd, int timeout_ms, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t left = timeout_ms;
	int ret;

	if (timeout_ms >= 0) {
		left = until - now_ms();
		if (left <= 0)
			return -EAGAIN;
	}

	ret = poll(&p, 1, left);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -EAGAIN;
}

static int next_event(struct adbg_session *session,
		      struct amdgpudbg_event *event, int timeout_ms)
{
	int64_t until = now_ms() + timeout_ms;
	int ret;

	if (!session->events)
		return -EINVAL;

	for (;;) {
		ret = take(session->events, event);
		if (ret != -EAGAIN)
			return ret;

		ret = fill(session);
		if (ret == -EAGAIN)
			ret = wait_until(session->fd, timeout_ms, until);
		if (ret)
			return ret;
	}
}

ADBG_API int adbg_event_next_sized(struct adbg_session *session,
				   struct amdgpudbg_event *event,
				   int timeout_ms)
{
	return adbg_event_failed(session,
				 next_event(session, event, timeout_ms));
}

ADBG_API const char *adbg_event_type_name(uint32_t type)
{
	return type < ARRAY_SIZE(type_names) ? type_names[type] : NULL;
}

static int find_type(const char *name, size_t len, uint64_t *types)
{
	for (size_t i = 0; i < ARRAY_SIZE(type_names); i++) {
		if (type_names[i] && strlen(type_names[i]) == len &&
		    !strncmp(type_names[i], name, len)) {
			*types |= 1ULL << i;
			return 0;
		}
	}

	return -EINVAL;
}

ADBG_API int adbg_event_types_parse(const char *text, uint64_t *types)
{
	uint64_t found = 0;

	if (!text)
		return -EINVAL;

	if (!strcmp(text, "all")) {
		*types = ADBG_EVENTS_ALL;
		return 0;
	}

	for (;;) {
		size_t len = strcspn(text, ",");

		if (find_type(text, len, &found))
			return -EINVAL;
		if (!text[len])
			break;
		text += len + 1;
	}

	*types = found;
	return 0;
}
