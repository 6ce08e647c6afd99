// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The call chain of a wave: each function passes a return address to the one that it calls, which
 * keeps it in SGPRs or saves it where isa/saved.c finds it. Compilers write no rules for that
 * into .debug_frame: those of LLVM 19 are empty.
 */
#include "activation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "isa/flow.h"
#include "kernarg.h"

/* Functions that are inlined at one address */
#define INLINED_MAX	32

/* ------------------------------------------------------------------------ the code */

/*
 * Read instructions: the original ones if they are known, and what is in memory otherwise. What is
 * outside of the instructions of the code object is no instruction.
 */
static int read_code(void *data, uint64_t address, void *buffer, size_t size)
{
	const struct adbgd_backtrace *bt = data;
	const struct adbgd_span *text = &bt->code->info.text;
	const struct adbgd_context *c = &bt->context;
	uint64_t from = address > text->start ? address : text->start;
	uint64_t end = address + size < text->start + text->size ? address + size :
		       text->start + text->size;
	uint8_t *to = buffer;
	int ret;

	if (from >= end)
		return -ENXIO;
	memset(to, 0xff, size);
	ret = adbgd_code_read(bt->code, from, to + (from - address), end - from, NULL);
	if (ret == -ENODATA && bt->memory)
		ret = bt->memory->read(bt->memory->data, from, to + (from - address), end - from);
	else if (ret == -ENODATA && c->read_memory)
		ret = c->read_memory(c->data, ADBGD_SPACE_GLOBAL, 0, from, to + (from - address),
				     end - from);
	return ret;
}

/* Following an instruction takes longer than a step of other loops. */
static int spend(void *data, uint32_t num)
{
	struct adbgd_backtrace *bt = data;

	return adbgd_spend(&bt->code->budget, ADBGD_COST_STEPS, 8 * (uint64_t)num, bt->code->name,
			   NULL);
}

static uint32_t gc_version_of(const struct adbgd_code *code)
{
	unsigned int major = code->gpu->major, minor = 0;

	/* "gfx1033" */
	if (major >= 10 && strlen(code->gpu->name) >= 6 && code->gpu->name[5] >= '0' &&
	    code->gpu->name[5] <= '9')
		minor = code->gpu->name[5] - '0';
	else if (!strcmp(code->gpu->name, "gfx10-3-generic"))
		minor = 3;
	return ADBG_GC_VERSION(major, minor, 0);
}

/* Does a call end at @pc? */
static bool follows_call(struct adbgd_saved_walk *walk, uint64_t pc)
{
	struct adbgd_flow_insn insn;
	struct adbgd_flow_walk flow;
	bool is_call = false;

	if (!adbgd_flow_begin(&flow, &walk->memory, walk->gc_version, pc) &&
	    adbgd_flow_read(&flow, pc - 4, &insn) == 1)
		is_call = insn.num == 1 && insn.next_pc.has_return &&
			  (insn.next_pc.kind == ADBGD_NEXT_PC_REG ||
			   insn.next_pc.kind == ADBGD_NEXT_PC_JUMP);
	adbgd_flow_free(&flow);
	return is_call;
}

/* ---------------------------------------------------------------------- activations */

static struct adbgd_backtrace_entry *add_entry(struct adbgd_backtrace *bt)
{
	struct adbgd_backtrace_entry *entries;

	entries = adbgd_grow(bt->entries, bt->num_entries, &bt->room, sizeof(*entries));
	if (!entries)
		return NULL;
	bt->entries = entries;
	memset(&entries[bt->num_entries], 0, sizeof(*entries));
	return &entries[bt->num_entries++];
}

/* Add an activation's function, and those that are inlined there. */
static int add_frames(struct adbgd_backtrace *bt, unsigned int activation,
		      struct adbgd_error *error)
{
	const struct adbgd_activation *a = &bt->activations[activation];
	struct adbgd_frame frames[INLINED_MAX];
	struct adbgd_backtrace_entry *e;
	size_t i, count = 0;
	int ret;

	ret = adbgd_frames_at(bt->code, a->lookup, frames, INLINED_MAX, &count, error);
	if (ret == -EINTR || ret == -ENOMEM)
		return ret;
	if (ret || !count) {
		count = 1;
		frames[0] = (struct adbgd_frame){ .function = a->name, .entry = a->entry };
	}
	for (i = 0; i < count && i < INLINED_MAX; i++) {
		e = add_entry(bt);
		if (!e)
			return adbgd_no_memory(error, "a call chain");
		e->activation = activation;
		e->frame.pc = a->pc;
		e->frame.lookup = a->lookup;
		e->frame.function = frames[i];
		e->frame.inlined = i;
		e->frame.caller = ADBGD_CALLER_INLINED;
		e->frame.flags = activation ? ADBGD_BACKTRACE_OUTER : 0;
		snprintf(e->how, sizeof(e->how), "inlined");
	}
	/* Only the last one was called. */
	bt->entries[bt->num_entries - 1].frame.caller = ADBGD_CALLER_UNKNOWN;
	return 0;
}

static int add_activation(struct adbgd_backtrace *bt, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_activation *a = &bt->activations[bt->num_activations];
	const struct adbgd_symbol *symbol;

	a->of = bt;
	a->pc = pc;
	a->lookup = bt->num_activations ? pc - 1 : pc;
	symbol = adbgd_code_symbol_at(bt->code, a->lookup);
	/* Of the innermost one, the instruction that was executed last, if it is in the function */
	if (!bt->num_activations && symbol &&
	    symbol == adbgd_code_symbol_at(bt->code, bt->executed))
		a->lookup = bt->executed;
	a->entry = symbol ? symbol->address : 0;
	snprintf(a->name, sizeof(a->name), "%.200s", symbol ? symbol->name : "?");
	return add_frames(bt, bt->num_activations++, error);
}

/* ------------------------------------------------------------------------- callers */

/* Say where the return address is. */
static void describe(struct adbgd_backtrace_entry *e, const struct adbgd_activation *a,
		     uint32_t pair)
{
	struct adbgd_saved_place low, high;
	uint32_t next[2] = { 0 };

	if (!adbgd_saved_sgpr(a->saved, pair, &next[0], &low) ||
	    !adbgd_saved_sgpr(a->saved, pair + 1, &next[1], &high))
		return;
	if (low.where == ADBGD_SAVED_IN_SGPR && high.where == ADBGD_SAVED_IN_SGPR)
		snprintf(e->how, sizeof(e->how), "return address in s%u and s%u", low.number,
			 high.number);
	else if (low.where == ADBGD_SAVED_IN_LANE && high.where == ADBGD_SAVED_IN_LANE)
		snprintf(e->how, sizeof(e->how), "return address in v%u lane %u and v%u lane %u",
			 low.number, low.lane, high.number, high.lane);
	else if (low.where == ADBGD_SAVED_IN_MEMORY && high.where == ADBGD_SAVED_IN_MEMORY)
		snprintf(e->how, sizeof(e->how), "return address in private memory");
	else
		snprintf(e->how, sizeof(e->how), "return address in two places");
}

/* Set why the function has no caller that is known. */
static int end_chain(struct adbgd_backtrace *bt, uint32_t caller, const char *how)
{
	struct adbgd_backtrace_entry *e = &bt->entries[bt->num_entries - 1];

	e->frame.caller = caller;
	snprintf(e->how, sizeof(e->how), "%s", how);
	return 0;
}

static const char *reason(int ret)
{
	switch (ret) {
	case 0:
		return "no path from the entry of the function to the PC was found";
	case -E2BIG:
		return "the function is too large to be followed from its entry";
	case -EOPNOTSUPP:
		return "the instructions of this GPU are not known well enough to follow them";
	default:
		return "the instructions of the function cannot be read";
	}
}

/* Find where the function has saved the registers of its caller. Return: 1; 0; -errno. */
static int find_saved(struct adbgd_backtrace *bt, struct adbgd_saved_walk *walk,
		      struct adbgd_activation *a, struct adbgd_saved_function *function)
{
	const struct adbgd_saved_point point = {
		.entry = a->entry, .pc = a->pc, .is_return = a != bt->activations,
	};
	int ret;

	a->saved = malloc(sizeof(*a->saved));
	if (!a->saved)
		return -ENOMEM;
	ret = adbgd_saved_find(walk, &point, a->saved, function);
	if (ret <= 0) {
		free(a->saved);
		a->saved = NULL;
	}
	return ret;
}

/*
 * The function that was called may have jumped to another one as the last thing that it did, and
 * have changed registers before.
 */
static int check_call(struct adbgd_backtrace *bt, struct adbgd_saved_walk *walk, int found,
		      const struct adbgd_saved_function *caller)
{
	struct adbgd_activation *callee;

	if (bt->num_activations < 2)
		return 0;
	callee = &bt->activations[bt->num_activations - 2];
	if (found > 0 && caller->calls && caller->callee == callee->entry)
		return 0;
	return adbgd_saved_forget_callers(walk, callee->saved, found > 0 && caller->calls ?
					  &caller->callee : NULL);
}

static void find_stack(struct adbgd_backtrace *bt, unsigned int activation)
{
	struct adbgd_backtrace_frame *f = &bt->entries[bt->num_entries - 1].frame;
	uint32_t stack;

	bt->reads = 0;
	if (adbgd_activation_read_entry(bt, activation, false, ADBGD_S_STACK, 0, &stack))
		return;
	f->stack = bt->code->gpu->flat_scratch ? stack : stack / bt->context.lanes;
	f->flags |= ADBGD_BACKTRACE_HAS_STACK;
}

/*
 * Is the last frame one that the chain already has? Stacks grow towards higher addresses, and a
 * function that was called again has another one.
 */
static bool repeats(const struct adbgd_backtrace *bt, uint64_t caller_pc)
{
	const struct adbgd_backtrace_frame *last = &bt->entries[bt->num_entries - 1].frame, *f;
	size_t i;

	for (i = 0; i + 1 < bt->num_entries; i++) {
		f = &bt->entries[i].frame;
		if (f->caller != ADBGD_CALLER_CONVENTION ||
		    !(f->flags & last->flags & ADBGD_BACKTRACE_HAS_STACK))
			continue;
		if (f->stack < last->stack ||
		    (f->stack == last->stack &&
		     bt->activations[bt->entries[i].activation + 1].pc == caller_pc))
			return true;
	}
	return false;
}

static int read_return(struct adbgd_backtrace *bt, unsigned int activation, uint32_t pair,
		       uint64_t *address)
{
	uint32_t low, high;
	int ret;

	bt->reads = 0;
	ret = adbgd_activation_read_entry(bt, activation, false, pair, 0, &low);
	if (!ret)
		ret = adbgd_activation_read_entry(bt, activation, false, pair + 1, 0, &high);
	if (!ret)
		*address = (uint64_t)high << 32 | low;
	return ret;
}

/*
 * Find the caller of the last activation. Return: 1 and its @pc; 0: the chain ends; -errno.
 */
static int find_caller(struct adbgd_backtrace *bt, struct adbgd_saved_walk *walk, uint64_t *pc)
{
	unsigned int activation = bt->num_activations - 1;
	struct adbgd_activation *a = &bt->activations[activation];
	struct adbgd_saved_function function;
	int ret, checked;

	ret = a->entry ? find_saved(bt, walk, a, &function) : 0;
	checked = check_call(bt, walk, ret, &function);
	if (ret == -EINTR || ret == -ENOMEM || checked)
		return checked ? checked : ret;
	if (!a->entry)
		return end_chain(bt, ADBGD_CALLER_UNKNOWN, "no symbol says where the function begins");
	if (adbgd_kernarg_kernel(bt->code, a->lookup))
		return end_chain(bt, ADBGD_CALLER_NONE, "kernel");
	if (ret <= 0)
		return end_chain(bt, ADBGD_CALLER_UNKNOWN, reason(ret));
	find_stack(bt, activation);
	describe(&bt->entries[bt->num_entries - 1], a, function.return_reg);
	if (read_return(bt, activation, function.return_reg, pc))
		return end_chain(bt, ADBGD_CALLER_UNKNOWN, bt->error.text);
	if (*pc % 4 || !adbgd_code_has(bt->code, *pc - 4))
		return end_chain(bt, ADBGD_CALLER_UNKNOWN,
				 "the return address is outside of the code object");
	if (!follows_call(walk, *pc))
		return end_chain(bt, ADBGD_CALLER_UNKNOWN,
				 "the return address does not follow a call");
	if (repeats(bt, *pc))
		return end_chain(bt, ADBGD_CALLER_UNKNOWN, "the chain leads back to itself");
	bt->entries[bt->num_entries - 1].frame.caller = ADBGD_CALLER_CONVENTION;
	return 1;
}

static int follow_chain(struct adbgd_backtrace *bt, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_saved_walk walk = {
		.memory = { .read = read_code, .data = bt }, .gc_version = gc_version_of(bt->code),
		.lanes = bt->context.lanes, .spend = spend, .data = bt,
	};
	int ret;

	adbgd_budget_begin(&bt->code->budget);
	for (;;) {
		ret = add_activation(bt, pc, error);
		if (ret)
			break;
		ret = find_caller(bt, &walk, &pc);
		if (ret < 0)
			adbgd_fail(error, ret, ret == -EINTR ? "interrupted" : "out of memory");
		if (ret <= 0)
			break;
		if (bt->num_activations == ADBGD_ACTIVATIONS_MAX ||
		    bt->num_entries + INLINED_MAX > ADBGD_BACKTRACE_FRAMES_MAX) {
			ret = end_chain(bt, ADBGD_CALLER_UNKNOWN, "there are too many frames");
			break;
		}
	}
	adbgd_saved_end(&walk);
	return ret;
}

ADBGD_API int adbgd_backtrace_new_after(struct adbgd_code *code, uint64_t pc, uint64_t executed,
					const struct adbgd_context *context,
					const struct adbgd_memory *memory,
					struct adbgd_backtrace **backtrace,
					struct adbgd_error *error)
{
	struct adbgd_backtrace *bt;
	size_t i;
	int ret;

	if (!adbgd_code_has(code, pc))
		return adbgd_fail(error, -ENXIO, "the address %#llx is not in %s",
				  (unsigned long long)pc, code->name);
	bt = calloc(1, sizeof(*bt));
	if (!bt)
		return adbgd_no_memory(error, "a call chain");
	bt->code = code;
	bt->context = *context;
	bt->memory = memory;
	bt->executed = executed;
	ret = follow_chain(bt, pc, error);
	if (ret) {
		adbgd_backtrace_free(bt);
		return ret;
	}
	bt->memory = NULL;
	/* The array does not move any more. */
	for (i = 0; i < bt->num_entries; i++)
		bt->entries[i].frame.how = bt->entries[i].how;
	*backtrace = bt;
	return 0;
}

ADBGD_API int adbgd_backtrace_new(struct adbgd_code *code, uint64_t pc,
				  const struct adbgd_context *context,
				  const struct adbgd_memory *memory,
				  struct adbgd_backtrace **backtrace, struct adbgd_error *error)
{
	return adbgd_backtrace_new_after(code, pc, pc, context, memory, backtrace, error);
}

ADBGD_API void adbgd_backtrace_free(struct adbgd_backtrace *backtrace)
{
	unsigned int i;

	if (!backtrace)
		return;
	for (i = 0; i < backtrace->num_activations; i++)
		free(backtrace->activations[i].saved);
	free(backtrace->entries);
	free(backtrace);
}

ADBGD_API const struct adbgd_backtrace_frame *
adbgd_backtrace_get(const struct adbgd_backtrace *backtrace, size_t i)
{
	return i < backtrace->num_entries ? &backtrace->entries[i].frame : NULL;
}
