/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of a .dwp file: where the parts of a unit are.
 */
#ifndef ADBGD_SPLIT_INDEX_H
#define ADBGD_SPLIT_INDEX_H

#include "split_file.h"

/**
 * adbgd_split_index_find() - find the parts of a unit
 * @id: of the unit
 * @sections: those of @file; set to the parts of them that belong to the unit
 * @version: set to the version of the index: 2, or 5 for DWARF 5
 *
 * Return: 0; -ENOENT there is no such unit; -EBADMSG, -E2BIG, -EINTR.
 */
int adbgd_split_index_find(struct adbgd_code *code, const struct adbgd_split_file *file,
			   uint64_t id, struct adbgd_section *sections, unsigned int *version,
			   struct adbgd_error *error);

#endif /* ADBGD_SPLIT_INDEX_H */
