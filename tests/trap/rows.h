/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes the lines of tests/isa/results on a pair of GPUs.
 */
#ifndef TESTS_TRAP_ROWS_H
#define TESTS_TRAP_ROWS_H

#include "pair.h"
#include "results.h"

/* Where the instruction is */
#define ROWS_CODE	GPU_VA

/*
 * What cannot be the same, or is no program's business: time; the handler itself; what a
 * trap is taken for anyway; what halts and resumes, as the tests do.
 */
bool rows_leave_out(const struct results_row *r);

/*
 * New waves before the instruction, with all that the line says; @no_exec: without an
 * active lane. False: they would trap before it.
 */
bool rows_begin(struct pair *p, const struct results_row *r, bool no_exec);

#endif /* TESTS_TRAP_ROWS_H */
