// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Part by part: see progress.h.
 */
#include "waves/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "waves/hold.h"

/* The line is gone when it is over, also if that is early. */
static void show(const struct progress *p, uint64_t done, bool goes_on)
{
	if (p->num <= p->at_once || !isatty(STDERR_FILENO))
		return;
	if (goes_on)
		fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " %s", done, p->num, p->what);
	else
		fprintf(stderr, "\r\033[K");
}

int progress_run(const struct progress *p, void *arg, uint64_t *done)
{
	uint64_t wanted, num;
	bool goes_on;
	int ret;

	*done = 0;
	do {
		wanted = p->num - *done < p->at_once ? p->num - *done : p->at_once;
		num = wanted;
		ret = p->part(arg, *done, &num);
		*done += num;
		goes_on = !ret && num == wanted && *done < p->num && !hold_interrupted();
		show(p, *done, goes_on);
	} while (goes_on);
	return ret > 0 ? 0 : ret;
}
