/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The terms of expressions: values, and what is stored in memory or registers.
 */
#ifndef ADBGD_EVAL_TERM_H
#define ADBGD_EVAL_TERM_H

#include <stdbool.h>

#include "eval_name.h"
#include "number.h"

/* Where a term is stored, so that it can be changed */
enum adbgd_stored {
	ADBGD_STORED_NOWHERE,	/* it was computed */
	ADBGD_STORED_MEMORY,	/* at @address of @space */
	ADBGD_STORED_PIECES,	/* from byte @offset of @location on */
	ADBGD_STORED_REGISTER,	/* in what @name stands for */
};

struct adbgd_storage {
	enum adbgd_stored kind;
	uint32_t space;
	uint64_t address;
	const struct adbgd_location *location;	/* owned by the evaluation */
	uint64_t offset;
	struct adbgd_name name;
	/* Of a bit field: its type, its bits from @address or @offset on, and their bytes */
	const struct adbgd_type *type;
	uint32_t bit_offset, bit_size;		/* 0: it is not a bit field */
	uint64_t bytes;
	bool is_kept;		/* it was, when the user has kept it: it cannot be changed */
};

struct adbgd_term {
	const struct adbgd_type *type;
	struct adbgd_value *value;	/* NULL: the term is in memory, and was not read yet */
	uint64_t offset;		/* offset in the value */
	struct adbgd_storage at;
};

struct adbgd_eval {
	struct adbgd_variables *variables;
	const struct adbgd_context *context;
	const char *text, *at;
	struct adbgd_value **values;	/* all values that were created */
	size_t num_values, room;
	struct adbgd_location **locations;	/* and all locations */
	size_t num_locations, locations_room;
	const struct adbgd_type **types;	/* and all types */
	size_t num_types, types_room;
	unsigned int depth;
	unsigned int skipped;		/* not 0: the result of the current operand is not used */
	unsigned int unread;		/* not 0: only its type is used, nothing is read */
	bool is_check;			/* it is tested whether the expression is valid */
	bool is_passed;			/* see adbgd_value_is_passed() */
	struct adbgd_error *error;
};

/** adbgd_term_value() - make a term of a value, which the evaluation then owns */
int adbgd_term_value(struct adbgd_eval *e, struct adbgd_value *value, struct adbgd_term *t);

/** adbgd_term_bytes() - make a term of a type and its bytes */
int adbgd_term_bytes(struct adbgd_eval *e, const struct adbgd_type *type, const void *bytes,
		     struct adbgd_term *t);

/** adbgd_term_number() - make a term of a number */
int adbgd_term_number(struct adbgd_eval *e, const struct adbgd_number *n, struct adbgd_term *t);

/** adbgd_term_nothing() - make a term that stands for an operand that is skipped */
int adbgd_term_nothing(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_term_load() - read a term from memory, if it was not read yet */
int adbgd_term_load(struct adbgd_eval *e, struct adbgd_term *t);

/**
 * adbgd_term_read_number() - get the number in a term
 *
 * Fails if its type is not that of a number, or if it was optimized out.
 */
int adbgd_term_read_number(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_number *n);

/**
 * adbgd_term_follow() - make a pointer what it points to
 * @elements: so many elements beyond; negative numbers are passed modulo 2^64
 */
int adbgd_term_follow(struct adbgd_eval *e, struct adbgd_term *t, uint64_t elements);

/** adbgd_term_element() - make a pointer, an array or a vector its element @i */
int adbgd_term_element(struct adbgd_eval *e, struct adbgd_term *t, int64_t i);

/**
 * adbgd_type_has_member() - test if a structure or one of its base classes has a member
 *
 * The members of a member without a name, such as a base class or an anonymous union, count.
 */
bool adbgd_type_has_member(const struct adbgd_type *type, const char *name);

/** adbgd_term_member() - make a structure its member, which a base class may have */
int adbgd_term_member(struct adbgd_eval *e, struct adbgd_term *t, const char *name);

/** adbgd_term_address() - make a term in memory the pointer to it */
int adbgd_term_address(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_term_decay() - make an array in memory the pointer to its first element; others stay */
int adbgd_term_decay(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_term_repeat() - make a term in memory an array of @count elements that begins there */
int adbgd_term_repeat(struct adbgd_eval *e, struct adbgd_term *t, const struct adbgd_number *count);

/** adbgd_term_own_type() - let the evaluation own a type of which it is a user */
int adbgd_term_own_type(struct adbgd_eval *e, const struct adbgd_type *type);

#endif /* ADBGD_EVAL_TERM_H */
