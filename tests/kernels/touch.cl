/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that do one access to memory and then wait, so that what came of it
 * can be looked at. The access is to word ctl[4] of @in, by one work-item of
 * each wave, but for the scalar one. Then the work-items are counted in ctl[1],
 * and wait for ctl[0].
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

/* So many loads by each wave, all from different pages */
KERNEL(touch_many)
{
	u32 value = 0, first = global_id() / 32 * ctl[5];

	if (FIRST_LANE)
		for (u32 i = 0; i < ctl[5]; i++)
			value += load_fresh(&WORD[(first + i) * 1024ul]);
	end(out, ctl, value);
}

/* By the scalar cache: the same address for all, and constant */
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

/* And an exception: the reciprocal of what is read there */
KERNEL(touch_rcp)
{
	end(out, ctl, to_bits(__builtin_amdgcn_rcpf(to_float(*WORD))));
}
