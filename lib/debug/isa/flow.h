/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Following the instructions of code that has no symbols: there, only the instructions before an
 * address show whether an instruction begins at it.
 */
#ifndef ADBGD_FLOW_H
#define ADBGD_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg-debug-code.h>

#include "displace_ops.h"
#include "length.h"

/*
 * Programs, and so waves, begin at a multiple of this: COMPUTE_PGM_LO and SPI_SHADER_PGM_LO_*
 * have the bits of the address from bit 8 on (gc_10_3_0_sh_mask.h of Linux 6.12: MEM_BASE).
 */
#define ADBGD_ENTRY_ALIGN	256

#define ADBGD_FLOW_PAGE_SIZE	4096

/* Number of bytes before and after the starting address that are searched */
#define ADBGD_FLOW_DISTANCE	(256 << 10)
#define ADBGD_FLOW_PAGES	(2 * ADBGD_FLOW_DISTANCE / ADBGD_FLOW_PAGE_SIZE)

/* An instruction */
struct adbgd_flow_insn {
	uint64_t pc;
	uint32_t insn[ADBGD_MAX_DWORDS];
	int num;		/* length in dwords */
	struct adbgd_next_pc next_pc;
};

struct adbgd_flow_walk {
	struct adbgd_memory memory;
	uint32_t gc_version;
	bool enters_calls;
	uint64_t base;
	uint64_t *todo;		/* branch targets that are still to be followed */
	size_t num_todo, room;
	uint8_t *seen;		/* bitmap of dwords from @base on: does an instruction begin? */
	uint32_t *pages[ADBGD_FLOW_PAGES];	/* memory that was read; NULL: not read yet */
	/* Called for each instruction, unless NULL. Return: 0; 1 do not continue here; -errno. */
	int (*visit)(void *arg, const struct adbgd_flow_insn *insn);
	void *arg;
};

/**
 * adbgd_flow_begin() - prepare for following instructions around an address
 *
 * Call adbgd_flow_free() also if this fails.
 *
 * Return: 0 or -ENOMEM.
 */
int adbgd_flow_begin(struct adbgd_flow_walk *r, const struct adbgd_memory *memory,
		     uint32_t gc_version, uint64_t around);
void adbgd_flow_free(struct adbgd_flow_walk *r);

/**
 * adbgd_flow_read() - read one instruction
 *
 * Return: 1; 0 there is no instruction; -E2BIG @pc is too far away; -errno.
 */
int adbgd_flow_read(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

/**
 * adbgd_flow_follow() - follow all paths from @pc on
 *
 * Return: 0, or the first error.
 */
int adbgd_flow_follow(struct adbgd_flow_walk *r, uint64_t pc);

/**
 * adbgd_flow_find_start() - follow the program that @pc is in from its probable beginning
 * @in: set to the address of the instruction that @pc is in the middle of
 *
 * The beginning is searched backwards: it follows a gap, over which no program continues.
 *
 * Return: 1 an instruction begins at @pc; 0 @pc is in the middle of @in; -ENOENT neither is
 * known; -errno.
 */
int adbgd_flow_find_start(struct adbgd_flow_walk *r, uint64_t pc, uint64_t *in);

/**
 * adbgd_flow_before() - find the instruction that ends at @pc
 *
 * Return: 1; 0 no such instruction is known.
 */
int adbgd_flow_before(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

#endif /* ADBGD_FLOW_H */
