// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl display, undisplay and info display: expressions that are printed after each stop.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/debug.h"

/* Formats with a size, an instruction or a count are those of x. */
static bool is_for_x(const char *slash)
{
	return slash && slash[strcspn(slash, "0123456789bhwgis")];
}

static int cmd_display(struct wavectl *w)
{
	char *text = NULL, *line, *expression;
	uint32_t number;
	int status = debug_open_target(w);

	if (status)
		return status;
	if (!w->num_words) {
		if (w->slash)
			return fail_with(w, WAVECTL_USAGE, NULL, "the expression is missing");
		stop_actions_show_all(&w->shell->debugger->stop_actions);
		return WAVECTL_OK;
	}
	xappend(&text, "%s%s%s", is_for_x(w->slash) ? "x" : "print", w->slash ? "/" : "",
		w->slash ? w->slash : "");
	line = xstrdup(text);
	expression = expression_words(w, w->words, w->num_words);
	xappend(&line, " -- %s", expression);
	xappend(&text, " %s", expression);
	free(expression);
	number = stop_actions_add_display(&w->shell->debugger->stop_actions, text,
					  line);
	emit_begin(w->emit);
	emit_uint(w->emit, "display", number);
	free(text);
	free(line);
	/* In text, its value shows the number. */
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int drop(struct wavectl *w, const char *word)
{
	struct stop_actions *s = &w->shell->debugger->stop_actions;
	uint32_t from, to;
	bool was = false;

	if (!parse_range(word, UINT32_MAX, &from, &to))
		return fail_with(w, WAVECTL_USAGE, "see \"info display\"",
				 "'%s' is not the number of an expression", word);
	for (size_t i = s->num_displays; i--;) {
		uint32_t number = s->displays[i].number;

		if (number >= from && number <= to)
			was |= stop_actions_drop_display(s, number);
	}
	return was ? WAVECTL_OK :
	       fail_with(w, WAVECTL_GONE, "see \"info display\"",
			 "there is no displayed expression %s", word);
}

static int cmd_undisplay(struct wavectl *w)
{
	int status = debug_open_target(w);
	struct stop_actions *s;

	if (status)
		return status;
	s = &w->shell->debugger->stop_actions;
	while (!w->num_words && s->num_displays)
		stop_actions_drop_display(s, s->displays[0].number);
	for (int i = 0; !status && i < w->num_words; i++)
		status = drop(w, w->words[i]);
	return status;
}

static int cmd_info_display(struct wavectl *w)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;
	const struct stop_actions *s = d ? &d->stop_actions : NULL;
	int status = open_target(w);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "displays", true);
	for (size_t i = 0; s && i < s->num_displays; i++) {
		emit_row(w->emit);
		emit_uint(w->emit, "number", s->displays[i].number);
		emit_str(w->emit, "command", s->displays[i].text);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", s ? s->num_displays : 0);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

const struct command display_commands[] = {
	{
		.noun = "display",
		.args = "[EXPRESSION]",
		.expression_from = 1,
		.takes_format = true,
		.summary = "print an expression now and after each stop",
		.help = "The expression is that of \"print\"; with the format i, a size or a count, such as\n"
			"display/4xw, it is that of \"x\". Without an argument, print all of them.",
		.options = target_options,
		.run = cmd_display,
	},
	{
		.noun = "undisplay",
		.args = "[NUMBER...]",
		.summary = "print expressions no longer after each stop",
		.help = "Without a number, this applies to all of them. NUMBER may be a range such as 2-4.",
		.options = target_options,
		.run = cmd_undisplay,
	},
	{
		.noun = "info",
		.verb = "display",
		.summary = "list the expressions that are printed after each stop",
		.options = target_options,
		.run = cmd_info_display,
	},
	{ .noun = NULL },
};
