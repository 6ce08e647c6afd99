/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an empty line repeats, as in gdb.
 */
#ifndef WAVECTL_REPEAT_H
#define WAVECTL_REPEAT_H

#include "base/wavectl.h"

/*
 * Get the line that an empty line after @line stands for: steps are repeated, and lists continue.
 * The caller frees it. NULL: nothing is repeated.
 */
char *repeat_line(const struct wavectl *w, const char *line);

#endif /* WAVECTL_REPEAT_H */
