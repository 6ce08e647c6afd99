/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all files of the library share: the marker of exported functions, and how a
 * failure gets its words.
 */
#ifndef ADBGD_INTERNAL_H
#define ADBGD_INTERNAL_H

#include <stdlib.h>

#include <amdgpudbg-debug.h>

#define ADBGD_API __attribute__((__visibility__("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * adbgd_fail() - note why a call fails
 * @error: NULL, or filled
 * @ret: -errno
 * @format: the sentence, without its full stop
 *
 * Return: @ret.
 */
int adbgd_fail(struct adbgd_error *error, int ret, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** adbgd_no_memory() - likewise -ENOMEM, for @what */
int adbgd_no_memory(struct adbgd_error *error, const char *what);

/**
 * adbgd_grow() - room for one more element in an array
 * @array: the array, or NULL if it is empty
 * @count: elements that it has
 * @room: elements that there is room for
 * @size: of an element
 *
 * Return: the array, maybe elsewhere; NULL: no memory, and @array is as before.
 */
void *adbgd_grow(void *array, size_t count, size_t *room, size_t size);

#endif /* ADBGD_INTERNAL_H */
