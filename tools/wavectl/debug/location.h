/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in a process's code, as a word of a command names them: an address, SYMBOL,
 * SYMBOL+OFFSET, FUNCTION, FILE:LINE, :LINE.
 */
#ifndef WAVECTL_LOCATION_H
#define WAVECTL_LOCATION_H

#include "debug/debug.h"

/* For the help of commands that take a LOCATION */
#define LOCATION_HELP \
	"LOCATION is an address, SYMBOL, SYMBOL+OFFSET, FUNCTION, FILE:LINE, or :LINE in\n" \
	"the source file of the selected wave.\n"

/* What a name stands for */
enum location_use {
	LOCATION_STOP,		/* where parameters are there; each copy of a function */
	LOCATION_BEGIN,		/* the first instruction */
};

/**
 * struct location - addresses
 * @va: to be freed
 * @num: how many; one at least
 */
struct location {
	uint64_t *va;
	size_t num;
};

/*
 * What @word means. The debugger is there, see debug_open(). An exit status; @location is
 * set, or has nothing to be freed.
 */
int location_find(struct wavectl *w, const char *word, enum location_use use,
		  struct location *location);
/*
 * Does an instruction begin at @va? What is not known to be none is taken for one. An exit
 * status.
 */
int location_check(struct wavectl *w, uint64_t va);
/* Both for the only word of the command, for which the debugger is opened */
int location_open(struct wavectl *w, enum location_use use, struct location *location);
/* FILE:LINE, or :LINE in the file where the focused wave is: is @word such a place? */
bool location_is_line(const char *word);
/* The name of its file, as the compiler was given it, and its line. An exit status. */
int location_find_line(struct wavectl *w, const char *word, const char **file,
		       uint32_t *line);

#endif /* WAVECTL_LOCATION_H */
