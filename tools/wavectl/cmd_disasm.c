// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl disasm: instructions, with their places, where the wave in focus is, and what the
 * registers of the instruction there hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "focus.h"
#include "location.h"

#define DEFAULT_INSNS	8

/* As in ADBGD_OPERANDS_MAX operands: 16 registers at most are of one */
static void operand_name(const struct wavectl *w, uint32_t space, uint32_t number, uint32_t lane,
			 char name[ADBG_REG_NAME_MAX + 8])
{
	uint32_t gc_version = adbg_session_get_gc_version(w->session);

	if (space == ADBGD_REG_EXEC)
		snprintf(name, ADBG_REG_NAME_MAX, number ? "exec_hi" : "exec_lo");
	else
		adbg_reg_name(gc_version, space, number, name);
	if (space == AMDGPUDBG_REG_VGPR)
		snprintf(name, ADBG_REG_NAME_MAX + 8, "v%u[%u]", number, lane);
}

static bool is_known(uint32_t space)
{
	return space == AMDGPUDBG_REG_SGPR || space == AMDGPUDBG_REG_VGPR ||
	       space == AMDGPUDBG_REG_TTMP || space == ADBGD_REG_EXEC;
}

/* What the instruction finds there; of VGPRs, in the lane that is in focus */
static void emit_operands(struct wavectl *w, struct focus *focus, const struct adbgd_insn *insn)
{
	uint32_t lane = focus_lane(focus), value;
	char name[ADBG_REG_NAME_MAX + 8];

	emit_members(w->emit, "operands");
	for (uint32_t i = 0; i < insn->num_operands; i++) {
		const struct adbgd_operand *o = &insn->operands[i];

		if (!is_known(o->space))
			continue;
		for (uint32_t n = o->number; n < o->number + o->count; n++) {
			if (focus_read(focus, o->space, n, lane, &value))
				continue;
			operand_name(w, o->space, n, lane, name);
			emit_hex_line(w->emit, name, value);
		}
	}
	emit_members_end(w->emit);
}

/* The bytes from @va on, as many as there are of an instruction; 0: none */
static size_t read_insn(struct wavectl *w, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	const struct debugger *d = w->dialogue->debugger;
	struct adbgd_memory memory;
	size_t size;

	d->adbgd_process_get_memory(d->process, &memory);
	/* The last one may be all that is mapped. */
	for (size = ADBGD_INSN_SIZE_MAX; size; size -= 4)
		if (!memory.read(memory.data, va, bytes, size))
			break;
	return size;
}

static int emit_insns(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t va, uint64_t num,
		      struct focus *focus)
{
	const struct debugger *d = w->dialogue->debugger;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_insn insn;
	size_t size;

	emit_begin(w->emit);
	emit_table(w->emit, "instructions", true);
	for (; num; num--, va += insn.size) {
		bool is_here = focus && focus->pc == va;

		size = read_insn(w, va, bytes);
		if (!size || d->adbgd_disasm_insn(disasm, va, bytes, size, &insn, NULL))
			break;
		emit_row(w->emit);
		emit_quiet(w->emit, !focus);
		emit_str(w->emit, "mark", is_here ? "=>" : "");
		emit_quiet(w->emit, false);
		emit_hex64(w->emit, "address", va);
		code_emit_place(w, va);
		emit_str(w->emit, "instruction", insn.text);
		if (is_here)
			emit_operands(w, focus, &insn);
	}
	emit_table_end(w->emit);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static uint32_t lanes_of(const struct wavectl *w, uint64_t va, const struct focus *focus)
{
	const struct debugger *d = w->dialogue->debugger;
	const struct adbgd_code *code = code_at(d, va);

	if (w->lanes)
		return w->lanes;
	if (code && d->adbgd_code_get_info(code)->lanes)
		return d->adbgd_code_get_info(code)->lanes;
	return focus ? focus->lanes : 32;
}

static int disassemble(struct wavectl *w, uint64_t va, struct focus *focus)
{
	const struct debugger *d = w->dialogue->debugger;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_disasm *disasm;
	struct adbgd_error error;
	int status;

	if (!read_insn(w, va, bytes))
		return fail_with(w, WAVECTL_GONE, "see \"vm map\"",
				 "nothing can be read at 0x%016" PRIx64, va);
	if (d->adbgd_disasm_new(d->adbgd_process_get_info(d->process)->gpu,
				lanes_of(w, va, focus), &disasm, &error))
		return debug_fail(w, &error);
	status = emit_insns(w, disasm, va, w->count ? w->count : DEFAULT_INSNS, focus);
	d->adbgd_disasm_free(disasm);
	return status;
}

/* Where the wave in focus is */
static int disassemble_here(struct wavectl *w)
{
	struct focus focus;
	int status = debug_open_target(w);

	if (status)
		return status;
	status = focus_open(w, &focus);
	if (!status)
		status = disassemble(w, focus.pc, &focus);
	focus_close(&focus);
	return status;
}

int cmd_disasm(struct wavectl *w)
{
	struct location location;
	struct focus focus;
	bool has_focus;
	int status;

	if (!w->num_words)
		return disassemble_here(w);
	status = location_open(w, LOCATION_BEGIN, &location);
	if (status)
		return status;
	has_focus = focus_try(w, &focus);
	/* Of a line that has several places, each */
	for (size_t i = 0; !status && i < location.num; i++)
		status = disassemble(w, location.va[i], has_focus ? &focus : NULL);
	focus_close(&focus);
	free(location.va);
	return status;
}
