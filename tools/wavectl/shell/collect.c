// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl commands: the lines that follow, up to "end", are executed when a breakpoint stops a
 * wave.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/break_list.h"
#include "shell/shell_session.h"

/* Without a number, gdb means the breakpoint that was set last. */
static int take_last(struct wavectl *w, struct break_list *list)
{
	int status = open_target(w);
	struct adbgd_breakpoint *b, *last = NULL;

	*list = (struct break_list){ .count = 0 };
	for (size_t i = 0; !status && (b = break_list_at(w, i)); i++)
		last = b;
	if (!status && !last)
		status = fail_with(w, WAVECTL_GONE, NULL, "there are no breakpoints");
	if (status)
		return status;
	list->breakpoints = xcalloc(1, sizeof(*list->breakpoints));
	list->breakpoints[list->count++] = last;
	return WAVECTL_OK;
}

static void begin(struct wavectl *w, const struct break_list *list)
{
	struct shell_loop *loop = shell_loop_of(w);

	loop->collected.breakpoints = xcalloc(list->count, sizeof(uint32_t));
	loop->collected.num_breakpoints = list->count;
	for (uint64_t i = 0; i < list->count; i++)
		loop->collected.breakpoints[i] =
			adbgd_breakpoint_get_info(list->breakpoints[i])->number;
}

static int cmd_commands(struct wavectl *w)
{
	struct break_list list;
	int status;

	if (!w->shell)
		return fail_with(w, WAVECTL_USAGE, "wavectl shell --pid PID",
				 "this command is only available in a shell or batch");
	status = w->num_words ? break_list_take(w, &list) : take_last(w, &list);
	if (!status)
		begin(w, &list);
	break_list_free(&list);
	if (status || !w->shell->is_typed)
		return status;
	emit_begin(w->emit);
	emit_say(w->emit, "enter the commands, one per line, and \"end\" after the last one");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

const struct command collect_commands[] = {
	{
		.noun = "commands",
		.args = "[NUMBER...]",
		.summary = "set commands that are executed when a breakpoint stops a wave",
		.help = "The lines that follow are the commands, up to a line \"end\"; without lines, the\n"
			"breakpoint has none. The default for NUMBER is the breakpoint that was set last.\n"
			"They are executed for each wave that stops, which is selected, until one of them\n"
			"fails or resumes it; \"continue\" resumes this wave only. If the first line is\n"
			"\"silent\", the stop is not printed.",
		.options = target_options,
		.run = cmd_commands,
	},
	{ .noun = NULL },
};
