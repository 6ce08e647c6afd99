// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_MEM_*: buffers in a target's GPU address space that belong to a
 * session, and are removed when it ends.
 */
#include <linux/mm.h>

#include "gpu.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "transfer.h"

static struct wdbg_buffer *memory_find(struct wdbg_session *session, u32 id)
{
	struct wdbg_buffer *buffer;

	list_for_each_entry(buffer, &session->buffers, node)
		if (buffer->id == id)
			return buffer;
	return NULL;
}

/* Lock the GPU of a session that has a target. */
static int memory_lock_target(struct wdbg_session *session)
{
	int ret = wdbg_target_lock(session);

	if (!ret && wdbg_buffer_unsupported_reason(session->gpu)) {
		wdbg_gpu_unlock(session->gpu);
		ret = -EOPNOTSUPP;
	}
	return ret;
}

/* The session may have lost its target while the buffer was created. */
static int memory_add(struct wdbg_session *session, struct wdbg_buffer *buffer,
		      struct amdgpudbg_mem_alloc *args)
{
	if (!session->gpu->adev)
		return -ENODEV;
	if (!session->target || session->target->drm != buffer->drm)
		return -ENOTCONN;
	buffer->id = ++session->last_buffer;
	list_add_tail(&buffer->node, &session->buffers);
	args->va = buffer->va;
	args->id = buffer->id;
	return 0;
}

/* Count one more before it is created, so that there are never too many. */
static int memory_count(struct wdbg_session *session)
{
	int ret = memory_lock_target(session);

	if (ret)
		return ret;
	if (session->num_buffers >= AMDGPUDBG_MEM_MAX_BUFFERS)
		ret = -ENOSPC;
	else
		session->num_buffers++;
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

static void memory_uncount(struct wdbg_session *session)
{
	wdbg_gpu_lock(session->gpu, session);
	session->num_buffers--;
	wdbg_gpu_unlock(session->gpu);
}

static int memory_alloc(struct wdbg_session *session,
			struct amdgpudbg_mem_alloc *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret;

	ret = memory_count(session);
	if (ret)
		return ret;
	buffer = wdbg_buffer_new(session, args->flags, args->bytes);
	if (IS_ERR(buffer)) {
		memory_uncount(session);
		return PTR_ERR(buffer);
	}
	wdbg_gpu_lock(gpu, session);
	ret = memory_add(session, buffer, args);
	if (ret) {
		wdbg_buffer_delete(gpu, buffer);
		session->num_buffers--;
	}
	wdbg_gpu_unlock(gpu);
	wdbg_gpu_closed(gpu);
	return ret;
}

/* Buffers that waves in a trap handler may still need stay until they have left it. */
static void memory_release(struct wdbg_session *session, struct wdbg_buffer *buffer)
{
	list_del_init(&buffer->node);
	session->num_buffers--;
	if (!wdbg_trap_keep(session->gpu, buffer))
		wdbg_buffer_delete(session->gpu, buffer);
}

static int memory_alloc_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_mem_alloc *args = cmd->data;

	if (!args->bytes || args->bytes > AMDGPUDBG_MEM_MAX_BYTES)
		return -EINVAL;
	args->bytes = PAGE_ALIGN(args->bytes);
	args->va = 0;
	args->id = 0;
	return 0;
}

static int memory_alloc_run(struct wdbg_cmd *cmd)
{
	return memory_alloc(cmd->session, cmd->data);
}

/* The caller does not know its number. */
static void memory_alloc_undo(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_mem_alloc *args = cmd->data;
	struct wdbg_session *session = cmd->session;
	struct wdbg_buffer *buffer;

	wdbg_gpu_lock(session->gpu, session);
	buffer = memory_find(session, args->id);
	if (buffer)
		memory_release(session, buffer);
	wdbg_gpu_unlock(session->gpu);
}

const struct wdbg_ioctl wdbg_mem_alloc = {
	.flags = AMDGPUDBG_MEM_ALLOC_EXEC | AMDGPUDBG_MEM_ALLOC_UNCACHED,
	.check = memory_alloc_check,
	.run = memory_alloc_run,
	.undo = memory_alloc_undo,
};

static int memory_free_run(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_mem_free *args = cmd->data;
	struct wdbg_session *session = cmd->session;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret;

	ret = memory_lock_target(session);
	if (ret)
		return ret;
	buffer = memory_find(session, args->id);
	if (!buffer)
		ret = -ENOENT;
	else if (wdbg_trap_uses(session, buffer))
		ret = wdbg_busy(session, AMDGPUDBG_BUSY_IN_USE);
	else
		memory_release(session, buffer);
	wdbg_gpu_unlock(gpu);
	if (!ret)
		wdbg_buffer_drain(gpu);
	return ret;
}

const struct wdbg_ioctl wdbg_mem_free = {
	.run = memory_free_run,
};

static int memory_check_copy(struct wdbg_session *session,
			     const struct amdgpudbg_mem_copy *args)
{
	struct wdbg_buffer *buffer;
	int ret;

	ret = memory_lock_target(session);
	if (ret)
		return ret;
	buffer = memory_find(session, args->id);
	if (!buffer)
		ret = -ENOENT;
	else if (args->offset > buffer->bytes ||
		 args->bytes > buffer->bytes - args->offset)
		ret = -EINVAL;
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

/* The session never uses a buffer's number again. */
static int memory_copy(struct wdbg_transfer *t)
{
	const struct amdgpudbg_mem_copy *args = t->arg;
	struct wdbg_buffer *buffer = memory_find(t->session, args->id);

	if (!buffer)
		return -ENOENT;
	return wdbg_buffer_copy(t->session->gpu, buffer, args->offset + t->done,
				&t->copy);
}

static int memory_copy_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_mem_copy *args = cmd->data;
	struct wdbg_transfer t = {
		.session = cmd->session, .user = u64_to_user_ptr(args->data),
		.bytes = args->bytes, .run = memory_copy, .arg = args,
		.copy.write = args->flags & AMDGPUDBG_MEM_COPY_WRITE,
	};
	/* Find out what is wrong before the first byte is copied. */
	int ret = memory_check_copy(cmd->session, args);

	if (ret || !args->bytes)
		return ret;
	return wdbg_transfer(&t);
}

const struct wdbg_ioctl wdbg_mem_copy = {
	.flags = AMDGPUDBG_MEM_COPY_WRITE,
	.run = memory_copy_run,
};

static void memory_discard_owned(struct wdbg_session *session)
{
	struct wdbg_buffer *buffer, *next;

	list_for_each_entry_safe(buffer, next, &session->buffers, node)
		memory_release(session, buffer);
	/* No handler has used it. */
	if (session->leave)
		wdbg_buffer_delete(session->gpu, session->leave);
	session->leave = NULL;
}

static void memory_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_session *s;

	list_for_each_entry(s, &gpu->sessions, node)
		if (!session || s == session)
			memory_discard_owned(s);
}

const struct wdbg_part wdbg_memory_part = {
	.id = WDBG_PART_MEMORY,
	.when = WDBG_AT_END,
	.discard = memory_discard,
};
