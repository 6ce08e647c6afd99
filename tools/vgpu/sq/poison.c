// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uninitialised registers and LDS of a new wave. On hardware they hold values that
 * another wave has left; here they hold values with which a program that uses them fails.
 */
#include "isa/wave.h"
#include "regs/quirks.h"
#include "sq/priv.h"

/*
 * The value is the same in each run and differs between registers and between waves. As
 * an address it is not mapped, as a size it is huge, as a float it is a NaN.
 */
#define POISON		0xfff00000U

static u32 poison_of(u64 serial, unsigned int n)
{
	return POISON | (serial & 0xff) << 12 | (n & 0xfff);
}

void sq_poison_wave(struct vgpu *g, struct vgpu_wave *w)
{
	bool poisoned = vgpu_quirk(g, VGPU_QUIRK_POISON);
	unsigned int n, lane;
	u32 value;

	for (n = 0; n < vgpu_wave_vgprs(w); n++) {
		value = poisoned ? poison_of(w->serial, n) : 0;
		for (lane = 0; lane < VGPU_LANES; lane++)
			w->v[n][lane] = value;
	}
	for (n = 0; n < VGPU_S_NULL; n++)
		w->s[n] = poisoned ? poison_of(w->serial, n) : 0;
}

void sq_poison_lds(struct vgpu *g, u8 *lds, size_t bytes)
{
	bool poisoned = vgpu_quirk(g, VGPU_QUIRK_POISON);
	u32 *dwords = (u32 *)lds;
	size_t n;

	for (n = 0; n < bytes / sizeof(*dwords); n++)
		dwords[n] = poisoned ? poison_of(g->sq->next_serial, n) : 0;
}
