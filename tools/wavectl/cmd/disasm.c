// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl disasm: instructions with their symbols and lines, a mark at the PC of the selected
 * wave, and the registers of the instruction there.
 */
#include <errno.h>
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
#include "report/from.h"
#include "report/show.h"
#include "waves/hold.h"
#include "waves/regs.h"

/* Zero: not given */
struct disasm_args {
	uint64_t count;
	uint64_t before;
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

/* ----------------------------------------------------------------- halted waves */

/* The halted waves of the process; @list may be NULL. */
struct halted {
	struct adbg_wave_list *list;
	uint64_t *pcs;
	size_t num;
	bool is_near;			/* one of them may be at a listed instruction */
};

/*
 * @va, @size: the addresses of the instructions, or more. Without a list, only the selected wave is
 * marked.
 */
static void halted_read(struct wavectl *w, uint64_t va, uint64_t size, struct halted *h)
{
	const struct debugger *d = w->shell->debugger;
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	const struct amdgpudbg_wave *wave;

	*h = (struct halted){ 0 };
	if (adbg_wave_list_new(&h->list) || adbg_wave_list_fill(h->list, w->session, &what))
		return;
	h->pcs = xcalloc(adbg_wave_list_count(h->list) + 1, sizeof(*h->pcs));
	for (; (wave = adbg_wave_list_get(h->list, h->num)); h->num++) {
		h->pcs[h->num] = d ? adbgd_wave_get_pc(d->process, wave) : wave->pc;
		h->is_near |= h->pcs[h->num] - va < size;
	}
}

static void halted_free(struct halted *h)
{
	adbg_wave_list_free(h->list);
	free(h->pcs);
}

/* Print the mark of an instruction. Returns how many waves are halted there. */
static size_t emit_mark(struct wavectl *w, const struct halted *h, const struct focus *focus,
			uint64_t va)
{
	bool is_here = focus && focus->pc == va;
	size_t num = 0;

	for (size_t i = 0; i < h->num; i++)
		num += h->pcs[i] == va;
	emit_quiet(w->emit, !focus && !h->is_near);
	emit_str(w->emit, "mark", is_here ? "=>" : num ? "*" : "");
	emit_quiet(w->emit, false);
	return num > is_here ? num : is_here;
}

/* ------------------------------------------------------------------ instructions */

/* What is disassembled */
struct listing {
	struct adbgd_disasm *disasm;
	struct focus *focus;		/* NULL: no wave is selected */
	struct halted halted;
	uint64_t va;			/* of the next instruction */
	uint64_t count;
};

static void emit_row_of(struct wavectl *w, struct listing *l, const struct adbgd_insn *insn)
{
	size_t num;

	emit_row(w->emit);
	num = emit_mark(w, &l->halted, l->focus, insn->address);
	emit_hex64(w->emit, "address", insn->address);
	code_emit_place(w, insn->address);
	insn_emit(w, code_at(w->shell->debugger, insn->address), insn);
	/* One wave is what the mark says. */
	emit_quiet(w->emit, num <= 1);
	emit_uint(w->emit, "waves", num);
	emit_quiet(w->emit, false);
	if (l->focus && l->focus->pc == insn->address)
		emit_operands(w, l->focus, insn);
}

/* Set l->va to the address after the instructions. */
static int emit_insns(struct wavectl *w, struct listing *l)
{
	struct adbgd_insn insn = { 0 }, last;
	bool is_end = false;

	emit_begin(w->emit);
	emit_table(w->emit, "instructions", true);
	for (uint64_t num = 0; num < l->count && !hold_interrupted(); num++) {
		last = insn;
		if (!insn_at(w, l->disasm, l->va, &insn))
			break;
		is_end = num && insn_is_end(code_at(w->shell->debugger, last.address), &last,
					    &insn);
		if (is_end)
			break;
		emit_row_of(w, l, &insn);
		l->va += insn.size;
	}
	emit_table_end(w->emit);
	emit_bool(w->emit, "code_ends", is_end);
	if (is_end)
		emit_say(w->emit, "the code ends here");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Move back by the instructions of --before. Returns an exit status. */
static int move_back(struct wavectl *w, struct listing *l, uint64_t before)
{
	if (!insn_before(w, l->disasm, &l->va, &before))
		return fail_with(w, WAVECTL_GONE, "use \"disasm ADDRESS\" with a lower address",
				 "--before: the begin of the code before 0x%016" PRIx64 " is not known",
				 l->va);
	l->count += before;
	return WAVECTL_OK;
}

/* Set *@va to the address after the instructions. */
static int disassemble_at(struct wavectl *w, uint64_t *va, const struct disasm_args *args,
			  struct focus *focus)
{
	struct listing l = {
		.focus = focus, .va = *va, .count = args->count ? args->count : DEFAULT_INSNS,
	};
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_error error;
	int status = WAVECTL_OK;

	if (!insn_read(w, *va, bytes))
		return fail_memory(w, -ENXIO, "read the memory at", *va);
	if (insn_open(w, *va, args->lanes, focus, &l.disasm, &error))
		return debug_fail(w, &error);
	if (args->before)
		status = move_back(w, &l, args->before);
	halted_read(w, l.va, l.count * ADBGD_INSN_SIZE_MAX, &l.halted);
	if (!status)
		status = emit_insns(w, &l);
	*va = l.va;
	halted_free(&l.halted);
	adbgd_disasm_free(l.disasm);
	return status;
}

static int disassemble(struct wavectl *w, uint64_t va, struct focus *focus)
{
	return disassemble_at(w, &va, w->args, focus);
}

int disasm_at(struct wavectl *w, uint64_t *va, uint64_t count)
{
	struct focus focus;
	bool has_focus = focus_try(w, &focus);
	int status = location_check(w, *va);

	if (!status)
		status = disassemble_at(w, va, &(struct disasm_args){ .count = count },
					has_focus ? &focus : NULL);
	focus_close(&focus);
	return status;
}

/* ----------------------------------------------------------------------- command */

/* Start at the PC of the selected wave. */
static int disassemble_here(struct wavectl *w)
{
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = disassemble(w, focus.pc, &focus);
	focus_close(&focus);
	return status;
}

/* With a trap handler of the user there are no names, so that only an address is a location. */
static int find(struct wavectl *w, struct location *location)
{
	uint64_t va;

	if (w->shell->debugger)
		return location_open(w, LOCATION_BEGIN, location);
	if (w->num_words != 1 || !parse_u64(w->words[0], UINT64_MAX, &va) || va & 3)
		return fail_with(w, WAVECTL_USAGE, "trap install --off",
				 "names are not available while another trap handler is installed, "
				 "only addresses are");
	location->va = xcalloc(1, sizeof(*location->va));
	location->va[0] = va;
	location->num = 1;
	return WAVECTL_OK;
}

static int cmd_disasm(struct wavectl *w)
{
	struct location location = { .num = 0 };
	struct focus focus;
	bool has_focus;
	int status;

	if (w->from)
		return report_from(w, report_show_code);
	status = debug_open_reader(w);
	if (status)
		return status;
	if (!w->num_words)
		return disassemble_here(w);
	status = find(w, &location);
	if (status)
		return status;
	has_focus = focus_try(w, &focus);
	/* For a line with code at several addresses, each of them */
	for (size_t i = 0; !status && i < location.num; i++)
		status = disassemble(w, location.va[i], has_focus ? &focus : NULL);
	focus_close(&focus);
	location_free(&location);
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

static const struct option_desc opt_before = {
	"before", 0, "N", "also print N instructions before the location",
	option_positive, OPTION_OF(struct disasm_args, before),
};

static const struct option_desc opt_lanes = {
	"lanes", 0, "N", "wave size: 32 or 64 lanes",
	parse_wave_size, OPTION_OF(struct disasm_args, lanes),
};

static const struct option_desc *const disasm_options[] = {
	TARGET_OPTIONS, &opt_insns, &opt_before, &opt_lanes, &opt_from, NULL,
};

const struct command disasm_commands[] = {
	{
		.noun = "disasm",
		.args = "[LOCATION]",
		.summary = "disassemble the code of a process, in a shell or batch",
		.help = LOCATION_HELP
			"Without an argument, start at the PC of the selected wave. The mark => is at that\n"
			"PC; the registers of that instruction are printed below it, VGPRs for the selected\n"
			"lane. The mark * is at the PCs of other halted waves. WAVES is their number, if\n"
			"it is not one. For a branch, its target is printed. The list ends where the code\n"
			"ends. Needs LLVM 19. Breakpoints do not appear in the code. After \"trap install\"\n"
			"or \"trap set\", LOCATION is an address.",
		.options = disasm_options,
		.args_size = sizeof(struct disasm_args),
		.run = cmd_disasm,
	},
	{ .noun = NULL },
};
