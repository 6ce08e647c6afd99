// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The list of breakpoints, and the address of a wave that a breakpoint has stopped.
 */
#include "breakpoint.h"
#include "trap_abi.h"
#include "wave.h"

struct adbgd_breakpoint *adbgd_breakpoint_find(const struct adbgd_process *process,
					       uint64_t address, uint32_t flags)
{
	struct adbgd_breakpoint *b = process->breakpoints.first;

	while (b && (b->info.address != address || b->info.num_insns || adbgd_is_out_of_use(b) ||
		     (b->info.flags ^ flags) & ADBGD_BREAKPOINT_STEPPED))
		b = b->next;
	return b;
}

struct adbgd_breakpoint *adbgd_breakpoint_for(const struct adbgd_process *process,
					      uint64_t address)
{
	return adbgd_breakpoint_find(process, address, 0);
}

struct adbgd_breakpoint *adbgd_breakpoint_at(const struct adbgd_process *process,
					     uint64_t address)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_find(process, address, 0);

	return b && !(b->info.flags & ADBGD_BREAKPOINT_PENDING) ? b : NULL;
}

ADBGD_API uint64_t adbgd_wave_get_pc(const struct adbgd_process *process,
				     const struct amdgpudbg_wave *wave)
{
	struct adbg_trap trap;
	uint64_t pc;

	if (adbgd_wave_pending_trap(process, wave, &trap) && trap.id == TRAP_ID_BREAK &&
	    !trap.host && adbgd_breakpoint_at(process, trap.pc))
		return trap.pc;
	if (adbgd_displaced_around(process, wave->pc, &pc))
		return pc;
	return wave->pc;
}

ADBGD_API const struct adbgd_breakpoint_info *
adbgd_breakpoint_get_info(const struct adbgd_breakpoint *breakpoint)
{
	return &breakpoint->info;
}

ADBGD_API struct adbgd_breakpoint *
adbgd_process_get_breakpoint(const struct adbgd_process *process, size_t i)
{
	struct adbgd_breakpoint *b = process->breakpoints.first;

	while (b && (b->info.flags & ADBGD_BREAKPOINT_MOMENTARY || i--))
		b = b->next;
	return b;
}
