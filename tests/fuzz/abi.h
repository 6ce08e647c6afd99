/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel interface as data: for each ioctl its number, the meaning of each
 * member of its structure, and the errors that its documentation allows.
 */
#ifndef FUZZ_ABI_H
#define FUZZ_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/amdgpudbg.h>

enum kind {
	KIND_OUT,	/* written by the kernel, whatever it held */
	KIND_SIZE,
	KIND_RESERVED,	/* not zero: -EINVAL */
	KIND_FLAGS,	/* argument: all known ones */
	KIND_ENUM,	/* argument: one bit per known value */
	KIND_NUMBER,	/* ids, and what else has no other kind */
	KIND_COUNT,
	KIND_STRIDE,
	KIND_BYTES,
	KIND_COORD,
	KIND_VMID,
	KIND_VMID_MASK,
	KIND_PC,
	KIND_VA,	/* in the GPU's address space */
	KIND_POINTER,	/* in the caller's */
	KIND_FD,
};

struct member {
	const char *name;
	uint16_t offset;
	uint16_t size;
	enum kind kind;
	uint32_t arg;
};

enum call_id {
	CALL_GET_INFO,
	CALL_GET_CAPABILITY,
	CALL_WAVE_LIST,
	CALL_WAVE_CONTROL,
	CALL_TARGET_SET,
	CALL_WAVE_BATCH,
	CALL_REG_ACCESS,
	CALL_MEM_ALLOC,
	CALL_MEM_FREE,
	CALL_MEM_COPY,
	CALL_VM_ACCESS,
	CALL_VM_LIST,
	CALL_TRAP_HANDLER,
	CALL_WATCH_SET,
	CALL_WATCH_CLEAR,
	CALL_LAUNCH_SET,
	CALL_EVENT_ENABLE,
	CALL_WAVE_SNAPSHOT,
	CALL_GET_BUSY,
	CALL_JOB_LIST,
	CALL_REG_BATCH,
	NUM_IOCTLS,
	/* Not ioctls, but counted and bounded like them. */
	CALL_UNKNOWN = NUM_IOCTLS,
	CALL_OPEN,
	CALL_CLOSE,
	CALL_READ,
	CALL_POLL,
	NUM_CALLS,
};

#define MAX_ERRNO 134
#define TAIL 64		/* bytes behind a structure that a newer caller provides */
#define MAX_STRUCT 512	/* with these, see abi_table_is_whole() */

struct call {
	const char *name;
	unsigned long nr;
	size_t size;
	const struct member *members;
	unsigned int num_members;
	bool needs_scope;	/* looks at or changes waves or a target */
	bool needs_target;	/* has nothing to do without a target */
	bool needs_buffer;	/* has nothing to do without one of MEM_ALLOC */
	unsigned int weight;	/* how often it is made */
	int errnos[20];		/* that may be returned; ends with 0 */
};

extern const struct call calls[NUM_CALLS];

bool errno_is_documented(enum call_id id, int err);
/* False, with a message, when the table does not follow the header. */
bool abi_table_is_whole(void);

#endif /* FUZZ_ABI_H */
