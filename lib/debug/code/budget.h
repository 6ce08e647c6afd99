/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits for work on a target's input. If the target determines how long a loop is, or how much
 * memory is needed, this is charged before the work is done. That bounds the work, and is where
 * an interrupt ends it.
 *
 * There is one budget for each code object, and one for a search through memory
 * (adbgd_scan_budget_new()), which also has the sum of the memory of all code objects that were
 * found by it.
 */
#ifndef ADBGD_BUDGET_H
#define ADBGD_BUDGET_H

#include <stdbool.h>

#include "internal.h"

enum adbgd_cost {
	/* of a search through memory */
	ADBGD_COST_PAGES,	/* pages of memory in which a header was searched */
	ADBGD_COST_ATTEMPTS,	/* headers that were found */
	ADBGD_COST_COPIED,	/* bytes that were read from memory */
	ADBGD_COST_COMPARED,	/* bytes that were read from memory for comparing */
	/* of a code object. Each takes memory, also that of libdw */
	ADBGD_COST_INFLATED,	/* bytes of sections that were compressed */
	ADBGD_COST_SPLIT,	/* bytes of .dwo and .dwp files */
	ADBGD_COST_UNITS,
	ADBGD_COST_ABBREVS,	/* abbreviations, in each unit that uses their table */
	ADBGD_COST_ENTRIES,
	ADBGD_COST_RANGES,	/* address ranges */
	ADBGD_COST_ROWS,	/* rows of line tables */
	ADBGD_COST_NAMES,	/* bytes of names that are copied */
	ADBGD_COST_TYPES,
	ADBGD_COST_MEMBERS,
	ADBGD_COST_OPERATIONS,	/* operations of location expressions */
	/* of one call of the library */
	ADBGD_COST_STEPS,	/* iterations of a loop over any of the above */
	ADBGD_NUM_COSTS,
};

/* Maximum numbers of costs that are not counted in bytes. The man page names them. */
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
	unsigned int users;		/* references, if adbgd_scan_budget_new() made it; else 0 */
	int interrupt_fd;		/* -1: none */
	struct adbgd_budget *sum;	/* NULL, or the search that found the code object */
	uint64_t spent[ADBGD_NUM_COSTS];
	uint64_t size;			/* of its files, in bytes */
	uint64_t memory, memory_max;	/* in bytes */
	uint64_t ticks;			/* work since the last check for an interrupt */
	uint64_t taken;			/* of a search: end address of the last code object */
};

/** adbgd_budget_init() - begin a budget for a file of @size bytes; 0: for a search */
void adbgd_budget_init(struct adbgd_budget *budget, uint64_t size, int interrupt_fd);

/** adbgd_budget_add_file() - raise the limit of memory, because another file was read */
void adbgd_budget_add_file(struct adbgd_budget *budget, uint64_t size);

/** adbgd_budget_join() - count a code object's budget also in the budget of a search */
void adbgd_budget_join(struct adbgd_budget *budget, struct adbgd_budget *sum);

/** adbgd_budget_end() - release a code object's part of the budget of a search */
void adbgd_budget_end(struct adbgd_budget *budget);

/** adbgd_budget_reset() - undo all charges, because all that was charged was freed */
void adbgd_budget_reset(struct adbgd_budget *budget);

/** adbgd_budget_begin() - begin a call of the library */
void adbgd_budget_begin(struct adbgd_budget *budget);

/**
 * adbgd_spend() - charge work before it is done
 * @num: how much of @cost
 * @name: object of the work, for messages
 *
 * Return: 0; -E2BIG a limit would be exceeded, and nothing is charged; -EINTR interrupted.
 */
int adbgd_spend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		const char *name, struct adbgd_error *error);

/** adbgd_budget_check() - test whether work could be charged, without charging it; 0 or -E2BIG */
int adbgd_budget_check(const struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		       const char *name, struct adbgd_error *error);

/** adbgd_unspend() - undo a charge, because what was charged was freed */
void adbgd_unspend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num);

#endif /* ADBGD_BUDGET_H */
