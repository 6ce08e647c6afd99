// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables of a frame: see variables.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "debug/variables.h"
#include "waves/hold.h"

/* Longer values are cut. */
#define TEXT_MAX	1024

/* Read variable @i in a lane where it is now. Results as of variable_read() */
static int read_present(struct focus *focus, struct adbgd_variables *variables, size_t i,
			uint32_t lane, struct adbgd_value **value, char where[VARIABLE_WHERE_MAX],
			struct adbgd_error *error)
{
	struct adbgd_context context = focus_context(focus, lane);
	struct adbgd_location location;
	int ret;

	*where = '\0';
	ret = adbgd_variable_locate(variables, i, &context, &location, error);
	if (ret)
		return ret;
	adbgd_variable_location_text(&location, where, VARIABLE_WHERE_MAX);
	return adbgd_variable_read(variables, i, &context, value, error);
}

int variable_read(struct focus *focus, struct adbgd_variables *variables, size_t i, uint32_t lane,
		  struct adbgd_value **value, char where[VARIABLE_WHERE_MAX],
		  struct adbgd_error *error)
{
	int ret = read_present(focus, variables, i, lane, value, where, error);
	const struct adbgd_variable *v = adbgd_variables_get(variables, i);
	struct adbgd_context context = focus_context(focus, lane);
	struct adbgd_error why;
	size_t length;
	char *reason;

	if (ret != -ENODATA || !(v->flags & ADBGD_VARIABLE_PARAMETER))
		return ret;
	if (!adbgd_variable_read_passed(variables, i, &context, value, &why)) {
		strcpy(where, VARIABLE_PASSED);
		return 0;
	}
	/* A parameter of another function is not passed in memory. */
	if (why.error == -EINVAL)
		return ret;
	/* Both reasons begin with the name. */
	reason = strstr(why.text, ": ");
	length = strlen(error->text);
	snprintf(error->text + length, sizeof(error->text) - length,
		 "; its value as passed is not known: %s", reason ? reason + 2 : why.text);
	return ret;
}

/* ---------------------------------------------------------------------- of a frame */

static size_t count_all(struct adbgd_variables *variables)
{
	size_t i = 0;

	while (adbgd_variables_get(variables, i))
		i++;
	return i;
}

/*
 * How many variables at the begin of the list are those of the frame's own function? After them
 * come those of the function into which it is inlined, and those outside of functions.
 */
static int count_own(struct focus *focus, struct adbgd_code *code,
		     struct adbgd_variables *variables, size_t *count, struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *f = frame_get(focus, focus->frame);
	struct adbgd_variables *outer;
	const struct adbgd_variable *v;
	int ret;

	if (f->caller == ADBGD_CALLER_INLINED) {
		ret = adbgd_variables_new_inlined(code, f->lookup, f->inlined + 1, &outer, error);
		if (ret)
			return ret;
		*count = count_all(variables) - count_all(outer);
		adbgd_variables_free(outer);
		return 0;
	}
	*count = 0;
	while ((v = adbgd_variables_get(variables, *count)) && !(v->flags & ADBGD_VARIABLE_GLOBAL))
		(*count)++;
	return 0;
}

static void emit_if(struct wavectl *w, const char *key, const char *text)
{
	if (text && *text)
		emit_str(w->emit, key, text);
	else
		emit_none(w->emit, key);
}

static void emit_variable(struct wavectl *w, struct focus *focus,
			  struct adbgd_variables *variables, size_t i, uint32_t lane)
{
	const struct adbgd_variable *v = adbgd_variables_get(variables, i);
	char text[TEXT_MAX], where[VARIABLE_WHERE_MAX], *line = NULL;
	struct adbgd_value *value;
	struct adbgd_error error;
	int ret = variable_read(focus, variables, i, lane, &value, where, &error);

	if (!ret && adbgd_value_text(value, 0, text, sizeof(text)) >= sizeof(text))
		strcpy(text + sizeof(text) - 4, "...");
	if (ret)
		xappend(&line, "    %s", error.text);
	else
		xappend(&line, "    %s = %s%s", v->name, text,
			strcmp(where, VARIABLE_PASSED) ? "" : " (" VARIABLE_PASSED ")");
	emit_below_line(w->emit, line);
	free(line);
	emit_str(w->emit, "name", v->name);
	emit_str(w->emit, "type", v->type && v->type->name ? v->type->name : "?");
	emit_bool(w->emit, "parameter", v->flags & ADBGD_VARIABLE_PARAMETER);
	emit_if(w, "where", where);
	emit_if(w, "value", ret ? NULL : text);
	emit_if(w, "why", ret ? error.text : NULL);
	if (!ret)
		adbgd_value_free(value);
}

static int emit_own(struct wavectl *w, struct focus *focus, struct adbgd_code *code,
		    struct adbgd_variables *variables, uint32_t lane)
{
	struct adbgd_error error;
	size_t count;

	if (count_own(focus, code, variables, &count, &error))
		return debug_fail(w, &error);
	emit_below(w->emit, "variables");
	for (size_t i = 0; i < count && !hold_interrupted(); i++)
		emit_variable(w, focus, variables, i, lane);
	emit_below_end(w->emit);
	return hold_interrupted() ? hold_fail_interrupted(w) : WAVECTL_OK;
}

int variables_emit_frame(struct wavectl *w, struct focus *focus, size_t frame, uint32_t lane)
{
	struct adbgd_variables *variables;
	size_t selected = focus->frame;
	struct adbgd_error error;
	struct adbgd_code *code;
	int status;

	focus->frame = frame;
	status = code_need_at(w, focus->pc, &code);
	if (!status && frame_variables(focus, code, &variables, &error)) {
		/* A function in assembly has none. */
		emit_failed(w->emit, "why_no_variables", error.text);
	} else if (!status) {
		status = emit_own(w, focus, code, variables, lane);
		adbgd_variables_free(variables);
	}
	focus->frame = selected;
	return status;
}
