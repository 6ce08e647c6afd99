/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What stepping by source line has to know of an address. This header does not need libdw.
 */
#ifndef ADBGD_PLACE_H
#define ADBGD_PLACE_H

#include <amdgpudbg-debug-code.h>

#include "internal.h"

/* Maximum number of functions that are inlined into each other; further ones are ignored. */
#define ADBGD_PLACE_FRAMES	32

/**
 * struct adbgd_place - the source line of an address, and its functions
 * @file: its source file; the same file has the same pointer
 * @line: 0: the compiler has attributed the instruction to no line
 * @begins: whether a statement begins at this address, where a debugger should stop
 * @end: address after the adjacent instructions of the same line
 * @body: if a function that is not inlined begins here: address after its prologue; else 0
 * @depth: number of @frames
 * @frames: a number for each function that the address is in, the outermost first; each copy of
 *	an inlined function has another one
 */
struct adbgd_place {
	const char *file;
	uint32_t line;
	bool begins;
	uint64_t end;
	uint64_t body;
	size_t depth;
	uint64_t frames[ADBGD_PLACE_FRAMES];
};

/**
 * adbgd_place_at() - find the source line and the functions of an address
 *
 * Return: 0; -ENOENT no line is known; any error of adbgd_code_load_debug().
 */
int adbgd_place_at(struct adbgd_code *code, uint64_t address, struct adbgd_place *place,
		   struct adbgd_error *error);

#endif /* ADBGD_PLACE_H */
