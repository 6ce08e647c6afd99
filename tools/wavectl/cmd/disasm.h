/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembly for other commands.
 */
#ifndef WAVECTL_DISASM_H
#define WAVECTL_DISASM_H

#include "base/wavectl.h"

/*
 * Print @count instructions from @va on, as the command disasm does, in a shell or batch. @va is
 * set to the address after them. Returns an exit status.
 */
int disasm_at(struct wavectl *w, uint64_t *va, uint64_t count);

#endif /* WAVECTL_DISASM_H */
