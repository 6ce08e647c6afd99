/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels with variables in private memory and LDS, on the GPU and on the CPU. The tests print the
 * variables where comments mark a line.
 */
#include "cl.h"

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
#endif

#define NUM_SQUARES 8
#define NUM_SCATTERED 40

struct point {
	float x, y;
};

struct record {
	u32 id;
	struct point at;
	u32 low : 5, high : 27;
	GLOBAL const u32 *from;
};

/* In OpenCL C 2.0, @values is a flat address. */
static u32 sum_of(const u32 *values, u32 num)
{
	u32 k, sum = 0;

	for (k = 0; k < num; k++)
		sum += values[k];
	return sum;	/* summed */
}

/* With -O0, all variables are in private memory all the time. */
KERNEL(records)
{
	LOCAL u32 tile[GROUP_SIZE];
	u32 i = global_id();
	u32 squares[NUM_SQUARES];
	struct record r;
	u32 k, sum;

	if (i >= n)
		return;
	r.id = i;
	r.at.x = (float)i * 0.5f;
	r.at.y = -1.0f - (float)i;
	r.low = i & 31;
	r.high = i * 3;
	r.from = &in[i];
	for (k = 0; k < NUM_SQUARES; k++)
		squares[k] = (i + k) * (i + k);
	tile[i % GROUP_SIZE] = i * 5;
	sum = sum_of(squares, NUM_SQUARES);
	out[i] = sum + r.id + r.low + r.high + *r.from + tile[i % GROUP_SIZE] + (u32)r.at.x; /* filled */
}

static u32 twice_of(const u32 *values, u32 num)
{
	u32 twice = sum_of(values, num) * 2;

	return twice + num;	/* doubled */
}

/* A call in a call */
KERNEL(nested)
{
	u32 i = global_id();
	u32 values[4];
	u32 k, result;

	if (i >= n)
		return;
	for (k = 0; k < 4; k++)
		values[k] = in[i] + k;
	result = twice_of(values, 4);
	out[i] = result + i;	/* nested */
}

/* With -O1, only the array is in private memory, because its indices are known at run time only. */
KERNEL(scattered)
{
	u32 i = global_id();
	u32 array[NUM_SCATTERED];
	u32 k, at;

	if (i >= n)
		return;
	for (k = 0; k < NUM_SCATTERED; k++)
		array[k] = i + k * 1000;
	at = in[i] % NUM_SCATTERED;
	array[at] = 7;
	at = in[i] / NUM_SCATTERED % NUM_SCATTERED;
	out[i] = array[at] + array[in[i] % NUM_SCATTERED];	/* scattered */
}

/* A function that calls itself */
static u32 sum_down(u32 depth, u32 i)
{
	u32 below;

	if (!depth)
		return i;
	below = sum_down(depth - 1, i + depth);	/* deeper */
	return below * 2 + depth;	/* returned */
}

/* The compiler reserves memory for one call of sum_down(); this function needs more. */
static u32 wide_of(u32 i)
{
	u32 wide[256];
	u32 k;

	for (k = 0; k < 256; k++)
		wide[k] = i + k;
	return wide[i % 256];
}

KERNEL(recursive)
{
	u32 i = global_id();

	if (i >= n)
		return;
	out[i] = wide_of(in[i]) + sum_down(3, i);
}
