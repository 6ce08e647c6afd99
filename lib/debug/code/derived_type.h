/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types that expressions make of other types: pointers and arrays. Each value holds its type.
 */
#ifndef ADBGD_DERIVED_TYPE_H
#define ADBGD_DERIVED_TYPE_H

#include <stdbool.h>

#include "internal.h"

/** adbgd_type_is_derived() - test if an expression has made a type */
bool adbgd_type_is_derived(const struct adbgd_type *type);

/**
 * adbgd_type_hold() - count another user of a type
 *
 * Users of types that the debug information describes are not counted.
 *
 * Return: @type.
 */
const struct adbgd_type *adbgd_type_hold(const struct adbgd_type *type);

/** adbgd_type_release() - undo adbgd_type_hold(), and free the type if it has no other user */
void adbgd_type_release(const struct adbgd_type *type);

/**
 * adbgd_type_pointer() - make the type of pointers to a type
 * @space: the memory to which they point, see &enum adbgd_space
 * @type: set to the type, which has one user, the caller
 *
 * Return: 0 or -ENOMEM.
 */
int adbgd_type_pointer(const struct adbgd_type *target, uint32_t space,
		       const struct adbgd_type **type, struct adbgd_error *error);

/**
 * adbgd_type_array() - make the type of arrays of @count elements
 * @type: as of adbgd_type_pointer()
 *
 * Return: 0; -ENOMEM; -EINVAL: the size of an element is not known; -E2BIG: the array has more than
 * 2^64 bytes.
 */
int adbgd_type_array(const struct adbgd_type *element, uint64_t count,
		     const struct adbgd_type **type, struct adbgd_error *error);

#endif /* ADBGD_DERIVED_TYPE_H */
