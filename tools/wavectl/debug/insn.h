/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of the process as the program has them, without breakpoints.
 */
#ifndef WAVECTL_INSN_H
#define WAVECTL_INSN_H

#include "debug/focus.h"
#include "waves/wave_insn.h"

/* Read the bytes of the instruction at @va. Returns their number; 0: nothing is mapped. */
size_t insn_read(struct wavectl *w, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX]);

/*
 * Open a disassembler for the code at @va. @lanes: 32 or 64; 0: as the wave in @focus has, if it is
 * there, or as the code object says. @focus may be NULL. Returns 0, or the error of
 * adbgd_disasm_new(), for example if there is no LLVM.
 */
int insn_open(struct wavectl *w, uint64_t va, uint32_t lanes, const struct focus *focus,
	      struct adbgd_disasm **disasm, struct adbgd_error *error);

/* The size of the waves that execute the code at @va; 0: unknown. @code may be NULL. */
uint32_t insn_lanes(const struct adbgd_code *code, uint64_t va);

/* Disassemble the instruction at @va. False: there is none. */
bool insn_at(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va,
	     struct adbgd_insn *insn);

/*
 * Does the code end between two instructions that follow each other? It does if no wave continues
 * from the first to the second, and the second is padding or belongs to another function. @code
 * may be NULL.
 */
bool insn_is_end(const struct adbgd_code *code, const struct adbgd_insn *last,
		 const struct adbgd_insn *next);

/*
 * Move @va back by @num instructions, or, if fewer are before it, by so many; @num is set. The
 * instructions are counted from the begin of the symbol, or else of the code that is not
 * interrupted by padding. False: @va is not the begin of an instruction if counted so.
 */
bool insn_before(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t *va, uint64_t *num);

/*
 * Add the members of an instruction to the row: its text, and the target of a branch, with its
 * symbol if @code has one. @code may be NULL.
 */
void insn_emit(struct wavectl *w, struct adbgd_code *code, const struct adbgd_insn *insn);

/*
 * Add a wave as a row of a table, with the instruction at its PC. With a debugger, that is the
 * instruction of the program, and not a breakpoint.
 */
void insn_emit_wave(struct wavectl *w, struct wave_insns *insns,
		    const struct amdgpudbg_wave *wave);

#endif /* WAVECTL_INSN_H */
