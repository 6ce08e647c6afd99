// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory references: see memory.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "dap/memory.h"

char *memory_reference(const struct address *address, uint32_t thread, uint32_t lane,
		       char text[MEMORY_REFERENCE_MAX])
{
	char at[ADDRESS_TEXT_MAX];

	address_text(address, at);
	if (address->space == ADBGD_SPACE_GLOBAL)
		snprintf(text, MEMORY_REFERENCE_MAX, "%s", at);
	else if (address->space == ADBGD_SPACE_LOCAL)
		snprintf(text, MEMORY_REFERENCE_MAX, "%s@%u", at, thread);
	else
		snprintf(text, MEMORY_REFERENCE_MAX, "%s@%u.%u", at, thread, lane);
	return text;
}

/* Parse "7" or "7.3" after the address. */
static bool parse_wave(char *text, struct reference *reference)
{
	char *dot = strchr(text, '.');
	uint64_t thread, lane = 0;

	if (dot)
		*dot = '\0';
	if (!parse_u64(text, INT32_MAX, &thread) || !thread ||
	    (dot && !parse_u64(dot + 1, 63, &lane)))
		return false;
	reference->thread = (uint32_t)thread;
	reference->lane = (uint32_t)lane;
	return dot || reference->address.space == ADBGD_SPACE_LOCAL;
}

bool memory_parse(const char *text, struct reference *reference)
{
	char *copy = xstrdup(text), *at = strchr(copy, '@');
	bool good;

	*reference = (struct reference){ .address.space = ADBGD_SPACE_GLOBAL };
	if (at) {
		*at = '\0';
		good = address_parse(copy, &reference->address) && parse_wave(at + 1, reference);
	} else {
		good = parse_u64(copy, UINT64_MAX, &reference->address.va);
	}
	free(copy);
	return good;
}
