/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Composing text, and names of address spaces.
 */
#ifndef ADBGD_LOCATION_H
#define ADBGD_LOCATION_H

#include "internal.h"

struct adbgd_text {
	char *text;
	size_t size;		/* size of the buffer */
	size_t length;		/* length of the text, which may exceed the buffer */
};

void adbgd_text_add(struct adbgd_text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** adbgd_space_name() - get the prefix of addresses in a space, such as "local#" */
const char *adbgd_space_name(uint32_t space);

#endif /* ADBGD_LOCATION_H */
