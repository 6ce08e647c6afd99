/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compute kernels that the demo and the tests run, on the GPU and on the
 * CPU. The tests compare floats bit by bit, so the kernels use only operations that
 * IEEE 754 defines exactly, and both builds disable contraction.
 */
#include "cl.h"

/* out = a * x + y, with a from ctl[2] */
KERNEL(saxpy)
{
	u32 i = global_id();
	float a = to_float(ctl[2]);

	if (i >= n)
		return;
	out[i] = to_bits(a * to_float(in[2 * i]) + to_float(in[2 * i + 1]));
}

/* Integer mixing, the finaliser of MurmurHash3 repeated */
KERNEL(hash)
{
	u32 i = global_id();
	u32 h, round;

	if (i >= n)
		return;
	h = in[i] ^ i;
	for (round = 0; round < 16; round++) {
		h ^= h >> 16;
		h *= 0x85ebca6b;
		h ^= h >> 13;
		h *= 0xc2b2ae35;
		h ^= h >> 16;
		h += round;
	}
	out[i] = h;
}

/* Collatz steps: the lanes of a wave leave the loop at different times. */
KERNEL(intloop)
{
	u32 i = global_id();
	u32 x, steps = 0;

	if (i >= n)
		return;
	for (x = in[i] % 10000 + 1; x != 1; steps++)
		x = x & 1 ? 3 * x + 1 : x >> 1;
	out[i] = steps;
}

/* Horner's rule and a data-dependent branch */
KERNEL(floatloop)
{
	u32 i = global_id();
	float x, y = 1.0f;
	u32 k;

	if (i >= n)
		return;
	x = (float)(s32)(in[i] % 2001) / 1024.0f - 1.0f;
	for (k = 1; k <= 20; k++) {
		y = y * x + (float)k * 0.125f;
		if (y > 4.0f)
			y = y - 4.0f;
		else if (y < -4.0f)
			y = -y;
	}
	out[i] = to_bits(y);
}

/* Signed and unsigned division, 64-bit products, bytes */
KERNEL(divide)
{
	u32 i = global_id();
	GLOBAL const unsigned char *bytes = (GLOBAL const unsigned char *)in;
	u32 a, b;
	u64 wide;

	if (i >= n)
		return;
	a = in[i];
	b = bytes[i] + 1;
	wide = (u64)a * (b + 77) + i;
	out[i] = a / b + a % b + (u32)((s32)a / (s32)b) +
		 (u32)(wide >> 32) + (u32)wide;
}

/* Many lanes change few words; the results do not depend on the order. */
KERNEL(atomics)
{
	u32 i = global_id();
	u32 v;

	if (i >= n)
		return;
	v = in[i];
	atomic_op(fetch_add, &ctl[16], v);
	atomic_op(fetch_sub, &ctl[17], i);
	atomic_op(fetch_xor, &ctl[18], v);
	atomic_op(fetch_or, &ctl[19], v & 0x0f0f0f0f);
	atomic_op(fetch_and, &ctl[20], v | 0xfff00000);
	atomic_op(fetch_max, &ctl[21], v);
	atomic_op(fetch_min, &ctl[22], v);
	out[i] = v + 1;
}

/*
 * Each work-item hashes until ctl[0] is set. The result does not depend on how long
 * that took, but is wrong if a wave has lost or repeated an instruction. ctl[1]
 * counts the work-items that have begun. The waves sleep most of the time.
 */
KERNEL(spin)
{
	u32 i = global_id();
	u32 h = i, turns = 0;
	u32 mul = 4276115653u, add = 634785765u;

	atomic_op(fetch_add, &ctl[1], 1);
	do {
		h = h * 1664525 + 1013904223;
		turns++;
		if (!(turns & 15)) {
			pause();
			pause();
			pause();
			pause();
		}
	} while (!load_fresh(&ctl[0]));
	/*
	 * Undo the turns, 2^k of them at once: undoing one is a product with the
	 * inverse of the multiplier modulo 2^32, and a sum.
	 */
	for (; turns; turns >>= 1) {
		if (turns & 1)
			h = h * mul + add;
		add *= mul + 1;
		mul *= mul;
	}
	if (i < n)
		out[i] = h ^ in[i];
}

/*
 * Each wave sends ctl[3] messages with consecutive numbers, which begin at 4096 times
 * the number of its work-group. If ctl[4] is set, each message also halts the wave.
 */
KERNEL(message)
{
	u32 i = global_id();
	u32 k;

	for (k = 0; k < ctl[3]; k++) {
		u32 number = i / GROUP_SIZE * 4096 + k;

		if (ctl[4])
			send_message_and_halt(number);
		else
			send_message(number);
	}
	if (i < n)
		out[i] = in[i] + 1;
}

/* A result that is easy to verify by eye: 0 1 4 9 16 and so on */
KERNEL(square)
{
	u32 i = global_id();
	u32 x;

	if (i >= n)
		return;
	x = i * i;
	out[i] = x;
}
