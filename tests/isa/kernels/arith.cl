/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels for which the compiler uses many instructions, to compare the interpreter with the
 * CPU. in: 4 words per work-item, out: 16.
 */
#include "cl.h"

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define to_double(x) __builtin_astype((u64)(x), double)
#define of_double(x) __builtin_astype(x, u64)
#define to_half(x) __builtin_astype((unsigned short)(x), half)
#define of_half(x) __builtin_astype(x, unsigned short)
typedef long s64;
typedef unsigned short u16;
typedef short s16;
typedef unsigned char u8;
typedef signed char s8;
#define NOINLINE __attribute__((noinline))
#define atomic64_op(op, p, v) \
	__opencl_atomic_##op((__global atomic_ulong *)(p), v, \
			     memory_order_relaxed, memory_scope_device)
#define atomic_swap(p, v) \
	__opencl_atomic_exchange((__global atomic_uint *)(p), v, \
				 memory_order_relaxed, memory_scope_device)
#define atomic_inc(p, v) \
	__builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, "agent")
#define atomic_dec(p, v) \
	__builtin_amdgcn_atomic_dec32(p, v, __ATOMIC_RELAXED, "agent")
#define atomic_smax(p, v) \
	__opencl_atomic_fetch_max((__global atomic_int *)(p), v, \
				  memory_order_relaxed, memory_scope_device)
#define atomic_smin(p, v) \
	__opencl_atomic_fetch_min((__global atomic_int *)(p), v, \
				  memory_order_relaxed, memory_scope_device)

static u32 atomic_cas(__global u32 *p, u32 cmp, u32 v)
{
	__opencl_atomic_compare_exchange_strong((__global atomic_uint *)p,
						(private u32 *)&cmp, v,
						memory_order_relaxed,
						memory_order_relaxed,
						memory_scope_device);
	return cmp;
}
#else
typedef int64_t s64;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint8_t u8;
typedef int8_t s8;
typedef _Float16 half;
#define NOINLINE __attribute__((noinline))

static inline double to_double(u64 x)
{
	double f;

	memcpy(&f, &x, 8);
	return f;
}

static inline u64 of_double(double f)
{
	u64 x;

	memcpy(&x, &f, 8);
	return x;
}

static inline half to_half(u16 x)
{
	half f;

	memcpy(&f, &x, 2);
	return f;
}

static inline u16 of_half(half f)
{
	u16 x;

	memcpy(&x, &f, 2);
	return x;
}

#define atomic64_op(op, p, v) __atomic_##op((u64 *)(p), v, __ATOMIC_RELAXED)

static inline u32 atomic_swap(u32 *p, u32 v)
{
	return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}

static inline u32 atomic_cas(u32 *p, u32 cmp, u32 v)
{
	u32 old = *p;

	*p = old == cmp ? v : old;
	return old;
}

static inline u32 atomic_inc(u32 *p, u32 v)
{
	u32 old = *p;

	*p = old >= v ? 0 : old + 1;
	return old;
}

static inline u32 atomic_dec(u32 *p, u32 v)
{
	u32 old = *p;

	*p = old == 0 || old > v ? v : old - 1;
	return old;
}

static inline u32 atomic_smax(u32 *p, s32 v)
{
	u32 old = *p;

	*p = (s32)old > v ? old : (u32)v;
	return old;
}

static inline u32 atomic_smin(u32 *p, s32 v)
{
	u32 old = *p;

	*p = (s32)old < v ? old : (u32)v;
	return old;
}
#endif

#define PROLOGUE \
	u32 i = global_id(); \
	u32 a = in[4 * i], b = in[4 * i + 1]; \
	u32 c = in[4 * i + 2], d = in[4 * i + 3]; \
	GLOBAL u32 *o = out + 16 * i; \
	if (i >= n) \
		return; \
	(void)c; (void)d

/* NaNs differ in sign and payload between machines; only that they are. */
static inline u32 f32_bits(float f)
{
	return f != f ? 0x7fc00000 : to_bits(f);
}

static inline u64 f64_bits(double f)
{
	return f != f ? 0x7ff8000000000000ul : of_double(f);
}

KERNEL(int32)
{
	PROLOGUE;
	o[0] = a + b * c - d;
	o[1] = (u32)((s32)a >> (b & 31)) ^ (c << (d & 31)) ^ (a >> (c & 31));
	o[2] = a < b ? c : d;
	o[3] = (s32)a < (s32)b ? (u32)-(s32)c : ~d;
	o[4] = (a & b) | (~a & c);
	o[5] = (a ^ b) + c;
	o[6] = ((a + b) << 3) + d;
	o[7] = (a << 2) | b;
	o[8] = (u32)((u64)a * b >> 32);
	o[9] = (u32)((s64)(s32)a * (s32)b >> 32);
	o[10] = (a & 0xffffff) * (b & 0xffffff) + c;
	o[11] = (a >> 5 & 0x1ff) + (u32)((s32)(b << 7) >> 20);
	o[12] = a == b || (c != d && a >= c);
	o[13] = (a << 7 | a >> 25) ^ (b << (c & 31) | b >> (-c & 31));
	o[14] = (s32)a < 0 ? -a : a;
	o[15] = a > b ? a - b : b - a;
}

KERNEL(int64)
{
	PROLOGUE;
	u64 x = (u64)a << 32 | b, y = (u64)c << 32 | d;

	o[0] = (u32)(x + y);
	o[1] = (u32)((x + y) >> 32);
	o[2] = (u32)(x - y);
	o[3] = (u32)((x - y) >> 32);
	o[4] = (u32)(x * y);
	o[5] = (u32)(x * y >> 32);
	o[6] = (u32)(x << (d & 63));
	o[7] = (u32)(x << (d & 63) >> 32);
	o[8] = (u32)(x >> (d & 63));
	o[9] = (u32)((s64)x >> (d & 63) >> 16);
	o[10] = x < y;
	o[11] = (s64)x < (s64)y;
	o[12] = x == y;
	x = x > y ? x - y : y - x;
	o[13] = (u32)(x / (y | 1));
	o[14] = (u32)((s64)x % (s64)(c | 1));
	o[15] = (u32)((u64)a * b + x);
}

KERNEL(divisions)
{
	PROLOGUE;
	u32 y = b ? b : 1;
	s32 z = (s32)c == 0 || (s32)c == -1 ? 7 : (s32)c;

	o[0] = a / y;
	o[1] = a % y;
	o[2] = (u32)((s32)a / z);
	o[3] = (u32)((s32)a % z);
	o[4] = a / 10;
	o[5] = (u32)((s32)a / 1000);
	o[6] = (a & 0xffff) / (y & 0xff ? y & 0xff : 1);
	o[7] = a % ((d & 15) + 1);
}

KERNEL(bits)
{
	PROLOGUE;
	o[0] = __builtin_popcount(a);
	o[1] = a ? __builtin_clz(a) : 32;
	o[2] = a ? __builtin_ctz(a) : 32;
	o[3] = __builtin_popcountl((u64)a << 32 | b);
	o[4] = a << 24 | (a & 0xff00) << 8 | (a >> 8 & 0xff00) | a >> 24;
	o[5] = (a & 0xff) | (b & 0xff) << 8 | (c & 0xff) << 16 | d << 24;
	o[6] = (u32)(((u64)a << 32 | b) >> (c & 31));
	o[7] = a >> 8 & 255;
	o[8] = (u32)(s32)(s8)(a >> 16);
	o[9] = (u32)(s32)(s16)b;
	o[10] = (u32)(((u64)a << 32 | b) & ((u64)c << 32 | d));
	o[11] = a ^ b ^ c;
	o[12] = a | b | c;
	o[13] = (a & b) | c;
	o[14] = a + b + c;
	o[15] = ((a & 0xffff) | b << 16) + ((c >> 16) | (d & 0xffff0000));
}

KERNEL(narrow)
{
	PROLOGUE;
	GLOBAL u8 *bytes = (GLOBAL u8 *)(out + 16 * i);
	GLOBAL u16 *shorts = (GLOBAL u16 *)(out + 16 * i + 8);
	GLOBAL const u8 *from = (GLOBAL const u8 *)(in + 4 * i);
	GLOBAL const s16 *words = (GLOBAL const s16 *)(in + 4 * i);
	u32 k;

	for (k = 0; k < 16; k++)
		bytes[k] = from[k] * 3 + from[(k + 1) & 15];
	for (k = 0; k < 8; k++)
		bytes[16 + k] = (u8)((s8)from[k] >> 2);
	o[6] = a;
	o[7] = b;
	for (k = 0; k < 8; k++)
		shorts[k] = (u16)(words[k] * 5 - words[7 - k]);
	for (k = 0; k < 4; k++)
		shorts[8 + k] = (u16)words[k] > (u16)words[k + 4] ?
				(u16)words[k] >> 3 : (u16)(words[k + 4] << 2);
	o[14] = (u32)((u16)(a * b) / 3);
	o[15] = (u32)(u8)(c + d) << (d & 7);
}

/* Small numbers, so that conversions are defined in C. */
static inline float small(u32 x)
{
	return (float)(s32)x * (1.0f / 4096.0f);
}

KERNEL(convert)
{
	PROLOGUE;
	float x = small(a), y = small(b);

	o[0] = to_bits((float)(s32)a);
	o[1] = to_bits((float)b);
	o[2] = (u32)(s32)x;
	o[3] = (u32)(y < 0 ? -y : y);
	o[4] = to_bits((float)(a & 255) + (float)(a >> 8 & 255));
	o[5] = to_bits((float)(a >> 16 & 255) - (float)(a >> 24));
	o[6] = to_bits((float)(s64)((u64)a << 32 | b));
	o[7] = to_bits((float)((u64)c << 32 | d));
	o[8] = to_bits((float)(double)x);
	o[9] = (u32)(s32)((double)x * 3.0);
	o[10] = (u32)((double)(a >> 3) / 5.0);
	o[11] = to_bits(__builtin_truncf(x) + __builtin_floorf(y));
	o[12] = to_bits(__builtin_ceilf(x) - __builtin_rintf(y));
	o[13] = (u32)((s64)x * 7);
	o[14] = to_bits((float)(s16)a);
	o[15] = to_bits((float)(double)(s32)d);
}

KERNEL(floats)
{
	PROLOGUE;
	float x = to_float(a), y = to_float(b), z = to_float(c);

	o[0] = f32_bits(x + y);
	o[1] = f32_bits(x - y);
	o[2] = f32_bits(x * y);
	o[3] = f32_bits(__builtin_fmaf(x, y, z));
	o[4] = f32_bits(__builtin_fmaf(-x, y, -z));
	o[5] = f32_bits(x * 2.0f + y * 0.5f);
	o[6] = x < y ? f32_bits(x) : f32_bits(y);
	o[7] = (x == y) | (x != z) << 1 | (x > z) << 2 | (y >= z) << 3 |
	       (x <= z) << 4 | !(x < z) << 5 | !(y > x) << 6;
	o[8] = f32_bits(__builtin_fabsf(x) + -__builtin_fabsf(y));
	o[9] = f32_bits(x * 1.5f - 4.25f);
	o[10] = f32_bits(__builtin_fminf(x + 0.0f, y + 0.0f));
	o[11] = f32_bits(__builtin_fmaxf(x + 0.0f, z + 0.0f));
	o[12] = __builtin_isnan(x) | __builtin_isinf(y) << 1;
	o[13] = f32_bits(__builtin_copysignf(x, y));
	o[14] = f32_bits(-(x + y) * z);
	o[15] = f32_bits(x * x * x);
}

KERNEL(divf)
{
	PROLOGUE;
	float x = to_float(a), y = to_float(b);

	o[0] = f32_bits(x / y);
	o[1] = f32_bits(1.0f / y);
	o[2] = f32_bits(to_float(c) / to_float(d));
	o[3] = f32_bits(small(c) / small(d));
	o[4] = f32_bits(__builtin_sqrtf(__builtin_fabsf(x)));
	o[5] = f32_bits(__builtin_sqrtf(small(c & 0x7fffffff)));
	o[6] = f32_bits(x / 3.0f);
}

KERNEL(doubles)
{
	PROLOGUE;
	double x = to_double((u64)a << 32 | b), y = to_double((u64)c << 32 | d);
	double z = (double)(s32)a * 0.001;
	u64 r;

	r = f64_bits(x + y);
	o[0] = (u32)r;
	o[1] = (u32)(r >> 32);
	r = f64_bits(x * y);
	o[2] = (u32)r;
	o[3] = (u32)(r >> 32);
	r = f64_bits(__builtin_fma(x, z, y));
	o[4] = (u32)r;
	o[5] = (u32)(r >> 32);
	r = f64_bits(x / y);
	o[6] = (u32)r;
	o[7] = (u32)(r >> 32);
	r = f64_bits(__builtin_sqrt(__builtin_fabs(x)));
	o[8] = (u32)r;
	o[9] = (u32)(r >> 32);
	o[10] = (x < y) | (x == y) << 1 | (x >= z) << 2 | (x != x) << 3;
	o[11] = f32_bits((float)x);
	r = f64_bits(z / 7.0 - y);
	o[12] = (u32)r;
	o[13] = (u32)(r >> 32);
	r = f64_bits(__builtin_floor(z) + __builtin_trunc(z * 3.5));
	o[14] = (u32)r;
	o[15] = (u32)(r >> 32);
}

KERNEL(halves)
{
	PROLOGUE;
	half x = to_half(a), y = to_half(b);
	half s = (half)small(c & 0xffff), t = (half)small(d & 0xfffff);

	o[0] = of_half(s + t);
	o[1] = of_half(s * t);
	o[2] = of_half(s - t);
	o[3] = f32_bits((float)x);
	o[4] = of_half(s) ^ of_half(t) << 16;
	o[5] = x < y;
	o[6] = of_half(t * (half)2.0f + (half)1.0f);
	o[7] = of_half((half)(s16)(a & 0x7ff));
}

/* Indexes that only run-time knows: scratch memory */
KERNEL(scratch)
{
	u32 own[32];
	u32 k;
	PROLOGUE;

	for (k = 0; k < 32; k++)
		own[k] = a * k + b;
	for (k = 0; k < 40; k++)
		own[(c >> (k & 15)) & 31] ^= own[(d >> (k & 7)) & 31] + k;
	for (k = 0; k < 16; k++)
		o[k] = own[k] + own[31 - k];
}

static NOINLINE u32 mix(u32 x, u32 y)
{
	u32 k;

	for (k = 0; k < (y & 7) + 1; k++)
		x = x * 2654435761u + k;
	return x;
}

KERNEL(calls)
{
	PROLOGUE;
	u32 k, x = a;

	for (k = 0; k < 8; k++) {
		x = mix(x, b >> k);
		o[k] = x;
		if (x & 1)
			x = mix(x ^ c, d);
		o[8 + k] = x;
	}
}

KERNEL(branches)
{
	PROLOGUE;
	u32 k, s = 0, t = 1;

	for (k = 0; k < (a & 63); k++) {
		switch ((b >> (k & 15)) & 7) {
		case 0:
			s += c;
			break;
		case 1:
			s ^= d;
			continue;
		case 2:
			s = s << 3 | s >> 29;
			break;
		case 3:
			t = t * 3 + s;
			break;
		case 4:
			if (s & 1)
				goto out;
			s += k;
			break;
		default:
			t ^= s;
			break;
		}
		while (s > 0xf0000000)
			s >>= 1;
	}
out:
	o[0] = s;
	o[1] = t;
	o[2] = k;
}

/* Atomics that return what was there, each work-item its own words. */
KERNEL(atomics_own)
{
	PROLOGUE;
	u32 k;

	for (k = 0; k < 12; k++)
		o[k] = a + k * b;
	o[12] = atomic_op(fetch_add, &o[0], c) ^ atomic_op(fetch_sub, &o[1], d);
	o[13] = atomic_op(fetch_and, &o[2], c) ^ atomic_op(fetch_or, &o[3], d);
	o[14] = atomic_op(fetch_xor, &o[4], c) + atomic_swap(&o[5], d) +
		atomic_cas(&o[6], d & 1 ? a + 6 * b : 0, c);
	o[15] = atomic_inc(&o[7], d) ^ atomic_dec(&o[8], d) ^
		atomic_smax(&o[9], (s32)c) ^ atomic_smin(&o[10], (s32)d);
}

/* All work-items on the same words, nothing returned. */
KERNEL(atomics_shared)
{
	PROLOGUE;
	GLOBAL u64 *wide = (GLOBAL u64 *)(ctl + 32);

	atomic_op(fetch_add, &ctl[16], a);
	atomic_op(fetch_sub, &ctl[17], b);
	atomic_op(fetch_xor, &ctl[18], a + b);
	atomic_op(fetch_or, &ctl[19], a & 0x11111111);
	atomic_op(fetch_and, &ctl[20], b | 0xeeeeeeee);
	atomic_op(fetch_max, &ctl[21], c);
	atomic_op(fetch_min, &ctl[22], d);
	atomic_op(fetch_add, &ctl[23], 1);
	atomic_smax(&ctl[24], (s32)a);
	atomic_smin(&ctl[25], (s32)b);
	atomic_inc(&ctl[26], 1000000);
	atomic64_op(fetch_add, &wide[0], (u64)a << 20 | b);
	atomic64_op(fetch_sub, &wide[1], (u64)c << 9 | d);
	atomic64_op(fetch_xor, &wide[2], (u64)c << 32 | d);
	atomic64_op(fetch_or, &wide[3], (u64)a << 32 | b);
	atomic64_op(fetch_and, &wide[4], ~((u64)(a & 15) << 33));
	o[0] = a;
}

/* Wide loads and stores, and addresses that are not aligned to their size */
KERNEL(wide)
{
	PROLOGUE;
	GLOBAL const u64 *from = (GLOBAL const u64 *)(in + 4 * i);
	GLOBAL u64 *to = (GLOBAL u64 *)(out + 16 * i);
	u64 x = from[0], y = from[1];

	to[0] = x + y;
	to[1] = x ^ y;
	to[2] = y;
	to[3] = x;
	o[8] = a + 1;
	o[9] = b + 1;
	o[10] = c + 1;
	o[11] = d + 1;
	o[12] = a;
	o[13] = b;
	o[14] = c;
}
