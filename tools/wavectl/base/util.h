/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory, strings, numbers and time.
 */
#ifndef WAVECTL_UTIL_H
#define WAVECTL_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Allocate memory. If there is none, print an error and exit with WAVECTL_FAILED. */
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *p, size_t count, size_t size);
char *xstrdup(const char *text);
_Noreturn void out_of_memory(void);
/* Append to @text, which is NULL at first. */
void xappend(char **text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The words with blanks between them; "" if there are none. The caller frees the text. */
char *join_words(char *const *words, int num);

/*
 * Text that grows. Unlike xappend(), buffer_append() takes a time that does not depend on the
 * length so far. @text ends with a NUL, and is NULL before the first call.
 */
struct buffer {
	char *text;
	size_t length, room;
};

void buffer_append(struct buffer *buffer, const char *text, size_t length);

/*
 * Ignore the result of a call that the compiler wants checked, where nothing can be done about
 * an error, or where the next call reports it.
 */
static inline void ignore_result(ssize_t result)
{
	(void)result;
}

/* CLOCK_MONOTONIC in nanoseconds; also for signal handlers */
uint64_t now_ns(void);

/* Parse all of @text as a number of C, decimal or 0x, of at most @max. */
bool parse_u64(const char *text, uint64_t max, uint64_t *value);
/* Find @text in @names, some of which may be NULL. */
bool find_name(const char *const *names, size_t count, const char *text,
	       uint32_t *index);

#endif /* WAVECTL_UTIL_H */
