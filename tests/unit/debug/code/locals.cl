/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables in LDS, whose locations are not in the code object: two in one kernel, one in another,
 * and one of which the compiler keeps parts elsewhere; and an enumeration with a negative value
 */
enum level { LOW = -1, HIGH = 5 };

__kernel void locals(__global int *out, __global const int *in, int n)
{
	__local int first[64];
	__local float second[64];
	int i = __builtin_amdgcn_workitem_id_x();
	enum level level = n < 0 ? LOW : HIGH;

	first[i] = in[i];
	second[i] = in[i] * 0.5f;
	__builtin_amdgcn_s_barrier();
	out[i] = first[(i + n) & 63] + (int)second[(i + 1) & 63] + level;
}

__kernel void alone(__global int *out, __global const int *in, int n)
{
	__local short only[50];
	int i = __builtin_amdgcn_workitem_id_x();

	only[i % 50] = in[i];
	__builtin_amdgcn_s_barrier();
	out[i] = only[(i + n) % 50];
}

/* With optimization, the members of "pair" are variables of their own, which have no symbols. */
__kernel void parts(__global int *out, __global const int *in, int n)
{
	__local struct { int a; long b; } pair;
	__local int rest[4];
	int i = __builtin_amdgcn_workitem_id_x();

	rest[i & 3] = in[i];
	if (!i) {
		pair.a = n;
		pair.b = n + 1;
	}
	__builtin_amdgcn_s_barrier();
	out[i] = rest[(i + n) & 3] + pair.a + (int)pair.b;
}
