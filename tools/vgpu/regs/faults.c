// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fault injection: the failures that a test has requested over the control socket, and how
 * many of each are left.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpu.h"
#include "regs/faults.h"
#include "regs/log.h"

struct vgpu_faults {
	struct {
		u32 count;
		u32 arg;
	} armed[VGPU_NUM_FAULTS];
};

static const char *const names[VGPU_NUM_FAULTS] = {
	[VGPU_FAULT_DROP_IRQ] = "drop-irq",
	[VGPU_FAULT_CORRUPT_READ] = "corrupt-read",
	[VGPU_FAULT_IGNORE_SQ_CMD] = "ignore-sq-cmd",
	[VGPU_FAULT_IGNORE_RESUME] = "ignore-resume",
};

int vgpu_faults_init(struct vgpu *g)
{
	g->faults = calloc(1, sizeof(*g->faults));
	return g->faults ? 0 : -ENOMEM;
}

void vgpu_faults_fini(struct vgpu *g)
{
	free(g->faults);
	g->faults = NULL;
}

const char *vgpu_fault_name(enum vgpu_fault f)
{
	return names[f];
}

void vgpu_fault_arm(struct vgpu *g, enum vgpu_fault f, u32 count, u32 arg)
{
	g->faults->armed[f].count = count;
	g->faults->armed[f].arg = arg;
}

bool vgpu_fault_take(struct vgpu *g, enum vgpu_fault f, u32 arg)
{
	u32 wanted = g->faults->armed[f].arg;

	if (!g->faults->armed[f].count)
		return false;
	if (wanted != VGPU_FAULT_ANY && wanted != arg)
		return false;
	g->faults->armed[f].count--;
	vgpu_log(g, "fault %s taken (0x%x)", names[f], arg);
	return true;
}
