/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the compiled kernels of tests/kernels in the waves of a pair of GPUs.
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
/*
 * The arguments of a test of these kernels, and of instructions: WAVE32 WAVE64 RESULTS..., its
 * results being TAP. 0, or the exit status that it ends with at once.
 */
int program_arguments(int argc, char **argv);

/* A test of one kernel, of @co; @arg: the test's own */
typedef void program_test(struct pair *p, const struct codeobj *co, const char *name,
			  unsigned int lanes, int arg);

/* All kernels, in waves of 32 lanes and of 64; each of the two with a new pair */
void program_all(program_test *test, int arg);

#endif /* TESTS_TRAP_PROGRAM_H */
