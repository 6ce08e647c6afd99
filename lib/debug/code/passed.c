// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parameters of kernels, as they were passed: debug information has the type, metadata of the code
 * object the place in the kernarg segment.
 */
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"
#include "kernarg.h"
#include "scope.h"
#include "value.h"
#include "variable.h"

/* Get the entry with all parameters: that of the original, if there is one. */
static Dwarf_Off original(struct adbgd_dwarf *d, Dwarf_Off offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, origin;

	if (!adbgd_dwarf_die(d, offset, &die) ||
	    !dwarf_attr(&die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin))
		return offset;
	return adbgd_dwarf_offset(d, &origin);
}

/*
 * Find the number of a parameter among all those of its function, from 0, and how many there are.
 * Return: 0; -EINVAL it is none of them; -errno.
 */
static int find_number(struct adbgd_dwarf *d, const struct adbgd_variable_entry *v,
		       size_t *number, size_t *count, struct adbgd_error *error)
{
	Dwarf_Off wanted = original(d, v->offset);
	struct adbgd_unit *unit;
	bool found = false;
	uint32_t at, i;
	int ret;

	ret = adbgd_dwarf_find(d, original(d, v->function), &unit, &at, error);
	if (ret)
		return ret != -ENOENT ? ret :
		       adbgd_fail(error, -ENODATA, "its function is missing");
	*count = 0;
	for (i = at + 1; i < unit->entries[at].end; i = unit->entries[i].end) {
		ret = adbgd_dwarf_spend(d, ADBGD_COST_STEPS, 1, error);
		if (ret)
			return ret;
		if (unit->entries[i].tag != DW_TAG_formal_parameter)
			continue;
		if (unit->entries[i].offset == wanted) {
			*number = *count;
			found = true;
		}
		++*count;
	}
	return found ? 0 : adbgd_fail(error, -EINVAL, "it is not a parameter of the kernel");
}

/* Is the function of a variable the kernel itself, not inlined into it? */
static bool is_of_kernel(struct adbgd_dwarf *d, const struct adbgd_variable_entry *v,
			 const struct adbgd_kernel *k)
{
	struct adbgd_unit *unit;
	uint32_t number;

	return k && v->variable.flags & ADBGD_VARIABLE_PARAMETER && v->function &&
	       !adbgd_dwarf_find(d, v->function, &unit, &number, NULL) &&
	       unit->entries[number].tag == DW_TAG_subprogram &&
	       adbgd_scope_entry(d, unit, number) == k->entry - d->code->info.bias;
}

/*
 * Choose the argument of parameter @number of @count: the one of this name, or if the compiler
 * has not written names, the one of this number, unless there is another number of them.
 */
static const struct adbgd_argument *choose(const struct adbgd_argument *arguments, size_t num,
					   const char *name, size_t number, size_t count)
{
	const struct adbgd_argument *found = NULL;
	size_t i, visible = 0;

	for (i = 0; i < num; i++) {
		if (arguments[i].flags & ADBGD_ARGUMENT_HIDDEN)
			continue;
		if (arguments[i].name && !strcmp(arguments[i].name, name))
			return &arguments[i];
		if (visible++ == number && !arguments[i].name)
			found = &arguments[i];
	}
	return visible == count ? found : NULL;
}

/* Find the argument that a variable is, and the kernel. */
static int find_argument(struct adbgd_variables *list, const struct adbgd_variable_entry *v,
			 const struct adbgd_argument **argument, struct adbgd_error *error)
{
	struct adbgd_code *code = list->dwarf->code;
	const struct adbgd_kernel *k = adbgd_kernarg_kernel(code, list->pc + code->info.bias);
	const struct adbgd_argument *arguments;
	size_t num, number = 0, count = 0;
	int ret;

	if (!is_of_kernel(list->dwarf, v, k))
		return adbgd_fail(error, -EINVAL, "it is not a parameter of the kernel");
	ret = adbgd_kernel_get_arguments(code, k, &arguments, &num, error);
	if (!ret)
		ret = find_number(list->dwarf, v, &number, &count, error);
	if (ret)
		return ret;
	*argument = choose(arguments, num, v->variable.name, number, count);
	if (!*argument)
		return adbgd_fail(error, -EOPNOTSUPP, "the metadata of %.128s has no argument that "
				  "stands for it", k->name);
	if ((*argument)->size != v->variable.type->size)
		return adbgd_fail(error, -EOPNOTSUPP, "its type has %llu bytes, but in the metadata "
				  "of %.128s it has %u", (unsigned long long)v->variable.type->size,
				  k->name, (*argument)->size);
	return 0;
}

static int read_passed(struct adbgd_variables *list, const struct adbgd_variable_entry *v,
		       const struct adbgd_context *context, struct adbgd_value **value,
		       struct adbgd_error *error)
{
	struct adbgd_code *code = list->dwarf->code;
	const struct adbgd_argument *argument = NULL;
	uint64_t address;
	struct adbgd_value *new;
	int ret;

	ret = find_argument(list, v, &argument, error);
	if (!ret)
		ret = adbgd_kernarg_locate(code, list->pc + code->info.bias, context, &address,
					   error);
	if (!ret)
		ret = adbgd_value_alloc(v->variable.type, &new, error);
	if (ret)
		return ret;
	address += argument->offset;
	ret = context->read_memory ? context->read_memory(context->data, ADBGD_SPACE_GLOBAL,
							   context->lane, address, new->bytes,
							   argument->size) : -EINVAL;
	if (ret) {
		adbgd_value_free(new);
		return adbgd_fail(error, ret, "the argument at %#llx cannot be read: %s",
				  (unsigned long long)address, adbgd_context_reason(context, ret));
	}
	memset(new->known, 1, argument->size);
	*value = new;
	return 0;
}

static int variable_read_passed(struct adbgd_variables *variables, size_t i,
				const struct adbgd_context *context, struct adbgd_value **value,
				struct adbgd_error *error)
{
	struct adbgd_error why;
	int ret;

	if (i >= variables->count)
		return adbgd_fail(error, -ENOENT, "there is no such variable");
	ret = read_passed(variables, &variables->entries[i], context, value, &why);
	return !ret ? 0 : adbgd_fail(error, ret, "%.128s: %.340s",
				     variables->entries[i].variable.name, why.text);
}

ADBGD_API int adbgd_variable_read_passed(struct adbgd_variables *variables, size_t i,
					 const struct adbgd_context *context,
					 struct adbgd_value **value, struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (variables->dwarf->is_lost)
		return adbgd_no_memory(error, variables->dwarf->code->name);
	if (setjmp(*adbgd_guard_begin(&guard, variables->dwarf->code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, variable_read_passed(variables, i, context, value, error));
}
