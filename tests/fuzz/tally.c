// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adds up the counts of all workers, and prints a table of them.
 */
#define _GNU_SOURCE
#include "supervise.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint64_t sum(const struct shared *shared, enum role role,
		    enum call_id id, int err)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < NUM_WORKERS; i++)
		n += shared->slot[role][i].count[id][err];
	return n;
}

uint64_t tally_role(const struct shared *shared, enum role role)
{
	uint64_t n = 0;
	unsigned int id;
	int err;

	for (id = 0; id < NUM_CALLS; id++)
		for (err = 0; err < MAX_ERRNO; err++)
			n += sum(shared, role, id, err);
	return n;
}

uint64_t tally_calls(const struct shared *shared)
{
	unsigned int role;
	uint64_t n = 0;

	for (role = 0; role < NUM_ROLES; role++)
		n += tally_role(shared, role);
	return n;
}

/*
 * True for errors that report a wrong argument or a missing permission. Some calls with
 * such an error have passed the first check of their arguments; so the number of calls
 * that have passed it is a lower bound.
 */
static bool is_of_first_check(int err)
{
	switch (err) {
	case EINVAL:
	case E2BIG:
	case EFAULT:
	case ENOTTY:
	case EOPNOTSUPP:
	case EBADF:
	case EPERM:
	case ENOTCONN:
		return true;
	default:
		return false;
	}
}

static uint64_t deep(const struct shared *shared, enum call_id id)
{
	unsigned int role;
	uint64_t n = 0;
	int err;

	for (role = 0; role < NUM_ROLES; role++)
		for (err = 0; err < MAX_ERRNO; err++)
			if (!is_of_first_check(err))
				n += sum(shared, role, id, err);
	return n;
}

/* Counts ioctls only: the other calls have no arguments that need a check. */
uint64_t tally_deep(const struct shared *shared)
{
	unsigned int id;
	uint64_t n = 0;

	for (id = 0; id < NUM_IOCTLS; id++)
		n += deep(shared, id);
	return n;
}

/* The time of the longest call, and the sum of all */
static void durations(const struct shared *shared, enum call_id id,
		      uint64_t *longest, uint64_t *total)
{
	const struct slot *slot = &shared->slot[0][0];
	unsigned int i;

	*longest = 0;
	*total = 0;
	for (i = 0; i < NUM_ROLES * NUM_WORKERS; i++) {
		if (slot[i].longest[id] > *longest)
			*longest = slot[i].longest[id];
		*total += slot[i].total[id];
	}
}

static void print_row(const struct shared *shared, enum call_id id)
{
	uint64_t by_errno[MAX_ERRNO] = { 0 }, all = 0, longest, total;
	unsigned int role;
	const char *name;
	int err;

	for (err = 0; err < MAX_ERRNO; err++) {
		for (role = 0; role < NUM_ROLES; role++)
			by_errno[err] += sum(shared, role, id, err);
		all += by_errno[err];
	}
	durations(shared, id, &longest, &total);
	printf("# %-15s %9llu %9llu %9llu %7llu %6llu", calls[id].name,
	       (unsigned long long)all, (unsigned long long)deep(shared, id),
	       (unsigned long long)by_errno[0],
	       (unsigned long long)(all ? total / all / 1000 : 0),
	       (unsigned long long)longest / 1000000);
	for (err = 1; err < MAX_ERRNO; err++) {
		name = strerrorname_np(err);
		if (by_errno[err])
			printf(" %s %llu", name ? name : "?",
			       (unsigned long long)by_errno[err]);
	}
	printf("\n");
}

void tally_print(const struct shared *shared)
{
	unsigned int id;

	printf("# %-15s %9s %9s %9s %7s %6s errors\n", "call", "calls",
	       "past 1st", "success", "mean us", "max ms");
	for (id = 0; id < NUM_CALLS; id++)
		print_row(shared, id);
}
