// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The process's memory, where breakpoints are patches in its code: is one there, and what is
 * there without them?
 */
#include "isa/displace_ops.h"
#include "target.h"
#include "trap_abi.h"

uint32_t adbgd_patch(void)
{
	return adbgd_displace_gfx10_3.s_trap(TRAP_ID_BREAK);
}

bool adbgd_is_patched(struct adbgd_process *process, uint64_t address)
{
	uint32_t insn;

	return adbg_vm_read(process->session, process->info.pid, address, &insn, sizeof(insn)) ||
	       insn == adbgd_patch();
}

static int read_memory(void *data, uint64_t address, void *buffer, size_t size)
{
	struct adbgd_process *p = data;
	const struct adbgd_breakpoint *b;
	int ret = adbg_vm_read(p->session, p->info.pid, address, buffer, size);
	size_t i;

	if (ret)
		return ret;
	for (b = p->breakpoints; b; b = b->next) {
		if (b->info.flags & ADBGD_BREAKPOINT_PENDING || adbgd_is_match(b) ||
		    b->info.address + 3 - address >= size + 3 ||
		    !adbgd_is_patched(p, b->info.address))
			continue;
		for (i = 0; i < 4; i++) {
			if (b->info.address + i - address < size)
				((uint8_t *)buffer)[b->info.address + i - address] =
					b->insn[0] >> (8 * i);
		}
	}
	return 0;
}

ADBGD_API void adbgd_process_get_memory(struct adbgd_process *process,
					struct adbgd_memory *memory)
{
	memory->read = read_memory;
	memory->data = process;
	memory->budget = NULL;
}
