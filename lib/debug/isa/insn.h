/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parsing the text of an instruction.
 */
#ifndef ADBGD_INSN_H
#define ADBGD_INSN_H

#include "internal.h"

/**
 * adbgd_insn_parse() - find flow, target and operands of an instruction
 * @insn: address, size and text are set
 * @lanes: number of lanes of the wave, which is also the length of VCC and EXEC in bits
 */
void adbgd_insn_parse(struct adbgd_insn *insn, uint32_t lanes);

#endif /* ADBGD_INSN_H */
