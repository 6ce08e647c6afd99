/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source files that are not read from a file.
 */
#ifndef ADBGD_SOURCE_H
#define ADBGD_SOURCE_H

#include "internal.h"

/** adbgd_source_new() - create a source file from a copy of its text; 0, -E2BIG or -ENOMEM */
int adbgd_source_new(const char *path, const char *text, struct adbgd_source **source,
		     struct adbgd_error *error);

#endif /* ADBGD_SOURCE_H */
