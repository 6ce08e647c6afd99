// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses as expressions: see address.h.
 */
#include <errno.h>
#include <string.h>

#include "debug/address.h"
#include "debug/code.h"
#include "debug/focus.h"

/* Variables in scope at the PC; NULL: there is no debug information. */
static struct adbgd_variables *variables_at(const struct debugger *d, uint64_t pc)
{
	struct adbgd_code *code = code_at(d, pc);
	struct adbgd_variables *variables;

	return code && !adbgd_variables_new(code, pc, &variables, NULL) ? variables : NULL;
}

static int fail_no_address(struct wavectl *w, const char *text, const char *why)
{
	return fail_with(w, WAVECTL_USAGE, NULL, "%s: %s", text, why);
}

static int take_value(struct wavectl *w, const char *text, const struct adbgd_value *value,
		      uint64_t *va)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);

	switch (type->kind) {
	case ADBGD_TYPE_POINTER:
		if (type->space == ADBGD_SPACE_LOCAL)
			return fail_no_address(w, text, "a pointer to LDS; use \"lds read\"");
		if (type->space == ADBGD_SPACE_PRIVATE)
			return fail_no_address(w, text, "a pointer to private memory; use "
					       "\"print\"");
		break;
	case ADBGD_TYPE_SIGNED:
	case ADBGD_TYPE_UNSIGNED:
	case ADBGD_TYPE_CHAR:
	case ADBGD_TYPE_ENUM:
		break;
	default:
		return fail_with(w, WAVECTL_USAGE, NULL, "'%s' is not an address but a %s", text,
				 type->name);
	}
	*va = 0;
	memcpy(va, adbgd_value_get_bytes(value), type->size < 8 ? type->size : 8);
	return WAVECTL_OK;
}

/* @variables: NULL: none are known */
static int eval(struct wavectl *w, struct focus *focus, struct adbgd_variables *variables,
		const char *text, uint64_t *va)
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
		status = take_value(w, text, value, va);
		adbgd_value_free(value);
	}
	return status;
}

int address_eval(struct wavectl *w, const char *text, uint64_t *va)
{
	struct adbgd_variables *variables;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status) {
		variables = variables_at(w->shell->debugger, focus.pc);
		status = eval(w, &focus, variables, text, va);
		if (variables)
			adbgd_variables_free(variables);
	}
	focus_close(&focus);
	return status;
}

int address_of_registers(struct wavectl *w, const char *text, uint64_t *va)
{
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = eval(w, &focus, NULL, text, va);
	focus_close(&focus);
	return status;
}

bool address_is_variable(struct wavectl *w, const char *text)
{
	struct adbgd_variables *variables = NULL;
	struct focus focus;
	bool is = false;

	if (focus_try(w, &focus))
		variables = variables_at(w->shell->debugger, focus.pc);
	if (variables) {
		is = adbgd_variables_find(variables, text) >= 0;
		adbgd_variables_free(variables);
	}
	focus_close(&focus);
	return is;
}
