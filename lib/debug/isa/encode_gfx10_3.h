/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scalar instructions of gfx10.3, see the RDNA 2 ISA document, chapter "Microcode formats".
 * tests/trap compares them with the output of LLVM's assembler.
 */
#ifndef ADBGD_ENCODE_GFX10_3_H
#define ADBGD_ENCODE_GFX10_3_H

#include "emit.h"

#define LITERAL		255	/* the value is in the next dword */
#define S_MOV_B32	0x03

/* Constants from 0 to 64 and from -1 to -16 are encoded in the operand. */
static inline uint32_t constant(uint32_t value)
{
	if (value <= 64)
		return 128 + value;
	return value >= (uint32_t)-16 ? 192 - value : LITERAL;
}

static inline void put_literal(struct adbgd_emitter *e, uint32_t value)
{
	if (constant(value) == LITERAL)
		adbgd_emit(e, value);
}

static inline void sop1(struct adbgd_emitter *e, uint32_t op, uint32_t to, uint32_t from)
{
	adbgd_emit(e, 0xbe800000 | to << 16 | op << 8 | from);
}

static inline void move(struct adbgd_emitter *e, uint32_t to, uint32_t value)
{
	sop1(e, S_MOV_B32, to, constant(value));
	put_literal(e, value);
}

static inline uint32_t sopp(uint32_t op, uint32_t simm16)
{
	return 0xbf800000 | op << 16 | (simm16 & 0xffff);
}

#endif /* ADBGD_ENCODE_GFX10_3_H */
