// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See dwarf_list.h. Many entries may share a list, and libdw skips any number of list entries
 * that only set a base address in a single call. It also decodes all operations of a location,
 * however many there are. DWARF 4, 2.6.2 and 2.17.3; DWARF 5, 2.6.2, 2.17.3 and 7.28, 7.29.
 */
#include "dwarf_list.h"

#include "code_object.h"

/*
 * Operands of each kind of entry, DW_LLE_* and DW_RLE_*, by its number: a: an address, u: a
 * ULEB128, 4: four bytes, l: a location after its length as a ULEB128, s: after two bytes
 */
static const char *const location_kinds[] = {
	"" /* end_of_list */, "u" /* base_addressx */, "uul" /* startx_endx */,
	"uul" /* startx_length */, "uul" /* offset_pair */, "l" /* default_location */,
	"a" /* base_address */, "aal" /* start_end */, "aul" /* start_length */,
};

/* DW_LLE_GNU_*, of split units before DWARF 5: gcc.gnu.org/wiki/DebugFission */
static const char *const gnu_kinds[] = {
	"" /* end_of_list */, "u" /* base_address_selection */, "uus" /* start_end */,
	"u4s" /* start_length */,
};

static const char *const range_kinds[] = {
	"" /* end_of_list */, "u" /* base_addressx */, "uu" /* startx_endx */,
	"uu" /* startx_length */, "uu" /* offset_pair */, "a" /* base_address */,
	"aa" /* start_end */, "au" /* start_length */,
};

struct list {
	struct adbgd_code *code;
	struct adbgd_cursor c;
	bool has_locations;
	bool is_gnu;
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

/* Skip an entry of a list with kinds of entries. Return: 1; 0 it is the last one; -E2BIG. */
static int pass_entry(struct list *l, const char *const *kinds, size_t num)
{
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
		else if (*part == '4')
			adbgd_cursor_skip(&l->c, 4);
		else
			ret = pass_location(l, *part == 's' ? adbgd_cursor_number(&l->c, 2) :
							      adbgd_cursor_uleb(&l->c));
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

static int pass_any(struct list *l, unsigned int version)
{
	if (l->has_locations && l->is_gnu)
		return pass_entry(l, gnu_kinds, ARRAY_SIZE(gnu_kinds));
	if (version < 5)
		return pass_pair(l);
	if (l->has_locations)
		return pass_entry(l, location_kinds, ARRAY_SIZE(location_kinds));
	return pass_entry(l, range_kinds, ARRAY_SIZE(range_kinds));
}

static int pass(struct list *l, unsigned int version)
{
	int ret = 1;

	while (ret > 0 && !l->c.bad && l->c.at < l->c.end) {
		ret = adbgd_spend(&l->code->budget, ADBGD_COST_STEPS, 1, l->code->name,
				  l->error);
		if (!ret)
			ret = pass_any(l, version);
	}
	return ret < 0 ? ret : 0;
}

int adbgd_dwarf_list_check(struct adbgd_code *code, const struct adbgd_dwarf_sections *sections,
			   const struct adbgd_dwarf_list *list, struct adbgd_error *error)
{
	struct list l = {
		.code = code, .has_locations = list->has_locations,
		.is_gnu = list->is_gnu, .address_size = list->address_size, .error = error,
	};
	const struct adbgd_section *section;
	uint64_t at = list->at;

	if (list->has_locations)
		section = list->version < 5 ? &sections->loc : &sections->loclists;
	else
		section = list->version < 5 ? &sections->ranges : &sections->rnglists;
	if (list->is_index) {
		if (at > UINT32_MAX ||
		    !adbgd_cursor_begin(&l.c, section, list->base + at * list->offset_size))
			return 0;
		at = list->base + adbgd_cursor_number(&l.c, list->offset_size);
	}
	return adbgd_cursor_begin(&l.c, section, at) ? pass(&l, list->version) : 0;
}
