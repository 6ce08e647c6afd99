// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of the process: see insn.h.
 */
#include "debug/insn.h"

#include "debug/code.h"

size_t insn_read(struct wavectl *w, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_code *code = code_at(d, va);
	struct adbgd_memory memory;
	size_t size;

	adbgd_process_get_memory(d->process, &memory);
	/* The last instruction may end where the mapping ends. */
	for (size = ADBGD_INSN_SIZE_MAX; size; size -= 4)
		if (!memory.read(memory.data, va, bytes, size))
			return size;
	/* The process may have ended. */
	for (size = ADBGD_INSN_SIZE_MAX; code && size; size -= 4)
		if (!adbgd_code_read(code, va, bytes, size, NULL))
			return size;
	return 0;
}

static uint32_t lanes_of(const struct wavectl *w, uint64_t va, const struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_code *code = code_at(d, va);

	if (code && adbgd_code_get_info(code)->lanes)
		return adbgd_code_get_info(code)->lanes;
	return focus ? focus->lanes : 32;
}

int insn_open(struct wavectl *w, uint64_t va, uint32_t lanes, const struct focus *focus,
	      struct adbgd_disasm **disasm, struct adbgd_error *error)
{
	const struct debugger *d = w->shell->debugger;

	return adbgd_disasm_new(adbgd_process_get_info(d->process)->gpu,
				lanes ? lanes : lanes_of(w, va, focus), disasm, error);
}

bool insn_at(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va,
	     struct adbgd_insn *insn)
{
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	size_t size = insn_read(w, va, bytes);

	return size && !adbgd_disasm_insn(disasm, va, bytes, size, insn, NULL);
}
