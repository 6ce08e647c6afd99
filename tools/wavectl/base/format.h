/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format after a slash, as in gdb's "print/x" and "x/4xw".
 */
#ifndef WAVECTL_FORMAT_H
#define WAVECTL_FORMAT_H

#include "base/wavectl.h"

/* Zero: not given */
struct format {
	uint64_t count;
	char letter;		/* such as 'x' */
	char size;		/* 'b', 'h', 'w' or 'g' */
};

/*
 * Parse w->slash, or set all of @format to zero if there is none. @letters: those that the
 * command knows. Returns an exit status.
 */
int format_take(struct wavectl *w, const char *letters, struct format *format);

#endif /* WAVECTL_FORMAT_H */
