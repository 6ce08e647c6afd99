/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LLVM's assembler, run as a program.
 */
#ifndef TESTS_ISA_MC_H
#define TESTS_ISA_MC_H

#include "isa/internal.h"

struct mc_insn {
	const char *text;
	u32 words[VGPU_MAX_WORDS];
	unsigned int num_words;
};

/*
 * Encode @num instructions of waves of @lanes. False: there is no llvm-mc-19. One that
 * it does not take ends the program.
 */
bool mc_encode(struct mc_insn *const *insns, unsigned int num, unsigned int lanes);

#endif /* TESTS_ISA_MC_H */
