// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the machine's firmware prepares for the driver: the discovery table at the end of
 * VRAM, the VBIOS at its beginning, and a scratch register which says that the VBIOS has
 * initialised the card.
 */
#include <errno.h>

#include "firmware/tables.h"
#include "gpu.h"
#include "regs/regs.h"

/* BIOS_SCRATCH_7: ATOM_S7_ASIC_INIT_COMPLETE (atomfirmware.h, Linux 7.2.12) */
#define ASIC_INIT_COMPLETE	BIT(9)
/* DISCOVERY_TMR_OFFSET, DISCOVERY_TMR_SIZE (amdgpu_discovery.h, Linux 7.2.12) */
#define DISCOVERY_OFFSET	(64U << 10)
#define DISCOVERY_SIZE		(10U << 10)
#define VBIOS_SIZE		4096

int vgpu_tables_load(struct vgpu *g)
{
	int ret;

	if (g->vram_size < DISCOVERY_OFFSET + VBIOS_SIZE)
		return -EINVAL;
	ret = vgpu_vbios_build(g, g->vram, VBIOS_SIZE);
	if (ret < 0)
		return ret;
	ret = vgpu_discovery_build(g, g->vram + g->vram_size - DISCOVERY_OFFSET,
				   DISCOVERY_SIZE);
	if (ret < 0)
		return ret;
	vgpu_reg_store(g, R_BIOS_SCRATCH_7, 0, ASIC_INIT_COMPLETE);
	return 0;
}
