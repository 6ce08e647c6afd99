/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LLVM's disassembler, loaded at run time, so that its headers are not needed.
 */
#ifndef TESTS_ISA_LLVM_H
#define TESTS_ISA_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm;

/* NULL when there is no LLVM 19 with the AMDGPU target. */
struct llvm *llvm_open(const char *cpu, unsigned int lanes);
/*
 * Text of the instruction with single blanks, and without the _e32 and _e64
 * that only tell the encoding. Returns its length in dwords, 0 when invalid.
 */
unsigned int llvm_text(struct llvm *l, const uint32_t *words, unsigned int num,
		       char *buf, size_t size);

#endif /* TESTS_ISA_LLVM_H */
