// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Harvested WGPs: the registers from which the driver learns that they are missing.
 */
#include <errno.h>

#include "gpu.h"
#include "regs/instances.h"
#include "regs/log.h"
#include "regs/regs.h"

/* The driver reads from this register which WGPs are missing: gfx_v10_0_get_cu_info(). */
static u32 array_config_read(struct vgpu *g, unsigned int idx)
{
	struct vgpu_selection sel = vgpu_selection(g);

	(void)idx;
	if (sel.se >= VGPU_MAX_SE || sel.sa >= VGPU_MAX_SA)
		return 0;
	return vgpu_put(g, F_CC_GC_SHADER_ARRAY_CONFIG_INACTIVE_WGPS,
			g->opt.harvest[sel.se][sel.sa]);
}

/* Are all WGPs that --harvest names within the GPU's geometry? */
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

int vgpu_harvest_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_CC_GC_SHADER_ARRAY_CONFIG, 1, 1, array_config_read,
		      NULL);
	if (harvest_fits(g) && vgpu_num_wgps(g))
		return 0;
	vgpu_log(g, "geometry %ux%ux%u: no WGP is left, or a harvested one does not exist",
		 g->num_se, g->num_sa, g->num_wgp);
	return -EINVAL;
}
