// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses as expressions: see address.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "base/util.h"
#include "debug/address.h"
#include "debug/code.h"
#include "debug/frame.h"

/* Is it a flat address in LDS or in private memory? Each of them has 4 GiB there. */
static bool is_in_aperture(struct wavectl *w, uint64_t va)
{
	uint64_t lds, scratch;

	adbg_session_get_apertures(w->session, &lds, &scratch);
	return (lds && va - lds <= UINT32_MAX) || (scratch && va - scratch <= UINT32_MAX);
}

/* Variables in scope in the selected frame; NULL: there is no debug information. */
static struct adbgd_variables *variables_of(const struct focus *focus)
{
	struct adbgd_code *code = code_at(focus->w->shell->debugger, focus->pc);
	struct adbgd_variables *variables;

	return code && !frame_variables(focus, code, &variables, NULL) ? variables : NULL;
}

static int take_value(struct wavectl *w, const char *text, const struct adbgd_value *value,
		      struct address *address)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);

	*address = (struct address){ .space = ADBGD_SPACE_GLOBAL };
	switch (type->kind) {
	case ADBGD_TYPE_POINTER:
		address->space = type->space;
		break;
	case ADBGD_TYPE_SIGNED:
	case ADBGD_TYPE_UNSIGNED:
	case ADBGD_TYPE_CHAR:
	case ADBGD_TYPE_ENUM:
		break;
	default:
		/* An array or structure stands for its address, as in C or gdb. */
		if (!adbgd_value_get_address(value, &address->space, &address->va))
			return WAVECTL_OK;
		return fail_with(w, WAVECTL_USAGE, NULL, "'%s' is not an address but a %s", text,
				 type->name);
	}
	memcpy(&address->va, adbgd_value_get_bytes(value), type->size < 8 ? type->size : 8);
	return WAVECTL_OK;
}

/* What to do with the value of an expression. Returns an exit status. */
typedef int taking(struct wavectl *w, const char *text, const struct adbgd_value *value,
		   struct address *address);

/* @variables: NULL: none are known */
static int eval(struct wavectl *w, struct focus *focus, struct adbgd_variables *variables,
		const char *text, taking *take, struct address *address)
{
	struct adbgd_context context = focus_context(focus, focus_lane(focus));
	struct adbgd_value *value;
	struct adbgd_error error;
	int status;

	if (adbgd_value_eval(variables, text, &context, &value, &error)) {
		status = error.error == -EINVAL ?
			 fail_with(w, WAVECTL_USAGE, NULL, "%s", error.text) :
			 debug_fail(w, &error);
	} else {
		status = take(w, text, value, address);
		adbgd_value_free(value);
	}
	return status;
}

static int eval_selected(struct wavectl *w, const char *text, taking *take,
			 struct address *address)
{
	struct adbgd_variables *variables;
	struct focus focus;
	int status = WAVECTL_OK;

	if (adbgd_expression_names_variable(text))
		status = focus_open(w, &focus);
	else
		focus_open_any(w, &focus);
	if (!status)
		status = frame_open_selected(w, &focus);
	if (!status) {
		variables = variables_of(&focus);
		status = eval(w, &focus, variables, text, take, address);
		if (variables)
			adbgd_variables_free(variables);
	}
	focus_close(&focus);
	return status;
}

int address_eval(struct wavectl *w, const char *text, struct address *address)
{
	return eval_selected(w, text, take_value, address);
}

static int take_place(struct wavectl *w, const char *text, const struct adbgd_value *value,
		      struct address *address)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);
	const char *hint = type->kind == ADBGD_TYPE_POINTER ?
			   "a * before it means what it points to" : NULL;

	if (adbgd_value_get_address(value, &address->space, &address->va))
		return fail_with(w, WAVECTL_USAGE, hint, "'%s' is not in memory", text);
	if (address->space != ADBGD_SPACE_GLOBAL || is_in_aperture(w, address->va))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "'%s' is in LDS or in private memory, and not in the process's",
				 text);
	return WAVECTL_OK;
}

int address_of_value(struct wavectl *w, const char *text, uint64_t *va)
{
	struct address address = { .space = ADBGD_SPACE_GLOBAL };
	int status = eval_selected(w, text, take_place, &address);

	*va = address.va;
	return status;
}

int address_of_registers(struct wavectl *w, const char *text, uint64_t *va)
{
	struct address address;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = frame_open_selected(w, &focus);
	/* Without variables there are no pointers. */
	if (!status)
		status = eval(w, &focus, NULL, text, take_value, &address);
	if (!status)
		*va = address.va;
	focus_close(&focus);
	return status;
}

bool address_is_variable(struct wavectl *w, const char *text)
{
	struct adbgd_variables *variables = NULL;
	struct focus focus;
	bool is = false;

	if (focus_try(w, &focus) && !frame_open_selected(w, &focus))
		variables = variables_of(&focus);
	if (variables) {
		is = adbgd_variables_find(variables, text) >= 0;
		adbgd_variables_free(variables);
	}
	focus_close(&focus);
	return is;
}

/* ------------------------------------------------------------------ address spaces */

static const char *const prefixes[] = {
	[ADBGD_SPACE_GLOBAL] = "",
	[ADBGD_SPACE_PRIVATE] = "private#",
	[ADBGD_SPACE_LOCAL] = "local#",
};

bool address_parse(const char *text, struct address *address)
{
	for (uint32_t space = ADBGD_SPACE_PRIVATE; space < ARRAY_SIZE(prefixes); space++) {
		size_t length = strlen(prefixes[space]);

		address->space = space;
		if (!strncmp(text, prefixes[space], length))
			return parse_u64(text + length, UINT32_MAX, &address->va);
	}
	return false;
}

char *address_text(const struct address *address, char text[ADDRESS_TEXT_MAX])
{
	bool is_known = address->space < ARRAY_SIZE(prefixes);

	snprintf(text, ADDRESS_TEXT_MAX, "%s0x%0*" PRIx64, is_known ? prefixes[address->space] : "",
		 address->space == ADBGD_SPACE_GLOBAL ? 16 : 8, address->va);
	return text;
}

int address_read(struct wavectl *w, const struct address *address, void *buffer, size_t size)
{
	struct adbgd_memory memory;
	struct adbgd_error error;
	struct focus focus;
	int status;

	if (address->space == ADBGD_SPACE_GLOBAL && !is_in_aperture(w, address->va)) {
		adbgd_process_get_memory(w->shell->debugger->process, &memory);
		status = memory.read(memory.data, address->va, buffer, size);
		return status ? fail_memory(w, status, "read", address->va) : WAVECTL_OK;
	}
	status = focus_open(w, &focus);
	if (!status && focus_read_memory(&focus, address->space, address->va, buffer, size, &error))
		status = debug_fail(w, &error);
	focus_close(&focus);
	return status;
}
