// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which parts of the graphics core are there, and which of them a selection means.
 * A harvested WGP has a number, but no registers and no waves.
 */
#include "gpu.h"
#include "regs/instances.h"

/* GRBM_GFX_INDEX, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define GRBM_INSTANCE_INDEX	GENMASK(7, 0)
#define GRBM_SA_INDEX		GENMASK(15, 8)
#define GRBM_SE_INDEX		GENMASK(23, 16)
#define GRBM_SA_BROADCAST	BIT(29)
#define GRBM_INSTANCE_BROADCAST	BIT(30)
#define GRBM_SE_BROADCAST	BIT(31)

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

struct vgpu_selection vgpu_selection_of(u32 index)
{
	/* (WGP << 2) | SIMD: gfx_v10_0_read_wave_data(), gfx_v10_0.c, Linux 6.1 */
	return (struct vgpu_selection) {
		.se = FIELD_GET(GRBM_SE_INDEX, index),
		.sa = FIELD_GET(GRBM_SA_INDEX, index),
		.wgp = FIELD_GET(GRBM_INSTANCE_INDEX, index) >> 2,
		.simd = FIELD_GET(GRBM_INSTANCE_INDEX, index) & 3,
		.all_se = index & GRBM_SE_BROADCAST,
		.all_sa = index & GRBM_SA_BROADCAST,
		.all_instances = index & GRBM_INSTANCE_BROADCAST,
	};
}
