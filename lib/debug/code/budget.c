// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Limits, see budget.h. The man page libamdgpudbg-debug(3) names them.
 *
 * Time is not measured, so that the same input has the same result on any machine. One unit of a
 * cost takes at most some hundred nanoseconds; a page takes some microseconds.
 */
#include "budget.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#define KIB	1024ULL
#define MIB	(1024 * KIB)
#define GIB	(1024 * MIB)

/* Memory limit of a code object: least value, bytes for each byte of its file, and largest value */
#define MEMORY_LEAST	(16 * MIB)
#define MEMORY_RATIO	128
#define MEMORY_MOST	(512 * MIB)

/* Memory limit for all code objects of a search */
#define MEMORY_SUM	GIB

/* Number of steps between two checks for an interrupt */
#define TICKS		65536

/*
 * For one unit of a cost: bytes of memory, also that of libdw 0.188; ticks, which are 1/64 of a
 * step
 */
static const struct {
	const char *what;
	uint64_t limit;
	uint32_t memory;
	uint32_t ticks;
} costs[ADBGD_NUM_COSTS] = {
	[ADBGD_COST_PAGES] = { "pages of memory to search", ADBGD_LIMIT_PAGES, 0, 64 * 64 },
	[ADBGD_COST_ATTEMPTS] = { "ELF headers in memory", ADBGD_LIMIT_ATTEMPTS, 0, 64 * 1024 },
	[ADBGD_COST_COPIED] = { "bytes of code objects in memory", 256 * MIB, 0, 1 },
	[ADBGD_COST_COMPARED] = { "bytes of memory to compare", 64 * GIB, 0, 1 },
	[ADBGD_COST_INFLATED] = { "bytes in compressed sections", 256 * MIB, 1, 1 },
	[ADBGD_COST_SPLIT] = { "bytes of split debug information", 256 * MIB, 1, 1 },
	[ADBGD_COST_UNITS] = { "units of debug information", ADBGD_LIMIT_UNITS, 2048, 64 * 16 },
	[ADBGD_COST_ABBREVS] = { "abbreviations", ADBGD_LIMIT_ABBREVS, 96, 64 },
	[ADBGD_COST_ENTRIES] = { "entries of debug information", ADBGD_LIMIT_ENTRIES, 80, 64 },
	[ADBGD_COST_RANGES] = { "ranges of addresses", ADBGD_LIMIT_RANGES, 32, 64 },
	[ADBGD_COST_ROWS] = { "rows of its tables of lines", ADBGD_LIMIT_ROWS, 192, 64 },
	[ADBGD_COST_NAMES] = { "bytes of names", 64 * MIB, 1, 1 },
	[ADBGD_COST_TYPES] = { "types", ADBGD_LIMIT_TYPES, 512, 64 * 4 },
	[ADBGD_COST_MEMBERS] = { "members of types", ADBGD_LIMIT_MEMBERS, 96, 64 },
	[ADBGD_COST_OPERATIONS] = { "operations in locations", ADBGD_LIMIT_OPERATIONS, 80, 64 },
	[ADBGD_COST_STEPS] = { "steps to take in its debug information", ADBGD_LIMIT_STEPS, 0, 64 },
};

void adbgd_budget_init(struct adbgd_budget *budget, uint64_t size, int interrupt_fd)
{
	*budget = (struct adbgd_budget){ .interrupt_fd = interrupt_fd };
	adbgd_budget_add_file(budget, size);
}

void adbgd_budget_add_file(struct adbgd_budget *budget, uint64_t size)
{
	uint64_t most = MEMORY_MOST / MEMORY_RATIO;

	budget->size = size > most - budget->size ? most : budget->size + size;
	budget->memory_max = MEMORY_LEAST + budget->size * MEMORY_RATIO;
	if (budget->memory_max > MEMORY_MOST)
		budget->memory_max = MEMORY_MOST;
}

ADBGD_API int adbgd_scan_budget_new(int interrupt_fd, struct adbgd_budget **budget,
				    struct adbgd_error *error)
{
	struct adbgd_budget *b = malloc(sizeof(*b));

	if (!b)
		return adbgd_no_memory(error, "a budget");
	adbgd_budget_init(b, 0, interrupt_fd);
	b->memory_max = MEMORY_SUM;
	b->users = 1;
	*budget = b;
	return 0;
}

ADBGD_API void adbgd_scan_budget_free(struct adbgd_budget *budget)
{
	if (budget && !--budget->users)
		free(budget);
}

void adbgd_budget_join(struct adbgd_budget *budget, struct adbgd_budget *sum)
{
	if (!sum || !sum->users)
		return;
	sum->users++;
	budget->sum = sum;
}

void adbgd_budget_end(struct adbgd_budget *budget)
{
	if (!budget->sum)
		return;
	budget->sum->memory -= budget->memory;
	adbgd_scan_budget_free(budget->sum);
	budget->sum = NULL;
}

void adbgd_budget_reset(struct adbgd_budget *budget)
{
	if (budget->sum)
		budget->sum->memory -= budget->memory;
	budget->memory = 0;
	memset(budget->spent, 0, sizeof(budget->spent));
}

void adbgd_budget_begin(struct adbgd_budget *budget)
{
	budget->spent[ADBGD_COST_STEPS] = 0;
	budget->ticks = 0;
}

static int look_at_interrupt(struct adbgd_budget *b, const char *name, struct adbgd_error *error)
{
	struct pollfd fd = { .fd = b->interrupt_fd, .events = POLLIN };

	b->ticks = 0;
	if (poll(&fd, 1, 0) <= 0 || !(fd.revents & POLLIN))
		return 0;
	return adbgd_fail(error, -EINTR, "%s: interrupted", name);
}

int adbgd_budget_check(const struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		       const char *name, struct adbgd_error *error)
{
	uint64_t left = costs[cost].limit - budget->spent[cost], memory;
	const struct adbgd_budget *sum = budget->sum;

	if (num > left)
		return adbgd_fail(error, -E2BIG, "%s: there are more than %llu %s", name,
				  (unsigned long long)costs[cost].limit, costs[cost].what);
	/* The product cannot overflow, because no limit is that large. */
	memory = num * costs[cost].memory;
	if (memory > budget->memory_max - budget->memory)
		return adbgd_fail(error, -E2BIG, "%s: its debug information needs more than %llu "
				  "MiB of memory, because of its %s", name,
				  (unsigned long long)(budget->memory_max / MIB),
				  costs[cost].what);
	if (sum && memory > sum->memory_max - sum->memory)
		return adbgd_fail(error, -E2BIG, "%s: the debug information of all code objects "
				  "needs more than %llu MiB of memory", name,
				  (unsigned long long)(sum->memory_max / MIB));
	return 0;
}

int adbgd_spend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num,
		const char *name, struct adbgd_error *error)
{
	int ret = adbgd_budget_check(budget, cost, num, name, error);

	if (ret)
		return ret;
	budget->spent[cost] += num;
	budget->memory += num * costs[cost].memory;
	if (budget->sum)
		budget->sum->memory += num * costs[cost].memory;
	budget->ticks += num * costs[cost].ticks;
	return budget->ticks < 64 * TICKS ? 0 : look_at_interrupt(budget, name, error);
}

void adbgd_unspend(struct adbgd_budget *budget, enum adbgd_cost cost, uint64_t num)
{
	budget->spent[cost] -= num;
	budget->memory -= num * costs[cost].memory;
	if (budget->sum)
		budget->sum->memory -= num * costs[cost].memory;
}
