/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that the shell keeps: the history, $1, $2, ..., and convenience variables, $name. They
 * belong to the session, and need neither the wave nor the code object of which they are.
 */
#ifndef WAVECTL_VALUES_H
#define WAVECTL_VALUES_H

#include <amdgpudbg-debug-value.h>

#include "base/wavectl.h"

/* A value of the history: one that holds in all lanes, or one of each of several lanes */
struct past_value {
	uint64_t number;		/* from 1 */
	bool is_of_lanes;		/* false: values[0] holds in all lanes */
	uint32_t first_lane;
	uint32_t num_lanes;
	struct adbgd_value **values;	/* NULL: the lane had none */
	uint64_t bytes;
	bool is_held;			/* a condition uses it */
};

struct named_value {
	char *name;			/* without the $ */
	struct adbgd_value *value;
	uint64_t bytes;
};

/* Longer names are refused. */
#define VALUE_NAME_MAX	64

/* For struct adbgd_context. It is valid until a value is added or set. */
const struct adbgd_value_names *values_names(const struct shell_session *shell);
/* The same for conditions: they find what is there when they are evaluated. */
struct adbgd_value_names values_live_names(struct shell_session *shell);
void values_free(struct shell_session *shell);

/*
 * Add the values of @num lanes to the history, those of lanes without one being NULL. If all of
 * them are the same, it holds in each lane. Returns its number; 0: it is too large.
 */
uint64_t values_add(struct shell_session *shell, struct adbgd_value *const *values,
		    uint32_t first_lane, uint32_t num);
/* The value with a number; NULL: it does not exist, or not any more */
const struct past_value *values_past(const struct shell_session *shell, uint64_t number);
/*
 * Keep the value of a name without its first $, such as "" or "$2", as long as the shell. It is
 * valid until a value is added. Returns 0; -EINVAL: there is none; -E2BIG: too large ones are kept.
 */
int values_hold(struct shell_session *shell, const char *name, const struct past_value **past,
		struct adbgd_error *error);
/* The number of the last value; 0: there is none */
uint64_t values_last(const struct shell_session *shell);
/* Where "show values" is to continue */
uint64_t *values_shown(struct shell_session *shell);

/* Convenience variable @i, in alphabetic order; NULL: there are no more */
const struct named_value *values_named(const struct shell_session *shell, size_t i);
bool values_has(const struct shell_session *shell, const char *name);
/* Set a convenience variable. Returns 0; -E2BIG: it is too large; -ENOSPC: there are too many. */
int values_set(struct shell_session *shell, const char *name, const struct adbgd_value *value);
/* The same, of an int */
void values_set_int(struct shell_session *shell, const char *name, int value);

#endif /* WAVECTL_VALUES_H */
