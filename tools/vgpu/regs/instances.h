/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parts of the graphics core are there, and which of them does
 * GRBM_GFX_INDEX select?
 */
#ifndef VGPU_INSTANCES_H
#define VGPU_INSTANCES_H

#include "types.h"

struct vgpu;

/*
 * What a read of a part gives that does not exist: umr, scan_waves.c ("Did we try to
 * query a non-existing SQ instance?")
 */
#define VGPU_MISSING_INSTANCE	0xbebebeef

struct vgpu_selection {
	/* What the fields say, which is where reads go, */
	u8 se, sa, wgp, simd;
	/* and what of it is all for writes (*_BROADCAST_WRITES). */
	bool all_se, all_sa, all_instances;
};

bool vgpu_wgp_exists(const struct vgpu *g, unsigned int se, unsigned int sa,
		     unsigned int wgp);
/* A shader engine is there if any WGP of it is. */
bool vgpu_se_exists(const struct vgpu *g, unsigned int se);
unsigned int vgpu_num_wgps(const struct vgpu *g);
/* What a value of GRBM_GFX_INDEX selects. */
struct vgpu_selection vgpu_selection_of(const struct vgpu *g,
					u32 index);
/* Does a write go to this WGP? */
bool vgpu_selects_wgp(const struct vgpu_selection *sel, unsigned int se,
		      unsigned int sa, unsigned int wgp);

#endif /* VGPU_INSTANCES_H */
