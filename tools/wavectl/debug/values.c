// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The history of values, and convenience variables: see values.h.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/values.h"

/* Older values are dropped. */
#define PAST_MAX	1000
#define PAST_BYTES_MAX	(16U << 20)
/* One value that is larger is not kept. */
#define VALUE_BYTES_MAX	(4U << 20)
/* Values that conditions use */
#define HELD_BYTES_MAX	(16U << 20)
#define NAMED_MAX	256
#define NAMED_BYTES_MAX	(4U << 20)

struct values {
	struct adbgd_value_names names;
	struct past_value *past;	/* the oldest one first */
	size_t num_past;
	uint64_t last;			/* number of the newest one */
	uint64_t past_bytes;
	struct past_value *held;	/* older ones that conditions use */
	size_t num_held;
	uint64_t held_bytes;		/* of all that conditions use */
	uint64_t shown;
	struct named_value *named;	/* sorted */
	size_t num_named;
	uint64_t named_bytes;
};

/* ------------------------------------------------------------------------ history */

static void free_past(struct past_value *p)
{
	for (uint32_t n = 0; n < p->num_lanes; n++)
		adbgd_value_free(p->values[n]);
	free(p->values);
}

/* A value that conditions use is only moved. */
static void drop_oldest(struct values *v)
{
	v->past_bytes -= v->past[0].bytes;
	if (v->past[0].is_held) {
		v->held = xreallocarray(v->held, v->num_held + 1, sizeof(*v->held));
		v->held[v->num_held++] = v->past[0];
	} else {
		free_past(&v->past[0]);
	}
	memmove(v->past, v->past + 1, --v->num_past * sizeof(*v->past));
}

static const struct past_value *find_past(const struct values *v, uint64_t number)
{
	uint64_t first = v->num_past ? v->past[0].number : 0;

	if (first && number >= first && number <= v->last)
		return &v->past[number - first];
	for (size_t i = 0; i < v->num_held; i++)
		if (v->held[i].number == number)
			return &v->held[i];
	return NULL;
}

static int fail_past(const struct values *v, const char *name, struct adbgd_error *error)
{
	error->error = -EINVAL;
	if (!v->last)
		snprintf(error->text, sizeof(error->text), "the history of values is empty");
	else
		snprintf(error->text, sizeof(error->text),
			 "there is no $%.64s: the history has $%" PRIu64 " to $%" PRIu64, name,
			 v->past[0].number, v->last);
	return -EINVAL;
}

static int of_lane(const struct past_value *p, uint32_t lane, const struct adbgd_value **value,
		   struct adbgd_error *error)
{
	uint32_t n = p->is_of_lanes ? lane - p->first_lane : 0;

	*value = n < p->num_lanes ? p->values[n] : NULL;
	if (*value)
		return 0;
	error->error = -EINVAL;
	snprintf(error->text, sizeof(error->text), "$%" PRIu64 " has no value of lane %u",
		 p->number, lane);
	return -EINVAL;
}

/* Find the value that a name means: "" is $, "$" is $$, "$3" is $$3, "3" is $3. */
static int find_by_number(const struct values *v, const char *name, const struct past_value **p,
			  struct adbgd_error *error)
{
	bool is_back = *name == '$' || !*name;
	const char *digits = name + (*name == '$');
	uint64_t number = *name ? 1 : 0;

	if (*digits && !parse_u64(digits, INT32_MAX, &number)) {
		error->error = -EINVAL;
		snprintf(error->text, sizeof(error->text), "'$%.64s' is no value of the history",
			 name);
		return -EINVAL;
	}
	*p = find_past(v, is_back ? v->last - number : number);
	return *p ? 0 : fail_past(v, name, error);
}

static int find_in_history(const struct values *v, const char *name, uint32_t lane,
			   const struct adbgd_value **value, struct adbgd_error *error)
{
	const struct past_value *p;
	int ret = find_by_number(v, name, &p, error);

	return ret ? ret : of_lane(p, lane, value, error);
}

/* Do all lanes have the same value, from the same memory? */
static bool is_uniform(struct adbgd_value *const *values, uint32_t num)
{
	const struct adbgd_type *type = values[0] ? adbgd_value_get_type(values[0]) : NULL;
	uint64_t address = 0, other;
	uint32_t space = 0, of;
	int ret = type ? adbgd_value_get_address(values[0], &space, &address) : 0;

	for (uint32_t n = 1; type && n < num; n++) {
		of = 0;
		other = 0;
		if (!values[n] || adbgd_value_get_type(values[n])->size != type->size ||
		    memcmp(adbgd_value_get_bytes(values[0]), adbgd_value_get_bytes(values[n]),
			   type->size) ||
		    adbgd_value_get_address(values[n], &of, &other) != ret || of != space ||
		    other != address)
			return false;
	}
	return type;
}

/* Drop old values until a new one has room. */
static void make_room(struct values *v, uint64_t bytes)
{
	while (v->num_past &&
	       (v->num_past >= PAST_MAX || v->past_bytes + bytes > PAST_BYTES_MAX))
		drop_oldest(v);
}

/* ---------------------------------------------------------------------- by name */

static const struct named_value *find_named(const struct values *v, const char *name)
{
	for (size_t i = 0; i < v->num_named; i++)
		if (!strcmp(v->named[i].name, name))
			return &v->named[i];
	return NULL;
}

static int find(void *data, const char *name, uint32_t lane, const struct adbgd_value **value,
		struct adbgd_error *error)
{
	const struct values *v = data;
	const struct named_value *named;

	if (!*name || *name == '$' || isdigit((unsigned char)*name))
		return find_in_history(v, name, lane, value, error);
	named = find_named(v, name);
	if (named) {
		*value = named->value;
		return 0;
	}
	error->error = -EINVAL;
	snprintf(error->text, sizeof(error->text), "there is no convenience variable '$%.64s'",
		 name);
	return -EINVAL;
}

/* Get the entry of a name, or make one. NULL: there are too many. */
static struct named_value *need_named(struct values *v, const char *name)
{
	struct named_value *found = (struct named_value *)find_named(v, name);
	size_t i = 0;

	if (found || v->num_named >= NAMED_MAX)
		return found;
	v->named = xreallocarray(v->named, v->num_named + 1, sizeof(*v->named));
	while (i < v->num_named && strcmp(v->named[i].name, name) < 0)
		i++;
	memmove(v->named + i + 1, v->named + i, (v->num_named++ - i) * sizeof(*v->named));
	v->named[i] = (struct named_value){ .name = xstrdup(name) };
	return &v->named[i];
}

/* ------------------------------------------------------------------------ session */

static struct values *values_of(struct shell_session *shell)
{
	struct values *v = shell->values;

	if (v)
		return v;
	v = xcalloc(1, sizeof(*v));
	v->names.find = find;
	v->names.data = v;
	shell->values = v;
	return v;
}

const struct adbgd_value_names *values_names(const struct shell_session *shell)
{
	static const struct values none = { .names = { .find = find, .data = (void *)&none } };

	return shell && shell->values ? &shell->values->names : &none.names;
}

static int find_live(void *data, const char *name, uint32_t lane,
		     const struct adbgd_value **value, struct adbgd_error *error)
{
	const struct adbgd_value_names *names = values_names(data);

	return names->find(names->data, name, lane, value, error);
}

struct adbgd_value_names values_live_names(struct shell_session *shell)
{
	return (struct adbgd_value_names){ .find = find_live, .data = shell };
}

void values_free(struct shell_session *shell)
{
	struct values *v = shell->values;

	if (!v)
		return;
	while (v->num_past)
		drop_oldest(v);
	for (size_t i = 0; i < v->num_held; i++)
		free_past(&v->held[i]);
	for (size_t i = 0; i < v->num_named; i++) {
		free(v->named[i].name);
		adbgd_value_free(v->named[i].value);
	}
	free(v->past);
	free(v->held);
	free(v->named);
	free(v);
	shell->values = NULL;
}

uint64_t values_add(struct shell_session *shell, struct adbgd_value *const *values,
		    uint32_t first_lane, uint32_t num)
{
	struct values *v = values_of(shell);
	struct past_value p = { .is_of_lanes = !is_uniform(values, num), .first_lane = first_lane };
	struct adbgd_error error;
	int ret;

	p.num_lanes = p.is_of_lanes ? num : 1;
	p.values = xcalloc(p.num_lanes, sizeof(*p.values));
	ret = adbgd_values_keep((const struct adbgd_value *const *)values, p.num_lanes, p.values,
				&p.bytes, &error);
	if (ret == -ENOMEM)
		out_of_memory();
	if (ret) {
		free(p.values);
		return 0;
	}
	if (p.bytes > VALUE_BYTES_MAX) {
		free_past(&p);
		return 0;
	}
	make_room(v, p.bytes);
	p.number = ++v->last;
	v->past = xreallocarray(v->past, v->num_past + 1, sizeof(*v->past));
	v->past[v->num_past++] = p;
	v->past_bytes += p.bytes;
	return p.number;
}

const struct past_value *values_past(const struct shell_session *shell, uint64_t number)
{
	return shell->values ? find_past(shell->values, number) : NULL;
}

int values_hold(struct shell_session *shell, const char *name, const struct past_value **past,
		struct adbgd_error *error)
{
	struct values *v = values_of(shell);
	const struct past_value *found;
	struct past_value *p;
	int ret = find_by_number(v, name, &found, error);

	if (ret)
		return ret;
	p = (struct past_value *)found;
	if (!p->is_held && v->held_bytes + p->bytes > HELD_BYTES_MAX) {
		error->error = -E2BIG;
		snprintf(error->text, sizeof(error->text), "$%" PRIu64 ": conditions use too many "
			 "large values of the history", p->number);
		return -E2BIG;
	}
	v->held_bytes += p->is_held ? 0 : p->bytes;
	p->is_held = true;
	*past = p;
	return 0;
}

uint64_t values_last(const struct shell_session *shell)
{
	return shell->values ? shell->values->last : 0;
}

uint64_t *values_shown(struct shell_session *shell)
{
	return &values_of(shell)->shown;
}

const struct named_value *values_named(const struct shell_session *shell, size_t i)
{
	return shell->values && i < shell->values->num_named ? &shell->values->named[i] : NULL;
}

bool values_has(const struct shell_session *shell, const char *name)
{
	return shell->values && find_named(shell->values, name);
}

int values_set(struct shell_session *shell, const char *name, const struct adbgd_value *value)
{
	struct values *v = values_of(shell);
	const struct named_value *before = find_named(v, name);
	uint64_t bytes = 0, others = v->named_bytes - (before ? before->bytes : 0);
	struct adbgd_value *copy;
	struct adbgd_error error;
	struct named_value *n;
	int ret = adbgd_values_keep(&value, 1, &copy, &bytes, &error);

	if (ret == -ENOMEM)
		out_of_memory();
	if (ret)
		return ret;
	n = others + bytes <= NAMED_BYTES_MAX ? need_named(v, name) : NULL;
	if (!n) {
		adbgd_value_free(copy);
		return others + bytes <= NAMED_BYTES_MAX ? -ENOSPC : -E2BIG;
	}
	adbgd_value_free(n->value);
	n->value = copy;
	n->bytes = bytes;
	v->named_bytes = others + bytes;
	return 0;
}

void values_set_int(struct shell_session *shell, const char *name, int value)
{
	static const struct adbgd_type type = {
		.name = "int", .size = 4, .kind = ADBGD_TYPE_SIGNED, .flags = ADBGD_TYPE_IS_SIGNED,
	};
	struct adbgd_value *v;

	if (adbgd_value_new_bytes(&type, &value, &v, NULL))
		out_of_memory();
	values_set(shell, name, v);
	adbgd_value_free(v);
}
