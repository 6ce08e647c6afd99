// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * STATUS.COND_DBG_USER and _SYS, by which s_cbranch_cdbguser and its like branch: bits of the
 * debugger's in a program that asks for them.
 */
#include "target.h"
#include "trap_abi.h"

/* The same in gc_9_0 and gc_11_0_3_sh_mask.h (Linux 6.12); that of 10.3 does not name them. */
#define COND_DBG_SHIFT	20

ADBGD_API uint32_t adbgd_wave_get_cond_dbg(const struct adbgd_process *process,
					   const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *status = adbg_reg_find(process->info.gc_version, "STATUS");

	return adbg_reg_value(status, wave) >> COND_DBG_SHIFT & 3;
}

ADBGD_API int adbgd_wave_set_cond_dbg(struct adbgd_process *process,
				      const struct amdgpudbg_wave_coord *at, uint32_t bits,
				      struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = bits & ~(ADBGD_COND_DBG_USER | ADBGD_COND_DBG_SYS) ?
		  adbgd_fail(error, -EINVAL, "there are no such bits: %#x", bits) :
		  adbgd_wave_find(process, at, &wave, error);

	ret = ret ? ret : adbgd_command_check(process, &wave, error);
	if (ret)
		return ret;
	ret = adbgd_command(process, &wave, TRAP_OP_COND_DBG, 0, bits);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}
