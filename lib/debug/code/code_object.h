/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The structure of a code object, which the files of this directory share.
 */
#ifndef ADBGD_CODE_OBJECT_H
#define ADBGD_CODE_OBJECT_H

#include "budget.h"
#include "cursor.h"
#include "debug_path.h"
#include "elf_file.h"
#include "isa/gpu.h"

struct adbgd_dwarf;
struct adbgd_kernarg;
struct adbgd_metadata;

/* How well a symbol names the instructions that follow it; the best is first */
enum adbgd_rank {
	ADBGD_RANK_SIZED,	/* it has a size */
	ADBGD_RANK_BEGIN,	/* a function, a kernel, or an exported symbol */
	ADBGD_RANK_LABEL,	/* a local label */
	ADBGD_NUM_RANKS,
};

struct adbgd_code {
	struct adbgd_code_info info;
	char *name;
	struct adbgd_budget budget;	/* for its debug information */
	const struct adbgd_gpu *gpu;
	struct adbgd_elf elf;		/* of a file; empty for loaded and raw code objects */
	uint8_t *image;			/* bytes of the file; NULL: it was not read from a file */
	size_t image_size;
	bool is_named;			/* the user has named its file, which is @name */
	struct adbgd_debug_paths debug_paths;	/* where .dwo and .dwp files are searched */

	struct adbgd_elf_symbols table;	/* owns the names of the next two */
	struct adbgd_symbol *symbols;	/* sorted by address; functions first */
	size_t num_symbols;
	const struct adbgd_symbol **by_name;	/* the same symbols, sorted by name */
	const struct adbgd_symbol **ranks[ADBGD_NUM_RANKS];	/* those of code, by address */
	size_t num_ranked[ADBGD_NUM_RANKS];
	struct adbgd_kernel *kernels;	/* sorted by entry */
	size_t num_kernels;
	size_t num_undefined;		/* symbols that have no address */

	struct adbgd_section notes;	/* ELF notes; no bytes: none, or too many */
	uint8_t *notes_copy;		/* NULL: the notes are in the image, if any */
	struct adbgd_metadata *metadata;	/* arguments of kernels that were needed */
	struct adbgd_kernarg *kernarg;	/* of the last kernel that was needed, see kernarg.c */

	struct adbgd_dwarf *dwarf;	/* NULL: not opened yet, or failed */
	struct adbgd_dwarf *opening;	/* while it is being opened */
	struct adbgd_dwarf *lost;	/* abandoned because of missing memory; still referred to */
	unsigned int num_lost;
	struct adbgd_error dwarf_error;	/* why opening has failed; error 0: not tried */
};

/** adbgd_code_symbols() - find symbols and kernels of @elf, with addresses of the file */
int adbgd_code_symbols(struct adbgd_code *code, const struct adbgd_elf *elf,
		       struct adbgd_error *error);

/** adbgd_code_move_symbols() - add @by to all addresses, because the code object was moved */
void adbgd_code_move_symbols(struct adbgd_code *code, uint64_t by);

/**
 * adbgd_code_name_matches() - adbgd_name_matches(), charged to the budget of a code object
 *
 * Return: 1; 0; or an error of adbgd_spend().
 */
int adbgd_code_name_matches(struct adbgd_code *code, const char *name, const char *wanted,
			    struct adbgd_error *error);

/* defined in dwarf_info.c; declared here because code.c does not need the headers of libdw */
void adbgd_dwarf_free(struct adbgd_dwarf *dwarf);

/** adbgd_dwarf_lost_free() - free debug information that was abandoned, see dwarf_open.h */
void adbgd_dwarf_lost_free(struct adbgd_code *code);

/**
 * adbgd_code_read_file() - read a file of at most 1 GiB
 * @path: for messages
 * @bytes: set to its content, which the caller frees; NULL if it fails
 *
 * Return: 0; -E2BIG, -ENOMEM or any error of read(2).
 */
int adbgd_code_read_file(int fd, const char *path, uint8_t **bytes, size_t *size,
			 struct adbgd_error *error);

/** adbgd_code_has() - test whether an address is in the instructions of a code object */
static inline bool adbgd_code_has(const struct adbgd_code *code, uint64_t address)
{
	return address - code->info.text.start < code->info.text.size;
}

#endif /* ADBGD_CODE_OBJECT_H */
