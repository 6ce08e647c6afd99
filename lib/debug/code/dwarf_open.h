/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening the debug information of a code object.
 */
#ifndef ADBGD_DWARF_OPEN_H
#define ADBGD_DWARF_OPEN_H

#include <setjmp.h>

#include "dwarf_info.h"

/**
 * struct adbgd_guard - guards a call of the library in which libdw may run out of memory
 * @env: where the call continues in this case
 * @code: the code object of the call
 * @outer: the guard of the call within which this one is made
 *
 * If libdw has no memory, it calls a handler that must not return; the default one calls exit().
 * Ours leaves libdw, and our functions that have called it, by longjmp(). Their unfinished data
 * is never used again: the next call reads the debug information of the code object again. Memory
 * that our functions have allocated, and have not added to the debug information yet, is leaked.
 *
 *	if (setjmp(*adbgd_guard_begin(&guard, code)))
 *		return adbgd_guard_lost(&guard, error);
 *	return adbgd_guard_end(&guard, call_that_may_use_libdw(code, ...));
 */
struct adbgd_guard {
	jmp_buf env;
	struct adbgd_code *code;
	struct adbgd_guard *outer;
};

jmp_buf *adbgd_guard_begin(struct adbgd_guard *guard, struct adbgd_code *code);

/** adbgd_guard_lost() - end a call that was left by longjmp(); returns -ENOMEM */
int adbgd_guard_lost(struct adbgd_guard *guard, struct adbgd_error *error);

/** adbgd_guard_end() - end a call that has returned; returns @ret */
int adbgd_guard_end(struct adbgd_guard *guard, int ret);

/**
 * adbgd_dwarf_get() - get the debug information of a code object
 *
 * It is read when it is first needed.
 */
int adbgd_dwarf_get(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		    struct adbgd_error *error);

#endif /* ADBGD_DWARF_OPEN_H */
