/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernels of kernels.cl as the CPU runs them, and what they need.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stdint.h>

struct kernel {
	const char *name;
	void (*cpu)(uint32_t *out, const uint32_t *in, uint32_t *ctl,
		    uint32_t n);
	bool float_input;
	bool spins;	/* until ctl[0] is set */
};

/* Ends with a row without a name. */
extern const struct kernel kernels[];

/* NULL when there is none. */
const struct kernel *kernel_find(const char *name);

/* The work-item that a CPU kernel is to be; set by the caller. */
extern uint32_t cpu_global_id;

#endif /* KERNELS_H */
