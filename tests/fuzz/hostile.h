/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target that works against its debuggers: see hostile.c.
 */
#ifndef FUZZ_HOSTILE_H
#define FUZZ_HOSTILE_H

#include <stdatomic.h>
#include <stdint.h>

#include "victims.h"

/* Numbers of its DRM files, which it opens, closes and exchanges all the time */
#define HOSTILE_FD 200
#define HOSTILE_FILES 4

/* Its own objects, and where each of its files has them mapped */
#define HOSTILE_OBJECTS 4
#define HOSTILE_VA 0x500000000000ull
#define HOSTILE_STRIDE 0x100000ull

/*
 * Buffers of its debuggers. It could find them by debugging itself, but not as quickly.
 * In a memfd, as it has to outlast exec().
 */
#define MAX_HINTS 16

struct hints {
	_Atomic uint64_t va[MAX_HINTS];
	_Atomic uint64_t bytes[MAX_HINTS];
	_Atomic uint32_t next;
};

/* Started as root, it becomes @uid itself. @hints: the memfd. 0 or -errno. */
int hostile_start(struct victim *v, uid_t uid, int hints, uint64_t seed);
/* The program; its arguments are those that hostile_start() gives it. */
int hostile_main(int argc, char **argv);

#endif /* FUZZ_HOSTILE_H */
