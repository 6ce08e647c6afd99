/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that access memory once and then wait, so that a test can examine the wave
 * after the access. In each wave, one work-item accesses word ctl[4] of @in; only the
 * scalar load and touch_rcp are made by the whole wave. Then each work-item increments
 * ctl[1] and waits until ctl[0] is set.
 */
#include "cl.h"

#define FIRST_LANE (__builtin_amdgcn_workitem_id_x() % 32 == 0)
#define WORD (&in[ctl[4]])

static inline void end(GLOBAL u32 *out, GLOBAL u32 *ctl, u32 value)
{
	out[global_id()] = value;
	atomic_op(fetch_add, &ctl[1], 1);
	while (!load_fresh(&ctl[0]))
		pause();
}

/* A load by the vector memory unit */
KERNEL(touch_read)
{
	u32 value = 0;

	if (FIRST_LANE)
		value = load_fresh(WORD);
	end(out, ctl, value);
}

/* ctl[5] loads by each wave, all from different pages */
KERNEL(touch_many)
{
	u32 value = 0, first = global_id() / 32 * ctl[5];

	if (FIRST_LANE)
		for (u32 i = 0; i < ctl[5]; i++)
			value += load_fresh(&WORD[(first + i) * 1024ul]);
	end(out, ctl, value);
}

/* A load by the scalar cache, as the address is uniform and the memory constant */
KERNEL(touch_scalar)
{
	u32 word = __builtin_amdgcn_readfirstlane(ctl[4]);

	end(out, ctl, ((__constant const u32 *)(u64)in)[word]);
}

KERNEL(touch_write)
{
	if (FIRST_LANE)
		*(GLOBAL volatile u32 *)WORD = 5;
	end(out, ctl, 5);
}

KERNEL(touch_atomic)
{
	u32 value = 0;

	if (FIRST_LANE)
		value = atomic_op(fetch_add, WORD, 1);
	end(out, ctl, value);
}

/* A load whose value can cause an exception: its reciprocal is computed. */
KERNEL(touch_rcp)
{
	end(out, ctl, to_bits(__builtin_amdgcn_rcpf(to_float(*WORD))));
}
