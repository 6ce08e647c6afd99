/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros for loops over lanes. A vector register is an array with one element per lane, and
 * the compiler makes vector instructions of a loop over 32 elements that does only
 * arithmetic. So each operation has one such loop, in two variants: for all lanes active,
 * and with a mask of active lanes.
 */
#ifndef VGPU_ISA_LANES_H
#define VGPU_ISA_LANES_H

#include "isa/exec/fmath.h"

#include <xmmintrin.h>

/* BIT(lane) as an array, because shifts by a variable are slow without AVX2. */
extern const u32 vgpu_lane_bit[32];

static inline const u32 *vgpu_row(const struct vgpu_isa_state *c,
				  const struct vgpu_insn *i, unsigned int k)
{
	return vgpu_source(c, i, k);
}

/* ROW_type(c, i, k): get the row of a source. */
#define ROW__(c, i, k) NULL
#define ROW_U32(c, i, k) vgpu_row(c, i, k)
#define ROW_I32 ROW_U32
#define ROW_B32 ROW_U32
#define ROW_F32 ROW_U32
#define ROW_KF32 ROW_U32
#define ROW_KF16 ROW_U32
#define ROW_PF16 ROW_U32
#define ROW_PI16 ROW_U32
#define ROW_DF32 ROW_U32
#define ROW_DB32 ROW_U32
#define ROW_U16 ROW_U32
#define ROW_I16 ROW_U32
#define ROW_B16 ROW_U32
#define ROW_F16 ROW_U32
#define ROW_DF16 ROW_U32
#define ROW_U64(c, i, k) vgpu_row(c, i, k)
#define ROW_I64 ROW_U64
#define ROW_B64 ROW_U64
#define ROW_F64 ROW_U64
#define ROW_M(c, i, k) NULL

/* BITS_type(c, i, k): read a source that is a lane mask; others: 0. */
#define BITS_M(c, i, k) vgpu_read_mask(c, i, k)
#define BITS__(c, i, k) 0
#define BITS_U32 BITS__
#define BITS_I32 BITS__
#define BITS_B32 BITS__
#define BITS_F32 BITS__
#define BITS_KF32 BITS__
#define BITS_KF16 BITS__
#define BITS_PF16 BITS__
#define BITS_PI16 BITS__
#define BITS_DF32 BITS__
#define BITS_DB32 BITS__
#define BITS_U16 BITS__
#define BITS_I16 BITS__
#define BITS_B16 BITS__
#define BITS_F16 BITS__
#define BITS_DF16 BITS__
#define BITS_U64 BITS__
#define BITS_I64 BITS__
#define BITS_B64 BITS__
#define BITS_F64 BITS__

/* GET_type(p, l, m): get the value of lane l from row p; m: the bits of a lane mask. */
#define GET__(p, l, m) 0
#define GET_U32(p, l, m) ((p)[l])
#define GET_B32 GET_U32
#define GET_DB32 GET_U32
#define GET_PF16 GET_U32
#define GET_PI16 GET_U32
#define GET_I32(p, l, m) ((s32)(p)[l])
#define GET_F32(p, l, m) vgpu_as_f32((p)[l])
#define GET_KF32 GET_F32
#define GET_DF32 GET_F32
#define GET_U16(p, l, m) ((u16)(p)[l])
#define GET_B16 GET_U16
#define GET_I16(p, l, m) ((s16)(p)[l])
#define GET_F16(p, l, m) vgpu_f16_read(ctx, (p)[l] & 0xffff)
#define GET_DF16 GET_F16
#define GET_KF16 GET_F16
#define GET_U64(p, l, m) make_64((p)[(l) + VGPU_LANES], (p)[l])
#define GET_B64 GET_U64
#define GET_I64(p, l, m) ((s64)GET_U64(p, l, m))
#define GET_F64(p, l, m) vgpu_as_f64(GET_U64(p, l, m))
#define GET_M(p, l, m) ((m) & vgpu_lane_bit[k])

/*
 * LIVE_type(x, m): get a source of an operation with a float result; for an inactive lane
 * 1.0, so that the CPU raises no exception for it.
 */
#define LIVE__(x, m) (x)
#define LIVE_U32(x, m) (((x) & (m)) | (0x3f800000 & ~(m)))
#define LIVE_I32(x, m) ((s32)LIVE_U32((u32)(x), m))
#define LIVE_B32 LIVE_U32
#define LIVE_F32(x, m) vgpu_as_f32(LIVE_U32(vgpu_of_f32(x), m))
#define LIVE_KF32 LIVE_F32
#define LIVE_KF16 LIVE__
#define LIVE_PI16 LIVE__
#define LIVE_DB32 LIVE__
#define LIVE_PF16(x, m) (((x) & (m)) | (0x3c003c00 & ~(m)))
#define LIVE_DF32 LIVE_F32
#define LIVE_F64(x, m) vgpu_live_f64(x, m)
#define LIVE_U16 LIVE__
#define LIVE_I16 LIVE__
#define LIVE_B16 LIVE__
#define LIVE_F16 LIVE__
#define LIVE_DF16 LIVE__
#define LIVE_U64 LIVE__
#define LIVE_I64 LIVE__
#define LIVE_B64 LIVE__
#define LIVE_M LIVE__

/* Can the CPU raise exceptions for a result of the type? */
static inline bool vgpu_raises(enum vgpu_type dst)
{
	return dst == VGPU_T_F32 || dst == VGPU_T_F64;
}

static inline double vgpu_live_f64(double x, u32 m)
{
	u64 mask = m ? ~0ULL : 0;

	return vgpu_as_f64((vgpu_of_f64(x) & mask) |
			   (0x3ff0000000000000ULL & ~mask));
}

/* TYPE_type: the C type of a value */
#define TYPE__ u32
#define TYPE_U32 u32
#define TYPE_B32 u32
#define TYPE_DB32 u32
#define TYPE_PF16 u32
#define TYPE_PI16 u32
#define TYPE_I32 s32
#define TYPE_F32 float
#define TYPE_KF32 float
#define TYPE_DF32 float
#define TYPE_U16 u16
#define TYPE_B16 u16
#define TYPE_I16 s16
#define TYPE_F16 double
#define TYPE_DF16 double
#define TYPE_KF16 double
#define TYPE_U64 u64
#define TYPE_B64 u64
#define TYPE_I64 s64
#define TYPE_F64 double
#define TYPE_M u32

/* PUT_type(d, l, v, m): write lane l of row d, in the bits of the lane's mask m. */
#define PUT_BITS(d, l, v, m) ((d)[l] = ((v) & (m)) | ((d)[l] & ~(m)))
#define PUT_U32(d, l, v, m) PUT_BITS(d, l, (u32)(v), m)
#define PUT_B32 PUT_U32
#define PUT_PF16 PUT_U32
#define PUT_PI16 PUT_U32
#define PUT_I32 PUT_U32
#define PUT_F32(d, l, v, m) PUT_BITS(d, l, vgpu_of_f32(v), m)
#define PUT_U16(d, l, v, m) PUT_BITS(d, l, (u32)(v), (m) & 0xffff)
#define PUT_B16 PUT_U16
#define PUT_I16 PUT_U16
#define PUT_F16(d, l, v, m) PUT_BITS(d, l, vgpu_f16_from(ctx, v), (m) & 0xffff)
#define PUT_CF16(d, l, v, m) \
	PUT_BITS(d, l, vgpu_f16_same(ctx, v), (m) & 0xffff)
#define PUT_U64(d, l, v, m) do { \
		u64 v64 = (v); \
		PUT_BITS(d, l, (u32)v64, m); \
		PUT_BITS(d, (l) + VGPU_LANES, (u32)(v64 >> 32), m); \
	} while (0)
#define PUT_B64 PUT_U64
#define PUT_I64(d, l, v, m) PUT_U64(d, l, (u64)(v), m)
#define PUT_F64(d, l, v, m) PUT_U64(d, l, vgpu_of_f64(v), m)

/*
 * MXCSR: the default (exceptions masked, rounding to nearest, denormals are kept); the flags
 * of exceptions, which have the order of WAVE_EXCP_*; denormal sources are zeros
 */
#define VGPU_MXCSR_DEFAULT	0x1f80
#define VGPU_MXCSR_FLAGS	GENMASK(5, 0)
#define VGPU_MXCSR_DAZ		BIT(6)

/* Set rounding and denormals. The flags stay, because they are exceptions of the wave. */
static inline void vgpu_set_csr(u32 csr)
{
	_mm_setcsr(csr | (_mm_getcsr() & VGPU_MXCSR_FLAGS));
}

/* Can an operation need another MXCSR than csr32? */
static inline bool vgpu_csr_wide(enum vgpu_type dst, enum vgpu_type src)
{
	return src == VGPU_T_F64 || src == VGPU_T_F16 || dst == VGPU_T_F16 ||
	       dst == VGPU_T_PF16;
}

/*
 * Get MXCSR for an operation from the types of its destination and first source. MODE has
 * separate rounding and denormals for floats of other widths than 32 bits; a conversion from
 * 64 to 32 bits combines the denormal modes of both.
 */
static inline u32 vgpu_csr(const struct vgpu_isa_state *c, enum vgpu_type dst,
			   enum vgpu_type src)
{
	if (!vgpu_csr_wide(dst, src))
		return c->csr32;
	return src == VGPU_T_F64 && dst == VGPU_T_F32 ? c->csr64to32 : c->csr64;
}

/* Execute BODY for 32 lanes from start on, which should be a constant for the compiler. */
#define VGPU_32_LANES(start, mask, BODY) do { \
		const size_t base = (start); \
		size_t k; \
		\
		_Pragma("GCC ivdep") \
		for (k = 0; k < 32; k++) { \
			const size_t l = base + k; \
			const u32 m = (mask); \
			BODY; \
		} \
	} while (0)

/*
 * Execute BODY, which uses the lane number l and the mask m, for the active lanes. The
 * pragma ivdep says that lanes are independent of each other, also if the destination is
 * one of the sources.
 */
#define FOR_LANES(c, BODY) do { \
		if (__builtin_expect((c)->full32, true)) { \
			VGPU_32_LANES(0, ~0U, BODY); \
		} else if ((c)->full) { \
			VGPU_32_LANES(0, ~0U, BODY); \
			VGPU_32_LANES(32, ~0U, BODY); \
		} else { \
			const bool more = (c)->lanes > 32; \
			\
			VGPU_32_LANES(0, (c)->mask[l], BODY); \
			if (more) \
				VGPU_32_LANES(32, (c)->mask[l], BODY); \
		} \
	} while (0)

#endif /* VGPU_ISA_LANES_H */
