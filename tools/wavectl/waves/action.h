/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command is about to do. It is described once; --dry-run prints the description, and
 * otherwise the action is executed.
 */
#ifndef WAVECTL_ACTION_H
#define WAVECTL_ACTION_H

#include "base/wavectl.h"

struct action {
	/* An infinitive with members in braces, such as "write {bytes} bytes at {address}" */
	const char *what;
	/* Add these members. NULL: there are none */
	void (*describe)(struct wavectl *w, const void *data);
	/* Do it. Returns an exit status. */
	int (*run)(struct wavectl *w, void *data);
	/* The sentence of the result; "": it has none; NULL: run() prints the result itself */
	const char *done;
	/* The result has the member "dry_run" also if it is false. */
	bool has_dry_run;
	void *data;
};

/* Execute an action and print its result, or print what it would do. Returns an exit status. */
int action_run(struct wavectl *w, const struct action *action);

#endif /* WAVECTL_ACTION_H */
