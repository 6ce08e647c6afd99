/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of many types, for the tests of the debugger. Each one except that of the loop is
 * assigned once, in the line of its declaration, so whenever it can be read, it must have the
 * value that test_debug_run.c computes for its lane.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

struct pair {
	int a;
	float b;
};

typedef struct {
	struct pair first;
	uchar bytes[3];
	ushort wide;
	short narrow;
} record_t;

enum colour { RED = 1, GREEN = 5 };

__constant int table[4] = { 11, 22, 33, 44 };

/* Inlined where there is optimization */
static int mix(int p, int q)
{
	int sum = p * 3 + q;
	int both = sum ^ (p & 0xff);

	return both;
}

/* A call that stays one, with a frame of its own */
__attribute__((noinline)) int touch(__private int *where, int by)
{
	int old = *where;
	int now = old + by;

	*where = now;
	return old * 2;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void vars(__global int *out, __global const int *in, int n)
{
	int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
	__global const int *at = in + i;
	int x = at[0];
	uint u = (uint)x * 2654435761u;
	float f = x * 0.5f;
	double d = f * 3.0;
	long wide = (long)x * 1000003;
	short s = (short)x;
	uchar c = (uchar)u;
	bool odd = x & 1;
	half h = (half)f;
	float4 v = (float4)(f, f + 1.0f, f + 2.0f, f + 3.0f);
	int2 pairs = (int2)(x, -x);
	enum colour colour = odd ? GREEN : RED;
	struct pair p = { x, f };
	record_t r = { { x + 1, f }, { c, 7, 9 }, u & 0x7ff, x & 7 };
	int array[4] = { x, x + 1, x + 2, x + 3 };
	int mixed = mix(x, n);
	int counter = touch(array, i);
	int total = 0;

	for (int k = 0; k < n; k++)
		total += mix(mixed, k) + table[k & 3];
	out[4 * i] = total + counter + array[x & 3] + pairs.y;
	out[4 * i + 1] = (int)(v.x + v.w) + (int)d + (int)wide + s + c + (int)h;
	out[4 * i + 2] = p.a + (int)p.b + r.first.a + r.bytes[x & 1] + r.wide + r.narrow;
	out[4 * i + 3] = colour + u;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void shared(__global int *out, __global const int *in, int n)
{
	__local int one[64];
	int i = __builtin_amdgcn_workitem_id_x();

	one[i] = in[i];
	__builtin_amdgcn_s_barrier();
	out[i] = one[(i + n) & 63];
}
