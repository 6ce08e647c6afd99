/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace, with its instructions as text.
 */
#ifndef WAVECTL_TRACE_VIEW_H
#define WAVECTL_TRACE_VIEW_H

#include "debug/debug.h"

/* An instruction as it was when the wave executed it. NULL: unknown */
struct trace_view_insn {
	uint64_t address;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	size_t num_bytes;
	const char *text;	/* this and the next two are from trace_view_keep() */
	const char *place;
	const char *file;
	uint32_t line;
};

struct trace_view {
	struct adbgd_trace *trace;
	struct trace_view_insn *insns;	/* the instruction of each step */
	size_t num, room;
	void *names;			/* of tsearch(3) */
};

/*
 * Copy up to PATH_MAX bytes of @text. The copy lives as long as the trace; NULL for NULL. Steps
 * at the same instruction share a copy, because names can be long and there can be millions of
 * steps.
 */
const char *trace_view_keep(struct trace_view *t, const char *text);

/* Add the instruction of the next step. */
struct trace_view_insn *trace_view_add(struct trace_view *t, uint64_t address);

/*
 * Let a wave execute up to @num instructions, until it stops for another reason or until Ctrl-C.
 * A terminal shows the progress. Call trace_view_free() also after an error. Returns an exit
 * status; if there was a step, *@stop is that of adbgd_trace_record().
 */
int trace_view_record(struct wavectl *w, const struct amdgpudbg_wave_coord *at, uint64_t num,
		      struct trace_view *t, struct adbgd_stop *stop);

/*
 * Add the steps from @first, counted from 1, to @last as a table "instructions": each
 * instruction and what it changed. @numbered: with the numbers of the steps
 */
void trace_view_emit(struct wavectl *w, const struct trace_view *t, uint64_t first, uint64_t last,
		     bool numbered);
/* Add the members "instruction" and "place", and in JSON "file" and "line". */
void trace_view_emit_insn(struct wavectl *w, const struct trace_view_insn *insn, bool has_places);
/* Has any instruction a place? */
bool trace_view_has_places(const struct trace_view *t);

void trace_view_free(struct trace_view *t);

#endif /* WAVECTL_TRACE_VIEW_H */
