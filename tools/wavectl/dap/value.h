/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables and expressions of a lane, and their values as JSON.
 */
#ifndef WAVECTL_DAP_VALUE_H
#define WAVECTL_DAP_VALUE_H

#include "dap/refs.h"
#include "dap/stack.h"

/* A frame of a halted wave in one lane, and the variables in scope there */
struct scope {
	struct dap *d;
	struct focus focus;
	uint32_t thread;
	uint32_t index;				/* of the frame */
	uint32_t lane;
	struct stack_frame frame;
	struct adbgd_variables *variables;	/* NULL: there is no debug information */
	bool is_hex;				/* print numbers in hexadecimal */
};

/*
 * Open a frame. @lane: UINT32_MAX: the selected one, or the first active one. Call scope_close()
 * also after an error. Returns 0 or -1.
 */
int scope_open(struct dap *d, struct request *r, uint32_t thread, uint32_t frame, uint32_t lane,
	       struct scope *scope);
void scope_close(struct scope *scope);

/*
 * Evaluate an expression. Returns 0, and the value, which the caller frees; or -errno, and the
 * reason in @error.
 */
int scope_eval(struct scope *scope, const char *expression, struct adbgd_value **value,
	       struct adbgd_error *error);
/* The text of a value. The caller frees it. */
char *scope_text(const struct scope *scope, const struct adbgd_value *value);

/*
 * Add the members of a value: @key (its text), "type", "variablesReference", "memoryReference"
 * and so on. @expression: how its parts are named; NULL: they are not shown
 */
void scope_put_value(struct scope *scope, struct json_object *object, const char *key,
		     const struct adbgd_value *value, const char *expression);
/* Add variable @i of the scope to an array. */
void scope_push_variable(struct scope *scope, struct json_object *array, size_t i);
/* Add the parts of the value of an expression. Returns 0 or -1. */
int scope_push_parts(struct scope *scope, struct request *r, struct json_object *array,
		     const char *expression);

#endif /* WAVECTL_DAP_VALUE_H */
