/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel that is stepped line by line, on the GPU and on the CPU. The comments name lines for
 * the tests.
 */
#include "cl.h"

static inline u32 scaled(u32 x, u32 factor)
{
	u32 y = x * factor;	/* scaled */

	return y ^ x;		/* scaled returns */
}

static __attribute__((noinline)) u32 twice(u32 x)
{
	u32 y = x + 7;		/* twice */

	return y * (y >> 3);	/* twice returns */
}

KERNEL(lines)
{
	u32 i = global_id();	/* begin */
	u32 k, sum = 0;		/* declaration */

	if (i >= n)		/* if */
		return;
	for (k = 0; k < n / 32; k++)	/* for */
		sum += in[i] >> k;	/* body */
	sum = twice(sum);	/* call */
	sum += scaled(sum, i);	/* inlined call */
	out[i] = sum;		/* store */
}				/* end */
