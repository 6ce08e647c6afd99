// SPDX-License-Identifier: GPL-2.0-or-later
// Integer arithmetic of 32 and 64 bits, with division, bit fields and bit counts.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

void main()
{
	uint at = gl_GlobalInvocationID.x;
	uint a = given[at], b = given[at + 1024], n = b & 31u;
	uint hi, lo, sum, carry;
	int ihi, ilo;
	uint64_t wide = (uint64_t(a) << 32 | b) * 0x9e3779b97f4a7c15ul;

	umulExtended(a, b, hi, lo);
	imulExtended(int(a), int(b), ihi, ilo);
	sum = uaddCarry(a, b, carry);
	at *= 16;
	result[at] = a + b * 3u;
	result[at + 1] = a / (b >> n | 1u);
	result[at + 2] = a % (b >> n | 1u);
	result[at + 3] = uint(int(a) / (int(b) >> n | 1));
	result[at + 4] = hi ^ lo;
	result[at + 5] = uint(ihi ^ ilo);
	result[at + 6] = sum ^ carry;
	result[at + 7] = uint(bitCount(a)) + uint(findMSB(b) * 64) +
		uint(findLSB(a) * 4096);
	result[at + 8] = bitfieldReverse(a);
	result[at + 9] = uint(bitfieldExtract(int(a), 7, 13));
	result[at + 10] = bitfieldInsert(a, b, 5, 17);
	result[at + 11] = uint(wide);
	result[at + 12] = uint(wide >> 32);
	result[at + 13] = uint((wide / (uint64_t(b) | 1ul)) >> (n & 15u));
	result[at + 14] = uint(max(int(a), int(b)) - min(int(a), int(b)));
	result[at + 15] = uint(int(a) >> n) ^ b << n;
}
