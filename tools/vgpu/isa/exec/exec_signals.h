/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions for signalling NaNs and denormals among the sources of floating-point
 * operations: see excp.c. Included by exec_valu.h, so it is compiled for two kinds of CPU.
 */
#ifndef VGPU_ISA_EXEC_SIGNALS_H
#define VGPU_ISA_EXEC_SIGNALS_H

#include "isa/exec/excp.h"
#include "isa/exec/lanes.h"

/* Returns non-zero if there is a NaN or a denormal among 32 lanes. */
static inline u32 loud_32(const u32 *v)
{
	u32 loud = 0;
	size_t l;

	for (l = 0; l < 32; l++) {
		/* Remove the sign. The sum wraps for NaNs, so one comparison finds both. */
		const u32 x = v[l] << 1;

		loud |= x && x + 0x00ffffff < 0x01ffffff ? 1 : 0;
	}
	return loud;
}

/*
 * Call the threaded handler of an operation directly if no source is a NaN or a denormal, for
 * which it raises nothing (vgpu_excp_quiet()); else use the wrapper.
 */
VGPU_INLINE const struct vgpu_insn *quiet(struct vgpu_isa_state *c, const struct vgpu_insn *i,
					  s32 left, unsigned int num)
{
	u32 loud = 0;
	unsigned int k;

	for (k = 0; k < num; k++) {
		const u32 *row = vgpu_row(c, i, k);

		loud |= loud_32(row);
		if (c->lanes > 32)
			loud |= loud_32(row + 32);
	}
	if (!loud)
		return c->threads[i->op](c, i, left);
	c->left = left;
	i = vgpu_exec_excp(c, i);
	return vgpu_goto(c, i, c->left);
}

static const struct vgpu_insn *quiet_2(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i, s32 left)
{
	return quiet(c, i, left, 2);
}

static const struct vgpu_insn *quiet_3(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i, s32 left)
{
	return quiet(c, i, left, 3);
}

/*
 * Find signalling NaNs (bit 0) and denormals (bit 1) among 32 lanes of a source. @m: all ones
 * for an active lane, else 0.
 */
static u32 signals_f32(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 x = v[l] & m[l] & 0x7fffffff;

		nan |= x > 0x7f800000 && x < 0x7fc00000;
		denorm |= x && x < 0x00800000;
	}
	return nan | denorm << 1;
}

static u32 signals_f64(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 lo = v[l] & m[l], hi = v[VGPU_LANES + l] & m[l] & 0x7fffffff;

		nan |= hi >= 0x7ff00000 && hi < 0x7ff80000 &&
		       ((hi & 0xfffff) | lo);
		denorm |= hi < 0x00100000 && (hi | lo);
	}
	return nan | denorm << 1;
}

static u32 signals_f16(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 x = v[l] & m[l] & 0x7fff;

		nan |= x > 0x7c00 && x < 0x7e00;
		denorm |= x && x < 0x0400;
	}
	return nan | denorm << 1;
}

static u32 signals_pf16(const u32 *v, const u32 *m)
{
	u32 upper[32];
	unsigned int l;

	for (l = 0; l < 32; l++)
		upper[l] = v[l] >> 16;
	return signals_f16(v, m) | signals_f16(upper, m);
}

/* Get the exceptions of one source. Denormals that MODE flushes raise none. */
static u32 signals(const struct vgpu_isa_state *c, const u32 *row,
		   enum vgpu_type type)
{
	static const u32 all[32] = { [0 ... 31] = ~0U };
	bool flushed = c->daz64;
	u32 bits = 0, base;

	for (base = 0; base < c->lanes; base += 32) {
		const u32 *v = row + base, *m = c->full ? all : c->mask + base;

		if (type == VGPU_T_F64)
			bits |= signals_f64(v, m);
		else if (type == VGPU_T_F16 || type == VGPU_T_DF16)
			bits |= signals_f16(v, m);
		else if (type == VGPU_T_PF16)
			bits |= signals_pf16(v, m);
		else
			bits |= signals_f32(v, m);
	}
	if (type == VGPU_T_F32 || type == VGPU_T_DF32)
		flushed = c->daz32;
	return flushed ? bits & WAVE_EXCP_INVALID : bits;
}

#endif /* VGPU_ISA_EXEC_SIGNALS_H */
