/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints in a dialogue: libamdgpudbg-debug, which is loaded when somebody wants it, on
 * the dialogue's session.
 */
#ifndef WAVECTL_DEBUG_H
#define WAVECTL_DEBUG_H

#include <amdgpudbg-debug.h>

#include "wavectl.h"

/* A code object that is known to lie in the process */
struct code_object {
	struct adbgd_code *code;
	bool is_given;			/* by its file, and not found in memory */
};

/* With what of the library is used, under its own names */
struct debugger {
	void *library;
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
	__typeof__(adbgd_breakpoint_clear) *adbgd_breakpoint_clear;
	__typeof__(adbgd_breakpoint_get_condition) *adbgd_breakpoint_get_condition;
	__typeof__(adbgd_breakpoint_get_info) *adbgd_breakpoint_get_info;
	__typeof__(adbgd_breakpoint_set_condition) *adbgd_breakpoint_set_condition;
	__typeof__(adbgd_breakpoint_set_if) *adbgd_breakpoint_set_if;
	__typeof__(adbgd_breakpoint_set_insn) *adbgd_breakpoint_set_insn;
	__typeof__(adbgd_budget_free) *adbgd_budget_free;
	__typeof__(adbgd_budget_new) *adbgd_budget_new;
	__typeof__(adbgd_code_scan) *adbgd_code_scan;
	__typeof__(adbgd_code_find_symbol) *adbgd_code_find_symbol;
	__typeof__(adbgd_code_free) *adbgd_code_free;
	__typeof__(adbgd_code_get_info) *adbgd_code_get_info;
	__typeof__(adbgd_code_get_kernel) *adbgd_code_get_kernel;
	__typeof__(adbgd_code_get_symbol) *adbgd_code_get_symbol;
	__typeof__(adbgd_code_load_debug) *adbgd_code_load_debug;
	__typeof__(adbgd_code_locate) *adbgd_code_locate;
	__typeof__(adbgd_code_name) *adbgd_code_name;
	__typeof__(adbgd_code_new_memory) *adbgd_code_new_memory;
	__typeof__(adbgd_code_open) *adbgd_code_open;
	__typeof__(adbgd_code_set_base) *adbgd_code_set_base;
	__typeof__(adbgd_code_read) *adbgd_code_read;
	__typeof__(adbgd_code_set_interrupt) *adbgd_code_set_interrupt;
	__typeof__(adbgd_code_symbol_at) *adbgd_code_symbol_at;
	__typeof__(adbgd_disasm_free) *adbgd_disasm_free;
	__typeof__(adbgd_disasm_insn) *adbgd_disasm_insn;
	__typeof__(adbgd_disasm_new) *adbgd_disasm_new;
	__typeof__(adbgd_frames_at) *adbgd_frames_at;
	__typeof__(adbgd_function_find) *adbgd_function_find;
	__typeof__(adbgd_insn_find) *adbgd_insn_find;
	__typeof__(adbgd_insn_length) *adbgd_insn_length;
	__typeof__(adbgd_lds_get_size) *adbgd_lds_get_size;
	__typeof__(adbgd_lds_read) *adbgd_lds_read;
	__typeof__(adbgd_lds_write) *adbgd_lds_write;
	__typeof__(adbgd_line_at) *adbgd_line_at;
	__typeof__(adbgd_line_find) *adbgd_line_find;
	__typeof__(adbgd_location_text) *adbgd_location_text;
	__typeof__(adbgd_process_continue) *adbgd_process_continue;
	__typeof__(adbgd_process_detach) *adbgd_process_detach;
	__typeof__(adbgd_process_finish) *adbgd_process_finish;
	__typeof__(adbgd_process_get_breakpoint) *adbgd_process_get_breakpoint;
	__typeof__(adbgd_process_get_info) *adbgd_process_get_info;
	__typeof__(adbgd_process_get_memory) *adbgd_process_get_memory;
	__typeof__(adbgd_process_get_owner) *adbgd_process_get_owner;
	__typeof__(adbgd_process_poll_timeout) *adbgd_process_poll_timeout;
	__typeof__(adbgd_process_get_watchpoint) *adbgd_process_get_watchpoint;
	__typeof__(adbgd_process_begin_halt) *adbgd_process_begin_halt;
	__typeof__(adbgd_process_end_halt) *adbgd_process_end_halt;
	__typeof__(adbgd_process_poll_stop) *adbgd_process_poll_stop;
	__typeof__(adbgd_process_new) *adbgd_process_new;
	__typeof__(adbgd_process_next) *adbgd_process_next;
	__typeof__(adbgd_process_set_interrupt) *adbgd_process_set_interrupt;
	__typeof__(adbgd_process_stop_at_job) *adbgd_process_stop_at_job;
	__typeof__(adbgd_process_stop_at_start) *adbgd_process_stop_at_start;
	__typeof__(adbgd_process_handle_event) *adbgd_process_handle_event;
	__typeof__(adbgd_process_until) *adbgd_process_until;
	__typeof__(adbgd_program_get_fd) *adbgd_program_get_fd;
	__typeof__(adbgd_program_get_info) *adbgd_program_get_info;
	__typeof__(adbgd_program_release) *adbgd_program_release;
	__typeof__(adbgd_program_start) *adbgd_program_start;
	__typeof__(adbgd_program_wait) *adbgd_program_wait;
	__typeof__(adbgd_source_count) *adbgd_source_count;
	__typeof__(adbgd_source_free) *adbgd_source_free;
	__typeof__(adbgd_source_get_line) *adbgd_source_get_line;
	__typeof__(adbgd_source_get_path) *adbgd_source_get_path;
	__typeof__(adbgd_source_open) *adbgd_source_open;
	__typeof__(adbgd_stop_reason_name) *adbgd_stop_reason_name;
	__typeof__(adbgd_trace_add) *adbgd_trace_add;
	__typeof__(adbgd_trace_begin) *adbgd_trace_begin;
	__typeof__(adbgd_trace_free) *adbgd_trace_free;
	__typeof__(adbgd_trace_get) *adbgd_trace_get;
	__typeof__(adbgd_trace_get_info) *adbgd_trace_get_info;
	__typeof__(adbgd_trace_get_pc) *adbgd_trace_get_pc;
	__typeof__(adbgd_trace_get_words) *adbgd_trace_get_words;
	__typeof__(adbgd_trace_new) *adbgd_trace_new;
	__typeof__(adbgd_trace_seek) *adbgd_trace_seek;
	__typeof__(adbgd_trace_steps) *adbgd_trace_steps;
	__typeof__(adbgd_value_eval) *adbgd_value_eval;
	__typeof__(adbgd_value_free) *adbgd_value_free;
	__typeof__(adbgd_value_get_type) *adbgd_value_get_type;
	__typeof__(adbgd_value_text) *adbgd_value_text;
	__typeof__(adbgd_variable_locate) *adbgd_variable_locate;
	__typeof__(adbgd_variable_read) *adbgd_variable_read;
	__typeof__(adbgd_variables_find) *adbgd_variables_find;
	__typeof__(adbgd_variables_free) *adbgd_variables_free;
	__typeof__(adbgd_variables_get) *adbgd_variables_get;
	__typeof__(adbgd_variables_new) *adbgd_variables_new;
	__typeof__(adbgd_watchpoint_clear) *adbgd_watchpoint_clear;
	__typeof__(adbgd_watchpoint_get_info) *adbgd_watchpoint_get_info;
	__typeof__(adbgd_watchpoint_set) *adbgd_watchpoint_set;
	__typeof__(adbgd_wave_continue) *adbgd_wave_continue;
	__typeof__(adbgd_wave_finish) *adbgd_wave_finish;
	__typeof__(adbgd_wave_get_cond_dbg) *adbgd_wave_get_cond_dbg;
	__typeof__(adbgd_wave_get_pc) *adbgd_wave_get_pc;
	__typeof__(adbgd_wave_next) *adbgd_wave_next;
	__typeof__(adbgd_wave_set_cond_dbg) *adbgd_wave_set_cond_dbg;
	__typeof__(adbgd_wave_step) *adbgd_wave_step;
	__typeof__(adbgd_wave_step_n) *adbgd_wave_step_n;
	__typeof__(adbgd_wave_until) *adbgd_wave_until;
};

/* The library alone, for what needs no process. An exit status. */
int debug_load(struct wavectl *w, struct debugger *d);

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
