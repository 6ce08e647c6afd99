// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints masks of lanes: see lanes.h.
 */
#include "debug/lanes.h"

#include "base/util.h"

void lanes_append(char **text, uint64_t lanes, bool always_ranges)
{
	const char *before = "";

	for (int first = 0, last; first < LANES_MAX; first = last + 1) {
		last = first;
		if (!(lanes >> first & 1))
			continue;
		while (last + 1 < LANES_MAX && lanes >> (last + 1) & 1)
			last++;
		xappend(text, "%s%d", before, first);
		if (always_ranges || last > first)
			xappend(text, "-%d", last);
		before = ",";
	}
}
