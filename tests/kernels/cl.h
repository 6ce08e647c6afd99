/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions by which one kernel source compiles for the GPU (clang, OpenCL C,
 * -cl-std=CL2.0) and for the CPU (C), which computes the expected results.
 *
 * Every kernel has the same arguments: @out and @in hold a number of words per
 * work-item, all work-items share @ctl, and @n is the number of work-items that
 * store a result.
 */
#ifndef KERNELS_CL_H
#define KERNELS_CL_H

#define GROUP_SIZE 64

#ifdef __OPENCL_C_VERSION__

typedef uint u32;
typedef int s32;
typedef ulong u64;

#define GLOBAL __global
#define LOCAL __local
#define KERNEL(name) \
	__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) \
	void name(__global u32 *out, __global const u32 *in, \
		  __global u32 *ctl, u32 n)

#define to_float(x) __builtin_astype(x, float)
#define to_bits(x) __builtin_astype(x, u32)

static inline u32 global_id(void)
{
	return __builtin_amdgcn_workgroup_id_x() * GROUP_SIZE +
	       __builtin_amdgcn_workitem_id_x();
}

#define atomic_op(op, p, v) \
	__opencl_atomic_##op((__global atomic_uint *)(p), v, \
			     memory_order_relaxed, memory_scope_device)
/* s_sendmsg(MSG_INTERRUPT) of the low 23 bits of @v; the second also halts the wave */
#define send_message(v)		__builtin_amdgcn_s_sendmsg(1, v)
#define send_message_and_halt(v) __builtin_amdgcn_s_sendmsghalt(1, v)
/*
 * s_sleep: some 64 * 127 clocks. Loops that wait call this, as otherwise the software GPU
 * would keep a processor busy that the guest needs.
 */
#define pause()			__builtin_amdgcn_s_sleep(127)
#define load_fresh(p) \
	__opencl_atomic_load((__global atomic_uint *)(p), \
			     memory_order_relaxed, memory_scope_all_svm_devices)

#else

#include <stdint.h>
#include <string.h>

typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;

#define GLOBAL
#define LOCAL	/* each work-item has its own, which is enough if it only uses its own elements */
#define KERNEL(name) \
	void name(u32 *out, const u32 *in, u32 *ctl, u32 n); \
	void name(u32 *out, const u32 *in __attribute__((unused)), \
		  u32 *ctl __attribute__((unused)), u32 n)

extern u32 cpu_global_id;

static inline float to_float(u32 x)
{
	float f;

	memcpy(&f, &x, sizeof(f));
	return f;
}

static inline u32 to_bits(float f)
{
	u32 x;

	memcpy(&x, &f, sizeof(x));
	return x;
}

static inline u32 global_id(void)
{
	return cpu_global_id;
}

static inline u32 cpu_fetch_max(u32 *p, u32 v)
{
	u32 old = *p;

	*p = old > v ? old : v;
	return old;
}

static inline u32 cpu_fetch_min(u32 *p, u32 v)
{
	u32 old = *p;

	*p = old < v ? old : v;
	return old;
}

#define __atomic_fetch_max_relaxed(p, v) cpu_fetch_max(p, v)
#define __atomic_fetch_min_relaxed(p, v) cpu_fetch_min(p, v)
#define __atomic_fetch_add_relaxed(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define __atomic_fetch_sub_relaxed(p, v) __atomic_fetch_sub(p, v, __ATOMIC_RELAXED)
#define __atomic_fetch_xor_relaxed(p, v) __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)
#define __atomic_fetch_or_relaxed(p, v) __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define __atomic_fetch_and_relaxed(p, v) __atomic_fetch_and(p, v, __ATOMIC_RELAXED)
#define atomic_op(op, p, v) __atomic_##op##_relaxed(p, v)
#define pause()		((void)0)
#define load_fresh(p) __atomic_load_n(p, __ATOMIC_RELAXED)

/* Messages do nothing on the CPU. */
#define send_message(v)		((void)(v))
#define send_message_and_halt(v) ((void)(v))

#endif

#endif /* KERNELS_CL_H */
