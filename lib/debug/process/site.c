// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is in a place where a breakpoint is to be.
 */
#include "isa/reach.h"
#include "target.h"

/* It may be the last thing that is mapped. */
int adbgd_site_read(struct adbgd_process *p, uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
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
	return adbgd_fail(error, -EACCES, "what is at %#llx is no code: waves may not run it",
			  (unsigned long long)address);
}

/* Is it known that none begins there? What is behind it would be another one then. */
static int check_middle(struct adbgd_process *p, const struct adbgd_memory *memory,
			uint64_t address, struct adbgd_error *error)
{
	struct adbgd_reach r;
	uint64_t in;
	int ret;

	ret = adbgd_reach_begin(&r, memory, p->info.gc_version, address);
	ret = ret ? ret : adbgd_reach_to(&r, address, &in);
	adbgd_reach_free(&r);
	if (ret == -ENOMEM)
		return adbgd_no_memory(error, "a program's instructions");
	return ret ? 0 : adbgd_fail(error, -EINVAL, "%#llx is in the middle of the instruction at "
				    "%#llx", (unsigned long long)address, (unsigned long long)in);
}

int adbgd_site_look(struct adbgd_process *process, const struct adbgd_memory *memory,
		    uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		    struct adbgd_error *error)
{
	size_t length;
	int num, ret;

	ret = check_mapping(process, address, error);
	if (ret)
		return ret;
	num = adbgd_site_read(process, address, insn, error);
	if (num < 0)
		return num;
	length = adbgd_length(process->info.gc_version, insn);
	if (!length || length > (size_t)num)
		return adbgd_fail(error, -EINVAL, "there is no instruction at %#llx, but %#x",
				  (unsigned long long)address, insn[0]);
	ret = check_middle(process, memory, address, error);
	return ret ? ret : (int)length;
}
