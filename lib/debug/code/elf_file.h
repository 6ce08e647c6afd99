/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files for AMD GPUs, as the bytes of a file or as loaded into memory: segments, sections and
 * symbols. Their content is not trusted.
 */
#ifndef ADBGD_ELF_FILE_H
#define ADBGD_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>

#include "internal.h"

/* Limits of code objects, which the man pages name */
#define ADBGD_ELF_SIZE_MAX	(1ULL << 30)	/* bytes, in the file and when loaded */
#define ADBGD_ELF_SEGMENTS_MAX	64
#define ADBGD_ELF_SECTIONS_MAX	4096
#define ADBGD_ELF_SYMBOLS_MAX	(1U << 20)
#define ADBGD_ELF_NAMES_MAX	(64U << 20)	/* bytes of names of symbols */
#define ADBGD_ELF_NAME_MAX	65536		/* bytes of one name, with the 0 at its end */
#define ADBGD_ELF_COMPARED_MAX	(64U << 20)	/* counting shared bytes for each symbol */

struct adbgd_elf {
	const char *name;		/* for messages */
	const uint8_t *bytes;		/* of the file; NULL: it is in memory */
	uint64_t size;			/* of the file, or of the readable memory */
	const struct adbgd_memory *memory;	/* with a budget */
	uint64_t start;			/* address of its header in memory */
	uint64_t base;			/* address in memory of the file's address 0 */
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	unsigned int num_segments;
	Elf64_Shdr *sections;		/* only of a file */
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
 * adbgd_elf_open_file() - open an ELF file in a buffer
 * @bytes: the file, of @size bytes; it stays owned by the caller, and must outlive @elf
 * @name: for messages; it stays owned by the caller
 *
 * Return: 0; -ENOEXEC the file is not a code object; -EBADMSG, -E2BIG or -ENOMEM.
 */
int adbgd_elf_open_file(struct adbgd_elf *elf, const uint8_t *bytes, uint64_t size,
			const char *name, struct adbgd_error *error);

/**
 * adbgd_elf_open_sections() - open an ELF file of which only the sections are needed
 *
 * It need not be linked. Parameters and return values are those of adbgd_elf_open_file().
 */
int adbgd_elf_open_sections(struct adbgd_elf *elf, const uint8_t *bytes, uint64_t size,
			    const char *name, struct adbgd_error *error);

/**
 * adbgd_elf_open_memory() - open an ELF file in memory, loaded or a copy of the file
 * @address: address of the header
 * @size: number of bytes from there to the end of the memory
 *
 * Return: as adbgd_elf_open_file(), or an error of @memory.
 */
int adbgd_elf_open_memory(struct adbgd_elf *elf, const struct adbgd_memory *memory,
			  uint64_t address, uint64_t size, const char *name,
			  struct adbgd_error *error);

void adbgd_elf_close(struct adbgd_elf *elf);

/** adbgd_elf_is_loaded() - test whether the memory has loaded segments, not a copy of the file */
bool adbgd_elf_is_loaded(const struct adbgd_elf *elf);

/**
 * adbgd_elf_file_size() - get the size of the file of which the memory has a copy
 *
 * Return: 0 or -EBADMSG.
 */
int adbgd_elf_file_size(const struct adbgd_elf *elf, uint64_t *size,
			struct adbgd_error *error);

/**
 * adbgd_elf_loaded_size() - get the size from the header to the end of the last segment in memory
 */
uint64_t adbgd_elf_loaded_size(const struct adbgd_elf *elf);

/** adbgd_elf_read() - read bytes at an address, as the file has it */
int adbgd_elf_read(const struct adbgd_elf *elf, uint64_t address, void *buffer,
		   uint64_t size, struct adbgd_error *error);

/**
 * adbgd_elf_bytes() - get the bytes that adbgd_elf_read() would copy, without copying them
 *
 * Return: NULL if the file does not have all of them, or if @elf is in memory.
 */
const uint8_t *adbgd_elf_bytes(const struct adbgd_elf *elf, uint64_t address, uint64_t size);

/** adbgd_elf_section() - find a section by its name; NULL: there is none */
const Elf64_Shdr *adbgd_elf_section(const struct adbgd_elf *elf, const char *name);

/** adbgd_elf_text() - find the instructions; false: there are none */
bool adbgd_elf_text(const struct adbgd_elf *elf, struct adbgd_span *text);

/**
 * adbgd_elf_symbols() - read all symbols of a file, or the exported ones of a loaded file
 *
 * Names are truncated to ADBGD_ELF_NAME_MAX - 1 bytes.
 */
int adbgd_elf_symbols(const struct adbgd_elf *elf, struct adbgd_elf_symbols *symbols,
		      struct adbgd_error *error);

void adbgd_elf_symbols_free(struct adbgd_elf_symbols *symbols);

#endif /* ADBGD_ELF_FILE_H */
