// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs an operation in parts: see progress.h.
 */
#include "waves/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "waves/hold.h"

/* The line is removed at the end, also if the operation ends early. */
static void show(const struct progress *p, uint64_t done, bool continues)
{
	if (p->num <= p->at_once || !isatty(STDERR_FILENO))
		return;
	if (continues)
		fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " %s", done, p->num, p->what);
	else
		fprintf(stderr, "\r\033[K");
}

int progress_run(const struct progress *p, void *arg, uint64_t *done)
{
	uint64_t wanted, num;
	bool continues;
	int ret;

	*done = 0;
	do {
		wanted = p->num - *done < p->at_once ? p->num - *done : p->at_once;
		num = wanted;
		ret = p->part(arg, *done, &num);
		*done += num;
		continues = !ret && num == wanted && *done < p->num && !hold_interrupted();
		show(p, *done, continues);
	} while (continues);
	return ret > 0 ? 0 : ret;
}
