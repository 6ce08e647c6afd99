/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Used by all commands of wavectl: their description, the options, the session, and the functions
 * that print errors.
 */
#ifndef WAVECTL_H
#define WAVECTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

#include "base/emit.h"
#include "base/exit.h"

/* The format of 32-bit values */
enum value_format {
	FORMAT_HEX,
	FORMAT_INT,
	FORMAT_UINT,
	FORMAT_FLOAT,
};

struct wavectl;
struct cmdline;
struct split;

enum handler_kind {
	HANDLER_NONE,
	HANDLER_DEFAULT,
	HANDLER_OWN,
};

/* A patch that the session of a shell has set */
struct patch {
	uint64_t va;
	uint64_t bytes;
};

#define MAX_KEPT_FAULTS	16

/* What the command x has shown last; zero: nothing */
struct examined {
	char letter;
	char size;
	uint32_t space;			/* enum adbgd_space */
	uint64_t next;			/* the address after it */
};

/*
 * The state of a session that several commands share, in a shell or batch. A command that sets
 * something in the session records it here; see shell_session.h.
 */
struct shell_session {
	struct adbg_session *session;
	int32_t pid;			/* 0: the whole GPU */
	bool has_exited;		/* the process; it was reported */
	uint64_t client;		/* 0: not given */
	uint64_t wants;			/* types of events to report */
	uint64_t listening;		/* types that are enabled in the module */
	enum handler_kind handler;	/* the session's trap handler */
	uint32_t watches;		/* the watches of the session, a bit each */
	struct patch *patches;
	size_t num_patches;
	struct amdgpudbg_launch_set launch;	/* how new waves start */
	uint64_t moves;			/* counts operations after which waves may be elsewhere */
	struct debugger *debugger;	/* see debug.h; NULL: no command needed it yet */
	struct values *values;		/* see debug/values.h; NULL: none was kept yet */
	int signals;			/* eventfd: Ctrl-C, or a signal that ends the shell */
	int32_t child;			/* of "run"; 0: none, or it was waited for */
	bool reads_stdin;		/* commands come from standard input */
	bool is_typed;			/* a user types them at a terminal */
	bool has_new_target;		/* the target was set since the last command */
	const char *directory;		/* directory of source files; or NULL */
	const struct code_object_files *debug_dirs;	/* of the shell itself; or NULL */
	/*
	 * There are several GPUs, and neither an option nor a process has selected one yet:
	 * @session is that of the first one, for the signals alone.
	 */
	bool is_undecided;
	struct examined examined;
	/*
	 * Events that commands read but that are not for them. They are reported after the
	 * command.
	 */
	struct amdgpudbg_event *kept;
	size_t num_kept;
	/* The last faults of the target, see waves/fault.h */
	struct amdgpudbg_event faults[MAX_KEPT_FAULTS];
	size_t num_faults;
};

struct option_desc {
	const char *name;
	char letter;			/* 0: none */
	const char *arg;		/* NULL: takes none */
	const char *help;
	/* Store @arg, NULL if there is none, in @member. False: it is not valid. */
	bool (*parse)(const char *arg, void *member);
	/* Offset of the member in struct wavectl if @is_shared, else in the command's arguments */
	size_t offset;
	bool is_shared;
};

#define MAX_ALIASES 2

struct command {
	const char *noun;
	const char *verb;		/* NULL: the noun alone is the command */
	const char *aliases[MAX_ALIASES + 1];	/* short forms of noun and verb; the last is NULL */
	const char *args;		/* its arguments, or NULL */
	bool takes_waves;		/* its only argument is WAVES */
	bool takes_format;		/* a format may follow its name: "print/x" */
	/* From which argument on they are an expression; the first one is 1. 0: none is. */
	int expression_from;
	const char *summary;
	const char *help;		/* more text for --help, or NULL */
	bool hidden;
	const struct option_desc *const *options;	/* ends with NULL */
	size_t args_size;		/* size of its own arguments, which its options set */
	const void *default_args;	/* their values without options; NULL: zero */
	int (*run)(struct wavectl *w);	/* an exit status */
};

/* All commands: see cmd/commands.h */
extern const struct command *const command_tables[];

/* Loop over all commands. @c is declared as a pointer to the current one. */
#define for_each_command(w, c) \
	for (const struct command *const *table = (w)->commands; *table; table++) \
		for (const struct command *c = *table; c->noun; c++)

/* Maximum number of --code-object options, and of --debug-dir options */
#define MAX_CODE_OBJECTS 16

struct code_object_files {
	const char *names[MAX_CODE_OBJECTS];
	unsigned int num;
};

/* Maximum number of --execute options */
#define MAX_EXECUTED 60

struct executed_lines {
	const char *lines[MAX_EXECUTED];
	unsigned int num;
};

/* The value of an option that may be missing */
struct optional_u64 {
	bool is_set;
	uint64_t value;
};

/* The argument WAVES */
struct waves_arg {
	bool is_set;
	struct adbg_wave_spec spec;
	const char *text;
};

struct lane_range {
	bool is_set;
	uint32_t first;
	uint32_t last;
};

/* One command while it is executed */
struct wavectl {
	/*
	 * Tables of commands, and the dispatcher. They are in higher layers, so they are passed
	 * here.
	 */
	const struct command *const *commands;
	int (*dispatch)(struct wavectl *w, int argc, char **argv);

	/* global options */
	const char *gpu;
	const char *pci;
	const char *render;
	bool json;
	bool dry_run;
	bool verbose;

	/* options that several commands have */
	int32_t pid;			/* 0: the whole GPU */
	uint64_t client;		/* 0: not given */
	uint32_t vmid;			/* 0: not given */
	struct waves_arg waves;
	bool all;
	struct optional_u64 pc;
	uint64_t hold_ns;		/* 0: not given */
	enum value_format format;
	struct code_object_files code_objects;
	struct code_object_files debug_dirs;	/* folders of split debug information */
	struct executed_lines executed;	/* commands of a shell on the command line */
	const char *directory;		/* NULL: not given */
	const char *from;		/* file of a report; NULL: not given */

	/* the options of this command alone: struct command.args_size */
	void *args;

	const struct cmdline *cmdline;	/* what was typed */
	/* "4xw" of "x/4xw": see format.h; NULL: there is none */
	const char *slash;
	/* the arguments that are not options */
	char **words;
	int num_words;
	/* the line of which they are words; NULL: they are not of a shell's line */
	const struct split *split;

	struct emit *emit;
	struct adbg_session *session;
	/* Of a list about several GPUs: their sessions; @session is one of them */
	struct adbg_session **targets;
	size_t num_targets;
	bool shows_gpu;			/* rows name their GPU in text, too */
	bool is_undecided;		/* see struct shell_session */
	struct shell_session *shell;	/* NULL: not in a shell or batch */
	/* see pasid.h */
	bool looked_for_clients;
	struct adbg_client_list *clients;
	const char *where;		/* file and line of the command; NULL: it was typed */
	char **caught;			/* store the text of errors here; NULL: print them */
	/* For commands that a shell executes at a stop; see debug/stop_actions.h */
	const struct amdgpudbg_wave_coord *stopped;	/* the wave; NULL: not at a stop */
	uint32_t display;		/* number of the expression; 0: none */
};

int wavectl_main(int argc, char **argv);

/* help.c */
int print_help(const struct command *command);
int print_noun_help(const struct wavectl *w, const char *noun);
int print_main_help(const struct wavectl *w);
/* The help of a shell: all groups of commands, or one of them. False: @name is no group. */
bool print_shell_help(const struct wavectl *w, const char *name);

/*
 * error.c: print one sentence about a failure on standard error, and with --json an object with
 * the member "error" on standard output.
 */

/*
 * Print an error that the last call of the library returned, for w->session or, if that is NULL,
 * for opening it. Returns the exit status for @error.
 */
int fail(struct wavectl *w, int error, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * The same for an access to the memory of the process at @va. @verb: "read" or "write". If nothing
 * is mapped there, the command that names the nearest mappings is printed.
 */
int fail_memory(struct wavectl *w, int error, const char *verb, uint64_t va);
/* Print an errno value that is not from the library. Returns its exit status. */
int fail_system(struct wavectl *w, int error, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/* The exit status for an errno value */
enum wavectl_exit exit_status(int error);
/* Print any other error; @hint may be NULL. Returns @status. */
int fail_with(struct wavectl *w, enum wavectl_exit status, const char *hint,
	      const char *what, ...) __attribute__((format(printf, 4, 5)));
/*
 * Print @text with the name of @error, if that is not 0, and @hint, which may be NULL, only on
 * standard error.
 */
void complain(const struct wavectl *w, int error, const char *text, const char *hint);
/* Print a warning on standard error. */
void warn(const char *what);
/* Print that there is no GPU to debug, with the reason that the module states. */
int fail_no_gpu(struct wavectl *w);

/* target.c */

/*
 * Open the GPU that the options select as w->session, with the process that they select as its
 * target. In a shell the session exists already; the options must not select another GPU or
 * process. Check that the GPU has the VMID of --vmid. Returns an exit status.
 */
int open_target(struct wavectl *w);
/*
 * The same for a list: open all GPUs that the options select. Without --gpu these are all GPUs, or
 * with --pid those that the process uses. Use them by use_target().
 */
int open_targets(struct wavectl *w);
/*
 * Make the GPU at index @i of open_targets() the one of the command. Returns false beyond the last
 * one. In a loop: for (size_t i = 0; use_target(w, i); i++)
 */
bool use_target(struct wavectl *w, size_t i);
/*
 * Close all sessions of open_targets() but that at index @kept, which becomes the only one of the
 * command. The caller of the command closes it.
 */
void keep_target(struct wavectl *w, size_t kept);
/* Add the GPU of the command to a row; in text only if the rows are of several GPUs. */
void emit_gpu_number(struct wavectl *w);
/*
 * The same as open_target() for a shell, which may also begin without a selected GPU: then
 * w->is_undecided is set.
 */
int open_shell_target(struct wavectl *w);
/*
 * If the shell has no GPU yet, let it have the one that process @pid uses, or, if @pid is 0, that
 * of this number. Returns an exit status.
 */
int decide_target(struct wavectl *w, int32_t pid, uint32_t number);
/*
 * Open a session of the command alone, also in a shell. The module then knows which waves this
 * command halted, and resumes them when the session closes.
 */
int open_own_target(struct wavectl *w);
/* The same for all GPUs that the options select, see open_targets(); in a shell for its GPU */
int open_own_targets(struct wavectl *w);
/* Make w->pid and w->client the target of the session. Returns an exit status. */
int attach_target(struct wavectl *w);
/*
 * Close the session, of several the one that use_target() selected, and undo with it all that it
 * changed, before the command reports that it has ended. Without this call the session closes at
 * the end of the program. The session of a shell stays open; a command undoes its changes there by
 * calls of its own.
 */
void close_target(struct wavectl *w);
/* The same for all sessions of open_targets(). */
void close_targets(struct wavectl *w);
/* Does an option name the GPU? */
bool names_gpu(const struct wavectl *w);
/* Find the GPU that an option names in @list. Returns an exit status. */
int find_named_gpu(struct wavectl *w, const struct adbg_gpu_list *list,
		   const struct adbg_gpu **gpu);
/* Call @add with each word by which --gpu finds a GPU of this machine. */
void list_gpu_words(void (*add)(void *data, const char *word), void *data);
/* "0000:0a:00.0" */
char *pci_name(const struct amdgpudbg_info *info, char name[24]);
/* "10.3.1" */
char *gc_name(uint32_t gc_version, char name[16]);

/* The instruction at the PC of a wave; see waves/wave_insn.h */
struct wave_insn {
	bool has_word;			/* else it is that of the register INST_DW0 */
	uint32_t word;
	const char *text;		/* NULL: unknown */
};

/* wave_rows.c: add a wave as a row of a table. @why: why it is halted; NULL: not known */
void emit_wave(struct wavectl *w, const struct amdgpudbg_wave *wave,
	       const struct wave_insn *insn, const char *why);

#endif /* WAVECTL_H */
