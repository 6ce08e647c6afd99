/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sections that are compressed with zstd, which libelf reads only since version 0.189.
 */
#ifndef ADBGD_UNPACK_H
#define ADBGD_UNPACK_H

#include "code_object.h"

/**
 * adbgd_unpack() - make a copy of a file in which sections of debug information are decompressed
 * @image: set to the copy, which the caller frees; NULL: no section is compressed with zstd, or
 *	libzstd is not installed
 *
 * The sizes of the sections must have been checked, see adbgd_dwarf_check_sizes().
 *
 * Return: 0; -EBADMSG, -E2BIG, -EINTR or -ENOMEM.
 */
int adbgd_unpack(struct adbgd_code *code, uint8_t **image, size_t *size,
		 struct adbgd_error *error);

#endif /* ADBGD_UNPACK_H */
