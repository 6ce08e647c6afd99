// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Operations on the target's memory that take more than one call of the kernel.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

/* Addresses have 48 bits; the bits above may be copies of the sign. */
#define VA_MASK 0xffffffffffffull

#define FIRST_CAPACITY 64
#define MAX_TRIES 8

/*
 * Copy the target's own pages, from @va to the end of the mapping. The process may have unmapped
 * them from itself. Return: number of bytes, or -errno.
 */
static ssize_t copy_userptr(struct adbg_session *session, int32_t pid,
			    bool write, uint64_t va, void *data,
			    uint64_t bytes)
{
	struct amdgpudbg_mapping m;
	struct amdgpudbg_vm_list list = {
		.va = va, .bytes = 1, .capacity = 1,
		.mappings = (uintptr_t)&m,
	};
	uint64_t offset;
	int ret;

	ret = adbg_vm_list(session, &list);
	if (ret)
		return ret;
	/* The mapping was removed or replaced. */
	if (!list.count)
		return -ENXIO;
	offset = (va - m.va) & VA_MASK;
	if (m.kind != AMDGPUDBG_KIND_USERPTR || offset >= m.bytes)
		return -EOPNOTSUPP;
	if (bytes > m.bytes - offset)
		bytes = m.bytes - offset;
	return adbg_pages_copy(session, pid, write, m.cpu_address + offset, data, bytes);
}

static int copy_some(struct adbg_session *session, int32_t pid, uint32_t flags,
		     uint64_t va, char *data, uint64_t bytes, uint64_t *done)
{
	struct amdgpudbg_vm_access access = {
		.flags = flags,
		.va = va + *done,
		.bytes = bytes - *done,
		.data = (uintptr_t)(data + *done),
	};
	ssize_t n;
	int ret;

	if (access.bytes > AMDGPUDBG_VM_ACCESS_MAX)
		access.bytes = AMDGPUDBG_VM_ACCESS_MAX;
	ret = adbg_vm_access(session, &access);
	*done += access.done;
	if (ret != -EOPNOTSUPP || !pid ||
	    access.kind != AMDGPUDBG_KIND_USERPTR)
		return ret;
	n = copy_userptr(session, pid, flags & AMDGPUDBG_VM_ACCESS_WRITE,
			 va + *done, data + *done, bytes - *done);
	if (n < 0)
		return n;
	*done += n;
	return 0;
}

ADBG_API int adbg_vm_copy(struct adbg_session *session, int32_t pid,
			  uint32_t flags, uint64_t va, void *data,
			  uint64_t bytes, uint64_t *done)
{
	uint64_t n = 0;
	/* Patching in several pieces would not be the same, and other flags are unknown. */
	int ret = flags & ~AMDGPUDBG_VM_ACCESS_WRITE ? -EINVAL : 0;

	if (bytes > SIZE_MAX)
		ret = -EOVERFLOW;
	/* Make a call also for 0 bytes, because it checks that there is a target. */
	if (!ret) {
		do {
			ret = copy_some(session, pid, flags, va, data, bytes,
					&n);
		} while (!ret && n < bytes);
	}
	if (done)
		*done = n;
	return adbg_failed(session, ABOUT_VM, ret);
}

ADBG_API int adbg_vm_mappings_sized(struct adbg_session *session, uint64_t va,
				    uint64_t bytes, uint32_t entry_size,
				    void **mappings, uint32_t *count)
{
	struct amdgpudbg_vm_list list;
	uint32_t capacity = FIRST_CAPACITY;
	void *room = NULL, *more;
	int ret = -EMSGSIZE;

	*mappings = NULL;
	*count = 0;
	for (int try = 0; ret == -EMSGSIZE && try < MAX_TRIES; try++) {
		more = reallocarray(room, capacity, entry_size);
		if (!more) {
			ret = -ENOMEM;
			break;
		}
		room = more;
		list = (struct amdgpudbg_vm_list){
			.size = sizeof(list), .va = va, .bytes = bytes,
			.entry_size = entry_size, .capacity = capacity,
			.mappings = (uintptr_t)room,
		};
		ret = adbg_call(session, AMDGPUDBG_IOC_VM_LIST, &list);
		/* Include mappings that are created before the next call. */
		capacity = list.count + list.count / 4 + 16;
	}
	if (ret) {
		free(room);
		return adbg_failed(session, ABOUT_VM, ret);
	}
	*mappings = room;
	*count = list.count;
	return 0;
}
