/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The object of a code object: what its files share.
 */
#ifndef ADBGD_CODE_OBJECT_H
#define ADBGD_CODE_OBJECT_H

#include "budget.h"
#include "elf_file.h"
#include "isa/gpu.h"

struct adbgd_dwarf;

struct adbgd_code {
	struct adbgd_code_info info;
	char *name;
	struct adbgd_budget budget;	/* of its debug information */
	const struct adbgd_gpu *gpu;
	struct adbgd_elf elf;		/* of a file; nothing of what was loaded, or raw */
	uint8_t *image;			/* bytes of the file; NULL: there are none */
	size_t image_size;

	struct adbgd_elf_symbols table;	/* whose names the next two use */
	struct adbgd_symbol *symbols;	/* by address; of one address, functions first */
	size_t num_symbols;
	const struct adbgd_symbol **by_name;	/* the same ones */
	struct adbgd_kernel *kernels;	/* by entry */
	size_t num_kernels;
	size_t num_undefined;		/* symbols that have no address */

	struct adbgd_dwarf *dwarf;	/* NULL: not tried, or it failed */
	struct adbgd_dwarf *opening;	/* what is being tried */
	struct adbgd_dwarf *lost;	/* for want of memory; what was returned points there */
	unsigned int num_lost;
	struct adbgd_error dwarf_error;	/* why it failed; 0: not tried */
};

/** adbgd_code_symbols() - find symbols and kernels of @elf; addresses are the file's */
int adbgd_code_symbols(struct adbgd_code *code, const struct adbgd_elf *elf,
		       struct adbgd_error *error);

/** adbgd_code_move_symbols() - the code object lies @by bytes further on than before */
void adbgd_code_move_symbols(struct adbgd_code *code, uint64_t by);

/* Of dwarf_info.c, declared here because code.c does not need the headers of libdw */
void adbgd_dwarf_free(struct adbgd_dwarf *dwarf);

/** adbgd_dwarf_lost_free() - free debug information that ran out of memory, see dwarf_open.h */
void adbgd_dwarf_lost_free(struct adbgd_code *code);

/** adbgd_code_has() - is an address one of its instructions'? */
static inline bool adbgd_code_has(const struct adbgd_code *code, uint64_t address)
{
	return address - code->info.text.start < code->info.text.size;
}

#endif /* ADBGD_CODE_OBJECT_H */
