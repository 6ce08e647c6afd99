/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What takes long is done in parts: one can interrupt it between them, and who sits at a
 * terminal sees how far it has come.
 */
#ifndef WAVECTL_PROGRESS_H
#define WAVECTL_PROGRESS_H

#include <stdint.h>

/*
 * Do *@num more, @done are done; *@num is set to how many it were: if they are less, it is
 * over. 0; 1 or -errno, and it is over, too.
 */
typedef int progress_part(void *arg, uint64_t done, uint64_t *num);

/* @what: of which there are @num, such as "steps"; @at_once: so many are one part */
struct progress {
	const char *what;
	uint64_t num;
	uint64_t at_once;
	progress_part *part;
};

/* All of it, or up to what ends it, or up to Ctrl-C. 0 or -errno, of the last part */
int progress_run(const struct progress *p, void *arg, uint64_t *done);

#endif /* WAVECTL_PROGRESS_H */
