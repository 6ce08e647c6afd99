/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes instructions of gfx10, for tests that choose the registers of operands: "RDNA 2"
 * Instruction Set Architecture, AMD 2020, chapter 13.
 */
#ifndef TESTS_ISA_ENCODE_H
#define TESTS_ISA_ENCODE_H

#include "isa/internal.h"

struct encoding {
	unsigned int dst;	/* number of a VGPR, or of an SGPR */
	unsigned int sdst;	/* SGPR of a mask that is written */
	/*
	 * Operand numbers by the sources of the operation. Memory: numbers of
	 * VGPRs with the address, the data, the second data; SMEM: of SGPRs
	 * with the base and the offset.
	 */
	unsigned int src[3];
	unsigned int saddr;	/* SGPR of a base or resource */
	unsigned int samp;	/* and of a sampler */
	unsigned int offset;
	unsigned int flags;	/* or'ed into the first dword */
	u8 sub;			/* enum vgpu_sub of VOP1, VOP2 and VOPC */
	u32 extra;		/* the dword that it comes with, but for src0 */
	u32 literal;
};

/* Row of a mnemonic in a table, VGPU_OP_NONE when it has none. */
enum vgpu_op encode_find(unsigned int format, const char *mnemonic,
			 unsigned int *opcode);

/* The format, VOP3P or VOP3, in which a vector operation has a row; 0: none */
unsigned int encode_vop3(enum vgpu_op op, unsigned int *opcode);

/* Returns how many dwords it takes. */
unsigned int encode(u32 *w, unsigned int format, unsigned int opcode,
		    enum vgpu_op op, const struct encoding *e);

/* Is source @k of the operation a field of its own, of VGPRs or of SGPRs? */
bool encode_is_vector(enum vgpu_op op, unsigned int k);
bool encode_is_scalar(unsigned int format, enum vgpu_op op, unsigned int k);

#endif /* TESTS_ISA_ENCODE_H */
