// SPDX-License-Identifier: GPL-2.0-or-later
// Textures with the common filters: nearest, linear, mipmaps, edges, comparison,
// gathers. Coordinates are multiples of 1/16 of a texel and texels are whole numbers, so
// that each weight and each sum is exact: Vulkan 1.3, "Texel Filtering", requires only
// subTexelPrecisionBits of precision for weights.
#version 450

layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };
layout(binding = 2) uniform usampler2D points;		// r32ui, mipmaps, repeat
layout(binding = 3) uniform sampler2D linear;		// rg32f, mirrored
layout(binding = 4) uniform sampler3D volume;		// r32f, clamp to edge
layout(binding = 5) uniform sampler2DShadow shadow;	// d16, clamp to border
layout(binding = 6) uniform sampler2DArray layers;	// rgba32f, nearest, levels linear
layout(binding = 7) uniform sampler2D texels;	// r32f, unnormalized

uint whole(float v, float most)
{
	return uint(int(round(v * most)));
}

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	uint at = gl_GlobalInvocationID.y * 64 + gl_GlobalInvocationID.x;
	uint x = given[at];
	ivec2 sixteenth = ivec2(x & 2047u, x >> 11 & 2047u) - 512;
	vec2 uv = vec2(sixteenth) / 1024.0;
	float level = float(x >> 28 & 7u);
	vec4 v;

	at *= 12;
	// Never where two texels are equally near
	result[at] = textureLod(points, uv + 1.0 / 4096.0, level).x;
	result[at + 1] = texelFetch(points, (p * 5 & 63) >> int(x & 3u), int(x & 3u)).x;
	v = textureLod(linear, uv, 0);
	result[at + 2] = whole(v.x, 256.0) ^ whole(v.y, 256.0) << 7;
	v = textureLodOffset(linear, uv, 0, ivec2(3, -2));
	result[at + 3] = whole(v.y, 256.0);
	result[at + 4] = whole(textureLod(volume, vec3(uv, float(x >> 24 & 15u) / 16.0),
		0).x, 4096.0);
	result[at + 5] = whole(textureLod(shadow, vec3(uv, 0.5 + 1.0 / 3.0 / 65536.0),
		0), 65536.0);
	v = textureLod(layers, vec3(uv + 1.0 / 4096.0, x >> 30), float(x >> 5 & 31u) / 16.0);
	result[at + 6] = whole(v.x, 16.0) ^ whole(v.w, 16.0) << 16;
	v = textureGather(linear, uv + 1.0 / 4096.0, 1);
	result[at + 7] = uint(round(v.x)) ^ uint(round(v.y)) << 5 ^
		uint(round(v.z)) << 10 ^ uint(round(v.w)) << 15;
	uvec4 g = textureGather(points, uv + 1.0 / 4096.0, 0);
	result[at + 8] = g.x ^ g.y * 3u ^ g.z * 5u ^ g.w * 7u;
	result[at + 9] = whole(textureLod(texels, vec2(sixteenth & 1023) / 16.0, 0).x,
		256.0);
	v = textureGrad(layers, vec3(uv + 1.0 / 4096.0, 1), vec2(4.0 / 64.0, 0),
		vec2(0, 1.0 / 64.0));
	result[at + 10] = whole(v.y, 1.0);
	result[at + 11] = uint(textureQueryLevels(points)) |
		uint(textureSize(layers, 1).x) << 8;
}
