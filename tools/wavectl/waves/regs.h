/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers as the words of a command line name them, and the one call that
 * reads or writes them all.
 */
#ifndef WAVECTL_REGS_H
#define WAVECTL_REGS_H

#include "base/wavectl.h"

/* One REG of the command line. */
struct reg_word {
	struct amdgpudbg_reg_range range;
	bool pair;		/* two words that are one value: pc, exec, vcc */
	uint32_t first_value;	/* where its values are */
	char *text;		/* its name */
	char *assigned;		/* behind the "=", or NULL */
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
	/* @words in their order, and EXEC behind them when VGPRs are read */
	struct amdgpudbg_reg_range *ranges;
	unsigned int num_ranges;
	uint32_t *values;
	uint32_t *compare;	/* NULL: not given */
	uint32_t num_values;
	bool has_vgprs;
	uint32_t halted_vmid;	/* it was halted for this; 0: it was not */
	uint64_t exec;		/* when VGPRs were read */
	struct amdgpudbg_reg_access done;
};

/*
 * Open the GPU and understand the words of the command; halt the wave with
 * --halt, unless nothing is to be done. Free it also on failure. An exit status.
 */
int regs_prepare(struct wavectl *w, const struct regs_options *options, struct regs *regs,
		 bool write);
void regs_free(struct regs *regs);
/*
 * Let the wave go on that --halt has halted, where the session does not end with the
 * command. An exit status.
 */
int regs_resume(struct wavectl *w, struct regs *regs);
/* Read or write them. An exit status. */
int regs_access(struct wavectl *w, struct regs *regs, bool write);
/* One value as the format says */
#define VALUE_TEXT_MAX 32
void format_value(enum value_format format, uint32_t value,
		  char text[VALUE_TEXT_MAX]);
/* Words of 32 bits of memory likewise, @count of them, in a line; to be freed */
char *format_words(enum value_format format, const uint8_t *data, size_t count);
/* A register's name where it is told of: as the assembler has it, also VCC */
const char *reg_shown_name(uint32_t gc_version, uint32_t space, uint32_t number,
			   char name[ADBG_REG_NAME_MAX]);
/* The registers and their values as a table. */
void regs_emit(struct wavectl *w, const struct regs *regs, bool write);

#endif /* WAVECTL_REGS_H */
