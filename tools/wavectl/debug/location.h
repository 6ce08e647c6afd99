/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locations in code, as arguments: LINE, +LINES, -LINES, FILE:LINE, FUNCTION, SYMBOL,
 * SYMBOL+OFFSET, *ADDRESS, $EXPRESSION.
 */
#ifndef WAVECTL_LOCATION_H
#define WAVECTL_LOCATION_H

#include "debug/debug.h"
#include "debug/focus.h"

/* For the help of commands that take a LOCATION */
#define LOCATION_HELP \
	"LOCATION is a LINE of the current source file, such as 50, +2 or -2, or FILE:LINE,\n" \
	"FUNCTION, SYMBOL, SYMBOL+OFFSET, *ADDRESS, or an expression such as '$pc + 8'.\n"

/* The address for a name, and the meaning of a number */
enum location_use {
	LOCATION_STOP,		/* after the prologue; each copy of a function; a line */
	LOCATION_BEGIN,		/* the first instruction; an address, as for gdb's x */
	LOCATION_BREAK,		/* as LOCATION_STOP, but perhaps in a file that is not loaded yet */
	LOCATION_LATER,		/* the same, or in code that nothing is known of */
};

/**
 * struct location - addresses
 * @va: array
 * @num: number of them; at least one; 0: it is in code that is not loaded, see enum location_use
 * @word: the location for location_find_loaded(); NULL: it is an address
 */
struct location {
	uint64_t *va;
	size_t num;
	char *word;
};

/*
 * Find the addresses of @word. There must be a debugger, see debug_open(). Returns an exit
 * status; on an error there is nothing to free in @location.
 */
int location_find(struct wavectl *w, const char *word, enum location_use use,
		  struct location *location);
void location_free(struct location *location);
/*
 * Find the addresses of FILE:LINE, FUNCTION or SYMBOL+OFFSET in the code that is known to be
 * loaded, for a breakpoint. @is_path: if there is no such FILE, its first directories may be
 * others. Returns 0 or -errno; -ENOENT: there is no such location, -EINTR: interrupted, for which
 * @error is not set.
 */
int location_find_loaded(const struct debugger *d, const char *word, bool is_path,
			 struct location *location, struct adbgd_error *error);
/*
 * Fail if @va is inside an instruction. An address in unknown code is accepted. Returns an exit
 * status.
 */
int location_check(struct wavectl *w, uint64_t va);
/* Open the debugger, and do both for the only argument of the command. */
int location_open(struct wavectl *w, enum location_use use, struct location *location);
/* Has @word the form FILE:LINE, :LINE, LINE, +LINES or -LINES? */
bool location_is_line(const char *word);
/* Was a file listed after the selected wave stopped where it is? @focus: NULL: no wave is halted */
bool location_is_listed(const struct debugger *d, const struct focus *focus);
/* Get the file, as the compiler was given it, and the line. Returns an exit status. */
int location_find_line(struct wavectl *w, const char *word, const char **file,
		       uint32_t *line);

#endif /* WAVECTL_LOCATION_H */
