// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The line tables of all units in one table, sorted by address: see dwarf_info.h.
 */
#include <limits.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"

static int add_row(struct adbgd_dwarf *d, struct adbgd_unit *unit, Dwarf_Line *line,
		   struct adbgd_error *error)
{
	struct adbgd_row *rows, *row;
	bool statement = false, prologue = false, epilogue = false, end = false;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	int number = 0, column = 0, ret;
	Dwarf_Addr address;

	/*
	 * Rows were charged with the table. Rows whose file differs from that of the row before
	 * take longer.
	 */
	ret = adbgd_dwarf_spend(d, ADBGD_COST_STEPS, !file || file == d->last_file ? 1 :
				1 + strnlen(file, PATH_MAX) / 16, error);
	if (ret)
		return ret;
	file = adbgd_dwarf_file(d, &unit->lines, file);
	rows = adbgd_grow(d->rows, d->num_rows, &d->room_rows, sizeof(*rows));
	if (!rows)
		return adbgd_no_memory(error, d->code->name);
	d->rows = rows;
	if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number) ||
	    dwarf_linecol(line, &column) || dwarf_linebeginstatement(line, &statement) ||
	    dwarf_lineprologueend(line, &prologue) ||
	    dwarf_lineepiloguebegin(line, &epilogue) || dwarf_lineendsequence(line, &end))
		return adbgd_dwarf_bad(d, "its line table", error);
	row = &rows[d->num_rows];
	row->order = d->num_rows++;
	row->address = address;
	row->file = file ? file : "?";
	row->line = number;
	row->column = column;
	row->flags = (statement ? ADBGD_LINE_STATEMENT : 0) |
		     (prologue ? ADBGD_LINE_PROLOGUE_END : 0) |
		     (epilogue ? ADBGD_ROW_EPILOGUE : 0) | (end ? ADBGD_ROW_END : 0);
	return 0;
}

static int add_unit_rows(struct adbgd_dwarf *d, struct adbgd_unit *unit,
			 struct adbgd_error *error)
{
	Dwarf_Lines *lines;
	size_t num, i;
	int ret = 0;

	if (!dwarf_hasattr(&unit->lines, DW_AT_stmt_list))
		return 0;
	if (dwarf_getsrclines(&unit->lines, &lines, &num))
		return adbgd_dwarf_bad(d, "its line table", error);
	for (i = 0; !ret && i < num; i++)
		ret = add_row(d, unit, dwarf_onesrcline(lines, i), error);
	return ret;
}

/*
 * The end of a sequence sorts before the begin of the next one at the same address. Of several
 * rows with the same address, the last one is used.
 */
static int by_address(const void *a, const void *b)
{
	const struct adbgd_row *x = a, *y = b;
	uint32_t xe = x->flags & ADBGD_ROW_END, ye = y->flags & ADBGD_ROW_END;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (xe != ye)
		return xe ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_sorted(const struct adbgd_dwarf *d)
{
	size_t i;

	for (i = 1; i < d->num_rows; i++) {
		if (by_address(&d->rows[i - 1], &d->rows[i]) > 0)
			return false;
	}
	return true;
}

static int by_pointer(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	return x < y ? -1 : x > y;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Remove duplicates from a sorted array. Return how many elements are left. */
static size_t unique(const char **files, size_t num,
		     int (*compare)(const void *a, const void *b))
{
	size_t left = 0, i;

	for (i = 0; i < num; i++) {
		if (!left || compare(&files[i], &files[left - 1]))
			files[left++] = files[i];
	}
	return left;
}

/* Make a list that has each file once, and set the files of all rows to pointers of this list. */
static int name_files(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	const char *last = NULL, **found, *shared = NULL;
	size_t room = 0, num = 0, i;
	const char **files;

	for (i = 0; i < d->num_rows; i++) {
		if (d->rows[i].file == last)
			continue;
		last = d->rows[i].file;
		files = adbgd_grow(d->files, num, &room, sizeof(*files));
		if (!files)
			return adbgd_no_memory(error, d->code->name);
		d->files = files;
		files[num++] = last;
	}
	if (!num)
		return 0;
	/* There are many rows with few files: remove equal pointers before comparing names. */
	qsort(d->files, num, sizeof(*d->files), by_pointer);
	num = unique(d->files, num, by_pointer);
	qsort(d->files, num, sizeof(*d->files), by_name);
	d->num_files = unique(d->files, num, by_name);
	last = NULL;
	for (i = 0; i < d->num_rows; i++) {
		if (d->rows[i].file != last) {
			last = d->rows[i].file;
			found = bsearch(&last, d->files, d->num_files, sizeof(*d->files),
					by_name);
			shared = found ? *found : last;
		}
		d->rows[i].file = shared;
	}
	return 0;
}

int adbgd_dwarf_rows(struct adbgd_dwarf *dwarf, struct adbgd_error *error)
{
	int ret = 0;
	size_t i;

	if (dwarf->has_rows)
		return 0;
	for (i = 0; !ret && i < dwarf->num_units; i++)
		ret = add_unit_rows(dwarf, &dwarf->units[i], error);
	/* libdw sorts the rows of a unit, but the units may be in any order. */
	if (!ret && !is_sorted(dwarf))
		qsort(dwarf->rows, dwarf->num_rows, sizeof(*dwarf->rows), by_address);
	if (!ret)
		ret = name_files(dwarf, error);
	dwarf->has_rows = !ret;
	if (ret) {
		dwarf->num_rows = 0;
		dwarf->num_files = 0;
	}
	return ret;
}

const struct adbgd_row *adbgd_dwarf_row(const struct adbgd_dwarf *dwarf,
					uint64_t address)
{
	size_t low = 0, high = dwarf->num_rows;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (dwarf->rows[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || dwarf->rows[low - 1].flags & ADBGD_ROW_END)
		return NULL;
	return &dwarf->rows[low - 1];
}

int adbgd_dwarf_row_at(const struct adbgd_dwarf *dwarf, uint64_t address,
		       const struct adbgd_row **row, struct adbgd_error *error)
{
	*row = adbgd_dwarf_row(dwarf, address - dwarf->code->info.bias);
	return *row ? 0 : adbgd_fail(error, -ENOENT, "%s: no source line is known for the "
				     "instruction at %#llx", dwarf->code->name,
				     (unsigned long long)address);
}

static bool same_line(const struct adbgd_row *a, const struct adbgd_row *b)
{
	return !((a->flags | b->flags) & ADBGD_ROW_END) && a->file == b->file &&
	       a->line == b->line;
}

void adbgd_dwarf_line(const struct adbgd_dwarf *dwarf, const struct adbgd_row *row,
		      struct adbgd_line *line)
{
	const struct adbgd_row *first = row, *end = row;
	const struct adbgd_row *stop = dwarf->rows + dwarf->num_rows;

	memset(line, 0, sizeof(*line));
	while (first > dwarf->rows && same_line(first - 1, row))
		first--;
	do
		end++;
	while (end < stop && same_line(row, end));
	line->file = row->file;
	line->line = row->line;
	line->column = row->column;
	line->flags = row->flags & ~(ADBGD_ROW_END | ADBGD_ROW_EPILOGUE);
	line->address = first->address + dwarf->code->info.bias;
	line->end = (end < stop ? end->address : row->address) + dwarf->code->info.bias;
}

int adbgd_dwarf_get_rows(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
			 struct adbgd_error *error)
{
	int ret = adbgd_dwarf_get(code, dwarf, error);

	return ret ? ret : adbgd_dwarf_rows(*dwarf, error);
}

static int load_rows(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		     struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, adbgd_dwarf_get_rows(code, dwarf, error));
}

ADBGD_API int adbgd_code_load_debug(struct adbgd_code *code, struct adbgd_error *error)
{
	struct adbgd_dwarf *dwarf;

	return load_rows(code, &dwarf, error);
}

ADBGD_API const char *adbgd_code_get_source_file(struct adbgd_code *code, size_t i)
{
	struct adbgd_dwarf *dwarf;

	if (load_rows(code, &dwarf, NULL))
		return NULL;
	return i < dwarf->num_files ? dwarf->files[i] : NULL;
}
