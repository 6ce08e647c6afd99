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
	bool is_inlined;
};

#define STACK_FRAMES_MAX	64

/*
 * Get the frames of a halted wave, the innermost first. Returns their number, at least 1 and at
 * most STACK_FRAMES_MAX.
 */
size_t stack_frames(struct dap *d, const struct focus *focus, struct stack_frame *frames);
/*
 * Get the context for variables of a frame in one lane. All frames of an instruction, which are
 * inlined into each other, have the registers of the wave.
 */
struct adbgd_context stack_context(struct focus *focus, const struct stack_frame *frame,
				   uint32_t lane);
/* Name an address, with source line and byte offset. False: it has no name. */
bool stack_name(struct dap *d, uint64_t pc, struct stack_frame *frame);

#endif /* WAVECTL_DAP_STACK_H */
