// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl disasm: instructions with their symbols and lines, a mark at the PC of the selected
 * wave, and the registers of the instruction there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "cmd/disasm.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "debug/insn.h"
#include "debug/location.h"
#include "waves/regs.h"

/* Zero: not given */
struct disasm_args {
	uint64_t count;
	uint32_t lanes;			/* of the wave */
};

#define DEFAULT_INSNS	8

/* An operand has at most 16 registers. */
static void operand_name(const struct wavectl *w, uint32_t space, uint32_t number, uint32_t lane,
			 char name[ADBG_REG_NAME_MAX + 8])
{
	char text[ADBG_REG_NAME_MAX];

	if (space == ADBGD_REG_EXEC)
		snprintf(name, ADBG_REG_NAME_MAX, number ? "exec_hi" : "exec_lo");
	else if (space == AMDGPUDBG_REG_VGPR)
		snprintf(name, ADBG_REG_NAME_MAX + 8, "v%u[%u]", number, lane);
	else
		strcpy(name, reg_shown_name(adbg_session_get_gc_version(w->session), space,
					    number, text));
}

static bool is_known(uint32_t space)
{
	return space == AMDGPUDBG_REG_SGPR || space == AMDGPUDBG_REG_VGPR ||
	       space == AMDGPUDBG_REG_TTMP || space == ADBGD_REG_EXEC;
}

/* Print the registers of the operands; of VGPRs, the value in the selected lane. */
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

/* @at: the first address; set to the one after the instructions */
static int emit_insns(struct wavectl *w, struct adbgd_disasm *disasm, uint64_t *at, uint64_t num,
		      struct focus *focus)
{
	struct adbgd_insn insn;
	uint64_t va = *at;

	emit_begin(w->emit);
	emit_table(w->emit, "instructions", true);
	for (; num; num--, va += insn.size) {
		bool is_here = focus && focus->pc == va;

		if (!insn_at(w, disasm, va, &insn))
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
	*at = va;
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* @lanes: of the wave; 0: not given */
static int disassemble_at(struct wavectl *w, uint64_t *at, uint64_t count, uint32_t lanes,
			  struct focus *focus)
{
	uint64_t va = *at;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_disasm *disasm;
	struct adbgd_error error;
	int status;

	if (!insn_read(w, va, bytes))
		return fail_with(w, WAVECTL_GONE, "see \"vm map\"",
				 "cannot read the memory at 0x%016" PRIx64, va);
	if (insn_open(w, va, lanes, focus, &disasm, &error))
		return debug_fail(w, &error);
	status = emit_insns(w, disasm, at, count, focus);
	adbgd_disasm_free(disasm);
	return status;
}

static int disassemble(struct wavectl *w, uint64_t va, struct focus *focus)
{
	const struct disasm_args *args = w->args;

	return disassemble_at(w, &va, args->count ? args->count : DEFAULT_INSNS, args->lanes,
			      focus);
}

int disasm_at(struct wavectl *w, uint64_t *va, uint64_t count)
{
	struct focus focus;
	bool has_focus = focus_try(w, &focus);
	int status = location_check(w, *va);

	if (!status)
		status = disassemble_at(w, va, count, 0, has_focus ? &focus : NULL);
	focus_close(&focus);
	return status;
}

/* Start at the PC of the selected wave. */
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

static int cmd_disasm(struct wavectl *w)
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
	/* For a line with code at several addresses, each of them */
	for (size_t i = 0; !status && i < location.num; i++)
		status = disassemble(w, location.va[i], has_focus ? &focus : NULL);
	focus_close(&focus);
	free(location.va);
	return status;
}

static bool parse_wave_size(const char *arg, void *member)
{
	uint64_t lanes;

	if (!parse_u64(arg, 64, &lanes) || (lanes != 32 && lanes != 64))
		return false;
	*(uint32_t *)member = lanes;
	return true;
}

static const struct option_desc opt_insns = {
	"count", 'c', "N", "number of instructions (default: 8)",
	option_positive, OPTION_OF(struct disasm_args, count),
};

static const struct option_desc opt_lanes = {
	"lanes", 0, "N", "wave size: 32 or 64 lanes",
	parse_wave_size, OPTION_OF(struct disasm_args, lanes),
};

static const struct option_desc *const disasm_options[] = {
	TARGET_OPTIONS, &opt_insns, &opt_lanes, NULL,
};

const struct command disasm_commands[] = {
	{
		.noun = "disasm",
		.args = "[LOCATION]",
		.summary = "disassemble the code of a process, in a shell or batch",
		.help = LOCATION_HELP
			"Without an argument, start at the PC of the selected wave. The mark => is at that\n"
			"PC; the registers of that instruction are printed below it, VGPRs for the selected\n"
			"lane. Needs LLVM 19. Breakpoints do not appear in the code.",
		.options = disasm_options,
		.args_size = sizeof(struct disasm_args),
		.run = cmd_disasm,
	},
	{ .noun = NULL },
};
