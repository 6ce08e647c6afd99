// SPDX-License-Identifier: GPL-2.0-or-later
// Pairs of 16-bit integers and floats in one register. The floats are small whole
// numbers, quarters and halves, so that all sums and products are exact.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

uint bits(i16vec2 v)
{
	return uint(pack32(v));
}

uint bits(u16vec2 v)
{
	return pack32(v);
}

uint bits(f16vec2 v)
{
	return packFloat2x16(v);
}

void main()
{
	uint at = gl_GlobalInvocationID.x, x = given[at], y = given[at + 1024];
	i16vec2 a = unpack16(int(x)), b = unpack16(int(y));
	u16vec2 u = unpack16(x), w = unpack16(y);
	u16vec2 n = w & u16vec2(15);
	f16vec2 f = f16vec2(a >> i16vec2(8)) * float16_t(0.25);
	f16vec2 g = f16vec2(b >> i16vec2(11));
	f16vec2 h = f16vec2(w & u16vec2(7));

	at *= 16;
	result[at] = bits(a + b);
	result[at + 1] = bits(a - b);
	result[at + 2] = bits(a * b + a);
	result[at + 3] = bits(u << n);
	result[at + 4] = bits(u >> n);
	result[at + 5] = bits(a >> i16vec2(n));
	result[at + 6] = bits(min(a, b)) ^ bits(max(a, b)) * 3u;
	result[at + 7] = bits(min(u, w)) ^ bits(max(u, w)) * 3u;
	result[at + 8] = bits(f + g);
	result[at + 9] = bits(f * g);
	result[at + 10] = bits(fma(f, g, h));
	result[at + 11] = bits(min(f, g)) ^ bits(max(f, h)) * 3u;
	result[at + 12] = bits(clamp(f, float16_t(0), float16_t(1)));
	result[at + 13] = bits(-f.yx + abs(g));
	result[at + 14] = bits(f16vec2(f.x < g.x ? f.x : h.x, f.y < g.x ? g.y : h.y));
	result[at + 15] = bits(i16vec2(trunc(f))) ^ bits(u16vec2(h)) << 3;
}
