// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads C++ names: see demangle.h. Each function reads one production of the grammar, and returns
 * its text in the format of c++filt.
 */
#include "demangle.h"

#include <stdio.h>
#include <string.h>

#include "demangle_expr.h"

/* Copying so many bytes takes as long as a step of other loops. */
#define BYTES_OF_STEP	1024

static struct adbgd_name_piece read_type(struct adbgd_demangle *d);
static struct adbgd_scoped read_encoding(struct adbgd_demangle *d, bool has_return,
					 struct adbgd_demangled *offsets);

static struct adbgd_name_piece plain(const char *text)
{
	return (struct adbgd_name_piece){ .left = text, .right = "" };
}

static void remember(struct adbgd_demangle *d, struct adbgd_name_piece piece)
{
	adbgd_demangle_remember(d, (struct adbgd_name_sub){ .piece = piece });
}

static const char *whole(struct adbgd_demangle *d, struct adbgd_name_piece piece)
{
	return *piece.right ? text_of(d, "%s%s", piece.left, piece.right) : piece.left;
}

static const char *read_type_text(struct adbgd_demangle *d)
{
	return whole(d, read_type(d));
}

static bool ends_with(const char *text, char c)
{
	size_t length = strlen(text);

	return length && text[length - 1] == c;
}

/* Read parameter types, to the end of the encoding. */
static const char *read_parameters(struct adbgd_demangle *d)
{
	const char *list = "";
	char next = peek_next(d);

	if (peek(d) == 'v' && (!next || next == 'E' || next == '.')) {
		d->at++;
		return list;
	}
	while (peek(d) && peek(d) != 'E' && peek(d) != '.')
		list = adbgd_demangle_joined(d, list, read_type_text(d));
	return list;
}

/* ------------------------------------------------------------------ templates */

static void add_arg(struct adbgd_demangle *d, struct adbgd_template_args *list,
		    struct adbgd_template_arg arg)
{
	struct adbgd_template_arg *args = list->args;

	/* There is room for a power of two. */
	if (!(list->num & (list->num - 1))) {
		args = adbgd_demangle_alloc(d, (list->num ? 2 * list->num : 1) * sizeof(*args));
		if (list->num)
			memcpy(args, list->args, list->num * sizeof(*args));
		list->args = args;
	}
	args[list->num++] = arg;
}

/* Read arguments up to the E. Return: their text. */
static const char *read_list(struct adbgd_demangle *d, const struct adbgd_template_args **args)
{
	struct adbgd_template_args *list = adbgd_demangle_alloc(d, sizeof(*list));
	const char *text = "";

	memset(list, 0, sizeof(*list));
	if (++d->depth > ADBGD_DEMANGLE_DEPTH)
		adbgd_demangle_fail(d);
	while (!skip(d, "E")) {
		struct adbgd_template_arg arg = { .pack = NULL };

		if (peek(d) == 'L') {
			arg.piece = plain(adbgd_demangle_literal(d));
		} else if (skip(d, "X")) {
			arg.piece = plain(adbgd_demangle_expression(d));
			adbgd_demangle_need(d, "E");
		} else if (skip(d, "J")) {
			arg.piece = plain(read_list(d, &arg.pack));
		} else {
			arg.piece = read_type(d);
		}
		text = adbgd_demangle_joined(d, text, whole(d, arg.piece));
		add_arg(d, list, arg);
	}
	d->depth--;
	*args = list;
	return text;
}

/* Read the arguments of a template, and append them to its name. */
static const char *read_args(struct adbgd_demangle *d, const char *name)
{
	const struct adbgd_template_args *args;
	const char *list;

	adbgd_demangle_need(d, "I");
	list = read_list(d, &args);
	d->args = args;
	return text_of(d, "%s%s<%s%s>", name, ends_with(name, '<') ? " " : "", list,
		       ends_with(list, '>') ? " " : "");
}

/* Read T_. Inside of the expansion of a pack, it is one element of the pack. */
static struct adbgd_name_piece read_template_param(struct adbgd_demangle *d)
{
	const struct adbgd_template_arg *arg;
	size_t i;

	adbgd_demangle_need(d, "T");
	i = adbgd_demangle_index(d, 10);
	if (d->in_lambda)
		return plain(text_of(d, "auto:%zu", i + 1));
	if (!d->args || i >= d->args->num)
		adbgd_demangle_fail(d);
	d->num_params++;
	arg = &d->args->args[i];
	if (!arg->pack || d->pack_index == SIZE_MAX)
		return arg->piece;
	d->pack_size = arg->pack->num;
	return d->pack_index < d->pack_size ? arg->pack->args[d->pack_index].piece : plain("");
}

/* Read what is to be repeated for each element of a pack. */
static struct adbgd_name_piece read_expansion(struct adbgd_demangle *d)
{
	const char *begin = d->at, *list = "", *element;
	size_t num_subs = d->num_subs, index = d->pack_index, size = d->pack_size, i, num = 1;

	for (i = 0; i < num; i++) {
		d->at = begin;
		d->num_subs = num_subs;
		d->pack_index = i;
		d->pack_size = SIZE_MAX;
		element = read_type_text(d);
		if (d->pack_size == SIZE_MAX)
			element = text_of(d, "%s...", element);
		else
			num = d->pack_size;
		if (num)
			list = adbgd_demangle_joined(d, list, element);
	}
	d->pack_index = index;
	d->pack_size = size;
	return plain(list);
}

/* --------------------------------------------------------------- substitutions */

/*
 * Where T_ refers to other arguments than before, or to one of a pack, what contains it is another
 * type.
 */
static struct adbgd_name_piece read_again(struct adbgd_demangle *d,
					  const struct adbgd_name_sub *sub)
{
	struct adbgd_name_piece piece = sub->piece;
	size_t num_subs = d->num_subs;
	const char *at = d->at;
	struct adbgd_name_sub *kept;

	if (!sub->begin || !d->args || (d->args == sub->args && d->pack_index == SIZE_MAX))
		return piece;
	kept = adbgd_demangle_alloc(d, num_subs * sizeof(*kept));
	memcpy(kept, d->subs, num_subs * sizeof(*kept));
	d->at = sub->begin;
	d->num_subs = sub->num_subs;
	piece = read_type(d);
	memcpy(d->subs, kept, num_subs * sizeof(*kept));
	d->num_subs = num_subs;
	d->at = at;
	return piece;
}

static struct adbgd_name_piece read_substitution(struct adbgd_demangle *d)
{
	static const struct {
		const char *code, *text, *of_constructor;
	} names[] = {
		{ "St", "std", NULL }, { "Sa", "std::allocator", NULL },
		{ "Sb", "std::basic_string", NULL },
		{ "Ss", "std::string", "std::basic_string<char, std::char_traits<char>, "
				       "std::allocator<char> >" },
		{ "Si", "std::istream", "std::basic_istream<char, std::char_traits<char> >" },
		{ "So", "std::ostream", "std::basic_ostream<char, std::char_traits<char> >" },
		{ "Sd", "std::iostream", "std::basic_iostream<char, std::char_traits<char> >" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!skip(d, names[i].code))
			continue;
		if (names[i].of_constructor && (peek(d) == 'C' || peek(d) == 'D'))
			return plain(names[i].of_constructor);
		return plain(names[i].text);
	}
	adbgd_demangle_need(d, "S");
	i = adbgd_demangle_index(d, 36);
	if (i >= d->num_subs)
		adbgd_demangle_fail(d);
	return read_again(d, &d->subs[i]);
}

/* ----------------------------------------------------------------------- names */

/* The last part of a name, without template arguments and tags: the name of a constructor */
static const char *last_part(struct adbgd_demangle *d, const char *name)
{
	size_t end = strlen(name), begin;
	int depth = 0;

	for (begin = end; begin; begin--) {
		char c = name[begin - 1];

		depth += (c == '>' || c == ')' || c == '}' || c == ']') -
			 (c == '<' || c == '(' || c == '{' || c == '[');
		if ((c == '<' || c == '[') && !depth)
			end = begin - 1;
		if (c == ':' && !depth)
			break;
	}
	return text_of(d, "%.*s", (int)(end - begin), name + begin);
}

/* {lambda(int)#1} and {unnamed type#1} */
static const char *read_unnamed(struct adbgd_demangle *d)
{
	bool in_lambda = d->in_lambda;
	const char *list;

	if (skip(d, "Ut"))
		return text_of(d, "{unnamed type#%zu}", adbgd_demangle_index(d, 10) + 1);
	adbgd_demangle_need(d, "Ul");
	d->in_lambda = true;
	list = read_parameters(d);
	d->in_lambda = in_lambda;
	adbgd_demangle_need(d, "E");
	return text_of(d, "{lambda(%s)#%zu}", list, adbgd_demangle_index(d, 10) + 1);
}

static const char *read_operator_name(struct adbgd_demangle *d, bool *is_conversion)
{
	unsigned int arity;
	const char *text;
	size_t length;

	if (skip(d, "cv")) {
		*is_conversion = true;
		return text_of(d, "operator %s", read_type_text(d));
	}
	if (skip(d, "li"))
		return text_of(d, "operator\"\" %s", adbgd_demangle_source_name(d));
	text = adbgd_demangle_operator(d, &arity);
	if (!text)
		adbgd_demangle_fail(d);
	length = strlen(text);
	return text_of(d, "operator%s%.*s", *text >= 'a' && *text <= 'z' ? " " : "",
		       (int)(length - (text[length - 1] == ' ')), text);
}

/* A name without scope and arguments */
static const char *read_unqualified(struct adbgd_demangle *d, bool *is_conversion)
{
	const char *text;

	skip(d, "L");
	if (peek(d) >= '0' && peek(d) <= '9')
		text = adbgd_demangle_source_name(d);
	else if (peek(d) == 'U')
		text = read_unnamed(d);
	else
		text = read_operator_name(d, is_conversion);
	while (skip(d, "B"))
		text = text_of(d, "%s[abi:%s]", text, adbgd_demangle_source_name(d));
	return text;
}

/* A constructor or destructor: NULL: another part is next. */
static const char *read_structor(struct adbgd_demangle *d, const char *scope)
{
	char c = peek(d), n = peek_next(d);
	bool is_inherited = c == 'C' && n == 'I';

	if ((c != 'C' && c != 'D') || (!is_inherited && (n < '0' || n > '5')))
		return NULL;
	if (!scope)
		adbgd_demangle_fail(d);
	adbgd_demangle_advance(d, 2 + is_inherited);
	if (is_inherited)
		read_type(d);
	return text_of(d, "%s::%s%s", scope, c == 'D' ? "~" : "", last_part(d, scope));
}

/* Read the next part of a nested name, and append it to the scope, if any. */
static const char *read_part(struct adbgd_demangle *d, const char *scope,
			     struct adbgd_scoped *n, bool *is_new)
{
	const char *text;
	bool is_args = peek(d) == 'I';

	*is_new = true;
	n->is_template = is_args;
	n->has_no_return = false;
	if (is_args && scope) {
		n->args = strlen(scope);
		return read_args(d, scope);
	}
	if (!scope && peek(d) == 'S') {
		*is_new = false;
		return whole(d, read_substitution(d));
	}
	if (!scope && peek(d) == 'T')
		return whole(d, read_template_param(d));
	if (!scope && peek(d) == 'D' && (peek_next(d) == 't' || peek_next(d) == 'T'))
		return read_type_text(d);
	text = read_structor(d, scope);
	if (text) {
		n->has_no_return = true;
		return text;
	}
	text = read_unqualified(d, &n->has_no_return);
	return scope ? text_of(d, "%s::%s", scope, text) : text;
}

static struct adbgd_scoped read_nested(struct adbgd_demangle *d)
{
	struct adbgd_scoped n = { .text = NULL };
	bool is_new, was_conversion = false;

	adbgd_demangle_need(d, "N");
	n.qualifiers = adbgd_demangle_qualifiers(d);
	if (skip(d, "O"))
		n.qualifiers = text_of(d, "%s &&", n.qualifiers);
	else if (skip(d, "R"))
		n.qualifiers = text_of(d, "%s &", n.qualifiers);
	while (!skip(d, "E")) {
		if (n.text && skip(d, "M"))
			continue;
		n.text = read_part(d, n.text, &n, &is_new);
		/* Arguments of a constructor or conversion leave it without a return type. */
		n.has_no_return |= n.is_template && was_conversion;
		was_conversion = n.has_no_return;
		if (is_new && peek(d) != 'E')
			remember(d, plain(n.text));
	}
	if (!n.text)
		adbgd_demangle_fail(d);
	if (!n.is_template)
		n.args = strlen(n.text);
	return n;
}

static void skip_discriminator(struct adbgd_demangle *d)
{
	if (skip(d, "__")) {
		adbgd_demangle_number(d);
		adbgd_demangle_need(d, "_");
	} else if (peek(d) == '_' && peek_next(d) >= '0' && peek_next(d) <= '9') {
		adbgd_demangle_advance(d, 2);
	}
}

static struct adbgd_scoped read_name(struct adbgd_demangle *d);

/* A name inside of a function */
static struct adbgd_scoped read_local(struct adbgd_demangle *d)
{
	struct adbgd_scoped function, n;
	const char *prefix = "";

	adbgd_demangle_need(d, "Z");
	if (++d->depth > ADBGD_DEMANGLE_DEPTH)
		adbgd_demangle_fail(d);
	function = read_encoding(d, false, NULL);
	adbgd_demangle_need(d, "E");
	if (skip(d, "s")) {
		n = (struct adbgd_scoped){ .text = "string literal", .qualifiers = "" };
		n.args = strlen(n.text);
	} else {
		if (skip(d, "d"))
			prefix = text_of(d, "{default arg#%zu}::",
					 adbgd_demangle_index(d, 10) + 1);
		n = read_name(d);
	}
	skip_discriminator(d);
	d->depth--;
	n.args += strlen(function.text) + strlen("::") + strlen(prefix);
	n.text = text_of(d, "%s::%s%s", function.text, prefix, n.text);
	return n;
}

static struct adbgd_scoped read_name(struct adbgd_demangle *d)
{
	struct adbgd_scoped n = { .qualifiers = "" };
	bool is_new = true;

	if (peek(d) == 'N')
		return read_nested(d);
	if (peek(d) == 'Z')
		return read_local(d);
	if (peek(d) == 'S' && peek_next(d) != 't') {
		n.text = whole(d, read_substitution(d));
		is_new = false;
	} else {
		bool is_std = skip(d, "St");

		n.text = read_unqualified(d, &n.has_no_return);
		if (is_std)
			n.text = text_of(d, "std::%s", n.text);
	}
	n.args = strlen(n.text);
	if (peek(d) != 'I')
		return n;
	if (is_new)
		remember(d, plain(n.text));
	n.text = read_args(d, n.text);
	n.is_template = true;
	return n;
}

/* ----------------------------------------------------------------------- types */

static struct adbgd_name_piece add_pointer(struct adbgd_demangle *d, struct adbgd_name_piece of,
					   const char *mark)
{
	size_t length = strlen(of.left);

	if (of.kind != ADBGD_NAME_PIECE_PLAIN) {
		bool is_array = of.kind == ADBGD_NAME_PIECE_ARRAY;

		of.left = text_of(d, "%s%s(%s", of.left, is_array ? " " : "", mark);
		of.right = text_of(d, ")%s", of.right);
		of.kind = ADBGD_NAME_PIECE_PLAIN;
		return of;
	}
	/* A reference to a reference is one, and only && to && stays &&. */
	if (*mark == '&' && length && of.left[length - 1] == '&') {
		bool is_double = length > 1 && of.left[length - 2] == '&';

		if (is_double && !mark[1])
			of.left = text_of(d, "%.*s", (int)(length - 1), of.left);
		return of;
	}
	of.left = text_of(d, "%s%s", of.left, mark);
	return of;
}

static struct adbgd_name_piece read_function(struct adbgd_demangle *d)
{
	const char *qualifiers = adbgd_demangle_qualifiers(d), *list, *reference = "", *except = "";
	struct adbgd_name_piece result;

	if (skip(d, "Do"))
		except = " noexcept";
	adbgd_demangle_need(d, "F");
	skip(d, "Y");
	result = read_type(d);
	list = "";
	while (!skip(d, "E")) {
		if (skip(d, "RE"))
			reference = " &";
		else if (skip(d, "OE"))
			reference = " &&";
		if (*reference)
			break;
		if (peek(d) == 'v' && peek_next(d) == 'E')
			d->at++;
		else
			list = adbgd_demangle_joined(d, list, read_type_text(d));
	}
	result.left = text_of(d, "%s ", result.left);
	result.right = text_of(d, "(%s)%s%s%s%s", list, qualifiers, reference, except,
			       result.right);
	result.kind = ADBGD_NAME_PIECE_FUNCTION;
	return result;
}

static struct adbgd_name_piece read_array(struct adbgd_demangle *d)
{
	const char *size = "";
	struct adbgd_name_piece of;

	adbgd_demangle_need(d, "A");
	if (peek(d) >= '0' && peek(d) <= '9')
		size = text_of(d, "%zu", adbgd_demangle_number(d));
	else if (peek(d) != '_')
		size = adbgd_demangle_expression(d);
	adbgd_demangle_need(d, "_");
	of = read_type(d);
	of.right = text_of(d, " [%s]%s", size,
			   of.right + (of.kind == ADBGD_NAME_PIECE_ARRAY && *of.right == ' '));
	of.kind = ADBGD_NAME_PIECE_ARRAY;
	return of;
}

static struct adbgd_name_piece read_member_pointer(struct adbgd_demangle *d)
{
	const char *class;
	struct adbgd_name_piece of;

	adbgd_demangle_need(d, "M");
	class = read_type_text(d);
	of = read_type(d);
	if (of.kind == ADBGD_NAME_PIECE_FUNCTION)
		return add_pointer(d, of, text_of(d, "%s::*", class));
	of.left = text_of(d, "%s %s::*", of.left, class);
	return of;
}

static struct adbgd_name_piece read_qualified(struct adbgd_demangle *d)
{
	const char *begin = d->at, *qualifiers = adbgd_demangle_qualifiers(d);
	struct adbgd_name_piece of;

	/* Those of a function belong to it. */
	if (peek(d) == 'F' || (peek(d) == 'D' && peek_next(d) == 'o')) {
		d->at = begin;
		return read_function(d);
	}
	of = read_type(d);
	if (of.kind == ADBGD_NAME_PIECE_FUNCTION)
		of.right = text_of(d, "%s%s", of.right, qualifiers);
	else
		of.left = text_of(d, "%s%s", of.left, qualifiers);
	return of;
}

static struct adbgd_name_piece read_vector(struct adbgd_demangle *d)
{
	const char *size;

	adbgd_demangle_need(d, "Dv");
	if (skip(d, "_"))
		size = adbgd_demangle_expression(d);
	else
		size = text_of(d, "%zu", adbgd_demangle_number(d));
	adbgd_demangle_need(d, "_");
	return plain(text_of(d, "%s __vector(%s)", read_type_text(d), size));
}

/* An address space of a GPU, for example; it is written before the type in the mangled name. */
static struct adbgd_name_piece read_vendor_qualifier(struct adbgd_demangle *d)
{
	const char *name;
	struct adbgd_name_piece of;

	adbgd_demangle_need(d, "U");
	name = adbgd_demangle_source_name(d);
	if (peek(d) == 'I')
		name = read_args(d, name);
	of = read_type(d);
	of.left = text_of(d, "%s %s", of.left, name);
	return of;
}

/* A class, or the substitution of any type. @is_new: S_ can refer to it */
static struct adbgd_name_piece read_class(struct adbgd_demangle *d, bool *is_new)
{
	const struct adbgd_template_args *args = d->args;
	struct adbgd_name_piece piece;

	*is_new = true;
	if (peek(d) == 'S' && peek_next(d) != 't') {
		piece = read_substitution(d);
		*is_new = peek(d) == 'I';
		if (*is_new)
			piece = plain(read_args(d, whole(d, piece)));
	} else {
		/* The keyword with which the class is named */
		if (!skip(d, "Ts") && !skip(d, "Tu"))
			skip(d, "Te");
		piece = plain(read_name(d).text);
	}
	d->args = args;
	return piece;
}

static struct adbgd_name_piece read_param_type(struct adbgd_demangle *d)
{
	const struct adbgd_template_args *args = d->args;
	struct adbgd_name_piece piece = read_template_param(d);

	if (peek(d) != 'I')
		return piece;
	remember(d, piece);
	piece = plain(read_args(d, whole(d, piece)));
	d->args = args;
	return piece;
}

/* A type whose first letter is D, and which is not a builtin type */
static struct adbgd_name_piece read_d_type(struct adbgd_demangle *d)
{
	const char *text;

	if (peek_next(d) == 'v')
		return read_vector(d);
	if (peek_next(d) == 'o')
		return read_function(d);
	if (skip(d, "Dp"))
		return read_expansion(d);
	if (!skip(d, "Dt"))
		adbgd_demangle_need(d, "DT");
	text = adbgd_demangle_expression(d);
	adbgd_demangle_need(d, "E");
	return plain(text_of(d, "decltype (%s)", text));
}

static struct adbgd_name_piece read_new_type(struct adbgd_demangle *d, bool *is_new)
{
	char next = peek_next(d);

	*is_new = true;
	switch (peek(d)) {
	case 'r':
	case 'V':
	case 'K':
		return read_qualified(d);
	case 'P':
		d->at++;
		return add_pointer(d, read_type(d), "*");
	case 'R':
		d->at++;
		return add_pointer(d, read_type(d), "&");
	case 'O':
		d->at++;
		return add_pointer(d, read_type(d), "&&");
	case 'F':
		return read_function(d);
	case 'A':
		return read_array(d);
	case 'M':
		return read_member_pointer(d);
	case 'D':
		return read_d_type(d);
	case 'U':
		return read_vendor_qualifier(d);
	case 'u':
		d->at++;
		return plain(adbgd_demangle_source_name(d));
	case 'T':
		if (next == '_' || (next >= '0' && next <= '9'))
			return read_param_type(d);
	}
	return read_class(d, is_new);
}

static struct adbgd_name_piece read_type(struct adbgd_demangle *d)
{
	struct adbgd_name_sub sub = {
		.begin = d->at, .num_subs = d->num_subs, .args = d->args,
	};
	const char *builtin = adbgd_demangle_builtin(d);
	size_t num_params = d->num_params;
	bool is_new;

	/* This bounds the number of types, also of those that are read again for a pack. */
	adbgd_demangle_alloc(d, 1);
	if (builtin)
		return plain(builtin);
	if (++d->depth > ADBGD_DEMANGLE_DEPTH)
		adbgd_demangle_fail(d);
	sub.piece = read_new_type(d, &is_new);
	d->depth--;
	if (num_params == d->num_params)
		sub.begin = NULL;
	if (is_new)
		adbgd_demangle_remember(d, sub);
	return sub.piece;
}

/* ------------------------------------------------------------------- encodings */

/* Tables and other data that the compiler makes for a class or variable. NULL: others */
static const char *read_special_name(struct adbgd_demangle *d)
{
	static const struct {
		const char *code, *text;
		bool of_type;
	} names[] = {
		{ "TV", "vtable for ", true }, { "TT", "VTT for ", true },
		{ "TI", "typeinfo for ", true }, { "TS", "typeinfo name for ", true },
		{ "GV", "guard variable for ", false },
		{ "TH", "TLS init function for ", false },
		{ "TW", "TLS wrapper function for ", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (skip(d, names[i].code))
			return text_of(d, "%s%s", names[i].text, names[i].of_type ?
				       read_type_text(d) : read_name(d).text);
	}
	return NULL;
}

/* @offsets: where the name is in the text; NULL: not needed */
static struct adbgd_scoped read_encoding(struct adbgd_demangle *d, bool has_return,
					 struct adbgd_demangled *offsets)
{
	struct adbgd_name_piece result = plain("");
	struct adbgd_scoped n = { .text = read_special_name(d) };
	const char *name, *list;

	if (n.text)
		return n;
	n = read_name(d);
	name = n.text;
	if (peek(d) && peek(d) != 'E' && peek(d) != '.') {
		if (n.is_template && !n.has_no_return) {
			result = read_type(d);
			if (!has_return)
				result = plain("");
			else if (result.kind == ADBGD_NAME_PIECE_PLAIN && !*result.right)
				result.left = text_of(d, "%s ", result.left);
		}
		list = read_parameters(d);
		n.text = text_of(d, "%s%s(%s)%s%s", result.left, name, list, n.qualifiers,
				 result.right);
	}
	if (offsets) {
		offsets->name = strlen(result.left);
		offsets->args = offsets->name + n.args;
		offsets->end = offsets->name + strlen(name);
	}
	return n;
}

static const char *read_param_text(struct adbgd_demangle *d)
{
	return whole(d, read_template_param(d));
}

static const char *read_encoding_text(struct adbgd_demangle *d)
{
	return read_encoding(d, true, NULL).text;
}

static const struct adbgd_demangle_ops readers = {
	.type = read_type_text,
	.param = read_param_text,
	.encoding = read_encoding_text,
	.unqualified = read_unqualified,
	.args = read_args,
};

static bool is_suffix(const char *at)
{
	return at[0] == '.' && ((at[1] >= 'a' && at[1] <= 'z') || at[1] == '_' ||
				(at[1] >= '0' && at[1] <= '9'));
}

bool adbgd_demangle(const char *name, struct adbgd_demangled *result)
{
	struct adbgd_demangle d;
	struct adbgd_scoped n;

	memset(result, 0, sizeof(*result));
	if (strncmp(name, "_Z", 2) || !adbgd_demangle_begin(&d, name + 2))
		return false;
	d.read = &readers;
	if (!setjmp(d.failed)) {
		n = read_encoding(&d, true, result);
		if (*d.at && !is_suffix(d.at))
			adbgd_demangle_fail(&d);
		if (*d.at)
			n.text = text_of(&d, "%s [clone %s]", n.text, d.at);
		if (strlen(n.text) > ADBGD_DEMANGLE_TEXT)
			adbgd_demangle_fail(&d);
		if (!result->end) {
			result->end = strlen(n.text);
			result->args = result->end;
		}
		result->text = strdup(n.text);
	}
	result->steps = d.num_pieces + d.used / BYTES_OF_STEP;
	adbgd_demangle_end(&d);
	return result->text;
}
