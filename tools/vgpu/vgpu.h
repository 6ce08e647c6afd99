/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GPU as a whole, which creates and schedules the blocks, and the interfaces of all
 * blocks. A block itself includes gpu.h and the headers of what it calls, not this file.
 */
#ifndef VGPU_VGPU_H
#define VGPU_VGPU_H

#include "firmware/psp.h"
#include "firmware/smu.h"
#include "firmware/tables.h"
#include "front/cp.h"
#include "front/sdma.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/faults.h"
#include "regs/instances.h"
#include "regs/log.h"
#include "regs/nbio.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/sq.h"
#include "types.h"

/* Create the GPU with all its blocks. Returns 0 or -errno. */
int vgpu_create(struct vgpu *g, const struct vgpu_profile *profile,
		const struct vgpu_options *opt);
void vgpu_destroy(struct vgpu *g);
/* MODE2 reset by the SMU: waves, queues and registers are reset, VRAM stays. */
void vgpu_reset(struct vgpu *g);
/* PCI reset, or a new host: VRAM is cleared, too. */
void vgpu_cold_reset(struct vgpu *g);
/*
 * Run engines and waves for about @budget_ns. Returns the time until there is more to do,
 * in ns: 0, or longer if all waves sleep; UINT64_MAX: only an event from outside can
 * cause more work.
 */
u64 vgpu_work(struct vgpu *g, u64 budget_ns);
/*
 * Does an engine wait for memory that the guest changes without a doorbell (WAIT_REG_MEM,
 * POLL_REGMEM)? Then the main loop reads it every millisecond.
 */
bool vgpu_polling(struct vgpu *g);

#endif /* VGPU_VGPU_H */
