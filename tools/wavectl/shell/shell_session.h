/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many commands in one session. What a command halts or sets stays in effect for the next ones,
 * until it is undone or the session ends. Events are reported when they occur.
 */
#ifndef WAVECTL_SHELL_SESSION_H
#define WAVECTL_SHELL_SESSION_H

#include <stddef.h>

#include "debug/stops.h"

struct shell_loop {
	struct shell_session shell;
	const struct wavectl *opener;	/* the command that began the session */
	struct emit *emit;
	bool events_over;		/* no more events will arrive */
	bool events_left;		/* there may be more that were not read */
	bool ran_commands;		/* of breakpoints, since a line was last read */
	bool ended;			/* "quit", a signal, or the output cannot be written */
	bool interrupted;		/* Ctrl-C arrived since this was cleared */
	int status;			/* exit status of the first line that failed */
	struct stops stops;		/* not reported yet */
	unsigned int num_nested;	/* files that "source file" executes */
	/* Lines after "commands", up to "end" */
	struct {
		uint32_t *breakpoints;
		size_t num_breakpoints;	/* 0: lines are executed */
		char **lines;
		size_t num_lines;
		unsigned int depth;	/* of "commands" among them */
		bool is_silent;
	} collected;
	/* While commands are executed at a stop */
	bool is_at_stop;
	const struct amdgpudbg_wave_coord *stopped;
	uint32_t display;
	/* Called before something is printed while the user types */
	void (*make_room)(void);
};

/* The shell or batch in which a command runs; @w->shell must not be NULL. */
static inline struct shell_loop *shell_loop_of(struct wavectl *w)
{
	return (struct shell_loop *)((char *)w->shell - offsetof(struct shell_loop, shell));
}

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

/*
 * Execute the commands of breakpoints at which waves have stopped, and print the expressions of
 * "display". shell_session_report() and shell_session_wait() do that, too.
 */
void shell_session_run_due(struct shell_loop *loop);
/* The lines of a file end. Fail if "end" is missing. Returns an exit status. */
int shell_session_end_lines(struct shell_loop *loop, const char *where);

#endif /* WAVECTL_SHELL_SESSION_H */
