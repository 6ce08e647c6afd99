/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a process, as the arguments ADDRESS [VALUE]... describe it.
 */
#ifndef WAVECTL_MEMORY_H
#define WAVECTL_MEMORY_H

#include "base/wavectl.h"

/* Maximum size: all of it is kept in memory here. */
#define MEMORY_MAX_BYTES (1ull << 30)

/**
 * struct memory - memory to read or write
 * @va: first address
 * @data: contents; the user frees them
 * @bytes: size
 */
struct memory {
	uint64_t va;
	uint8_t *data;
	uint64_t bytes;
};

/* Parse the first argument, and check what needs no GPU. Returns an exit status. */
int memory_take_address(struct wavectl *w, struct memory *m);
/* Parse the other arguments, of 32 bits each. Returns an exit status. */
int memory_take_values(struct wavectl *w, struct memory *m);

/*
 * Read @m from a file of at most @max bytes, a power of two of at least 64 KiB. Returns 0 or
 * -errno, -EFBIG for a larger file; @data is to be freed after an error, too.
 */
int memory_read_file(const char *name, uint64_t max, struct memory *m);
/* Read @m from a file that is not empty. Returns an exit status. */
int memory_take_file(struct wavectl *w, const char *file, struct memory *m);
/* Write @m to a file. Returns an exit status. */
int memory_save(struct wavectl *w, const char *file, const struct memory *m);

#endif /* WAVECTL_MEMORY_H */
