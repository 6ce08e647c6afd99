/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How long an instruction is, for who copies it: LLVM need not be there for that.
 */
#ifndef ADBGD_LENGTH_H
#define ADBGD_LENGTH_H

#include <stddef.h>
#include <stdint.h>

/* The longest instruction of any generation that is known here, in dwords */
#define ADBGD_MAX_DWORDS	5

/**
 * adbgd_length() - length of an instruction
 * @gc_version: of the GPU
 * @insn: ADBGD_MAX_DWORDS, from the instruction on
 *
 * Return: in dwords; 0: the generation is not known, or no instruction begins so.
 */
size_t adbgd_length(uint32_t gc_version, const uint32_t *insn);

#endif /* ADBGD_LENGTH_H */
