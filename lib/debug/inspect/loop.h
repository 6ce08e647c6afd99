/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops in the instructions that a wave has executed.
 */
#ifndef ADBGD_INSPECT_LOOP_H
#define ADBGD_INSPECT_LOOP_H

#include <stdbool.h>

#include <amdgpudbg-debug-loop.h>

#include "internal.h"
#include "isa/length.h"

#define ADBGD_LOOPS_MAX		64
#define ADBGD_LOOP_CONDITIONS	8
#define ADBGD_LOOP_CHAIN	8
#define ADBGD_LOOP_PARTS	4

/* An instruction that was executed, perhaps many times */
struct adbgd_loop_insn {
	uint32_t dwords[ADBGD_MAX_DWORDS];
	struct adbgd_insn insn;
};

/* The numbers of the first instruction of an iteration, and of the first one after it */
struct adbgd_loop_span {
	uint64_t begin, end;
};

/* Instructions of a loop that the compiler has put after it */
struct adbgd_loop_part {
	uint64_t first, last;
};

/* A branch that can leave a loop, and what has computed its condition */
struct adbgd_loop_condition {
	uint32_t chain[ADBGD_LOOP_CHAIN];	/* indices of instructions, up to the branch */
	size_t num;
	uint64_t executed;			/* number of its last execution */
};

struct adbgd_loop_found {
	struct adbgd_loop info;
	int64_t depth;			/* number of calls, relative to the trace's beginning */
	struct adbgd_loop_span *spans;	/* complete iterations */
	size_t num_spans, room;
	uint64_t since;			/* begin of the current iteration, if @has_since */
	bool has_since;
	uint64_t repeated;		/* iterations since the wave has entered it */
	uint64_t first;			/* when it was entered for the first time */
	bool is_active;
	/* Addresses that the wave has executed since it left the loop */
	uint64_t low, high;
	/* Such addresses after which it has come back into the middle: they belong to the loop. */
	struct adbgd_loop_part parts[ADBGD_LOOP_PARTS];
	size_t num_parts;
	struct adbgd_loop_condition conditions[ADBGD_LOOP_CONDITIONS];
};

struct adbgd_loops {
	uint32_t gc_version;
	uint32_t lanes;
	uint64_t num;			/* executed instructions */
	uint32_t *at;			/* index in @insns of each; one more is the next one */
	int64_t *depth;			/* of each */
	struct adbgd_loop_insn *insns;	/* by address */
	size_t num_insns;
	struct adbgd_loop_found *found[ADBGD_LOOPS_MAX];
	size_t num_found;
};

/** adbgd_loop_pc() - get the address of executed instruction @i, or of the next one */
static inline uint64_t adbgd_loop_pc(const struct adbgd_loops *l, uint64_t i)
{
	return l->insns[l->at[i]].insn.address;
}

/** adbgd_loop_has() - does an address belong to a loop, apart from the functions that it calls? */
bool adbgd_loop_has(const struct adbgd_loop_found *f, uint64_t pc);

/** adbgd_loops_find() - find the loops, after their instructions were read */
int adbgd_loops_find(struct adbgd_loops *l, struct adbgd_error *error);

/** adbgd_loop_find_conditions() - find the branches that can leave a loop */
void adbgd_loop_find_conditions(const struct adbgd_loops *l, struct adbgd_loop_found *f);

#endif /* ADBGD_INSPECT_LOOP_H */
