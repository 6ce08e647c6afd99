/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding where a function has saved the registers of its caller, by following its instructions.
 */
#ifndef ADBGD_SAVED_H
#define ADBGD_SAVED_H

#include <amdgpudbg-debug-code.h>

#include "saved_state.h"

struct adbgd_saved_callee;

/** struct adbgd_saved_walk - code whose functions are followed; begin with the first members set */
struct adbgd_saved_walk {
	struct adbgd_memory memory;
	uint32_t gc_version;
	uint32_t lanes;		/* of the wave, 32 or 64 */
	/* Called once for each @num instructions that are followed; an error ends the search. */
	int (*spend)(void *data, uint32_t num);
	void *data;
	/* What the functions that were called leave as it was */
	struct adbgd_saved_callee **callees;
	size_t num_callees, room;
	unsigned int depth;
	uint32_t steps;		/* instructions that were followed, and work of that size */
	uint32_t num_states;	/* that are allocated now */
};

/** struct adbgd_saved_point - an instruction of a function */
struct adbgd_saved_point {
	uint64_t entry;		/* of the function */
	uint64_t pc;
	bool is_return;		/* @pc is a return address: the point is in the call before it */
};

/** struct adbgd_saved_function - what is known of a function */
struct adbgd_saved_function {
	uint32_t return_reg;	/* pair of SGPRs in which it was passed its return address */
	bool calls;		/* the point is in a call of @callee */
	uint64_t callee;
};

/**
 * adbgd_saved_find() - find what is known before an instruction
 * @state: set to what is known on all paths from the entry of the function to the point
 * @function: set to what is known of the function
 *
 * The registers at a point in a call are those with which the callee begins.
 *
 * Return: 1; 0: no path to the instruction was found; -E2BIG: the function is too large;
 * -EOPNOTSUPP: another GPU; or an error of adbgd_memory.read() or of @walk->spend().
 */
int adbgd_saved_find(struct adbgd_saved_walk *walk, const struct adbgd_saved_point *point,
		     struct adbgd_saved_state *state, struct adbgd_saved_function *function);

/**
 * adbgd_saved_forget_callers() - forget registers that the caller of a function may not have had
 * @state: of a function that was not called, but jumped to as the last thing that another one did
 * @called: the function that was called; NULL: it is not known
 *
 * Return: 0 or -errno.
 */
int adbgd_saved_forget_callers(struct adbgd_saved_walk *walk, struct adbgd_saved_state *state,
			       const uint64_t *called);

/** adbgd_saved_end() - free what was allocated */
void adbgd_saved_end(struct adbgd_saved_walk *walk);

#endif /* ADBGD_SAVED_H */
