// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Executes or describes actions: see action.h.
 */
#include "waves/action.h"

#include <stdlib.h>

#include "base/util.h"

static void say(struct wavectl *w, const struct action *action)
{
	char *sentence = NULL;

	if (w->dry_run)
		xappend(&sentence, "would %s; nothing was changed", action->what);
	else
		xappend(&sentence, "%s", action->done);
	if (*sentence)
		emit_say(w->emit, sentence);
	free(sentence);
}

int action_run(struct wavectl *w, const struct action *action)
{
	int status;

	if (!w->dry_run) {
		status = action->run(w, action->data);
		if (status || !action->done)
			return status;
	}
	emit_begin(w->emit);
	if (w->dry_run || action->has_dry_run)
		emit_bool(w->emit, "dry_run", w->dry_run);
	if (action->describe)
		action->describe(w, action->data);
	say(w, action);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}
