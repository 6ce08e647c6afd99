// SPDX-License-Identifier: GPL-2.0-or-later
// Private arrays of each invocation whose indices are known at run time only, so that the
// arrays are in scratch memory: a sort, a histogram and a walk along links.
#version 450

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

void main()
{
	uint at = gl_GlobalInvocationID.x, n, k;
	uint sorted[32], counts[48], next[61];

	for (n = 0; n < 48; n++)
		counts[n] = 0;
	for (n = 0; n < 61; n++)
		next[n] = (given[(at * 7 + n) & 4095u] >> 5) % 61;
	for (n = 0; n < 32; n++) {
		uint v = given[(at * 32 + n) & 16383u];

		for (k = n; k > 0 && sorted[k - 1] > v; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = v;
		counts[v % 48]++;
	}
	for (n = 0, k = at % 61; n < 100; n++)
		k = next[k] ^ (next[k] == k ? 1 : 0);
	for (n = 0; n < 32; n++)
		result[at * 40 + n] = sorted[n];
	for (n = 0; n < 6; n++) {
		uint sum = 0, j;

		for (j = 0; j < 8; j++)
			sum = sum * 5 + counts[n * 8 + j];
		result[at * 40 + 32 + n] = sum;
	}
	result[at * 40 + 38] = k;
	result[at * 40 + 39] = sorted[given[at] & 31u];
}
