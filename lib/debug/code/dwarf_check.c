// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks of debug information before libdw reads it.
 *
 * libdw opens files that debug information names: a supplementary file (.gnu_debugaltlink), and
 * those of split units (DW_AT_dwo_name). The target has chosen these names, and opening a FIFO or
 * a device may block or have an effect. Therefore libdw never sees references to the first, and
 * split.c opens the second.
 *
 * libdw also needs much memory for few bytes: about 1.6 KiB for a unit of 11 bytes, and for each
 * unit a list of all abbreviations up to the searched one. DWARF 4 and 5, 7.5.
 */
#include "dwarf_check.h"

#include <endian.h>
#include <string.h>

#include "code_object.h"
#include "inflate.h"

/* Values of DWARF 5, 7.5.1 and 7.5.6. dwarf.h belongs to libdw, which this file does not need. */
#define UNIT_COMPILE		0x01
#define UNIT_SPLIT_COMPILE	0x05
#define UNIT_SPLIT_TYPE		0x06
#define FORM_IMPLICIT_CONST	0x21

/* No compiler writes an entry with so many attributes; libdw skips all of them to find one. */
#define ATTRIBUTES_MAX	256
/* libdw puts codes into a hash table, in which large ones could be made to collide. */
#define CODE_MAX	(1U << 20)

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* ---------------------------------------------------------------------- sections */

/* Get the size of a section after libelf has decompressed it; 0: it is not compressed. */
static uint64_t inflated(const struct adbgd_elf *elf, const Elf64_Shdr *s)
{
	Elf64_Chdr packed;
	uint64_t gnu[2];	/* "ZLIB", and the size in big-endian order */

	if (s->sh_type == SHT_NOBITS || s->sh_offset > elf->size ||
	    s->sh_size > elf->size - s->sh_offset)
		return 0;
	if (s->sh_flags & SHF_COMPRESSED && s->sh_size >= sizeof(packed)) {
		memcpy(&packed, elf->bytes + s->sh_offset, sizeof(packed));
		return packed.ch_size;
	}
	if (s->sh_size >= 12 && !memcmp(elf->bytes + s->sh_offset, "ZLIB", 4)) {
		memcpy(gnu, elf->bytes + s->sh_offset + 4, 8);
		return be64toh(gnu[0]);
	}
	return 0;
}

int adbgd_dwarf_check_sizes(struct adbgd_code *code, struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;
	unsigned int i;
	uint64_t size;
	int ret = 0;

	for (i = 0; !ret && i < elf->num_sections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		size = inflated(elf, s);
		if (!size)
			continue;
		/*
		 * The product cannot overflow: sh_size is a part of the file, which has at most 1
		 * GiB.
		 */
		if (size > ADBGD_INFLATED_LEAST + ADBGD_INFLATED_RATIO * s->sh_size)
			return adbgd_fail(error, -E2BIG, "%s: a section of %llu bytes would have "
					  "%llu when it is decompressed", code->name,
					  (unsigned long long)s->sh_size,
					  (unsigned long long)size);
		ret = adbgd_spend(&code->budget, ADBGD_COST_INFLATED, size, code->name, error);
	}
	return ret;
}

static int refuse_other_file(const struct adbgd_code *code, const char *what,
			     struct adbgd_error *error)
{
	return adbgd_fail(error, -EOPNOTSUPP, "%s: a part of its debug information is in another "
			  "file, which is not read (%s)", code->name, what);
}

/* libdw must not decompress the section that contains the names, because they would change then. */
int adbgd_dwarf_check_name(const struct adbgd_code *code, const char *name, uint64_t flags,
			   bool has_names, struct adbgd_error *error)
{
	if (has_names && (!name || flags & SHF_COMPRESSED || begins(name, ".debug") ||
			  begins(name, ".zdebug") || begins(name, ".gnu")))
		return adbgd_fail(error, -EBADMSG, "%s: the names of its sections are damaged",
				  code->name);
	if (name && (begins(name, ".gnu_debugaltlink") || begins(name, ".debug_sup")))
		return refuse_other_file(code, name, error);
	return 0;
}

/* ------------------------------------------------------------------------- units */

/* A table of abbreviations, and how many it has. Units often share a table. */
struct abbrevs {
	const struct adbgd_section *section;
	uint64_t at;
	uint64_t count;
	bool is_known;
};

static int too_large(const struct adbgd_code *code, const char *what, struct adbgd_error *error)
{
	return adbgd_fail(error, -E2BIG, "%s: its debug information has %s", code->name, what);
}

/* Skip pairs of names and forms, up to the pair of zeros. */
static int pass_attributes(const struct adbgd_code *code, struct adbgd_cursor *c,
			   struct adbgd_error *error)
{
	uint64_t name, form;
	unsigned int num = 0;

	do {
		if (num++ > ATTRIBUTES_MAX)
			return too_large(code, "an entry of more than 256 attributes", error);
		name = adbgd_cursor_uleb(c);
		form = adbgd_cursor_uleb(c);
		if (form == FORM_IMPLICIT_CONST)
			adbgd_cursor_uleb(c);
	} while ((name || form) && !c->bad);
	return 0;
}

static int count_abbrevs(struct adbgd_code *code, struct abbrevs *a, uint64_t at,
			 struct adbgd_error *error)
{
	struct adbgd_cursor c;
	const uint8_t *from;
	uint64_t number;
	int ret = 0;

	if (a->is_known && a->at == at)
		return 0;
	a->at = at;
	a->count = 0;
	a->is_known = true;
	/* If there is no such table, libdw reports that when it needs it. */
	if (!adbgd_cursor_begin(&c, a->section, at))
		return 0;
	while (!ret && (number = adbgd_cursor_uleb(&c)) && !c.bad) {
		if (number > CODE_MAX)
			return too_large(code, "numbers of abbreviations above 1048576", error);
		from = c.at;
		adbgd_cursor_uleb(&c);
		adbgd_cursor_number(&c, 1);
		ret = pass_attributes(code, &c, error);
		if (!ret)
			ret = adbgd_spend(&code->budget, ADBGD_COST_STEPS, c.at - from,
					  code->name, error);
		a->count++;
	}
	return ret;
}

/* Check a unit, beginning after its length. @c ends with the unit. */
static int check_unit(struct adbgd_code *code, struct adbgd_cursor *c, unsigned int offset_size,
		      struct abbrevs *a, bool is_split, struct adbgd_error *error)
{
	struct adbgd_budget *budget = &code->budget;
	unsigned int version = adbgd_cursor_number(c, 2), type = UNIT_COMPILE;
	uint64_t abbrevs;
	int ret;

	if (version >= 5) {
		type = adbgd_cursor_number(c, 1);
		adbgd_cursor_number(c, 1);
	}
	abbrevs = adbgd_cursor_number(c, offset_size);
	/* The file of a skeleton unit is opened later. */
	if (!is_split && (type == UNIT_SPLIT_COMPILE || type == UNIT_SPLIT_TYPE))
		return adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: a unit "
				  "of a .dwo file", code->name);
	ret = adbgd_spend(budget, ADBGD_COST_UNITS, 1, code->name, error);
	if (!ret)
		ret = count_abbrevs(code, a, abbrevs, error);
	return ret ? ret : adbgd_spend(budget, ADBGD_COST_ABBREVS, a->count, code->name, error);
}

static int check_section(struct adbgd_code *code, const struct adbgd_section *section,
			 struct abbrevs *a, bool is_split, struct adbgd_error *error)
{
	struct adbgd_cursor c, unit;
	unsigned int offset_size;
	uint64_t size;
	int ret = 0;

	if (!adbgd_cursor_begin(&c, section, 0))
		return 0;
	while (!ret && c.at < c.end) {
		size = adbgd_cursor_number(&c, 4);
		offset_size = size == 0xffffffff ? 8 : 4;
		if (offset_size == 8)
			size = adbgd_cursor_number(&c, 8);
		unit = c;
		adbgd_cursor_skip(&c, size);
		/* libdw does not read beyond this, either. */
		if (c.bad)
			break;
		unit.end = c.at;
		ret = check_unit(code, &unit, offset_size, a, is_split, error);
	}
	return ret;
}

int adbgd_dwarf_check_units(struct adbgd_code *code, const struct adbgd_dwarf_sections *sections,
			    bool is_split, struct adbgd_error *error)
{
	struct abbrevs a = { .section = &sections->abbrev };
	int ret = check_section(code, &sections->info, &a, is_split, error);

	return ret ? ret : check_section(code, &sections->types, &a, is_split, error);
}
