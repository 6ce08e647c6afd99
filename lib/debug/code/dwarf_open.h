/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening the debug information of a code object.
 */
#ifndef ADBGD_DWARF_OPEN_H
#define ADBGD_DWARF_OPEN_H

#include <setjmp.h>

#include "dwarf_info.h"

/**
 * struct adbgd_guard - a call of the library in which libdw may run out of memory
 * @env: where the call continues then
 * @code: the code object that it is about
 * @outer: the guard of the call in which this one is made
 *
 * libdw calls a handler that must not return, by default exit(). Ours leaves libdw and our
 * functions that have called it. What they had begun is never used again: the code object's
 * debug information is read anew by the next call. What they had allocated themselves, and not
 * yet added to it, is not freed.
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

/** adbgd_guard_lost() - end of a call that was left; gives -ENOMEM */
int adbgd_guard_lost(struct adbgd_guard *guard, struct adbgd_error *error);

/** adbgd_guard_end() - end of a call that was not; gives @ret */
int adbgd_guard_end(struct adbgd_guard *guard, int ret);

/** adbgd_dwarf_get() - that of a code object, which is read when it is needed first */
int adbgd_dwarf_get(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		    struct adbgd_error *error);

#endif /* ADBGD_DWARF_OPEN_H */
