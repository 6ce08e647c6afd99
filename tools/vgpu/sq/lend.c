// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lend a slot to another wave at a moment that a test chooses: after a number of reads of
 * its wave's registers the host finds the wave of another slot of the SIMD there, and
 * after more reads the first wave again. To the host this looks as if a wave had ended,
 * another had used the slot, and a third one like the first had started there. Short
 * waves cause the same by themselves, but not at the moment that a test needs.
 *
 * The rules of real waves apply: a wave appears in a slot only while the start of waves
 * of its VMID is not stalled, and a halted wave does not disappear, because halted waves
 * do not end. The waves themselves are not affected.
 */
#include <errno.h>

#include "gpu.h"
#include "isa/wave.h"
#include "sq/priv.h"
#include "sq/sq.h"

int vgpu_sq_lend(struct vgpu *g, const struct vgpu_lend *want, u32 *reads)
{
	struct sq_lend *lend = &g->sq->lend;

	*reads = lend->reads;
	if (!want->stay) {
		*lend = (struct sq_lend) { .simd = NULL };
		return 0;
	}
	if (!vgpu_sq_wave(g, want->se, want->sa, want->wgp, want->simd,
			  want->slot) ||
	    !vgpu_sq_wave(g, want->se, want->sa, want->wgp, want->simd,
			  want->to))
		return -ENOENT;
	*lend = (struct sq_lend) {
		.simd = &g->sq->wgp[want->se][want->sa][want->wgp]
			.simd[want->simd],
		.slot = want->slot,
		.to = want->to,
		.after = want->after,
		.stay = want->stay,
	};
	return 0;
}

static bool may_come(struct vgpu *g, const struct sq_wave *sw)
{
	return !sw || !sq_launch_stalled(g, sw->w.se, sw->w.vmid);
}

static bool may_leave(const struct sq_wave *sw)
{
	return !sw || !(sw->w.stop & (VGPU_STOP_HALT | VGPU_STOP_FATAL));
}

static void move(struct vgpu *g, struct sq_lend *lend)
{
	if (!lend->away && !lend->back && lend->reads >= lend->after &&
	    may_leave(lend->simd->slot[lend->slot]) &&
	    may_come(g, lend->simd->slot[lend->to])) {
		lend->away = true;
		lend->left_at = lend->reads;
	}
	if (lend->away && lend->reads - lend->left_at >= lend->stay &&
	    may_come(g, lend->simd->slot[lend->slot])) {
		lend->away = false;
		lend->back = true;
	}
}

struct sq_wave *sq_wave_in(struct vgpu *g, struct sq_simd *simd,
			   unsigned int slot)
{
	struct sq_lend *lend = &g->sq->lend;

	if (lend->simd == simd && lend->slot == slot) {
		move(g, lend);
		if (lend->away)
			slot = lend->to;
	}
	return simd->slot[slot];
}

void sq_lend_count_read(struct vgpu *g, const struct sq_simd *simd,
			unsigned int slot)
{
	struct sq_lend *lend = &g->sq->lend;

	if (lend->simd == simd && lend->slot == slot)
		lend->reads++;
}
