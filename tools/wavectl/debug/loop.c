// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the loops in the steps of a wave: see loop.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/code.h"
#include "debug/loop.h"
#include "waves/regs.h"

/* The last iterations whose values are printed */
#define ITERATIONS_SHOWN	4
#define NAMES_MAX		(ADBGD_OPERANDS_MAX + 4)

/* An instruction that decides about a loop */
struct deciding {
	struct wavectl *w;
	struct adbgd_trace *trace;
	const struct adbgd_loops *loops;
	const struct adbgd_insn *insn;
	size_t loop, k;
	uint32_t condition;
	uint32_t lane;
};

/* ------------------------------------------------------------------------- values */

static uint32_t hw_value(const struct adbgd_trace *trace, const char *name, const char *field)
{
	const struct adbg_reg *reg = adbg_reg_find(adbgd_trace_get_info(trace)->gc_version, name);
	const struct adbg_field *of = reg && field ? adbg_reg_find_field(reg, field) : NULL;
	const uint32_t *words;
	uint32_t count;

	words = adbgd_trace_get_regs(trace, AMDGPUDBG_REG_HW, 0, &count);
	if (!reg || reg->number >= count || (field && !of))
		return 0;
	return of ? adbg_field_value(of, words[reg->number]) : words[reg->number];
}

static uint32_t word_of(const struct deciding *d, uint32_t space, uint32_t number)
{
	const uint32_t *words;
	uint32_t count;

	if (space == ADBGD_REG_EXEC)
		return hw_value(d->trace, number ? "EXEC_HI" : "EXEC_LO", NULL);
	if (space == ADBGD_REG_M0)
		return hw_value(d->trace, "M0", NULL);
	if (space == ADBGD_REG_SCC)
		return hw_value(d->trace, "STATUS", "SCC");
	words = adbgd_trace_get_regs(d->trace, space,
				     space == AMDGPUDBG_REG_VGPR ? d->lane : 0, &count);
	return words && number < count ? words[number] : 0;
}

/* How the instruction takes its operands: i, u, f; 0: as bits */
static char kind_of(const struct adbgd_insn *insn, const struct adbgd_operand *o)
{
	size_t length = strcspn(insn->text, " ");
	char name[64];

	if (o->space == ADBGD_REG_SCC)
		return 'u';
	if (o->flags & ADBGD_OPERAND_RESULT || length >= sizeof(name) ||
	    (strncmp(insn->text, "s_cmp", 5) && strncmp(insn->text, "v_cmp", 5)))
		return 0;
	memcpy(name, insn->text, length);
	name[length] = '\0';
	if (strstr(name, "_f32") || strstr(name, "_f64"))
		return 'f';
	if (strstr(name, "_i32") || strstr(name, "_i64"))
		return 'i';
	return strstr(name, "_u32") || strstr(name, "_u64") || strncmp(name, "s_cmpk", 6) == 0 ?
	       'u' : 0;
}

static void format(char kind, uint32_t count, uint64_t bits, char text[32])
{
	uint32_t low = (uint32_t)bits;
	double wide;
	float narrow;

	memcpy(&wide, &bits, sizeof(wide));
	memcpy(&narrow, &low, sizeof(narrow));
	if (kind == 'f')
		snprintf(text, 32, "%.9g", count > 1 ? wide : (double)narrow);
	else if (kind == 'i')
		snprintf(text, 32, "%" PRId64, count > 1 ? (int64_t)bits : (int32_t)low);
	else if (kind == 'u')
		snprintf(text, 32, "%" PRIu64, bits);
	else
		snprintf(text, 32, "0x%" PRIx64, bits);
}

static void append_name(const struct deciding *d, const struct adbgd_operand *o, char **text)
{
	uint32_t gc_version = adbgd_trace_get_info(d->trace)->gc_version, vcc = 106;
	char name[ADBG_REG_NAME_MAX];

	if (o->space == ADBGD_REG_SCC)
		xappend(text, "scc");
	else if (o->space == ADBGD_REG_M0)
		xappend(text, "m0");
	else if (o->space == ADBGD_REG_EXEC)
		xappend(text, o->count > 1 ? "exec" : o->number ? "exec_hi" : "exec_lo");
	else if (o->space == AMDGPUDBG_REG_SGPR && o->number == vcc && o->count == 2)
		xappend(text, "vcc");
	else if (o->count > 1)
		xappend(text, "%c[%u:%u]", o->space == AMDGPUDBG_REG_VGPR ? 'v' : 's', o->number,
			o->number + o->count - 1);
	else
		xappend(text, "%s", reg_shown_name(gc_version, o->space, o->number, name));
	if (o->space == AMDGPUDBG_REG_VGPR)
		xappend(text, " of lane %u", d->lane);
}

/* Get the operand in an iteration: before the instruction, or after it if that writes it. */
static bool read_operand(const struct deciding *d, const struct adbgd_operand *o,
			 uint64_t iteration, uint64_t *bits)
{
	uint64_t step;

	if (adbgd_loops_get_step(d->loops, d->loop, d->condition, d->k, iteration, &step) ||
	    adbgd_trace_seek(d->trace, step + !!(o->flags & ADBGD_OPERAND_RESULT), NULL))
		return false;
	*bits = word_of(d, o->space, o->number);
	if (o->count > 1)
		*bits |= (uint64_t)word_of(d, o->space, o->number + 1) << 32;
	return true;
}

/* "s1 = 12, 13, 14"; one value if it does not change. The caller frees it. NULL: none is known */
static char *values_of(const struct deciding *d, const struct adbgd_operand *o)
{
	uint64_t num = adbgd_loops_get(d->loops, d->loop)->iterations, bits, first = 0;
	char kind = kind_of(d->insn, o), value[32], *text = NULL, *all = NULL;
	uint64_t i = num > ITERATIONS_SHOWN ? num - ITERATIONS_SHOWN : 0;
	bool differ = false;

	for (; i < num; i++) {
		if (!read_operand(d, o, i, &bits))
			continue;
		format(kind, o->count, bits, value);
		differ |= all && bits != first;
		if (!all)
			first = bits;
		xappend(&all, "%s%s", all ? ", " : "", value);
	}
	if (!all)
		return NULL;
	format(kind, o->count, first, value);
	append_name(d, o, &text);
	xappend(&text, " = %s", differ ? all : value);
	free(all);
	return text;
}

/* ------------------------------------------------------------------------- tables */

static const char *state_of(const struct adbgd_loop *loop)
{
	if (loop->flags & ADBGD_LOOP_ACTIVE)
		return "active";
	return loop->flags & ADBGD_LOOP_NESTED ? "nested" : "left";
}

static void emit_loops(struct wavectl *w, const struct adbgd_loops *loops)
{
	const struct adbgd_loop *loop;

	emit_table(w->emit, "loops", true);
	for (size_t i = 0; (loop = adbgd_loops_get(loops, i)); i++) {
		emit_row(w->emit);
		emit_uint(w->emit, "loop", i + 1);
		emit_hex64(w->emit, "from", loop->head);
		emit_hex64(w->emit, "to", loop->last);
		emit_uint(w->emit, "instructions", loop->instructions);
		emit_quiet(w->emit, true);
		emit_uint(w->emit, "min_instructions", loop->min_instructions);
		emit_uint(w->emit, "max_instructions", loop->max_instructions);
		emit_bool(w->emit, "calls", loop->flags & ADBGD_LOOP_CALLS);
		emit_quiet(w->emit, false);
		emit_uint(w->emit, "iterations", loop->iterations);
		emit_uint(w->emit, "left", loop->left);
		emit_str(w->emit, "state", state_of(loop));
		code_emit_place_as(w, "begins", loop->head);
		code_emit_place_as(w, "ends", loop->last);
	}
	emit_table_end(w->emit);
}

/* The lane whose values are printed: the first one that the comparison was made for. */
static uint32_t lane_of(const struct deciding *d, const struct optional_u64 *lane)
{
	uint64_t num = adbgd_loops_get(d->loops, d->loop)->iterations, step, exec;

	if (lane->is_set)
		return (uint32_t)lane->value;
	if (adbgd_loops_get_step(d->loops, d->loop, d->condition, d->k, num - 1, &step) ||
	    adbgd_trace_seek(d->trace, step, NULL))
		return 0;
	exec = (uint64_t)word_of(d, ADBGD_REG_EXEC, 1) << 32 | word_of(d, ADBGD_REG_EXEC, 0);
	if (adbgd_trace_get_info(d->trace)->lanes == 32)
		exec = (uint32_t)exec;
	return exec ? (uint32_t)__builtin_ctzll(exec) : 0;
}

static void emit_deciding(struct deciding *d, const struct optional_u64 *lane)
{
	char *names[NAMES_MAX], *all = NULL;
	struct adbgd_operand o;
	unsigned int num = 0;

	d->lane = lane_of(d, lane);
	emit_row(d->w->emit);
	emit_uint(d->w->emit, "loop", d->loop + 1);
	emit_hex64(d->w->emit, "address", d->insn->address);
	code_emit_place_as(d->w, "place", d->insn->address);
	emit_str(d->w->emit, "instruction", d->insn->text);
	for (size_t n = 0; num < NAMES_MAX &&
	     !adbgd_loops_get_operand(d->loops, d->loop, d->condition, d->k, n, &o); n++) {
		names[num] = values_of(d, &o);
		if (names[num])
			xappend(&all, "%s%s", num ? "; " : "", names[num]);
		num += !!names[num];
	}
	emit_names_short(d->w->emit, "values", (const char *const *)names, num, all ? all : "-");
	while (num)
		free(names[--num]);
	free(all);
}

static void emit_condition(struct deciding *d, const struct optional_u64 *lane)
{
	for (d->k = 0; (d->insn = adbgd_loops_get_insn(d->loops, d->loop, d->condition, d->k));
	     d->k++)
		emit_deciding(d, lane);
}

void loop_emit(struct wavectl *w, struct adbgd_trace *trace, const struct adbgd_loops *loops,
	       const struct optional_u64 *lane)
{
	struct deciding d = { .w = w, .trace = trace, .loops = loops };
	const struct adbgd_loop *loop;

	emit_loops(w, loops);
	emit_table(w->emit, "conditions", true);
	for (; (loop = adbgd_loops_get(loops, d.loop)); d.loop++) {
		if (!(loop->flags & (ADBGD_LOOP_ACTIVE | ADBGD_LOOP_NESTED)))
			continue;
		for (d.condition = 0; d.condition < loop->num_conditions; d.condition++)
			emit_condition(&d, lane);
	}
	emit_table_end(w->emit);
}
