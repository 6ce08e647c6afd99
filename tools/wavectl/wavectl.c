// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of wavectl: one command, and the end of what it has opened.
 */
#include <stdio.h>
#include <string.h>

#include "dispatch.h"

/*
 * Complaints about options are JSON, too; as they end the reading, the option is looked
 * for in its usual forms only.
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
		status = status ? status : WAVECTL_FAILED;
	}

	return status;
}
