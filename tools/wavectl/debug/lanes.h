/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Masks of a wave's lanes, as text.
 */
#ifndef WAVECTL_LANES_H
#define WAVECTL_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define LANES_MAX 64

/* Append the lanes to a text of xappend() as "0-2,5", or with @always_ranges as "0-2,5-5". */
void lanes_append(char **text, uint64_t lanes, bool always_ranges);

#endif /* WAVECTL_LANES_H */
