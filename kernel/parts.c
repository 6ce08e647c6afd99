// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session can have on a GPU, in the order in which it is taken back. The order
 * matters: new waves must not enter a handler that goes, and waves that are in it
 * must be able to leave it before its memory does; the reserved VMID is given back
 * when nothing is set for it any more. See &struct wdbg_part.
 */
#include "private.h"

const struct wdbg_part *const wdbg_parts[] = {
	&wdbg_guard_part,	/* sees to it that a VMID's new owner has none of it */
	&wdbg_watch_part,	/* address watches */
	&wdbg_patch_part,	/* patches of code; waves that wait at them need a handler */
	&wdbg_trap_part,	/* the trap handler */
	&wdbg_launch_part,	/* how waves start; those that it kept start then */
	&wdbg_wave_part,	/* waves that are halted, or in debug mode */
	&wdbg_halt_budget_part,	/* how long that may be, the job timeouts */
	&wdbg_memory_part,	/* a session's buffers in its target's address space */
	&wdbg_buffer_part,	/* those of them that have to wait */
	&wdbg_lease_part,	/* the hold on the VMID for watches and launch mode */
	&wdbg_reserve_part,	/* the VMID */
	&wdbg_event_part,	/* what is told of all of it */
	&wdbg_job_part,		/* and of jobs */
	&wdbg_mapping_part,	/* and of mappings */
	NULL
};

static_assert(ARRAY_SIZE(wdbg_parts) <= WDBG_MAX_PARTS + 1);
