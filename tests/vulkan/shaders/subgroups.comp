// SPDX-License-Identifier: GPL-2.0-or-later
// Subgroups, whose size differs between drivers. The shader uses groups of four
// consecutive invocations, and operations whose results do not depend on that size.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Input { uint given[]; };
layout(std430, binding = 1) buffer Output { uint result[]; };

shared uint total, largest, ones, equal;

void main()
{
	uint me = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
	uint x = given[at], sum, top;
	uvec4 ballot;

	if (me == 0) {
		total = 0;
		largest = 0;
		ones = 0;
		equal = 0;
	}
	barrier();
	result[at * 16] = subgroupQuadBroadcast(x, 2);
	result[at * 16 + 1] = subgroupQuadSwapHorizontal(x);
	result[at * 16 + 2] = subgroupQuadSwapVertical(x) ^
		subgroupQuadSwapDiagonal(x) * 5u;
	result[at * 16 + 3] = subgroupClusteredAdd(x, 4);
	result[at * 16 + 4] = subgroupClusteredXor(x, 2);
	result[at * 16 + 5] = subgroupClusteredMax(x, 4);
	result[at * 16 + 6] = uint(subgroupClusteredMin(int(x), 4));
	result[at * 16 + 7] = subgroupShuffleXor(x, 3u);
	result[at * 16 + 8] = subgroupShuffle(x, (gl_SubgroupInvocationID & ~3u) |
		(x & 3u));
	sum = subgroupInclusiveAdd(x);
	top = subgroupExclusiveAdd(x);
	result[at * 16 + 9] = sum - top;
	// Within four: what came before them in the subgroup is taken away.
	result[at * 16 + 10] = sum - subgroupShuffle(top,
		gl_SubgroupInvocationID & ~3u);
	ballot = subgroupBallot((x & 1u) != 0);
	result[at * 16 + 11] = uint(subgroupInverseBallot(ballot)) |
		uint(subgroupBallotBitExtract(ballot,
			gl_SubgroupInvocationID ^ 1u)) << 1;
	// Only some of them take part.
	if ((x & 6u) != 0)
		result[at * 16 + 12] = subgroupClusteredOr(x & 0xf0f0f0f0u, 4);
	sum = subgroupAdd(x >> 8);
	top = subgroupMax(x);
	if (subgroupElect()) {
		atomicAdd(total, sum);
		atomicMax(largest, top);
		atomicAdd(ones, subgroupBallotBitCount(ballot));
		atomicOr(equal, subgroupAllEqual(given[gl_WorkGroupID.x]) ? 1 : 2);
	}
	atomicOr(equal, subgroupAny(x > 0xf0000000u) ? 4 : 0);
	barrier();
	result[at * 16 + 13] = total;
	result[at * 16 + 14] = largest;
	result[at * 16 + 15] = ones << 8 | equal;
}
