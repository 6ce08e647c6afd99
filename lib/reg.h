/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables for decoding the registers of a wave. There is one file per generation; reg.c selects
 * the table.
 */
#ifndef ADBG_REG_H
#define ADBG_REG_H

#include "internal.h"

/* A register: its public description, and its fields */
struct reg {
	struct adbg_reg pub;
	const struct adbg_field *fields;
};

/* Fields and bits of what the hardware stores in TTMP0 and TTMP1 when a wave traps */
struct trap_table {
	const struct adbg_field *pc_hi;		/* fields of TTMP1 */
	const struct adbg_field *id;
	const struct adbg_field *host;
	const struct adbg_field *rewind;
	uint32_t rewind_unit;			/* in bytes */
	uint32_t resumed;			/* bit of TTMP1 */
	uint32_t causes;			/* bits of TRAPSTS */
	uint32_t watches[4];			/* bits of TRAPSTS, by watch */
};

struct reg_table {
	uint32_t first_gc;	/* first and last version for which the table is valid */
	uint32_t last_gc;
	const struct reg *regs;
	size_t num_regs;
	size_t num_hwregs;	/* how many are hardware registers; these come first */
	struct adbg_reg_file file;
	uint32_t vgpr_unit;	/* number of VGPRs for each unit of GPR_ALLOC.VGPR_SIZE */
	uint32_t vcc;		/* number of the SGPR that is VCC_LO */
	const struct trap_table *trap;
};

/* Get the table of a generation; NULL: it is unknown. */
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
