// SPDX-License-Identifier: GPL-2.0-or-later
// Storage images of several formats and shapes: loads, stores, atomics. The shader moves
// the texels of each image, so that a texel at a wrong address changes the result.
#version 450

layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };
layout(binding = 2, rgba8) uniform image2D bytes;
layout(binding = 3, r32ui) uniform uimage2D counts;
layout(binding = 4, rgba16i) uniform iimage2DArray layers;
layout(binding = 5, rgba32f) uniform image2D wide;
layout(binding = 6, r16f) uniform image2D halves;
layout(binding = 7, rgb10_a2ui) uniform uimage3D volume;
layout(binding = 8, rg8_snorm) uniform image1D line;
layout(binding = 9, rgba16) uniform image2D shorts;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	uint at = gl_GlobalInvocationID.y * 64 + gl_GlobalInvocationID.x;
	uint x = given[at];
	uvec4 v;

	// What was copied there, in bits
	vec4 b = imageLoad(bytes, p);
	v = uvec4(round(b * 255.0));
	result[at * 8] = v.x | v.y << 8 | v.z << 16 | v.w << 24;
	imageStore(bytes, p, b.wzyx);
	ivec4 i = imageLoad(layers, ivec3(p, at % 3));
	result[at * 8 + 1] = uint(i.x ^ i.y << 5 ^ i.z << 10 ^ i.w << 15);
	imageStore(layers, ivec3(p, at % 3), i.yzwx);
	imageStore(wide, p, vec4(x & 0xffffu, p, -1.5) * 0.25);
	imageStore(halves, p, vec4(float(int(x % 4001u) - 2000) * 0.5));
	vec4 s = imageLoad(shorts, p);
	v = uvec4(round(s * 65535.0));
	result[at * 8 + 2] = v.x | v.y << 16;
	result[at * 8 + 3] = v.z | v.w << 16;
	imageStore(shorts, p, s.zwxy);
	v = imageLoad(volume, ivec3(p.x & 31, p.y & 15, at % 8u));
	result[at * 8 + 4] = v.x | v.y << 10 | v.z << 20 | v.w << 30;
	imageStore(line, int(at & 255u), vec4(float(at & 127u) / 127.0, -1, 0, 0));
	// Beyond the edge: stores do nothing
	imageStore(wide, ivec2(64, p.y), vec4(7));
	imageStore(halves, ivec2(p.x, -1), vec4(7));
	// Their order is unknown, but not the result of all together.
	imageAtomicAdd(counts, ivec2(x >> 28, 0), x & 0xffffu);
	imageAtomicMax(counts, ivec2(x >> 28, 1), x);
	imageAtomicMin(counts, ivec2(x >> 28, 2), x);
	imageAtomicXor(counts, ivec2(x >> 28, 3), x);
	imageAtomicOr(counts, ivec2(x >> 28, 4), x & 0x11111111u);
	imageAtomicAnd(counts, ivec2(x >> 28, 5), x | 0x11111111u);
	imageAtomicCompSwap(counts, ivec2(p.x, 6 + (p.y & 7)), x, 0u);
	result[at * 8 + 5] = imageAtomicExchange(counts, p + ivec2(0, 64), x);
	result[at * 8 + 6] = uint(imageSize(volume).z * 64 + imageSize(layers).z);
}
