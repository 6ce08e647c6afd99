// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading debug information: see dwarf_info.h.
 */
#include "dwarf_info.h"

#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "code_object.h"

int adbgd_dwarf_spend(struct adbgd_dwarf *dwarf, enum adbgd_cost cost, uint64_t num,
		      struct adbgd_error *error)
{
	return adbgd_spend(&dwarf->code->budget, cost, num, dwarf->code->name, error);
}

int adbgd_dwarf_bad(struct adbgd_dwarf *dwarf, const char *what,
		    struct adbgd_error *error)
{
	int code = dwarf_errno();

	if (errno == ENOMEM)
		return adbgd_no_memory(error, dwarf->code->name);
	return adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: %s%s%s",
			  dwarf->code->name, what, code ? ": " : "",
			  code ? dwarf_errmsg(code) : "");
}

int adbgd_split_by_dwarf(const void *a, const void *b)
{
	const struct adbgd_split *x = a, *y = b;

	return (uintptr_t)x->dwarf < (uintptr_t)y->dwarf ? -1 :
	       (uintptr_t)x->dwarf > (uintptr_t)y->dwarf;
}

/* Get the part that a unit of libdw is in; NULL: it is in the code object itself. */
static struct adbgd_split *split_of(const struct adbgd_dwarf *d, Dwarf_CU *unit)
{
	struct adbgd_split key, **found;

	if (!d->num_splits)
		return NULL;
	key.dwarf = dwarf_cu_getdwarf(unit);
	found = tfind(&key, &d->split_tree, adbgd_split_by_dwarf);
	return found ? *found : NULL;
}

Dwarf_Off adbgd_dwarf_offset(const struct adbgd_dwarf *dwarf, Dwarf_Die *die)
{
	const struct adbgd_split *s = split_of(dwarf, die->cu);

	return dwarf_dieoffset(die) + (s ? s->first : 0);
}

/* Get the unmodified value of an attribute that refers to a list; false: it does not. */
static bool list_value(const struct adbgd_section *info, const Dwarf_Attribute *attr,
		       unsigned int offset_size, uint64_t *value, bool *is_index)
{
	struct adbgd_cursor c;

	*is_index = false;
	if (attr->valp < info->bytes ||
	    !adbgd_cursor_begin(&c, info, attr->valp - info->bytes))
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

/* Only the unit itself counts, as for libdw; adbgd_dwarf_number() also reads other entries. */
static uint64_t base_of(Dwarf_Die *unit, unsigned int attribute, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word base;

	return dwarf_attr(unit, attribute, &attr) && !dwarf_formudata(&attr, &base) ? base :
	       otherwise;
}

int adbgd_dwarf_check_list(struct adbgd_dwarf *dwarf, Dwarf_Attribute *attr, bool has_locations,
			   struct adbgd_error *error)
{
	const struct adbgd_split *split = split_of(dwarf, attr->cu);
	const struct adbgd_dwarf_sections *s = split ? &split->sections : &dwarf->sections;
	struct adbgd_dwarf_list list = { .has_locations = has_locations };
	uint8_t address_size, offset_size;
	Dwarf_Half version;
	Dwarf_Die unit;

	if (!dwarf_cu_die(attr->cu, &unit, &version, NULL, &address_size, &offset_size, NULL,
			  NULL) ||
	    !list_value(&s->info, attr, offset_size, &list.at, &list.is_index))
		return 0;
	list.version = version;
	list.address_size = address_size;
	list.offset_size = offset_size;
	/* Without the attribute, the base is behind the header of the first table. */
	if (list.is_index)
		list.base = base_of(&unit, has_locations ? DW_AT_loclists_base :
				    DW_AT_rnglists_base, offset_size == 8 ? 20 : 12);
	list.is_gnu = split && version < 5;
	if (list.is_gnu && !has_locations) {
		/* Before DWARF 5, the ranges stay in the code object. */
		list.at += split->ranges_base;
		s = &dwarf->sections;
	}
	return adbgd_dwarf_list_check(dwarf->code, s, &list, error);
}

int adbgd_dwarf_ranges(struct adbgd_dwarf *d, Dwarf_Die *die, uint32_t *first, uint32_t *num,
		       struct adbgd_error *error)
{
	uint64_t text = d->code->info.text.start - d->code->info.bias;
	struct adbgd_interval *ranges;
	Dwarf_Addr base, low, high;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	int ret = 0;

	*first = d->num_ranges;
	*num = 0;
	/* The list may have more entries than ranges, and libdw skips those. */
	if (dwarf_attr(die, DW_AT_ranges, &attr))
		ret = adbgd_dwarf_check_list(d, &attr, false, error);
	while (!ret && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		/* Charge also ranges that are left out: many entries may share a list of them. */
		ret = adbgd_dwarf_spend(d, ADBGD_COST_RANGES, 1, error);
		if (ret || low >= high || low - text >= d->code->info.text.size)
			continue;
		ranges = adbgd_grow(d->ranges, d->num_ranges, &d->room_ranges,
				    sizeof(*ranges));
		if (!ranges)
			return adbgd_no_memory(error, d->code->name);
		d->ranges = ranges;
		ranges[d->num_ranges].low = low;
		ranges[d->num_ranges++].high = high;
		++*num;
	}
	if (ret)
		return ret;
	return at < 0 ? adbgd_dwarf_bad(d, "ranges of addresses", error) : 0;
}

static void nothing(void *node)
{
	(void)node;
}

void adbgd_dwarf_free(struct adbgd_dwarf *dwarf)
{
	size_t i;

	if (!dwarf)
		return;
	if (dwarf->free_types)
		dwarf->free_types(dwarf);
	if (dwarf->free_splits)
		dwarf->free_splits(dwarf);
	for (i = 0; i < dwarf->num_units; i++)
		free(dwarf->units[i].entries);
	free(dwarf->units);
	free(dwarf->ranges);
	free(dwarf->rows);
	free(dwarf->files);
	tdestroy(dwarf->names, free);
	tdestroy(dwarf->found_types, free);
	tdestroy(dwarf->seen, nothing);
	tdestroy(dwarf->split_tree, nothing);
	/* This also ends those of split units. */
	dwarf_end(dwarf->dwarf);
	elf_end(dwarf->elf);
	for (i = 0; i < dwarf->num_splits; i++)
		free(dwarf->splits[i]);
	free(dwarf->splits);
	for (i = 0; i < ADBGD_DWARF_STRINGS; i++)
		free(dwarf->strings[i]);
	free(dwarf->unpacked);
	free(dwarf);
}

void adbgd_dwarf_lost_free(struct adbgd_code *code)
{
	struct adbgd_dwarf *d, *next;

	for (d = code->lost; d; d = next) {
		next = d->next_lost;
		adbgd_dwarf_free(d);
	}
	code->lost = NULL;
}

/* State of a walk through the entries of a unit */
struct walk {
	struct adbgd_dwarf *d;
	struct adbgd_unit *unit;
	size_t room;
	unsigned int depth;
	uint64_t num_charged;
	Dwarf_Die path[ADBGD_DWARF_DEPTH_MAX];
	uint32_t numbers[ADBGD_DWARF_DEPTH_MAX];
};

static bool has_ranges(uint32_t tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block;
}

/* Does DW_AT_sibling, if there is one, refer to a later entry? */
static bool sibling_is_behind(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die to;

	if (!dwarf_hasattr(die, DW_AT_sibling))
		return true;
	return dwarf_attr(die, DW_AT_sibling, &attr) && dwarf_formref_die(&attr, &to) &&
	       dwarf_dieoffset(&to) > dwarf_dieoffset(die);
}

/* Add the entry at the end of the path. */
static int visit(struct walk *w, struct adbgd_error *error)
{
	struct adbgd_unit *u = w->unit;
	Dwarf_Die *die = &w->path[w->depth];
	struct adbgd_entry *entries, *e;
	int ret = adbgd_dwarf_spend(w->d, ADBGD_COST_ENTRIES, 1, error);

	if (ret)
		return ret;
	w->num_charged++;
	entries = adbgd_grow(u->entries, u->num_entries, &w->room, sizeof(*entries));
	if (!entries)
		return adbgd_no_memory(error, w->d->code->name);
	u->entries = entries;
	e = &entries[u->num_entries];
	memset(e, 0, sizeof(*e));
	e->offset = adbgd_dwarf_offset(w->d, die);
	e->tag = dwarf_tag(die);
	if ((u->num_entries && e->offset <= e[-1].offset) || !sibling_is_behind(die))
		return adbgd_dwarf_bad(w->d, "entries lead backwards", error);
	e->parent = w->depth ? w->numbers[w->depth - 1] : 0;
	w->numbers[w->depth] = u->num_entries++;
	if (!has_ranges(e->tag))
		return 0;
	return adbgd_dwarf_ranges(w->d, die, &e->first_range, &e->num_ranges, error);
}

/* Move to the next entry. Return: 0; 1 there is none; -errno. */
static int step(struct walk *w, struct adbgd_error *error)
{
	Dwarf_Die next;
	int ret;

	ret = dwarf_child(&w->path[w->depth], &next);
	if (ret < 0)
		return adbgd_dwarf_bad(w->d, "an entry", error);
	if (!ret) {
		if (w->depth + 1 >= ADBGD_DWARF_DEPTH_MAX)
			return adbgd_fail(error, -E2BIG,
					  "%s: entries are nested more than %u deep",
					  w->d->code->name, ADBGD_DWARF_DEPTH_MAX);
		w->path[++w->depth] = next;
		return 0;
	}
	for (;;) {
		w->unit->entries[w->numbers[w->depth]].end = w->unit->num_entries;
		if (!w->depth)
			return 1;
		/* Charge this, because libdw skips everything below the entry again. */
		ret = adbgd_dwarf_spend(w->d, ADBGD_COST_STEPS, w->unit->num_entries -
					w->numbers[w->depth], error);
		if (ret)
			return ret;
		ret = dwarf_siblingof(&w->path[w->depth], &next);
		if (ret < 0)
			return adbgd_dwarf_bad(w->d, "an entry", error);
		if (!ret) {
			w->path[w->depth] = next;
			return 0;
		}
		w->depth--;
	}
}

int adbgd_dwarf_tree(struct adbgd_dwarf *dwarf, struct adbgd_unit *unit,
		     struct adbgd_error *error)
{
	struct adbgd_budget *budget = &dwarf->code->budget;
	uint64_t ranges_charged = budget->spent[ADBGD_COST_RANGES];
	size_t num_ranges = dwarf->num_ranges;
	struct walk *w;
	int ret;

	if (unit->entries)
		return 0;
	w = calloc(1, sizeof(*w));
	if (!w)
		return adbgd_no_memory(error, dwarf->code->name);
	w->d = dwarf;
	w->unit = unit;
	w->path[0] = unit->die;
	do {
		ret = visit(w, error);
		if (!ret)
			ret = step(w, error);
	} while (!ret);
	if (ret < 0) {
		adbgd_unspend(budget, ADBGD_COST_ENTRIES, w->num_charged);
		adbgd_unspend(budget, ADBGD_COST_RANGES,
			      budget->spent[ADBGD_COST_RANGES] - ranges_charged);
	}
	free(w);
	unit->num_tree_ranges = dwarf->num_ranges - num_ranges;
	if (ret > 0)
		return 0;
	dwarf->num_ranges = num_ranges;
	free(unit->entries);
	unit->entries = NULL;
	unit->num_entries = 0;
	return ret;
}

bool adbgd_dwarf_in(const struct adbgd_dwarf *dwarf, uint32_t first, uint32_t num,
		    uint64_t address)
{
	uint32_t i;

	for (i = first; i < first + num; i++) {
		if (address >= dwarf->ranges[i].low && address < dwarf->ranges[i].high)
			return true;
	}
	return false;
}

/* Get the part that has the entry at an offset; NULL: it is in the code object itself. */
static struct adbgd_split *split_at(const struct adbgd_dwarf *d, Dwarf_Off offset)
{
	size_t low = 0, high = d->num_splits, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (d->splits[mid]->first <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? d->splits[low - 1] : NULL;
}

Dwarf_Die *adbgd_dwarf_die(struct adbgd_dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *die)
{
	struct adbgd_split *s = split_at(dwarf, offset);

	return s ? dwarf_offdie(s->dwarf, offset - s->first, die) :
		   dwarf_offdie(dwarf->dwarf, offset, die);
}

int adbgd_dwarf_find(struct adbgd_dwarf *dwarf, Dwarf_Off offset,
		     struct adbgd_unit **unit, uint32_t *number,
		     struct adbgd_error *error)
{
	uint32_t low = 0, high = dwarf->num_units;
	struct adbgd_unit *u;
	int ret;

	/* Units are sorted by offset: find out how many begin at @offset or before. */
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (dwarf->units[mid].offset <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return -ENOENT;
	u = &dwarf->units[low - 1];
	ret = adbgd_dwarf_tree(dwarf, u, error);
	if (ret)
		return ret;
	low = 0;
	high = u->num_entries;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (u->entries[mid].offset < offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low >= u->num_entries || u->entries[low].offset != offset)
		return -ENOENT;
	*unit = u;
	*number = low;
	return 0;
}

uint64_t adbgd_dwarf_number(Dwarf_Die *die, unsigned int attribute, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (!dwarf_attr_integrate(die, attribute, &attr) ||
	    dwarf_formudata(&attr, &number))
		return otherwise;
	return number;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Get a copy of a text that belongs to @dwarf; NULL: the budget or memory is exhausted. */
static const char *keep(struct adbgd_dwarf *dwarf, const char *text)
{
	char **found = tfind(text, &dwarf->names, by_text), *own;

	if (found)
		return *found;
	if (adbgd_dwarf_spend(dwarf, ADBGD_COST_NAMES, strlen(text) + 1, NULL))
		return NULL;
	own = strdup(text);
	if (own && tsearch(own, &dwarf->names, by_text))
		return own;
	free(own);
	return NULL;
}

const char *adbgd_dwarf_name(struct adbgd_dwarf *dwarf, const char *name)
{
	char cut[PATH_MAX];
	const char *kept;

	if (!name || strnlen(name, PATH_MAX) < PATH_MAX)
		return name;
	memcpy(cut, name, sizeof(cut) - 1);
	cut[sizeof(cut) - 1] = 0;
	kept = keep(dwarf, cut);
	return kept ? kept : "?";
}

/* Prefix the compilation directory, which DWARF 4 leaves out of the names. */
static const char *with_folder(struct adbgd_dwarf *dwarf, Dwarf_Die *unit,
			       const char *file)
{
	const char *folder = NULL, *kept;
	Dwarf_Attribute attr;
	char path[PATH_MAX];

	/* That of a split unit is in its skeleton. */
	if (*file != '/' && dwarf_attr_integrate(unit, DW_AT_comp_dir, &attr))
		folder = dwarf_formstring(&attr);
	if (!folder)
		return adbgd_dwarf_name(dwarf, file);
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	kept = keep(dwarf, path);
	/* Only a hostile file has more names than the budget allows. */
	return kept ? kept : adbgd_dwarf_name(dwarf, file);
}

const char *adbgd_dwarf_file(struct adbgd_dwarf *dwarf, Dwarf_Die *unit, const char *file)
{
	if (!file)
		return NULL;
	/* Often many rows in succession have the same file. */
	if (dwarf->last_file != file || dwarf->last_unit != unit->addr) {
		dwarf->last_name = with_folder(dwarf, unit, file);
		dwarf->last_file = file;
		dwarf->last_unit = unit->addr;
	}
	return dwarf->last_name;
}

const char *adbgd_dwarf_file_of(struct adbgd_dwarf *dwarf, Dwarf_Die *die,
				unsigned int attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;

	/*
	 * Before DWARF 5, file number 0 means no file, which dwarf_decl_file() assumes in all
	 * versions.
	 */
	if (!dwarf_attr_integrate(die, attribute, &attr) ||
	    dwarf_formudata(&attr, &number) ||
	    !dwarf_cu_die(attr.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	    (!number && version < 5) || dwarf_getsrcfiles(&unit, &files, NULL))
		return NULL;
	return adbgd_dwarf_file(dwarf, &unit, dwarf_filesrc(files, number, NULL, NULL));
}
