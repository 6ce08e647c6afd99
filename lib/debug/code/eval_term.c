// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Terms of expressions: see eval_term.h.
 */
#include "eval_term.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "derived_type.h"
#include "location.h"
#include "value.h"

/* Limits of a search for a member: debug information is untrusted */
#define MAX_BASES	16
#define MAX_MEMBERS	65536

/* ------------------------------------------------------------------------- terms */

static int own(struct adbgd_eval *e, struct adbgd_value *value)
{
	struct adbgd_value **values;

	values = adbgd_grow(e->values, e->num_values, &e->room, sizeof(*values));
	if (!values) {
		adbgd_value_free(value);
		return adbgd_no_memory(e->error, "a value");
	}
	e->values = values;
	values[e->num_values++] = value;
	return 0;
}

int adbgd_term_value(struct adbgd_eval *e, struct adbgd_value *value, struct adbgd_term *t)
{
	*t = (struct adbgd_term){ .type = value->type, .value = value };
	return own(e, value);
}

int adbgd_term_bytes(struct adbgd_eval *e, const struct adbgd_type *type, const void *bytes,
		     struct adbgd_term *t)
{
	struct adbgd_value *value;
	int ret = adbgd_value_new_bytes(type, bytes, &value, e->error);

	return ret ? ret : adbgd_term_value(e, value, t);
}

int adbgd_term_number(struct adbgd_eval *e, const struct adbgd_number *n, struct adbgd_term *t)
{
	uint8_t bytes[8];

	adbgd_number_bytes(n, bytes);
	return adbgd_term_bytes(e, adbgd_number_type(n), bytes, t);
}

int adbgd_term_nothing(struct adbgd_eval *e, struct adbgd_term *t)
{
	const struct adbgd_number zero = adbgd_number_int(0);

	return adbgd_term_number(e, &zero, t);
}

static int read_memory(const struct adbgd_context *c, uint32_t space, uint64_t address,
		       void *bytes, uint64_t size)
{
	return c->read_memory ? c->read_memory(c->data, space, c->lane, address, bytes, size) :
				-EINVAL;
}

int adbgd_term_load(struct adbgd_eval *e, struct adbgd_term *t)
{
	const struct adbgd_context *c = e->context;
	struct adbgd_value *value;
	int ret;

	if (t->value)
		return 0;
	ret = adbgd_value_alloc(t->type, &value, e->error);
	if (ret)
		return ret;
	if (!e->unread)
		ret = read_memory(c, t->at.space, t->at.address, value->bytes, t->type->size);
	if (ret) {
		adbgd_value_free(value);
		return adbgd_fail(e->error, ret, "what is at %s0x%llx cannot be read: %s",
				  adbgd_space_name(t->at.space),
				  (unsigned long long)t->at.address,
				  adbgd_context_reason(e->context, ret));
	}
	memset(value->known, 1, t->type->size);
	t->value = value;
	t->offset = 0;
	return own(e, value);
}

int adbgd_term_read_number(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_number *n)
{
	const struct adbgd_type *type = t->type;
	int ret = adbgd_term_load(e, t);

	if (ret)
		return ret;
	if (type->size && memchr(t->value->known + t->offset, 0, type->size))
		return adbgd_fail(e->error, -ENODATA,
				  "a part of it was optimized out at this instruction");
	if (!adbgd_number_read(type, t->value->bytes + t->offset, 0, 0, n))
		return adbgd_fail(e->error, -EINVAL, "a value of type %.200s is not a number",
				  type->name);
	return 0;
}

/* ------------------------------------------------------------- parts of a term */

static bool is_of_elements(const struct adbgd_type *type)
{
	return type->kind == ADBGD_TYPE_ARRAY || type->kind == ADBGD_TYPE_VECTOR;
}

/* Make the term a part of itself. The caller has checked that it contains the part. */
static void narrow(struct adbgd_term *t, const struct adbgd_type *type, uint64_t offset)
{
	t->type = type;
	t->offset += offset;
	t->at.offset += offset;
	t->at.address += offset;
}

int adbgd_term_follow(struct adbgd_eval *e, struct adbgd_term *t, uint64_t elements)
{
	const struct adbgd_type *to = t->type->target;
	struct adbgd_number n;
	int ret;

	if (!to || !to->size)
		return adbgd_fail(e->error, -EINVAL, "the type that %.200s points to is not known",
				  t->type->name);
	ret = adbgd_term_read_number(e, t, &n);
	if (ret)
		return ret;
	n.bits += elements * to->size;
	*t = (struct adbgd_term){
		.type = to, .at.kind = ADBGD_STORED_MEMORY, .at.space = t->type->space,
		.at.address = t->type->size == 4 ? (uint32_t)n.bits : n.bits,
	};
	return 0;
}

int adbgd_term_element(struct adbgd_eval *e, struct adbgd_term *t, int64_t i)
{
	const struct adbgd_type *type = t->type;

	if (e->skipped)
		return adbgd_term_nothing(e, t);
	if (type->kind == ADBGD_TYPE_POINTER)
		return adbgd_term_follow(e, t, i);
	if (!is_of_elements(type) || !type->target || !type->target->size)
		return adbgd_fail(e->error, -EINVAL, "a value of type %.200s has no elements",
				  type->name);
	/* As in C, elements beyond an array in memory can be accessed. */
	if (t->value && (i < 0 || (uint64_t)i >= type->size / type->target->size))
		return adbgd_fail(e->error, -EINVAL, "%.200s has no element %lld", type->name,
				  (long long)i);
	narrow(t, type->target, i * type->target->size);
	return 0;
}

static int bit_field(struct adbgd_eval *e, struct adbgd_term *t, const struct adbgd_member *m)
{
	uint64_t bytes = (m->bit_offset + (uint64_t)m->bit_size + 7) / 8, bits = 0;
	struct adbgd_storage at = t->at;
	struct adbgd_number n;
	int ret = adbgd_term_load(e, t);

	if (ret)
		return ret;
	if (m->bit_size > 64 || bytes > 8 || m->offset > t->type->size ||
	    bytes > t->type->size - m->offset)
		return adbgd_fail(e->error, -EBADMSG, "member %.128s is outside of its structure",
				  m->name);
	if (memchr(t->value->known + t->offset + m->offset, 0, bytes))
		return adbgd_fail(e->error, -ENODATA, "%.128s: it was optimized out at this "
				  "instruction", m->name);
	memcpy(&bits, t->value->bytes + t->offset + m->offset, bytes);
	if (!adbgd_number_read(m->type, NULL, bits >> m->bit_offset, m->bit_size, &n))
		return adbgd_fail(e->error, -EINVAL, "member %.128s is not a number", m->name);
	at.offset += m->offset;
	at.address += m->offset;
	at.type = m->type;
	at.bit_offset = m->bit_offset;
	at.bit_size = m->bit_size;
	at.bytes = bits;
	ret = adbgd_term_number(e, &n, t);
	t->at = at;
	return ret;
}

/*
 * Get the component of a vector: ".x", ".y", ".z", ".w", ".s0" to ".sf" (OpenCL C 6.1.7); -1:
 * none.
 */
static int component(const char *name)
{
	static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
	const char *found;

	if (strlen(name) == 1) {
		found = strchr(letters, *name);
		return found ? found - letters : -1;
	}
	if (strlen(name) != 2 || tolower((unsigned char)*name) != 's')
		return -1;
	found = strchr(digits, tolower((unsigned char)name[1]));
	return found ? found - digits : -1;
}

static bool is_unnamed(const struct adbgd_member *m)
{
	return (!m->name || !*m->name) && m->type;
}

static bool is_within(const struct adbgd_type *type, const struct adbgd_member *m)
{
	return m->offset <= type->size && m->type->size <= type->size - m->offset;
}

/*
 * Find a member of @type, or of what is in it without a name, such as a base class or an anonymous
 * union. @owner: set to the structure that has it; @offset: set to where this is in @type; @left:
 * how many members may still be looked at. Return: NULL if there is none.
 */
static const struct adbgd_member *find_member(const struct adbgd_type *type, const char *name,
					      unsigned int depth, unsigned int *left,
					      const struct adbgd_type **owner, uint64_t *offset)
{
	const struct adbgd_member *m, *found = NULL;
	uint32_t i;

	*owner = type;
	*offset = 0;
	for (i = 0; i < type->num_members; i++) {
		m = &type->members[i];
		if (!*left)
			return NULL;
		--*left;
		if (m->name && m->type && !strcmp(m->name, name))
			return m;
	}
	for (i = 0; !found && depth && i < type->num_members; i++) {
		m = &type->members[i];
		if (!*left)
			return NULL;
		--*left;
		if (is_unnamed(m) && is_within(type, m))
			found = find_member(m->type, name, depth - 1, left, owner, offset);
		if (found)
			*offset += m->offset;
	}
	return found;
}

bool adbgd_type_has_member(const struct adbgd_type *type, const char *name)
{
	const struct adbgd_type *owner;
	unsigned int left = MAX_MEMBERS;
	uint64_t offset;

	return find_member(type, name, MAX_BASES, &left, &owner, &offset);
}

int adbgd_term_member(struct adbgd_eval *e, struct adbgd_term *t, const char *name)
{
	const struct adbgd_type *type = t->type, *owner;
	const struct adbgd_member *m;
	unsigned int left = MAX_MEMBERS;
	uint64_t offset;

	if (e->skipped)
		return adbgd_term_nothing(e, t);
	if (type->kind == ADBGD_TYPE_VECTOR && component(name) >= 0 &&
	    (uint64_t)component(name) < type->count)
		return adbgd_term_element(e, t, component(name));
	m = find_member(type, name, MAX_BASES, &left, &owner, &offset);
	if (!m)
		return adbgd_fail(e->error, -ENOENT, "%.200s has no member %.128s", type->name,
				  name);
	if (owner != type)
		narrow(t, owner, offset);
	if (m->bit_size)
		return bit_field(e, t, m);
	if (!is_within(owner, m))
		return adbgd_fail(e->error, -EBADMSG, "member %.128s is outside of its structure",
				  name);
	narrow(t, m->type, m->offset);
	return 0;
}

/* ------------------------------------------------------------ pointers and arrays */

int adbgd_term_own_type(struct adbgd_eval *e, const struct adbgd_type *type)
{
	const struct adbgd_type **types;

	types = adbgd_grow(e->types, e->num_types, &e->types_room, sizeof(*types));
	if (!types) {
		adbgd_type_release(type);
		return adbgd_no_memory(e->error, "a type");
	}
	e->types = types;
	types[e->num_types++] = type;
	return 0;
}

/* Fail unless the term is in memory. @what: what is asked of it */
static int check_memory(struct adbgd_eval *e, const struct adbgd_term *t, const char *what)
{
	char where[64];

	if (t->at.bit_size)
		return adbgd_fail(e->error, -EINVAL, "%s: it is a bit field", what);
	switch (t->at.kind) {
	case ADBGD_STORED_MEMORY:
		return 0;
	case ADBGD_STORED_PIECES:
		return adbgd_fail(e->error, -EINVAL, "%s: at this instruction it is not in memory, "
				  "but in %s", what,
				  adbgd_variable_location_text(t->at.location, where,
							       sizeof(where)));
	case ADBGD_STORED_REGISTER:
		return adbgd_fail(e->error, -EINVAL, "%s: it is a register", what);
	default:
		return adbgd_fail(e->error, -EINVAL, "%s: it is a value that is stored nowhere",
				  what);
	}
}

/* Make the term the pointer to what is at its address. */
static int take_pointer(struct adbgd_eval *e, const struct adbgd_type *target,
			struct adbgd_term *t)
{
	const struct adbgd_type *type;
	uint64_t address = t->at.address;
	int ret = adbgd_type_pointer(target, t->at.space, &type, e->error);

	if (!ret)
		ret = adbgd_term_own_type(e, type);
	return ret ? ret : adbgd_term_bytes(e, type, &address, t);
}

int adbgd_term_address(struct adbgd_eval *e, struct adbgd_term *t)
{
	int ret;

	if (e->skipped)
		return adbgd_term_nothing(e, t);
	ret = check_memory(e, t, "the operand of & has no address");
	return ret ? ret : take_pointer(e, t->type, t);
}

int adbgd_term_decay(struct adbgd_eval *e, struct adbgd_term *t)
{
	if (t->type->kind != ADBGD_TYPE_ARRAY || !t->type->target ||
	    t->at.kind != ADBGD_STORED_MEMORY)
		return 0;
	return take_pointer(e, t->type->target, t);
}

int adbgd_term_repeat(struct adbgd_eval *e, struct adbgd_term *t, const struct adbgd_number *count)
{
	int64_t n = adbgd_number_integer(count);
	const struct adbgd_type *type;
	int ret;

	if (e->skipped)
		return adbgd_term_nothing(e, t);
	if (count->is_float || n <= 0)
		return adbgd_fail(e->error, -EINVAL, "the number of elements after @ must be an "
				  "integer from 1");
	ret = check_memory(e, t, "the operand of @ has no elements that follow it");
	if (!ret)
		ret = adbgd_type_array(t->type, n, &type, e->error);
	if (!ret)
		ret = adbgd_term_own_type(e, type);
	if (ret)
		return ret;
	t->type = type;
	t->value = NULL;
	return 0;
}
