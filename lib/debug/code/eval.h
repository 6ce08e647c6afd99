/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parser of expressions.
 */
#ifndef ADBGD_EVAL_H
#define ADBGD_EVAL_H

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
	unsigned int depth;
	unsigned int skipped;		/* not 0: the result of the current operand is not used */
	bool is_passed;			/* see adbgd_value_is_passed() */
	struct adbgd_error *error;
};

/** adbgd_eval_fail() - fail with a message that ends with the text that is left */
int adbgd_eval_fail(struct adbgd_eval *e, const char *what);

/** adbgd_eval_take() - skip a token; false: another one follows */
bool adbgd_eval_take(struct adbgd_eval *e, const char *token);

/** adbgd_eval_unary() - evaluate an expression without binary operators */
int adbgd_eval_unary(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_eval_whole() - evaluate the text that is left */
int adbgd_eval_whole(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_eval_load() - read a term from memory, if it was not read yet */
int adbgd_eval_load(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_eval_number() - get the number in a term */
int adbgd_eval_number(struct adbgd_eval *e, struct adbgd_term *t, struct adbgd_number *n);

/** adbgd_eval_free() - free what an evaluation has created */
void adbgd_eval_free(struct adbgd_eval *e);

#endif /* ADBGD_EVAL_H */
