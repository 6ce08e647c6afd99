// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which parts of the graphics core are there, and which of them GRBM_GFX_INDEX
 * selects. A harvested WGP has a number, but no registers and no waves.
 */
#include <errno.h>

#include "gpu.h"
#include "instances.h"
#include "log.h"
#include "regs.h"

/* GRBM_GFX_INDEX, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define GRBM_INSTANCE_INDEX	GENMASK(7, 0)
#define GRBM_SA_INDEX		GENMASK(15, 8)
#define GRBM_SE_INDEX		GENMASK(23, 16)
#define GRBM_SA_BROADCAST	BIT(29)
#define GRBM_INSTANCE_BROADCAST	BIT(30)
#define GRBM_SE_BROADCAST	BIT(31)

/* CC_GC_SHADER_ARRAY_CONFIG, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define INACTIVE_WGPS		GENMASK(31, 16)

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

struct vgpu_selection vgpu_selection(struct vgpu *g)
{
	u32 index = vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0);

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

bool vgpu_selects_wgp(const struct vgpu_selection *sel, unsigned int se,
		      unsigned int sa, unsigned int wgp)
{
	return (sel->all_se || sel->se == se) &&
	       (sel->all_sa || sel->sa == sa) &&
	       (sel->all_instances || sel->wgp == wgp);
}

/* What the driver asks for which WGPs there are: gfx_v10_0_get_cu_info(). */
static u32 array_config_read(struct vgpu *g, unsigned int idx)
{
	struct vgpu_selection sel = vgpu_selection(g);

	(void)idx;
	if (sel.se >= VGPU_MAX_SE || sel.sa >= VGPU_MAX_SA)
		return 0;
	return FIELD_PREP(INACTIVE_WGPS, g->opt.harvest[sel.se][sel.sa]);
}

/* Is something to be harvested that has no number? */
static bool harvest_fits(const struct vgpu *g)
{
	unsigned int se, sa;

	for (se = 0; se < VGPU_MAX_SE; se++)
		for (sa = 0; sa < VGPU_MAX_SA; sa++)
			if (g->opt.harvest[se][sa] >> g->num_wgp ||
			    (g->opt.harvest[se][sa] &&
			     (se >= g->num_se || sa >= g->num_sa)))
				return false;
	return true;
}

int vgpu_instances_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_CC_GC_SHADER_ARRAY_CONFIG, 1, 1, array_config_read,
		      NULL);
	if (harvest_fits(g) && vgpu_num_wgps(g))
		return 0;
	vgpu_log(g, "geometry %ux%ux%u: no WGP is left, or one is harvested that there is not",
		 g->num_se, g->num_sa, g->num_wgp);
	return -EINVAL;
}
