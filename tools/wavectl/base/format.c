// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The format after a slash: see format.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/util.h"

/* Take the digits of the count. Returns false if they are not a number from 1. */
static bool take_count(const char **text, struct format *format)
{
	size_t digits = strspn(*text, "0123456789");
	char *copy;
	bool good;

	if (!digits)
		return true;
	copy = xstrdup(*text);
	copy[digits] = '\0';
	/* A leading 0 is not an octal number here. */
	good = parse_u64(copy + strspn(copy, "0"), UINT32_MAX, &format->count) && format->count;
	free(copy);
	*text += digits;
	return good;
}

int format_take(struct wavectl *w, const char *letters, struct format *format)
{
	const char *text = w->slash;

	*format = (struct format){ 0 };
	if (!text)
		return WAVECTL_OK;
	if (!take_count(&text, format))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "/%s: the count is a number from 1", w->slash);
	for (; *text; text++) {
		if (strchr("bhwg", *text))
			format->size = *text;
		else if (strchr(letters, *text))
			format->letter = *text;
		else
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "/%s: '%c' is not one of the formats %s", w->slash,
					 *text, letters);
	}
	return WAVECTL_OK;
}
