// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Types by their names: see type_find.h. Results are kept, because expressions are evaluated for
 * each lane.
 */
#include "type_find.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"
#include "scope.h"
#include "type.h"
#include "variable.h"

/* A result; the key is @name, after a digit for the keyword */
struct found {
	const struct adbgd_type *type;	/* NULL: there is none */
	char name[];
};

static int by_name(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_of_keyword(uint32_t tag, enum adbgd_type_keyword keyword)
{
	bool is_struct = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;

	switch (keyword) {
	case ADBGD_KEYWORD_STRUCT:
		return is_struct;
	case ADBGD_KEYWORD_UNION:
		return tag == DW_TAG_union_type;
	case ADBGD_KEYWORD_ENUM:
		return tag == DW_TAG_enumeration_type;
	default:
		return is_struct || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
		       tag == DW_TAG_typedef || tag == DW_TAG_base_type;
	}
}

/* Is @name the name of an entry, with as many of its namespaces and classes as it contains? */
static bool has_name(struct adbgd_dwarf *d, const struct adbgd_unit *unit, uint32_t number,
		     const char *name)
{
	const char *end = name + strlen(name), *is;
	size_t length;
	Dwarf_Die die;

	while (number && adbgd_dwarf_die(d, unit->entries[number].offset, &die)) {
		is = dwarf_diename(&die);
		length = is ? strnlen(is, end - name + 1) : 0;
		if (!length || length > (size_t)(end - name) || memcmp(end - length, is, length))
			return false;
		end -= length;
		if (end == name)
			return true;
		if (end - name < 3 || end[-1] != ':' || end[-2] != ':')
			return false;
		end -= 2;
		number = unit->entries[number].parent;
	}
	return false;
}

/* Find a type in one unit. Returns 0, -ENOENT or another error. */
static int find_in_unit(struct adbgd_dwarf *d, struct adbgd_unit *unit,
			enum adbgd_type_keyword keyword, const char *name,
			const struct adbgd_type **type, struct adbgd_error *error)
{
	int ret = adbgd_dwarf_tree(d, unit, error);
	Dwarf_Die die;
	uint32_t i;

	if (!ret)
		ret = adbgd_dwarf_spend(d, ADBGD_COST_STEPS, unit->num_entries, error);
	for (i = 1; !ret && i < unit->num_entries; i++) {
		const struct adbgd_entry *e = &unit->entries[i];

		if (!is_of_keyword(e->tag, keyword))
			continue;
		ret = adbgd_dwarf_spend(d, ADBGD_COST_STEPS, 8, error);
		if (ret || !has_name(d, unit, i, name) || !adbgd_dwarf_die(d, e->offset, &die) ||
		    dwarf_hasattr(&die, DW_AT_declaration))
			continue;
		return adbgd_type_at(d, e->offset, type, error);
	}
	return ret ? ret : -ENOENT;
}

static int find(struct adbgd_variables *variables, enum adbgd_type_keyword keyword,
		const char *name, const struct adbgd_type **type, struct adbgd_error *error)
{
	struct adbgd_dwarf *d = variables->dwarf;
	struct adbgd_unit *unit;
	uint32_t number;
	size_t i;
	int ret;

	adbgd_budget_begin(&d->code->budget);
	ret = adbgd_scope_at(d, variables->pc, &unit, &number, error);
	if (!ret)
		ret = find_in_unit(d, unit, keyword, name, type, error);
	for (i = 0; ret == -ENOENT && i < d->num_units; i++)
		ret = find_in_unit(d, &d->units[i], keyword, name, type, error);
	return ret;
}

/* Find a type, or take it from the results that were kept. */
static int find_kept(struct adbgd_variables *variables, enum adbgd_type_keyword keyword,
		     const char *name, const struct adbgd_type **type, struct adbgd_error *error)
{
	struct adbgd_dwarf *d = variables->dwarf;
	struct found *key = malloc(sizeof(*key) + strlen(name) + 2), **kept;
	int ret = 0;

	if (!key)
		return adbgd_no_memory(error, "a type");
	sprintf(key->name, "%d%s", keyword, name);
	kept = tfind(key, &d->found_types, by_name);
	if (kept) {
		key->type = (*kept)->type;
	} else {
		key->type = NULL;
		ret = find(variables, keyword, name, &key->type, error);
	}
	*type = key->type;
	if (ret == -ENOENT)
		ret = 0;
	/* Without memory, it is found again next time. */
	if (kept || ret || !tsearch(key, &d->found_types, by_name))
		free(key);
	return ret || *type ? ret : -ENOENT;
}

int adbgd_type_find(struct adbgd_variables *variables, enum adbgd_type_keyword keyword,
		    const char *name, const struct adbgd_type **type, struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (variables->dwarf->is_lost)
		return adbgd_no_memory(error, variables->dwarf->code->name);
	if (setjmp(*adbgd_guard_begin(&guard, variables->dwarf->code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, find_kept(variables, keyword, name, type, error));
}
