/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The structure of a value.
 */
#ifndef ADBGD_VALUE_H
#define ADBGD_VALUE_H

#include <stdbool.h>

#include "internal.h"

struct adbgd_value {
	const struct adbgd_type *type;
	uint8_t *known;		/* for each byte: was it read? */
	bool is_passed;		/* see adbgd_value_is_passed() */
	bool has_address;	/* it was read from @address of @space */
	uint32_t space;
	uint64_t address;
	uint8_t bytes[];
};

/** adbgd_value_alloc() - create a value of a type, without content */
int adbgd_value_alloc(const struct adbgd_type *type, struct adbgd_value **value,
		      struct adbgd_error *error);

#endif /* ADBGD_VALUE_H */
