// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the registers of a wave.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "reg.h"

#define PREFIX "SQ_WAVE_"

/* Kinds of numbered registers. Longer prefixes come first. */
static const struct {
	const char *prefix;
	enum amdgpudbg_reg_space space;
} files[] = {
	{ "ttmp", AMDGPUDBG_REG_TTMP },
	{ "s", AMDGPUDBG_REG_SGPR },
	{ "v", AMDGPUDBG_REG_VGPR },
};

static uint32_t file_size(const struct adbg_reg_file *file,
			  enum amdgpudbg_reg_space space)
{
	switch (space) {
	case AMDGPUDBG_REG_SGPR:
		return file->num_sgpr;
	case AMDGPUDBG_REG_VGPR:
		return file->max_vgpr;
	case AMDGPUDBG_REG_TTMP:
		return file->num_ttmp;
	case AMDGPUDBG_REG_HW:
	case AMDGPUDBG_REG_AGPR:
		break;
	}

	return 0;
}

static const struct adbg_reg *find_hwreg(uint32_t gc_version, const char *name)
{
	const struct adbg_reg *reg;

	if (!strncasecmp(name, PREFIX, strlen(PREFIX)))
		name += strlen(PREFIX);
	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++)
		if (reg->space == AMDGPUDBG_REG_HW &&
		    !strcasecmp(reg->name + strlen(PREFIX), name))
			return reg;

	return NULL;
}

static int parse_number(const char **text, uint32_t *number)
{
	uint32_t value = 0;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;

	for (; isdigit((unsigned char)**text); (*text)++) {
		value = value * 10 + (**text - '0');
		if (value > 0xffff)
			return -ERANGE;
	}

	*number = value;
	return 0;
}

/* Parse "4", "4-7" or "[4:7]", up to the end of the text. */
static int parse_numbers(const char *text, uint32_t *first, uint32_t *last)
{
	bool bracket = *text == '[';
	const char *p = text + bracket;
	int ret;

	ret = parse_number(&p, first);
	if (ret)
		return ret;

	*last = *first;
	if (*p == (bracket ? ':' : '-')) {
		p++;
		ret = parse_number(&p, last);
		if (ret)
			return ret;
	}
	if (bracket && *p++ != ']')
		return -EINVAL;

	return *p || *last < *first ? -EINVAL : 0;
}

static int parse_numbered(const struct reg_table *table, size_t i,
			  const char *numbers,
			  struct amdgpudbg_reg_range *range)
{
	uint32_t first, last;
	int ret;

	ret = parse_numbers(numbers, &first, &last);
	if (ret)
		return ret;
	if (last >= file_size(&table->file, files[i].space))
		return -ERANGE;

	*range = (struct amdgpudbg_reg_range){
		.space = files[i].space,
		.first = first,
		.count = last - first + 1,
	};
	return 0;
}

/* "pc" is PC_LO and PC_HI. */
static bool parse_pair(uint32_t gc_version, const char *text,
		       struct amdgpudbg_reg_range *range)
{
	const struct adbg_reg *lo, *hi;
	char name[ADBG_REG_NAME_MAX];

	snprintf(name, sizeof(name), "%s_LO", text);
	lo = find_hwreg(gc_version, name);
	snprintf(name, sizeof(name), "%s_HI", text);
	hi = find_hwreg(gc_version, name);
	if (!lo || !hi || hi->number != lo->number + 1)
		return false;

	*range = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_HW, .first = lo->number, .count = 2,
	};
	return true;
}

static bool parse_vcc(const struct reg_table *table, const char *text,
		      struct amdgpudbg_reg_range *range)
{
	struct amdgpudbg_reg_range vcc = {
		.space = AMDGPUDBG_REG_SGPR, .first = table->vcc, .count = 1,
	};

	if (!strcasecmp(text, "vcc"))
		vcc.count = 2;
	else if (!strcasecmp(text, "vcc_hi"))
		vcc.first++;
	else if (strcasecmp(text, "vcc_lo"))
		return false;

	*range = vcc;
	return true;
}

ADBG_API int adbg_reg_parse(uint32_t gc_version, const char *text,
			    struct amdgpudbg_reg_range *range)
{
	const struct reg_table *table = adbg_reg_table(gc_version);
	const struct adbg_reg *hwreg;

	if (!table || !text)
		return -EINVAL;

	hwreg = find_hwreg(gc_version, text);
	if (hwreg) {
		*range = (struct amdgpudbg_reg_range){
			.space = AMDGPUDBG_REG_HW, .first = hwreg->number,
			.count = 1,
		};
		return 0;
	}
	if (parse_pair(gc_version, text, range) ||
	    parse_vcc(table, text, range))
		return 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		size_t n = strlen(files[i].prefix);

		if (!strncmp(text, files[i].prefix, n))
			return parse_numbered(table, i, text + n, range);
	}

	return -EINVAL;
}

static const char *hwreg_name(uint32_t gc_version, uint32_t number)
{
	const struct adbg_reg *reg;

	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++)
		if (reg->space == AMDGPUDBG_REG_HW && reg->number == number)
			return reg->name + strlen(PREFIX);

	return "?";
}

ADBG_API char *adbg_reg_name(uint32_t gc_version, uint32_t space,
			     uint32_t number, char name[ADBG_REG_NAME_MAX])
{
	const struct reg_table *table = adbg_reg_table(gc_version);

	strcpy(name, "?");
	if (space == AMDGPUDBG_REG_HW)
		snprintf(name, ADBG_REG_NAME_MAX, "%s",
			 hwreg_name(gc_version, number));
	for (size_t i = 0; table && i < ARRAY_SIZE(files); i++)
		if (files[i].space == space &&
		    number < file_size(&table->file, space))
			snprintf(name, ADBG_REG_NAME_MAX, "%s%u",
				 files[i].prefix, number);

	return name;
}
