/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A long operation is done in parts. It can be interrupted between them, and a terminal shows
 * the progress.
 */
#ifndef WAVECTL_PROGRESS_H
#define WAVECTL_PROGRESS_H

#include <stdint.h>

/*
 * Do *@num more after the first @done. Sets *@num to the number that was done; if that is less,
 * the operation ends. Returns 0; 1 or -errno to end the operation.
 */
typedef int progress_part(void *arg, uint64_t done, uint64_t *num);

/* @what: the unit of @num, such as "steps"; @at_once: size of a part */
struct progress {
	const char *what;
	uint64_t num;
	uint64_t at_once;
	progress_part *part;
};

/*
 * Run all parts, until one ends the operation, or until Ctrl-C. Returns 0, or -errno of the last
 * part.
 */
int progress_run(const struct progress *p, void *arg, uint64_t *done);

#endif /* WAVECTL_PROGRESS_H */
