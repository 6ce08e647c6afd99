/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace, and its instructions in words.
 */
#ifndef WAVECTL_TRACE_VIEW_H
#define WAVECTL_TRACE_VIEW_H

#include "debug/debug.h"

/* What has been known of an instruction when it was done; a NULL: nothing */
struct trace_view_insn {
	uint64_t address;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	size_t num_bytes;
	const char *text;	/* this and the next two are of trace_view_keep() */
	const char *place;
	const char *file;
	uint32_t line;
};

struct traced {
	struct adbgd_trace *trace;
	struct trace_view_insn *insns;	/* that of each step */
	size_t num, room;
	void *names;			/* of tsearch(3) */
};

/*
 * A copy of @text, up to PATH_MAX bytes of it, that lives as long as the trace; NULL for NULL.
 * Steps that come to the same instruction share one, since names are as long as the program
 * likes, and there may be millions of steps.
 */
const char *trace_view_keep(struct traced *t, const char *text);

/* The instruction of the next step, of which nothing is known yet */
struct trace_view_insn *trace_view_add(struct traced *t, uint64_t address);

/*
 * Let a wave do up to @num instructions, or until it stops for something else, or until
 * Ctrl-C; a terminal is told how far that is. trace_view_free() also after an error. An exit
 * status; *@stop is as of adbgd_trace_record(), if there was a step.
 */
int trace_view_record(struct wavectl *w, const struct amdgpudbg_wave_coord *at, uint64_t num,
		      struct traced *t, struct adbgd_stop *stop);

/*
 * The steps from @first, from 1, to @last, as a table "instructions": what was done, and
 * what that has changed. @numbered: with their numbers
 */
void trace_view_emit(struct wavectl *w, const struct traced *t, uint64_t first, uint64_t last,
		     bool numbered);
/* Members "instruction", "place", and for JSON "file" and "line" */
void trace_view_emit_insn(struct wavectl *w, const struct trace_view_insn *insn, bool has_places);
/* Does any of them have a place? */
bool trace_view_has_places(const struct traced *t);

void trace_view_free(struct traced *t);

#endif /* WAVECTL_TRACE_VIEW_H */
