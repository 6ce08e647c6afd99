/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many commands in one session. What a command halts or sets stays in effect for the next ones,
 * until it is undone or the session ends. Events are reported when they occur.
 */
#ifndef WAVECTL_SHELL_SESSION_H
#define WAVECTL_SHELL_SESSION_H

#include "base/wavectl.h"

struct shell_loop {
	struct shell_session shell;
	const struct wavectl *opener;	/* the command that began the session */
	struct emit *emit;
	bool events_over;		/* no more events will arrive */
	bool events_left;		/* there may be more that were not read */
	bool ended;			/* "quit", a signal, or the output cannot be written */
	bool interrupted;		/* Ctrl-C arrived since this was cleared */
	int status;			/* exit status of the first line that failed */
	unsigned int num_nested;	/* files that "source file" executes */
	/* Called before something is printed while the user types */
	void (*make_room)(void);
};

/* What happened first */
enum shell_session_wait {
	SHELL_INPUT,		/* the descriptor is readable */
	SHELL_REPORTED,		/* an event was reported */
	SHELL_INTERRUPTED,	/* Ctrl-C */
	SHELL_ENDED,		/* a signal ends the shell, or waiting failed */
};

/*
 * Begin the shell on the open session of @w. From here on SIGINT, SIGTERM and SIGHUP are read
 * and do not end the program. Call shell_session_end() also after an error. Returns an exit
 * status.
 */
int shell_session_begin(struct shell_loop *loop, struct wavectl *w);
void shell_session_end(struct shell_loop *loop);
/* Report the events that have arrived. Returns true if there was one. */
bool shell_session_report(struct shell_loop *loop);
/* Wait until @fd is readable, and report events that arrive. */
enum shell_session_wait shell_session_wait(struct shell_loop *loop, int fd);
/*
 * Execute the command of a line, if there is one. @where: file and line for errors, NULL if it
 * was typed; @number: number of the line, for JSON. Sets @ended if the command ends the shell.
 * Returns the exit status of the command.
 */
int shell_session_line(struct shell_loop *loop, const char *line, const char *where,
		       unsigned int number);

#endif /* WAVECTL_SHELL_SESSION_H */
