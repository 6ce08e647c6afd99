/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands of wavectl share: their table, the options, the session
 * and the way errors are told.
 */
#ifndef WAVECTL_H
#define WAVECTL_H

#include <stdbool.h>
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
	/* 0, or false for an argument that is not valid */
	bool (*set)(struct wavectl *w, const char *arg);
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
	int (*run)(struct wavectl *w);	/* an exit status */
};

/* As many can be named by --code-object. */
#define MAX_CODE_OBJECTS 16

/* One run of the program. */
struct wavectl {
	/* The table of commands, and the dispatcher: both are above the layers that use them. */
	const struct command *commands;
	unsigned int num_commands;
	int (*dispatch)(struct wavectl *w, int argc, char **argv);

	/* global options */
	const char *gpu;
	const char *pci;
	const char *render;
	bool json;
	bool dry_run;
	bool verbose;

	/* options of the verbs */
	int32_t pid;			/* 0: the whole GPU */
	uint64_t client;		/* 0: not given */
	uint32_t vmid;			/* 0: not given */
	bool has_spec;
	struct adbg_wave_spec spec;
	const char *spec_text;
	bool all;
	bool has_pc;
	uint64_t pc;
	bool leave_halted;
	bool force;
	uint64_t hold_ns;		/* 0: not given */
	uint64_t timeout_ns;		/* 0: not given */
	uint64_t count;			/* 0: not given */
	uint64_t types;			/* of events, 1 << type; 0: not given */
	uint64_t causes;		/* of events of waves; 0: not given */
	uint32_t trap_id;
	bool off;
	uint64_t job;			/* 0: not given */
	bool halt;
	uint32_t wave_flags_mask;	/* 0: not given */
	uint32_t wave_flags;
	bool has_lanes;
	uint32_t first_lane;
	uint32_t last_lane;
	enum value_format format;
	const char *compare;		/* NULL: not given */
	bool has_address;
	uint64_t address;
	uint64_t bytes;			/* 0: not given */
	bool has_mask;
	uint64_t mask;
	uint32_t watch_mode;
	uint32_t launch_mode;
	uint64_t excp_mask;
	bool excp_replace;
	bool stall;
	bool resume;
	const char *output;		/* NULL: not given */
	const char *input;		/* NULL: not given */
	bool regs;
	bool stop;
	bool temporary;
	bool match;
	uint32_t lanes;			/* of waves; 0: not given */
	const char *code_objects[MAX_CODE_OBJECTS];	/* files */
	unsigned int num_code_objects;
	const char *directory;		/* NULL: not given */
	bool hex;
	bool changes;
	bool has_at;
	uint64_t at;			/* how many steps */
	bool keep_going;
	bool echo;

	/* what stands behind the verb and is no option */
	char **words;
	int num_words;

	struct emit *emit;
	struct adbg_session *session;
	uint64_t steps;			/* that "stepi" was to do */
	struct shell_session *dialogue;	/* NULL: there is this one command alone */
	/* see pasid.h */
	bool looked_for_clients;
	struct adbg_client_list *clients;
	const char *where;		/* its file and line; NULL: it was typed */
};

int wavectl_main(int argc, char **argv);

/* commands.c */
extern const struct command commands[];
extern const unsigned int num_commands;

/* options.c */
extern const struct option_desc global_options[];
extern const unsigned int num_global_options;
extern const struct option_desc opt_pid, opt_client, opt_vmid, opt_all, opt_all_halted, opt_pc,
	opt_leave_halted, opt_force, opt_for, opt_type, opt_cause, opt_count, opt_timeout,
	opt_trap_id, opt_off, opt_halt, opt_steps, opt_state,
	opt_lane, opt_format, opt_compare,
	opt_address, opt_bytes, opt_mask, opt_watch_mode, opt_launch_mode,
	opt_exceptions, opt_replace, opt_stall, opt_set_for, opt_set_off, opt_resume,
	opt_stops, opt_memory, opt_keep_going, opt_echo, opt_regs, opt_stop,
	opt_output, opt_input, opt_temporary, opt_match, opt_job, opt_insns, opt_lanes,
	opt_code_object, opt_code_address, opt_directory, opt_lines, opt_words,
	opt_hex, opt_lane_of, opt_changes, opt_lds_words, opt_at;

/*
 * Read a word that says which waves; else point at the part of it that is wrong. An
 * exit status.
 */
int parse_spec(struct wavectl *w, const char *text,
	       struct adbg_wave_spec *spec);

/* One lane, or FIRST-LAST; false: neither */
bool parse_lanes(const char *arg, uint32_t *first_lane, uint32_t *last_lane);

/* Which process: for every verb that looks at or changes waves. */
#define TARGET_OPTIONS &opt_pid, &opt_client

/* help.c */
int print_help(const struct command *command);
int print_noun_help(const struct wavectl *w, const char *noun);
int print_main_help(const struct wavectl *w);
int cmd_dump_commands(struct wavectl *w);

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

/* cmd_*.c */
int cmd_gpu_list(struct wavectl *w);
int cmd_caps(struct wavectl *w);
int cmd_version(struct wavectl *w);
int cmd_proc_list(struct wavectl *w);
int cmd_event_follow(struct wavectl *w);
int cmd_wave_list(struct wavectl *w);
int cmd_wave_halt(struct wavectl *w);
int cmd_wave_resume(struct wavectl *w);
int cmd_wave_kill(struct wavectl *w);
int cmd_wave_debug(struct wavectl *w);
int cmd_wave_trap(struct wavectl *w);
int cmd_wave_step(struct wavectl *w);
int cmd_wave_snapshot(struct wavectl *w);
int cmd_wave_barrier(struct wavectl *w);
int cmd_reg_list(struct wavectl *w);
int cmd_reg_read(struct wavectl *w);
int cmd_reg_write(struct wavectl *w);
int cmd_cond_dbg(struct wavectl *w);
int cmd_lds_read(struct wavectl *w);
int cmd_lds_write(struct wavectl *w);
int cmd_mem_read(struct wavectl *w);
int cmd_mem_write(struct wavectl *w);
int cmd_vm_map(struct wavectl *w);
int cmd_job_list(struct wavectl *w);
int cmd_patch_set(struct wavectl *w);
int cmd_patch_clear(struct wavectl *w);
int cmd_break_set(struct wavectl *w);
int cmd_break_insn(struct wavectl *w);
int cmd_break_start(struct wavectl *w);
int cmd_break_list(struct wavectl *w);
int cmd_break_clear(struct wavectl *w);
int cmd_continue(struct wavectl *w);
int cmd_cond(struct wavectl *w);
int cmd_until(struct wavectl *w);
int cmd_next(struct wavectl *w);
int cmd_finish(struct wavectl *w);
int cmd_stepi(struct wavectl *w);
int cmd_trace_save(struct wavectl *w);
int cmd_trace_show(struct wavectl *w);
int cmd_disasm(struct wavectl *w);
int cmd_code_add(struct wavectl *w);
int cmd_info_code(struct wavectl *w);
int cmd_info_variables(struct wavectl *w);
int cmd_print(struct wavectl *w);
int cmd_source_list(struct wavectl *w);
int cmd_x(struct wavectl *w);
int cmd_wave_focus(struct wavectl *w);
int cmd_lane(struct wavectl *w);
int cmd_watch_set(struct wavectl *w);
int cmd_watchpoint_clear(struct wavectl *w);
int cmd_watchpoint_list(struct wavectl *w);
int cmd_watchpoint_set(struct wavectl *w);
int cmd_watch_list(struct wavectl *w);
int cmd_launch_set(struct wavectl *w);
int cmd_trap_install(struct wavectl *w);
int cmd_trap_set(struct wavectl *w);
int cmd_run(struct wavectl *w);
int cmd_attach(struct wavectl *w);
int cmd_shell(struct wavectl *w);
int cmd_batch(struct wavectl *w);

#endif /* WAVECTL_H */
