// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts that a session can have on a GPU, in the order in which they are taken
 * back. The order matters: new waves must not enter a handler that is being removed,
 * and waves in it must be able to leave it before its memory is freed; the reserved
 * VMID is given back when nothing is set for it any more. See &struct wdbg_part. The order is
 * that of enum wdbg_part_id, which has to be changed together with this list.
 */
#include "event/event.h"
#include "halt_budget.h"
#include "part.h"
#include "target/target.h"
#include "wave/wave.h"

const struct wdbg_part *const wdbg_parts[] = {
	/* keeps the next owner of a VMID from seeing it */
	[WDBG_PART_GUARD] = &wdbg_guard_part,
	/* address watches */
	[WDBG_PART_WATCH] = &wdbg_watch_part,
	/* patches of code; waves that wait at them need a handler */
	[WDBG_PART_PATCH] = &wdbg_patch_part,
	/* the memory that has patches */
	[WDBG_PART_PATCHED] = &wdbg_patched_part,
	/* the trap handler */
	[WDBG_PART_TRAP] = &wdbg_trap_part,
	/* how waves start; stalled waves start then */
	[WDBG_PART_LAUNCH] = &wdbg_launch_part,
	/* waves that are halted or in debug mode */
	[WDBG_PART_WAVE] = &wdbg_wave_part,
	/* VMIDs whose new waves do not start */
	[WDBG_PART_STALL] = &wdbg_stall_part,
	/* how long they may be, the job timeouts */
	[WDBG_PART_HALT_BUDGET] = &wdbg_halt_budget_part,
	/* a session's buffers in its target's address space */
	[WDBG_PART_MEMORY] = &wdbg_memory_part,
	/* buffers that have to wait */
	[WDBG_PART_BUFFER] = &wdbg_buffer_part,
	/* the use of the VMID for watches and launch mode */
	[WDBG_PART_VMID_SHARE] = &wdbg_vmid_share_part,
	/* the VMID */
	[WDBG_PART_RESERVE] = &wdbg_reserve_part,
	/* events of waves */
	[WDBG_PART_EVENT] = &wdbg_event_part,
	/* events of jobs */
	[WDBG_PART_JOB] = &wdbg_job_part,
	/* events of mappings */
	[WDBG_PART_MAPPING] = &wdbg_mapping_part,
	[WDBG_NUM_PARTS] = NULL
};

