/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many commands in one session. What one of them has halted or set stays so for the
 * next one, until it is taken back or the session ends; what happens by itself is told
 * when it happens.
 */
#ifndef WAVECTL_SHELL_SESSION_H
#define WAVECTL_SHELL_SESSION_H

#include "base/wavectl.h"

struct talk {
	struct shell_session dialogue;
	const struct wavectl *opener;	/* the command that it began with */
	struct emit *emit;
	bool events_over;		/* there will be none any more */
	bool events_left;		/* some may be there that were not read */
	bool ended;			/* "quit", a signal, or nobody listens */
	bool interrupted;		/* Ctrl-C has come, since somebody cleared this */
	int status;			/* of the first line that failed */
	/* Something is going to be printed while the user types. */
	void (*make_room)(void);
};

/* What came first */
enum shell_session_wait {
	TALK_INPUT,		/* there is something to read */
	TALK_TOLD,		/* something has happened, and was told */
	TALK_INTERRUPTED,	/* Ctrl-C */
	TALK_ENDED,		/* a signal wants the end, or waiting fails */
};

/*
 * Begin one in the session of @w, which is open. From here on SIGINT, SIGTERM and SIGHUP
 * are read, and do not end the program. An exit status; shell_session_end() also after an error.
 */
int shell_session_begin(struct talk *talk, struct wavectl *w);
void shell_session_end(struct talk *talk);
/* Tell what has happened. Was there anything? */
bool shell_session_tell(struct talk *talk);
/* Wait until @fd can be read, and tell what happens meanwhile. */
enum shell_session_wait shell_session_wait(struct talk *talk, int fd);
/*
 * Run the command of a line, if there is one. @where is its file and line for errors,
 * NULL if it was typed; @number its line, for JSON. It has ended the talk if it says
 * so. Its exit status.
 */
int shell_session_line(struct talk *talk, const char *line, const char *where,
		       unsigned int number);

#endif /* WAVECTL_SHELL_SESSION_H */
