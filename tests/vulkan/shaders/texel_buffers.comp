// SPDX-License-Identifier: GPL-2.0-or-later
// Buffers with a format: loads that convert, stores that convert back, atomics. The shader
// rounds normalized numbers to the whole numbers that they represent, because Vulkan 1.3,
// "Conversion from Normalized Fixed-Point to Floating-Point", leaves the last bit open.
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };
layout(binding = 2) uniform textureBuffer bytes;		// rgba8
layout(binding = 3) uniform itextureBuffer signs;		// rg16i
layout(binding = 4) uniform utextureBuffer packed;		// a2b10g10r10
layout(binding = 5) uniform textureBuffer halves;		// r16f
layout(binding = 6, r32ui) uniform uimageBuffer counts;
layout(binding = 7, rgba8_snorm) uniform imageBuffer norms;
layout(binding = 8, rgba16f) uniform imageBuffer floats;
layout(binding = 9) uniform textureBuffer small;		// b10g11r11

uint whole(vec4 v, float most)
{
	ivec4 i = ivec4(round(v * most));

	return uint(i.x & 255) | uint(i.y & 255) << 8 | uint(i.z & 255) << 16 |
		uint(i.w & 255) << 24;
}

void main()
{
	int at = int(gl_GlobalInvocationID.x);
	uint x = given[at];
	ivec4 s = texelFetch(signs, at);
	uvec4 p = texelFetch(packed, at);
	float h = texelFetch(halves, at).x;
	vec3 f = texelFetch(small, at).xyz;

	result[at * 8] = whole(texelFetch(bytes, at), 255);
	result[at * 8 + 1] = uint(s.x) ^ uint(s.y) << 16 ^ uint(s.w);
	result[at * 8 + 2] = p.x | p.y << 10 | p.z << 20 | p.w << 30;
	result[at * 8 + 3] = isnan(h) ? 1 : floatBitsToUint(h);
	result[at * 8 + 4] = whole(imageLoad(norms, at), 127);
	imageStore(norms, at, vec4(ivec4(uvec4(x, x >> 8, x >> 16, x >> 24) % 255u) -
		127) / 127.0);
	imageStore(floats, at, vec4(int(x & 2047u) - 1024, float(x >> 21) * 0.125,
		float(x & 7u), -2));
	imageAtomicAdd(counts, at & 15, x);
	imageAtomicMax(counts, 16 + (at & 15), x);
	imageAtomicXor(counts, 32 + (at & 15), x);
	result[at * 8 + 5] = any(isnan(f)) ? 1 : floatBitsToUint(f.x) ^
		floatBitsToUint(f.y) << 1 ^ floatBitsToUint(f.z) << 2;
	result[at * 8 + 6] = uint(textureSize(halves)) ^ uint(imageSize(floats)) << 16;
}
