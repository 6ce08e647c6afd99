/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening files whose names may come from a target: only regular files are ever opened.
 */
#ifndef ADBGD_FILE_H
#define ADBGD_FILE_H

#include "internal.h"

/*
 * Each of these functions returns a descriptor for reading, or:
 * -ENOENT: there is no such file;
 * -EISDIR: it is a directory;
 * -ENODEV: it is not a regular file;
 * -EACCES: no permission, or it is a file of the kernel (/proc, /sys);
 * any other error of openat2(2).
 */

/** adbgd_file_open() - open a file that the user has named, with the caller's rights */
int adbgd_file_open(const char *path);

/**
 * adbgd_file_open_below() - open a file that a target has named, below a directory of the user
 * @folder: descriptor of the directory, which may be opened with O_PATH
 * @path: relative to it; -ENOENT also if it leads out of it, by ".." or by a symbolic link
 */
int adbgd_file_open_below(int folder, const char *path);

/**
 * adbgd_file_open_as() - open a file that a target has named, in any directory
 * @owner: the target's user, with whose rights the file is opened
 *
 * Return: also -EPERM: the caller cannot take these rights.
 */
int adbgd_file_open_as(const char *path, const struct adbgd_owner *owner);

/** adbgd_file_error() - get the message for an error of these functions */
const char *adbgd_file_error(int error);

#endif /* ADBGD_FILE_H */
