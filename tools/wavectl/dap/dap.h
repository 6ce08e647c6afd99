/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of `wavectl dap`, which all of its files use.
 */
#ifndef WAVECTL_DAP_H
#define WAVECTL_DAP_H

#include <json-c/json.h>

#include "debug/debug.h"

struct input;
struct refs;
struct breakpoints;
struct sources;
struct stops;
struct start;

enum dap_state {
	DAP_NEW,		/* nothing was requested yet */
	DAP_INITIALIZED,
	DAP_STARTING,		/* the program runs, and has given the GPU no job */
	DAP_ATTACHED,
	DAP_EXITED,		/* the process has ended */
	DAP_OVER,		/* the client has gone, or has disconnected */
};

struct dap {
	struct wavectl *w;		/* the command */
	struct shell_session shell;	/* w->shell, once the GPU is open */
	char *caught;			/* w->caught: the last error */
	enum dap_state state;

	struct input *input;
	int out;			/* standard output as it was at the beginning */
	int64_t seq;			/* number of the last message that was sent */
	/* what the client expects */
	uint32_t first_line;		/* number of the first line and column: 0 or 1 */
	uint32_t first_column;
	bool knows_invalidated;		/* it supports the event "invalidated" */

	/* what launch or attach has requested */
	bool is_launch;
	bool has_exited;		/* the program has ended */
	bool has_disconnected;		/* the client has said what becomes of the program */
	bool was_terminated;		/* "terminate" has asked the program to end */
	bool stops_on_entry;
	bool is_configured;		/* configurationDone has come */
	struct start *start;		/* see session.h */
	char **code_files;		/* code objects that are not in memory yet */
	size_t num_code_files;
	struct code_object_files debug_dirs;	/* of split debug information */
	char *directory;		/* directory of source files; or NULL */

	bool waits_for_entry;		/* stopOnEntry: the first wave has not started yet */
	bool waits_for_pause;		/* "pause" found no wave: the next one stops */
	uint64_t exceptions;		/* AMDGPUDBG_CAUSE_* to enable in new waves */

	struct refs *refs;
	struct breakpoints *breakpoints;
	struct sources *sources;
	struct stops *stops;
};

/* A request while it is handled */
struct request {
	int64_t seq;
	const char *command;
	struct json_object *arguments;	/* NULL: there are none */
	struct json_object *body;	/* of the response */
	char *error;			/* why it has failed */
	bool is_answered;
};

#endif /* WAVECTL_DAP_H */
