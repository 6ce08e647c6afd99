// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a program with a signal ignored, which the program inherits. The guest's shell cannot
 * ignore SIGCHLD, because it needs that signal itself.
 *
 * usage: ignoring NUMBER PROGRAM ARGUMENTS...
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3 || signal(atoi(argv[1]), SIG_IGN) == SIG_ERR) {
		fprintf(stderr, "usage: ignoring NUMBER PROGRAM ARGUMENTS...\n");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
