/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers, as the arguments of a command name them, and the one call that reads or writes all
 * of them.
 */
#ifndef WAVECTL_REGS_H
#define WAVECTL_REGS_H

#include "base/wavectl.h"

/* One REG argument */
struct reg_word {
	struct amdgpudbg_reg_range range;
	bool pair;		/* a 64-bit value: pc, exec, vcc */
	uint32_t first_value;	/* index of its first value */
	char *text;		/* its name */
	char *assigned;		/* the text after "=", or NULL */
};

/* Options of "reg read" and "reg write" */
struct regs_options {
	struct lane_range lanes;
	const char *compare;	/* NULL: not given */
	bool halt;
};

struct regs {
	struct regs_options options;
	struct amdgpudbg_wave_coord at;
	char name[ADBG_WAVE_NAME_MAX];
	struct reg_word *words;
	unsigned int num_words;
	/* the ranges of @words in their order, then EXEC if VGPRs are read */
	struct amdgpudbg_reg_range *ranges;
	unsigned int num_ranges;
	uint32_t *values;
	uint32_t *compare;	/* NULL: not given */
	uint32_t num_values;
	bool has_vgprs;
	uint32_t halted_vmid;	/* VMID of the wave if this command halted it, else 0 */
	uint64_t exec;		/* if VGPRs were read */
	struct amdgpudbg_reg_access done;
};

/*
 * Open the GPU, parse the arguments, and halt the wave with --halt, except with --dry-run. Call
 * regs_free() also after an error. Returns an exit status.
 */
int regs_prepare(struct wavectl *w, const struct regs_options *options, struct regs *regs,
		 bool write);
void regs_free(struct regs *regs);
/* In a shell, resume the wave if --halt halted it. Returns an exit status. */
int regs_resume(struct wavectl *w, struct regs *regs);
/* Read or write the registers. Returns an exit status. */
int regs_access(struct wavectl *w, struct regs *regs, bool write);
/* Format one 32-bit value */
#define VALUE_TEXT_MAX 32
void format_value(enum value_format format, uint32_t value,
		  char text[VALUE_TEXT_MAX]);
/* Format @count words of memory as one line. The caller frees the result. */
char *format_words(enum value_format format, const uint8_t *data, size_t count);
/* The name of a register in results: that of the assembler, also for VCC */
const char *reg_shown_name(uint32_t gc_version, uint32_t space, uint32_t number,
			   char name[ADBG_REG_NAME_MAX]);
/* Print the registers and their values as a table. */
void regs_emit(struct wavectl *w, const struct regs *regs, bool write);

#endif /* WAVECTL_REGS_H */
