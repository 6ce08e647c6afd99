/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of results/: single instructions, each with the contents of registers and memory
 * before it, and with all that it changes. The format is described in README.md.
 */
#ifndef TESTS_ISA_RESULTS_H
#define TESTS_ISA_RESULTS_H

#include "machine.h"
#include "mc.h"

/* Where memory is that lines name. */
#define RESULTS_DATA	(MACHINE_BASE + 0x10000)
#define RESULTS_SIZE	4096

struct results_row {
	char *text;		/* the whole line */
	const char *file;
	unsigned int line;
	unsigned int lanes;
	struct mc_insn code;	/* the instruction */
	char *before, *after;
};

/* What is compared: the wave, memory, and what the machine wrote down. */
struct results_state {
	struct vgpu_wave w;
	u8 data[RESULTS_SIZE];
	u8 lds[MACHINE_LDS];
	unsigned int ended, illegal, barriers, messages, complaints, faults;
	u32 mode, status, trapsts, excp;	/* as registers have them */
	u32 bases;
	int s_trap;
	u32 quirk[VGPU_NUM_QUIRKS];	/* set before, not compared */
};

/* All lines of files, assembled. False: llvm-mc-19 is not there. */
bool results_read(char *const *paths, unsigned int num);
/* The line at @n, from 0; NULL when there is none. */
const struct results_row *results_row(unsigned int n);
/* What is there before: @st's registers and memory are set, and its quirks. */
void results_before(const struct results_row *r, struct results_state *st);
/* What is there after, by the line: @st is what results_before() gave. */
void results_after(const struct results_row *r, struct results_state *st);

#endif /* TESTS_ISA_RESULTS_H */
