// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finding the instruction that caused a stop, if it is not the one where the wave is halted.
 */
#include "isa/flow.h"
#include "stop.h"

/* Find the last instruction before @pc in memory that makes at least an access of kind @least. */
static uint64_t last_access(struct adbgd_process *p, uint64_t pc, enum adbgd_access least)
{
	struct adbgd_flow_insn insn = { .pc = pc };
	struct adbgd_memory memory;
	struct adbgd_flow_walk r;
	uint64_t found = 0, in;
	int ret;

	adbgd_process_get_memory(p, &memory);
	ret = adbgd_flow_begin(&r, &memory, p->info.gc_version, pc);
	if (!ret)
		ret = adbgd_flow_find_start(&r, pc, &in);
	while (ret == 1 && !found) {
		ret = adbgd_flow_before(&r, insn.pc, &insn);
		if (ret == 1 && adbgd_displace_gfx10_3.access(insn.insn[0]) >= least)
			found = insn.pc;
	}
	adbgd_flow_free(&r);
	return found;
}

uint64_t adbgd_fault_insn(struct adbgd_process *process, const struct adbg_trap *trap,
			  const struct adbgd_stop *stop)
{
	bool is_watch = stop->reason == ADBGD_STOP_WATCH;

	if (stop->reason == ADBGD_STOP_TRAP)
		return trap->pc;
	if (stop->cause & AMDGPUDBG_CAUSE_ILLEGAL_INST)
		return stop->pc;
	if (!is_watch && !(stop->cause & AMDGPUDBG_CAUSE_MEM_VIOL))
		return 0;
	/*
	 * For a wave in a displaced instruction, PC_REWIND counts from there, not from @stop->pc.
	 */
	if (trap->rewind && trap->pc == stop->pc)
		return stop->pc - trap->rewind;
	return last_access(process, stop->pc,
			   is_watch ? ADBGD_ACCESS_VECTOR : ADBGD_ACCESS_SCALAR);
}
