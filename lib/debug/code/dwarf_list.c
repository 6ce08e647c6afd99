// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See dwarf_list.h. Many entries may share a list, and libdw skips any number of list entries
 * that only set a base address in a single call. It also decodes all operations of a location,
 * however many there are. DWARF 4, 2.6.2 and 2.17.3; DWARF 5, 2.6.2, 2.17.3 and 7.28, 7.29.
 */
#include "dwarf_list.h"

#include <string.h>

#include "cursor.h"

/* Operands of each kind of entry: a: an address, u: a ULEB128, l: a location */
static const char *const location_kinds[] = {
	[DW_LLE_end_of_list] = "", [DW_LLE_base_addressx] = "u", [DW_LLE_startx_endx] = "uul",
	[DW_LLE_startx_length] = "uul", [DW_LLE_offset_pair] = "uul",
	[DW_LLE_default_location] = "l", [DW_LLE_base_address] = "a",
	[DW_LLE_start_end] = "aal", [DW_LLE_start_length] = "aul",
};

static const char *const range_kinds[] = {
	[DW_RLE_end_of_list] = "", [DW_RLE_base_addressx] = "u", [DW_RLE_startx_endx] = "uu",
	[DW_RLE_startx_length] = "uu", [DW_RLE_offset_pair] = "uu",
	[DW_RLE_base_address] = "a", [DW_RLE_start_end] = "aa", [DW_RLE_start_length] = "au",
};

static bool is_called(const char *is, const char *name)
{
	/* A section like ".zdebug_line" is meant, too. It is decompressed by now. */
	return !strcmp(is, name) || (!strncmp(is, ".z", 2) && !strcmp(is + 2, name + 1));
}

Elf_Data *adbgd_dwarf_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	const char *is;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		is = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		if (is && is_called(is, name))
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

void adbgd_dwarf_lists_init(struct adbgd_dwarf_lists *lists, Elf *elf,
			    struct adbgd_budget *budget, const char *name)
{
	*lists = (struct adbgd_dwarf_lists){
		.budget = budget, .name = name,
		.info = adbgd_dwarf_section(elf, ".debug_info"),
		.ranges = adbgd_dwarf_section(elf, ".debug_ranges"),
		.rnglists = adbgd_dwarf_section(elf, ".debug_rnglists"),
		.loc = adbgd_dwarf_section(elf, ".debug_loc"),
		.loclists = adbgd_dwarf_section(elf, ".debug_loclists"),
	};
}

struct list {
	const struct adbgd_dwarf_lists *of;
	Elf_Data *data;			/* its section */
	struct adbgd_cursor c;
	bool has_locations;
	unsigned int address_size;
	struct adbgd_error *error;
};

static int pass_location(struct list *l, uint64_t size)
{
	adbgd_cursor_skip(&l->c, size);
	if (size <= ADBGD_LOCATION_MAX)
		return 0;
	return adbgd_fail(l->error, -E2BIG, "its location has %llu bytes; at most %u are read",
			  (unsigned long long)size, ADBGD_LOCATION_MAX);
}

/* Skip an entry of a DWARF 5 list. Return: 1; 0 it is the last one; -E2BIG. */
static int pass_entry(struct list *l)
{
	const char *const *kinds = l->has_locations ? location_kinds : range_kinds;
	size_t num = l->has_locations ? ARRAY_SIZE(location_kinds) : ARRAY_SIZE(range_kinds);
	uint64_t kind = adbgd_cursor_number(&l->c, 1);
	const char *part;
	int ret = 0;

	if (!kind || kind >= num)
		return 0;
	for (part = kinds[kind]; !ret && *part; part++) {
		if (*part == 'a')
			adbgd_cursor_skip(&l->c, l->address_size);
		else if (*part == 'u')
			adbgd_cursor_uleb(&l->c);
		else
			ret = pass_location(l, adbgd_cursor_uleb(&l->c));
	}
	return ret ? ret : 1;
}

/*
 * Skip an entry of an older list: a pair of addresses, and a location unless the pair sets the
 * base.
 */
static int pass_pair(struct list *l)
{
	uint64_t all = l->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t begin = adbgd_cursor_number(&l->c, l->address_size);
	uint64_t end = adbgd_cursor_number(&l->c, l->address_size);
	int ret;

	if (!begin && !end)
		return 0;
	if (!l->has_locations || begin == all)
		return 1;
	ret = pass_location(l, adbgd_cursor_number(&l->c, 2));
	return ret ? ret : 1;
}

static int pass(struct list *l, unsigned int version)
{
	int ret = 1;

	while (ret > 0 && !l->c.bad && l->c.at < l->c.end) {
		ret = adbgd_spend(l->of->budget, ADBGD_COST_STEPS, 1, l->of->name, l->error);
		if (!ret)
			ret = version < 5 ? pass_pair(l) : pass_entry(l);
	}
	return ret < 0 ? ret : 0;
}

/* Get the unmodified value of an attribute that refers to a list; false: it does not. */
static bool raw_value(const Elf_Data *info, const Dwarf_Attribute *attr,
		      unsigned int offset_size, uint64_t *value, bool *is_index)
{
	struct adbgd_cursor c;

	*is_index = false;
	if (!info || !info->d_buf)
		return false;
	c = (struct adbgd_cursor){
		.at = attr->valp, .end = (const uint8_t *)info->d_buf + info->d_size,
	};
	if (c.at < (const uint8_t *)info->d_buf || c.at > c.end)
		return false;
	switch (attr->form) {
	case DW_FORM_sec_offset:
		*value = adbgd_cursor_number(&c, offset_size);
		break;
	case DW_FORM_data4:
		*value = adbgd_cursor_number(&c, 4);
		break;
	case DW_FORM_data8:
		*value = adbgd_cursor_number(&c, 8);
		break;
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		*value = adbgd_cursor_uleb(&c);
		*is_index = true;
		break;
	default:
		return false;
	}
	return !c.bad;
}

static bool seek(struct list *l, uint64_t at)
{
	if (!l->data || !l->data->d_buf || at >= l->data->d_size)
		return false;
	l->c = (struct adbgd_cursor){
		.at = (const uint8_t *)l->data->d_buf + at,
		.end = (const uint8_t *)l->data->d_buf + l->data->d_size,
	};
	return true;
}

static uint64_t base_of(Dwarf_Die *unit, unsigned int attribute, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word base;

	return dwarf_attr(unit, attribute, &attr) && !dwarf_formudata(&attr, &base) ? base :
	       otherwise;
}

int adbgd_dwarf_list_check(const struct adbgd_dwarf_lists *lists, Dwarf_Attribute *attr,
			   bool has_locations, struct adbgd_error *error)
{
	struct list l = { .of = lists, .has_locations = has_locations, .error = error };
	uint8_t address_size, offset_size;
	uint64_t at, base;
	Dwarf_Half version;
	Dwarf_Die unit;
	bool is_index;

	if (!dwarf_cu_die(attr->cu, &unit, &version, NULL, &address_size, &offset_size, NULL,
			  NULL) ||
	    !raw_value(lists->info, attr, offset_size, &at, &is_index))
		return 0;
	l.address_size = address_size;
	if (has_locations)
		l.data = version < 5 ? lists->loc : lists->loclists;
	else
		l.data = version < 5 ? lists->ranges : lists->rnglists;
	if (is_index) {
		/* Without the attribute, the base is behind the header of the first table. */
		base = base_of(&unit, has_locations ? DW_AT_loclists_base : DW_AT_rnglists_base,
			       offset_size == 8 ? 20 : 12);
		if (at > UINT32_MAX || !seek(&l, base + at * offset_size))
			return 0;
		at = base + adbgd_cursor_number(&l.c, offset_size);
	}
	return seek(&l, at) ? pass(&l, version) : 0;
}
