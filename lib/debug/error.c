// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions that set an error message, and growing arrays.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

int adbgd_fail(struct adbgd_error *error, int ret, const char *format, ...)
{
	va_list args;

	if (!error)
		return ret;
	error->error = ret;
	error->__reserved = 0;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return ret;
}

int adbgd_no_memory(struct adbgd_error *error, const char *what)
{
	return adbgd_fail(error, -ENOMEM, "there is not enough memory for %s", what);
}

void *adbgd_grow(void *array, size_t count, size_t *room, size_t size)
{
	size_t more;

	if (count < *room)
		return array;
	more = *room ? *room * 2 : 16;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}
