// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts that a session can have on a GPU, in the order in which they are taken
 * back. The order matters: new waves must not enter a handler that is being removed,
 * and waves in it must be able to leave it before its memory is freed; the reserved
 * VMID is given back when nothing is set for it any more. See &struct wdbg_part.
 */
#include "event/event.h"
#include "halt_budget.h"
#include "part.h"
#include "target/target.h"
#include "wave/wave.h"

const struct wdbg_part *const wdbg_parts[] = {
	&wdbg_guard_part,	/* keeps the next owner of a VMID from seeing it */
	&wdbg_watch_part,	/* address watches */
	&wdbg_patch_part,	/* patches of code; waves that wait at them need a handler */
	&wdbg_patched_part,	/* the memory that has patches */
	&wdbg_trap_part,	/* the trap handler */
	&wdbg_launch_part,	/* how waves start; stalled waves start then */
	&wdbg_wave_part,	/* waves that are halted or in debug mode */
	&wdbg_stall_part,	/* VMIDs whose new waves do not start */
	&wdbg_halt_budget_part,	/* how long they may be, the job timeouts */
	&wdbg_memory_part,	/* a session's buffers in its target's address space */
	&wdbg_buffer_part,	/* buffers that have to wait */
	&wdbg_vmid_share_part,	/* the use of the VMID for watches and launch mode */
	&wdbg_reserve_part,	/* the VMID */
	&wdbg_event_part,	/* events of waves */
	&wdbg_job_part,		/* events of jobs */
	&wdbg_mapping_part,	/* events of mappings */
	NULL
};

static_assert(ARRAY_SIZE(wdbg_parts) <= WDBG_MAX_PARTS + 1);
