/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instruction at the PC of a wave, as text, from its registers and the memory of its process.
 */
#ifndef WAVECTL_WAVE_INSN_H
#define WAVECTL_WAVE_INSN_H

#include <amdgpudbg-debug.h>

#include "base/wavectl.h"

/* Disassemblers for waves of 32 and of 64 lanes. Zero-initialized, nothing is opened yet. */
struct wave_insns {
	struct adbgd_disasm *disasm[2];
	bool failed;			/* there is no LLVM, or it does not know the GPU */
	char text[ADBGD_INSN_TEXT_MAX + 8];	/* of the last instruction */
};

/*
 * Get the instruction at the PC of @wave. @bytes: @size bytes at that PC that are the program's; 0:
 * unknown, then the register INST_DW0 and the memory of w->pid are used. The text belongs to
 * @insns and is valid until the next call; it is NULL if it is unknown.
 */
struct wave_insn wave_insn_get(struct wavectl *w, struct wave_insns *insns,
			       const struct amdgpudbg_wave *wave, const uint8_t *bytes,
			       size_t size);
void wave_insns_close(struct wave_insns *insns);

#endif /* WAVECTL_WAVE_INSN_H */
