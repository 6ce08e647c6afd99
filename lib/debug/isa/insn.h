/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the text of an instruction tells.
 */
#ifndef ADBGD_INSN_H
#define ADBGD_INSN_H

#include "internal.h"

/**
 * adbgd_insn_parse() - find flow, target and operands of an instruction
 * @insn: with address, size and text
 * @lanes: of the wave: VCC and EXEC are as long
 */
void adbgd_insn_parse(struct adbgd_insn *insn, uint32_t lanes);

#endif /* ADBGD_INSN_H */
