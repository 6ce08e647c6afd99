// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernels.cl, private.cl and lines.cl compiled for the CPU with -ffp-contract=off, like the kernels
 * for the GPU, so that both compute the same bits.
 */
#include "kernels.cl"
#include "private.cl"
#include "lines.cl"
#include "kernels.h"

const struct kernel kernels[] = {
	{ .name = "saxpy", .cpu = saxpy, .float_input = true },
	{ .name = "hash", .cpu = hash },
	{ .name = "intloop", .cpu = intloop },
	{ .name = "floatloop", .cpu = floatloop },
	{ .name = "divide", .cpu = divide },
	{ .name = "atomics", .cpu = atomics },
	{ .name = "message", .cpu = message },
	{ .name = "square", .cpu = square },
	{ .name = "records", .cpu = records },
	{ .name = "scattered", .cpu = scattered },
	{ .name = "nested", .cpu = nested },
	{ .name = "recursive", .cpu = recursive },
	{ .name = "lines", .cpu = lines },
	{ .name = "spin", .cpu = spin, .spins = true },
	{ .name = NULL },
};

const struct kernel *kernel_find(const char *name)
{
	const struct kernel *k;

	for (k = kernels; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}
