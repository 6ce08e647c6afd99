/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiled kernels of tests/kernels in the waves of a pair.
 */
#ifndef TESTS_TRAP_PROGRAM_H
#define TESTS_TRAP_PROGRAM_H

#include "codeobj.h"
#include "pair.h"

/* A kernel of so many instructions does not end. */
#define PROGRAM_MAX_STEPS	200000

/* A new wave of the kernel @name in both, before its first instruction; see pair_ready() */
void program_begin(struct pair *p, const struct codeobj *co, const char *name,
		   unsigned int lanes);

#endif /* TESTS_TRAP_PROGRAM_H */
