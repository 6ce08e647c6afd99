/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls and exits of a function, which are found by its instructions, because there may be no
 * symbols. All paths through the function are followed, over calls and to both sides of a branch.
 * An s_setpc_b64 is assumed to be a return; compilers may also use it for a far branch.
 */
#ifndef ADBGD_CALLS_H
#define ADBGD_CALLS_H

#include "process.h"

/* Each one takes some space in the condition program. */
#define ADBGD_MAX_EXITS		8

struct adbgd_exits {
	uint64_t at[ADBGD_MAX_EXITS];
	size_t num;
};

/** adbgd_is_return() - test whether there is an s_setpc_b64 at @pc; Return: 1, 0 or -errno */
int adbgd_is_return(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error);

/**
 * adbgd_is_call() - test whether there is a call at @pc
 * @next: set to the address to which it returns
 *
 * Return: 1, 0 or -errno.
 */
int adbgd_is_call(struct adbgd_process *process, uint64_t pc, uint64_t *next,
		  struct adbgd_error *error);

/** adbgd_exits_find() - find each s_setpc_b64 and s_endpgm that can be reached from @pc */
int adbgd_exits_find(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *exits,
		     struct adbgd_error *error);

/*
 * Find where a wave at @pc has to stop; an empty @to means that it executes one instruction.
 * Return: 0, or -errno with @error set.
 */
typedef int adbgd_find_goals(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *to,
			     struct adbgd_error *error);

/** adbgd_goals_next() - the goal is the next instruction, after a call has returned */
adbgd_find_goals adbgd_goals_next;

/** adbgd_goals_exits() - the goals are the exits of the function */
adbgd_find_goals adbgd_goals_exits;

#endif /* ADBGD_CALLS_H */
