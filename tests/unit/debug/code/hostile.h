/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code objects that no compiler writes: an ELF file with sections whose bytes a test sets.
 */
#ifndef DEBUG_HOSTILE_H
#define DEBUG_HOSTILE_H

#include "debug/util.h"

/* Its instructions: four dwords, the last one s_endpgm */
#define HOSTILE_TEXT	0x1000
#define HOSTILE_LENGTH	16

struct blob {
	uint8_t *bytes;
	size_t size, room;
};

void put(struct blob *b, const void *bytes, size_t size);
void put8(struct blob *b, uint8_t value);
void put16(struct blob *b, uint16_t value);
void put32(struct blob *b, uint32_t value);
void put64(struct blob *b, uint64_t value);
void put_uleb(struct blob *b, uint64_t value);
/* With its 0 */
void put_string(struct blob *b, const char *text);
/* @count of one byte */
void put_run(struct blob *b, uint8_t byte, size_t count);

struct hostile {
	struct {
		const char *name;
		struct blob data;
		uint64_t flags;
	} sections[16];
	size_t num;
};

/* A section's bytes; it is made if it is not there yet. */
struct blob *hostile_section(struct hostile *h, const char *name);
/* SHF_*, for one that is there */
void hostile_flags(struct hostile *h, const char *name, uint64_t flags);
/* The file; frees the sections. To be freed. */
uint8_t *hostile_file(struct hostile *h, size_t *size);
/* The same as a code object; the test fails if there is none. */
struct adbgd_code *hostile_code(struct hostile *h);

/* An abbreviation: DW_TAG_*, has it children, pairs of DW_AT_* and DW_FORM_* up to 0 */
void put_abbrev(struct blob *b, uint64_t code, unsigned int tag, bool children, ...);
/* The head of a unit of DWARF 4 of 64 bits, with its abbreviations at 0; gives where it is. */
size_t begin_unit(struct blob *b);
void end_unit(struct blob *b, size_t at);

/* A compile unit of all instructions, and a function "f" in it: codes 1 and 2; both are open. */
void put_function_abbrevs(struct blob *abbrev);
void put_function(struct blob *info);

#endif /* DEBUG_HOSTILE_H */
