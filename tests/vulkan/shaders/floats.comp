// SPDX-License-Identifier: GPL-2.0-or-later
// Floats, with loops and branches that differ between invocations. The shader uses only
// operations with one correct result (Vulkan 1.3, "Precision and Operation of SPIR-V
// Instructions"): sums, products, comparisons, conversions, roundings. They are `precise',
// because a driver may otherwise fuse a product and a sum.
#version 450

layout(local_size_x = 32, local_size_y = 2) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

float polynomial(float x)
{
	precise float sum = 0.5;

	for (int n = 0; n < 9; n++)
		sum = sum * x + float(n - 4);
	return sum;
}

void main()
{
	uint at = gl_GlobalInvocationID.y * 64 + gl_GlobalInvocationID.x, n = 0;
	uint bits = given[at];
	float x = float(int(bits)) * 4.656612873077393e-10;
	float y = float(given[at + 4096]) * 2.3283064365386963e-10;
	precise float re = 0, im = 0, new;
	precise double wide = double(x) * double(y) + double(bits);

	while (re * re + im * im < 4.0 && n < 200) {
		new = re * re - im * im + (x * 1.5 - 0.5);
		im = 2.0 * re * im + (y * 2.0 - 1.0);
		re = new;
		n++;
	}
	at *= 16;
	result[at] = n;
	result[at + 1] = floatBitsToUint(re);
	result[at + 2] = floatBitsToUint(im);
	result[at + 3] = floatBitsToUint(polynomial(x * 3.0));
	result[at + 4] = floatBitsToUint(floor(x * 100.0) + ceil(y * 100.0));
	result[at + 5] = floatBitsToUint(trunc(x * 1000.0) - roundEven(y * 1000.0));
	result[at + 6] = floatBitsToUint(min(x, y - 0.5)) ^
		floatBitsToUint(max(x, -y)) << 1;
	result[at + 7] = uint(int(x * 1e6)) ^ uint(y * 4e9);
	result[at + 8] = packHalf2x16(vec2(int(bits & 2047u), int(bits >> 24)) * 0.25);
	result[at + 9] = floatBitsToUint(unpackHalf2x16(bits & 0x3bff3bffu).y);
	result[at + 10] = floatBitsToUint(ldexp(x, int(bits & 15u) - 8));
	result[at + 11] = floatBitsToUint(fma(x, 0.5, 0.25));
	result[at + 12] = unpackDouble2x32(wide).x ^ unpackDouble2x32(wide).y;
	result[at + 13] = floatBitsToUint(clamp(x * 2.0, 0.0, 1.0)) ^
		uint(sign(x) + 1.0);
	result[at + 14] = uint(x < y) | uint(x >= -y) << 1 | uint(x == y) << 2 |
		uint(x != -x) << 3;
	result[at + 15] = floatBitsToUint(fract(y * 16.0));
}
