// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses conditions: see condition.h. Their meaning is that of the library.
 */
#include "base/options.h"
#include "debug/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

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

static int parse_lane(struct parser *p, const char *text)
{
	uint32_t first, last;

	if (!parse_lanes(text, &first, &last))
		return is_wrong(p, text);
	p->c->lanes = (~0ULL >> (63 - (last - first))) << first;
	return WAVECTL_OK;
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

	if (!strcmp(text, "m0") || !strcmp(text, "exec_lo") || !strcmp(text, "exec_hi")) {
		c->space = *text == 'm' ? ADBGD_REG_M0 : ADBGD_REG_EXEC;
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

static int parse_compare(struct parser *p, const char *reg)
{
	const char *relation, *value;
	uint64_t number;

	if (p->c->relation || !parse_register(p, reg))
		return is_wrong(p, reg);
	relation = take(p, reg);
	if (!relation)
		return WAVECTL_USAGE;
	if (!find_name(relations, ARRAY_SIZE(relations), relation, &p->c->relation))
		return is_wrong(p, relation);
	value = take(p, relation);
	if (!value)
		return WAVECTL_USAGE;
	if (!parse_u64(value, UINT32_MAX, &number))
		return is_wrong(p, value);
	p->c->value = (uint32_t)number;
	return WAVECTL_OK;
}

static int parse_part(struct parser *p, const char *word)
{
	static const char *const names[] = { "wave", "group", "lane", "every", "hit" };
	const char *argument;
	uint32_t which;

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
	else if (c->space == ADBGD_REG_EXEC)
		xappend(text, c->reg ? " exec_hi" : " exec_lo");
	else
		xappend(text, " %s", adbg_reg_name(process_info(w)->gc_version, c->space, c->reg,
						   name));
	xappend(text, " %s %#x", relations[c->relation], c->value);
}

void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c)
{
	char name[ADBG_WAVE_NAME_MAX];
	char *text = NULL;

	if (c && c->relation)
		say_compare(w, c, &text);
	if (c && c->lanes)
		xappend(&text, " lane %d-%d", __builtin_ctzll(c->lanes),
			63 - __builtin_clzll(c->lanes));
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
