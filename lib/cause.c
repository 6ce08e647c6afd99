// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why a wave has trapped: the fields of TTMP0 and TTMP1, the names of the bits of TRAPSTS for its
 * generation, and the names of the causes in events, which are the same for all generations.
 */
#include <errno.h>

#include "reg.h"

/* Sign-extend an address, which has as many bits as TTMP0 and TTMP1 contain. */
static uint64_t sign_extend(uint64_t value, uint32_t bits)
{
	uint64_t sign = 1ULL << (bits - 1);

	return (value ^ sign) - sign;
}

ADBG_API int adbg_wave_get_trap(const struct amdgpudbg_wave *wave,
				uint32_t gc_version, struct adbg_trap *trap)
{
	const struct reg_table *table = adbg_reg_table(gc_version);
	const struct trap_table *t;
	uint64_t pc;

	if (!table)
		return -EOPNOTSUPP;
	if (!(wave->flags & AMDGPUDBG_WAVE_TTMP))
		return -ENODATA;

	t = table->trap;
	pc = (uint64_t)adbg_field_value(t->pc_hi, wave->ttmp[1]) << 32 |
	     wave->ttmp[0];
	*trap = (struct adbg_trap){
		.pc = sign_extend(pc, 32 + t->pc_hi->width),
		.id = adbg_field_value(t->id, wave->ttmp[1]),
		.host = adbg_field_value(t->host, wave->ttmp[1]),
		.rewind = adbg_field_value(t->rewind, wave->ttmp[1]) *
			  t->rewind_unit,
		.resumed = !!(wave->ttmp[1] & t->resumed),
	};
	return 0;
}

static const struct {
	uint64_t cause;
	const char *name;
} causes_known[] = {
	{ AMDGPUDBG_CAUSE_INVALID, "INVALID" },
	{ AMDGPUDBG_CAUSE_INPUT_DENORM, "INPUT_DENORM" },
	{ AMDGPUDBG_CAUSE_FLOAT_DIV0, "DIV0" },
	{ AMDGPUDBG_CAUSE_OVERFLOW, "OVERFLOW" },
	{ AMDGPUDBG_CAUSE_UNDERFLOW, "UNDERFLOW" },
	{ AMDGPUDBG_CAUSE_INEXACT, "INEXACT" },
	{ AMDGPUDBG_CAUSE_INT_DIV0, "INT_DIV0" },
	{ AMDGPUDBG_CAUSE_MEM_VIOL, "MEM_VIOL" },
	{ AMDGPUDBG_CAUSE_ILLEGAL_INST, "ILLEGAL_INST" },
	{ AMDGPUDBG_CAUSE_DEBUG, "DEBUG" },
	{ AMDGPUDBG_CAUSE_S_TRAP, "S_TRAP" },
	{ AMDGPUDBG_CAUSE_HOST_TRAP, "HOST_TRAP" },
	{ AMDGPUDBG_CAUSE_WAVE_START, "WAVE_START" },
	{ AMDGPUDBG_CAUSE_WAVE_END, "WAVE_END" },
	{ AMDGPUDBG_CAUSE_MEM_ECC, "MEM_ECC" },
	{ AMDGPUDBG_CAUSE_XNACK, "XNACK" },
};

/* Names of the bits in exception registers */
static const char *const watches_known[] = {
	"ADDR_WATCH0", "ADDR_WATCH1", "ADDR_WATCH2", "ADDR_WATCH3",
	"ADDR_WATCH4", "ADDR_WATCH5", "ADDR_WATCH6", "ADDR_WATCH7",
};

ADBG_API size_t adbg_event_causes(uint64_t cause, uint32_t watch_mask,
				  const char **names, size_t max)
{
	size_t n = 0;

	if (!(cause & AMDGPUDBG_CAUSE_WATCH))
		watch_mask = 0;
	for (size_t i = 0; i < ARRAY_SIZE(watches_known) && n < max; i++)
		if (watch_mask >> i & 1)
			names[n++] = watches_known[i];

	for (size_t i = 0; i < ARRAY_SIZE(causes_known) && n < max; i++)
		if (cause & causes_known[i].cause)
			names[n++] = causes_known[i].name;

	return n;
}

static size_t name_trapsts(uint32_t gc_version, uint32_t cause,
			   const char **names, size_t max)
{
	const struct adbg_reg *reg = adbg_reg_find(gc_version, "TRAPSTS");
	const struct adbg_field *field;
	size_t n = 0;

	for (size_t i = 0; reg && (field = adbg_reg_get_field(reg, i)); i++) {
		uint32_t value = adbg_field_value(field, cause);

		for (uint32_t bit = 0; bit < field->width; bit++) {
			if (!(value >> bit & 1) || n == max)
				continue;
			names[n++] = field->bits ? field->bits[bit] :
						   field->name;
			if (!field->bits)
				break;
		}
	}

	return n;
}

/* Get TRAPSTS; 0 also if the generation is unknown, or the record does not contain the register. */
static uint32_t get_trapsts(const struct amdgpudbg_wave *wave,
			    uint32_t gc_version)
{
	const struct adbg_reg *reg = adbg_reg_find(gc_version, "TRAPSTS");

	return reg ? adbg_reg_value(reg, wave) : 0;
}

ADBG_API size_t adbg_wave_get_causes(const struct amdgpudbg_wave *wave,
				     uint32_t gc_version, const char **names,
				     size_t max)
{
	const struct reg_table *table = adbg_reg_table(gc_version);

	return !table ? 0 :
	       name_trapsts(gc_version, get_trapsts(wave, gc_version) &
			    table->trap->causes, names, max);
}

ADBG_API uint32_t adbg_wave_get_watches(const struct amdgpudbg_wave *wave,
					uint32_t gc_version)
{
	const struct reg_table *table = adbg_reg_table(gc_version);
	uint32_t trapsts = get_trapsts(wave, gc_version);
	uint32_t watches = 0;

	for (size_t i = 0; table && i < ARRAY_SIZE(table->trap->watches); i++)
		if (trapsts & table->trap->watches[i])
			watches |= 1u << i;

	return watches;
}
