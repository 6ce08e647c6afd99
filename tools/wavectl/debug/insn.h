/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of the process as the program has them, without breakpoints.
 */
#ifndef WAVECTL_INSN_H
#define WAVECTL_INSN_H

#include "debug/focus.h"

/* Read the bytes of the instruction at @va. Returns their number; 0: nothing is mapped. */
size_t insn_read(struct wavectl *w, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX]);

/*
 * Open a disassembler for the code at @va. @lanes: 32 or 64; 0: as the code object says, or as
 * the wave in @focus has, which may be NULL. Returns 0, or the error of adbgd_disasm_new(), for
 * example if there is no LLVM.
 */
int insn_open(struct wavectl *w, uint64_t va, uint32_t lanes, const struct focus *focus,
	      struct adbgd_disasm **disasm, struct adbgd_error *error);

/* Disassemble the instruction at @va. False: there is none. */
bool insn_at(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va,
	     struct adbgd_insn *insn);

#endif /* WAVECTL_INSN_H */
