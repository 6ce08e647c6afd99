/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of lib/debug: the output of other programs, and the memory of a simulated target.
 */
#ifndef DEBUG_UTIL_H
#define DEBUG_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg-debug.h>

#include "../../array_size.h"

/* What a command prints; to be freed. The test fails if it fails. */
char *run_tool(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The number of the first line of a file that @text, a pattern of grep without ', matches */
uint32_t line_of(const char *path, const char *text);

/* For struct adbgd_context: all registers are 0. */
int read_zero_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
		       uint32_t *value);

/* The next line of a text, without its end; NULL: no more. The text is taken apart. */
char *next_line(char **text);

/* The bytes of a file; to be freed */
uint8_t *read_whole(const char *path, size_t *size);

/* Fails with the error's words. */
struct adbgd_code *open_code(const char *path);

/* Memory in a few pieces; all else cannot be read. */
struct fake_memory {
	struct {
		uint64_t start;
		size_t size;
		uint8_t *bytes;
	} pieces[8];
	size_t num;
	unsigned int reads;
	uint64_t bytes_read;
	struct adbgd_memory memory;	/* of this */
	struct adbgd_span spans[8];	/* of the pieces */
};

void fake_init(struct fake_memory *fake);
/* A piece, all 0; gives its bytes. */
uint8_t *fake_add(struct fake_memory *fake, uint64_t start, size_t size);
void fake_free(struct fake_memory *fake);

/* Segments of a code object at @base, as a loader puts them; gives how far they go. */
size_t load_segments(const uint8_t *file, uint8_t *to);

#endif /* DEBUG_UTIL_H */
