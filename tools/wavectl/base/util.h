/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small things that every part of wavectl needs.
 */
#ifndef WAVECTL_UTIL_H
#define WAVECTL_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Memory, or the end of the program with a sentence and EXIT_FAILED. */
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *p, size_t count, size_t size);
char *xstrdup(const char *text);
_Noreturn void out_of_memory(void);
/* Append to @text, which may be NULL at first. */
void xappend(char **text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Text that grows to any length: unlike xappend(), buffer_append() takes a time that does not
 * depend on what is there already. @text ends with a NUL, and is NULL before the first call.
 */
struct buffer {
	char *text;
	size_t length, room;
};

void buffer_append(struct buffer *buffer, const char *text, size_t length);

/* The whole of @text as a number of C, decimal or 0x, up to @max */
bool parse_u64(const char *text, uint64_t max, uint64_t *value);
/* Which of @names, some of which may be NULL, is @text? */
bool find_name(const char *const *names, size_t count, const char *text,
	       uint32_t *index);

#endif /* WAVECTL_UTIL_H */
