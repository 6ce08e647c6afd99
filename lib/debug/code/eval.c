// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Expressions, as in C, of variables and registers. They have no side effects; assignments are in
 * eval_assign.c.
 *
 * A term in memory is read when its value is needed, so that only one element of a large array is
 * read. Operands that && and || skip are not read at all.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "location.h"
#include "value.h"

#define DEPTH_MAX	64
#define NAME_SIZE	256

static int binary(struct adbgd_eval *e, unsigned int level, struct adbgd_term *t);

/* ----------------------------------------------------------------------- failing */

int adbgd_eval_fail(struct adbgd_eval *e, const char *what)
{
	if (*e->at)
		return adbgd_fail(e->error, -EINVAL, "%s at '%.64s'", what, e->at);
	return adbgd_fail(e->error, -EINVAL, "%s at the end of '%.128s'", what, e->text);
}

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

static int take_value(struct adbgd_eval *e, struct adbgd_value *value, struct adbgd_term *t)
{
	*t = (struct adbgd_term){ .type = value->type, .value = value };
	return own(e, value);
}

static int take_bytes(struct adbgd_eval *e, const struct adbgd_type *type, const void *bytes,
		      struct adbgd_term *t)
{
	struct adbgd_value *value;
	int ret = adbgd_value_new_bytes(type, bytes, &value, e->error);

	return ret ? ret : take_value(e, value, t);
}

static int take_number(struct adbgd_eval *e, const struct adbgd_number *n, struct adbgd_term *t)
{
	uint8_t bytes[8];

	adbgd_number_bytes(n, bytes);
	return take_bytes(e, adbgd_number_type(n), bytes, t);
}

/* A result for operands that are skipped */
static int take_nothing(struct adbgd_eval *e, struct adbgd_term *t)
{
	const struct adbgd_number zero = adbgd_number_int(0);

	return take_number(e, &zero, t);
}

/* Read a term from memory, if it was not read yet. */
int adbgd_eval_load(struct adbgd_eval *e, struct adbgd_term *t)
{
	const struct adbgd_context *c = e->context;
	struct adbgd_value *value;
	int ret;

	if (t->value)
		return 0;
	ret = adbgd_value_alloc(t->type, &value, e->error);
	if (ret)
		return ret;
	ret = c->read_memory ? c->read_memory(c->data, t->at.space, c->lane, t->at.address,
					      value->bytes, t->type->size) : -EINVAL;
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

/*
 * Get the number in a term. Fails if its type is not that of a number, or if it was optimized
 * out.
 */
int adbgd_eval_number(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_number *n)
{
	const struct adbgd_type *type = t->type;
	int ret = adbgd_eval_load(e, t);

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

/* Follow a pointer, @elements beyond what it points to; negative numbers are passed modulo 2^64. */
static int follow(struct adbgd_eval *e, struct adbgd_term *t, uint64_t elements)
{
	const struct adbgd_type *to = t->type->target;
	struct adbgd_number n;
	int ret;

	if (!to || !to->size)
		return adbgd_fail(e->error, -EINVAL, "the type that %.200s points to is not known",
				  t->type->name);
	ret = adbgd_eval_number(e, t, &n);
	if (ret)
		return ret;
	n.bits += elements * to->size;
	*t = (struct adbgd_term){
		.type = to, .at.kind = ADBGD_STORED_MEMORY, .at.space = t->type->space,
		.at.address = t->type->size == 4 ? (uint32_t)n.bits : n.bits,
	};
	return 0;
}

static int element(struct adbgd_eval *e, struct adbgd_term *t, int64_t i)
{
	const struct adbgd_type *type = t->type;

	if (e->skipped)
		return take_nothing(e, t);
	if (type->kind == ADBGD_TYPE_POINTER)
		return follow(e, t, i);
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
	int ret = adbgd_eval_load(e, t);

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
	ret = take_number(e, &n, t);
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

static int member(struct adbgd_eval *e, struct adbgd_term *t, const char *name)
{
	const struct adbgd_type *type = t->type;
	uint32_t i;

	if (e->skipped)
		return take_nothing(e, t);
	if (type->kind == ADBGD_TYPE_VECTOR && component(name) >= 0 &&
	    (uint64_t)component(name) < type->count)
		return element(e, t, component(name));
	for (i = 0; i < type->num_members; i++) {
		const struct adbgd_member *m = &type->members[i];

		if (!m->name || !m->type || strcmp(m->name, name))
			continue;
		if (m->bit_size)
			return bit_field(e, t, m);
		if (m->offset > type->size || m->type->size > type->size - m->offset)
			return adbgd_fail(e->error, -EBADMSG, "member %.128s is outside of its "
					  "structure", name);
		narrow(t, m->type, m->offset);
		return 0;
	}
	return adbgd_fail(e->error, -ENOENT, "%.200s has no member %.128s", type->name, name);
}

/* ---------------------------------------------------------------------- primaries */

static void skip_space(struct adbgd_eval *e)
{
	while (isspace((unsigned char)*e->at))
		e->at++;
}

bool adbgd_eval_take(struct adbgd_eval *e, const char *token)
{
	size_t length = strlen(token);

	skip_space(e);
	if (strncmp(e->at, token, length))
		return false;
	e->at += length;
	return true;
}

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int take_name(struct adbgd_eval *e, char name[NAME_SIZE])
{
	size_t length = 0;

	skip_space(e);
	while (is_in_name(e->at[length]))
		length++;
	if (!length || length >= NAME_SIZE || isdigit((unsigned char)*e->at))
		return adbgd_eval_fail(e, "a name is expected");
	memcpy(name, e->at, length);
	name[length] = '\0';
	e->at += length;
	return 0;
}

/* A parameter that is nowhere has the value with which it was passed. @ret: why it has no other */
static int passed(struct adbgd_eval *e, size_t i, int ret, struct adbgd_term *t)
{
	struct adbgd_error ignored;
	struct adbgd_value *value;

	if (ret != -ENODATA ||
	    !(adbgd_variables_get(e->variables, i)->flags & ADBGD_VARIABLE_PARAMETER) ||
	    adbgd_variable_read_passed(e->variables, i, e->context, &value, &ignored))
		return ret;
	e->is_passed = true;
	return take_value(e, value, t);
}

/* Note where the variable is stored. */
static int keep_location(struct adbgd_eval *e, const struct adbgd_location *location,
			 struct adbgd_term *t)
{
	struct adbgd_location **locations, *copy;

	locations = adbgd_grow(e->locations, e->num_locations, &e->locations_room,
			       sizeof(*locations));
	if (!locations)
		return adbgd_no_memory(e->error, "a location");
	e->locations = locations;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return adbgd_no_memory(e->error, "a location");
	*copy = *location;
	locations[e->num_locations++] = copy;
	t->at = (struct adbgd_storage){ .kind = ADBGD_STORED_PIECES, .location = copy };
	return 0;
}

/* A variable that is only in memory is not read yet. */
static int variable(struct adbgd_eval *e, const char *name, struct adbgd_term *t)
{
	int i = e->variables ? adbgd_variables_find(e->variables, name) : -ENOENT, ret;
	const struct adbgd_piece *piece;
	struct adbgd_location location;
	struct adbgd_value *value;

	if (i < 0)
		return adbgd_fail(e->error, i, "there is no variable '%.128s'", name);
	if (e->skipped)
		return take_nothing(e, t);
	ret = adbgd_variable_locate(e->variables, i, e->context, &location, e->error);
	if (ret)
		return passed(e, i, ret, t);
	piece = &location.pieces[0];
	if (location.num_pieces == 1 && piece->where == ADBGD_PIECE_IN_MEMORY) {
		*t = (struct adbgd_term){
			.type = adbgd_variables_get(e->variables, i)->type,
			.at.kind = ADBGD_STORED_MEMORY, .at.space = piece->space,
			.at.address = piece->address,
		};
		return 0;
	}
	ret = adbgd_variable_read(e->variables, i, e->context, &value, e->error);
	if (ret)
		return passed(e, i, ret, t);
	ret = take_value(e, value, t);
	return ret ? ret : keep_location(e, &location, t);
}

/* Read the value that a name stands for. */
static int read_name(struct adbgd_eval *e, const struct adbgd_name *name, const char *text,
		     uint64_t *bits)
{
	const struct adbgd_context *c = e->context;
	uint32_t words[2] = { c->lane }, i;
	int ret = 0;

	for (i = 0; !ret && name->space != ADBGD_NAME_LANE && i < name->size / 4; i++)
		ret = c->read_register ? c->read_register(c->data, name->space, name->number + i,
							  c->lane, &words[i]) : -EINVAL;
	if (ret)
		return adbgd_fail(e->error, ret, "$%s cannot be read: %s", text,
				  adbgd_context_reason(e->context, ret));
	*bits = (uint64_t)words[1] << 32 | words[0];
	return 0;
}

/* Parse a register or a pseudo variable, with gdb's syntax: "$v3". */
static int reg(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 4 };
	struct adbgd_name name;
	char text[NAME_SIZE];
	int ret = take_name(e, text);

	if (!ret)
		ret = adbgd_name_find(text, e->context->lanes, &name, e->error);
	if (!ret && !e->skipped)
		ret = read_name(e, &name, text, &n.bits);
	if (ret)
		return ret;
	n.size = name.size;
	ret = take_number(e, &n, t);
	t->at = (struct adbgd_storage){ .kind = ADBGD_STORED_REGISTER, .name = name };
	return ret;
}

static int take_float(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 8, .is_float = true };
	char *end;

	n.value = strtod(e->at, &end);
	if (tolower((unsigned char)*end) == 'f') {
		n.size = 4;
		n.value = strtof(e->at, NULL);
		end++;
	}
	if (is_in_name(*end))
		return adbgd_eval_fail(e, "malformed number");
	e->at = end;
	return take_number(e, &n, t);
}

/* The type is the first one that can represent the number (6.4.4.1). */
static int take_integer(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 4, .is_signed = true };
	bool is_decimal = *e->at != '0';
	unsigned int longs = 0;
	char *end;

	errno = 0;
	n.bits = strtoull(e->at, &end, 0);
	if (errno)
		return adbgd_eval_fail(e, "the number has more than 64 bits");
	for (; *end && strchr("uUlL", *end); end++) {
		if (tolower((unsigned char)*end) == 'l')
			longs++;
		else
			n.is_signed = false;
	}
	if (longs > 2 || is_in_name(*end))
		return adbgd_eval_fail(e, "malformed number");
	if (longs || n.bits > UINT32_MAX || (n.is_signed && is_decimal && n.bits > INT32_MAX))
		n.size = 8;
	else if (n.bits > INT32_MAX)
		n.is_signed = false;
	n.is_signed &= n.bits <= INT64_MAX;
	e->at = end;
	return take_number(e, &n, t);
}

static bool is_float_next(const struct adbgd_eval *e)
{
	const char *c = e->at;

	if (c[0] == '0' && tolower((unsigned char)c[1]) == 'x')
		return false;
	while (isdigit((unsigned char)*c))
		c++;
	return *c == '.' || tolower((unsigned char)*c) == 'e';
}

static int primary(struct adbgd_eval *e, struct adbgd_term *t)
{
	char name[NAME_SIZE];
	int ret;

	if (adbgd_eval_take(e, "(")) {
		ret = binary(e, 0, t);
		return ret || adbgd_eval_take(e, ")") ? ret : adbgd_eval_fail(e, "')' is expected");
	}
	if (adbgd_eval_take(e, "$"))
		return reg(e, t);
	if (isdigit((unsigned char)*e->at) ||
	    (*e->at == '.' && isdigit((unsigned char)e->at[1])))
		return is_float_next(e) ? take_float(e, t) : take_integer(e, t);
	if (!is_in_name(*e->at))
		return adbgd_eval_fail(e, "a name or a number is expected");
	ret = take_name(e, name);
	return ret ? ret : variable(e, name, t);
}

/* ------------------------------------------------------------------- operators */

static int subscript(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 4 };
	struct adbgd_term index;
	int ret = binary(e, 0, &index);

	if (!ret && !adbgd_eval_take(e, "]"))
		return adbgd_eval_fail(e, "']' is expected");
	if (!ret)
		ret = adbgd_eval_number(e, &index, &n);
	if (ret)
		return ret;
	if (n.is_float)
		return adbgd_fail(e->error, -EINVAL, "an array index must be an integer");
	return element(e, t, adbgd_number_integer(&n));
}

static bool is_pointer(const struct adbgd_term *t)
{
	return t->type->kind == ADBGD_TYPE_POINTER;
}

static int postfix(struct adbgd_eval *e, struct adbgd_term *t)
{
	char name[NAME_SIZE];
	int ret = primary(e, t);

	while (!ret) {
		if (adbgd_eval_take(e, "[")) {
			ret = subscript(e, t);
			continue;
		}
		if (!adbgd_eval_take(e, "->") && !adbgd_eval_take(e, "."))
			break;
		ret = take_name(e, name);
		/* As in gdb, both operators accept structures and pointers. */
		if (!ret && is_pointer(t))
			ret = element(e, t, 0);
		if (!ret)
			ret = member(e, t, name);
	}
	return ret;
}

static int fail_pointer(struct adbgd_eval *e)
{
	return adbgd_fail(e->error, -EINVAL, "a pointer cannot be an operand of this operator");
}

int adbgd_eval_unary(struct adbgd_eval *e, struct adbgd_term *t)
{
	static const struct {
		const char *token;
		enum adbgd_operator op;
	} ops[] = {
		{ "-", ADBGD_OP_MINUS }, { "+", ADBGD_OP_PLUS }, { "!", ADBGD_OP_NOT },
		{ "~", ADBGD_OP_COMPLEMENT }, { "*", ADBGD_OP_NONE },
	};
	struct adbgd_number n;
	const char *why;
	size_t i = 0;
	int ret;

	if (++e->depth > DEPTH_MAX)
		return adbgd_fail(e->error, -E2BIG, "the expression is nested more than %u deep",
				  DEPTH_MAX);
	while (i < ARRAY_SIZE(ops) && !adbgd_eval_take(e, ops[i].token))
		i++;
	ret = i < ARRAY_SIZE(ops) ? adbgd_eval_unary(e, t) : postfix(e, t);
	e->depth--;
	if (ret || i == ARRAY_SIZE(ops))
		return ret;
	if (ops[i].op == ADBGD_OP_NONE)
		return element(e, t, 0);
	if (is_pointer(t) && ops[i].op != ADBGD_OP_NOT)
		return fail_pointer(e);
	ret = adbgd_eval_number(e, t, &n);
	if (ret)
		return ret;
	why = adbgd_number_unary(ops[i].op, &n);
	return why ? adbgd_fail(e->error, -EINVAL, "%s", why) : take_number(e, &n, t);
}

/* If one operator is the beginning of another, the longer one comes first. */
static const struct infix {
	const char *token;
	enum adbgd_operator op;
	unsigned int level;
} infixes[] = {
	{ "||", ADBGD_OP_OR_ELSE, 1 }, { "&&", ADBGD_OP_AND_ALSO, 2 }, { "|", ADBGD_OP_OR, 3 },
	{ "^", ADBGD_OP_XOR, 4 }, { "&", ADBGD_OP_AND, 5 }, { "==", ADBGD_OP_EQUAL, 6 },
	{ "!=", ADBGD_OP_DIFFERENT, 6 }, { "<<", ADBGD_OP_SHIFT_LEFT, 8 },
	{ ">>", ADBGD_OP_SHIFT_RIGHT, 8 }, { "<=", ADBGD_OP_LESS_EQUAL, 7 },
	{ ">=", ADBGD_OP_GREATER_EQUAL, 7 }, { "<", ADBGD_OP_LESS, 7 },
	{ ">", ADBGD_OP_GREATER, 7 }, { "+", ADBGD_OP_ADD, 9 }, { "-", ADBGD_OP_SUBTRACT, 9 },
	{ "*", ADBGD_OP_MULTIPLY, 10 }, { "/", ADBGD_OP_DIVIDE, 10 },
	{ "%", ADBGD_OP_REMAINDER, 10 },
};

static const struct infix *next_infix(struct adbgd_eval *e)
{
	size_t i;

	skip_space(e);
	for (i = 0; i < ARRAY_SIZE(infixes); i++) {
		if (!strncmp(e->at, infixes[i].token, strlen(infixes[i].token)))
			return &infixes[i];
	}
	return NULL;
}

/* Evaluate p + i, i + p or p - i: the result has the pointer's type, and counts in elements. */
static int move_pointer(struct adbgd_eval *e, struct adbgd_term *t, uint64_t elements)
{
	const struct adbgd_type *type = t->type;
	struct adbgd_term to = *t;
	int ret = follow(e, &to, elements);

	return ret ? ret : take_bytes(e, type, &to.at.address, t);
}

static int pointer_sum(struct adbgd_eval *e, enum adbgd_operator op, struct adbgd_term *a,
		       struct adbgd_term *b)
{
	struct adbgd_term *p = is_pointer(a) ? a : b, *i = p == a ? b : a;
	struct adbgd_number n;
	uint64_t elements;
	int ret = adbgd_eval_number(e, i, &n);

	if (ret)
		return ret;
	if (n.is_float || (op == ADBGD_OP_SUBTRACT && p == b))
		return fail_pointer(e);
	elements = adbgd_number_integer(&n);
	ret = move_pointer(e, p, op == ADBGD_OP_ADD ? elements : -elements);
	*a = *p;
	return ret;
}

static int pointer_difference(struct adbgd_eval *e, struct adbgd_term *a, struct adbgd_term *b)
{
	uint64_t size = a->type->target ? a->type->target->size : 0;
	struct adbgd_number x, y;
	int ret;

	if (!size || !b->type->target || b->type->target->size != size ||
	    a->type->space != b->type->space)
		return adbgd_fail(e->error, -EINVAL, "%.200s and %.200s point to different types",
				  a->type->name, b->type->name);
	ret = adbgd_eval_number(e, a, &x);
	if (!ret)
		ret = adbgd_eval_number(e, b, &y);
	if (ret)
		return ret;
	x.bits = (int64_t)(x.bits - y.bits) / (int64_t)size;
	x.is_signed = true;
	return take_number(e, &x, a);
}

static int apply(struct adbgd_eval *e, enum adbgd_operator op, struct adbgd_term *a,
		 struct adbgd_term *b)
{
	bool is_sum = op == ADBGD_OP_ADD || op == ADBGD_OP_SUBTRACT;
	struct adbgd_number x, y;
	const char *why;
	int ret;

	if (op == ADBGD_OP_SUBTRACT && is_pointer(a) && is_pointer(b))
		return pointer_difference(e, a, b);
	if (is_sum && is_pointer(a) != is_pointer(b))
		return pointer_sum(e, op, a, b);
	if ((is_pointer(a) || is_pointer(b)) && !adbgd_is_comparison(op))
		return fail_pointer(e);
	ret = adbgd_eval_number(e, a, &x);
	if (!ret)
		ret = adbgd_eval_number(e, b, &y);
	if (ret)
		return ret;
	why = adbgd_number_binary(op, &x, y);
	/* A skipped operand may have an invalid operation, such as a division by 0. */
	if (why && e->skipped)
		return take_nothing(e, a);
	return why ? adbgd_fail(e->error, -EINVAL, "%s", why) : take_number(e, &x, a);
}

/* Evaluate && or ||: the right operand is skipped if the left one determines the result. */
static int logical(struct adbgd_eval *e, const struct infix *infix, struct adbgd_term *t)
{
	struct adbgd_number n;
	bool left, is_known;
	int ret = adbgd_eval_number(e, t, &n);

	if (ret)
		return ret;
	left = adbgd_number_is_true(&n);
	is_known = left == (infix->op == ADBGD_OP_OR_ELSE);
	e->skipped += is_known;
	ret = binary(e, infix->level, t);
	if (!ret)
		ret = adbgd_eval_number(e, t, &n);
	e->skipped -= is_known;
	if (ret)
		return ret;
	n = adbgd_number_int(is_known ? left : adbgd_number_is_true(&n));
	return take_number(e, &n, t);
}

/* Evaluate operators with a higher precedence than @level. */
static int binary(struct adbgd_eval *e, unsigned int level, struct adbgd_term *t)
{
	const struct infix *infix;
	struct adbgd_term right;
	int ret = adbgd_eval_unary(e, t);

	while (!ret && (infix = next_infix(e)) && infix->level > level) {
		e->at += strlen(infix->token);
		if (infix->op == ADBGD_OP_OR_ELSE || infix->op == ADBGD_OP_AND_ALSO) {
			ret = logical(e, infix, t);
			continue;
		}
		ret = binary(e, infix->level, &right);
		if (!ret)
			ret = apply(e, infix->op, t, &right);
	}
	return ret;
}

/* --------------------------------------------------------------------- the whole */

int adbgd_eval_whole(struct adbgd_eval *e, struct adbgd_term *t)
{
	int ret = binary(e, 0, t);

	skip_space(e);
	return !ret && *e->at ? adbgd_eval_fail(e, "an operator is expected") : ret;
}

void adbgd_eval_free(struct adbgd_eval *e)
{
	size_t i;

	for (i = 0; i < e->num_values; i++)
		adbgd_value_free(e->values[i]);
	for (i = 0; i < e->num_locations; i++)
		free(e->locations[i]);
	free(e->values);
	free(e->locations);
}

/* Copy the result, because all values of the evaluation are freed. */
static int result(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_value **value)
{
	struct adbgd_value *v;
	int ret = adbgd_eval_load(e, t);

	if (!ret)
		ret = adbgd_value_alloc(t->type, &v, e->error);
	if (ret)
		return ret;
	memcpy(v->bytes, t->value->bytes + t->offset, t->type->size);
	memcpy(v->known, t->value->known + t->offset, t->type->size);
	v->has_address = t->at.kind == ADBGD_STORED_MEMORY && !t->at.bit_size;
	v->is_passed = e->is_passed;
	v->space = t->at.space;
	v->address = t->at.address;
	*value = v;
	return 0;
}

ADBGD_API int adbgd_value_eval(struct adbgd_variables *variables, const char *expression,
			       const struct adbgd_context *context, struct adbgd_value **value,
			       struct adbgd_error *error)
{
	struct adbgd_eval e = {
		.variables = variables, .context = context,
		.text = expression, .at = expression, .error = error,
	};
	struct adbgd_term t;
	int ret = adbgd_eval_whole(&e, &t);

	if (!ret)
		ret = result(&e, &t, value);
	adbgd_eval_free(&e);
	return ret;
}
