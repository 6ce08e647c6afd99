// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reports stops together: see stops.h.
 */
#include "debug/stops.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/focus.h"

/* So many equal stops are still reported one by one. */
#define MAX_SINGLE 3

void stops_add(struct stops *stops, const struct adbgd_stop *stop)
{
	stops->list = xreallocarray(stops->list, stops->num + 1, sizeof(*stops->list));
	stops->list[stops->num++] = *stop;
}

void stops_free(struct stops *stops)
{
	free(stops->list);
	*stops = (struct stops){ 0 };
}

/* Do both differ in the wave and its lanes only? */
static bool is_same(const struct adbgd_stop *a, const struct adbgd_stop *b)
{
	struct adbgd_stop other = *b;

	other.at = a->at;
	other.lanes = a->lanes;
	return !memcmp(a, &other, sizeof(other));
}

/* Move the stops that equal the first one of the rest behind it. Returns how many there are. */
static size_t gather(struct adbgd_stop *rest, size_t num)
{
	size_t count = 1;

	for (size_t i = 1; i < num; i++) {
		struct adbgd_stop stop = rest[i];

		if (!is_same(&rest[0], &stop))
			continue;
		memmove(&rest[count + 1], &rest[count], (i - count) * sizeof(*rest));
		rest[count++] = stop;
	}
	return count;
}

int stops_say(struct wavectl *w, struct stops *stops)
{
	size_t done = 0, count;
	int status = WAVECTL_OK;

	while (!status && done < stops->num) {
		count = w->json ? 1 : gather(&stops->list[done], stops->num - done);
		if (count <= MAX_SINGLE)
			count = 1;
		status = count == 1 ? focus_say_stop(w, &stops->list[done]) :
				      focus_say_stops(w, &stops->list[done], count);
		done += count;
	}
	stops->num = 0;
	return status;
}
