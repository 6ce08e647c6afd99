// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl code show: the instructions of a code object in a file, without a process or a GPU.
 */
#include <stdlib.h>

#include <amdgpudbg-debug.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/insn.h"
#include "waves/hold.h"

struct code_show_args {
	uint64_t count;			/* 0: not given */
};

/* All instructions are kept until they are printed. */
#define MAX_INSNS	200000

/* A range of instructions in the file */
struct shown {
	struct adbgd_code *code;
	const char *gpu;
	uint64_t va;
	uint64_t end;
	uint64_t left;			/* instructions that may still be printed */
};

static size_t read_insn(const struct shown *s, uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	size_t size = s->end - s->va < ADBGD_INSN_SIZE_MAX ? s->end - s->va : ADBGD_INSN_SIZE_MAX;

	while (size && adbgd_code_read(s->code, s->va, bytes, size, NULL))
		size--;
	return size;
}

static void emit_insn(struct wavectl *w, const struct shown *s, const struct adbgd_insn *insn)
{
	emit_row(w->emit);
	emit_hex64(w->emit, "address", insn->address);
	code_emit_place_in(w, s->code, insn->address, true);
	insn_emit(w, s->code, insn);
}

/* Print the instructions from s->va to s->end. Returns 0 or the error of adbgd_disasm_new(). */
static int emit_range(struct wavectl *w, struct shown *s, struct adbgd_error *error)
{
	uint32_t lanes = insn_lanes(s->code, s->va);
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_insn insn = { 0 }, last;
	struct adbgd_disasm *disasm;
	bool is_first = true;
	size_t size;
	int ret;

	ret = adbgd_disasm_new(s->gpu, lanes ? lanes : 64, &disasm, error);
	for (; !ret && s->va < s->end && s->left && !hold_interrupted(); s->va += insn.size) {
		last = insn;
		size = read_insn(s, bytes);
		if (!size || adbgd_disasm_insn(disasm, s->va, bytes, size, &insn, NULL))
			break;
		if (!is_first && insn_is_end(NULL, &last, &insn))
			break;
		is_first = false;
		emit_insn(w, s, &insn);
		s->left--;
	}
	if (!ret)
		adbgd_disasm_free(disasm);
	return ret;
}

/* The range of a symbol. Without a size, up to the next symbol or the end of the code. */
static void set_range(struct shown *s, const struct adbgd_symbol *symbol)
{
	const struct adbgd_span *text = &adbgd_code_get_info(s->code)->text;
	const struct adbgd_symbol *next;

	s->va = symbol->address;
	s->end = text->start + text->size;
	if (symbol->size && symbol->size < s->end - s->va)
		s->end = s->va + symbol->size;
	for (size_t i = 0; !symbol->size && (next = adbgd_code_get_symbol(s->code, i)); i++)
		if (next->flags & ADBGD_SYMBOL_CODE && next->address > s->va &&
		    next->address < s->end)
			s->end = next->address;
}

/* Print all kernels, or all instructions if there is none. */
static int emit_all(struct wavectl *w, struct shown *s, struct adbgd_error *error)
{
	const struct adbgd_span *text = &adbgd_code_get_info(s->code)->text;
	const struct adbgd_kernel *kernel;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && (kernel = adbgd_code_get_kernel(s->code, i)); i++) {
		set_range(s, &(struct adbgd_symbol){
			.address = kernel->entry, .size = kernel->size,
		});
		ret = emit_range(w, s, error);
	}
	if (i)
		return ret;
	s->va = text->start;
	s->end = text->start + text->size;
	return emit_range(w, s, error);
}

static const struct adbgd_symbol *find_symbol(const struct adbgd_code *code, const char *name)
{
	const struct adbgd_symbol *symbol = adbgd_code_find_symbol(code, name);

	return symbol && symbol->flags & ADBGD_SYMBOL_CODE ? symbol : NULL;
}

static int show(struct wavectl *w, struct shown *s, const struct adbgd_symbol *symbol)
{
	struct adbgd_error error;
	int ret;

	emit_begin(w->emit);
	emit_table(w->emit, "instructions", true);
	if (symbol) {
		set_range(s, symbol);
		ret = emit_range(w, s, &error);
	} else {
		ret = emit_all(w, s, &error);
	}
	emit_table_end(w->emit);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	if (ret)
		return debug_fail(w, &error);
	emit_str(w->emit, "gpu", s->gpu);
	emit_bool(w->emit, "is_complete", s->left);
	if (!s->left)
		emit_say(w->emit, "there may be more; name a kernel, or use --count");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int open_and_show(struct wavectl *w)
{
	const struct code_show_args *args = w->args;
	const struct adbgd_symbol *symbol = NULL;
	struct shown s = { .left = args->count ? args->count : MAX_INSNS };
	struct adbgd_error error;
	int status;

	if (adbgd_code_open(w->words[0], &s.code, &error))
		return debug_fail(w, &error);
	s.gpu = adbgd_code_get_info(s.code)->gpu;
	if (w->num_words > 1)
		symbol = find_symbol(s.code, w->words[1]);
	if (w->num_words > 1 && !symbol)
		status = fail_with(w, WAVECTL_GONE, NULL, "%s has no code with the name '%s'",
				   w->words[0], w->words[1]);
	else
		status = show(w, &s, symbol);
	adbgd_code_free(s.code);
	return status;
}

static int cmd_code_show(struct wavectl *w)
{
	const struct code_show_args *args = w->args;
	struct hold hold;
	int status;

	if (!w->num_words || w->num_words > 2)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"code show\" takes a file, and optionally the name of a kernel");
	if (args->count > MAX_INSNS)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--count: at most %u instructions can be printed", MAX_INSNS);
	/* The shell catches signals itself. */
	if (w->shell)
		return open_and_show(w);
	status = hold_open(w, &hold, 0);
	if (status)
		return status;
	status = open_and_show(w);
	hold_end(&hold);
	return status;
}

static const struct option_desc opt_count = {
	"count", 'c', "N", "print at most N instructions",
	option_positive, OPTION_OF(struct code_show_args, count),
};

static const struct option_desc *const show_options[] = {
	&opt_count, NULL,
};

const struct command code_show_commands[] = {
	{
		.noun = "code",
		.verb = "show",
		.args = "FILE [KERNEL]",
		.summary = "disassemble a code object in a file, without a process",
		.help = "Prints the instructions of KERNEL, which can be any symbol of code, or of all\n"
			"kernels, with symbols, lines and the targets of branches. The addresses are those\n"
			"of the file. No GPU is needed. Needs LLVM 19.",
		.options = show_options,
		.args_size = sizeof(struct code_show_args),
		.run = cmd_code_show,
	},
	{ .noun = NULL },
};
