// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The debugger's trap handler, see handler.h.
 */
#include <string.h>

#include <amdgpudbg.h>

#include "handler.h"
#include "trap_abi.h"

static const uint32_t gfx10_3_code[] = {
#include "gfx10_3_stop.inc"
};

size_t adbgd_handler_size(uint32_t gc_version)
{
	return ADBG_GC_MAJOR(gc_version) == 10 && ADBG_GC_MINOR(gc_version) == 3 ?
	       sizeof(gfx10_3_code) : 0;
}

int adbgd_handler_build(uint32_t gc_version, const struct adbgd_handler_condition *conditions,
			size_t num, uint32_t *code)
{
	uint32_t program[TRAP_CONDITION_DWORDS];
	int ret = adbgd_condition_program_build(gc_version, conditions, num, program);

	if (ret)
		return ret;
	memcpy(code, gfx10_3_code, sizeof(gfx10_3_code));
	memcpy(code + TRAP_CONDITION / 4, program, sizeof(program));
	return 0;
}
