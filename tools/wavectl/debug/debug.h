/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source-level debugging in a shell or batch: a process of libamdgpudbg-debug on the session
 * of the shell. It is created by the first command that needs it.
 */
#ifndef WAVECTL_DEBUG_H
#define WAVECTL_DEBUG_H

#include <amdgpudbg-debug-objects.h>
#include <amdgpudbg-debug-value.h>
#include <amdgpudbg-debug.h>

#include "base/wavectl.h"
#include "debug/stop_actions.h"

/* A file of the user that was loaded or unloaded, which is still to be reported */
struct code_news {
	char *name;
	struct adbgd_span text;
	bool is_loaded;
};

/* A frame of the selected wave, as long as that wave has not moved; see frame.h */
struct selected_frame {
	size_t number;			/* 0: the innermost */
	uint64_t moves;			/* of the shell, at the selection */
	struct amdgpudbg_wave_coord at;
	uint32_t vmid;
	uint64_t pc;
};

/* A stop at @pc that the instruction at @insn has caused */
struct fault {
	struct amdgpudbg_wave_coord at;
	uint64_t pc;
	uint64_t insn;
};

/* What a breakpoint by name or line is to be */
struct break_wanted {
	const char *word;		/* see location_find_loaded() */
	bool is_path;			/* its file is a path, of which the last parts count */
	const char *condition;		/* NULL: none; as it was typed */
	uint32_t every, nth;		/* see struct adbgd_condition; 0: not given */
	uint32_t owner;			/* breakpoint of an editor, see dap/breakpoint.h; 0: none */
};

/* A breakpoint that was set by a name or a line */
struct break_place {
	uint32_t breakpoint;
	struct break_wanted wanted;	/* owns its texts */
	uint64_t reported;		/* the last address that was reported; 0: none */
	bool is_unloaded;		/* the code at its address was */
	bool is_fresh;			/* it has just got an address */
	bool has_failed;		/* it could not be set in the code that is loaded now */
	char *why;			/* it has no address; NULL: not known, or it has one */
};

struct debugger {
	struct adbgd_process *process;
	/* With a callback: there is no @process, memory is only read; see report/process.c */
	struct adbgd_memory memory;
	struct adbgd_value_names value_names;	/* for conditions */
	uint64_t events;		/* types that the session follows for the debugger */
	struct adbgd_objects *objects;	/* see code.h; NULL: no command needed them yet */
	uint64_t num_changes;		/* counts code objects that were loaded or unloaded */
	struct code_news *news;
	size_t num_news;
	/* Breakpoints by name and line; see break_place.h */
	struct break_place *places;
	size_t num_places;
	uint64_t place_changes;		/* num_changes when they were compared with the code */
	bool looks;			/* the library shows new waves */
	struct wavectl *caller;		/* the command during which it does */
	/* The selected wave and lane; see focus.h */
	bool has_wave;
	struct amdgpudbg_wave_coord wave;
	bool has_lane;
	uint32_t lane;
	struct selected_frame frame;
	/* Directory of source files, and what was listed last; see cmd/source.c */
	char *directory;
	char *listed;
	uint32_t listed_line;		/* the line that was asked for */
	uint32_t first_line;
	uint32_t next_line;
	uint64_t listed_pc;		/* of the selected wave at that time; 0: none was halted */
	struct stop_actions stop_actions;
	struct fault *faults;		/* the last one of each wave; see focus.h */
	size_t num_faults;
};

/*
 * Create the debugger of the shell, if there is none. The shell must have a process as target
 * and no other trap handler. Returns an exit status.
 */
int debug_open(struct wavectl *w);
/* The same, after open_target(). For commands that need the debugger. */
int debug_open_target(struct wavectl *w);
/*
 * The same for commands that only read: if the user has installed another trap handler, the shell
 * stays without a debugger.
 */
int debug_open_reader(struct wavectl *w);
/*
 * End the debugger: at the end of the session, or because something else needs the trap handler.
 */
void debug_close(struct shell_session *d);

/* Remember for breakpoints by name that the code at their addresses was unloaded. */
void debug_note_unloaded(struct debugger *d, const struct adbgd_span *text);
/* Free what a place owns, which is not in the list any more. */
void debug_free_place(struct break_place *place);
/* Forget which breakpoints were set by name. */
void debug_drop_places(struct debugger *d);
/* Forget which files were loaded or unloaded, see code_report(). */
void debug_drop_news(struct debugger *d);

/* Get the callbacks that read the memory of the process, as it is without breakpoints. */
void debug_get_memory(const struct debugger *d, struct adbgd_memory *memory);
/* The name of the GPU for LLVM and code objects, "?" if it is unknown */
const char *debug_gpu(const struct wavectl *w);

/* Print an error of the library. Returns its exit status. */
int debug_fail(struct wavectl *w, const struct adbgd_error *error);

/*
 * Let the debugger handle an event. Returns true if it is a stop, which @stop describes.
 * Otherwise *@is_reported says whether the event itself is to be reported.
 */
bool debug_handle_event(struct wavectl *w, const struct amdgpudbg_event *ev,
			struct adbgd_stop *stop, bool *is_reported);

/* Timeout for poll(2) until debug_poll_stop() must be called, in milliseconds; -1: none */
int debug_poll_timeout(const struct shell_session *d);
/* Get the next stop for which there is no event. False: there is none. */
bool debug_poll_stop(struct wavectl *w, struct adbgd_stop *stop);

/*
 * The launch mode is one state of the session. It belongs either to "launch set", or to
 * watchpoints and breakpoints by stepping; a change by one would undo that of the other.
 */
/* Does it belong to watchpoints or breakpoints by stepping? */
bool debug_has_launch(const struct wavectl *w);
/* Fail if it does. For "launch set". Returns an exit status. */
int debug_refuse_launch(struct wavectl *w);
/* Fail if it belongs to "launch set". For the others. Returns an exit status. */
int debug_claim_launch(struct wavectl *w);

/* Let new waves start normally. From here on the user decides that, and no longer "run". */
void debug_launch_normally(const struct wavectl *w);

/*
 * Call these around a halt by the user, so that waves that were running are not taken for new
 * ones.
 */
void debug_begin_halt(const struct debugger *d);
void debug_end_halt(const struct debugger *d);
/* Waves that a command has halted stay so. @wants: was it the command that has halted the wave? */
void debug_keep_halted(const struct debugger *d,
		       bool (*wants)(void *data, const struct amdgpudbg_wave *wave), void *data);

/* Find a breakpoint by its number. NULL: there is none. */
struct adbgd_breakpoint *debug_breakpoint(const struct debugger *d, uint64_t number);
/* The same, but print an error if there is none. Returns an exit status. */
int debug_find_breakpoint(struct wavectl *w, uint64_t number, struct adbgd_breakpoint **found);

/*
 * Say why a wave is halted: at which breakpoint, or else wave_why(). The caller frees it; NULL: not
 * known.
 */
char *debug_why(const struct wavectl *w, const struct amdgpudbg_wave *wave);

/*
 * Fail if breakpoints use the trap handler. For commands that install one. Returns an exit
 * status.
 */
int debug_refuse(struct wavectl *w);

/* Run one operation of "wave step" past breakpoints. Its result is as of plan_batch(). */
void debug_step(struct wavectl *w, struct amdgpudbg_batch_op *op);

#endif /* WAVECTL_DEBUG_H */
