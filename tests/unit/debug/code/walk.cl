/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables that clang keeps in several registers and describes without pieces, for
 * test_debug_run.c.
 */
struct forty {
	int numbers[40];
};

/*
 * The first parameter is "DW_OP_bregx v4" in DWARF, and in v4 and v3 in the code, where it was moved.
 * The last one is a constant.
 */
__attribute__((noinline)) static int walk(__global const int *from, int first, int steps)
{
	int total = 0;

	for (int k = 0; k < steps; k++)
		total += from[(first + k) & 63] * k;
	return total;
}

/* The second parameter is "DW_OP_bregx v1" in DWARF, and stays in v[1:2], where the caller puts it. */
__attribute__((noinline)) static int peek(int first, __global const int *early, int steps)
{
	int total = 0;

	for (int k = 0; k < steps; k++)
		total ^= early[(first + k) & 63];
	return total;
}

/* The result is in memory whose address is in v0, with the same DWARF. */
__attribute__((noinline)) struct forty fill(int from)
{
	struct forty result;

	for (int k = 0; k < 40; k++)
		result.numbers[k] = from + k;
	return result;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void walks(__global int *out, __global const int *in, int n)
{
	int i = __builtin_amdgcn_workitem_id_x();
	int first = n > 0;
	struct forty filled = fill(in[i]);

	out[i] = walk(in, first, 9) + peek(first, in, 9) + filled.numbers[i & 31] + filled.numbers[n];
}
