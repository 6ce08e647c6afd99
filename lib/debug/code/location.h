/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text that is put together piece by piece; words for places.
 */
#ifndef ADBGD_LOCATION_H
#define ADBGD_LOCATION_H

#include "internal.h"

struct adbgd_text {
	char *text;
	size_t size;		/* of the buffer */
	size_t length;		/* of the text, which may be longer */
};

void adbgd_text_add(struct adbgd_text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** adbgd_space_name() - what stands before an address in a space: "local#" */
const char *adbgd_space_name(uint32_t space);

#endif /* ADBGD_LOCATION_H */
