// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The result of --dry-run: see dry_run.h.
 */
#include "waves/dry_run.h"

#include <stdlib.h>

#include "base/util.h"

void dry_run_begin(struct wavectl *w)
{
	emit_begin(w->emit);
	if (w->dry_run)
		emit_bool(w->emit, "dry_run", true);
}

int dry_run_end(struct wavectl *w, const char *what)
{
	char *sentence = NULL;

	xappend(&sentence, "would %s; nothing was changed", what);
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}
