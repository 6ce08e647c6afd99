/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source-level debugging in a shell or batch: a process of libamdgpudbg-debug on the session
 * of the shell. It is created by the first command that needs it.
 */
#ifndef WAVECTL_DEBUG_H
#define WAVECTL_DEBUG_H

#include <amdgpudbg-debug.h>

#include "base/wavectl.h"

/* A code object that is known to lie in the process */
struct code_object {
	struct adbgd_code *code;
	bool is_given;			/* by its file, and not found in memory */
};

struct debugger {
	struct adbgd_process *process;
	struct code_object *objects;	/* by address; see code.h */
	size_t num_objects;
	/* The wave, and the lane, that commands are about which name none; see focus.h */
	bool has_wave;
	struct amdgpudbg_wave_coord wave;
	bool has_lane;
	uint32_t lane;
	/* Where to look for source files, and what was listed last; see cmd_source.c */
	char *directory;
	char *listed;
	uint32_t next_line;
	uint64_t listed_pc;
};

/*
 * The debugger of the dialogue, which is made if there is none. An exit status: it takes
 * a dialogue about a process, which has no other trap handler.
 */
int debug_open(struct wavectl *w);
/* The same for a command that begins with it, and with open_target() */
int debug_open_target(struct wavectl *w);
/* The end of the dialogue, or of what it needs the handler's place for */
void debug_close(struct shell_session *d);

/* Words of the library, and the exit status that belongs to them */
int debug_fail(struct wavectl *w, const struct adbgd_error *error);

/*
 * What an event means to the debugger: true, and @stop is where a wave stands, and why;
 * false, and *@is_told is whether it is to be told as it is.
 */
bool debug_take(struct wavectl *w, const struct amdgpudbg_event *ev,
		struct adbgd_stop *stop, bool *is_told);

/* In how many milliseconds to look, if nothing happens; -1: never */
int debug_timeout(const struct shell_session *d);
/* The next one of those that stand there and of which no event tells; false: none */
bool debug_look(struct wavectl *w, struct adbgd_stop *stop);

/*
 * How waves start is one state of the session: "launch set" has it, or watchpoints and matches
 * do. Either would undo what the other has set.
 */
/* Do watchpoints or matches have it? */
bool debug_has_launch(const struct wavectl *w);
/* Then "launch set" is refused; an exit status. */
int debug_refuse_launch(struct wavectl *w);
/* For what needs it: refused, if "launch set" has it; an exit status. */
int debug_want_launch(struct wavectl *w);

/* How waves begin is for the user to say from here on, and not for "run" any more. */
void debug_begin_normally(const struct wavectl *w);

/* The user is about to halt waves, and has: those that ran are not taken for some that begin. */
void debug_will_halt(const struct wavectl *w);
void debug_has_halted(const struct wavectl *w);

/* NULL: there is none of that number */
struct adbgd_breakpoint *debug_breakpoint(const struct debugger *d, uint64_t number);
/* The one of a number, which need not be one. An exit status. */
int debug_find_breakpoint(struct wavectl *w, uint64_t number, struct adbgd_breakpoint **found);

/* Does a command want the handler's place that breakpoints have? An exit status. */
int debug_refuse(struct wavectl *w);

/* One operation of "wave step", as plan_batch() would do it. */
void debug_step(struct wavectl *w, struct amdgpudbg_batch_op *op);

#endif /* WAVECTL_DEBUG_H */
