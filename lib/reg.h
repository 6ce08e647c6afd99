/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shape of the tables that take the registers of a wave apart. One file per
 * generation fills them; reg.c finds the right one.
 */
#ifndef ADBG_REG_H
#define ADBG_REG_H

#include "internal.h"

/* A register: what the caller sees, and where things are. */
struct reg {
	struct adbg_reg pub;
	const struct adbg_field *fields;
	size_t wave_offset;
};

struct reg_table {
	uint32_t first_gc;	/* first and last version that it is for */
	uint32_t last_gc;
	const struct reg *regs;
	size_t num_regs;
};

/*
 * A register of the table: its name in AMD's headers without SQ_WAVE_, its
 * SQ_IND index, and the member of struct adbg_wave that holds its value. Its
 * fields are the array fields_<name>.
 */
#define REG(reg_name, reg_index, member) {				\
	.pub = {							\
		.name = "SQ_WAVE_" #reg_name,				\
		.index = (reg_index),					\
		.num_fields = ARRAY_SIZE(fields_##reg_name),		\
	},								\
	.fields = fields_##reg_name,					\
	.wave_offset = offsetof(struct adbg_wave, member),		\
}

extern const struct reg_table adbg_regs_gfx10_3;

#endif /* ADBG_REG_H */
