// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a capability means for a target, as far as that depends on what starts the
 * target's waves. Uses nothing but the interface, so that a host program can compile
 * it.
 *
 * Assumptions about amdkfd (kfd_device_queue_manager.c, Linux 6.1 to 7.2):
 *
 * - It gives a VMID to another process at any time, without the tracepoint that the
 *   guard of a VMID needs. So nothing is set for its VMIDs.
 * - To take a queue from the GPU, it waits for the queue's waves, or with CWSR has
 *   their trap handler save them, also halted ones. When that takes longer than its
 *   queue_preemption_timeout_ms, 9 seconds unless root has changed it, or longer than
 *   the scheduler's firmware waits, the GPU is reset. Half of that is left for what
 *   runs before the waves are halted.
 */
#include <linux/amdgpudbg.h>
#include <linux/types.h>

#include "caps.h"

#define HALT_LIMIT_MS	4500

#define NOT_FOR_KFD \
	"The target's waves run in a VMID of amdkfd, which can give it to another process " \
	"at any time."

static const struct wdbg_answer yes = { .supported = true };

static struct wdbg_answer caps_no(u32 code, const char *text)
{
	return (struct wdbg_answer){ .code = code, .text = text };
}

static struct wdbg_answer caps_limited(u32 code, const char *text)
{
	return (struct wdbg_answer){ .supported = true, .code = code, .text = text };
}

static struct wdbg_answer caps_of_rings(bool isolated, u32 id)
{
	switch (id) {
	case AMDGPUDBG_CAP_TRAP_HANDLER:
	case AMDGPUDBG_CAP_WATCH:
	case AMDGPUDBG_CAP_LAUNCH_MODE:
	case AMDGPUDBG_CAP_EXCP_MASK:
	case AMDGPUDBG_CAP_STALL:
		if (isolated)
			return caps_no(AMDGPUDBG_REASON_ISOLATION,
				       "amdgpu lets all processes use one VMID in turns: its enforce_isolation is on.");
		break;
	}
	return yes;
}

static struct wdbg_answer caps_of_kfd(bool cwsr, u32 id)
{
	switch (id) {
	case AMDGPUDBG_CAP_WAVE_HALT:
		if (!cwsr)
			return caps_limited(AMDGPUDBG_REASON_NO_CWSR,
					    "amdkfd cannot save waves on this GPU, and may reset it if they are halted for more than 4.5 seconds.");
		break;
	case AMDGPUDBG_CAP_TIMEOUT_HOLD:
		if (!cwsr)
			return caps_no(AMDGPUDBG_REASON_NO_CWSR,
				       "amdkfd cannot save waves on this GPU, and the time that it waits for halted ones cannot be changed.");
		break;
	case AMDGPUDBG_CAP_WAVE_TRAP:
		return caps_no(AMDGPUDBG_REASON_KFD,
			       "The handler is the ROCm runtime's, which ends the program at a trap that it does not expect.");
	case AMDGPUDBG_CAP_TRAP_HANDLER:
		return caps_no(AMDGPUDBG_REASON_KFD,
			       "The target's waves have amdkfd's trap handler, which must stay.");
	case AMDGPUDBG_CAP_WATCH:
	case AMDGPUDBG_CAP_LAUNCH_MODE:
	case AMDGPUDBG_CAP_EXCP_MASK:
	case AMDGPUDBG_CAP_STALL:
	case AMDGPUDBG_CAP_VMID_GUARD:
		return caps_no(AMDGPUDBG_REASON_KFD, NOT_FOR_KFD);
	case AMDGPUDBG_CAP_REG_WRITE:
		return caps_limited(AMDGPUDBG_REASON_KFD,
				    "TRAPSTS cannot be written: a request of amdkfd to save the wave could get lost.");
	case AMDGPUDBG_CAP_JOB_EVENTS:
	case AMDGPUDBG_CAP_JOB_LIST:
		return caps_limited(AMDGPUDBG_REASON_KFD,
				    "The work of amdkfd's queues is not made of jobs: only jobs on amdgpu's own rings are shown.");
	}
	return yes;
}

/**
 * wdbg_caps_for() - tell what a capability of the GPU means for a target
 * @whose: what starts the target's waves
 * @isolated: amdgpu lets all processes use one VMID in turns
 * @id: enum amdgpudbg_capability_id; the GPU has it
 *
 * Return: the answer.
 */
struct wdbg_answer wdbg_caps_for(enum wdbg_waves_of whose, bool isolated, u32 id)
{
	if (whose == WDBG_WAVES_OF_RINGS)
		return caps_of_rings(isolated, id);
	return caps_of_kfd(whose == WDBG_WAVES_OF_KFD, id);
}

/**
 * wdbg_caps_halt_limit_ms() - get the time for which the waves of a target may be
 *	halted
 * @whose: what starts the target's waves
 *
 * Return: in milliseconds, 0 if the driver sets no limit.
 */
u32 wdbg_caps_halt_limit_ms(enum wdbg_waves_of whose)
{
	return whose == WDBG_WAVES_OF_KFD_NO_CWSR ? HALT_LIMIT_MS : 0;
}

/**
 * wdbg_caps_blocked_by() - check whether to refuse to stop waves because of a picture
 * @display: state of the displays
 * @force: the caller wants it in any case
 *
 * Return: true if the call has to be refused.
 */
bool wdbg_caps_blocked_by(const struct wdbg_display *display, bool force)
{
	return !force && display->active && (display->master || display->leased) &&
	       display->graphics;
}
