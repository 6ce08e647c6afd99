// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_MEM_*: buffers in a target's GPU address space that belong to a
 * session, which takes them away again when it ends.
 */
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "private.h"

#define ALL_ALLOC_FLAGS	(AMDGPUDBG_MEM_ALLOC_EXEC | \
			 AMDGPUDBG_MEM_ALLOC_UNCACHED)

/* So much is copied at once, between two looks at the locks. */
#define COPY_CHUNK	SZ_1M

static struct wdbg_buffer *find(struct wdbg_session *session, u32 id)
{
	struct wdbg_buffer *buffer;

	list_for_each_entry(buffer, &session->buffers, node)
		if (buffer->id == id)
			return buffer;
	return NULL;
}

/* Lock the GPU of a session that has a target. */
static int lock_target(struct wdbg_session *session)
{
	int ret = wdbg_target_lock(session);

	if (!ret && wdbg_buffer_why_not(session->gpu)) {
		wdbg_gpu_unlock(session->gpu);
		ret = -EOPNOTSUPP;
	}
	return ret;
}

static int alloc(struct wdbg_session *session, struct amdgpudbg_mem_alloc *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret, bracket;

	if (session->num_buffers >= AMDGPUDBG_MEM_MAX_BUFFERS)
		return -ENOSPC;
	/* Wakes the GPU, for as long as the session lasts. */
	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	wdbg_session_power_end(session, bracket);

	buffer = wdbg_buffer_new(gpu, session->target, args->flags,
				 args->bytes);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	buffer->id = ++session->last_buffer;
	session->num_buffers++;
	list_add_tail(&buffer->node, &session->buffers);
	args->va = buffer->va;
	args->id = buffer->id;
	return 0;
}

static void forget_one(struct wdbg_session *session, struct wdbg_buffer *buffer)
{
	list_del_init(&buffer->node);
	session->num_buffers--;
}

/**
 * wdbg_mem_alloc() - AMDGPUDBG_IOC_MEM_ALLOC
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_alloc(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	struct amdgpudbg_mem_alloc *args = cmd->data;
	struct wdbg_buffer *buffer;
	int ret;

	if (args->flags & ~ALL_ALLOC_FLAGS)
		return -EOPNOTSUPP;
	if (args->__reserved || !args->bytes ||
	    args->bytes > AMDGPUDBG_MEM_MAX_BYTES)
		return -EINVAL;
	args->bytes = PAGE_ALIGN(args->bytes);
	args->va = 0;
	args->id = 0;
	/* A structure that cannot be written is noticed before anything changes. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	ret = lock_target(session);
	if (ret)
		return ret;
	ret = alloc(session, args);
	wdbg_gpu_unlock(session->gpu);
	if (ret)
		return ret;

	ret = wdbg_respond(cmd, sizeof(*args));
	if (!ret)
		return 0;
	/* Nobody knows its number. */
	wdbg_gpu_lock(session->gpu, session);
	buffer = find(session, args->id);
	if (buffer) {
		forget_one(session, buffer);
		wdbg_buffer_delete(session->gpu, buffer);
	}
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

/**
 * wdbg_mem_free() - AMDGPUDBG_IOC_MEM_FREE
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_free(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	struct amdgpudbg_mem_free *args = cmd->data;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret;

	ret = lock_target(session);
	if (ret)
		return ret;
	buffer = find(session, args->id);
	if (!buffer) {
		ret = -ENOENT;
	} else if (wdbg_trap_uses(session, buffer)) {
		ret = wdbg_busy(session, AMDGPUDBG_BUSY_IN_USE);
	} else {
		forget_one(session, buffer);
		if (!wdbg_trap_keep(gpu, buffer))
			wdbg_buffer_delete(gpu, buffer);
	}
	wdbg_gpu_unlock(gpu);
	return ret;
}

static int copy_chunk(struct wdbg_session *session,
		      const struct amdgpudbg_mem_copy *args, u64 done,
		      void *data, size_t bytes)
{
	struct wdbg_buffer *buffer;
	int ret;

	ret = lock_target(session);
	if (ret)
		return ret;
	buffer = find(session, args->id);
	if (!buffer)
		ret = -ENOENT;
	else if (args->offset > buffer->bytes ||
		 args->bytes > buffer->bytes - args->offset)
		ret = -EINVAL;
	else if (bytes)
		ret = wdbg_buffer_copy(buffer, args->offset + done, data, bytes,
				       args->flags & AMDGPUDBG_MEM_COPY_WRITE);
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

static int copy_all(struct wdbg_session *session,
		    const struct amdgpudbg_mem_copy *args, void *data)
{
	void __user *user = u64_to_user_ptr(args->data);
	bool write = args->flags & AMDGPUDBG_MEM_COPY_WRITE;
	u64 done, n;
	int ret;

	for (done = 0; done < args->bytes; done += n) {
		n = min_t(u64, args->bytes - done, COPY_CHUNK);
		if (write && copy_from_user(data, user + done, n))
			return -EFAULT;
		ret = copy_chunk(session, args, done, data, n);
		if (ret)
			return ret;
		if (!write && copy_to_user(user + done, data, n))
			return -EFAULT;
	}
	return 0;
}

/**
 * wdbg_mem_copy() - AMDGPUDBG_IOC_MEM_COPY
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_copy(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_mem_copy *args = cmd->data;
	void *data;
	int ret;

	if (args->flags & ~AMDGPUDBG_MEM_COPY_WRITE)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	/* What is wrong is noticed before the first byte is copied. */
	ret = copy_chunk(cmd->session, args, 0, NULL, 0);
	if (ret || !args->bytes)
		return ret;
	data = kvmalloc(min_t(u64, args->bytes, COPY_CHUNK), GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	ret = copy_all(cmd->session, args, data);
	kvfree(data);
	return ret;
}

/* Those that waves in a trap handler may still need are left to its clean-up. */
static void forget_owned(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer, *next;

	list_for_each_entry_safe(buffer, next, &session->buffers, node) {
		forget_one(session, buffer);
		if (!wdbg_trap_keep(gpu, buffer))
			wdbg_buffer_delete(gpu, buffer);
	}
}

static void forget(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_session *s;

	list_for_each_entry(s, &gpu->sessions, node)
		if (!session || s == session)
			forget_owned(s);
}

const struct wdbg_part wdbg_memory_part = {
	.when = WDBG_AT_END,
	.forget = forget,
};
