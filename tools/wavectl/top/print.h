/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the last sample: the maps, and the hottest PCs.
 */
#ifndef WAVECTL_TOP_PRINT_H
#define WAVECTL_TOP_PRINT_H

#include "top/sample.h"

/* PCs in the printed list */
#define PRINT_HOT_MAX	32

/* Add everything to the document that was begun. */
void top_print(struct top *t);

#endif /* WAVECTL_TOP_PRINT_H */
