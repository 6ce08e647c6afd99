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
};

/* What the hardware leaves in TTMP0 and TTMP1 when a wave traps. */
struct trap_table {
	const struct adbg_field *pc_hi;		/* fields of TTMP1 */
	const struct adbg_field *id;
	const struct adbg_field *host;
	const struct adbg_field *rewind;
	uint32_t rewind_unit;			/* bytes */
	uint32_t resumed;			/* bit of TTMP1 */
	uint32_t causes;			/* bits of TRAPSTS */
	uint32_t watches[4];			/* those of them, by watch */
};

struct reg_table {
	uint32_t first_gc;	/* first and last version that it is for */
	uint32_t last_gc;
	const struct reg *regs;
	size_t num_regs;
	size_t num_hwregs;	/* those of them that are no TTMPs, in order */
	struct adbg_reg_file file;
	uint32_t vgpr_unit;	/* what GPR_ALLOC.VGPR_SIZE counts in */
	uint32_t vcc;		/* number of the SGPR that is VCC_LO */
	const struct trap_table *trap;
};

/* NULL for a generation that the library does not know */
const struct reg_table *adbg_reg_table(uint32_t gc_version);

/*
 * A register of the table: its name in AMD's headers without SQ_WAVE_, its kind and
 * number, its SQ_IND index, and the bits that can be written. Its fields are the
 * array fields_<name>.
 */
#define REG(reg_name, reg_space, reg_number, reg_index, bits) {	\
	.pub = {							\
		.name = "SQ_WAVE_" #reg_name,				\
		.space = (reg_space),					\
		.number = (reg_number),					\
		.index = (reg_index),					\
		.writable = (bits),					\
		.num_fields = ARRAY_SIZE(fields_##reg_name),		\
	},								\
	.fields = fields_##reg_name,					\
}

extern const struct reg_table adbg_regs_gfx10_3;

#endif /* ADBG_REG_H */
