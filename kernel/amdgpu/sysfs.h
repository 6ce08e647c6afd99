/* SPDX-License-Identifier: GPL-2.0-only */
/* Read files in the real sysfs, for any calling task. */
#ifndef WDBG_SYSFS_H
#define WDBG_SYSFS_H

#include <linux/types.h>

void *wdbg_sysfs_read(const char *path, size_t max, size_t *size);

#endif /* WDBG_SYSFS_H */
