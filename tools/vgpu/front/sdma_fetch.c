// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading dwords of the SDMA engine's ring or indirect buffer.
 */
#include "front/sdma.h"
#include "gpu.h"
#include "mem/gmc.h"

u8 vgpu_sdma_vmid(const struct vgpu_sdma *e)
{
	return e->in_ib ? e->ib.vmid : e->ring_vmid;
}

int vgpu_sdma_fetch(struct vgpu *g, u32 offset, u32 *buf, u32 n)
{
	struct vgpu_sdma *e = g->sdma;
	u32 at, first = n * 4;
	int ret;

	if (e->in_ib)
		return vgpu_gmc_read(g, e->ib.vmid, e->ib.base +
				     (e->ib.rptr + offset) * 4ULL, buf, n * 4);
	at = (e->rptr + offset * 4ULL) & (e->ring_bytes - 1);
	if (first > e->ring_bytes - at)
		first = e->ring_bytes - at;
	ret = vgpu_gmc_read(g, e->ring_vmid, e->ring_base + at, buf, first);
	if (!ret && first < n * 4)
		ret = vgpu_gmc_read(g, e->ring_vmid, e->ring_base,
				    (u8 *)buf + first, n * 4 - first);
	return ret;
}
