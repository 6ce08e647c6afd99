// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of the graphics core that exist, and those that GRBM_GFX_INDEX selects. A
 * harvested WGP keeps its number, but has no registers and no waves.
 */
#include "gpu.h"
#include "profiles/profile.h"
#include "regs/instances.h"

bool vgpu_wgp_exists(const struct vgpu *g, unsigned int se, unsigned int sa,
		     unsigned int wgp)
{
	return se < g->num_se && sa < g->num_sa && wgp < g->num_wgp &&
	       (se >= VGPU_MAX_SE || sa >= VGPU_MAX_SA ||
		!(g->opt.harvest[se][sa] & BIT(wgp)));
}

bool vgpu_se_exists(const struct vgpu *g, unsigned int se)
{
	unsigned int sa, wgp;

	for (sa = 0; sa < g->num_sa; sa++)
		for (wgp = 0; wgp < g->num_wgp; wgp++)
			if (vgpu_wgp_exists(g, se, sa, wgp))
				return true;
	return false;
}

unsigned int vgpu_num_wgps(const struct vgpu *g)
{
	unsigned int se, sa, wgp, n = 0;

	for (se = 0; se < g->num_se; se++)
		for (sa = 0; sa < g->num_sa; sa++)
			for (wgp = 0; wgp < g->num_wgp; wgp++)
				n += vgpu_wgp_exists(g, se, sa, wgp);
	return n;
}

bool vgpu_selects_wgp(const struct vgpu_selection *sel, unsigned int se,
		      unsigned int sa, unsigned int wgp)
{
	return (sel->all_se || sel->se == se) &&
	       (sel->all_sa || sel->sa == sa) &&
	       (sel->all_instances || sel->wgp == wgp);
}

struct vgpu_selection vgpu_selection_of(const struct vgpu *g, u32 index)
{
	const struct vgpu_generation *gen = g->profile->gen;
	u32 instance = vgpu_get(g, F_GRBM_GFX_INDEX_INSTANCE_INDEX, index);

	return (struct vgpu_selection){
		.se = vgpu_get(g, F_GRBM_GFX_INDEX_SE_INDEX, index),
		.sa = vgpu_get(g, F_GRBM_GFX_INDEX_SA_INDEX, index),
		.wgp = FIELD_GET(gen->instance_wgp, instance),
		.simd = FIELD_GET(gen->instance_simd, instance),
		.all_se = index &
			  vgpu_field(g, F_GRBM_GFX_INDEX_SE_BROADCAST_WRITES),
		.all_sa = index &
			  vgpu_field(g, F_GRBM_GFX_INDEX_SA_BROADCAST_WRITES),
		.all_instances =
			index &
			vgpu_field(g,
				   F_GRBM_GFX_INDEX_INSTANCE_BROADCAST_WRITES),
	};
}
