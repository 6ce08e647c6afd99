// SPDX-License-Identifier: GPL-2.0-or-later
// Shared memory: a transposition, a scan and a histogram by atomics. The work-groups have
// several waves, which wait for each other at barriers.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

shared uint tile[16][17];
shared uint sums[256];
shared uint counts[64];
shared uint64_t wides[256];
shared uint16_t shorts[512];
shared int least, most;
shared uint any, all, last;

void main()
{
	uint me = gl_LocalInvocationIndex, step;
	uvec2 p = gl_LocalInvocationID.xy;
	uint x = given[gl_WorkGroupID.x * 256 + me];
	uint base = gl_WorkGroupID.x * 1024;

	if (me < 64)
		counts[me] = 0;
	if (me == 0) {
		least = 0x7fffffff;
		most = int(0x80000000);
		any = 0;
		all = ~0u;
		last = 0;
	}
	tile[p.y][p.x] = x;
	sums[me] = x & 0xffffu;
	wides[me] = uint64_t(x) * x;
	shorts[me] = uint16_t(x);
	shorts[511 - me] = uint16_t(x >> 16);
	barrier();
	result[base + me] = tile[p.x][p.y] ^ uint(wides[me ^ 37u] >> 17);
	atomicAdd(counts[x >> 26], 1u);
	atomicMin(least, int(x));
	atomicMax(most, int(x));
	atomicOr(any, x & 0x01010101u << (me & 7u));
	atomicAnd(all, x | 0xfffeu);
	atomicXor(last, x);
	for (step = 1; step < 256; step *= 2) {
		uint add = me >= step ? sums[me - step] : 0;

		barrier();
		sums[me] += add;
		barrier();
	}
	result[base + 256 + me] = sums[me];
	result[base + 512 + me] = uint(shorts[me * 2]) << 16 | shorts[me * 2 + 1];
	if (me < 64)
		result[base + 768 + me] = counts[me];
	if (me == 0) {
		result[base + 832] = uint(least);
		result[base + 833] = uint(most);
		result[base + 834] = any;
		result[base + 835] = all;
		result[base + 836] = last;
	}
}
