// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How many values ranges of registers have.
 */
#include "internal.h"

ADBG_API uint64_t adbg_reg_num_values(const struct amdgpudbg_reg_range *ranges,
				      size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (uint64_t)ranges[i].count *
		       (ranges[i].space == AMDGPUDBG_REG_VGPR ?
			ranges[i].num_lanes : 1);

	return sum;
}
