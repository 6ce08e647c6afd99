// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "Did you mean": see suggest.h.
 */
#include <limits.h>
#include <string.h>

#include "base/suggest.h"

#define MAX_LENGTH 32

/* Maximum number of differences; they must also be less than half of the letters. */
#define MAX_DISTANCE 2

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* Count the letters that must be inserted, removed, replaced or swapped with their neighbour. */
static unsigned int distance(const char *from, const char *to)
{
	/* Distances for this letter of @from, and for the two before it */
	unsigned int rows[3][MAX_LENGTH + 1];
	unsigned int *row = rows[0], *above = rows[1], *before = rows[2], *old;
	size_t n = strlen(to);

	for (size_t i = 0; i <= n; i++)
		row[i] = i;
	for (size_t j = 0; from[j]; j++) {
		old = before;
		before = above;
		above = row;
		row = old;
		row[0] = j + 1;
		for (size_t i = 0; i < n; i++) {
			row[i + 1] = least(above[i + 1] + 1, row[i] + 1,
					   above[i] + (from[j] != to[i]));
			if (i && j && from[j] == to[i - 1] &&
			    from[j - 1] == to[i])
				row[i + 1] = least(row[i + 1],
						   before[i - 1] + 1, UINT_MAX);
		}
	}

	return row[n];
}

struct suggestion suggest_for(const char *typed)
{
	return (struct suggestion){ .typed = typed, .distance = MAX_DISTANCE + 1 };
}

void suggest_try(struct suggestion *best, const char *word)
{
	unsigned int d;

	if (strlen(word) > MAX_LENGTH)
		return;
	d = distance(best->typed, word);
	if (d < best->distance && 2 * d < strlen(word)) {
		best->distance = d;
		best->word = word;
	}
}
