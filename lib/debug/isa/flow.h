/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which instructions there are, as far as waves come from one to the other: where code has no
 * symbols, nothing else tells where an instruction begins.
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
	/* Is asked of each, if it is there. 0; 1: its way ends here; -errno */
	int (*visit)(void *arg, const struct adbgd_flow_insn *insn);
	void *arg;
};

/** adbgd_flow_begin() - around an address. 0 or -ENOMEM; free in any case */
int adbgd_flow_begin(struct adbgd_flow_walk *r, const struct adbgd_memory *memory,
		     uint32_t gc_version, uint64_t around);
void adbgd_flow_free(struct adbgd_flow_walk *r);

/**
 * adbgd_flow_read() - one instruction
 * Return: 1; 0 there is none; -errno, -E2BIG it is too far away.
 */
int adbgd_flow_read(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

/** adbgd_flow_follow() - follow all ways from there on. 0 or -errno, the first one's that fails */
int adbgd_flow_follow(struct adbgd_flow_walk *r, uint64_t pc);

/**
 * adbgd_flow_find_start() - follow all ways from where the program seems to begin that is there
 *
 * That is looked for backwards: behind what no program goes on with.
 *
 * Return: 1 an instruction begins at @pc; 0 that is in the middle of @in; -ENOENT it is not
 * known; -errno.
 */
int adbgd_flow_find_start(struct adbgd_flow_walk *r, uint64_t pc, uint64_t *in);

/** adbgd_flow_before() - the instruction that ends at @pc; likewise 1; 0: none is known */
int adbgd_flow_before(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn);

#endif /* ADBGD_FLOW_H */
