// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of abi_golden.h as static assertions. test_headers.sh compiles this for 32-bit
 * callers; it is never executed.
 */
#include <stddef.h>

#include <linux/amdgpudbg.h>

_Static_assert(sizeof(long) == 4, "not a 32-bit target");

#define STRUCT(s, size) \
	_Static_assert(sizeof(struct s) == (size), #s);
#define FIELD(s, m, offset, size) \
	_Static_assert(offsetof(struct s, m) == (offset) && \
		       sizeof(((struct s *)NULL)->m) == (size), #s "." #m);
#define NUMBER(n, value) \
	_Static_assert((n) == (value), #n);

#include "abi_golden.h"
