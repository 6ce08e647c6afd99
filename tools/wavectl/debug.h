/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints in a dialogue: libamdgpudbg-debug, which is loaded when somebody wants it, on
 * the dialogue's session.
 */
#ifndef WAVECTL_DEBUG_H
#define WAVECTL_DEBUG_H

#include <amdgpudbg-debug.h>

#include "wavectl.h"

/* With what of the library is used, under its own names */
struct debugger {
	void *library;
	struct adbgd_process *process;
	__typeof__(adbgd_breakpoint_clear) *adbgd_breakpoint_clear;
	__typeof__(adbgd_breakpoint_get_info) *adbgd_breakpoint_get_info;
	__typeof__(adbgd_breakpoint_set) *adbgd_breakpoint_set;
	__typeof__(adbgd_disasm_free) *adbgd_disasm_free;
	__typeof__(adbgd_disasm_insn) *adbgd_disasm_insn;
	__typeof__(adbgd_disasm_new) *adbgd_disasm_new;
	__typeof__(adbgd_process_continue) *adbgd_process_continue;
	__typeof__(adbgd_process_detach) *adbgd_process_detach;
	__typeof__(adbgd_process_get_breakpoint) *adbgd_process_get_breakpoint;
	__typeof__(adbgd_process_get_info) *adbgd_process_get_info;
	__typeof__(adbgd_process_get_memory) *adbgd_process_get_memory;
	__typeof__(adbgd_process_get_timeout) *adbgd_process_get_timeout;
	__typeof__(adbgd_process_look) *adbgd_process_look;
	__typeof__(adbgd_process_new) *adbgd_process_new;
	__typeof__(adbgd_process_take) *adbgd_process_take;
	__typeof__(adbgd_stop_reason_name) *adbgd_stop_reason_name;
	__typeof__(adbgd_wave_continue) *adbgd_wave_continue;
	__typeof__(adbgd_wave_step) *adbgd_wave_step;
};

/*
 * The debugger of the dialogue, which is made if there is none. An exit status: it takes
 * a dialogue about a process, which has no other trap handler.
 */
int debug_open(struct wavectl *w);
/* The end of the dialogue, or of what it needs the handler's place for */
void debug_close(struct dialogue *d);

/* Words of the library, and the exit status that belongs to them */
int debug_fail(struct wavectl *w, const struct adbgd_error *error);

/*
 * What an event means to the debugger: true, and @stop is a wave at a breakpoint; false,
 * and *@is_told is whether it is to be told as it is.
 */
bool debug_take(struct wavectl *w, const struct amdgpudbg_event *ev,
		struct adbgd_stop *stop, bool *is_told);

/* In how many milliseconds to look, if nothing happens; -1: never */
int debug_timeout(const struct dialogue *d);
/* The next one of those that stand there and of which no event tells; false: none */
bool debug_look(struct wavectl *w, struct adbgd_stop *stop);

/* Does a command want the handler's place that breakpoints have? An exit status. */
int debug_refuse(struct wavectl *w);

/* Print a stop. An exit status. */
int debug_say(struct wavectl *w, const struct adbgd_stop *stop);

/* One operation of "wave step", as plan_batch() would do it. */
void debug_step(struct wavectl *w, struct amdgpudbg_batch_op *op);

#endif /* WAVECTL_DEBUG_H */
