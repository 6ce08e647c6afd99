/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selected wave and lane, and the registers of that wave.
 */
#ifndef WAVECTL_FOCUS_H
#define WAVECTL_FOCUS_H

#include <amdgpudbg-debug-assign.h>
#include <amdgpudbg-debug-wave.h>

#include "debug/debug.h"
#include "debug/lanes.h"

struct focus {
	struct wavectl *w;
	struct amdgpudbg_wave wave;
	uint64_t pc;			/* of the program, also if the wave is in its handler */
	uint32_t lanes;			/* 32 or 64 */
	struct adbgd_wave_context *context;	/* NULL: not needed yet */
	struct adbgd_backtrace *backtrace;	/* NULL: not needed, see frame.h */
	size_t frame;			/* the selected one in @backtrace */
	struct adbgd_error error;	/* why there is none */
	bool has_no_wave;		/* see focus_open_any() */
};

/*
 * Open the selected wave, which must be halted. If none is selected, select the first halted
 * wave. Call focus_close() also after an error. Returns an exit status.
 *
 * If the shell has another trap handler than that of the debugger (debug_open_reader()), it is the
 * first halted wave, without registers.
 */
int focus_open(struct wavectl *w, struct focus *focus);
/* The same, but return false without a message if there is none. */
bool focus_try(struct wavectl *w, struct focus *focus);
/* If no wave is selected, select the first halted one. False: one is selected, or none halted. */
bool focus_select(struct wavectl *w, struct focus *focus);
/*
 * The same for expressions that may need no wave: if none is halted, the focus has 32 lanes, and
 * neither registers nor memory.
 */
void focus_open_any(struct wavectl *w, struct focus *focus);
void focus_close(struct focus *focus);
/* Select a live wave. Returns an exit status. */
int focus_set(struct wavectl *w, const struct amdgpudbg_wave_coord *at);

/* Parse argument @i, the last one, as a wave if it is there. Returns an exit status. */
int focus_take_word(struct wavectl *w, int i);
/*
 * Open the debugger and select the wave of w->waves, if it is given; @at is the selected wave.
 * With --dry-run the selection does not change. Returns an exit status.
 */
int focus_open_named(struct wavectl *w, struct amdgpudbg_wave_coord *at);

/* The selected lane, or the first active one */
uint32_t focus_lane(const struct focus *focus);
/*
 * Read an SGPR (with VCC), VGPR, TTMP, or what adbgd_context has besides: ADBGD_REG_EXEC, _PC, _M0,
 * _SCC, _WAVE. Returns 0 or -errno.
 */
int focus_read(struct focus *focus, uint32_t space, uint32_t number, uint32_t lane,
	       uint32_t *value);
/* Read memory of a space as the selected lane sees it. Returns 0 or -errno. */
int focus_read_memory(struct focus *focus, uint32_t space, uint64_t address, void *buffer,
		      size_t size, struct adbgd_error *error);
/*
 * Get the context for variables of @lane in the selected frame. If the wave is not halted any more,
 * nothing can be read with it.
 */
struct adbgd_context focus_context(struct focus *focus, uint32_t lane);

/*
 * Get callbacks that change what focus_context() reads. In an outer frame, registers are refused.
 * Returns 0, or -errno with focus->error.
 */
int focus_writer(struct focus *focus, struct adbgd_writer *writer);

/* The instruction that caused the fault at which the wave has stopped; or the PC */
uint64_t focus_insn(const struct focus *focus);

/* Add the members of a stop to the document. */
void focus_emit_stop(struct wavectl *w, const struct adbgd_stop *stop);
/* A sentence with these members in braces. @how: such as "stopped at". The caller frees it. */
char *focus_stop_sentence(const struct wavectl *w, const struct adbgd_stop *stop,
			  const char *how);
/* Print the source line of the stop in the document, with its number, if it is available. */
void focus_say_source(struct wavectl *w);
/*
 * Report a stop. The wave becomes the selected one, unless the one selected before is still
 * halted. Returns an exit status.
 */
int focus_say_stop(struct wavectl *w, const struct adbgd_stop *stop);
/* Report stops that differ in the wave only, in one line. Returns an exit status. */
int focus_say_stops(struct wavectl *w, const struct adbgd_stop *stops, size_t num);

#endif /* WAVECTL_FOCUS_H */
