/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What work on input of a target may cost. A loop whose length the target determines, and memory
 * whose size it determines, is charged before the work is done: that bounds it, and is where an
 * interrupt ends it.
 *
 * There is a budget for each code object, and one for a search through memory (adbgd_budget_new()),
 * which also has the sum of the memory of all objects that were found by it.
 */
#ifndef ADBGD_BUDGET_H
#define ADBGD_BUDGET_H

#include <stdbool.h>

#include "internal.h"

enum adbgd_cost {
	/* of a search */
	ADBGD_COST_PAGES,	/* of memory where a header was looked for */
	ADBGD_COST_ATTEMPTS,	/* headers that were found */
	ADBGD_COST_COPIED,	/* bytes of memory */
	ADBGD_COST_COMPARED,	/* as the one before, for comparing */
	/* of a code object; each takes memory, also that of libdw */
	ADBGD_COST_INFLATED,	/* bytes of sections that were compressed */
	ADBGD_COST_UNITS,
	ADBGD_COST_ABBREVS,	/* abbreviations, in each unit that uses their table */
	ADBGD_COST_ENTRIES,
	ADBGD_COST_RANGES,	/* of addresses */
	ADBGD_COST_ROWS,	/* of tables of lines */
	ADBGD_COST_NAMES,	/* bytes of names that are not used where they are */
	ADBGD_COST_TYPES,
	ADBGD_COST_MEMBERS,
	ADBGD_COST_OPERATIONS,	/* of location expressions */
	/* of a call of the library */
	ADBGD_COST_STEPS,	/* of a loop over any of the above */
	ADBGD_NUM_COSTS,
};

/* How many of a cost there may be, where that is no number of bytes; the man page has these. */
#define ADBGD_LIMIT_PAGES		16777216U
#define ADBGD_LIMIT_ATTEMPTS		8192U
#define ADBGD_LIMIT_UNITS		65536U
#define ADBGD_LIMIT_ABBREVS		4194304U
#define ADBGD_LIMIT_ENTRIES		4194304U
#define ADBGD_LIMIT_RANGES		4194304U
#define ADBGD_LIMIT_ROWS		2097152U
#define ADBGD_LIMIT_TYPES		65536U
#define ADBGD_LIMIT_MEMBERS		1048576U
#define ADBGD_LIMIT_OPERATIONS	1048576U
#define ADBGD_LIMIT_STEPS		134217728U

struct adbgd_budget {
	unsigned int users;		/* of one that was allocated */
	int interrupt_fd;		/* -1: none */
	struct adbgd_budget *sum;	/* NULL, or the search by which the object was found */
	uint64_t spent[ADBGD_NUM_COSTS];
	uint64_t memory, memory_max;	/* in bytes */
	uint64_t ticks;			/* since the interrupt was looked at */
	uint64_t taken;			/* of a search: address behind the last object */
};

/** adbgd_budget_init() - begin a budget for @size bytes of a file, or for a search (0) */
void adbgd_budget_init(struct adbgd_budget *budget, uint64_t size, int interrupt_fd);

/** adbgd_budget_join() - let an object's budget be a part of the one of a search */
void adbgd_budget_join(struct adbgd_budget *budget, struct adbgd_budget *sum);

/** adbgd_budget_end() - the object is freed: its memory is that of others again */
void adbgd_budget_end(struct adbgd_budget *budget);

/** adbgd_budget_reset() - all that was charged was given up again */
void adbgd_budget_reset(struct adbgd_budget *budget);

/** adbgd_budget_begin() - a call of the library begins */
void adbgd_budget_begin(struct adbgd_budget *budget);

/**
 * adbgd_spend() - charge work before it is done
 * @num: how many of @cost
 * @name: what it is done for
 *
 * Return: 0; -E2BIG it is too much, and nothing is charged; -EINTR it is interrupted.
 */
int adbgd_spend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		const char *name, struct adbgd_error *error);

/** adbgd_budget_check() - ask whether it could be spent, and charge nothing: 0 or -E2BIG */
int adbgd_budget_check(const struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		       const char *name, struct adbgd_error *error);

/** adbgd_unspend() - what was charged was given up again */
void adbgd_unspend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num);

#endif /* ADBGD_BUDGET_H */
