// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions and blocks around an address: see scope.h.
 */
#include "scope.h"

#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"
#include "place.h"

static bool is_function(uint32_t tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool entry_has(const struct adbgd_dwarf *d, const struct adbgd_entry *e,
		      uint64_t address)
{
	return adbgd_dwarf_in(d, e->first_range, e->num_ranges, address);
}

/* Find the innermost function or block of a unit at an address; 0: none. */
static uint32_t innermost(const struct adbgd_dwarf *d, const struct adbgd_unit *u,
			  uint64_t address)
{
	uint32_t i = 1, found = 0;

	while (i < u->num_entries) {
		const struct adbgd_entry *e = &u->entries[i];

		if (e->num_ranges && entry_has(d, e, address)) {
			found = i++;
		} else if (e->num_ranges) {
			/*
			 * Skip all entries below, because blocks are within the ranges of their
			 * parent.
			 */
			i = e->end;
		} else {
			i++;
		}
		if (found && i >= u->entries[found].end)
			break;
	}
	return found;
}

int adbgd_scope_at(struct adbgd_dwarf *dwarf, uint64_t address, struct adbgd_unit **unit,
		   uint32_t *number, struct adbgd_error *error)
{
	size_t i;
	int ret;

	for (i = 0; i < dwarf->num_units; i++) {
		struct adbgd_unit *u = &dwarf->units[i];

		ret = adbgd_dwarf_spend(dwarf, ADBGD_COST_STEPS, 1 + u->num_ranges, error);
		if (ret)
			return ret;
		if (u->num_ranges && !adbgd_dwarf_in(dwarf, u->first_range, u->num_ranges,
						     address))
			continue;
		ret = adbgd_dwarf_tree(dwarf, u, error);
		/* innermost() reads each entry and range at most once. */
		if (!ret)
			ret = adbgd_dwarf_spend(dwarf, ADBGD_COST_STEPS, u->num_entries +
						u->num_tree_ranges, error);
		if (ret)
			return ret;
		*number = innermost(dwarf, u, address);
		*unit = u;
		/* Ignore a block that is not in a function. */
		if (adbgd_scope_function(u, *number))
			return 0;
	}
	return adbgd_fail(error, -ENOENT, "%s: the instruction at %#llx does not belong to a "
			  "function",
			  dwarf->code->name,
			  (unsigned long long)(address + dwarf->code->info.bias));
}

uint32_t adbgd_scope_function(const struct adbgd_unit *unit, uint32_t number)
{
	while (number && !is_function(unit->entries[number].tag))
		number = unit->entries[number].parent;
	return number;
}

uint64_t adbgd_scope_entry(struct adbgd_dwarf *dwarf, const struct adbgd_unit *unit,
			   uint32_t number)
{
	const struct adbgd_entry *e = &unit->entries[number];
	uint64_t lowest = UINT64_MAX;
	Dwarf_Addr address;
	Dwarf_Die die;
	uint32_t i;

	/* Use the address that the compiler has specified, if it is in the function. */
	if (adbgd_dwarf_die(dwarf, e->offset, &die) && !dwarf_entrypc(&die, &address) &&
	    entry_has(dwarf, e, address))
		return address;
	for (i = e->first_range; i < e->first_range + e->num_ranges; i++) {
		if (dwarf->ranges[i].low < lowest)
			lowest = dwarf->ranges[i].low;
	}
	return lowest;
}

const char *adbgd_scope_name(struct adbgd_dwarf *dwarf, const struct adbgd_unit *unit,
			     uint32_t number)
{
	Dwarf_Die die;

	/* dwarf_diename() also finds the name of the original entry, if this is a copy. */
	return adbgd_dwarf_die(dwarf, unit->entries[number].offset, &die) ?
	       adbgd_dwarf_name(dwarf, dwarf_diename(&die)) : NULL;
}

const struct adbgd_row *adbgd_scope_row(struct adbgd_dwarf *dwarf,
					const struct adbgd_unit *unit, uint32_t number)
{
	uint64_t entry = adbgd_scope_entry(dwarf, unit, number);
	const struct adbgd_row *first = adbgd_dwarf_row(dwarf, entry), *row, *stop;
	const struct adbgd_entry *e = &unit->entries[number];
	const struct adbgd_row *second = NULL;

	if (!first || e->tag != DW_TAG_subprogram)
		return first;
	stop = dwarf->rows + dwarf->num_rows;
	/* If the budget is exhausted, the next call that can fail reports it. */
	for (row = first; row < stop && !(row->flags & ADBGD_ROW_END) &&
	     !adbgd_dwarf_spend(dwarf, ADBGD_COST_STEPS, 1 + e->num_ranges, NULL) &&
	     entry_has(dwarf, e, row->address); row++) {
		if (row->flags & ADBGD_LINE_PROLOGUE_END)
			return row;
		/* Without a mark for the end of the prologue, use the next line, as gdb does. */
		if (!second && row->address > entry && row->line &&
		    row->flags & ADBGD_LINE_STATEMENT &&
		    (row->line != first->line || row->file != first->file))
			second = row;
	}
	return second ? second : first;
}

/* ------------------------------------------------------------------ lines to show */

/* Limits the search for a row with a line */
#define ROWS_BEFORE	256

/*
 * Find the row whose line to show for an address of the file. If the compiler has attributed the
 * instruction to no line, it is that of the code before it in the same function, and @is_near is
 * set.
 */
static const struct adbgd_row *row_to_show(struct adbgd_dwarf *d, const struct adbgd_unit *u,
					   uint32_t number, uint64_t address, bool *is_near)
{
	const struct adbgd_row *row = adbgd_dwarf_row(d, address), *before = row;
	uint64_t cost = 1 + u->num_entries + u->num_tree_ranges;
	uint32_t function = adbgd_scope_function(u, number);
	size_t i;

	*is_near = false;
	if (!row || row->line)
		return row;
	for (i = 0; i < ROWS_BEFORE && before > d->rows; i++) {
		before--;
		if (before->flags & ADBGD_ROW_END)
			break;
		if (!before->line)
			continue;
		/* If the budget is exhausted, the next call that can fail reports it. */
		if (adbgd_dwarf_spend(d, ADBGD_COST_STEPS, cost, NULL))
			break;
		if (adbgd_scope_function(u, innermost(d, u, before->address)) != function)
			continue;
		*is_near = true;
		return before;
	}
	return row;
}

static int line_at(struct adbgd_code *code, uint64_t address, struct adbgd_line *line,
		   struct adbgd_error *error)
{
	const struct adbgd_row *row, *shown;
	struct adbgd_dwarf *dwarf;
	struct adbgd_unit *unit;
	uint32_t number;
	bool is_near;
	int ret;

	ret = adbgd_dwarf_get_rows(code, &dwarf, error);
	if (!ret)
		ret = adbgd_dwarf_row_at(dwarf, address, &row, error);
	if (ret)
		return ret;
	adbgd_dwarf_line(dwarf, row, line);
	address -= code->info.bias;
	if (row->line || adbgd_scope_at(dwarf, address, &unit, &number, NULL))
		return 0;
	shown = row_to_show(dwarf, unit, number, address, &is_near);
	if (!is_near)
		return 0;
	line->file = shown->file;
	line->line = shown->line;
	line->column = shown->column;
	line->flags = ADBGD_LINE_NEAR;
	return 0;
}

ADBGD_API int adbgd_line_at(struct adbgd_code *code, uint64_t address, struct adbgd_line *line,
			    struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, line_at(code, address, line, error));
}

/* ------------------------------------------------------------------------ frames */

/* List the functions at an address: each was inlined into the next one. */
static size_t list_frames(struct adbgd_dwarf *d, const struct adbgd_unit *u,
			  uint32_t number, uint64_t address,
			  struct adbgd_frame *frames, size_t max)
{
	bool is_near;
	const struct adbgd_row *row = row_to_show(d, u, number, address, &is_near);
	const char *file = row && row->line ? row->file : NULL;
	uint64_t line = row ? row->line : 0, column = row ? row->column : 0;
	uint32_t flags = is_near ? ADBGD_FRAME_NEAR : 0;
	size_t count = 0;

	for (number = adbgd_scope_function(u, number); number;
	     number = adbgd_scope_function(u, u->entries[number].parent)) {
		const struct adbgd_entry *e = &u->entries[number];
		const char *name = adbgd_scope_name(d, u, number);
		Dwarf_Die die;

		if (count < max) {
			struct adbgd_frame *f = &frames[count];

			memset(f, 0, sizeof(*f));
			f->function = name ? name : "?";
			f->file = file;
			f->line = line;
			f->column = column;
			f->entry = adbgd_scope_entry(d, u, number) + d->code->info.bias;
			f->flags = flags | (e->tag == DW_TAG_inlined_subroutine ?
					    ADBGD_FRAME_INLINED : 0);
		}
		count++;
		if (e->tag == DW_TAG_subprogram)
			break;
		/* The next function contains the call, so its line is that of the call. */
		file = NULL;
		line = 0;
		column = 0;
		flags = 0;
		if (!adbgd_dwarf_die(d, e->offset, &die))
			continue;
		file = adbgd_dwarf_file_of(d, &die, DW_AT_call_file);
		line = adbgd_dwarf_number(&die, DW_AT_call_line, 0);
		column = adbgd_dwarf_number(&die, DW_AT_call_column, 0);
	}
	return count;
}

static int frames_at(struct adbgd_code *code, uint64_t address, struct adbgd_frame *frames,
		     size_t max, size_t *count, struct adbgd_error *error)
{
	struct adbgd_dwarf *dwarf;
	struct adbgd_unit *unit;
	uint32_t number;
	int ret;

	address -= code->info.bias;
	ret = adbgd_dwarf_get_rows(code, &dwarf, error);
	if (!ret)
		ret = adbgd_scope_at(dwarf, address, &unit, &number, error);
	if (!ret)
		*count = list_frames(dwarf, unit, number, address, frames, max);
	return ret;
}

ADBGD_API int adbgd_frames_at(struct adbgd_code *code, uint64_t address,
			      struct adbgd_frame *frames, size_t max, size_t *count,
			      struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, frames_at(code, address, frames, max, count, error));
}

/* ---------------------------------------------------------------------- stepping */

/*
 * Of several rows with the same address, the last one is used; but if no statement begins with
 * it, use one before it with which a statement begins, as gdb does.
 */
static const struct adbgd_row *row_of_statement(const struct adbgd_dwarf *d,
						const struct adbgd_row *row)
{
	const struct adbgd_row *before = row;

	while (before > d->rows && before[-1].address == row->address && before[-1].line &&
	       !(before[-1].flags & ADBGD_ROW_END) && !(before->flags & ADBGD_LINE_STATEMENT))
		before--;
	return before->flags & ADBGD_LINE_STATEMENT ? before : row;
}

/* List the functions at an address of the file, and find the body if a function begins there. */
static void fill_frames(struct adbgd_dwarf *d, const struct adbgd_unit *u, uint32_t number,
			uint64_t address, struct adbgd_place *place)
{
	uint32_t inner = adbgd_scope_function(u, number), i;
	size_t depth = 0;

	for (i = inner; i; i = adbgd_scope_function(u, u->entries[i].parent)) {
		depth++;
		if (u->entries[i].tag == DW_TAG_subprogram)
			break;
	}
	if (i && adbgd_scope_entry(d, u, i) == address) {
		const struct adbgd_row *row = adbgd_scope_row(d, u, i);

		place->body = row ? row->address + d->code->info.bias : 0;
	}
	place->depth = depth < ADBGD_PLACE_FRAMES ? depth : ADBGD_PLACE_FRAMES;
	for (i = inner; depth; i = adbgd_scope_function(u, u->entries[i].parent)) {
		if (--depth < ADBGD_PLACE_FRAMES)
			place->frames[depth] = u->entries[i].offset;
	}
}

static int place_at(struct adbgd_code *code, uint64_t address, struct adbgd_place *place,
		    struct adbgd_error *error)
{
	const struct adbgd_row *row;
	struct adbgd_dwarf *dwarf;
	struct adbgd_unit *unit;
	struct adbgd_line line;
	uint32_t number;
	int ret;

	memset(place, 0, sizeof(*place));
	ret = adbgd_dwarf_get_rows(code, &dwarf, error);
	if (!ret)
		ret = adbgd_dwarf_row_at(dwarf, address, &row, error);
	if (ret)
		return ret;
	row = row_of_statement(dwarf, row);
	adbgd_dwarf_line(dwarf, row, &line);
	place->file = row->file;
	place->line = row->line;
	place->end = line.end;
	place->begins = row->flags & ADBGD_LINE_STATEMENT && row->line &&
			row->address == address - code->info.bias;
	ret = adbgd_scope_at(dwarf, address - code->info.bias, &unit, &number, error);
	if (!ret)
		fill_frames(dwarf, unit, number, address - code->info.bias, place);
	return ret == -ENOENT ? 0 : ret;
}

int adbgd_place_at(struct adbgd_code *code, uint64_t address, struct adbgd_place *place,
		   struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, place_at(code, address, place, error));
}
