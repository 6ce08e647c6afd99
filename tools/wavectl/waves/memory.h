/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a process, as the words of a command name it: ADDRESS [VALUE]...
 */
#ifndef WAVECTL_MEMORY_H
#define WAVECTL_MEMORY_H

#include "base/wavectl.h"

/* All of it is kept here. */
#define MEMORY_MAX_BYTES (1ull << 30)

/**
 * struct memory - what is read or written
 * @va: its first address
 * @data: what is there, or is to be; to be freed
 * @bytes: how many
 */
struct memory {
	uint64_t va;
	uint8_t *data;
	uint64_t bytes;
};

/* The first word; what does not need the GPU to be found wrong. An exit status. */
int memory_take_address(struct wavectl *w, struct memory *m);
/* The others, of 32 bits each. An exit status. */
int memory_take_values(struct wavectl *w, struct memory *m);

/* Read @m from a file that is not empty. Returns an exit status. */
int memory_take_file(struct wavectl *w, const char *file, struct memory *m);
/* Write @m to a file. Returns an exit status. */
int memory_save(struct wavectl *w, const char *file, const struct memory *m);

#endif /* WAVECTL_MEMORY_H */
