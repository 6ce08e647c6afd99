/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types by their names. This header does not need libdw.
 */
#ifndef ADBGD_TYPE_FIND_H
#define ADBGD_TYPE_FIND_H

#include "internal.h"

/* What a type is declared with in the source */
enum adbgd_type_keyword {
	ADBGD_KEYWORD_NONE,	/* its name alone: a typedef, a base type, or any type of C++ */
	ADBGD_KEYWORD_STRUCT,	/* struct or class */
	ADBGD_KEYWORD_UNION,
	ADBGD_KEYWORD_ENUM,
};

/**
 * adbgd_type_find() - find a type in the debug information by its name
 * @variables: of the place where it is named; types of the same unit are found first
 * @name: may be qualified, such as "a::b"
 * @type: set to the type, owned by the code object
 *
 * Return: 0, or
 * -ENOENT: there is none;
 * -E2BIG, -EINTR: see &struct adbgd_budget;
 * -EBADMSG: the debug information is damaged.
 */
int adbgd_type_find(struct adbgd_variables *variables, enum adbgd_type_keyword keyword,
		    const char *name, const struct adbgd_type **type, struct adbgd_error *error);

#endif /* ADBGD_TYPE_FIND_H */
