/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Used by all files of the library: the marker of exported functions, functions that set an
 * error, and small helpers.
 */
#ifndef ADBGD_INTERNAL_H
#define ADBGD_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug.h>

#define ADBGD_API __attribute__((__visibility__("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * adbgd_fail() - set the error of a failing call
 * @error: set to @ret and the message; may be NULL
 * @ret: -errno
 * @format: the message, without full stop
 *
 * Return: @ret.
 */
int adbgd_fail(struct adbgd_error *error, int ret, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** adbgd_no_memory() - set and return -ENOMEM; @what could not be allocated */
int adbgd_no_memory(struct adbgd_error *error, const char *what);

/**
 * adbgd_grow() - make room for one more element in an array
 * @array: the array, or NULL if it is empty
 * @count: elements that it has
 * @room: allocated elements
 * @size: of an element
 *
 * Return: the array, which may have moved; NULL: out of memory, @array is still valid.
 */
void *adbgd_grow(void *array, size_t count, size_t *room, size_t size);

/** adbgd_context_reason() - get the reason of error @ret, which a callback has returned */
static inline const char *adbgd_context_reason(const struct adbgd_context *context, int ret)
{
	return context->explain ? context->explain(context->data) : strerror(-ret);
}

/** adbgd_sign_extend() - get a signed integer from its lowest @num bits, of 1 to 64 */
static inline int64_t adbgd_sign_extend(uint64_t bits, unsigned int num)
{
	return num < 64 ? (int64_t)(bits << (64 - num)) >> (64 - num) : (int64_t)bits;
}

#endif /* ADBGD_INTERNAL_H */
