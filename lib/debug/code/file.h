/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening files whose names may come from a target: only regular files are ever opened.
 */
#ifndef ADBGD_FILE_H
#define ADBGD_FILE_H

#include "internal.h"

/* All of these give a descriptor for reading, or:
 *
 * -ENOENT there is none, -EISDIR it is a directory, -ENODEV not a regular file, -EACCES also if
 * it is one of the kernel's own (/proc, /sys); what openat2(2) gives.
 */

/** adbgd_file_open() - a file that the user has named, with the caller's rights */
int adbgd_file_open(const char *path);

/**
 * adbgd_file_open_below() - a file that a target has named, below a folder that the user has named
 * @folder: a descriptor of it, which may be of O_PATH
 * @path: relative to it; -ENOENT also if it leads out of it, by ".." or by a symbolic link
 */
int adbgd_file_open_below(int folder, const char *path);

/**
 * adbgd_file_open_as() - a file that a target has named, anywhere
 * @owner: the target's user, with whose rights it is opened; -EPERM the caller cannot take them
 */
int adbgd_file_open_as(const char *path, const struct adbgd_owner *owner);

/** adbgd_file_error() - what such an error means, as the end of a sentence about the file */
const char *adbgd_file_error(int error);

#endif /* ADBGD_FILE_H */
