/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where files of split debug information may be: in the folders that the user has named.
 */
#ifndef ADBGD_DEBUG_PATH_H
#define ADBGD_DEBUG_PATH_H

#include <stdbool.h>

#include "internal.h"

/* Folders and files that the user has named */
struct adbgd_debug_paths {
	char **all;
	unsigned int num;
};

/** adbgd_debug_paths_add() - see adbgd_code_add_debug_path() */
int adbgd_debug_paths_add(struct adbgd_debug_paths *paths, const char *path,
			  struct adbgd_error *error);

void adbgd_debug_paths_free(struct adbgd_debug_paths *paths);

/* What is searched */
struct adbgd_debug_search {
	const struct adbgd_debug_paths *paths;
	const char *name;	/* of the .dwo, by the target */
	const char *file;	/* of the code object; NULL: the user has not named it */
};

/**
 * adbgd_debug_path_open() - open a place where a .dwo or .dwp file may be
 * @index: which place, from 0
 * @path: set to the name of the file, for messages; of PATH_MAX bytes
 *
 * Return: a descriptor for reading, or:
 * -ERANGE: there are no more places;
 * -ENOENT: there is no such file;
 * any other error of adbgd_file_open().
 */
int adbgd_debug_path_open(const struct adbgd_debug_search *search, size_t index, char *path);

#endif /* ADBGD_DEBUG_PATH_H */
