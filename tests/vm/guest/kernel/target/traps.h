/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests of memory in the program "traps": traps_mem.c.
 */
#ifndef GUEST_TRAPS_H
#define GUEST_TRAPS_H

#include <stdint.h>

extern int dev;		/* the session */

void test_memory(void **state);
void test_gpu_uses_memory(void **state);
void test_free_busy(void **state);
void test_free_too_many(void **state);
void test_free_between_jobs(void **state);
void test_memory_errors(void **state);
void test_no_hole(void **state);
void test_one_hole(void **state);
void test_without_target(void **state);

/* Takes all addresses that are for buffers away from the target; where they are. */
uint64_t take_region(void);
/* Some of them are free again. */
void free_region(uint64_t va, uint64_t bytes);
void give_region(uint64_t region);

#endif /* GUEST_TRAPS_H */
