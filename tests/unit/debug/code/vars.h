/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of variables as vars.cl has them, for tests that compare values of C with those that the
 * library computes.
 */
#ifndef TESTS_UNIT_VARS_H
#define TESTS_UNIT_VARS_H

#include <stdint.h>

#define NUM_INTS	64

struct pair {
	int a;
	float b;
};

typedef struct {
	struct pair first;
	uint8_t bytes[3];
	uint16_t wide;
	int16_t narrow;
} record_t;

enum colour { RED = 1, GREEN = 5 };

#endif /* TESTS_UNIT_VARS_H */
