/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names after $ in expressions: registers and pseudo variables.
 */
#ifndef ADBGD_EVAL_NAME_H
#define ADBGD_EVAL_NAME_H

#include "internal.h"

/**
 * struct adbgd_name - what a name stands for
 * @space: for adbgd_context.read_register(); ADBGD_NAME_LANE: the lane of the context
 * @number: of the first 32-bit word
 * @size: of the value in bytes: 4, or 8 for two words, the lower one first
 */
struct adbgd_name {
	uint32_t space;
	uint32_t number;
	uint32_t size;
};

#define ADBGD_NAME_LANE		UINT32_MAX

/**
 * adbgd_name_find() - find what a name stands for
 * @text: the name, without the $
 * @lanes: lanes of the wave, 32 or 64
 *
 * Return: 0; -EINVAL: the name is unknown, and @error lists the known ones.
 */
int adbgd_name_find(const char *text, uint32_t lanes, struct adbgd_name *name,
		    struct adbgd_error *error);

#endif /* ADBGD_EVAL_NAME_H */
