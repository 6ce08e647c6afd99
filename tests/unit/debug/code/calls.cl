/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls, for the tests of call chains: nested, in a loop, recursive, from a branch that only some
 * lanes take, inlined, and as the last thing that a function does.
 */
__attribute__((noinline)) int leaf(__private int *where, int by)
{
	int old = *where;

	*where = old + by;
	return old * 2;
}

/* Inlined where there is optimization */
static int helper(int a, int b, __private int *where)
{
	int inner = (a * 5) ^ b;

	return inner + leaf(where, b);
}

__attribute__((noinline)) int middle(int x, int by)
{
	int pad[3] = { x, by, x ^ by };
	int kept = leaf(&pad[by & 1], by);

	kept += helper(kept, pad[2], &pad[1]);
	return kept + leaf(&pad[2], kept) + pad[0] + x;
}

__attribute__((noinline)) int outer(int x, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += middle(x + i, n) + x;
	return sum;
}

__attribute__((noinline)) int last(int x, int n)
{
	return outer(x + 1, n);
}

__attribute__((noinline)) int again(int depth, int x)
{
	int pad[2] = { depth, x };
	int below;

	if (depth <= 1)
		return x;
	below = again(depth - 1, x + pad[depth & 1]);
	return depth * below + pad[x & 1];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void calls(__global int *out, __global const int *in, int n)
{
	int i = __builtin_amdgcn_workitem_id_x();
	int v = outer(in[i], n);

	if (i & 1)
		v += middle(v, 7);
	v += last(v, n - 1);
	out[i] = v + again(n + 1, i);
}
