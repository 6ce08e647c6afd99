/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what a function of the libraries costs: take the difference of two numbers.
 */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdint.h>

/* System calls that this program and the libraries in it have made: those of BENCH_WRAPPED. */
uint64_t count_calls(void);
/* Accesses to the GPU's registers by ioctls of the module */
uint64_t count_register_accesses(void);

#endif /* BENCH_COUNT_H */
