// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints conditions in the words in which they are typed: see condition.h.
 */
#include <stdlib.h>

#include "base/util.h"
#include "debug/condition.h"
#include "debug/lanes.h"
#include "waves/regs.h"

static uint32_t gc_version(const struct wavectl *w)
{
	return adbgd_process_get_info(w->shell->debugger->process)->gc_version;
}

static void say_compare(const struct wavectl *w, const struct adbgd_comparison *c, char **text)
{
	char name[ADBG_REG_NAME_MAX];

	xappend(text, "%s", *text ? " &&" : "");
	if (c->space == ADBGD_REG_M0)
		xappend(text, " m0");
	else if (c->space == ADBGD_REG_SCC)
		xappend(text, " scc");
	else if (c->space == ADBGD_REG_EXEC)
		xappend(text, c->reg ? " exec_hi" : " exec_lo");
	else
		xappend(text, " %s", reg_shown_name(gc_version(w), c->space, c->reg,
						    name));
	xappend(text, " %s %#x", condition_relation(c->relation), c->value);
}

static void say_compares(const struct wavectl *w, const struct adbgd_condition *c, char **text)
{
	say_compare(w, &(struct adbgd_comparison){
		.relation = c->relation, .space = c->space, .reg = c->reg, .value = c->value,
	}, text);
	for (int i = 0; i < ADBGD_MAX_MORE && c->more[i].relation; i++)
		say_compare(w, &c->more[i], text);
}

void condition_emit_typed(struct wavectl *w, const char *key, const struct adbgd_condition *c,
			  const char *text, bool by_host)
{
	char *shown = NULL;

	if (!text) {
		condition_emit(w, key, c);
		return;
	}
	xappend(&shown, "%s%s", text, by_host ? " (host)" : "");
	emit_str_short(w->emit, key, text, shown);
	free(shown);
}

void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c)
{
	char name[ADBG_WAVE_NAME_MAX];
	char *text = NULL;

	if (c && c->relation)
		say_compares(w, c, &text);
	if (c && c->lanes) {
		xappend(&text, " lane ");
		lanes_append(&text, c->lanes, true);
	}
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
