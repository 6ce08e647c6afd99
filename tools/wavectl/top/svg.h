/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes maps and the hottest PCs as a picture, SVG 1.1. Text from outside cannot end an element or
 * an attribute. No function here accesses a GPU.
 */
#ifndef WAVECTL_TOP_SVG_H
#define WAVECTL_TOP_SVG_H

#include <stdio.h>

#include "top/hot.h"
#include "top/map.h"

struct svg_gpu {
	const char *title;
	const struct map *map;
	uint32_t number;
};

/* PCs in the picture */
#define SVG_HOT_MAX	20

/* Write the picture. Errors are those of @f. */
void svg_write(FILE *f, const struct svg_gpu *gpus, size_t num_gpus, const struct hot *hot);

#endif /* WAVECTL_TOP_SVG_H */
