/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a wave.
 */
#ifndef WAVECTL_DAP_STACK_H
#define WAVECTL_DAP_STACK_H

#include "dap/dap.h"
#include "debug/focus.h"

/* A frame; texts belong to the code object */
struct stack_frame {
	uint64_t pc;
	struct adbgd_code *code;	/* NULL: not known */
	char name[ADBGD_NAME_MAX];
	const char *function;		/* NULL: without debug information */
	const char *file;		/* NULL: not known */
	uint32_t line;
	uint32_t column;
	bool is_outer;			/* it waits for the return of a call */
	const char *unknown;		/* why the caller is not known; NULL: it is, or none */
};

/* Find the frames of a halted wave. Returns their number, at least 1. */
size_t stack_open(struct dap *d, struct focus *focus);
/*
 * Get frame @i, which must exist, the innermost first. Returns false if the wave executes code
 * without symbols.
 */
bool stack_get(struct dap *d, const struct focus *focus, size_t i, struct stack_frame *frame);
/* Name an address, with source line and byte offset. False: it has no name. */
bool stack_name(struct dap *d, uint64_t pc, struct stack_frame *frame);

#endif /* WAVECTL_DAP_STACK_H */
