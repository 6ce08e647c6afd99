// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory, strings, numbers and time: see util.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/exit.h"
#include "base/util.h"

void out_of_memory(void)
{
	fputs("wavectl: out of memory\n", stderr);
	exit(WAVECTL_FAILED);
}

static void *checked(void *p)
{
	if (!p)
		out_of_memory();
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

void buffer_append(struct buffer *buffer, const char *text, size_t length)
{
	while (buffer->length + length + 1 > buffer->room) {
		buffer->room = buffer->room ? 2 * buffer->room : 64;
		buffer->text = xreallocarray(buffer->text, buffer->room, 1);
	}
	memcpy(buffer->text + buffer->length, text, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

bool parse_u64(const char *text, uint64_t max, uint64_t *value)
{
	unsigned long long v;
	char *end;

	/* strtoull() would accept blanks and signs. */
	if (!isdigit((unsigned char)*text))
		return false;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (errno || *end || v > max)
		return false;

	*value = v;
	return true;
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

char *join_words(char *const *words, int num)
{
	char *text = xstrdup("");

	for (int i = 0; i < num; i++)
		xappend(&text, "%s%s", i ? " " : "", words[i]);
	return text;
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
