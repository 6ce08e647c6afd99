// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Variables in scope, and their locations.
 */
#include "variable.h"

#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "code_object.h"
#include "dwarf_form.h"
#include "dwarf_open.h"
#include "scope.h"
#include "type.h"

#define VARIABLES_MAX	8192

static int add(struct adbgd_variables *list, Dwarf_Off concrete, Dwarf_Off function,
	       struct adbgd_variable *of, struct adbgd_error *error)
{
	struct adbgd_variable_entry *entries, *e;
	Dwarf_Die die;
	int line, ret;
	size_t i;

	if (list->count >= VARIABLES_MAX)
		return adbgd_fail(error, -E2BIG, "%s has more than %u variables in scope",
				  list->dwarf->code->name, VARIABLES_MAX);
	if (!adbgd_dwarf_die(list->dwarf, concrete, &die))
		return adbgd_dwarf_bad(list->dwarf, "a variable", error);
	/* A variable without a name cannot be looked up. */
	of->name = adbgd_dwarf_name(list->dwarf, dwarf_diename(&die));
	if (!of->name || !*of->name)
		return 0;
	/* The name is compared with all those in the list. */
	ret = adbgd_dwarf_spend(list->dwarf, ADBGD_COST_STEPS,
				(1 + list->count) * (1 + strlen(of->name) / 64), error);
	if (ret)
		return ret;
	entries = adbgd_grow(list->entries, list->count, &list->room, sizeof(*entries));
	if (!entries)
		return adbgd_no_memory(error, list->dwarf->code->name);
	list->entries = entries;
	e = &entries[list->count];
	e->offset = concrete;
	e->function = function;
	e->variable = *of;
	ret = adbgd_type_of(list->dwarf, concrete, &e->variable.type, error);
	if (ret)
		return ret;
	e->variable.file = adbgd_dwarf_file_of(list->dwarf, &die, DW_AT_decl_file);
	e->variable.line = dwarf_decl_line(&die, &line) ? 0 : line;
	for (i = 0; i < list->count && !(e->variable.flags & ADBGD_VARIABLE_HIDDEN); i++) {
		if (!strcmp(entries[i].variable.name, of->name))
			e->variable.flags |= ADBGD_VARIABLE_HIDDEN;
	}
	list->count++;
	return 0;
}

static bool is_variable(uint32_t tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Get the offset of the original with name and type, if this entry is a copy; 0: it is not. */
static Dwarf_Off origin_of(struct adbgd_dwarf *d, Dwarf_Off offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, origin;

	if (!adbgd_dwarf_die(d, offset, &die) ||
	    !dwarf_attr(&die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return 0;
	return adbgd_dwarf_offset(d, &origin);
}

/* Does the list have, from @first on, a copy of the variable @original? */
static bool has_copy(struct adbgd_variables *list, size_t first, Dwarf_Off original)
{
	size_t i;

	for (i = first; i < list->count; i++) {
		if (origin_of(list->dwarf, list->entries[i].offset) == original)
			return true;
	}
	return false;
}

/*
 * Add the variables of a block. @copied: leave out those of which the list has a copy from there
 * on.
 */
static int add_block(struct adbgd_variables *list, struct adbgd_unit *unit,
		     uint32_t number, Dwarf_Off function, struct adbgd_variable *of,
		     const size_t *copied, struct adbgd_error *error)
{
	uint32_t i = number + 1, end = unit->entries[number].end;
	uint32_t flags = of->flags;
	int ret = 0;

	for (; !ret && i < end; i = unit->entries[i].end) {
		const struct adbgd_entry *e = &unit->entries[i];

		/* libdw needs some steps to find the original of each copy. */
		ret = adbgd_dwarf_spend(list->dwarf, ADBGD_COST_STEPS,
					1 + (copied ? 4 * (list->count - *copied) : 0), error);
		if (ret)
			return ret;
		if (!is_variable(e->tag) || (copied && has_copy(list, *copied, e->offset)))
			continue;
		of->flags = flags | (e->tag == DW_TAG_formal_parameter ?
				     ADBGD_VARIABLE_PARAMETER : 0);
		ret = add(list, e->offset, function, of, error);
	}
	of->flags = flags;
	return ret;
}

/* Add the variables of an inlined function that have no copy at this place. */
static int add_missing(struct adbgd_variables *list, Dwarf_Off function,
		       struct adbgd_variable *of, size_t copied,
		       struct adbgd_error *error)
{
	Dwarf_Off origin = origin_of(list->dwarf, function);
	struct adbgd_unit *unit;
	uint32_t number;
	int ret;

	if (!origin)
		return 0;
	ret = adbgd_dwarf_find(list->dwarf, origin, &unit, &number, error);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return add_block(list, unit, number, function, of, &copied, error);
}

/* Add all variables in scope, beginning with the innermost block. */
static int fill(struct adbgd_variables *list, struct adbgd_unit *unit, uint32_t number,
		struct adbgd_error *error)
{
	struct adbgd_variable of = { 0 };
	size_t copied = 0;
	int ret = 0;

	for (; !ret && number; number = unit->entries[number].parent, of.depth++) {
		const struct adbgd_entry *e = &unit->entries[number];
		uint32_t f = adbgd_scope_function(unit, number);

		/* The entry is in a namespace or a class, not in a function. */
		if (!f)
			break;
		of.function = adbgd_scope_name(list->dwarf, unit, f);
		ret = add_block(list, unit, number, unit->entries[f].offset, &of, NULL, error);
		if (number != f || ret)
			continue;
		ret = add_missing(list, e->offset, &of, copied, error);
		copied = list->count;
	}
	if (ret)
		return ret;
	of.function = NULL;
	of.flags = ADBGD_VARIABLE_GLOBAL;
	return add_block(list, unit, 0, 0, &of, NULL, error);
}

/* Get the innermost block of the function that @inlined functions are inlined into. */
static uint32_t leave_inlined(const struct adbgd_unit *unit, uint32_t number, uint32_t inlined)
{
	uint32_t function = adbgd_scope_function(unit, number);

	for (; inlined && unit->entries[function].tag == DW_TAG_inlined_subroutine; inlined--) {
		number = unit->entries[function].parent;
		function = adbgd_scope_function(unit, number);
	}
	return number;
}

static int variables_new(struct adbgd_code *code, uint64_t pc, uint32_t inlined,
			 struct adbgd_variables **variables, struct adbgd_error *error)
{
	struct adbgd_variables *list;
	struct adbgd_dwarf *dwarf;
	struct adbgd_unit *unit;
	uint32_t number;
	int ret;

	pc -= code->info.bias;
	ret = adbgd_dwarf_get(code, &dwarf, error);
	if (!ret)
		ret = adbgd_scope_at(dwarf, pc, &unit, &number, error);
	if (ret)
		return ret;
	list = calloc(1, sizeof(*list));
	if (!list)
		return adbgd_no_memory(error, code->name);
	list->dwarf = dwarf;
	list->pc = pc;
	ret = fill(list, unit, leave_inlined(unit, number, inlined), error);
	if (ret) {
		adbgd_variables_free(list);
		return ret;
	}
	*variables = list;
	return 0;
}

ADBGD_API int adbgd_variables_new_inlined(struct adbgd_code *code, uint64_t pc, uint32_t inlined,
					  struct adbgd_variables **variables,
					  struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, variables_new(code, pc, inlined, variables, error));
}

ADBGD_API int adbgd_variables_new(struct adbgd_code *code, uint64_t pc,
				  struct adbgd_variables **variables, struct adbgd_error *error)
{
	return adbgd_variables_new_inlined(code, pc, 0, variables, error);
}

ADBGD_API void adbgd_variables_free(struct adbgd_variables *variables)
{
	if (!variables)
		return;
	free(variables->entries);
	free(variables);
}

ADBGD_API const struct adbgd_variable *
adbgd_variables_get(const struct adbgd_variables *variables, size_t i)
{
	return i < variables->count ? &variables->entries[i].variable : NULL;
}

ADBGD_API int adbgd_variables_find(const struct adbgd_variables *variables,
				   const char *name)
{
	size_t i;

	for (i = 0; i < variables->count; i++) {
		if (!strcmp(variables->entries[i].variable.name, name))
			return i;
	}
	return -ENOENT;
}

/* Set the location of a variable whose value is in the debug information itself. */
static int constant(Dwarf_Attribute *attr, const struct adbgd_type *type,
		    struct adbgd_location *location)
{
	bool is_signed = type->flags & ADBGD_TYPE_IS_SIGNED;
	struct adbgd_piece *p = &location->pieces[0];
	struct adbgd_constant c;

	memset(location, 0, sizeof(*location));
	location->num_pieces = 1;
	p->where = ADBGD_PIECE_HAS_VALUE;
	if (adbgd_form_constant(attr, is_signed, &c))
		return -EBADMSG;
	p->bytes = c.bytes;
	p->address = c.number;
	p->size = type->size < c.size ? type->size : c.size < UINT32_MAX ? c.size : 0;
	return 0;
}

/*
 * Can the compiler treat a variable as one value? It can with numbers, pointers and vectors, and
 * with structures that contain nothing else; and it copies whatever has 8 bytes as a number. Larger
 * structures and arrays are split into their members, or stay in memory. The largest register
 * tuples have 128 bytes.
 */
static bool is_one_value(const struct adbgd_type *t)
{
	unsigned int depth;

	if (t->size <= 8)
		return t->size;
	for (depth = 0; depth < 8 && t->kind == ADBGD_TYPE_STRUCT; depth++) {
		if (t->num_members != 1 || !t->members[0].type ||
		    t->members[0].type->size != t->size)
			return false;
		t = t->members[0].type;
	}
	return t->size <= 128 && t->kind != ADBGD_TYPE_STRUCT && t->kind != ADBGD_TYPE_UNION &&
	       t->kind != ADBGD_TYPE_ARRAY && t->kind != ADBGD_TYPE_OTHER;
}

static int locate(struct adbgd_variables *list, const struct adbgd_variable_entry *v,
		  const struct adbgd_context *context, struct adbgd_location *location,
		  struct adbgd_error *error)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, function;
	struct adbgd_expr e = {
		.dwarf = list->dwarf,
		.context = context,
		.attr = &attr,
		.pc = list->pc,
		.size = v->variable.type->size,
		.is_one_value = is_one_value(v->variable.type),
		.argument = ADBGD_ARGUMENT_NONE,
	};
	Dwarf_Op *ops;
	size_t num;
	int ret;

	if (!adbgd_dwarf_die(list->dwarf, v->offset, &die))
		return adbgd_dwarf_bad(list->dwarf, "a variable", error);
	if (dwarf_attr_integrate(&die, DW_AT_const_value, &attr))
		return !constant(&attr, v->variable.type, location) ? 0 :
		       adbgd_fail(error, -EBADMSG, "its value is damaged");
	if (!dwarf_attr_integrate(&die, DW_AT_location, &attr))
		return adbgd_fail(error, -ENODATA, "it was optimized out: the debug information "
				  "has no location for it");
	if (v->function && adbgd_dwarf_die(list->dwarf, v->function, &function))
		e.function = &function;
	if (e.function && v->variable.flags & ADBGD_VARIABLE_PARAMETER && e.size > 4)
		e.argument = adbgd_argument_vgpr(list->dwarf, v->function, v->offset);
	ret = adbgd_expr_find(&e, &ops, &num, error);
	return ret ? ret : adbgd_expr_locate(&e, ops, num, location, error);
}

/* Get the function whose frame has the variables: an inlined function has no frame of its own. */
static Dwarf_Off frame_of(struct adbgd_dwarf *d, Dwarf_Off function)
{
	struct adbgd_unit *unit;
	uint32_t number;

	if (!function || adbgd_dwarf_find(d, function, &unit, &number, NULL))
		return function;
	while (number && unit->entries[number].tag != DW_TAG_subprogram)
		number = unit->entries[number].parent;
	return number ? unit->entries[number].offset : function;
}

static int variable_locate(struct adbgd_variables *variables, size_t i,
			   const struct adbgd_context *context, struct adbgd_location *location,
			   struct adbgd_error *error)
{
	struct adbgd_variable_entry v;
	struct adbgd_location found;
	struct adbgd_error why;
	int ret;

	if (i >= variables->count)
		return adbgd_fail(error, -ENOENT, "there is no such variable");
	adbgd_budget_begin(&variables->dwarf->code->budget);
	v = variables->entries[i];
	v.function = frame_of(variables->dwarf, v.function);
	ret = locate(variables, &v, context, &found, &why);
	if (ret)
		return adbgd_fail(error, ret, "%.128s: %.340s", v.variable.name, why.text);
	*location = found;
	return 0;
}

ADBGD_API int adbgd_variable_locate(struct adbgd_variables *variables, size_t i,
				    const struct adbgd_context *context,
				    struct adbgd_location *location, struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (variables->dwarf->is_lost)
		return adbgd_no_memory(error, variables->dwarf->code->name);
	if (setjmp(*adbgd_guard_begin(&guard, variables->dwarf->code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, variable_locate(variables, i, context, location, error));
}
