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
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "derived_type.h"
#include "eval.h"
#include "eval_type.h"
#include "value.h"

#define DEPTH_MAX	64

static int binary(struct adbgd_eval *e, unsigned int level, struct adbgd_term *t);

/* ---------------------------------------------------------------------- primaries */

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
	return adbgd_term_value(e, value, t);
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

static int variable(struct adbgd_eval *e, const char *name, struct adbgd_term *t);

/* In a member function of C++, its members are in scope. -ENOENT: there is no such member */
static int member_of_this(struct adbgd_eval *e, const char *name, struct adbgd_term *t)
{
	int i = e->variables ? adbgd_variables_find(e->variables, "this") : -ENOENT, ret;
	const struct adbgd_type *type;

	if (i < 0)
		return -ENOENT;
	type = adbgd_variables_get(e->variables, i)->type;
	if (!type || type->kind != ADBGD_TYPE_POINTER || !type->target ||
	    !adbgd_type_has_member(type->target, name))
		return -ENOENT;
	ret = variable(e, "this", t);
	if (!ret)
		ret = adbgd_term_element(e, t, 0);
	return ret ? ret : adbgd_term_member(e, t, name);
}

/* A variable that is only in memory is not read yet. */
static int variable(struct adbgd_eval *e, const char *name, struct adbgd_term *t)
{
	int i = e->variables ? adbgd_variables_find(e->variables, name) : -ENOENT, ret;
	const struct adbgd_piece *piece;
	struct adbgd_location location;
	struct adbgd_value *value;

	/* A member hides what is outside of functions. */
	if (i < 0 || adbgd_variables_get(e->variables, i)->flags & ADBGD_VARIABLE_GLOBAL) {
		ret = member_of_this(e, name, t);
		if (ret != -ENOENT)
			return ret;
	}
	if (i < 0)
		return adbgd_fail(e->error, i, "there is no variable '%.128s'", name);
	if (e->skipped)
		return adbgd_term_nothing(e, t);
	if (e->unread) {
		*t = (struct adbgd_term){
			.type = adbgd_variables_get(e->variables, i)->type,
			.at.kind = ADBGD_STORED_MEMORY,
		};
		return 0;
	}
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
	ret = adbgd_term_value(e, value, t);
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

/* Get a value of the user's, such as $1. */
static int named_value(struct adbgd_eval *e, const char *text, struct adbgd_term *t)
{
	const struct adbgd_value_names *names = e->context->names;
	const struct adbgd_value *found;
	struct adbgd_value *value;
	uint32_t lane;
	int ret;

	if (!names)
		return adbgd_fail(e->error, -EINVAL, "there is no history of values for $%.128s",
				  text);
	ret = names->find(names->data, text, e->context->lane, &found, e->error);
	/* A condition may be true only in lanes for which there is a value. */
	for (lane = 0; ret && e->is_check && lane < e->context->lanes; lane++)
		ret = names->find(names->data, text, lane, &found, e->error);
	if (!ret)
		ret = adbgd_value_copy(found, &value, e->error);
	if (!ret)
		ret = adbgd_term_value(e, value, t);
	if (ret)
		return ret;
	t->at.is_kept = true;
	if (found->has_address) {
		t->at.kind = ADBGD_STORED_MEMORY;
		t->at.space = found->space;
		t->at.address = found->address;
	}
	return 0;
}

static bool is_user_name(struct adbgd_eval *e, const char *text)
{
	const struct adbgd_value_names *names = e->context->names;
	const struct adbgd_value *found;
	struct adbgd_error ignored;

	return names && !names->find(names->data, text, e->context->lane, &found, &ignored);
}

/* Take the name after a $: that of a register, or "", "$", "$2" or "2" of the history. */
static int take_dollar(struct adbgd_eval *e, char text[ADBGD_EVAL_NAME_SIZE])
{
	size_t length = *e->at == '$';

	while (adbgd_eval_is_in_name(e->at[length]))
		length++;
	if (length >= ADBGD_EVAL_NAME_SIZE)
		return adbgd_eval_fail(e, "the name is too long");
	memcpy(text, e->at, length);
	text[length] = '\0';
	e->at += length;
	return 0;
}

/* Parse what follows a $, with gdb's syntax: a register, a pseudo variable, or a value. */
static int dollar(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 4 };
	char text[ADBGD_EVAL_NAME_SIZE];
	struct adbgd_name name;
	int ret = take_dollar(e, text);

	if (ret)
		return ret;
	if (!*text || *text == '$' || isdigit((unsigned char)*text))
		return named_value(e, text, t);
	ret = adbgd_name_find(text, e->context->lanes, &name, e->error);
	if (ret && is_user_name(e, text))
		return named_value(e, text, t);
	if (!ret && !e->skipped && !e->unread)
		ret = read_name(e, &name, text, &n.bits);
	if (ret)
		return ret;
	n.size = name.size;
	ret = adbgd_term_number(e, &n, t);
	t->at = (struct adbgd_storage){ .kind = ADBGD_STORED_REGISTER, .name = name };
	return ret;
}

static int primary(struct adbgd_eval *e, struct adbgd_term *t)
{
	char name[ADBGD_EVAL_NAME_SIZE];
	struct adbgd_number n;
	int ret;

	if (adbgd_eval_take(e, "(")) {
		ret = binary(e, 0, t);
		return ret || adbgd_eval_take(e, ")") ? ret : adbgd_eval_fail(e, "')' is expected");
	}
	if (adbgd_eval_take(e, "$"))
		return dollar(e, t);
	if (adbgd_eval_is_number_next(e)) {
		ret = adbgd_eval_take_number(e, &n);
		return ret ? ret : adbgd_term_number(e, &n, t);
	}
	if (*e->at == '\'') {
		ret = adbgd_eval_take_char(e, &n);
		return ret ? ret : adbgd_term_number(e, &n, t);
	}
	if (*e->at == '"')
		return adbgd_eval_fail(e, "expressions have no strings, but there is one");
	if (!adbgd_eval_is_in_name(*e->at))
		return adbgd_eval_fail(e, "a name or a number is expected");
	ret = adbgd_eval_take_name(e, name);
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
		ret = adbgd_term_read_number(e, &index, &n);
	if (ret)
		return ret;
	if (n.is_float)
		return adbgd_fail(e->error, -EINVAL, "an array index must be an integer");
	return adbgd_term_element(e, t, adbgd_number_integer(&n));
}

static bool is_pointer(const struct adbgd_term *t)
{
	return t->type->kind == ADBGD_TYPE_POINTER;
}

static int postfix(struct adbgd_eval *e, struct adbgd_term *t)
{
	char name[ADBGD_EVAL_NAME_SIZE];
	int ret = primary(e, t);

	while (!ret) {
		if (adbgd_eval_take(e, "[")) {
			ret = subscript(e, t);
			continue;
		}
		if (!adbgd_eval_take(e, "->") && !adbgd_eval_take(e, "."))
			break;
		ret = adbgd_eval_take_name(e, name);
		/* As in gdb, both operators accept structures and pointers. */
		if (!ret && is_pointer(t))
			ret = adbgd_term_element(e, t, 0);
		if (!ret)
			ret = adbgd_term_member(e, t, name);
	}
	return ret;
}

static int fail_pointer(struct adbgd_eval *e)
{
	return adbgd_fail(e->error, -EINVAL, "a pointer cannot be an operand of this operator");
}

/* Take "(type)", before what is cast or measured. Results as of adbgd_eval_take_type() */
static int take_type_in_brackets(struct adbgd_eval *e, struct adbgd_named_type *named)
{
	const char *begin = e->at;
	int ret;

	if (!adbgd_eval_take(e, "("))
		return 0;
	ret = adbgd_eval_take_type(e, named);
	if (!ret)
		e->at = begin;
	if (ret > 0 && !adbgd_eval_take(e, ")"))
		return adbgd_eval_fail(e, "')' is expected after a type");
	return ret;
}

/* The operand of sizeof is not evaluated. */
static int size_of(struct adbgd_eval *e, struct adbgd_term *t)
{
	struct adbgd_number n = { .size = 8 };
	struct adbgd_named_type named;
	int ret = take_type_in_brackets(e, &named);

	if (ret < 0)
		return ret;
	if (!ret) {
		e->unread++;
		ret = adbgd_eval_unary(e, t);
		e->unread--;
		if (ret)
			return ret;
		if (t->at.bit_size)
			return adbgd_fail(e->error, -EINVAL, "a bit field has no size in bytes");
		named.type = t->type;
	}
	n.bits = named.type->size;
	if (!n.bits)
		return adbgd_fail(e->error, -EINVAL, "the size of %.200s is not known",
				  named.type->name);
	return adbgd_term_number(e, &n, t);
}

/* Apply an operator of one operand. */
static int apply_unary(struct adbgd_eval *e, enum adbgd_operator op, struct adbgd_term *t)
{
	struct adbgd_number n;
	const char *why;
	int ret = e->skipped ? 0 : adbgd_term_decay(e, t);

	if (ret)
		return ret;
	if (is_pointer(t) && op != ADBGD_OP_NOT)
		return fail_pointer(e);
	ret = adbgd_term_read_number(e, t, &n);
	if (ret)
		return ret;
	why = adbgd_number_unary(op, &n);
	return why ? adbgd_fail(e->error, -EINVAL, "%s", why) : adbgd_term_number(e, &n, t);
}

/* Evaluate an operand after any operators, sizeof and casts. */
static int unary(struct adbgd_eval *e, struct adbgd_term *t)
{
	static const struct {
		const char *token;
		enum adbgd_operator op;
	} ops[] = {
		{ "-", ADBGD_OP_MINUS }, { "+", ADBGD_OP_PLUS }, { "!", ADBGD_OP_NOT },
		{ "~", ADBGD_OP_COMPLEMENT },
	};
	struct adbgd_named_type to;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!adbgd_eval_take(e, ops[i].token))
			continue;
		ret = adbgd_eval_unary(e, t);
		return ret ? ret : apply_unary(e, ops[i].op, t);
	}
	if (adbgd_eval_take(e, "*")) {
		ret = adbgd_eval_unary(e, t);
		return ret ? ret : adbgd_term_element(e, t, 0);
	}
	if (adbgd_eval_take(e, "&")) {
		ret = adbgd_eval_unary(e, t);
		return ret ? ret : adbgd_term_address(e, t);
	}
	if (adbgd_eval_take_word(e, "sizeof"))
		return size_of(e, t);
	ret = take_type_in_brackets(e, &to);
	if (ret <= 0)
		return ret ? ret : postfix(e, t);
	ret = adbgd_eval_unary(e, t);
	return ret ? ret : adbgd_eval_cast(e, &to, t);
}

int adbgd_eval_unary(struct adbgd_eval *e, struct adbgd_term *t)
{
	int ret;

	if (++e->depth > DEPTH_MAX)
		return adbgd_fail(e->error, -E2BIG, "the expression is nested more than %u deep",
				  DEPTH_MAX);
	ret = unary(e, t);
	e->depth--;
	return ret;
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
	{ ">", ADBGD_OP_GREATER, 7 }, { "@", ADBGD_OP_NONE, 9 }, { "+", ADBGD_OP_ADD, 10 },
	{ "-", ADBGD_OP_SUBTRACT, 10 }, { "*", ADBGD_OP_MULTIPLY, 11 },
	{ "/", ADBGD_OP_DIVIDE, 11 }, { "%", ADBGD_OP_REMAINDER, 11 },
};

static const struct infix *next_infix(struct adbgd_eval *e)
{
	size_t i;

	adbgd_eval_skip_space(e);
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
	int ret = adbgd_term_follow(e, &to, elements);

	return ret ? ret : adbgd_term_bytes(e, type, &to.at.address, t);
}

static int pointer_sum(struct adbgd_eval *e, enum adbgd_operator op, struct adbgd_term *a,
		       struct adbgd_term *b)
{
	struct adbgd_term *p = is_pointer(a) ? a : b, *i = p == a ? b : a;
	struct adbgd_number n;
	uint64_t elements;
	int ret = adbgd_term_read_number(e, i, &n);

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
	ret = adbgd_term_read_number(e, a, &x);
	if (!ret)
		ret = adbgd_term_read_number(e, b, &y);
	if (ret)
		return ret;
	x.bits = (int64_t)(x.bits - y.bits) / (int64_t)size;
	x.is_signed = true;
	return adbgd_term_number(e, &x, a);
}

static int apply(struct adbgd_eval *e, enum adbgd_operator op, struct adbgd_term *a,
		 struct adbgd_term *b)
{
	bool is_sum = op == ADBGD_OP_ADD || op == ADBGD_OP_SUBTRACT;
	struct adbgd_number x, y;
	const char *why;
	int ret = e->skipped ? 0 : adbgd_term_decay(e, a);

	if (!ret && !e->skipped)
		ret = adbgd_term_decay(e, b);
	if (ret)
		return ret;
	if (op == ADBGD_OP_SUBTRACT && is_pointer(a) && is_pointer(b))
		return pointer_difference(e, a, b);
	if (is_sum && is_pointer(a) != is_pointer(b))
		return pointer_sum(e, op, a, b);
	if ((is_pointer(a) || is_pointer(b)) && !adbgd_is_comparison(op))
		return fail_pointer(e);
	ret = adbgd_term_read_number(e, a, &x);
	if (!ret)
		ret = adbgd_term_read_number(e, b, &y);
	if (ret)
		return ret;
	why = adbgd_number_binary(op, &x, y);
	/* A skipped operand may have an invalid operation, such as a division by 0. */
	if (why && e->skipped)
		return adbgd_term_nothing(e, a);
	/* Where only the types are known, another value may be valid. */
	if (why && e->is_check) {
		y.bits = 1;
		why = adbgd_number_binary(op, &x, y);
	} else if (why && e->unread) {
		/* In sizeof; the type is right by now. */
		return adbgd_term_number(e, &x, a);
	}
	return why ? adbgd_fail(e->error, -EINVAL, "%s", why) : adbgd_term_number(e, &x, a);
}

/* Evaluate && or ||: the right operand is skipped if the left one determines the result. */
static int logical(struct adbgd_eval *e, const struct infix *infix, struct adbgd_term *t)
{
	struct adbgd_number n;
	bool left, is_known;
	int ret = adbgd_term_read_number(e, t, &n);

	if (ret)
		return ret;
	left = adbgd_number_is_true(&n);
	/* Of an expression that is not evaluated, both operands are checked. */
	is_known = !e->unread && left == (infix->op == ADBGD_OP_OR_ELSE);
	e->skipped += is_known;
	ret = binary(e, infix->level, t);
	if (!ret)
		ret = adbgd_term_read_number(e, t, &n);
	e->skipped -= is_known;
	if (ret)
		return ret;
	n = adbgd_number_int(is_known ? left : adbgd_number_is_true(&n));
	return adbgd_term_number(e, &n, t);
}

/* Evaluate a@n, gdb's array of n elements that begins with a. */
static int repeat(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_term *right)
{
	struct adbgd_number n;
	int ret = adbgd_term_read_number(e, right, &n);

	if (e->is_check)
		n = adbgd_number_int(1);
	return ret ? ret : adbgd_term_repeat(e, t, &n);
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
			ret = infix->op == ADBGD_OP_NONE ? repeat(e, t, &right) :
							   apply(e, infix->op, t, &right);
	}
	return ret;
}

/* --------------------------------------------------------------------- the whole */

int adbgd_eval_whole(struct adbgd_eval *e, struct adbgd_term *t)
{
	int ret = binary(e, 0, t);

	adbgd_eval_skip_space(e);
	return !ret && *e->at ? adbgd_eval_fail(e, "an operator is expected") : ret;
}

void adbgd_eval_free(struct adbgd_eval *e)
{
	size_t i;

	for (i = 0; i < e->num_values; i++)
		adbgd_value_free(e->values[i]);
	for (i = 0; i < e->num_locations; i++)
		free(e->locations[i]);
	for (i = 0; i < e->num_types; i++)
		adbgd_type_release(e->types[i]);
	free(e->values);
	free(e->locations);
	free(e->types);
}

/* Copy the result, because all values of the evaluation are freed. */
static int result(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_value **value)
{
	struct adbgd_value *v;
	int ret = adbgd_term_load(e, t);

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
