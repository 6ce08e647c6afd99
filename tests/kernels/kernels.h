/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernels of kernels.cl as functions for the CPU, and the input that they need.
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
	bool spins;	/* waits until ctl[0] is set */
};

/* The last row has no name. */
extern const struct kernel kernels[];

/* Returns NULL if there is no kernel of that name. */
const struct kernel *kernel_find(const char *name);

/* The work-item that a call of a CPU kernel computes; the caller sets it. */
extern uint32_t cpu_global_id;

#endif /* KERNELS_H */
