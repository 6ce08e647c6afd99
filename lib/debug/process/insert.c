// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Inserting breakpoints: checks of the address, and memory without patches.
 */
#include "breakpoint.h"
#include "isa/displace_ops.h"
#include "isa/flow.h"
#include "trap_abi.h"

/* The instruction may be at the end of the mapping, so fewer dwords may be readable. */
int adbgd_insert_read(struct adbgd_process *p, uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		      struct adbgd_error *error)
{
	uint64_t done = 0;
	int ret = adbg_vm_copy(p->session, p->info.pid, 0, address, insn,
			       4 * ADBGD_MAX_DWORDS, &done);

	if (ret && done < 4)
		return adbgd_failed(p, error, ret, "the instruction at %#llx cannot be read",
				    (unsigned long long)address);
	return done / 4;
}

static int check_mapping(struct adbgd_process *p, uint64_t address, struct adbgd_error *error)
{
	uint32_t flags;
	int ret = adbgd_check_mapping(p, address, 4, &flags, error);

	if (ret || flags & AMDGPUDBG_MAPPING_EXEC)
		return ret;
	return adbgd_fail(error, -EACCES, "the memory at %#llx is not code: waves may not execute "
			  "it",
			  (unsigned long long)address);
}

/*
 * Reject an address in the middle of an instruction: waves would execute the s_trap as a part of
 * that instruction. Accept it if it is not known where instructions begin.
 */
static int check_middle(struct adbgd_process *p, const struct adbgd_memory *memory,
			uint64_t address, struct adbgd_error *error)
{
	struct adbgd_flow_walk r;
	uint64_t in;
	int ret;

	ret = adbgd_flow_begin(&r, memory, p->info.gc_version, address);
	if (!ret)
		ret = adbgd_flow_find_start(&r, address, &in);
	adbgd_flow_free(&r);
	if (ret == -ENOMEM)
		return adbgd_no_memory(error, "a program's instructions");
	return ret ? 0 : adbgd_fail(error, -EINVAL, "%#llx is in the middle of the instruction at "
				    "%#llx", (unsigned long long)address, (unsigned long long)in);
}

int adbgd_insert_check(struct adbgd_process *process, const struct adbgd_memory *memory,
		       uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		       struct adbgd_error *error)
{
	size_t length;
	int num, ret;

	ret = check_mapping(process, address, error);
	if (ret)
		return ret;
	num = adbgd_insert_read(process, address, insn, error);
	if (num < 0)
		return num;
	length = adbgd_length(process->info.gc_version, insn);
	if (!length || length > (size_t)num)
		return adbgd_fail(error, -EINVAL, "the bytes at %#llx are not an instruction: %#x",
				  (unsigned long long)address, insn[0]);
	ret = check_middle(process, memory, address, error);
	return ret ? ret : (int)length;
}

/* ------------------------------------------------------- memory without patches */

uint32_t adbgd_patch_insn(void)
{
	return adbgd_displace_gfx10_3.s_trap(TRAP_ID_BREAK);
}

bool adbgd_is_patched(struct adbgd_process *process, uint64_t address)
{
	uint32_t insn;

	return adbg_vm_read(process->session, process->info.pid, address, &insn, sizeof(insn)) ||
	       insn == adbgd_patch_insn();
}

static int read_memory(void *data, uint64_t address, void *buffer, size_t size)
{
	struct adbgd_process *p = data;
	const struct adbgd_breakpoint *b;
	int ret = adbg_vm_read(p->session, p->info.pid, address, buffer, size);
	size_t i;

	if (ret)
		return ret;
	for (b = p->breakpoints.first; b; b = b->next) {
		if (b->info.flags & ADBGD_BREAKPOINT_PENDING || adbgd_is_stepped(b) ||
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
