/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies of instructions in whose place a patch is: what a wave executes that does not stop
 * there, or goes on from there, while the patch stays for the others. See TRAP_ID_BACK in
 * trap_abi.h.
 *
 * A copy lies in the buffer of the handler's code, which is there for as long as waves
 * may be in it. A wave in it is seen with a PC there; adbgd_displaced_pc() says what that
 * is in its program. What it was told of exceptions, too, has such a PC.
 */
#ifndef ADBGD_DISPLACE_H
#define ADBGD_DISPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that a copy takes, in dwords */
#define ADBGD_DISPLACED_DWORDS	16

/* A copy, and what there is to know of it */
struct adbgd_displaced {
	uint32_t code[ADBGD_DISPLACED_DWORDS];
	uint32_t num;		/* dwords of it */
	uint32_t num_copied;	/* dwords at its beginning that stand for the instruction */
	uint64_t pc;		/* of the instruction */
};

/**
 * adbgd_displace() - make a copy of an instruction, for another address
 * @gc_version: of the GPU
 * @insn: the instruction, and what follows it
 * @num: its dwords
 * @pc: where it is in the program
 * @copy: filled
 *
 * Return: 0; -EOPNOTSUPP the GPU's generation, or an instruction that cannot be executed
 * elsewhere; -EINVAL it is no instruction of that length. Only 0 changes @copy.
 */
int adbgd_displace(uint32_t gc_version, const uint32_t *insn, size_t num, uint64_t pc,
		   struct adbgd_displaced *copy);

/**
 * adbgd_displaced_pc() - where a wave in a copy is in its program
 * @copy: the copy
 * @at: its address
 * @pc: PC of the wave, or of a trap
 * @in_program: set to the address in the program
 *
 * Return: is it in the copy?
 */
bool adbgd_displaced_pc(const struct adbgd_displaced *copy, uint64_t at, uint64_t pc,
			uint64_t *in_program);

#endif /* ADBGD_DISPLACE_H */
