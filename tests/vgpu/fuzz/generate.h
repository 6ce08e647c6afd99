/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates and changes records; the result depends only on the seed.
 */
#ifndef TESTS_VGPU_FUZZ_GENERATE_H
#define TESTS_VGPU_FUZZ_GENERATE_H

#include <stddef.h>

#include "input.h"

/* generate.c */
u32 fuzz_random(u32 below);
void fuzz_seed(u32 seed);
/* A dword that may mean something: an address, a register, an edge of a range. */
u32 fuzz_dword(void);
/* A record in @out, which has room for MAX_DWORDS; returns its size in bytes. */
size_t fuzz_record(struct record *out);

/* program.c: one instruction of at most 3 dwords; returns how many */
u32 fuzz_instruction(u32 *out);
/* program.c: one of an image, and scalar ones before it that make its descriptors */
u32 fuzz_image(u32 *out);
#define FUZZ_IMAGE_DWORDS	(2 * 12 + 5)
/* program.c: a line for the control socket; returns its length */
size_t fuzz_line(char *out, size_t size);

#endif /* TESTS_VGPU_FUZZ_GENERATE_H */
