// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffers in the target's GPU address space.
 */
#include <linux/amdgpudbg.h>

#include "internal.h"

/* Flags are handed on as they are. */
_Static_assert((int)ADBG_MEM_EXEC == (int)AMDGPUDBG_MEM_ALLOC_EXEC, "flag");
_Static_assert((int)ADBG_MEM_UNCACHED == (int)AMDGPUDBG_MEM_ALLOC_UNCACHED,
	       "flag");
_Static_assert(ADBG_MEM_MAX_BUFFERS == AMDGPUDBG_MEM_MAX_BUFFERS, "limit");
_Static_assert(ADBG_MEM_MAX_BYTES == AMDGPUDBG_MEM_MAX_BYTES, "limit");
_Static_assert(ADBG_MEM_MAX_FREED == AMDGPUDBG_MEM_MAX_FREED, "limit");

ADBG_API int adbg_mem_alloc(struct adbg_session *session, struct adbg_mem *mem)
{
	struct amdgpudbg_mem_alloc call = { .size = sizeof(call) };
	struct adbg_mem m;
	int ret;

	ret = adbg_struct_in(&m, sizeof(m), mem, sizeof(m));
	if (ret)
		return ret;

	call.flags = m.flags;
	call.bytes = m.bytes;
	/* A call that a signal ends has made nothing. */
	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_MEM_ALLOC, &call);
	if (ret)
		return ret;

	m.bytes = call.bytes;
	m.va = call.va;
	m.id = call.id;
	adbg_struct_out(mem, &m, sizeof(m));
	return 0;
}

ADBG_API int adbg_mem_free(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_mem_free call = { .size = sizeof(call), .id = id };

	return adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_MEM_FREE, &call);
}

static int copy(struct adbg_session *session, uint32_t flags, uint32_t id,
		uint64_t offset, const void *data, size_t bytes)
{
	struct amdgpudbg_mem_copy call = {
		.size = sizeof(call),
		.flags = flags,
		.id = id,
		.offset = offset,
		.bytes = bytes,
		.data = (uintptr_t)data,
	};

	return adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_MEM_COPY, &call);
}

ADBG_API int adbg_mem_read(struct adbg_session *session, uint32_t id,
			   uint64_t offset, void *data, size_t bytes)
{
	return copy(session, 0, id, offset, data, bytes);
}

ADBG_API int adbg_mem_write(struct adbg_session *session, uint32_t id,
			    uint64_t offset, const void *data, size_t bytes)
{
	return copy(session, AMDGPUDBG_MEM_COPY_WRITE, id, offset, data, bytes);
}
