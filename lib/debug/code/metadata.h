/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The metadata of an HSA code object: a note with the arguments of each kernel (LLVM 19,
 * AMDGPUUsage, "Code Object V3 Metadata" and later versions).
 */
#ifndef ADBGD_METADATA_H
#define ADBGD_METADATA_H

#include "code_object.h"

/* Bytes of the notes of a loaded code object that are copied; of a file they are not copied. */
#define ADBGD_NOTES_COPY_MAX	(16U << 20)

/**
 * adbgd_metadata_find() - find the notes of a code object, without reading their content
 *
 * If there are none, or they cannot be read, the code object can be used without them.
 *
 * Return: 0; -EINTR interrupted; -ENOMEM.
 */
int adbgd_metadata_find(struct adbgd_code *code, const struct adbgd_elf *elf,
			struct adbgd_error *error);

void adbgd_metadata_free(struct adbgd_code *code);

#endif /* ADBGD_METADATA_H */
