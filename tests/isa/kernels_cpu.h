/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernels of kernels/arith.cl as functions of the CPU.
 */
#ifndef TESTS_ISA_KERNELS_CPU_H
#define TESTS_ISA_KERNELS_CPU_H

#include <stdint.h>

enum input {
	INPUT_ANY,	/* random words, some of them small or all ones */
	INPUT_FLOAT,	/* many special and denormal numbers among them */
	INPUT_DOUBLE,
};

struct cpu_kernel {
	const char *name;
	void (*run)(uint32_t *out, const uint32_t *in, uint32_t *ctl,
		    uint32_t n);
	enum input input;
};

extern const struct cpu_kernel cpu_kernels[];
/* The work-item that the next call is. */
extern uint32_t cpu_global_id;

#endif /* TESTS_ISA_KERNELS_CPU_H */
