// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests about variables, registers and lanes: see data.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/data.h"
#include "dap/memory.h"
#include "dap/out.h"
#include "dap/refs.h"
#include "dap/registers.h"
#include "dap/value.h"
#include "dap/wave.h"
#include "waves/hold.h"

/* Find the reference of an argument. Fail the request if it is not valid. */
static const struct ref *find_ref(struct dap *d, struct request *r, const char *key)
{
	const struct ref *ref = refs_find(d->refs, json_count(r->arguments, key, 0));

	if (!ref)
		out_fail(r, "%s is not valid any more: the wave has moved", key);
	return ref;
}

/* ----------------------------------------------------------------------- scopes */

static struct json_object *push_scope(struct scope *scope, struct json_object *array,
				      const char *name, const char *hint, enum ref_kind kind,
				      bool expensive)
{
	struct json_object *object = json_push(array);

	json_put_text(object, "name", name);
	json_put_text(object, "presentationHint", hint);
	json_put_number(object, "variablesReference", refs_add(scope->d->refs, &(struct ref){
		.kind = kind, .thread = scope->thread, .frame = scope->index,
		.lane = scope->lane,
	}));
	json_put_flag(object, "expensive", expensive);
	return object;
}

/* Does the variable belong to the scope of this kind? */
static bool is_in(const struct scope *scope, const struct adbgd_variable *v, enum ref_kind kind)
{
	bool is_global = v->flags & ADBGD_VARIABLE_GLOBAL;

	if (kind == REF_GLOBALS)
		return is_global;
	return !is_global && (!scope->frame.function || !v->function ||
			      !strcmp(v->function, scope->frame.function));
}

static size_t count_variables(const struct scope *scope, enum ref_kind kind)
{
	const struct adbgd_variable *v;
	size_t num = 0;

	for (size_t i = 0; scope->variables && (v = adbgd_variables_get(scope->variables, i)); i++)
		num += is_in(scope, v, kind);
	return num;
}

static void push_registers(struct scope *scope, struct json_object *array)
{
	struct json_object *object;
	char name[64];
	uint64_t num;

	push_scope(scope, array, "Wave registers", "registers", REF_WAVE, false);
	object = push_scope(scope, array, "Scalar registers", "registers", REF_SGPRS, true);
	json_put_number(object, "namedVariables", (int64_t)registers_count(scope, REF_SGPRS));
	snprintf(name, sizeof(name), "Vector registers of lane %u", scope->lane);
	object = push_scope(scope, array, name, "registers", REF_VGPRS, true);
	json_put_number(object, "namedVariables", (int64_t)registers_count(scope, REF_VGPRS));
	num = registers_count(scope, REF_LDS);
	if (!num)
		return;
	object = push_scope(scope, array, "LDS of the work-group", NULL, REF_LDS, true);
	json_put_number(object, "indexedVariables", (int64_t)num);
}

static void push_scopes(struct scope *scope, struct json_object *array)
{
	bool is_active = scope->focus.wave.exec >> scope->lane & 1;
	char name[64];

	snprintf(name, sizeof(name), "Lane %u%s", scope->lane, is_active ? "" : " (inactive)");
	push_scope(scope, array, name, "locals", REF_VARIABLES, false);
	if (count_variables(scope, REF_GLOBALS))
		push_scope(scope, array, "Globals", "globals", REF_GLOBALS, true);
	push_scope(scope, array, "Lanes", NULL, REF_LANES, true);
	push_registers(scope, array);
}

int data_scopes(struct dap *d, struct request *r)
{
	const struct ref *ref = find_ref(d, r, "frameId");
	struct scope scope;
	int ret;

	if (!ref)
		return -1;
	ret = scope_open(d, r, ref->thread, ref->frame, UINT32_MAX, &scope);
	if (!ret)
		push_scopes(&scope, json_put_array(r->body, "scopes"));
	scope_close(&scope);
	return ret;
}

/* -------------------------------------------------------------------- variables */

static void push_variables(struct scope *scope, struct json_object *array, enum ref_kind kind)
{
	const struct adbgd_variable *v;

	for (size_t i = 0; scope->variables && (v = adbgd_variables_get(scope->variables, i)); i++)
		if (is_in(scope, v, kind))
			scope_push_variable(scope, array, i);
}

static void push_lanes(struct scope *scope, struct request *r, struct json_object *array)
{
	uint64_t first = json_count(r->arguments, "start", 0);
	uint64_t count = json_count(r->arguments, "count", 0);

	for (uint64_t lane = first; lane < scope->focus.lanes && (!count || lane - first < count);
	     lane++) {
		struct json_object *object = json_push(array);
		char name[16];

		snprintf(name, sizeof(name), "lane %u", (uint32_t)lane);
		json_put_text(object, "name", name);
		json_put_text(object, "value",
			      scope->focus.wave.exec >> lane & 1 ? "active" : "inactive");
		json_put_number(object, "variablesReference",
				refs_add(scope->d->refs, &(struct ref){
			.kind = REF_VARIABLES, .thread = scope->thread, .frame = scope->index,
			.lane = (uint32_t)lane,
		}));
	}
}

static int push_of(struct scope *scope, struct request *r, const struct ref *ref,
		   const char *expression)
{
	struct json_object *array = json_put_array(r->body, "variables");

	switch (ref->kind) {
	case REF_VARIABLES:
	case REF_GLOBALS:
		push_variables(scope, array, ref->kind);
		return 0;
	case REF_LANES:
		push_lanes(scope, r, array);
		return 0;
	case REF_VALUE:
		return scope_push_parts(scope, r, array, expression);
	default:
		return registers_push(scope, r, array, ref->kind);
	}
}

int data_variables(struct dap *d, struct request *r)
{
	const struct ref *found = find_ref(d, r, "variablesReference");
	struct scope scope;
	struct ref ref;
	char *expression;
	int ret;

	if (!found)
		return -1;
	/* New references may move the table. */
	ref = *found;
	expression = ref.expression ? xstrdup(ref.expression) : NULL;
	ret = scope_open(d, r, ref.thread, ref.frame, ref.lane, &scope);
	if (!ret)
		ret = push_of(&scope, r, &ref, expression);
	/* Not all of them were read. */
	if (!ret && hold_interrupted())
		ret = out_fail(r, "interrupted");
	scope_close(&scope);
	free(expression);
	return ret;
}

/* -------------------------------------------------------------------- assignments */

/*
 * Assign an expression to a variable, a part of one or a register, in memory or in registers, as
 * "set variable" does. The response has the new value. Returns 0 or -1.
 */
static int assign(struct scope *scope, struct request *r, const char *expression, const char *text)
{
	struct adbgd_context context = focus_context(&scope->focus, scope->lane);
	struct adbgd_writer writer;
	struct adbgd_value *value;
	struct adbgd_error error;
	char *assignment = NULL;
	int ret;

	if (focus_writer(&scope->focus, &writer))
		return out_fail(r, "%s", scope->focus.error.text);
	xappend(&assignment, "(%s) = %s", expression, text);
	ret = adbgd_value_assign(scope->variables, assignment, &context, &writer, &error);
	free(assignment);
	if (!ret)
		ret = scope_eval(scope, expression, &value, &error);
	if (ret)
		return out_fail(r, "%s", error.text);
	scope_put_value(scope, r->body, "value", value, expression);
	adbgd_value_free(value);
	return 0;
}

/* Find the expression of a part by its name in the parent. The caller frees it. */
static char *part_of(const struct ref *ref, const char *name)
{
	char *text = NULL;

	if (ref->kind == REF_VARIABLES || ref->kind == REF_GLOBALS)
		xappend(&text, "%s", name);
	else if (ref->kind == REF_VALUE && *name == '*')
		xappend(&text, "*(%s)", ref->expression);
	else if (ref->kind == REF_VALUE)
		xappend(&text, "(%s)%s%s", ref->expression, *name == '[' ? "" : ".", name);
	return text;
}

/* The new value is an expression, such as -1 or i + 1. */
static int eval_number(struct scope *scope, struct request *r, const char *text, uint64_t *number)
{
	const struct adbgd_type *type;
	struct adbgd_value *value;
	struct adbgd_error error;
	bool is_negative;

	if (scope_eval(scope, text, &value, &error))
		return out_fail(r, "%s", error.text);
	type = adbgd_value_get_type(value);
	*number = 0;
	if (type->size && type->size <= sizeof(*number) && type->kind != ADBGD_TYPE_STRUCT) {
		memcpy(number, adbgd_value_get_bytes(value), type->size);
		is_negative = type->kind == ADBGD_TYPE_SIGNED && type->size < sizeof(*number) &&
			      *number >> (8 * type->size - 1) & 1;
		if (is_negative)
			*number |= ~0ULL << 8 * type->size;
		adbgd_value_free(value);
		return 0;
	}
	adbgd_value_free(value);
	return out_fail(r, "'%s' is not a number", text);
}

static int set_register(struct scope *scope, struct request *r, const char *name, const char *text)
{
	char shown[24];
	uint64_t number;

	if (eval_number(scope, r, text, &number) ||
	    registers_write(scope, r, name, (int64_t)number < 0 && (int64_t)number >= INT32_MIN &&
			    strcmp(name, "exec") && strcmp(name, "vcc") ? (uint32_t)number :
									  number))
		return -1;
	snprintf(shown, sizeof(shown), "0x%llx", (unsigned long long)number);
	json_put_text(r->body, "value", shown);
	return 0;
}

static int set_in(struct scope *scope, struct request *r, const struct ref *ref)
{
	const char *name = json_text(r->arguments, "name"), *text = json_text(r->arguments, "value");
	char *part;
	int ret;

	if (!name || !text)
		return out_fail(r, "name or value is missing");
	if (ref->kind == REF_WAVE || ref->kind == REF_SGPRS || ref->kind == REF_VGPRS)
		return set_register(scope, r, name, text);
	/* "n (as passed)" is nowhere, and "i (hidden)" has the name of another variable. */
	part = strstr(name, " (") ? NULL : part_of(ref, name);
	ret = part ? assign(scope, r, part, text) : out_fail(r, "%s cannot be changed", name);
	free(part);
	return ret;
}

int data_set_variable(struct dap *d, struct request *r)
{
	const struct ref *found = find_ref(d, r, "variablesReference");
	char *expression = NULL;
	struct scope scope;
	struct ref ref;
	int ret;

	if (!found)
		return -1;
	/* New references may move the table. */
	ref = *found;
	ref.expression = found->expression ? expression = xstrdup(found->expression) : NULL;
	ret = scope_open(d, r, ref.thread, ref.frame, ref.lane, &scope);
	if (!ret)
		ret = set_in(&scope, r, &ref);
	scope_close(&scope);
	free(expression);
	return ret;
}

/* --------------------------------------------------------------------- evaluate */

static void select_lane(struct dap *d, uint32_t lane)
{
	struct json_object *body, *areas;

	d->shell.debugger->has_lane = true;
	d->shell.debugger->lane = lane;
	if (!d->knows_invalidated)
		return;
	body = json_new();
	areas = json_put_array(body, "areas");
	json_append(areas, json_object_new_string("variables"));
	out_event(d, "invalidated", body);
}

/* "lane N" in the client's console selects a lane. */
static bool parse_lane(const char *text, uint64_t *lane)
{
	return !strncmp(text, "lane ", 5) && parse_u64(text + 5, 63, lane);
}

static int evaluate_lane(struct scope *scope, struct request *r, uint64_t lane)
{
	char text[32];

	if (lane >= scope->focus.lanes)
		return out_fail(r, "no lane %u: the wave has lanes 0 to %u", (uint32_t)lane,
				scope->focus.lanes - 1);
	snprintf(text, sizeof(text), "lane %u is selected", (uint32_t)lane);
	json_put_text(r->body, "result", text);
	json_put_number(r->body, "variablesReference", 0);
	out_answer(scope->d, r);
	select_lane(scope->d, (uint32_t)lane);
	return 0;
}

static int evaluate_in(struct scope *scope, struct request *r, const char *expression)
{
	const char *context = json_text(r->arguments, "context");
	struct adbgd_value *value;
	struct adbgd_error error;
	uint64_t lane;

	if (context && !strcmp(context, "repl") && parse_lane(expression, &lane))
		return evaluate_lane(scope, r, lane);
	if (scope_eval(scope, expression, &value, &error))
		return out_fail(r, "%s", error.text);
	scope_put_value(scope, r->body, "result", value, expression);
	adbgd_value_free(value);
	return 0;
}

/* The frame of the argument frameId, or the innermost one of the selected wave */
static int find_frame(struct dap *d, struct request *r, struct ref *frame)
{
	const struct debugger *debugger = d->shell.debugger;
	const struct ref *ref;

	*frame = (struct ref){ .kind = REF_FRAME };
	if (json_count(r->arguments, "frameId", 0)) {
		ref = find_ref(d, r, "frameId");
		if (ref)
			*frame = *ref;
		return ref ? 0 : -1;
	}
	if (wave_need_process(d, r))
		return -1;
	if (!debugger->has_wave)
		return out_fail(r, "no wave is selected");
	frame->thread = wave_thread(d, &debugger->wave);
	return 0;
}

int data_evaluate(struct dap *d, struct request *r)
{
	const char *expression = json_text(r->arguments, "expression");
	uint64_t lane = json_count(r->arguments, "amdgpudbg/lane", UINT32_MAX);
	struct scope scope;
	struct ref frame;
	int ret;

	if (!expression || !*expression)
		return out_fail(r, "the expression is missing");
	if (find_frame(d, r, &frame))
		return -1;
	ret = scope_open(d, r, frame.thread, frame.frame, lane < 64 ? (uint32_t)lane : UINT32_MAX,
			 &scope);
	if (!ret)
		ret = evaluate_in(&scope, r, expression);
	scope_close(&scope);
	return ret;
}

int data_set_expression(struct dap *d, struct request *r)
{
	const char *expression = json_text(r->arguments, "expression");
	const char *text = json_text(r->arguments, "value");
	struct scope scope;
	struct ref frame;
	int ret;

	if (!expression || !*expression || !text)
		return out_fail(r, "expression or value is missing");
	if (find_frame(d, r, &frame))
		return -1;
	ret = scope_open(d, r, frame.thread, frame.frame, UINT32_MAX, &scope);
	if (!ret)
		ret = assign(&scope, r, expression, text);
	scope_close(&scope);
	return ret;
}

int data_lane(struct dap *d, struct request *r)
{
	uint64_t lane = json_count(r->arguments, "lane", UINT64_MAX);

	if (wave_need_process(d, r))
		return -1;
	if (lane > 63)
		return out_fail(r, "\"lane\" is missing: a number from 0 to 63");
	json_put_number(r->body, "lane", (int64_t)lane);
	out_answer(d, r);
	select_lane(d, (uint32_t)lane);
	return 0;
}
