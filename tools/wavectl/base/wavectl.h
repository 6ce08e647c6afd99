/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands of wavectl share: their description, the options, the session
 * and the functions that print errors.
 */
#ifndef WAVECTL_H
#define WAVECTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

#include "base/emit.h"
#include "base/exit.h"

/* How 32-bit values of registers are written. */
enum value_format {
	FORMAT_HEX,
	FORMAT_INT,
	FORMAT_UINT,
	FORMAT_FLOAT,
};

struct wavectl;

enum handler_kind {
	HANDLER_NONE,
	HANDLER_DEFAULT,
	HANDLER_OWN,
};

/* A patch of a dialogue's session */
struct patch {
	uint64_t va;
	uint64_t bytes;
};

/*
 * Where several commands are run in one session: what outlives them. Those that set
 * something in it write down what; see shell_session.h.
 */
struct shell_session {
	struct adbg_session *session;
	int32_t pid;			/* 0: it is about the whole GPU */
	uint64_t client;		/* 0: not given */
	uint64_t wants;			/* events that it is to be told */
	uint64_t listening;		/* those that are enabled just now */
	enum handler_kind handler;	/* the session's trap handler */
	uint32_t watches;		/* its watches, a bit each */
	struct patch *patches;
	size_t num_patches;
	struct amdgpudbg_launch_set launch;	/* how it lets waves start */
	struct debugger *debugger;	/* see debug.h; NULL: there are no breakpoints */
	int signals;			/* eventfd: Ctrl-C, or the end of all */
	int32_t child;			/* the program of "run"; 0: none, or its end was seen */
	bool reads_stdin;		/* its commands come from there */
	bool has_new_target;		/* since the last command */
	const char *directory;		/* where it was told to look for source files; or NULL */
	/* What commands have taken that was not for them: it is told after them. */
	struct amdgpudbg_event *kept;
	size_t num_kept;
};

struct option_desc {
	const char *name;
	char letter;			/* 0: none */
	const char *arg;		/* NULL: takes none */
	const char *help;
	/* Store @arg, NULL if there is none, in @member. False: it is not valid. */
	bool (*parse)(const char *arg, void *member);
	/* The member, of struct wavectl if @is_shared, else of the command's own arguments */
	size_t offset;
	bool is_shared;
};

#define MAX_ALIASES 2

struct command {
	const char *noun;
	const char *verb;		/* NULL: the noun alone is the command */
	const char *aliases[MAX_ALIASES + 1];	/* short forms of both; the last one is NULL */
	const char *args;		/* words that it takes, or NULL */
	bool takes_waves;		/* they are one, which waves it is about */
	const char *summary;
	const char *help;		/* more words for --help, or NULL */
	bool hidden;
	const struct option_desc *const *options;	/* ends with NULL */
	size_t args_size;		/* of its arguments, which its own options set */
	const void *default_args;	/* their values without options; NULL: zero */
	int (*run)(struct wavectl *w);	/* an exit status */
};

/* All commands: see cmd/commands.h */
extern const struct command *const command_tables[];

/* Declares @c, a pointer to a command. */
#define for_each_command(w, c) \
	for (const struct command *const *table = (w)->commands; *table; table++) \
		for (const struct command *c = *table; c->noun; c++)

/* As many can be named by --code-object. */
#define MAX_CODE_OBJECTS 16

struct code_object_files {
	const char *names[MAX_CODE_OBJECTS];
	unsigned int num;
};

/* The value of an option that may be missing */
struct optional_u64 {
	bool is_set;
	uint64_t value;
};

struct lane_range {
	bool is_set;
	uint32_t first;
	uint32_t last;
};

/* One command while it is executed */
struct wavectl {
	/* The tables of commands, and the dispatcher: they are above the layers that use them. */
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
	bool has_spec;
	struct adbg_wave_spec spec;
	const char *spec_text;
	bool all;
	struct optional_u64 pc;
	uint64_t hold_ns;		/* 0: not given */
	enum value_format format;
	struct code_object_files code_objects;
	const char *directory;		/* NULL: not given */

	/* the options of this command alone: struct command.args_size */
	void *args;

	/* the arguments that are not options */
	char **words;
	int num_words;

	struct emit *emit;
	struct adbg_session *session;
	struct shell_session *dialogue;	/* NULL: there is this one command alone */
	/* see pasid.h */
	bool looked_for_clients;
	struct adbg_client_list *clients;
	const char *where;		/* its file and line; NULL: it was typed */
};

int wavectl_main(int argc, char **argv);

/* help.c */
int print_help(const struct command *command);
int print_noun_help(const struct wavectl *w, const char *noun);
int print_main_help(const struct wavectl *w);

/*
 * error.c: one sentence about what failed on standard error, and an "error"
 * object on standard output with --json.
 */

/*
 * What the last call of the library returned, about w->session, or, while there is
 * none, about opening it. The exit status that belongs to it.
 */
int fail(struct wavectl *w, int error, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/* The same of an errno value that came from elsewhere. */
int fail_system(struct wavectl *w, int error, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/* The exit status that belongs to an errno value */
enum wavectl_exit exit_status(int error);
/* Anything else; @hint may be NULL. Returns @status. */
int fail_with(struct wavectl *w, enum wavectl_exit status, const char *hint,
	      const char *what, ...) __attribute__((format(printf, 4, 5)));
/*
 * Print @text with the name of @error, if that is not 0, and with @hint, which may be NULL, on
 * standard error only.
 */
void complain(const struct wavectl *w, int error, const char *text, const char *hint);
/* Something that the user should know, on standard error. */
void warn(const char *what);
/* No GPU can be opened: says why, in the words of the module. */
int fail_no_gpu(struct wavectl *w);

/* target.c */

/*
 * Open the GPU that the options name as w->session, which is about the process
 * that they name, if any. In a dialogue the session is there; the options must not
 * name another GPU or process. The GPU has the VMID that they name. An exit status.
 */
int open_target(struct wavectl *w);
/*
 * The same with a session of the command's own in a dialogue, too: the kernel then knows
 * what of all that is halted is so by this command, and takes that back.
 */
int open_own_target(struct wavectl *w);
/* Make the process that w->pid and w->client name the session's. An exit status. */
int attach_target(struct wavectl *w);
/*
 * End the session, and with it all that it holds, before it is said that this
 * has ended. Without it the session ends with the program. That of a dialogue stays:
 * who ends something there has to take it back himself.
 */
void close_target(struct wavectl *w);
/* Does an option name the GPU? */
bool names_gpu(const struct wavectl *w);
/* The GPU of the list that the options name; an exit status. */
int find_target(struct wavectl *w, const struct adbg_gpu_list *list,
		const struct adbg_gpu **gpu);
/* "0000:0a:00.0" */
char *pci_name(const struct amdgpudbg_info *info, char name[24]);
/* "10.3.1" */
char *gc_name(uint32_t gc_version, char name[16]);

/* wave_rows.c: what a wave looks like in a table */
void emit_wave(struct wavectl *w, const struct amdgpudbg_wave *wave);

#endif /* WAVECTL_H */
