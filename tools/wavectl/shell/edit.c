// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines that the user types, by libedit: see edit.h. While it waits for a key, events are
 * printed above the line.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <histedit.h>

#include "base/util.h"
#include "shell/complete.h"
#include "shell/edit.h"
#include "shell/home.h"
#include "shell/repeat.h"
#include "waves/hold.h"

#define HISTORY_LINES 1000

struct edit {
	struct shell_loop *loop;
	EditLine *el;
	History *history;
	int history_folder;	/* -1: none is kept */
};

static char *prompt(EditLine *el)
{
	static char text[] = EDIT_PROMPT;

	(void)el;
	return text;
}

/* Leave the typed text where it is. It is printed again below the output. */
static void make_room(void)
{
	putchar('\n');
	fflush(stdout);
}

/* Read a byte. Returns 1; 0: stop reading the line. */
static int get_byte(struct edit *edit, EditLine *el, char *byte)
{
	enum shell_session_wait what;

	while ((what = shell_session_wait(edit->loop, STDIN_FILENO)) == SHELL_REPORTED)
		el_set(el, EL_REFRESH);
	if (what != SHELL_INPUT)
		return 0;
	if (read(STDIN_FILENO, byte, 1) == 1)
		return 1;
	/* The terminal is gone. */
	edit->loop->ended = true;
	return 0;
}

/* Read a key, for libedit. Returns 1; 0: stop reading the line. */
static int get_key(EditLine *el, wchar_t *key)
{
	mbstate_t state = { 0 };
	struct edit *edit;
	char byte;

	el_get(el, EL_CLIENTDATA, &edit);
	/* The handlers of libedit would send each signal to the whole process group. */
	hold_catch();
	hold_delay_signals(false);
	for (;;) {
		if (!get_byte(edit, el, &byte))
			return 0;
		switch (mbrtowc(key, &byte, 1, &state)) {
		case (size_t)-2:
			break;
		case (size_t)-1:
			memset(&state, 0, sizeof(state));
			break;
		default:
			return 1;
		}
	}
}

static void list_words(const struct completions *c)
{
	putchar('\n');
	for (size_t i = 0; i < c->count; i++)
		printf("%s%s", i ? "  " : "", c->words[i]);
	putchar('\n');
	fflush(stdout);
}

/* Complete the word at the cursor, for libedit. */
static unsigned char complete(EditLine *el, int key)
{
	const LineInfo *now = el_line(el);
	unsigned char what = CC_ERROR;
	struct completions c;
	struct edit *edit;
	char *line = NULL, *more = NULL;

	(void)key;
	el_get(el, EL_CLIENTDATA, &edit);
	xappend(&line, "%.*s", (int)(now->cursor - now->buffer), now->buffer);
	complete_line(edit->loop->opener, edit->loop->shell.debugger, line, &c);
	if (c.count && c.common > c.typed) {
		xappend(&more, "%.*s", (int)(c.common - c.typed),
			c.words[0] + c.typed);
		if (c.count == 1 && c.words[0][c.common - 1] != '=')
			xappend(&more, " ");
	} else if (c.count == 1) {
		xappend(&more, " ");
	} else if (c.count) {
		list_words(&c);
		what = CC_REDISPLAY;
	}
	if (more)
		what = el_insertstr(el, more) ? CC_ERROR : CC_REFRESH;
	free(more);
	free(line);
	complete_free(&c);
	return what;
}

static bool edit_begin(struct edit *edit)
{
	HistEvent ev;

	setlocale(LC_CTYPE, "");
	edit->el = home_init_editor();
	edit->history = history_init();
	if (!edit->el || !edit->history)
		return false;

	history(edit->history, &ev, H_SETSIZE, HISTORY_LINES);
	history(edit->history, &ev, H_SETUNIQUE, 1);
	edit->history_folder = home_load_history(edit->history);
	el_set(edit->el, EL_CLIENTDATA, edit);
	el_set(edit->el, EL_PROMPT, prompt);
	el_set(edit->el, EL_EDITOR, "emacs");
	el_set(edit->el, EL_SIGNAL, 1);
	el_set(edit->el, EL_HIST, history, edit->history);
	/* el_set() would make copies that el_end() does not free. */
	el_wset(edit->el, EL_ADDFN, L"complete", L"Complete a word", complete);
	el_set(edit->el, EL_BIND, "^I", "complete", NULL);
	el_set(edit->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	home_source_editrc(edit->el);
	el_set(edit->el, EL_GETCFN, get_key);
	return true;
}

static void edit_end(struct edit *edit)
{
	if (edit->history) {
		home_save_history(edit->history, edit->history_folder);
		history_end(edit->history);
	}
	if (edit->el)
		el_end(edit->el);
}

/* Read the next line, which the caller frees. NULL: there is none; see loop->interrupted. */
static char *next_line(struct edit *edit)
{
	const char *text;
	HistEvent ev;
	int count = 0;
	char *line;

	/* Before the prompt, so that input typed from then on is not discarded. */
	el_set(edit->el, EL_PREP_TERM, 1);
	edit->loop->make_room = make_room;
	hold_delay_signals(true);
	text = el_gets(edit->el, &count);
	hold_delay_signals(false);
	edit->loop->make_room = NULL;
	if (!text || count <= 0)
		return NULL;
	line = xstrdup(text);
	line[strcspn(line, "\n")] = '\0';
	if (line[strspn(line, " \t")])
		history(edit->history, &ev, H_ENTER, line);
	return line;
}

/* Replace an empty line by what it repeats. @again: that of the line before, updated */
static char *repeat(const struct edit *edit, char *line, char **again)
{
	if (!line[strspn(line, " \t")]) {
		free(line);
		return xstrdup(*again ? *again : "");
	}
	free(*again);
	*again = repeat_line(edit->loop->opener, line);
	return line;
}

static void run_lines(struct edit *edit)
{
	struct shell_loop *loop = edit->loop;
	char *line, *again = NULL;
	unsigned int number = 0;

	while (!loop->ended) {
		loop->interrupted = false;
		line = next_line(edit);
		if (!line) {
			printf("\n");
			if (loop->interrupted)
				continue;
			break;
		}
		line = repeat(edit, line, &again);
		shell_session_line(loop, line, NULL, ++number);
		free(line);
		/* End the line on which the terminal has printed "^C". */
		if (loop->interrupted)
			printf("\n");
	}
	free(again);
}

int edit_run(struct shell_loop *loop)
{
	struct edit edit = { .loop = loop, .history_folder = -1 };
	int status = WAVECTL_OK;

	if (edit_begin(&edit))
		run_lines(&edit);
	else
		status = fail_with((struct wavectl *)loop->opener,
				   WAVECTL_FAILED, NULL,
				   "cannot use the terminal");
	edit_end(&edit);
	return status;
}
