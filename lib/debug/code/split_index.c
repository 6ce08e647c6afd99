// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See split_index.h. The index is a hash table of the ids of units with numbers of rows, a table of
 * offsets, and one of sizes, with a column for each section.
 */
#include "split_index.h"

#include <errno.h>
#include <string.h>

#define COLUMNS_MAX	16

/* Sections by their numbers in the index: before DWARF 5, and DWARF 5. -1: not needed */
static const int kinds_2[] = {
	-1, ADBGD_SPLIT_INFO, ADBGD_SPLIT_TYPES, ADBGD_SPLIT_ABBREV, -1, ADBGD_SPLIT_LOC,
	ADBGD_SPLIT_STR_OFFSETS,
};

static const int kinds_5[] = {
	-1, ADBGD_SPLIT_INFO, -1, ADBGD_SPLIT_ABBREV, -1, ADBGD_SPLIT_LOCLISTS,
	ADBGD_SPLIT_STR_OFFSETS, -1, ADBGD_SPLIT_RNGLISTS,
};

struct index {
	struct adbgd_code *code;
	const struct adbgd_split_file *file;
	unsigned int version;
	uint64_t num_columns, num_rows, num_slots;
	uint64_t rows, table;	/* offsets of the numbers of rows, and of the columns */
	struct adbgd_error *error;
};

static int bad(const struct index *x)
{
	return adbgd_fail(x->error, -EBADMSG, "%s: its index of units is damaged", x->file->path);
}

static const struct adbgd_section *section(const struct index *x)
{
	return &x->file->sections[ADBGD_SPLIT_INDEX];
}

/* Read a number that is within the table, as read_header() has checked. */
static uint64_t number_at(const struct index *x, uint64_t at, unsigned int size)
{
	uint64_t number = 0;

	memcpy(&number, section(x)->bytes + at, size);
	return number;
}

static int read_header(struct index *x)
{
	const uint64_t header = 16;
	uint64_t needed;

	if (section(x)->size < header)
		return bad(x);
	x->version = number_at(x, 0, 2);
	x->num_columns = number_at(x, 4, 4);
	x->num_rows = number_at(x, 8, 4);
	x->num_slots = number_at(x, 12, 4);
	x->rows = header + 8 * x->num_slots;
	x->table = x->rows + 4 * x->num_slots;
	needed = 4 * x->num_columns * (1 + 2 * x->num_rows);
	/* The products cannot overflow, because the numbers have 32 bits and few columns. */
	if ((x->version != 2 && x->version != 5) || !x->num_columns ||
	    x->num_columns > COLUMNS_MAX || !x->num_slots ||
	    x->num_slots & (x->num_slots - 1) || x->table > section(x)->size ||
	    needed > section(x)->size - x->table)
		return bad(x);
	return 0;
}

/* Get the number of a unit's row, from 1. Return: 0, -ENOENT, or an error of adbgd_spend(). */
static int find_row(struct index *x, uint64_t id, uint64_t *row)
{
	uint64_t mask = x->num_slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1, i;
	int ret;

	for (i = 0; i < x->num_slots; i++, slot = (slot + step) & mask) {
		ret = adbgd_spend(&x->code->budget, ADBGD_COST_STEPS, 1, x->file->path, x->error);
		if (ret)
			return ret;
		*row = number_at(x, x->rows + 4 * slot, 4);
		if (!*row)
			break;
		if (number_at(x, 16 + 8 * slot, 8) == id)
			return *row <= x->num_rows ? 0 : bad(x);
	}
	return -ENOENT;
}

static int kind_of(const struct index *x, uint64_t number)
{
	if (x->version == 5)
		return number < ARRAY_SIZE(kinds_5) ? kinds_5[number] : -1;
	return number < ARRAY_SIZE(kinds_2) ? kinds_2[number] : -1;
}

int adbgd_split_index_find(struct adbgd_code *code, const struct adbgd_split_file *file,
			   uint64_t id, struct adbgd_section *sections, unsigned int *version,
			   struct adbgd_error *error)
{
	struct index x = { .code = code, .file = file, .error = error };
	uint64_t row, column, at, offset, size;
	int ret = read_header(&x), kind;

	if (!ret)
		ret = find_row(&x, id, &row);
	if (ret)
		return ret;
	*version = x.version;
	/* A section without a column has nothing of this unit. Strings are shared by all. */
	for (kind = 0; kind < ADBGD_SPLIT_NUM; kind++) {
		if (kind != ADBGD_SPLIT_STR)
			sections[kind] = (struct adbgd_section){ 0 };
	}
	for (column = 0; column < x.num_columns; column++) {
		kind = kind_of(&x, number_at(&x, x.table + 4 * column, 4));
		at = x.table + 4 * (x.num_columns * row + column);
		offset = number_at(&x, at, 4);
		size = number_at(&x, at + 4 * x.num_columns * x.num_rows, 4);
		if (kind < 0 || !size)
			continue;
		if (!file->sections[kind].bytes || offset > file->sections[kind].size ||
		    size > file->sections[kind].size - offset)
			return bad(&x);
		sections[kind].bytes = file->sections[kind].bytes + offset;
		sections[kind].size = size;
	}
	return sections[ADBGD_SPLIT_INFO].bytes ? 0 : bad(&x);
}
