// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading values of variables.
 */
#include "value.h"

#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "derived_type.h"
#include "kept_type.h"

#define VALUE_SIZE_MAX	(1U << 20)

int adbgd_value_alloc(const struct adbgd_type *type, struct adbgd_value **value,
		      struct adbgd_error *error)
{
	struct adbgd_value *v;

	if (!type->size || type->kind == ADBGD_TYPE_OTHER)
		return adbgd_fail(error, -EOPNOTSUPP, "values of type %.200s cannot be shown",
				  type->name);
	if (type->size > VALUE_SIZE_MAX)
		return adbgd_fail(error, -E2BIG, "it has %llu bytes; at most 1 MiB is read",
				  (unsigned long long)type->size);
	v = calloc(1, sizeof(*v) + 2 * type->size);
	if (!v)
		return adbgd_no_memory(error, "a value");
	v->type = adbgd_type_hold(type);
	v->known = v->bytes + type->size;
	*value = v;
	return 0;
}

static int read_register(const struct adbgd_context *c, const struct adbgd_piece *p,
			 uint8_t *bytes, uint64_t size)
{
	uint32_t word, i, n;
	int ret;

	if (!c->read_register)
		return -EINVAL;
	for (i = 0; i < size; i += n) {
		n = size - i < 4 ? size - i : 4;
		ret = c->read_register(c->data, p->space, p->number + i / 4, c->lane, &word);
		if (ret)
			return ret;
		memcpy(bytes + i, &word, n);
	}
	return 0;
}

/* Read @size bytes of a value from a piece of its location. */
static int read_piece(const struct adbgd_context *c, const struct adbgd_piece *p,
		      uint8_t *bytes, uint64_t size)
{
	switch (p->where) {
	case ADBGD_PIECE_IN_REGISTER:
		return read_register(c, p, bytes, size);
	case ADBGD_PIECE_IN_MEMORY:
		return c->read_memory ? c->read_memory(c->data, p->space, c->lane, p->address,
						       bytes, size) : -EINVAL;
	case ADBGD_PIECE_HAS_VALUE:
		memcpy(bytes, p->bytes ? p->bytes : (const uint8_t *)&p->address, size);
		return 0;
	default:
		return 0;
	}
}

static int fill(struct adbgd_value *v, const struct adbgd_context *c,
		const struct adbgd_location *l, const char *name,
		struct adbgd_error *error)
{
	uint64_t at = 0, left, n;
	char where[64];
	uint32_t i;
	int ret;

	for (i = 0; i < l->num_pieces && at < v->type->size; i++, at += n) {
		const struct adbgd_piece *p = &l->pieces[i];

		left = v->type->size - at;
		n = p->size < left ? p->size : left;
		ret = read_piece(c, p, v->bytes + at, n);
		if (ret)
			return adbgd_fail(error, ret, "%.128s: %s cannot be read: %s", name,
					  adbgd_variable_location_text(&(struct adbgd_location){
						.num_pieces = 1, .pieces = { *p } },
						where, sizeof(where)),
					  adbgd_context_reason(c, ret));
		if (p->where != ADBGD_PIECE_OPTIMIZED_OUT)
			memset(v->known + at, 1, n);
	}
	if (!memchr(v->known, 1, v->type->size))
		return adbgd_fail(error, -ENODATA,
				  "%.128s: it was optimized out at this instruction", name);
	return 0;
}

ADBGD_API int adbgd_variable_read(struct adbgd_variables *variables, size_t i,
				  const struct adbgd_context *context,
				  struct adbgd_value **value, struct adbgd_error *error)
{
	const struct adbgd_variable *variable = adbgd_variables_get(variables, i);
	struct adbgd_location location;
	struct adbgd_error why;
	struct adbgd_value *v;
	int ret;

	ret = adbgd_variable_locate(variables, i, context, &location, error);
	if (ret)
		return ret;
	ret = adbgd_value_alloc(variable->type, &v, &why);
	if (ret)
		return adbgd_fail(error, ret, "%.128s: %.340s", variable->name, why.text);
	ret = fill(v, context, &location, variable->name, error);
	if (ret) {
		adbgd_value_free(v);
		return ret;
	}
	*value = v;
	return 0;
}

ADBGD_API int adbgd_value_new_bytes(const struct adbgd_type *type, const void *bytes,
				    struct adbgd_value **value, struct adbgd_error *error)
{
	int ret = adbgd_value_alloc(type, value, error);

	if (ret)
		return ret;
	memcpy((*value)->bytes, bytes, type->size);
	memset((*value)->known, 1, type->size);
	return 0;
}

ADBGD_API void adbgd_value_free(struct adbgd_value *value)
{
	if (value)
		adbgd_type_release(value->type);
	free(value);
}

static void copy_content(struct adbgd_value *to, const struct adbgd_value *from)
{
	memcpy(to->bytes, from->bytes, from->type->size);
	memcpy(to->known, from->known, from->type->size);
	to->is_passed = from->is_passed;
	to->has_address = from->has_address;
	to->space = from->space;
	to->address = from->address;
}

ADBGD_API int adbgd_value_copy(const struct adbgd_value *value, struct adbgd_value **copy,
			       struct adbgd_error *error)
{
	int ret = adbgd_value_alloc(value->type, copy, error);

	if (!ret)
		copy_content(*copy, value);
	return ret;
}

/* Are types the same, although an expression was evaluated twice? @b: of the later one */
static bool is_same(const struct adbgd_type *a, const struct adbgd_type *b)
{
	while (a != b && adbgd_type_is_derived(a) && adbgd_type_is_derived(b) &&
	       a->kind == b->kind && a->size == b->size && a->space == b->space) {
		a = a->target;
		b = b->target;
	}
	return a == b;
}

/* @kept: the type of the copy, if the value has the type @last; else it is replaced */
static int keep(const struct adbgd_value *value, const struct adbgd_type *last,
		const struct adbgd_type **kept, struct adbgd_value **copy, uint64_t *size,
		struct adbgd_error *error)
{
	int ret = 0;

	if (!*kept || !is_same(last, value->type)) {
		adbgd_type_release(*kept);
		*kept = NULL;
		if (adbgd_type_is_kept(value->type))
			*kept = adbgd_type_hold(value->type);
		else
			ret = adbgd_type_keep(value->type, kept, size, error);
	}
	if (!ret)
		ret = adbgd_value_alloc(*kept, copy, error);
	if (ret)
		return ret;
	copy_content(*copy, value);
	*size += sizeof(**copy) + 2 * value->type->size;
	return 0;
}

ADBGD_API int adbgd_values_keep(const struct adbgd_value *const *values, size_t num,
				struct adbgd_value **copies, uint64_t *size,
				struct adbgd_error *error)
{
	const struct adbgd_type *last = NULL, *kept = NULL;
	size_t i;
	int ret = 0;

	*size = 0;
	for (i = 0; !ret && i < num; i++) {
		copies[i] = NULL;
		if (values[i]) {
			ret = keep(values[i], last, &kept, &copies[i], size, error);
			last = values[i]->type;
		}
	}
	adbgd_type_release(kept);
	while (ret && i > 0)
		adbgd_value_free(copies[--i]);
	return ret;
}

ADBGD_API const struct adbgd_type *adbgd_value_get_type(const struct adbgd_value *value)
{
	return value->type;
}

ADBGD_API int adbgd_value_get_address(const struct adbgd_value *value, uint32_t *space,
				      uint64_t *address)
{
	if (!value->has_address)
		return -ENODATA;
	*space = value->space;
	*address = value->address;
	return 0;
}

ADBGD_API bool adbgd_value_is_passed(const struct adbgd_value *value)
{
	return value->is_passed;
}

ADBGD_API const void *adbgd_value_get_bytes(const struct adbgd_value *value)
{
	return value->bytes;
}
