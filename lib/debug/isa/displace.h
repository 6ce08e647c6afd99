/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Displaced instructions: a wave that does not stop at a patch, or is resumed from it, executes a
 * copy of the replaced instruction at another address, so that the patch stays in place for other
 * waves. The wave returns by a return trap, see TRAP_ID_RETURN in trap_abi.h.
 *
 * The copies are in the buffer of the handler's code, which exists as long as waves may be in it.
 * A wave that executes a copy has a PC there; adbgd_displaced_pc() converts it to the address in
 * the program, also for the PC of an exception.
 */
#ifndef ADBGD_DISPLACE_H
#define ADBGD_DISPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum size of a displaced instruction in dwords */
#define ADBGD_DISPLACED_DWORDS	16

/* A displaced instruction */
struct adbgd_displaced {
	uint32_t code[ADBGD_DISPLACED_DWORDS];
	uint32_t num;		/* number of dwords */
	uint32_t num_copied;	/* first dwords, which replace the instruction */
	uint64_t pc;		/* of the instruction in the program */
};

/**
 * adbgd_displace() - displace an instruction
 * @gc_version: of the GPU
 * @insn: the instruction, and the dwords that follow it
 * @num: length of the instruction in dwords
 * @pc: its address in the program
 * @copy: set to the displaced instruction; not changed on failure
 *
 * Return: 0, or
 * -EOPNOTSUPP: the generation is not supported, or the instruction cannot be executed at another
 *	address;
 * -EINVAL: there is no instruction of that length.
 */
int adbgd_displace(uint32_t gc_version, const uint32_t *insn, size_t num, uint64_t pc,
		   struct adbgd_displaced *copy);

/**
 * adbgd_displaced_pc() - convert a PC in a displaced instruction to one in the program
 * @copy: the displaced instruction
 * @at: its address
 * @pc: PC of the wave, or of a trap
 * @in_program: set to the address in the program
 *
 * Return: true if @pc is in @copy.
 */
bool adbgd_displaced_pc(const struct adbgd_displaced *copy, uint64_t at, uint64_t pc,
			uint64_t *in_program);

#endif /* ADBGD_DISPLACE_H */
