/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading of files in the real sysfs, whoever the calling task is.
 */
#ifndef WDBG_SYSFS_H
#define WDBG_SYSFS_H

#include <linux/types.h>

void *wdbg_sysfs_read(const char *path, size_t max, size_t *size);

#endif /* WDBG_SYSFS_H */
