// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code around the PCs of the waves of a report: instructions, and the bytes, which "mem read"
 * and "x" print.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/insn.h"
#include "debug/source.h"
#include "report/collect_code.h"
#include "waves/hold.h"

#define NUM_BEFORE	24
#define NUM_AFTER	16
#define MAX_PLACES	128
#define MAX_BYTES	4096

static void put_insn(struct json_object *array, struct wavectl *view,
		     const struct adbgd_insn *insn, uint64_t pc)
{
	const struct debugger *d = view->shell->debugger;
	struct json_object *o = json_push(array);
	struct place place;

	json_put_text(o, "mark", insn->address == pc ? "=>" : "");
	json_put_address(o, "address", insn->address);
	if (code_name_place(d, insn->address, &place))
		json_put_text(o, "place", place.text);
	json_put_text(o, "instruction", insn->text);
	if (!insn->target)
		return;
	json_put_address(o, "target", insn->target);
	if (code_name_place(d, insn->target, &place))
		json_put_text(o, "target_place", place.symbol);
}

#define LINES_AROUND	3

/* Files that the target names are not opened, except below the folder of the user. */
static struct adbgd_source *open_source(struct wavectl *view, struct adbgd_code *code,
					const char *file)
{
	const char *const folders[] = { view->directory, NULL };
	struct adbgd_source *source;

	if (view->directory && !adbgd_source_open(file, folders, NULL, &source, NULL))
		return source;
	return adbgd_source_open_embedded(code, file, &source, NULL) ? NULL : source;
}

/* The source lines around the PC, if they are available */
static void put_source(struct json_object *o, struct wavectl *view, uint64_t pc)
{
	struct adbgd_code *code = code_at(view->shell->debugger, pc);
	struct json_object *array, *row;
	struct adbgd_source *source;
	struct place place;
	const char *line;
	uint32_t first;
	char *text;

	if (!code_name_place_in(code, pc, &place) || !place.file)
		return;
	source = open_source(view, code, place.file);
	if (!source)
		return;
	array = json_put_array(o, "source");
	first = place.line > LINES_AROUND ? place.line - LINES_AROUND : 1;
	for (uint32_t i = first; i <= place.line + LINES_AROUND; i++) {
		line = adbgd_source_get_line(source, i);
		if (!line)
			break;
		text = source_expand(line);
		row = json_push(array);
		json_put_text(row, "mark", i == place.line ? "=>" : "");
		json_put_uint(row, "line", i);
		json_put_text(row, "text", text);
		free(text);
	}
	adbgd_source_free(source);
}

/* The bytes from @begin to @end, for "mem read" and "x" */
static void add_memory(struct collector *c, struct report_process *p, uint64_t begin,
		       uint64_t end)
{
	struct json_object *array = json_get(c->root, "memory"), *o;
	uint64_t bytes = end - begin < MAX_BYTES ? end - begin : MAX_BYTES;
	uint32_t words[MAX_BYTES / 4];
	struct adbgd_memory memory;

	debug_get_memory(&p->debugger, &memory);
	if (memory.read(memory.data, begin, words, bytes))
		return;
	o = json_push(array);
	json_put_uint(o, "pid", p->pid);
	json_put_address(o, "address", begin);
	json_put_words(o, "words", words, bytes / 4);
}

static void add_insns(struct collector *c, struct report_process *p, struct adbgd_disasm *disasm,
		      uint64_t pc)
{
	struct json_object *o = json_push(json_get(c->root, "code")), *array;
	struct adbgd_insn insn = { 0 }, last;
	uint64_t num = NUM_BEFORE, va = pc, begin;

	if (!insn_before(&p->view, disasm, &va, &num))
		num = 0;
	begin = va;
	json_put_uint(o, "pid", p->pid);
	json_put_address(o, "pc", pc);
	put_source(o, &p->view, pc);
	array = json_put_array(o, "instructions");
	for (num += NUM_AFTER; num && !hold_interrupted(); num--, va += insn.size) {
		last = insn;
		if (!insn_at(&p->view, disasm, va, &insn))
			break;
		if (va > pc && insn_is_end(code_at(&p->debugger, last.address), &last, &insn))
			break;
		put_insn(array, &p->view, &insn, pc);
	}
	if (va > begin)
		add_memory(c, p, begin, va);
}

/* Without LLVM, only the bytes */
static void add_place(struct collector *c, struct report_process *p,
		      const struct amdgpudbg_wave *wave)
{
	struct adbgd_disasm *disasm;
	uint64_t begin = wave->pc - 64;

	if (insn_open(&p->view, wave->pc, wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32, NULL,
		      &disasm, NULL)) {
		add_memory(c, p, begin, wave->pc + 64);
		return;
	}
	add_insns(c, p, disasm, wave->pc);
	adbgd_disasm_free(disasm);
}

void report_collect_code(struct collector *c)
{
	const struct amdgpudbg_wave *wave;
	struct report_process *p;
	size_t places = 0;

	json_put_array(c->root, "code");
	json_put_array(c->root, "memory");
	for (size_t i = 0; (wave = adbg_wave_list_get(c->list, i)) && places < MAX_PLACES &&
	     !hold_interrupted(); i++) {
		p = wave->flags & AMDGPUDBG_WAVE_PASID ? collector_process(c, wave->pasid) : NULL;
		if (!p || collector_has_before(c, i))
			continue;
		add_place(c, p, wave);
		places++;
	}
}
