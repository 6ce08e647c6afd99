// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finding the addresses of source lines and functions, for breakpoints.
 */
#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"
#include "scope.h"

/* Does the file name end with @name, as complete components of the path? */
static bool ends_in(const char *file, const char *name)
{
	size_t all = strlen(file), end = strlen(name);

	return end <= all && !strcmp(file + all - end, name) &&
	       (end == all || file[all - end - 1] == '/');
}

/* Find a file by the end of its name. Return: 0, -ENOENT or -ENOTUNIQ. */
static int find_file(const struct adbgd_dwarf *d, const char *name, const char **file,
		     struct adbgd_error *error)
{
	const char *found = NULL, *second = NULL;
	size_t i;

	while (!strncmp(name, "./", 2))
		name += 2;
	for (i = 0; i < d->num_files; i++) {
		if (!strcmp(d->files[i], name)) {
			*file = d->files[i];
			return 0;
		}
		if (!*name || !ends_in(d->files[i], name))
			continue;
		if (found)
			second = second ? second : d->files[i];
		else
			found = d->files[i];
	}
	if (!found)
		return adbgd_fail(error, -ENOENT, "%s was not compiled from a file %s",
				  d->code->name, name);
	if (second)
		return adbgd_fail(error, -ENOTUNIQ, "%s is ambiguous: %s or %s", name, found,
				  second);
	*file = found;
	return 0;
}

static bool is_statement(const struct adbgd_row *row)
{
	return row->flags & ADBGD_LINE_STATEMENT && !(row->flags & ADBGD_ROW_END) &&
	       row->line;
}

/* Find the nearest line with code, from @number on; 0: there is none. */
static uint32_t nearest(const struct adbgd_dwarf *d, const char *file, uint32_t number)
{
	uint32_t best = 0;
	size_t i;

	for (i = 0; i < d->num_rows; i++) {
		const struct adbgd_row *row = &d->rows[i];

		if (is_statement(row) && row->file == file && row->line >= number &&
		    (!best || row->line < best))
			best = row->line;
	}
	return best;
}

/* Results: addresses, and the function that contains each */
struct found {
	struct adbgd_dwarf *d;
	struct adbgd_line *lines;
	size_t max;
	size_t count;
	struct {
		const struct adbgd_unit *unit;
		uint32_t function;
	} *functions;
	size_t room;
};

static int add_found(struct found *f, const struct adbgd_unit *unit, uint32_t function,
		     const struct adbgd_row *row, struct adbgd_error *error)
{
	void *functions;
	size_t i;
	int ret = adbgd_dwarf_spend(f->d, ADBGD_COST_STEPS, 1 + f->count, error);

	if (ret)
		return ret;
	for (i = 0; function && i < f->count; i++) {
		if (f->functions[i].unit == unit && f->functions[i].function == function)
			return 0;
	}
	functions = adbgd_grow(f->functions, f->count, &f->room, sizeof(*f->functions));
	if (!functions)
		return adbgd_no_memory(error, f->d->code->name);
	f->functions = functions;
	f->functions[f->count].unit = unit;
	f->functions[f->count].function = function;
	if (f->count < f->max) {
		adbgd_dwarf_line(f->d, row, &f->lines[f->count]);
		/*
		 * Use the address of this row: adbgd_dwarf_line() sets that of the first of
		 * adjacent rows.
		 */
		f->lines[f->count].address = row->address + f->d->code->info.bias;
	}
	f->count++;
	return 0;
}

static int add_line(struct found *f, const struct adbgd_row *row,
		    struct adbgd_error *error)
{
	struct adbgd_unit *unit = NULL;
	const struct adbgd_row *behind;
	uint32_t number = 0;
	int ret;

	ret = adbgd_scope_at(f->d, row->address, &unit, &number, error);
	if (ret && ret != -ENOENT)
		return ret;
	number = ret ? 0 : adbgd_scope_function(unit, number);
	/* At the head of a function, stop after its prologue, where parameters are available. */
	if (number && unit->entries[number].tag == DW_TAG_subprogram &&
	    row->address == adbgd_scope_entry(f->d, unit, number)) {
		behind = adbgd_scope_row(f->d, unit, number);
		row = behind ? behind : row;
	}
	return add_found(f, unit, number, row, error);
}

static int line_find(struct adbgd_code *code, const char *file, uint32_t number,
		     struct adbgd_line *lines, size_t max, size_t *count,
		     struct adbgd_error *error)
{
	struct found f = { .lines = lines, .max = max };
	const char *of = NULL;
	uint32_t best;
	size_t i;
	int ret;

	ret = adbgd_dwarf_get_rows(code, &f.d, error);
	if (!ret)
		ret = find_file(f.d, file, &of, error);
	/* The loops below read the whole table twice. */
	if (!ret)
		ret = adbgd_dwarf_spend(f.d, ADBGD_COST_STEPS, 2 * f.d->num_rows, error);
	if (ret)
		return ret;
	best = nearest(f.d, of, number);
	if (!best)
		return adbgd_fail(error, -ENOENT, "%s has no code for %s at or after line %u",
				  code->name, of, number);
	for (i = 0; !ret && i < f.d->num_rows; i++) {
		const struct adbgd_row *row = &f.d->rows[i];

		if (is_statement(row) && row->file == of && row->line == best)
			ret = add_line(&f, row, error);
	}
	free(f.functions);
	if (!ret)
		*count = f.count;
	return ret;
}

ADBGD_API int adbgd_line_find(struct adbgd_code *code, const char *file, uint32_t number,
			      struct adbgd_line *lines, size_t max, size_t *count,
			      struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, line_find(code, file, number, lines, max, count, error));
}

/* Does the name mean the function? Return: 1; 0; -errno. */
static int is_called(struct adbgd_dwarf *d, const struct adbgd_unit *u, uint32_t number,
		     const char *name, struct adbgd_error *error)
{
	const char *linkage, *is = adbgd_scope_name(d, u, number);
	Dwarf_Attribute attr;
	Dwarf_Die die;

	if (is && !strcmp(is, name))
		return 1;
	if (!adbgd_dwarf_die(d, u->entries[number].offset, &die) ||
	    !dwarf_attr_integrate(&die, DW_AT_linkage_name, &attr))
		return 0;
	linkage = adbgd_dwarf_name(d, dwarf_formstring(&attr));
	return linkage ? adbgd_code_name_matches(d->code, linkage, name, error) : 0;
}

static int function_find(struct adbgd_code *code, const char *name, struct adbgd_line *lines,
			 size_t max, size_t *count, struct adbgd_error *error)
{
	struct found f = { .lines = lines, .max = max };
	const struct adbgd_row *row;
	uint32_t k;
	size_t i;
	int ret;

	ret = adbgd_dwarf_get_rows(code, &f.d, error);
	for (i = 0; !ret && i < f.d->num_units; i++) {
		struct adbgd_unit *u = &f.d->units[i];

		ret = adbgd_dwarf_tree(f.d, u, error);
		for (k = 1; !ret && k < u->num_entries; k++) {
			ret = adbgd_dwarf_spend(f.d, ADBGD_COST_STEPS, 1, error);
			if (ret || !u->entries[k].num_ranges ||
			    u->entries[k].tag == DW_TAG_lexical_block)
				continue;
			ret = is_called(f.d, u, k, name, error);
			row = ret > 0 ? adbgd_scope_row(f.d, u, k) : NULL;
			if (ret > 0)
				ret = row ? add_found(&f, u, k, row, error) : 0;
		}
	}
	free(f.functions);
	if (!ret && !f.count)
		ret = adbgd_fail(error, -ENOENT, "%s has no code for a function %s", code->name,
				 name);
	if (!ret)
		*count = f.count;
	return ret;
}

ADBGD_API int adbgd_function_find(struct adbgd_code *code, const char *name,
				  struct adbgd_line *lines, size_t max, size_t *count,
				  struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, function_find(code, name, lines, max, count, error));
}
