/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the graphics core that exist, and the selection by GRBM_GFX_INDEX.
 */
#ifndef VGPU_INSTANCES_H
#define VGPU_INSTANCES_H

#include "types.h"

struct vgpu;

/*
 * Value that is read from a part that does not exist: umr, scan_waves.c ("Did we try to
 * query a non-existing SQ instance?")
 */
#define VGPU_MISSING_INSTANCE	0xbebebeef

struct vgpu_selection {
	/* The instance that reads access */
	u8 se, sa, wgp, simd;
	/* Writes go to all of a kind (*_BROADCAST_WRITES). */
	bool all_se, all_sa, all_instances;
};

bool vgpu_wgp_exists(const struct vgpu *g, unsigned int se, unsigned int sa,
		     unsigned int wgp);
/* Does any WGP of the shader engine exist? */
bool vgpu_se_exists(const struct vgpu *g, unsigned int se);
unsigned int vgpu_num_wgps(const struct vgpu *g);
/* Get what a value of GRBM_GFX_INDEX selects. */
struct vgpu_selection vgpu_selection_of(const struct vgpu *g,
					u32 index);
/* Does a write go to this WGP? */
bool vgpu_selects_wgp(const struct vgpu_selection *sel, unsigned int se,
		      unsigned int sa, unsigned int wgp);

#endif /* VGPU_INSTANCES_H */
