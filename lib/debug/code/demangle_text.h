/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the reader of C++ names (demangle.c) consists of: bounded memory for texts, numbers, and
 * the tables of types and operators.
 */
#ifndef ADBGD_DEMANGLE_TEXT_H
#define ADBGD_DEMANGLE_TEXT_H

#include <setjmp.h>
#include <stdbool.h>

#include "internal.h"

/* Bytes of memory for one name, also for what it repeats; and how deep its parts are nested */
#define ADBGD_DEMANGLE_MEMORY	(1U << 20)
/* Bytes of its text: a table may have the same name in each row. Those of compilers have less. */
#define ADBGD_DEMANGLE_TEXT	(1U << 16)
#define ADBGD_DEMANGLE_DEPTH	128
#define ADBGD_DEMANGLE_SUBS	4096

/* A type as text: what is written before and after the name that it declares */
struct adbgd_name_piece {
	const char *left;
	const char *right;
	enum {
		ADBGD_NAME_PIECE_PLAIN,
		ADBGD_NAME_PIECE_FUNCTION,
		ADBGD_NAME_PIECE_ARRAY,
	} kind;
};

/* Arguments of a template; a pack is an argument that is a list itself. */
struct adbgd_template_args {
	struct adbgd_template_arg {
		struct adbgd_name_piece piece;
		const struct adbgd_template_args *pack;	/* NULL: not a pack */
	} *args;
	size_t num;
};

/* A name with its scopes */
struct adbgd_scoped {
	const char *text;
	size_t args;		/* offset of its last template arguments; its length if none */
	const char *last;	/* the last part, which constructors repeat */
	const char *qualifiers;	/* of a member function, such as " const" */
	bool is_template;	/* it ends with template arguments */
	bool has_no_return;	/* its type has no return type: constructors and conversions */
};

struct adbgd_demangle;

/* What S_ can refer to */
struct adbgd_name_sub {
	struct adbgd_name_piece piece;
	const char *begin;	/* where it is written; NULL: it contains no T_ */
	size_t num_subs;	/* number of those before it */
	const struct adbgd_template_args *args;	/* what T_ refers to in @piece */
};

/* What expressions consist of: see the functions of these names in demangle.c */
struct adbgd_demangle_ops {
	const char *(*type)(struct adbgd_demangle *d);
	const char *(*param)(struct adbgd_demangle *d);
	const char *(*encoding)(struct adbgd_demangle *d);
	const char *(*unqualified)(struct adbgd_demangle *d, bool *is_conversion);
	const char *(*args)(struct adbgd_demangle *d, const char *name);
};

struct adbgd_demangle {
	const struct adbgd_demangle_ops *read;
	const char *at;
	const char *end;
	char *memory;
	size_t used;
	uint64_t num_pieces;		/* of memory that were used */
	unsigned int depth;
	struct adbgd_name_sub *subs;
	size_t num_subs;
	size_t num_params;		/* number of T_ that were read */
	const struct adbgd_template_args *args;	/* what T_ refers to */
	size_t pack_index;		/* of the element of packs; SIZE_MAX: the whole pack */
	size_t pack_size;		/* of the pack that was last expanded; SIZE_MAX: none */
	bool in_lambda;			/* T_ is one of its parameters of type auto */
	jmp_buf failed;
};

/* Shorter names, because each production needs them many times */
#define text_of(...)	adbgd_demangle_text(__VA_ARGS__)
#define peek(d)		adbgd_demangle_peek(d)
#define peek_next(d)	adbgd_demangle_peek_next(d)
#define skip(d, text)	adbgd_demangle_skip(d, text)

/** adbgd_demangle_begin() - begin to read a name; false: no memory */
bool adbgd_demangle_begin(struct adbgd_demangle *d, const char *name);
void adbgd_demangle_end(struct adbgd_demangle *d);

/* Return to the setjmp() of d->failed: the name is invalid, not supported, or too long. */
_Noreturn void adbgd_demangle_fail(struct adbgd_demangle *d);

/* Print text into the memory of @d. */
const char *adbgd_demangle_text(struct adbgd_demangle *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Allocate memory of @d. */
void *adbgd_demangle_alloc(struct adbgd_demangle *d, size_t size);

/* The next character, and the one after it; 0 at the end */
char adbgd_demangle_peek(const struct adbgd_demangle *d);
char adbgd_demangle_peek_next(const struct adbgd_demangle *d);

/* Skip @text if it is next. */
bool adbgd_demangle_skip(struct adbgd_demangle *d, const char *text);

/* Skip so many characters; the name is invalid if there are fewer. */
void adbgd_demangle_advance(struct adbgd_demangle *d, size_t length);

/* Skip @text, which must be next. */
void adbgd_demangle_need(struct adbgd_demangle *d, const char *text);

/* Read a decimal number. */
size_t adbgd_demangle_number(struct adbgd_demangle *d);

/* Read what is between S or T and the underscore: nothing is 0, otherwise the number plus 1. */
size_t adbgd_demangle_index(struct adbgd_demangle *d, unsigned int base);

/* Remember what S_ can refer to. @sub: only its piece is set, if it contains no T_ */
void adbgd_demangle_remember(struct adbgd_demangle *d, struct adbgd_name_sub sub);

/* Append an element to a list; an empty pack is none. */
const char *adbgd_demangle_joined(struct adbgd_demangle *d, const char *list,
				  const char *element);

/* Read r, V and K. Return: a text such as " const". */
const char *adbgd_demangle_qualifiers(struct adbgd_demangle *d);

/* Read the number of characters, and as many characters. */
const char *adbgd_demangle_source_name(struct adbgd_demangle *d);

/* Read a builtin type; NULL: another type is next. */
const char *adbgd_demangle_builtin(struct adbgd_demangle *d);

/* Read an operator; NULL: none is next. @arity: set to the number of its operands */
const char *adbgd_demangle_operator(struct adbgd_demangle *d, unsigned int *arity);

#endif /* ADBGD_DEMANGLE_TEXT_H */
