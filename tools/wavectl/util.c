// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that does not fail and numbers that are checked.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"
#include "wavectl.h"

static void *checked(void *p)
{
	if (!p) {
		fputs("wavectl: out of memory\n", stderr);
		exit(WAVECTL_FAILED);
	}

	return p;
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count, size));
}

void *xreallocarray(void *p, size_t count, size_t size)
{
	return checked(reallocarray(p, count, size));
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

void xappend(char **text, const char *format, ...)
{
	size_t old = *text ? strlen(*text) : 0;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);

	*text = xreallocarray(*text, old + n + 1, 1);
	va_start(args, format);
	vsnprintf(*text + old, n + 1, format, args);
	va_end(args);
}

/* Bytes of the character of UTF-8 that @text begins with; 0: it is none. */
static size_t utf8_bytes(const unsigned char *text)
{
	/* By the first byte; and what the second one must be at least, and at most */
	static const struct {
		unsigned char first, last, bytes, low, high;
	} kinds[] = {
		{ 0x01, 0x7f, 1, 0, 0 },
		{ 0xc2, 0xdf, 2, 0x80, 0xbf },
		{ 0xe0, 0xe0, 3, 0xa0, 0xbf },
		{ 0xe1, 0xec, 3, 0x80, 0xbf },
		{ 0xed, 0xed, 3, 0x80, 0x9f },	/* no surrogates */
		{ 0xee, 0xef, 3, 0x80, 0xbf },
		{ 0xf0, 0xf0, 4, 0x90, 0xbf },
		{ 0xf1, 0xf3, 4, 0x80, 0xbf },
		{ 0xf4, 0xf4, 4, 0x80, 0x8f },
	};
	size_t i = 0, n = 1;

	while (i < ARRAY_SIZE(kinds) &&
	       (*text < kinds[i].first || *text > kinds[i].last))
		i++;
	if (i == ARRAY_SIZE(kinds))
		return 0;
	if (kinds[i].bytes > 1 &&
	    (text[1] < kinds[i].low || text[1] > kinds[i].high))
		return 0;
	while (n < kinds[i].bytes && (n == 1 || (text[n] & 0xc0) == 0x80))
		n++;
	return n == kinds[i].bytes ? n : 0;
}

static bool is_obeyed(const unsigned char *text)
{
	return *text < 0x20 || *text == 0x7f ||
	       (*text == 0xc2 && text[1] < 0xa0);
}

/* @text without what is no UTF-8, and, if it is @shown, what a terminal obeys */
static char *clean(const char *text, bool shown)
{
	char *copy = xstrdup(text), *to = copy;
	const char *from = text;

	while (*from) {
		size_t n = utf8_bytes((const unsigned char *)from);

		if (!n || (shown && is_obeyed((const unsigned char *)from))) {
			*to++ = '?';
			from += n ? n : 1;
			continue;
		}
		memcpy(to, from, n);
		to += n;
		from += n;
	}
	*to = '\0';
	return copy;
}

char *harmless(const char *text)
{
	return clean(text, true);
}

char *valid_utf8(const char *text)
{
	return clean(text, false);
}

bool parse_u64(const char *text, uint64_t max, uint64_t *value)
{
	unsigned long long v;
	char *end;

	/* strtoull() would take blanks and signs. */
	if (!isdigit((unsigned char)*text))
		return false;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (errno || *end || v > max)
		return false;

	*value = v;
	return true;
}

bool find_name(const char *const *names, size_t count, const char *text,
	       uint32_t *index)
{
	for (size_t i = 0; i < count; i++) {
		if (!names[i] || strcmp(names[i], text))
			continue;
		*index = i;
		return true;
	}

	return false;
}
