/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files for AMD GPUs, as bytes of a file or as a loader has put them into memory:
 * segments, sections, symbols. Nothing that is written in them is believed.
 */
#ifndef ADBGD_ELF_FILE_H
#define ADBGD_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>

#include "internal.h"

/* What a code object may have at most; the man pages tell these. */
#define ADBGD_ELF_SIZE_MAX	(1ULL << 30)	/* bytes, in the file and when loaded */
#define ADBGD_ELF_SEGMENTS_MAX	64
#define ADBGD_ELF_SECTIONS_MAX	4096
#define ADBGD_ELF_SYMBOLS_MAX	(1U << 20)
#define ADBGD_ELF_NAMES_MAX	(64U << 20)	/* bytes of names of symbols */
#define ADBGD_ELF_COMPARED_MAX	(64U << 20)	/* the same, with what they share */

struct adbgd_elf {
	const char *name;		/* for errors */
	const uint8_t *bytes;		/* of the file; NULL: it is loaded */
	uint64_t size;			/* of the file, or of the memory that may be read */
	const struct adbgd_memory *memory;	/* with a budget */
	uint64_t start;			/* where its header is in memory */
	uint64_t base;			/* where its address 0 is in memory */
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	unsigned int num_segments;
	Elf64_Shdr *sections;		/* of a file */
	unsigned int num_sections;
	const char *section_names;
	uint64_t section_names_size;
};

/* Symbols and their names; freed by adbgd_elf_symbols_free() */
struct adbgd_elf_symbols {
	Elf64_Sym *symbols;
	size_t count;
	char *names;
	size_t names_size;
};

/**
 * adbgd_elf_open_file() - look at a file
 * @bytes: @size of them, which stay the caller's and are needed all the time
 * @name: for errors; stays the caller's
 *
 * Return: 0; -ENOEXEC it is something else; -EBADMSG, -E2BIG, -ENOMEM.
 */
int adbgd_elf_open_file(struct adbgd_elf *elf, const uint8_t *bytes, uint64_t size,
			const char *name, struct adbgd_error *error);

/**
 * adbgd_elf_open_memory() - look at what lies at @address of memory, which ends behind
 * @size bytes; it may be loaded or a copy of the file
 *
 * Return: as adbgd_elf_open_file(); what @memory gives.
 */
int adbgd_elf_open_memory(struct adbgd_elf *elf, const struct adbgd_memory *memory,
			  uint64_t address, uint64_t size, const char *name,
			  struct adbgd_error *error);

void adbgd_elf_close(struct adbgd_elf *elf);

/** adbgd_elf_is_loaded() - does the memory hold segments where they belong? */
bool adbgd_elf_is_loaded(const struct adbgd_elf *elf);

/** adbgd_elf_file_size() - of the file of which the memory holds a copy; -EBADMSG */
int adbgd_elf_file_size(const struct adbgd_elf *elf, uint64_t *size,
			struct adbgd_error *error);

/** adbgd_elf_loaded_size() - bytes from the header to the end of the last segment in memory */
uint64_t adbgd_elf_loaded_size(const struct adbgd_elf *elf);

/** adbgd_elf_read() - bytes at an address of the file's own, loaded or to be loaded */
int adbgd_elf_read(const struct adbgd_elf *elf, uint64_t address, void *buffer,
		   uint64_t size, struct adbgd_error *error);

/**
 * adbgd_elf_bytes() - the bytes of a file that adbgd_elf_read() would copy, where they are
 *
 * Return: NULL if the file does not have all of them, or if @elf is not a file.
 */
const uint8_t *adbgd_elf_bytes(const struct adbgd_elf *elf, uint64_t address, uint64_t size);

/** adbgd_elf_section() - by its name; NULL: there is none, or there are no sections */
const Elf64_Shdr *adbgd_elf_section(const struct adbgd_elf *elf, const char *name);

/** adbgd_elf_text() - where the instructions are; false: there are none */
bool adbgd_elf_text(const struct adbgd_elf *elf, struct adbgd_span *text);

/**
 * adbgd_elf_symbols() - all symbols of a file; the exported ones of what is loaded
 *
 * Names are cut at PATH_MAX.
 */
int adbgd_elf_symbols(const struct adbgd_elf *elf, struct adbgd_elf_symbols *symbols,
		      struct adbgd_error *error);

void adbgd_elf_symbols_free(struct adbgd_elf_symbols *symbols);

#endif /* ADBGD_ELF_FILE_H */
