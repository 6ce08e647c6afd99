// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one command line, and closes what it has opened.
 */
#include <stdio.h>
#include <string.h>

#include "dispatch.h"

/*
 * Errors about options are printed as JSON, too. They end the parsing, so --json is searched for
 * before, in its usual forms.
 */
static bool seems_to_want_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "-j"))
			return true;

	return false;
}

int wavectl_main(int argc, char **argv)
{
	struct wavectl w = {
		.commands = command_tables,
		.dispatch = dispatch,
		.json = seems_to_want_json(argc, argv),
	};
	int status;

	w.emit = emit_new(w.json);
	status = dispatch(&w, argc, argv);
	adbg_session_close(w.session);
	emit_free(w.emit);
	if (fflush(stdout) || ferror(stdout)) {
		fputs("wavectl: cannot write to standard output\n", stderr);
		if (!status)
			status = WAVECTL_FAILED;
	}

	return status;
}
