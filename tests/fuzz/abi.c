// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables that abi.h declares. The file does not compile if members.def lacks a
 * member that the header of the kernel interface has.
 */
#include "abi.h"

#include <errno.h>
#include <stdio.h>

#define SIZEOF(s, m) sizeof(((struct amdgpudbg_##s *)NULL)->m)

#define BEGIN(s) static const struct member s##_members[] = {
#define MEMBER(s, m, k, a) \
	{ #m, offsetof(struct amdgpudbg_##s, m), SIZEOF(s, m), KIND_##k, a },
#define END(s) }
#include "members.def"
#undef BEGIN
#undef MEMBER
#undef END

#define BEGIN(s) _Static_assert(0
#define MEMBER(s, m, k, a) + SIZEOF(s, m)
#define END(s) == sizeof(struct amdgpudbg_##s), "members.def lacks some of " #s)
#include "members.def"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define IOCTL(n, s) \
	.name = #n, .nr = AMDGPUDBG_IOC_##n, \
	.size = sizeof(struct amdgpudbg_##s), \
	.members = s##_members, .num_members = COUNT_OF(s##_members)

/* Each ioctl can return these: see "Errors" in the header. */
#define ANY EFAULT, EINVAL, E2BIG, EOPNOTSUPP
/*
 * Each ioctl that needs the GPU or a target can return these. EPERM and ENODEV are not
 * among them.
 */
#define GPU ANY, ENOTCONN, EBUSY, ENOMEM
#define WAVE GPU, EPERM, ENXIO, ETIMEDOUT

const struct call calls[NUM_CALLS] = {
	[CALL_GET_INFO] = {
		IOCTL(GET_INFO, info), .weight = 24, .errnos = { ANY },
	},
	[CALL_GET_CAPABILITY] = {
		IOCTL(GET_CAPABILITY, capability), .weight = 24,
		.errnos = { ANY },
	},
	[CALL_GET_BUSY] = {
		IOCTL(GET_BUSY, busy), .weight = 24, .errnos = { ANY },
	},
	[CALL_WAVE_LIST] = {
		IOCTL(WAVE_LIST, wave_list), .needs_scope = true, .weight = 16,
		.errnos = { WAVE, EMSGSIZE },
	},
	[CALL_WAVE_CONTROL] = {
		IOCTL(WAVE_CONTROL, wave_control), .needs_scope = true,
		.weight = 48,
		.errnos = { WAVE, ENODATA, ESTALE, EINPROGRESS },
	},
	[CALL_TARGET_SET] = {
		IOCTL(TARGET_SET, target_set), .weight = 24,
		.errnos = { ANY, EBADF, ENOTTY, EBUSY, ESRCH, ENOMEM, EMFILE },
	},
	[CALL_WAVE_BATCH] = {
		IOCTL(WAVE_BATCH, wave_batch), .needs_scope = true,
		.weight = 24,
		.errnos = { WAVE },
	},
	[CALL_REG_ACCESS] = {
		IOCTL(REG_ACCESS, reg_access), .needs_scope = true,
		.weight = 48,
		.errnos = { WAVE, ENODATA, ESTALE, EINPROGRESS, EIO },
	},
	[CALL_REG_BATCH] = {
		IOCTL(REG_BATCH, reg_batch), .needs_scope = true,
		.weight = 24,
		.errnos = { WAVE },
	},
	[CALL_MEM_ALLOC] = {
		IOCTL(MEM_ALLOC, mem_alloc), .needs_scope = true,
		.needs_target = true, .weight = 40,
		.errnos = { GPU, ENOSPC, EADDRNOTAVAIL, EINTR, ETIMEDOUT,
			    ESTALE },
	},
	[CALL_MEM_FREE] = {
		IOCTL(MEM_FREE, mem_free), .needs_scope = true,
		.needs_target = true, .needs_buffer = true, .weight = 24,
		.errnos = { GPU, ENOENT },
	},
	[CALL_MEM_COPY] = {
		IOCTL(MEM_COPY, mem_copy), .needs_scope = true,
		.needs_target = true, .needs_buffer = true, .weight = 64,
		.errnos = { GPU, ENOENT, EINTR, EIO },
	},
	[CALL_VM_ACCESS] = {
		IOCTL(VM_ACCESS, vm_access), .needs_scope = true,
		.needs_target = true, .weight = 32,
		.errnos = { GPU, ENXIO, EACCES, EIO, ENOENT, EEXIST, ENOSPC },
	},
	[CALL_VM_LIST] = {
		IOCTL(VM_LIST, vm_list), .needs_scope = true,
		.needs_target = true, .weight = 16,
		.errnos = { GPU, EMSGSIZE },
	},
	[CALL_TRAP_HANDLER] = {
		IOCTL(TRAP_HANDLER, trap_handler), .needs_scope = true,
		.needs_target = true, .needs_buffer = true,
		.weight = 24,
		.errnos = { GPU, EPERM, ENOENT, ENOSPC, EADDRNOTAVAIL, EIO,
			    EINTR, ETIMEDOUT, ESTALE },
	},
	[CALL_WATCH_SET] = {
		IOCTL(WATCH_SET, watch_set), .needs_scope = true,
		.needs_target = true, .weight = 24,
		.errnos = { GPU, ENOSPC, EIO },
	},
	[CALL_WATCH_CLEAR] = {
		IOCTL(WATCH_CLEAR, watch_clear), .needs_scope = true,
		.needs_target = true,
		.weight = 24,
		.errnos = { GPU, ENOENT },
	},
	[CALL_LAUNCH_SET] = {
		IOCTL(LAUNCH_SET, launch_set), .needs_scope = true,
		.needs_target = true,
		.weight = 24,
		.errnos = { GPU, EPERM, EIO },
	},
	[CALL_EVENT_ENABLE] = {
		IOCTL(EVENT_ENABLE, event_enable), .needs_scope = true,
		.weight = 24,
		.errnos = { GPU, EPERM },
	},
	[CALL_WAVE_SNAPSHOT] = {
		IOCTL(WAVE_SNAPSHOT, wave_list), .needs_scope = true,
		.weight = 16,
		.errnos = { WAVE, EMSGSIZE },
	},
	[CALL_JOB_LIST] = {
		IOCTL(JOB_LIST, job_list), .needs_scope = true, .weight = 16,
		.errnos = { GPU, EPERM, EMSGSIZE },
	},
	[CALL_UNKNOWN] = {
		.name = "unknown ioctl", .weight = 4, .errnos = { ENOTTY },
	},
	[CALL_OPEN] = {
		.name = "open", .weight = 4,
		.errnos = { ENOMEM, EMFILE, EINTR },
	},
	[CALL_CLOSE] = { .name = "close", .weight = 4 },
	[CALL_READ] = {
		.name = "read", .weight = 16,
		.errnos = { EAGAIN, EINVAL, EFAULT, EMSGSIZE, EINTR, ENOTCONN },
	},
	[CALL_POLL] = {
		.name = "poll", .weight = 16, .errnos = { EINTR, ENOMEM },
	},
};

bool errno_is_documented(enum call_id id, int err)
{
	const int *e;

	/* Another thread has closed the file. */
	if (err == EBADF)
		return true;
	for (e = calls[id].errnos; *e; e++)
		if (*e == err)
			return true;
	return false;
}

bool abi_table_is_whole(void)
{
	unsigned int i, j, end;

	for (i = 0; i < NUM_IOCTLS; i++) {
		for (j = 0, end = 0; j < calls[i].num_members; j++) {
			const struct member *m = &calls[i].members[j];

			if (m->offset != end) {
				printf("# %s.%s is at %u, not at %u\n",
				       calls[i].name, m->name, m->offset, end);
				return false;
			}
			end += m->size;
		}
		if (end + TAIL > MAX_STRUCT) {
			printf("# %s is longer than MAX_STRUCT\n",
			       calls[i].name);
			return false;
		}
	}
	return true;
}
