/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request "disassemble".
 */
#ifndef WAVECTL_DAP_DISASSEMBLE_H
#define WAVECTL_DAP_DISASSEMBLE_H

#include "dap/dap.h"

int disassemble(struct dap *d, struct request *r);

#endif /* WAVECTL_DAP_DISASSEMBLE_H */
