/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Following instructions: in code without symbols, only the instructions before one tell where
 * it begins.
 */
#ifndef ADBGD_FLOW_H
#define ADBGD_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg-debug-code.h>

#include "displace_ops.h"
#include "length.h"

/*
 * COMPUTE_PGM_LO and SPI_SHADER_PGM_LO_* have an address from bit 8 on (gc_10_3_0_sh_mask.h
 * of Linux 6.12: MEM_BASE), so that is where programs, and waves, begin.
 */
#define ADBGD_ENTRY_ALIGN	256

#define ADBGD_REACH_PAGE	4096

/* How far it is looked to both sides of where it begins, in bytes */
#define ADBGD_REACH		(256 << 10)
#define ADBGD_FLOW_PAGES	(2 * ADBGD_REACH / ADBGD_REACH_PAGE)

/* One instruction */
struct adbgd_flow_insn {
	uint64_t pc;
	uint32_t insn[ADBGD_MAX_DWORDS];
	int num;		/* dwords that it has */
	struct adbgd_way way;
};

struct adbgd_flow_walk {
	struct adbgd_memory memory;
	uint32_t gc_version;
	bool enters_calls;
	uint64_t base;
	uint64_t *todo;		/* other sides of branches */
	size_t num_todo, room;
	uint8_t *seen;		/* a bit for each dword from @base on: one begins there */
	uint32_t *pages[ADBGD_FLOW_PAGES];	/* what was read; NULL: not yet */
	/* Called for each instruction, unless NULL. 0; 1: do not continue here; -errno */
	int (*visit)(void *arg, const struct adbgd_flow_insn *insn);
	void *arg;
};

/** adbgd_flow_begin() - begin around an address; 0 or -ENOMEM; call adbgd_flow_free() always */
int adbgd_flow_begin(struct adbgd_flow_walk *r, const struct adbgd_memory *memory,
		     uint32_t gc_version, uint64_t around);
void adbgd_flow_free(struct adbgd_flow_walk *r);

/**
 * adbgd_flow_read() - read one instruction
 * Return: 1; 0 there is none; -E2BIG it is too far away; -errno.
 */
int adbgd_flow_read(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

/** adbgd_flow_follow() - follow all ways from @pc on; 0, or the first error */
int adbgd_flow_follow(struct adbgd_flow_walk *r, uint64_t pc);

/**
 * adbgd_flow_find_start() - follow the program that @pc is in from its probable beginning
 * @in: set to the instruction that @pc is in the middle of
 *
 * The beginning is searched backwards: it follows a gap, which no program continues over.
 *
 * Return: 1 an instruction begins at @pc; 0 it is in the middle of @in; -ENOENT it is not
 * known; -errno.
 */
int adbgd_flow_find_start(struct adbgd_flow_walk *r, uint64_t pc, uint64_t *in);

/** adbgd_flow_before() - find the instruction that ends at @pc; 1; 0: none is known */
int adbgd_flow_before(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

#endif /* ADBGD_FLOW_H */
