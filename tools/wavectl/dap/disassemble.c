// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The request "disassemble": see disassemble.h. A client may ask for instructions before an
 * address. Where one begins is only known from the beginning of its function on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/disassemble.h"
#include "dap/memory.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/stack.h"
#include "dap/wave.h"
#include "debug/code.h"
#include "debug/insn.h"
#include "waves/hold.h"

#define INSTRUCTIONS_MAX	100000
/* Longer functions are not decoded to find the instructions before an address. */
#define FUNCTION_MAX		(4u << 20)
/* The size of what stands for an instruction where none is known */
#define UNKNOWN_SIZE		4

struct listing {
	struct dap *d;
	struct json_object *array;
	struct adbgd_disasm *disasm;	/* NULL: without LLVM */
	bool has_symbols;
};

/* Addresses in ascending order */
struct addresses {
	uint64_t *all;
	size_t num;
	size_t room;
};

static void add(struct addresses *a, uint64_t va)
{
	if (a->num == a->room) {
		a->room = a->room ? 2 * a->room : 256;
		a->all = xreallocarray(a->all, a->room, sizeof(*a->all));
	}
	a->all[a->num++] = va;
}

static size_t length_at(struct dap *d, uint64_t va, uint8_t bytes[ADBGD_INSN_SIZE_MAX])
{
	uint32_t gc_version = adbg_session_get_gc_version(d->w->session);
	size_t size = insn_read(d->w, va, bytes);

	return size ? adbgd_insn_length(gc_version, bytes, size) : 0;
}

/* --------------------------------------------------------- instructions before an address */

/*
 * Find the instructions from the beginning of the function that contains @end - 4 to @end.
 * Returns the address of the first one; @end: none is known.
 */
static uint64_t decode_before(struct dap *d, uint64_t end, struct addresses *a)
{
	struct adbgd_code *code = code_at(d->shell.debugger, end - UNKNOWN_SIZE);
	const struct adbgd_symbol *symbol;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	uint64_t va;

	a->num = 0;
	symbol = code ? adbgd_code_symbol_at(code, end - UNKNOWN_SIZE) : NULL;
	if (!symbol || end - symbol->address > FUNCTION_MAX)
		return end;
	for (va = symbol->address; va < end && !hold_interrupted();) {
		size_t length = length_at(d, va, bytes);

		if (!length)
			break;
		add(a, va);
		va += length;
	}
	/* If they do not end at @end, they are not those that are executed. */
	if (va != end) {
		a->num = 0;
		return end;
	}
	return symbol->address;
}

/*
 * Find the address @count instructions before @va. *@missing: so many of them are not known, and
 * come before it
 */
static uint64_t go_back(struct dap *d, uint64_t va, uint64_t count, uint64_t *missing)
{
	struct addresses a = { 0 };

	while (count) {
		uint64_t first = decode_before(d, va, &a);

		if (first == va)
			break;
		if (a.num >= count) {
			va = a.all[a.num - count];
			count = 0;
			break;
		}
		count -= a.num;
		va = first;
	}
	free(a.all);
	*missing = count;
	return va;
}

/* ------------------------------------------------------------------- one instruction */

static void push_unknown(struct json_object *array, uint64_t va)
{
	struct json_object *object = json_push(array);

	json_put_address(object, "address", va);
	json_put_text(object, "instruction", "(unknown)");
	json_put_text(object, "presentationHint", "invalid");
}

static void put_place(struct listing *l, struct json_object *object, uint64_t va)
{
	struct dap *d = l->d;
	struct stack_frame frame;

	if (!stack_name(d, va, &frame))
		return;
	if (l->has_symbols)
		json_put_text(object, "symbol", frame.name);
	if (!frame.file)
		return;
	place_put_source(d, object, "location", frame.code, frame.file);
	json_put_number(object, "line", (int64_t)frame.line - 1 + d->first_line);
}

static void put_bytes(struct json_object *object, const uint8_t *bytes, size_t size)
{
	char *text = NULL;

	for (size_t i = 0; i < size; i++)
		xappend(&text, "%s%02x", i ? " " : "", bytes[i]);
	json_put_text(object, "instructionBytes", text);
	free(text);
}

/* Add the instruction at @va. Returns its size. */
static size_t push_one(struct listing *l, uint64_t va)
{
	uint8_t bytes[ADBGD_INSN_SIZE_MAX] = { 0 };
	size_t length = length_at(l->d, va, bytes);
	struct json_object *object;
	struct adbgd_insn insn;
	uint32_t word;

	if (!length) {
		push_unknown(l->array, va);
		return UNKNOWN_SIZE;
	}
	object = json_push(l->array);
	json_put_address(object, "address", va);
	put_bytes(object, bytes, length);
	if (l->disasm && !adbgd_disasm_insn(l->disasm, va, bytes, length, &insn, NULL)) {
		json_put_text(object, "instruction", insn.text);
	} else {
		char text[32];

		memcpy(&word, bytes, sizeof(word));
		snprintf(text, sizeof(text), ".long 0x%08" PRIx32, word);
		json_put_text(object, "instruction", text);
	}
	put_place(l, object, va);
	return length;
}

/* Add @missing instructions before @va that are not known, and those from @va on. */
static void push_all(struct listing *l, uint64_t va, uint64_t missing, uint64_t count)
{
	for (; missing && count; missing--, count--)
		push_unknown(l->array, va - missing * UNKNOWN_SIZE);
	while (count-- && !hold_interrupted())
		va += push_one(l, va);
}

static int start(struct dap *d, struct request *r, uint64_t *va)
{
	const char *text = json_text(r->arguments, "memoryReference");
	struct reference reference;
	int64_t offset = 0;

	if (wave_need_process(d, r))
		return -1;
	if (!text || !memory_parse(text, &reference) || reference.thread)
		return out_fail(r, "'%s' is not an address of code", text ? text : "");
	json_number(r->arguments, "offset", &offset);
	*va = reference.address.va + (uint64_t)offset;
	return *va % 4 ? out_fail(r, "instructions are at multiples of 4") : 0;
}

int disassemble(struct dap *d, struct request *r)
{
	uint64_t count = json_count(r->arguments, "instructionCount", 0), missing = 0, va = 0;
	struct listing l = {
		.d = d, .has_symbols = json_flag(r->arguments, "resolveSymbols", false),
	};
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	int64_t skip = 0;

	if (start(d, r, &va))
		return -1;
	json_number(r->arguments, "instructionOffset", &skip);
	if (count > INSTRUCTIONS_MAX || skip < -INSTRUCTIONS_MAX || skip > INSTRUCTIONS_MAX)
		return out_fail(r, "at most %u instructions can be shown", INSTRUCTIONS_MAX);
	if (!code_at(d->shell.debugger, va))
		place_refresh(d);
	if (skip < 0)
		va = go_back(d, va, (uint64_t)-skip, &missing);
	for (; skip > 0; skip--)
		va += length_at(d, va, bytes) ?: UNKNOWN_SIZE;
	if (insn_open(d->w, va, 0, NULL, &l.disasm, NULL))
		l.disasm = NULL;
	l.array = json_put_array(r->body, "instructions");
	push_all(&l, va, missing, count);
	adbgd_disasm_free(l.disasm);
	return hold_interrupted() ? out_fail(r, "interrupted") : 0;
}
