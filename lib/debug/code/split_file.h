/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files with the debug information of split units: .dwo files of one unit, and .dwp files of all
 * units of a program. Their content is not trusted.
 */
#ifndef ADBGD_SPLIT_FILE_H
#define ADBGD_SPLIT_FILE_H

#include "code_object.h"

/* Sections of such a file, in the order of their names in split_file.c */
enum adbgd_split_section {
	ADBGD_SPLIT_INFO, ADBGD_SPLIT_TYPES, ADBGD_SPLIT_ABBREV, ADBGD_SPLIT_STR,
	ADBGD_SPLIT_STR_OFFSETS, ADBGD_SPLIT_LOC, ADBGD_SPLIT_LOCLISTS, ADBGD_SPLIT_RNGLISTS,
	ADBGD_SPLIT_INDEX,	/* of the units; only a .dwp file has it */
	ADBGD_SPLIT_NUM,
};

struct adbgd_split_file {
	char *path;
	uint8_t *bytes;
	size_t size;
	struct adbgd_section sections[ADBGD_SPLIT_NUM];
	uint8_t *inflated[ADBGD_SPLIT_NUM];	/* sections that were compressed */
	uint64_t charged;
};

/**
 * adbgd_split_file_read() - read a file, charged to the budget of a code object
 * @fd: the file, of which nothing was read yet
 * @path: its name, for messages
 * @file: filled; free it with adbgd_split_file_free(), also if this fails
 *
 * Return: 0; -ENOEXEC it is no such file; -EBADMSG, -EOPNOTSUPP, -E2BIG, -EINTR, -ENOMEM.
 */
int adbgd_split_file_read(struct adbgd_code *code, int fd, const char *path,
			  struct adbgd_split_file *file, struct adbgd_error *error);

void adbgd_split_file_free(struct adbgd_code *code, struct adbgd_split_file *file);

/**
 * adbgd_split_file_image() - make a .dwo file of one unit
 * @id: of the unit; in a .dwo file, which has no index, all units are taken
 * @image: set to an ELF file, which the caller frees. Its sections are those of @file, without
 *	".dwo" in their names.
 *
 * Return: 0; -ENOENT a .dwp file has no such unit; -EBADMSG, -E2BIG, -EINTR, -ENOMEM.
 */
int adbgd_split_file_image(struct adbgd_code *code, const struct adbgd_split_file *file,
			   uint64_t id, uint8_t **image, size_t *size,
			   struct adbgd_error *error);

#endif /* ADBGD_SPLIT_FILE_H */
