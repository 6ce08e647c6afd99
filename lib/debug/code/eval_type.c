// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Types in expressions: see eval_type.h.
 */
#include "eval_type.h"

#include <errno.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "convert.h"
#include "derived_type.h"
#include "type_find.h"
#include "value.h"

#define POINTERS_MAX	8

/* ---------------------------------------------------------------- types of C itself */

#define SIGNED(n, s) \
	{ .name = n, .size = s, .kind = ADBGD_TYPE_SIGNED, .flags = ADBGD_TYPE_IS_SIGNED }
#define UNSIGNED(n, s) { .name = n, .size = s, .kind = ADBGD_TYPE_UNSIGNED }
#define FLOAT(n, s) { .name = n, .size = s, .kind = ADBGD_TYPE_FLOAT }

enum {
	CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, LONG,
	UNSIGNED_LONG, HALF, FLOATING, DOUBLE, BOOL, VOID,
};

/* As they are on AMD GPUs: char is signed, and long has 64 bits. */
static const struct adbgd_type types[] = {
	[CHAR] = {
		.name = "char", .size = 1, .kind = ADBGD_TYPE_CHAR, .flags = ADBGD_TYPE_IS_SIGNED,
	},
	[SIGNED_CHAR] = {
		.name = "signed char", .size = 1, .kind = ADBGD_TYPE_CHAR,
		.flags = ADBGD_TYPE_IS_SIGNED,
	},
	[UNSIGNED_CHAR] = { .name = "unsigned char", .size = 1, .kind = ADBGD_TYPE_CHAR },
	[SHORT] = SIGNED("short", 2),
	[UNSIGNED_SHORT] = UNSIGNED("unsigned short", 2),
	[INT] = SIGNED("int", 4),
	[UNSIGNED_INT] = UNSIGNED("unsigned int", 4),
	[LONG] = SIGNED("long", 8),
	[UNSIGNED_LONG] = UNSIGNED("unsigned long", 8),
	[HALF] = FLOAT("half", 2),
	[FLOATING] = FLOAT("float", 4),
	[DOUBLE] = FLOAT("double", 8),
	[BOOL] = { .name = "bool", .size = 1, .kind = ADBGD_TYPE_BOOL },
	[VOID] = { .name = "void", .kind = ADBGD_TYPE_VOID },
};

/* Names of OpenCL C, if the code object does not use them */
static const struct {
	const char *name;
	uint32_t type;
} other_names[] = {
	{ "uchar", UNSIGNED_CHAR }, { "ushort", UNSIGNED_SHORT }, { "uint", UNSIGNED_INT },
	{ "ulong", UNSIGNED_LONG }, { "half", HALF }, { "bool", BOOL }, { "size_t", UNSIGNED_LONG },
};

/* The keywords that make up the name of a base type, in any order */
enum word {
	WORD_CHAR, WORD_SHORT, WORD_INT, WORD_LONG, WORD_FLOAT, WORD_DOUBLE, WORD_BOOL, WORD_VOID,
	WORD_SIGNED, WORD_UNSIGNED, NUM_WORDS,
};

static const char *const words[NUM_WORDS] = {
	[WORD_CHAR] = "char", [WORD_SHORT] = "short", [WORD_INT] = "int", [WORD_LONG] = "long",
	[WORD_FLOAT] = "float", [WORD_DOUBLE] = "double", [WORD_BOOL] = "_Bool",
	[WORD_VOID] = "void", [WORD_SIGNED] = "signed", [WORD_UNSIGNED] = "unsigned",
};

/* Words around a type that say nothing about values */
static const char *const qualifiers[] = { "const", "volatile", "restrict" };

static const struct {
	const char *word;
	uint32_t space;
} spaces[] = {
	{ "global", ADBGD_SPACE_GLOBAL }, { "constant", ADBGD_SPACE_GLOBAL },
	{ "generic", ADBGD_SPACE_GLOBAL }, { "local", ADBGD_SPACE_LOCAL },
	{ "private", ADBGD_SPACE_PRIVATE },
};

static const struct {
	const char *word;
	enum adbgd_type_keyword keyword;
} keywords[] = {
	{ "struct", ADBGD_KEYWORD_STRUCT }, { "class", ADBGD_KEYWORD_STRUCT },
	{ "union", ADBGD_KEYWORD_UNION }, { "enum", ADBGD_KEYWORD_ENUM },
};

/* The state while a type is parsed */
struct parsed {
	const struct adbgd_type *type;
	bool has_space;			/* @space was named since the last * */
	uint32_t space;
	unsigned int num_words[NUM_WORDS];
	bool has_words;
};

/* ------------------------------------------------------------------------- parsing */

static bool take_qualifier(struct adbgd_eval *e, struct parsed *p)
{
	const char *at;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		if (adbgd_eval_take_word(e, qualifiers[i]))
			return true;
	}
	at = e->at;
	(void)adbgd_eval_take(e, "__");
	for (i = 0; i < ARRAY_SIZE(spaces); i++) {
		if (adbgd_eval_take_word(e, spaces[i].word)) {
			p->has_space = true;
			p->space = spaces[i].space;
			return true;
		}
	}
	e->at = at;
	return false;
}

static bool take_base_word(struct adbgd_eval *e, struct parsed *p)
{
	size_t i;

	for (i = 0; i < NUM_WORDS; i++) {
		if (adbgd_eval_take_word(e, words[i])) {
			p->num_words[i]++;
			p->has_words = true;
			return true;
		}
	}
	return false;
}

static uint32_t integer_of(const unsigned int n[NUM_WORDS])
{
	if (n[WORD_CHAR])
		return n[WORD_UNSIGNED] ? UNSIGNED_CHAR : n[WORD_SIGNED] ? SIGNED_CHAR : CHAR;
	if (n[WORD_SHORT])
		return n[WORD_UNSIGNED] ? UNSIGNED_SHORT : SHORT;
	if (n[WORD_LONG])
		return n[WORD_UNSIGNED] ? UNSIGNED_LONG : LONG;
	return n[WORD_UNSIGNED] ? UNSIGNED_INT : INT;
}

/* The type that the words make up (6.7.2); NULL: none */
static const struct adbgd_type *type_of(const unsigned int n[NUM_WORDS])
{
	unsigned int all = 0, integer, i;

	for (i = 0; i < NUM_WORDS; i++)
		all += n[i];
	if (all == 1 && n[WORD_FLOAT])
		return &types[FLOATING];
	if (all == 1 && n[WORD_DOUBLE])
		return &types[DOUBLE];
	if (all == 1 && n[WORD_BOOL])
		return &types[BOOL];
	if (all == 1 && n[WORD_VOID])
		return &types[VOID];
	integer = n[WORD_CHAR] + n[WORD_SHORT] + n[WORD_INT] + n[WORD_LONG] + n[WORD_SIGNED] +
		  n[WORD_UNSIGNED];
	if (all != integer || n[WORD_SIGNED] + n[WORD_UNSIGNED] > 1 || n[WORD_INT] > 1 ||
	    n[WORD_LONG] > 2 || n[WORD_SHORT] > 1 || n[WORD_CHAR] > 1 ||
	    !!n[WORD_CHAR] + !!n[WORD_SHORT] + !!n[WORD_LONG] > 1 ||
	    (n[WORD_CHAR] && n[WORD_INT]))
		return NULL;
	return &types[integer_of(n)];
}

/* Take a name with its namespaces: "a::b". False: none follows. */
static bool take_qualified(struct adbgd_eval *e, char name[ADBGD_EVAL_NAME_SIZE])
{
	size_t length = 0;

	adbgd_eval_skip_space(e);
	while (adbgd_eval_is_in_name(e->at[length]) ||
	       (length && !strncmp(e->at + length, "::", 2) &&
		adbgd_eval_is_in_name(e->at[length + 2])))
		length += e->at[length] == ':' ? 2 : 1;
	if (!length || length >= ADBGD_EVAL_NAME_SIZE || adbgd_eval_is_number_next(e))
		return false;
	memcpy(name, e->at, length);
	name[length] = '\0';
	e->at += length;
	return true;
}

/* Take a name that is not a keyword. Returns 1; 0: it is not that of a type; -errno. */
static int take_type_name(struct adbgd_eval *e, struct parsed *p)
{
	char name[ADBGD_EVAL_NAME_SIZE];
	const char *at = e->at;
	int ret = -ENOENT;
	size_t i;

	if (!take_qualified(e, name))
		return 0;
	if (e->variables && adbgd_variables_find(e->variables, name) < 0)
		ret = adbgd_type_find(e->variables, ADBGD_KEYWORD_NONE, name, &p->type, e->error);
	if (!ret)
		return 1;
	if (ret != -ENOENT)
		return ret;
	for (i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (!strcmp(name, other_names[i].name) &&
		    (!e->variables || adbgd_variables_find(e->variables, name) < 0)) {
			p->type = &types[other_names[i].type];
			return 1;
		}
	}
	e->at = at;
	return 0;
}

/* Take "struct name". Returns 1; 0: no keyword follows; -errno. */
static int take_tagged(struct adbgd_eval *e, struct parsed *p)
{
	char name[ADBGD_EVAL_NAME_SIZE];
	size_t i = 0;
	int ret;

	while (i < ARRAY_SIZE(keywords) && !adbgd_eval_take_word(e, keywords[i].word))
		i++;
	if (i == ARRAY_SIZE(keywords))
		return 0;
	if (!take_qualified(e, name))
		return adbgd_eval_fail(e, "a name is expected");
	ret = e->variables ? adbgd_type_find(e->variables, keywords[i].keyword, name, &p->type,
					     e->error) : -ENOENT;
	if (ret == -ENOENT)
		return adbgd_fail(e->error, ret, "there is no type '%s %.128s'", keywords[i].word,
				  name);
	return ret ? ret : 1;
}

/* Take the type without pointers, with the qualifiers on both sides. Results as those above */
static int take_base(struct adbgd_eval *e, struct parsed *p)
{
	int ret = 0;

	while (take_qualifier(e, p) || take_base_word(e, p))
		;
	if (!p->has_words)
		ret = take_tagged(e, p);
	if (!p->has_words && !ret)
		ret = take_type_name(e, p);
	if (!p->has_words && ret <= 0)
		return ret;
	while (take_qualifier(e, p) || (p->has_words && take_base_word(e, p)))
		;
	if (p->has_words)
		p->type = type_of(p->num_words);
	return p->type ? 1 : adbgd_eval_fail(e, "these words do not make up a type");
}

static int take_array(struct adbgd_eval *e, struct parsed *p)
{
	const struct adbgd_type *type;
	struct adbgd_number n;
	int ret;

	adbgd_eval_skip_space(e);
	if (!adbgd_eval_is_number_next(e))
		return adbgd_eval_fail(e, "a number of elements is expected");
	ret = adbgd_eval_take_number(e, &n);
	if (ret)
		return ret;
	if (n.is_float || !n.bits || !adbgd_eval_take(e, "]"))
		return adbgd_eval_fail(e, "a number of elements and ']' are expected");
	/* Each further dimension is that of the elements. */
	if (adbgd_eval_take(e, "["))
		ret = take_array(e, p);
	if (!ret)
		ret = adbgd_type_array(p->type, n.bits, &type, e->error);
	if (!ret)
		ret = adbgd_term_own_type(e, type);
	if (!ret)
		p->type = type;
	return ret;
}

static int add_pointer(struct adbgd_eval *e, struct parsed *p)
{
	const struct adbgd_type *type;
	int ret = adbgd_type_pointer(p->type, p->has_space ? p->space : ADBGD_SPACE_GLOBAL, &type,
				     e->error);

	if (!ret)
		ret = adbgd_term_own_type(e, type);
	if (!ret)
		p->type = type;
	return ret;
}

int adbgd_eval_take_type(struct adbgd_eval *e, struct adbgd_named_type *named)
{
	const char *begin = e->at;
	struct parsed p = { .type = NULL };
	unsigned int pointers = 0;
	int ret = take_base(e, &p);

	if (ret <= 0) {
		e->at = begin;
		return ret;
	}
	named->is_of_any_space = false;
	while (adbgd_eval_take(e, "*")) {
		if (++pointers > POINTERS_MAX)
			return adbgd_eval_fail(e, "too many pointers to pointers");
		ret = add_pointer(e, &p);
		if (ret < 0)
			return ret;
		named->is_of_any_space = !p.has_space;
		p.has_space = false;
		while (take_qualifier(e, &p))
			;
	}
	if (adbgd_eval_take(e, "[")) {
		named->is_of_any_space = false;
		ret = take_array(e, &p);
		if (ret < 0)
			return ret;
	}
	named->type = p.type;
	return 1;
}

/* --------------------------------------------------------------------------- casts */

static int to_number(struct adbgd_eval *e, const struct adbgd_type *to, struct adbgd_term *t)
{
	bool is_signed = to->flags & ADBGD_TYPE_IS_SIGNED;
	struct adbgd_number n;
	uint64_t bits = 0;
	int ret = adbgd_term_read_number(e, t, &n);

	if (ret)
		return ret;
	if (to->kind == ADBGD_TYPE_FLOAT)
		/* As IEEE 754 has it, what is too large becomes infinity. */
		(void)adbgd_convert_to_float(adbgd_number_as_float(&n, to->size), to->size, &bits);
	else if (to->kind == ADBGD_TYPE_BOOL)
		bits = adbgd_number_is_true(&n);
	else if (!n.is_float)
		bits = adbgd_number_integer(&n);
	else if (!adbgd_convert_truncate(n.value, 8 * to->size, is_signed, &bits))
		return adbgd_fail(e->error, -EOVERFLOW, "%g cannot be converted to %.200s, which "
				  "has %llu bits", n.value, to->name,
				  (unsigned long long)(8 * to->size));
	return adbgd_term_bytes(e, to, &bits, t);
}

static const char *memory_of(uint32_t space)
{
	return space == ADBGD_SPACE_LOCAL ? "LDS" : space == ADBGD_SPACE_PRIVATE ?
	       "private memory" : space == ADBGD_SPACE_GLOBAL ? "the process's memory" :
	       "other memory";
}

static int to_pointer(struct adbgd_eval *e, const struct adbgd_named_type *named,
		      struct adbgd_term *t)
{
	const struct adbgd_type *to = named->type, *from;
	struct adbgd_number n;
	int ret = adbgd_term_decay(e, t);

	if (!ret)
		ret = adbgd_term_read_number(e, t, &n);
	if (ret)
		return ret;
	from = t->type;
	if (n.is_float)
		return adbgd_fail(e->error, -EINVAL, "a float cannot be converted to %.200s",
				  to->name);
	if (from->kind == ADBGD_TYPE_POINTER && from->space != to->space) {
		if (!named->is_of_any_space)
			return adbgd_fail(e->error, -EINVAL, "a pointer to %s cannot be converted "
					  "to one to %s", memory_of(from->space),
					  memory_of(to->space));
		ret = adbgd_type_pointer(to->target, from->space, &to, e->error);
		if (!ret)
			ret = adbgd_term_own_type(e, to);
		if (ret)
			return ret;
	}
	if (to->size == 4 && n.bits > UINT32_MAX && !(n.is_signed && (int64_t)n.bits < 0))
		return adbgd_fail(e->error, -EOVERFLOW, "0x%llx is not an address in %s",
				  (unsigned long long)n.bits, memory_of(to->space));
	n.bits = adbgd_number_integer(&n);
	return adbgd_term_bytes(e, to, &n.bits, t);
}

static bool is_same(const struct adbgd_type *a, const struct adbgd_type *b)
{
	return a == b || (a->kind == b->kind && a->size == b->size && !strcmp(a->name, b->name));
}

int adbgd_eval_cast(struct adbgd_eval *e, const struct adbgd_named_type *to,
		    struct adbgd_term *t)
{
	int ret;

	if (e->skipped)
		return adbgd_term_nothing(e, t);
	switch (to->type->kind) {
	case ADBGD_TYPE_BOOL:
	case ADBGD_TYPE_SIGNED:
	case ADBGD_TYPE_UNSIGNED:
	case ADBGD_TYPE_CHAR:
	case ADBGD_TYPE_FLOAT:
	case ADBGD_TYPE_ENUM:
		if (!to->type->size || to->type->size > 8)
			break;
		ret = adbgd_term_decay(e, t);
		return ret ? ret : to_number(e, to->type, t);
	case ADBGD_TYPE_POINTER:
		return to_pointer(e, to, t);
	default:
		break;
	}
	if (!is_same(to->type, t->type))
		return adbgd_fail(e->error, -EINVAL, "a value of type %.200s cannot be converted "
				  "to %.200s", t->type->name, to->type->name);
	return 0;
}

/* ------------------------------------------------------------- names in expressions */

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(text, word, length);
}

/* Does another name follow, after blanks? */
static bool precedes_name(const char *text)
{
	while (*text == ' ')
		text++;
	return adbgd_eval_is_in_name(*text);
}

/* Is a name a keyword, which no variable can have, or does it say where a pointer points to? */
static bool is_keyword(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < NUM_WORDS; i++) {
		if (is_word(text, length, words[i]))
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		if (is_word(text, length, qualifiers[i]))
			return true;
	}
	for (i = 0; length > 2 && i < ARRAY_SIZE(spaces); i++) {
		if (!memcmp(text, "__", 2) && is_word(text + 2, length - 2, spaces[i].word))
			return true;
		if (is_word(text, length, spaces[i].word) && precedes_name(text + length))
			return true;
	}
	return is_word(text, length, "sizeof");
}

ADBGD_API bool adbgd_expression_names_variable(const char *expression)
{
	const char *at = expression;
	char before = 0;
	size_t length;

	while (*at) {
		length = adbgd_eval_quoted_length(at);
		if (length) {
			before = at[length - 1];
			at += length;
			continue;
		}
		for (length = 0; adbgd_eval_is_in_name(at[length]); length++)
			;
		/* After a dot there is a member. */
		if (length && before != '$' && before != '.' && (*at < '0' || *at > '9') &&
		    !is_keyword(at, length))
			return true;
		length += !length;
		if (at[length - 1] != ' ')
			before = at[length - 1];
		at += length;
	}
	return false;
}
