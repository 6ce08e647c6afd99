/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The breakpoints of the client. Those by line or function are set by debug/break_place.c: in each
 * copy of their code, while that is loaded.
 */
#ifndef WAVECTL_DAP_BREAKPOINT_H
#define WAVECTL_DAP_BREAKPOINT_H

#include "dap/dap.h"

enum breakpoint_kind {
	BREAKPOINT_LINE,
	BREAKPOINT_FUNCTION,
	BREAKPOINT_INSTRUCTION,
};

/* What a client has requested; texts are copied */
struct breakpoint_request {
	enum breakpoint_kind kind;
	const char *file;		/* of a line: path at the client */
	uint32_t line;
	const char *name;		/* of a function */
	uint64_t address;		/* of an instruction */
	const char *condition;		/* NULL: none; so are the others */
	const char *hit_condition;
	const char *log;		/* print this, and do not stop */
};

/* How the hits decide; see "Breakpoints" in wavectl-dap(1) */
enum hit_rule {
	HIT_ALWAYS,
	HIT_EQUAL,
	HIT_MORE,
	HIT_EVERY,
};

struct breakpoint;

struct breakpoints *breakpoint_table_new(void);
/* The breakpoints of the library are left to adbgd_process_detach(). */
void breakpoint_table_free(struct breakpoints *breakpoints);

/*
 * Replace all breakpoints of a kind, for lines all of @file, by @num others. One that stops at the
 * same hits as before stays as it is. Their descriptions are added to @array, in this order.
 */
void breakpoint_replace(struct dap *d, enum breakpoint_kind kind, const char *file,
			const struct breakpoint_request *requests, size_t num,
			struct json_object *array);
/* Set the breakpoints that were requested before there was a debugger. */
void breakpoint_begin(struct dap *d);
/*
 * Set breakpoints whose code was loaded, and take their addresses from those whose code was
 * unloaded. Send events for all that have changed.
 */
void breakpoint_update(struct dap *d);

/* The client's breakpoint for a number of the library. NULL: there is none. */
struct breakpoint *breakpoint_find(struct dap *d, uint32_t number);
/* Its number at the client */
uint32_t breakpoint_id(const struct breakpoint *b);
/* What to print instead of stopping; NULL: nothing */
const char *breakpoint_log(const struct breakpoint *b);
/* Count a hit for which the condition holds. Does it stop the wave? */
bool breakpoint_hit(struct breakpoint *b);

#endif /* WAVECTL_DAP_BREAKPOINT_H */
