// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All VGPRs of a wave at once, by its own trap handler: it stores each of them for all lanes by
 * one instruction, where SQ_IND takes an access for each lane.
 */
#include <string.h>

#include "target.h"
#include "trap_abi.h"

/* What one instruction of the handler stores */
#define AT_ONCE	4

static int check(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t count,
		 struct adbgd_error *error)
{
	uint32_t num = adbg_wave_num_vgprs(p->info.gc_version, wave);
	char name[ADBG_WAVE_NAME_MAX];

	if (!count || count > num)
		return adbgd_fail(error, -ERANGE, "wave %s has VGPRs 0 to %u",
				  adbg_wave_name(&wave->at, name), num - 1);
	return adbgd_command_check(p, wave, error);
}

/* @stored of each lane are in the arena. */
static int take(struct adbgd_process *p, uint32_t lanes, uint32_t stored, uint32_t count,
		uint32_t *values)
{
	uint32_t *all = malloc(4UL * lanes * stored), lane;
	int ret;

	if (!all)
		return -ENOMEM;
	ret = adbg_mem_read(p->session, p->memory_id, p->arena, all, 4 * lanes * stored);
	for (lane = 0; !ret && lane < lanes; lane++)
		memcpy(values + (size_t)lane * count, all + (size_t)lane * stored, 4UL * count);
	free(all);
	return ret;
}

ADBGD_API int adbgd_vgprs_read(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint32_t count,
			       uint32_t *values, struct adbgd_error *error)
{
	uint32_t stored = (count + AT_ONCE - 1) / AT_ONCE * AT_ONCE, lanes;
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	ret = ret ? ret : check(process, &wave, count, error);
	if (ret)
		return ret;
	lanes = wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	ret = adbgd_command(process, &wave, TRAP_OP_VGPR_READ, 0, stored);
	ret = ret ? ret : take(process, lanes, stored, count, values);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}
