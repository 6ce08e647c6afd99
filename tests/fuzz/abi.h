/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel interface as data. For each ioctl, it has the number, the meaning of each
 * member of the structure, and the errors that the documentation allows.
 */
#ifndef FUZZ_ABI_H
#define FUZZ_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/amdgpudbg.h>

enum kind {
	KIND_OUT,	/* the kernel writes it and ignores what it held */
	KIND_SIZE,
	KIND_RESERVED,	/* must be zero, otherwise the call returns -EINVAL */
	KIND_FLAGS,	/* argument: all flags that the kernel knows */
	KIND_ENUM,	/* argument: one bit per value that the kernel knows */
	KIND_NUMBER,	/* an id, or a number that fits none of the other kinds */
	KIND_COUNT,
	KIND_STRIDE,
	KIND_BYTES,
	KIND_COORD,
	KIND_VMID,
	KIND_VMID_MASK,
	KIND_PC,
	KIND_VA,	/* an address in the GPU's address space */
	KIND_POINTER,	/* an address in the caller's address space */
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
	/* These are not ioctls, but the fuzzer counts and bounds them in the same way. */
	CALL_UNKNOWN = NUM_IOCTLS,
	CALL_OPEN,
	CALL_CLOSE,
	CALL_READ,
	CALL_POLL,
	NUM_CALLS,
};

#define MAX_ERRNO 134
#define TAIL 64		/* bytes that a newer caller provides after a structure */
#define MAX_STRUCT 512	/* structure and tail, see abi_table_is_whole() */

struct call {
	const char *name;
	unsigned long nr;
	size_t size;
	const struct member *members;
	unsigned int num_members;
	bool needs_scope;	/* reads or changes waves or a target */
	bool needs_target;	/* has no effect without a target */
	bool needs_buffer;	/* has no effect without a buffer of MEM_ALLOC */
	unsigned int weight;	/* how often workers make this call, relative to others */
	int errnos[20];		/* errors that the call may return; ends with 0 */
};

extern const struct call calls[NUM_CALLS];

bool errno_is_documented(enum call_id id, int err);
/* Returns false and prints a message if the table does not follow the header. */
bool abi_table_is_whole(void);

#endif /* FUZZ_ABI_H */
