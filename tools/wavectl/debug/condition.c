// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses conditions: see condition.h. Their meaning is that of the library.
 */
#include "base/options.h"
#include "debug/condition.h"
#include "debug/focus.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/regs.h"

#define HINT \
	"such as: s13 == 5, v3 < 42 lane 0-7, group 7,0,0, wave se0.sa0.wgp0.simd1.wave2, every 10, hit 1"

static const char *const relations[] = {
	[ADBGD_RELATION_EQUAL] = "==",
	[ADBGD_RELATION_NOT_EQUAL] = "!=",
	[ADBGD_RELATION_LESS] = "<",
	[ADBGD_RELATION_LESS_SIGNED] = "s<",
	[ADBGD_RELATION_HAS_BITS] = "&",
};

struct parser {
	struct wavectl *w;
	const struct condition_words *from;
	int next;
	struct adbgd_condition *c;
};

struct condition_words condition_cut(struct wavectl *w)
{
	struct condition_words cut = { .num = 0 };
	int i = 0;

	while (i < w->num_words && strcmp(w->words[i], "if"))
		i++;
	if (i == w->num_words)
		return cut;
	cut.words = w->words + i + 1;
	cut.num = w->num_words - i - 1;
	w->num_words = i;
	return cut;
}

static const struct adbgd_process_info *process_info(const struct wavectl *w)
{
	const struct debugger *d = w->shell->debugger;

	return adbgd_process_get_info(d->process);
}

/* --------------------------------------------------------------------- reading */

/* Get the next word. NULL, with a message: there is none. */
static const char *take(struct parser *p, const char *after)
{
	if (p->next < p->from->num)
		return p->from->words[p->next++];
	fail_with(p->w, WAVECTL_USAGE, HINT,
		  "a value is missing after '%s' in the condition", after);
	return NULL;
}

static int is_wrong(struct parser *p, const char *word)
{
	return fail_with(p->w, WAVECTL_USAGE, HINT, "unexpected '%s' in the condition", word);
}

static int parse_wave(struct parser *p, const char *text)
{
	struct adbg_wave_spec spec;
	int status = parse_spec(p->w, text, &spec);

	if (status)
		return status;
	if (adbg_wave_spec_mode(&spec, &p->c->at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(p->w, WAVECTL_USAGE, HINT,
				 "'%s' does not name a single wave", text);
	p->c->flags |= ADBGD_CONDITION_WAVE;
	return WAVECTL_OK;
}

/* X, or X,Y, or X,Y,Z */
static int parse_group(struct parser *p, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	uint64_t value;
	int i = 0;

	while ((part = strsep(&rest, ",")) && i < 3 && parse_u64(part, UINT32_MAX, &value))
		p->c->group[i++] = (uint32_t)value;
	free(copy);
	p->c->flags |= ADBGD_CONDITION_GROUP;
	return part ? is_wrong(p, text) : WAVECTL_OK;
}

/* Ranges with commas between them, as in "0-2,5" */
static int parse_lane(struct parser *p, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	uint32_t first, last;
	uint64_t lanes = 0;

	while ((part = strsep(&rest, ",")) && parse_lanes(part, &first, &last))
		lanes |= (~0ULL >> (63 - (last - first))) << first;
	free(copy);
	p->c->lanes = lanes;
	return part ? is_wrong(p, text) : WAVECTL_OK;
}

static int parse_number(struct parser *p, const char *text, uint32_t *number)
{
	uint64_t value;

	if (!parse_u64(text, UINT32_MAX, &value) || !value)
		return is_wrong(p, text);
	*number = (uint32_t)value;
	return WAVECTL_OK;
}

static bool parse_register(struct parser *p, const char *text)
{
	struct adbgd_condition *c = p->c;
	struct amdgpudbg_reg_range range;

	if (!strcmp(text, "m0") || !strcmp(text, "scc")) {
		c->space = *text == 'm' ? ADBGD_REG_M0 : ADBGD_REG_SCC;
		return true;
	}
	if (!strcmp(text, "exec_lo") || !strcmp(text, "exec_hi")) {
		c->space = ADBGD_REG_EXEC;
		c->reg = !strcmp(text, "exec_hi");
		return true;
	}
	if (adbg_reg_parse(process_info(p->w)->gc_version, text, &range) || range.count != 1 ||
	    (range.space != AMDGPUDBG_REG_SGPR && range.space != AMDGPUDBG_REG_VGPR))
		return false;
	c->space = range.space;
	c->reg = range.first;
	return true;
}

/* Parse what follows the name of a register or a pseudo variable. */
static int parse_relation(struct parser *p, const char *name, uint32_t *relation, uint32_t *value)
{
	const char *word = take(p, name), *number;
	uint64_t v;

	if (!word)
		return WAVECTL_USAGE;
	if (!find_name(relations, ARRAY_SIZE(relations), word, relation))
		return is_wrong(p, word);
	number = take(p, word);
	if (!number)
		return WAVECTL_USAGE;
	if (!parse_u64(number, UINT32_MAX, &v))
		return is_wrong(p, number);
	*value = (uint32_t)v;
	return WAVECTL_OK;
}

static int parse_compare(struct parser *p, const char *reg)
{
	if (p->c->relation || !parse_register(p, reg))
		return is_wrong(p, reg);
	return parse_relation(p, reg, &p->c->relation, &p->c->value);
}

static bool holds(uint32_t relation, uint32_t a, uint32_t b)
{
	switch (relation) {
	case ADBGD_RELATION_EQUAL:
		return a == b;
	case ADBGD_RELATION_NOT_EQUAL:
		return a != b;
	case ADBGD_RELATION_LESS:
		return a < b;
	case ADBGD_RELATION_LESS_SIGNED:
		return (int32_t)a < (int32_t)b;
	default:
		return a & b;
	}
}

/* The lanes for which the comparison is true, like "lane RANGE" */
static int parse_lane_number(struct parser *p)
{
	uint64_t lanes = 0;
	uint32_t relation, value;
	int status = parse_relation(p, "$lane", &relation, &value);

	if (status)
		return status;
	for (uint32_t lane = 0; lane < FOCUS_LANES; lane++)
		if (holds(relation, lane, value))
			lanes |= 1ULL << lane;
	if (p->c->lanes)
		lanes &= p->c->lanes;
	if (!lanes)
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "no lane fulfils '$lane %s %u': lanes have the numbers 0 to %u",
				 relations[relation], value, FOCUS_LANES - 1);
	p->c->lanes = lanes;
	return WAVECTL_OK;
}

/* The wave of this number, like "wave WAVE" */
static int parse_wave_number(struct parser *p)
{
	const struct debugger *d = p->w->shell->debugger;
	uint32_t relation, value;
	int status = parse_relation(p, "$wave", &relation, &value);

	if (status)
		return status;
	if (relation != ADBGD_RELATION_EQUAL)
		return fail_with(p->w, WAVECTL_USAGE, "$wave == NUMBER",
				 "the GPU can compare $wave only by ==, not by %s",
				 relations[relation]);
	if (adbgd_wave_find_number(d->process, value, &p->c->at))
		return fail_with(p->w, WAVECTL_USAGE, "\"print $wave\" prints that of the selected wave",
				 "the GPU has no wave slot number %u", value);
	p->c->flags |= ADBGD_CONDITION_WAVE;
	return WAVECTL_OK;
}

/* Parse a comparison of a pseudo variable, or of a register in the syntax of "print". */
static int parse_pseudo(struct parser *p, const char *word)
{
	if (!strcmp(word, "$lane"))
		return parse_lane_number(p);
	if (!strcmp(word, "$wave"))
		return parse_wave_number(p);
	if (!strcmp(word, "$pc"))
		return fail_with(p->w, WAVECTL_USAGE, "set the breakpoint at that address instead",
				 "conditions compare 32-bit registers, and $pc has 64 bits");
	if (!strcmp(word, "$exec") || !strcmp(word, "$vcc"))
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "conditions compare 32-bit registers: use %s_lo or %s_hi", word,
				 word);
	if (p->c->relation)
		return is_wrong(p, word);
	if (!parse_register(p, word + 1))
		return fail_with(p->w, WAVECTL_USAGE,
				 "conditions know $scc, $m0, $lane, $wave, $exec_lo, $exec_hi, $vcc_lo, $vcc_hi, $v0 to $v255, $s0 to $s105",
				 "there is no register or pseudo variable '%s'", word);
	return parse_relation(p, word, &p->c->relation, &p->c->value);
}

static int parse_part(struct parser *p, const char *word)
{
	static const char *const names[] = { "wave", "group", "lane", "every", "hit" };
	const char *argument;
	uint32_t which;

	if (*word == '$')
		return parse_pseudo(p, word);
	if (!find_name(names, ARRAY_SIZE(names), word, &which))
		return parse_compare(p, word);
	argument = take(p, word);
	if (!argument)
		return WAVECTL_USAGE;
	switch (which) {
	case 0:
		return parse_wave(p, argument);
	case 1:
		return parse_group(p, argument);
	case 2:
		return parse_lane(p, argument);
	case 3:
		return parse_number(p, argument, &p->c->every);
	default:
		return parse_number(p, argument, &p->c->nth);
	}
}

int condition_parse(struct wavectl *w, const struct condition_words *from,
		    struct adbgd_condition *c)
{
	struct parser p = { .w = w, .from = from, .c = c };
	int status = WAVECTL_OK;

	*c = (struct adbgd_condition){ .relation = ADBGD_RELATION_NONE };
	do {
		const char *word = take(&p, "if");

		status = word ? parse_part(&p, word) : WAVECTL_USAGE;
		if (!status && p.next + 1 < from->num && !strcmp(from->words[p.next], "and"))
			p.next++;
	} while (!status && p.next < from->num);
	return status;
}

/* -------------------------------------------------------------------- printing */

static void say_compare(const struct wavectl *w, const struct adbgd_condition *c, char **text)
{
	char name[ADBG_REG_NAME_MAX];

	if (c->space == ADBGD_REG_M0)
		xappend(text, " m0");
	else if (c->space == ADBGD_REG_SCC)
		xappend(text, " scc");
	else if (c->space == ADBGD_REG_EXEC)
		xappend(text, c->reg ? " exec_hi" : " exec_lo");
	else
		xappend(text, " %s", reg_shown_name(process_info(w)->gc_version, c->space, c->reg,
						    name));
	xappend(text, " %s %#x", relations[c->relation], c->value);
}

/* "lane 0-2,5-5" */
static void say_lanes(uint64_t lanes, char **text)
{
	const char *before = " lane ";

	for (int first = 0, last; first < FOCUS_LANES; first = last + 1) {
		last = first;
		if (!(lanes >> first & 1))
			continue;
		while (last + 1 < FOCUS_LANES && lanes >> (last + 1) & 1)
			last++;
		xappend(text, "%s%d-%d", before, first, last);
		before = ",";
	}
}

void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c)
{
	char name[ADBG_WAVE_NAME_MAX];
	char *text = NULL;

	if (c && c->relation)
		say_compare(w, c, &text);
	if (c && c->lanes)
		say_lanes(c->lanes, &text);
	if (c && c->flags & ADBGD_CONDITION_GROUP)
		xappend(&text, " group %u,%u,%u", c->group[0], c->group[1], c->group[2]);
	if (c && c->flags & ADBGD_CONDITION_WAVE)
		xappend(&text, " wave %s", adbg_wave_name(&c->at, name));
	if (c && c->every)
		xappend(&text, " every %u", c->every);
	if (c && c->nth)
		xappend(&text, " hit %u", c->nth);
	if (text)
		emit_str(w->emit, key, text + 1);
	else
		emit_none(w->emit, key);
	free(text);
}
