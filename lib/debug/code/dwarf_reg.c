// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * DWARF register numbers: LLVM, AMDGPUUsage, "Register Identifier".
 */
#include "dwarf_reg.h"

#define VCC	106	/* number of VCC_LO among SGPRs, gfx9 and later */

static const struct {
	uint16_t first, last;
	uint16_t space;
	uint16_t number;	/* of the first one */
	uint8_t count;
	uint8_t lanes;		/* only in waves with this number of lanes; 0: in any */
} registers[] = {
	{ 1, 1, ADBGD_REG_EXEC, 0, 1, 32 },
	{ 17, 17, ADBGD_REG_EXEC, 0, 2, 64 },
	{ 32, 95, AMDGPUDBG_REG_SGPR, 0, 1, 0 },
	{ 512, 512, AMDGPUDBG_REG_SGPR, VCC, 1, 32 },
	{ 768, 768, AMDGPUDBG_REG_SGPR, VCC, 2, 64 },
	{ 1088, 1129, AMDGPUDBG_REG_SGPR, 64, 1, 0 },
	{ 1536, 2047, AMDGPUDBG_REG_VGPR, 0, 1, 32 },
	{ 2560, 3071, AMDGPUDBG_REG_VGPR, 0, 1, 64 },
};

int adbgd_dwarf_reg(uint64_t number, uint32_t lanes, uint32_t *space, uint32_t *index,
		    uint32_t *count, struct adbgd_error *error)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		if (number < registers[i].first || number > registers[i].last)
			continue;
		if (registers[i].lanes && registers[i].lanes != lanes)
			return adbgd_fail(error, -EBADMSG,
					  "DWARF register %llu is for waves of %u lanes, but the "
					  "wave has %u", (unsigned long long)number,
					  registers[i].lanes, lanes);
		*space = registers[i].space;
		*index = registers[i].number + (number - registers[i].first);
		*count = registers[i].count;
		return 0;
	}
	if (number == 0 || number == 16 || number == 128 ||
	    (number >= 2048 && number <= 2303) || (number >= 3072 && number <= 3327))
		return adbgd_fail(error, -EOPNOTSUPP, "it is in %s, which is not supported",
				  number == 128 ? "STATUS" :
				  number < 32 ? "the PC" : "an accumulation VGPR");
	return adbgd_fail(error, -EBADMSG, "there is no DWARF register %llu",
			  (unsigned long long)number);
}
