// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See dwarf_units.h. The entries of a skeleton unit are in another file, see split.h.
 */
#include "dwarf_units.h"

#include <string.h>

#include "code_object.h"
#include "split.h"

static int add_unit(struct adbgd_dwarf *d, size_t *room, Dwarf_Die *die, bool is_skeleton,
		    struct adbgd_error *error)
{
	struct adbgd_unit *units = adbgd_grow(d->units, d->num_units, room, sizeof(*units));
	struct adbgd_unit *unit;
	int ret = 0;

	if (!units)
		return adbgd_no_memory(error, d->code->name);
	d->units = units;
	unit = &units[d->num_units++];
	memset(unit, 0, sizeof(*unit));
	unit->die = *die;
	unit->lines = *die;
	if (is_skeleton)
		ret = adbgd_split_open(d, unit, error);
	if (ret)
		return ret;
	unit->offset = adbgd_dwarf_offset(d, &unit->die);
	return adbgd_dwarf_ranges(d, &unit->lines, &unit->first_range, &unit->num_ranges, error);
}

static int by_offset(const void *a, const void *b)
{
	const struct adbgd_unit *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int add_units(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	Dwarf_CU *unit = NULL;
	size_t room = 0;
	uint8_t type;
	Dwarf_Die die;
	int ret;

	for (;;) {
		/* Do not ask for the unit that is in another file, because libdw would open it. */
		ret = dwarf_get_units(d->dwarf, unit, &unit, NULL, &type, &die, NULL);
		if (ret)
			return ret < 0 ? adbgd_dwarf_bad(d, "its units", error) : 0;
		/* Type units are left out: they are found by their signature. */
		if (type != DW_UT_compile && type != DW_UT_partial && type != DW_UT_skeleton)
			continue;
		/* Before DWARF 5, only a GNU attribute marks a skeleton unit. */
		ret = add_unit(d, &room, &die, type == DW_UT_skeleton, error);
		if (ret)
			return ret;
	}
}

int adbgd_dwarf_units(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	int ret = add_units(d, error);

	adbgd_split_end(d);
	if (!ret && d->num_splits)
		qsort(d->units, d->num_units, sizeof(*d->units), by_offset);
	return ret;
}
