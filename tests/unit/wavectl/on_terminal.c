// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl on a terminal: see on_terminal.h.
 */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "on_terminal.h"

#define DEADLINE_MS	30000

char said[1 << 20];
pid_t child;
int tty;
static size_t seen;

bool begin_on_terminal(const struct winsize *size)
{
	memset(said, 0, sizeof(said));
	seen = 0;
	fflush(NULL);
	child = forkpty(&tty, NULL, NULL, size);
	assert_true(child >= 0);
	if (child)
		return false;
	alarm(DEADLINE_MS / 1000);
	return true;
}

void type(const char *keys)
{
	assert_int_equal(write(tty, keys, strlen(keys)), strlen(keys));
}

void until(const char *text)
{
	struct pollfd p = { .fd = tty, .events = POLLIN };
	size_t n = strlen(said);
	const char *found;
	ssize_t ret;

	while (!(found = strstr(said + seen, text))) {
		assert_true(n + 1 < sizeof(said));
		if (poll(&p, 1, DEADLINE_MS) != 1)
			fail_msg("'%s' does not come after '%s'", text, said + seen);
		ret = read(tty, said + n, 1);
		if (ret <= 0)
			fail_msg("'%s' has not come in '%s'", text, said);
		n += ret;
	}
	seen = found + strlen(text) - said;
}

int end(void)
{
	size_t n = strlen(said);
	int status;

	while (n + 1 < sizeof(said) && read(tty, said + n, 1) > 0)
		n++;
	assert_int_equal(waitpid(child, &status, 0), child);
	close(tty);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
