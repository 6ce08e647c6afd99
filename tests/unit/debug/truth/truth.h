/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the run of a kernel on the CPU and that in vgpu's interpreter have in common.
 */
#ifndef TESTS_UNIT_TRUTH_H
#define TESTS_UNIT_TRUTH_H

#include <stdint.h>

#define TRUTH_IN	0x100200000ULL
#define TRUTH_OUT	0x100300000ULL
#define TRUTH_BYTES	0x10000
#define TRUTH_ITEMS	64
#define TRUTH_WAVE	32
#define TRUTH_N		3
#define TRUTH_NUM_LANES	3
#define TRUTH_LANES	{ 0, 1, 31 }

/* Negative numbers and odd ones */
static inline int32_t truth_input(unsigned int item)
{
	return (int32_t)(item * 7) - 40;
}

#endif /* TESTS_UNIT_TRUTH_H */
