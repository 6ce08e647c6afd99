/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short names of integer types, and the few helpers that every part of vgpu uses.
 */
#ifndef VGPU_TYPES_H
#define VGPU_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(n) (1U << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(h, l) (((~0U) << (l)) & (~0U >> (31 - (h))))
#define FIELD_GET(mask, v) (((v) & (mask)) >> __builtin_ctz(mask))
#define FIELD_PREP(mask, v) (((u32)(v) << __builtin_ctz(mask)) & (mask))

static inline u32 lower_32_bits(u64 v)
{
	return (u32)v;
}

static inline u32 upper_32_bits(u64 v)
{
	return (u32)(v >> 32);
}

static inline u64 make_64(u32 hi, u32 lo)
{
	return (u64)hi << 32 | lo;
}

/* A field in one of several words. Mask 0: the field does not exist. */
struct vgpu_bits {
	u8 word;
	u32 mask;
};

static inline u32 vgpu_bits_get(struct vgpu_bits b, const u32 *words)
{
	return b.mask ? FIELD_GET(b.mask, words[b.word]) : 0;
}

#endif /* VGPU_TYPES_H */
