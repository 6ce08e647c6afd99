// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of what happened to waves, for each VMID and PASID. A test that reads the
 * slots may miss a wave that started and ended in between; the counters include it.
 */
#include <stdlib.h>

#include "gpu.h"
#include "mem/ih.h"
#include "sq/priv.h"
#include "sq/sq.h"

/*
 * Each dispatch searches the list for its counters, so its length is limited. If the
 * driver uses more pairs of VMID and PASID, their waves are counted in the newest entry.
 */
#define MAX_HISTORIES 1024

struct vgpu_history *sq_history_of(struct vgpu *g, u32 vmid)
{
	u16 pasid = vgpu_ih_pasid(g, vmid);
	struct vgpu_history *h;
	unsigned int num = 0;

	for (h = g->sq->history; h; h = h->next, num++)
		if (h->pasid == pasid && h->vmid == vmid)
			return h;
	if (num == MAX_HISTORIES)
		return g->sq->history;
	h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->pasid = pasid;
	h->vmid = vmid;
	h->next = g->sq->history;
	g->sq->history = h;
	return h;
}

void sq_history_free(struct vgpu_sq *sq)
{
	struct vgpu_history *h;

	while ((h = sq->history)) {
		sq->history = h->next;
		free(h);
	}
}

const struct vgpu_history *vgpu_sq_history(const struct vgpu *g)
{
	return g->sq->history;
}
