// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The terminal: see terminal.h.
 */
#include "top/terminal.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include <ncurses.h>
#include <term.h>

#include "base/own_home.h"
#include "top/map.h"

/* How long the parts of the code of a key can be apart, in milliseconds */
#define ESCAPE_MS	100

static SCREEN *screen;

static void set_colours(void)
{
	static const struct {
		short text, back;
	} colours[MAP_NUM_STATES] = {
		[MAP_FREE] = { -1, -1 },
		[MAP_RUNNING] = { COLOR_BLACK, COLOR_GREEN },
		[MAP_WAITING] = { COLOR_BLACK, COLOR_CYAN },
		[MAP_BARRIER] = { COLOR_WHITE, COLOR_BLUE },
		[MAP_HALTED] = { COLOR_BLACK, COLOR_YELLOW },
		[MAP_FATAL] = { COLOR_WHITE, COLOR_RED },
		[MAP_HANDLER] = { COLOR_WHITE, COLOR_MAGENTA },
	};

	if (!has_colors() || start_color() != OK)
		return;
	use_default_colors();
	for (enum map_state s = 0; s < MAP_NUM_STATES; s++)
		init_pair(TERMINAL_PAIR(s), colours[s].text, colours[s].back);
}

/*
 * SIGWINCH must not come between the last look for a key and the wait for the next one, nor while
 * ncurses draws: both would leave the key in ncurses, where poll() does not see it.
 */
static void block_signal(bool block)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

/* Can the cursor be moved to any place? On "dumb", it cannot. */
static bool has_cursor(void)
{
	const char *move = tigetstr("cup");

	return move && move != (const char *)-1;
}

void terminal_end(void)
{
	endwin();
	delscreen(screen);
	screen = NULL;
	block_signal(false);
}

int terminal_begin(void)
{
	char *home;

	setlocale(LC_CTYPE, "");
	home = own_home_begin();
	block_signal(true);
	screen = newterm(NULL, stdout, stdin);
	own_home_end(home);
	if (!screen) {
		block_signal(false);
		return -ENOTTY;
	}
	if (!has_cursor()) {
		terminal_end();
		return -ENOTTY;
	}
	set_colours();
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	return 0;
}

void terminal_redraw(void)
{
	clearok(curscr, TRUE);
}

int terminal_wait(struct pollfd *fds, nfds_t num, int timeout_ms)
{
	struct timespec time = {
		.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000l,
	};
	sigset_t set;
	int ret;

	sigprocmask(SIG_SETMASK, NULL, &set);
	sigdelset(&set, SIGWINCH);
	ret = ppoll(fds, num, timeout_ms < 0 ? NULL : &time, &set);
	return ret < 0 ? -errno : ret;
}

int terminal_key(void)
{
	return getch();
}
