// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of the process: see insn.h.
 */
#include "debug/insn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/code.h"
#include "waves/hold.h"

/* ------------------------------------------------------------------------ memory */

static int read_code(struct wavectl *w, uint64_t va, void *bytes, size_t size)
{
	const struct debugger *d = w->shell->debugger;
	struct adbgd_memory memory;

	if (!d)
		return adbg_vm_read(w->session, w->pid, va, bytes, size);
	debug_get_memory(d, &memory);
	return memory.read(memory.data, va, bytes, size);
}

size_t insn_read(struct wavectl *w, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	const struct adbgd_code *code = code_at(w->shell->debugger, va);
	size_t size;

	/* The last instruction may end where the mapping ends. */
	for (size = ADBGD_INSN_SIZE_MAX; size; size -= 4)
		if (!read_code(w, va, bytes, size))
			return size;
	/* The process may have ended. */
	for (size = ADBGD_INSN_SIZE_MAX; code && size; size -= 4)
		if (!adbgd_code_read(code, va, bytes, size, NULL))
			return size;
	return 0;
}

/* ------------------------------------------------------------------ disassembler */

uint32_t insn_lanes(const struct adbgd_code *code, uint64_t va)
{
	const struct adbgd_kernel *kernel;

	for (size_t i = 0; code && (kernel = adbgd_code_get_kernel(code, i)); i++)
		if (va - kernel->entry < kernel->size)
			return kernel->lanes;
	return code ? adbgd_code_get_info(code)->lanes : 0;
}

/*
 * The size of the waves that execute the code at @va: that of the wave there, else as the code
 * object says, else that of the selected wave.
 */
static uint32_t lanes_of(const struct wavectl *w, uint64_t va, const struct focus *focus)
{
	const struct adbgd_code *code = code_at(w->shell->debugger, va);
	uint32_t lanes = insn_lanes(code, va);

	if (focus && focus->pc == va)
		return focus->lanes;
	if (lanes)
		return lanes;
	return focus ? focus->lanes : 32;
}

int insn_open(struct wavectl *w, uint64_t va, uint32_t lanes, const struct focus *focus,
	      struct adbgd_disasm **disasm, struct adbgd_error *error)
{
	return adbgd_disasm_new(debug_gpu(w), lanes ? lanes : lanes_of(w, va, focus), disasm,
				error);
}

bool insn_at(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va,
	     struct adbgd_insn *insn)
{
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	size_t size = insn_read(w, va, bytes);

	return size && !adbgd_disasm_insn(disasm, va, bytes, size, insn, NULL);
}

/* ------------------------------------------------------------- begin and end of code */

bool insn_is_end(const struct adbgd_code *code, const struct adbgd_insn *last,
		 const struct adbgd_insn *next)
{
	if (last->flow != ADBGD_FLOW_END && last->flow != ADBGD_FLOW_BRANCH &&
	    last->flow != ADBGD_FLOW_JUMP_REG)
		return false;
	if (next->flow == ADBGD_FLOW_ILLEGAL)
		return true;
	return code && adbgd_code_symbol_at(code, last->address) !=
		       adbgd_code_symbol_at(code, next->address);
}

/* Code begins at a multiple of this: registers such as COMPUTE_PGM_LO have no lower bits. */
#define CODE_ALIGN	256
#define PAGE_BYTES	4096
#define MAX_BACK	(1 << 20)
/* What is not code and lies before it: padding, or memory that was never written */
#define S_CODE_END	0xbf9f0000
#define NUM_PADDING	2
#define NUM_ZEROS	4

/*
 * Find the last words of @page that are padding, or were never written. Returns the index of the
 * word behind them; 0: there are none.
 */
static size_t find_padding(const uint32_t *page, size_t num)
{
	size_t padding = 0, zeros = 0;

	while (num--) {
		padding = page[num] == S_CODE_END ? padding + 1 : 0;
		zeros = !page[num] ? zeros + 1 : 0;
		if (padding == NUM_PADDING || zeros == NUM_ZEROS)
			return num + (padding ? NUM_PADDING : NUM_ZEROS);
	}
	return 0;
}

/*
 * Find where the code around @va begins if no symbol says it: behind padding or unwritten memory,
 * or where the mapping begins.
 */
static uint64_t find_begin(struct wavectl *w, uint64_t va)
{
	uint32_t page[PAGE_BYTES / 4];
	uint64_t at = va & ~(uint64_t)(PAGE_BYTES - 1), begin = va;
	size_t bytes = va - at, words;

	while (va - at <= MAX_BACK && !hold_interrupted()) {
		if (bytes && read_code(w, at, page, bytes))
			break;
		words = find_padding(page, bytes / 4);
		begin = at + 4 * words;
		if (words || at < PAGE_BYTES)
			break;
		at -= PAGE_BYTES;
		bytes = PAGE_BYTES;
	}
	begin = (begin + CODE_ALIGN - 1) & ~(uint64_t)(CODE_ALIGN - 1);
	return begin < va ? begin : va;
}

static uint64_t begin_of(struct wavectl *w, uint64_t va)
{
	const struct adbgd_code *code = code_at(w->shell->debugger, va);
	const struct adbgd_symbol *symbol = code ? adbgd_code_symbol_at(code, va) : NULL;

	return symbol ? symbol->address : find_begin(w, va);
}

/* Without LLVM where possible, which takes longer. 0: no instruction */
static size_t length_at(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va,
			const uint8_t *bytes, size_t size)
{
	struct adbgd_insn insn;
	size_t length = adbgd_insn_length(adbg_session_get_gc_version(w->session), bytes,
					  size < ADBGD_INSN_SIZE_MAX ? size : ADBGD_INSN_SIZE_MAX);

	if (length || adbgd_disasm_insn(disasm, va, bytes, size, &insn, NULL))
		return length;
	return insn.size;
}

/* Read the code from @begin to @va. The caller frees it. */
static uint8_t *read_range(struct wavectl *w, uint64_t begin, uint64_t size)
{
	const struct adbgd_code *code = code_at(w->shell->debugger, begin);
	uint8_t *bytes = xcalloc(1, size + 1);

	if (!read_code(w, begin, bytes, size) ||
	    (code && !adbgd_code_read(code, begin, bytes, size, NULL)))
		return bytes;
	free(bytes);
	return NULL;
}

bool insn_before(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t *va, uint64_t *num)
{
	uint64_t begin = begin_of(w, *va), size = *va - begin, at = 0, count = 0, length = 1;
	uint64_t *starts;
	uint8_t *bytes;

	if (!size)
		*num = 0;
	if (!*num)
		return true;
	bytes = size <= MAX_BACK ? read_range(w, begin, size) : NULL;
	if (!bytes)
		return false;
	starts = xcalloc(size / 4 + 1, sizeof(*starts));
	for (; at < size && length && !hold_interrupted(); at += length) {
		starts[count++] = begin + at;
		length = length_at(w, disasm, begin + at, bytes + at, size - at);
	}
	if (at == size && *num > count)
		*num = count;
	if (at == size)
		*va = starts[count - *num];
	free(starts);
	free(bytes);
	return at == size;
}

/* ------------------------------------------------------------------------- output */

void insn_emit(struct wavectl *w, struct adbgd_code *code, const struct adbgd_insn *insn)
{
	struct place place;

	emit_str(w->emit, "instruction", insn->text);
	if (!insn->target) {
		emit_quiet(w->emit, true);
		emit_none(w->emit, "target");
		emit_none(w->emit, "target_place");
		emit_quiet(w->emit, false);
		return;
	}
	emit_hex64(w->emit, "target", insn->target);
	if (code_name_place_in(code, insn->target, &place)) {
		emit_str(w->emit, "target_place", place.symbol);
	} else {
		emit_quiet(w->emit, true);
		emit_none(w->emit, "target_place");
		emit_quiet(w->emit, false);
	}
}

void insn_emit_wave(struct wavectl *w, struct wave_insns *insns,
		    const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct wave_insn insn;
	size_t size = 0;
	char *why;

	if (d && !d->memory.read && !(wave->flags & AMDGPUDBG_WAVE_PRIV))
		size = insn_read(w, adbgd_wave_get_pc(d->process, wave), bytes);
	insn = wave_insn_get(w, insns, wave, bytes, size);
	why = debug_why(w, wave);
	emit_wave(w, wave, &insn, why);
	free(why);
}
