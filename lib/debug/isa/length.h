/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lengths of instructions, which can be determined without LLVM.
 */
#ifndef ADBGD_LENGTH_H
#define ADBGD_LENGTH_H

#include <stddef.h>
#include <stdint.h>

/* Maximum length of an instruction in all supported generations, in dwords */
#define ADBGD_MAX_DWORDS	5

/**
 * adbgd_length() - get the length of an instruction
 * @gc_version: of the GPU
 * @insn: ADBGD_MAX_DWORDS dwords, beginning with the instruction
 *
 * Return: length in dwords; 0: the generation is not supported, or no instruction begins like
 * this.
 */
size_t adbgd_length(uint32_t gc_version, const uint32_t *insn);

#endif /* ADBGD_LENGTH_H */
