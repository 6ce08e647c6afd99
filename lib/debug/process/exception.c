// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exceptions: for which of them a wave has stopped, and clearing them, so that it does not stop
 * for the same ones again.
 */
#include "trap_abi.h"
#include "wave.h"

uint32_t adbgd_wave_trapped_for(const struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	const struct adbg_reg *trapsts = adbg_reg_find(p->info.gc_version, "TRAPSTS");
	const struct adbg_field *excp = adbg_reg_find_field(trapsts, "EXCP");
	const struct adbg_field *more = adbg_reg_find_field(trapsts, "EXCP_HI");
	const struct adbg_field *illegal = adbg_reg_find_field(trapsts, "ILLEGAL_INST");
	uint32_t enabled = adbgd_field(p, w, "MODE", "EXCP_EN") | ADBGD_EXCP_MEM_VIOL, bits;

	bits = (enabled & ((1U << excp->width) - 1)) << excp->shift | 1U << illegal->shift;
	/*
	 * The bits of all watches but the first are in EXCP_HI; one enable bit is for all of
	 * them.
	 */
	if (enabled & ADBGD_EXCP_WATCH)
		bits |= ((1U << more->width) - 1) << more->shift;
	return bits & adbg_reg_value(trapsts, w);
}

/* All causes but watches, which adbgd_wave_watches() returns */
uint64_t adbgd_wave_cause(struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	/* Causes by bit of TRAPSTS.EXCP, from the lowest bit on */
	static const uint64_t causes[] = {
		AMDGPUDBG_CAUSE_INVALID, AMDGPUDBG_CAUSE_INPUT_DENORM,
		AMDGPUDBG_CAUSE_FLOAT_DIV0, AMDGPUDBG_CAUSE_OVERFLOW,
		AMDGPUDBG_CAUSE_UNDERFLOW, AMDGPUDBG_CAUSE_INEXACT,
		AMDGPUDBG_CAUSE_INT_DIV0, 0, AMDGPUDBG_CAUSE_MEM_VIOL,
	};
	const struct adbg_reg *trapsts = adbg_reg_find(p->info.gc_version, "TRAPSTS");
	const struct adbg_field *excp = adbg_reg_find_field(trapsts, "EXCP");
	const struct adbg_field *illegal = adbg_reg_find_field(trapsts, "ILLEGAL_INST");
	uint32_t bits = adbgd_wave_trapped_for(p, wave);
	uint64_t cause = 0;

	for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
		if (adbg_field_value(excp, bits) >> i & 1)
			cause |= causes[i];
	if (adbg_field_value(illegal, bits))
		cause |= AMDGPUDBG_CAUSE_ILLEGAL_INST;
	return cause;
}

uint32_t adbgd_wave_watches(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	return adbgd_field(p, wave, "MODE", "EXCP_EN") & ADBGD_EXCP_WATCH ?
	       adbg_wave_get_watches(wave, p->info.gc_version) : 0;
}

/* Bits of TRAPSTS that were set after @wave was read are kept; the wave will trap for them. */
int adbgd_wave_clear_exceptions(struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *trapsts = adbg_reg_find(p->info.gc_version, "TRAPSTS");
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = trapsts->number, .count = 1 },
		{ .space = AMDGPUDBG_REG_TTMP, .first = 13, .count = 1 },
	};
	const uint32_t values[] = { 0, 0 };
	const uint32_t bits[] = { adbgd_wave_trapped_for(p, wave), UINT32_MAX };
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE | AMDGPUDBG_REG_ACCESS_MASK,
		.at = wave->at, .vmid = wave->vmid,
		.num_ranges = ARRAY_SIZE(ranges), .ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values, .num_values = ARRAY_SIZE(values),
		.compare = (uintptr_t)bits,
	};

	if (wave->ttmp[13] != ((uint32_t)wave->pc | TRAP_TTMP13_STOPPED) ||
	    !adbgd_wave_trapped_for(p, wave))
		return 0;
	return adbg_reg_access(p->session, &access);
}
