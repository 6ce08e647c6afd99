// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction at the PC of a wave: see wave_insn.h.
 */
#include "waves/wave_insn.h"

#include <stdio.h>
#include <string.h>

static struct adbgd_disasm *disasm_for(struct wavectl *w, struct wave_insns *insns,
				       const struct amdgpudbg_wave *wave)
{
	const char *gpu = adbg_gpu_name(adbg_session_get_gc_version(w->session));
	bool is_wave64 = wave->flags & AMDGPUDBG_WAVE_WAVE64;

	if (!insns->failed && !insns->disasm[is_wave64])
		insns->failed = !gpu || adbgd_disasm_new(gpu, is_wave64 ? 64 : 32,
							 &insns->disasm[is_wave64], NULL);
	return insns->failed ? NULL : insns->disasm[is_wave64];
}

/* Read INST_DW0. False: it is not known. */
static bool read_word(const struct wavectl *w, const struct amdgpudbg_wave *wave, uint32_t *word)
{
	const struct adbg_reg *reg = adbg_reg_find(adbg_session_get_gc_version(w->session),
						   "INST_DW0");

	if (!reg || !adbg_reg_is_known(reg, wave))
		return false;
	*word = adbg_reg_value(reg, wave);
	return true;
}

/*
 * Read the instruction from memory. It is only that of the wave if it begins with the word in the
 * register: the wave runs, and the cache of instructions may differ from memory.
 */
static size_t read_memory(struct wavectl *w, const struct amdgpudbg_wave *wave, uint32_t word,
			  uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	for (size_t size = ADBGD_INSN_SIZE_MAX; w->pid && size; size -= 4) {
		if (adbg_vm_read(w->session, w->pid, wave->pc, bytes, size))
			continue;
		return memcmp(bytes, &word, sizeof(word)) ? 0 : size;
	}
	return 0;
}

/* Print an instruction of which only the first word is known: its name. */
static void print_name(struct wave_insns *insns, struct adbgd_disasm *disasm,
		       const struct amdgpudbg_wave *wave, uint32_t word)
{
	uint8_t bytes[ADBGD_INSN_SIZE_MAX] = { 0 };
	struct adbgd_insn insn;

	memcpy(bytes, &word, sizeof(word));
	if (adbgd_disasm_insn(disasm, wave->pc, bytes, sizeof(bytes), &insn, NULL) ||
	    insn.flow == ADBGD_FLOW_ILLEGAL)
		snprintf(insns->text, sizeof(insns->text), "0x%08x ...", word);
	else
		snprintf(insns->text, sizeof(insns->text), "%.*s ...",
			 (int)strcspn(insn.text, " "), insn.text);
}

static const char *text_of(struct wavectl *w, struct wave_insns *insns,
			   const struct amdgpudbg_wave *wave, uint32_t word,
			   const uint8_t *known, size_t size)
{
	struct adbgd_disasm *disasm = disasm_for(w, insns, wave);
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_insn insn;

	if (!disasm)
		return NULL;
	memcpy(bytes, size ? known : (const uint8_t *)&word, size ? size : sizeof(word));
	/* One word is often the whole instruction. */
	if (adbgd_disasm_insn(disasm, wave->pc, bytes, size ? size : sizeof(word), &insn, NULL))
		return NULL;
	if (!size && insn.flow == ADBGD_FLOW_ILLEGAL) {
		size = read_memory(w, wave, word, bytes);
		if (!size || adbgd_disasm_insn(disasm, wave->pc, bytes, size, &insn, NULL)) {
			print_name(insns, disasm, wave, word);
			return insns->text;
		}
	}
	snprintf(insns->text, sizeof(insns->text), "%s", insn.text);
	return insns->text;
}

struct wave_insn wave_insn_get(struct wavectl *w, struct wave_insns *insns,
			       const struct amdgpudbg_wave *wave, const uint8_t *bytes,
			       size_t size)
{
	struct wave_insn insn = { .has_word = size >= sizeof(insn.word) };

	if (insn.has_word)
		memcpy(&insn.word, bytes, sizeof(insn.word));
	else if (!read_word(w, wave, &insn.word))
		return insn;
	insn.text = text_of(w, insns, wave, insn.word, bytes, insn.has_word ? size : 0);
	return insn;
}

void wave_insns_close(struct wave_insns *insns)
{
	adbgd_disasm_free(insns->disasm[0]);
	adbgd_disasm_free(insns->disasm[1]);
}
