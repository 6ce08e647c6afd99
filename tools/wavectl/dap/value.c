// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables and expressions of a lane: see value.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/memory.h"
#include "dap/out.h"
#include "dap/value.h"
#include "dap/wave.h"
#include "debug/frame.h"
#include "waves/hold.h"

/* Longer values are cut. */
#define TEXT_MAX	1024

/* ------------------------------------------------------------------------ scope */

int scope_open(struct dap *d, struct request *r, uint32_t thread, uint32_t frame, uint32_t lane,
	       struct scope *scope)
{
	size_t num;

	*scope = (struct scope){
		.d = d, .thread = thread, .index = frame,
		.is_hex = json_flag(json_child(r->arguments, "format", json_type_object), "hex",
				    false),
	};
	if (wave_open(d, r, thread, &scope->focus))
		return -1;
	num = stack_open(d, &scope->focus);
	if (frame >= num)
		return out_fail(r, "the wave has no frame %u any more", frame);
	frame_enter(&scope->focus, frame);
	stack_get(d, &scope->focus, frame, &scope->frame);
	scope->lane = lane == UINT32_MAX ? focus_lane(&scope->focus) : lane;
	if (scope->lane >= scope->focus.lanes)
		return out_fail(r, "no lane %u: the wave has lanes 0 to %u", lane,
				scope->focus.lanes - 1);
	if (scope->frame.code &&
	    frame_variables(&scope->focus, scope->frame.code, &scope->variables, NULL))
		scope->variables = NULL;
	return 0;
}

void scope_close(struct scope *scope)
{
	if (scope->variables)
		adbgd_variables_free(scope->variables);
	focus_close(&scope->focus);
}

/* ------------------------------------------------------------------------ values */

int scope_eval(struct scope *scope, const char *expression, struct adbgd_value **value,
	       struct adbgd_error *error)
{
	struct adbgd_context context = focus_context(&scope->focus, scope->lane);
	int ret, i;

	ret = adbgd_value_eval(scope->variables, expression, &context, value, error);
	/* A parameter that is nowhere has the value with which it was passed. */
	i = ret == -ENODATA ? adbgd_variables_find(scope->variables, expression) : -1;
	if (i >= 0 && !adbgd_variable_read_passed(scope->variables, (size_t)i, &context, value,
						  NULL))
		return 0;
	return ret;
}

char *scope_text(const struct scope *scope, const struct adbgd_value *value)
{
	char text[TEXT_MAX];

	if (adbgd_value_text(value, scope->is_hex ? ADBGD_VALUE_HEX : 0, text, TEXT_MAX) >=
	    TEXT_MAX)
		strcpy(text + TEXT_MAX - 4, "...");
	return xstrdup(text);
}

/* Can the parts of such a value be shown? *@elements: the number of an array's elements */
static bool has_parts(const struct adbgd_type *type, uint64_t *elements)
{
	*elements = 0;
	switch (type->kind) {
	case ADBGD_TYPE_STRUCT:
	case ADBGD_TYPE_UNION:
		return type->num_members;
	case ADBGD_TYPE_ARRAY:
	case ADBGD_TYPE_VECTOR:
		*elements = type->count;
		return type->count;
	case ADBGD_TYPE_POINTER:
		return type->target && type->target->kind != ADBGD_TYPE_VOID &&
		       type->target->kind != ADBGD_TYPE_FUNCTION &&
		       type->target->kind != ADBGD_TYPE_OTHER;
	default:
		return false;
	}
}

/* Where clients read the memory of a value: what a pointer points to, or the value itself */
static void put_memory(const struct scope *scope, struct json_object *object,
		       const struct adbgd_value *value)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);
	struct address address = { 0 };
	char text[MEMORY_REFERENCE_MAX];

	if (type->kind == ADBGD_TYPE_POINTER && type->size <= sizeof(address.va)) {
		memcpy(&address.va, adbgd_value_get_bytes(value), type->size);
		address.space = type->space;
	} else if (adbgd_value_get_address(value, &address.space, &address.va)) {
		return;
	}
	if (address.space > ADBGD_SPACE_LOCAL)
		address.space = ADBGD_SPACE_GLOBAL;
	json_put_text(object, "memoryReference",
		      memory_reference(&address, scope->thread, scope->lane, text));
}

void scope_put_value(struct scope *scope, struct json_object *object, const char *key,
		     const struct adbgd_value *value, const char *expression)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);
	char *text = scope_text(scope, value);
	uint64_t elements;
	uint32_t id = 0;

	json_put_text(object, key, text);
	free(text);
	json_put_text(object, "type", type->name ? type->name : "?");
	if (has_parts(type, &elements) && expression)
		id = refs_add(scope->d->refs, &(struct ref){
			.kind = REF_VALUE, .thread = scope->thread, .frame = scope->index,
			.lane = scope->lane, .expression = expression,
		});
	json_put_number(object, "variablesReference", id);
	if (id && elements)
		json_put_number(object, "indexedVariables",
				elements < INT32_MAX ? (int64_t)elements : INT32_MAX);
	json_put_text(object, "evaluateName", expression);
	put_memory(scope, object, value);
}

static void put_error(struct json_object *object, const struct adbgd_error *error)
{
	char *text = NULL;

	xappend(&text, "<%s>", error->text);
	json_put_text(object, "value", text);
	json_put_number(object, "variablesReference", 0);
	free(text);
}

/* Read a variable; or, if it is nowhere, the value with which it was passed. */
static int read_variable(struct scope *scope, size_t i, struct adbgd_value **value,
			 bool *is_passed, struct adbgd_error *error)
{
	struct adbgd_context context = focus_context(&scope->focus, scope->lane);
	int ret = adbgd_variable_read(scope->variables, i, &context, value, error);

	*is_passed = ret == -ENODATA &&
		     adbgd_variables_get(scope->variables, i)->flags & ADBGD_VARIABLE_PARAMETER &&
		     !adbgd_variable_read_passed(scope->variables, i, &context, value, NULL);
	return *is_passed ? 0 : ret;
}

void scope_push_variable(struct scope *scope, struct json_object *array, size_t i)
{
	const struct adbgd_variable *v = adbgd_variables_get(scope->variables, i);
	struct json_object *object = json_push(array);
	/* The name refers to another variable. */
	bool is_hidden = v->flags & ADBGD_VARIABLE_HIDDEN;
	struct adbgd_value *value;
	struct adbgd_error error;
	bool is_passed;
	char *name = NULL;

	if (read_variable(scope, i, &value, &is_passed, &error)) {
		json_put_text(object, "name", v->name);
		json_put_text(object, "type", v->type && v->type->name ? v->type->name : "?");
		put_error(object, &error);
		return;
	}
	xappend(&name, "%s%s%s", v->name, is_passed ? " (as passed)" : "",
		is_hidden ? " (hidden)" : "");
	json_put_text(object, "name", name);
	free(name);
	scope_put_value(scope, object, "value", value, is_hidden ? NULL : v->name);
	adbgd_value_free(value);
}

/* ------------------------------------------------------------------------- parts */

static void push_part(struct scope *scope, struct json_object *array, const char *name,
		      char *expression)
{
	struct json_object *object = json_push(array);
	struct adbgd_value *value;
	struct adbgd_error error;

	json_put_text(object, "name", name);
	if (scope_eval(scope, expression, &value, &error)) {
		put_error(object, &error);
	} else {
		scope_put_value(scope, object, "value", value, expression);
		adbgd_value_free(value);
	}
	free(expression);
}

static void push_members(struct scope *scope, struct json_object *array,
			 const struct adbgd_type *type, const char *expression)
{
	for (uint32_t i = 0; i < type->num_members; i++) {
		const char *name = type->members[i].name;
		char *part = NULL;

		/* An expression cannot name it. */
		if (!name)
			continue;
		xappend(&part, "(%s).%s", expression, name);
		push_part(scope, array, name, part);
	}
}

/* A client that does not ask for a part of an array gets its first elements. */
#define ELEMENTS_MAX	10000

static void push_elements(struct scope *scope, struct request *r, struct json_object *array,
			  uint64_t elements, const char *expression)
{
	uint64_t start = json_count(r->arguments, "start", 0);
	uint64_t count = json_count(r->arguments, "count", 0);

	if (start > elements)
		start = elements;
	if (!count || count > elements - start)
		count = elements - start;
	if (count > ELEMENTS_MAX)
		count = ELEMENTS_MAX;
	for (uint64_t i = start; i < start + count && !hold_interrupted(); i++) {
		char *part = NULL, name[32];

		snprintf(name, sizeof(name), "[%" PRIu64 "]", i);
		xappend(&part, "(%s)%s", expression, name);
		push_part(scope, array, name, part);
	}
}

int scope_push_parts(struct scope *scope, struct request *r, struct json_object *array,
		     const char *expression)
{
	const struct adbgd_type *type;
	struct adbgd_value *value;
	struct adbgd_error error;
	char *part = NULL;
	uint64_t elements;

	if (scope_eval(scope, expression, &value, &error))
		return out_fail(r, "%s", error.text);
	type = adbgd_value_get_type(value);
	adbgd_value_free(value);
	if (!has_parts(type, &elements))
		return 0;
	if (elements) {
		push_elements(scope, r, array, elements, expression);
	} else if (type->kind == ADBGD_TYPE_POINTER) {
		xappend(&part, "*(%s)", expression);
		push_part(scope, array, part, xstrdup(part));
		free(part);
	} else {
		push_members(scope, array, type, expression);
	}
	return 0;
}
