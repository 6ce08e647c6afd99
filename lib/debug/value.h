/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The object of a value.
 */
#ifndef ADBGD_VALUE_H
#define ADBGD_VALUE_H

#include "internal.h"

struct adbgd_value {
	const struct adbgd_type *type;
	uint8_t *known;		/* one for each byte: is it known? */
	uint8_t bytes[];
};

#endif /* ADBGD_VALUE_H */
