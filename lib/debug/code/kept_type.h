/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies of types that do not need the code object any more, for values that the user keeps.
 */
#ifndef ADBGD_KEPT_TYPE_H
#define ADBGD_KEPT_TYPE_H

#include <stdbool.h>

#include "internal.h"

/**
 * adbgd_type_keep() - copy a type, with the types that it needs
 * @kept: set to the copy, which has one user, the caller
 * @size: increased by the bytes of memory that the copy takes
 *
 * Types to which pointers point are copied too, up to a limit. Beyond it, the pointers have no
 * target.
 *
 * Return: 0; -ENOMEM; -E2BIG: the types of members and elements exceed the limit.
 */
int adbgd_type_keep(const struct adbgd_type *type, const struct adbgd_type **kept, uint64_t *size,
		    struct adbgd_error *error);

/** adbgd_type_is_kept() - test if a type is such a copy, or a part of one */
bool adbgd_type_is_kept(const struct adbgd_type *type);

/** adbgd_type_kept_hold() - count another user of a copy */
void adbgd_type_kept_hold(const struct adbgd_type *type);

/** adbgd_type_kept_release() - undo adbgd_type_kept_hold(), free the copy without users */
void adbgd_type_kept_release(const struct adbgd_type *type);

#endif /* ADBGD_KEPT_TYPE_H */
