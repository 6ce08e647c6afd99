// SPDX-License-Identifier: GPL-2.0-or-later
// Atomics of 32 and 64 bits in memory that all work-groups share. The final values do
// not depend on the order of the operations.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) buffer Output {
	uint sum[16], unsigned_max[16], bits_or[16], bits_xor[16], won[16];
	int signed_min[16], signed_max[16];
	uint64_t wide_sum[16], wide_max[16], wide_xor[16];
	int64_t wide_min[16];
	uint tickets;
	uint owner[4096];
};

void main()
{
	uint at = gl_GlobalInvocationID.x, x = given[at], slot = x & 15u, old;
	uint64_t wide = (uint64_t(given[at + 4096]) << 32) | x;

	atomicAdd(sum[slot], x);
	atomicMax(unsigned_max[slot], x);
	atomicOr(bits_or[slot], x & 0x21212121u);
	atomicXor(bits_xor[slot], x);
	atomicMin(signed_min[slot], int(x));
	atomicMax(signed_max[slot], int(x));
	atomicAdd(wide_sum[slot], wide);
	atomicMax(wide_max[slot], wide);
	atomicXor(wide_xor[slot], wide);
	atomicMin(wide_min[slot], int64_t(wide));
	// Everybody draws a ticket; each is drawn once.
	old = atomicAdd(tickets, 1u);
	atomicAdd(owner[old & 4095u], 1u);
	// A maximum by compare and swap
	old = won[slot];
	while (old < x) {
		uint seen = atomicCompSwap(won[slot], old, x);

		if (seen == old)
			break;
		old = seen;
	}
}
