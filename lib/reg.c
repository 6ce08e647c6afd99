// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoding the registers of a wave by the table of its generation.
 */
#include <string.h>

#include "reg.h"

#define REG_PREFIX "SQ_WAVE_"

static const struct reg_table *const tables[] = {
	&adbg_regs_gfx10_3,
};

const struct reg_table *adbg_reg_table(uint32_t gc_version)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (gc_version >= tables[i]->first_gc &&
		    gc_version <= tables[i]->last_gc)
			return tables[i];

	return NULL;
}

static const struct reg *to_reg(const struct adbg_reg *pub)
{
	return (const struct reg *)((const char *)pub -
				    offsetof(struct reg, pub));
}

ADBG_API const struct adbg_reg *adbg_reg_get(uint32_t gc_version, size_t i)
{
	const struct reg_table *table = adbg_reg_table(gc_version);

	return table && i < table->num_regs ? &table->regs[i].pub : NULL;
}

ADBG_API const struct adbg_reg *adbg_reg_find(uint32_t gc_version,
					      const char *name)
{
	const struct adbg_reg *reg;
	const size_t prefix = strlen(REG_PREFIX);

	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++)
		if (!strcmp(reg->name, name) ||
		    !strcmp(reg->name + prefix, name))
			return reg;

	return NULL;
}

ADBG_API const struct adbg_field *
adbg_reg_get_field(const struct adbg_reg *reg, size_t i)
{
	return i < reg->num_fields ? &to_reg(reg)->fields[i] : NULL;
}

ADBG_API const struct adbg_field *
adbg_reg_find_field(const struct adbg_reg *reg, const char *name)
{
	const struct adbg_field *field;

	for (size_t i = 0; (field = adbg_reg_get_field(reg, i)); i++)
		if (!strcmp(field->name, name))
			return field;

	return NULL;
}

ADBG_API const struct adbg_reg_file *adbg_reg_get_file(uint32_t gc_version)
{
	const struct reg_table *table = adbg_reg_table(gc_version);

	return table ? &table->file : NULL;
}

ADBG_API uint32_t adbg_wave_num_vgprs(uint32_t gc_version,
				      const struct amdgpudbg_wave *wave)
{
	const struct reg_table *table = adbg_reg_table(gc_version);
	const struct adbg_reg *reg = adbg_reg_find(gc_version, "GPR_ALLOC");
	const struct adbg_field *field;
	uint32_t num;

	field = reg ? adbg_reg_find_field(reg, "VGPR_SIZE") : NULL;
	if (!field || !adbg_reg_is_known(reg, wave))
		return 0;

	num = adbg_field_value(field, adbg_reg_value(reg, wave)) + 1;
	num *= table->vgpr_unit;
	return num < table->file.max_vgpr ? num : table->file.max_vgpr;
}
