/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two variables in LDS, whose locations are not in the code object; and an enumeration with a
 * negative value
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
