/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers that an instruction writes, found without LLVM.
 */
#ifndef ADBGD_WRITES_H
#define ADBGD_WRITES_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of registers in the operands of scalar instructions */
#define ADBGD_S_VCC		106
#define ADBGD_S_M0		124
#define ADBGD_S_EXEC		126
#define ADBGD_NUM_S		128

#define ADBGD_NUM_V		256

/** struct adbgd_range - @count registers from @first on */
struct adbgd_range {
	uint16_t first;
	uint16_t count;
};

/** struct adbgd_writes - registers that an instruction may write; calls write more than that */
struct adbgd_writes {
	struct adbgd_range scalar[2];
	struct adbgd_range vector[2];
	bool scc;
	/* All lanes of @scalar that are inactive become 0: it is a mask of lanes. */
	bool is_mask;
};

/**
 * adbgd_writes_gfx10_3() - find which registers an instruction may write
 * @insn: ADBGD_MAX_DWORDS dwords, beginning with the instruction
 * @lanes: lanes of the wave, 32 or 64
 *
 * A register whose number is not known counts as all registers.
 */
void adbgd_writes_gfx10_3(const uint32_t *insn, uint32_t lanes, struct adbgd_writes *writes);

#endif /* ADBGD_WRITES_H */
