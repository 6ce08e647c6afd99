/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the shell does when waves stop: the commands of breakpoints, and expressions to display.
 */
#ifndef WAVECTL_STOP_ACTIONS_H
#define WAVECTL_STOP_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg-debug.h>

/* The commands of a breakpoint */
struct stop_commands {
	uint32_t breakpoint;
	bool is_silent;			/* stops are not reported as text */
	char **lines;
	size_t num_lines;
};

/* An expression that is printed after each stop */
struct stop_display {
	uint32_t number;
	char *text;			/* a command: "print/x i" */
	char *line;			/* the same as a line, with quotes where needed */
	bool is_due;
};

/* A stop whose commands were not executed yet */
struct stop_due {
	uint32_t breakpoint;
	struct amdgpudbg_wave_coord at;
	uint64_t pc;			/* where it has stopped */
};

/* The condition of a breakpoint, if it names variables */
struct stop_condition {
	uint32_t breakpoint;
	char *text;
};

struct stop_actions {
	struct stop_condition *conditions;
	size_t num_conditions;
	struct stop_commands *commands;
	size_t num_commands;
	struct stop_display *displays;
	size_t num_displays;
	uint32_t last_display;
	struct stop_due *due;
	size_t num_due;
};

/* Set the commands of a breakpoint; without lines, it has none. The lines belong to it. */
void stop_actions_set_commands(struct stop_actions *s, uint32_t breakpoint, bool is_silent,
			       char **lines, size_t num_lines);
/* NULL: it has none */
const struct stop_commands *stop_actions_commands(const struct stop_actions *s,
						  uint32_t breakpoint);

/* Keep the text of a condition; NULL: there is none any more. */
void stop_actions_set_condition(struct stop_actions *s, uint32_t breakpoint, const char *text);
const char *stop_actions_condition(const struct stop_actions *s, uint32_t breakpoint);

/* Add an expression. Returns its number. */
uint32_t stop_actions_add_display(struct stop_actions *s, const char *text, const char *line);
/* Returns false if there is no such number. */
bool stop_actions_drop_display(struct stop_actions *s, uint32_t number);
void stop_actions_show_all(struct stop_actions *s);

/* A stop is reported: its commands, and the expressions, are due. */
void stop_actions_note(struct stop_actions *s, const struct adbgd_stop *stop);
/* Get the first stop whose commands are due. False: there is none. */
bool stop_actions_take(struct stop_actions *s, struct stop_due *due);
void stop_actions_free(struct stop_actions *s);

#endif /* WAVECTL_STOP_ACTIONS_H */
