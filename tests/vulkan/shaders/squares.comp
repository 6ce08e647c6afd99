// SPDX-License-Identifier: GPL-2.0-or-later
// One wave computes squares: `make demo-vulkan` debugs this shader.
#version 450

layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) writeonly buffer Output { uint result[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;

	result[i] = i * i;
}
