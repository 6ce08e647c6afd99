// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop of the terminal: samples, keys and signals; see screen.h.
 */
#include "top/screen.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ncurses.h>

#include "base/util.h"
#include "top/draw.h"
#include "top/terminal.h"
#include "waves/hold.h"

#define ESCAPE	27
#define REDRAW	12		/* Ctrl-L */

struct screen {
	struct view view;
	const struct top_options *options;
	uint64_t due_ns;		/* when the next sample is to be taken; 0: now */
	bool ended;
	int status;
	char *caught;			/* error messages are shown on the screen */
	char *final;			/* printed when the terminal is restored */
};

/* Show a message until the next key. It belongs to the screen. */
static void say(struct screen *s, char *text)
{
	free(s->view.message);
	s->view.message = text;
	s->view.asks = false;
}

static void say_text(struct screen *s, const char *text)
{
	say(s, xstrdup(text));
}

/* ------------------------------------------------------------------------- samples */

/* Can the next sample succeed? */
static bool is_temporary(int error)
{
	return error == -EBUSY || error == -EAGAIN || error == -ETIMEDOUT || error == -EINTR;
}

static void fail_sample(struct screen *s, int error)
{
	struct wavectl *w = s->view.top->w;

	if (error == -ENOTCONN)
		s->status = fail_with(w, WAVECTL_ENDED, NULL, "the process has exited");
	else
		s->status = fail(w, error, "cannot list the waves");
	if (is_temporary(error) && s->caught) {
		s->status = WAVECTL_OK;
		say(s, s->caught);
	} else {
		s->ended = true;
		s->final = s->caught;
	}
	s->caught = NULL;
}

/* Some events end what the keys have halted. */
static void take_events(struct screen *s)
{
	struct top *t = s->view.top;
	struct amdgpudbg_event event = { 0 };
	const char *why;

	for (size_t i = 0; i < t->num_gpus; i++) {
		while (!hold_interrupted() &&
		       !adbg_event_next(t->gpus[i].session, &event, 0)) {
			why = hold_end_reason(&event);
			if (why)
				say_text(s, why);
		}
	}
}

static void follow_events(struct top *t)
{
	/* Without events, the map shows what happened. */
	for (size_t i = 0; i < t->num_gpus; i++)
		ignore_result(adbg_event_enable(t->gpus[i].session, HOLD_ENDS, 0, 0));
}

static void take_sample(struct screen *s)
{
	struct top *t = s->view.top;
	int ret = top_sample(t);

	if (ret)
		fail_sample(s, ret);
	take_events(s);
	s->due_ns = now_ns() + s->options->delay_ns;
	if (s->options->count && t->hot.samples >= s->options->count)
		s->ended = true;
}

/* ----------------------------------------------------------------------- selection */

/* Select another slot, if the GPU has it. */
static void move_by(struct screen *s, int64_t slots)
{
	struct selection *at = &s->view.selected;
	int64_t to = (int64_t)at->slot + slots;

	if (to >= 0 && to < (int64_t)s->view.top->gpus[at->gpu].map.num_slots)
		at->slot = to;
}

/* Select the slot above or below, which may be on another GPU. */
static void move_row(struct screen *s, int by)
{
	struct selection *at = &s->view.selected;
	const struct top *t = s->view.top;
	struct map_layout layout = draw_layout(&s->view);
	int64_t slots = map_slots_of_row(&t->gpus[at->gpu].map, &layout);
	int64_t to = (int64_t)at->slot + by * slots;

	if (to < 0 && at->gpu) {
		at->gpu--;
		at->slot = t->gpus[at->gpu].map.num_slots - 1;
	} else if (to >= (int64_t)t->gpus[at->gpu].map.num_slots && at->gpu + 1 < t->num_gpus) {
		at->gpu++;
		at->slot = 0;
	} else {
		move_by(s, by * slots);
	}
}

static void move_column(struct screen *s, int by)
{
	const struct map *map = &s->view.top->gpus[s->view.selected.gpu].map;
	const int64_t slots[NUM_UNITS] = {
		[UNIT_WAVE] = 1, [UNIT_SIMD] = map->size.wave,
		[UNIT_WGP] = (int64_t)map->size.wave * map->size.simd, [UNIT_ALL] = 1,
	};

	move_by(s, by * slots[s->view.selected.unit]);
}

/* Select the next wave in a direction, also on other GPUs, and beyond the end from the begin on. */
static void move_to_wave(struct screen *s, int by)
{
	struct selection *at = &s->view.selected, from = *at;
	const struct top *t = s->view.top;

	do {
		if (by > 0 && at->slot + 1 < t->gpus[at->gpu].map.num_slots) {
			at->slot++;
		} else if (by < 0 && at->slot) {
			at->slot--;
		} else {
			at->gpu = (at->gpu + (by > 0 ? 1 : t->num_gpus - 1)) % t->num_gpus;
			at->slot = by > 0 ? 0 : t->gpus[at->gpu].map.num_slots - 1;
		}
	} while ((at->gpu != from.gpu || at->slot != from.slot) &&
		 t->gpus[at->gpu].map.states[at->slot] == MAP_FREE);
}

/* ---------------------------------------------------------------------------- keys */

static void inspect(struct screen *s)
{
	struct view *v = &s->view;

	pane_free(&v->pane);
	inspect_wave(v->top, &v->selected, &v->pane);
}

static void control(struct screen *s, enum amdgpudbg_waveop op)
{
	say(s, control_waves(s->view.top, &s->view.selected, op));
	/* The map is to show it, also during a pause. */
	take_sample(s);
	if (s->view.pane.num)
		inspect(s);
}

static void ask_kill(struct screen *s)
{
	char *name = selection_name(s->view.top, &s->view.selected), *text = NULL;

	xappend(&text, "kill %zu waves of %s? (y or n)",
		selection_count(s->view.top, &s->view.selected), name);
	free(name);
	say(s, text);
	s->view.asks = true;
}

static void show_help(struct screen *s)
{
	static const char *const lines[] = {
		"Arrows, n, N   select a slot; the next or previous wave",
		"Tab            select the wave, its SIMD, its WGP, or all waves",
		"h              halt the selected waves, until r or the end",
		"r              resume them",
		"k              kill them, after a question",
		"i, Enter       show the registers of the wave and the code around its PC",
		"s              change the order of the list: by share, waves, PC, process",
		"Space          pause the samples",
		"Ctrl-L         draw the screen again",
		"q              quit; waves that were halted here are resumed",
		"",
		"R running      W waiting (s_waitcnt, s_sleep)    B at a barrier",
		"H halted       F halted by an error              T in its trap handler",
	};

	pane_free(&s->view.pane);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		pane_add(&s->view.pane, xstrdup(lines[i]));
	s->view.first_line = 0;
}

static void scroll_pane(struct view *v, int64_t lines)
{
	int64_t last = (int64_t)v->pane.num - (int64_t)draw_pane_lines();
	int64_t to = (int64_t)v->first_line + lines;

	if (to > last)
		to = last;
	v->first_line = to > 0 ? to : 0;
}

/* A key that has the same meaning for the map and for a pane. False: it has not. */
static bool take_common_key(struct screen *s, int key)
{
	switch (key) {
	case 'h':
		control(s, AMDGPUDBG_WAVEOP_HALT);
		return true;
	case 'r':
		control(s, AMDGPUDBG_WAVEOP_RESUME);
		return true;
	case '?':
		show_help(s);
		return true;
	default:
		return false;
	}
}

static void take_pane_key(struct screen *s, int key)
{
	int64_t page = draw_pane_lines();

	switch (key) {
	case KEY_UP:
		scroll_pane(&s->view, -1);
		break;
	case KEY_DOWN:
		scroll_pane(&s->view, 1);
		break;
	case KEY_PPAGE:
		scroll_pane(&s->view, -page);
		break;
	case KEY_NPAGE:
	case ' ':
		scroll_pane(&s->view, page);
		break;
	case KEY_HOME:
		s->view.first_line = 0;
		break;
	case KEY_END:
		scroll_pane(&s->view, s->view.pane.num);
		break;
	case 'q':
	case 'i':
	case '\r':
	case KEY_ENTER:
	case ESCAPE:
		pane_free(&s->view.pane);
		break;
	default:
		take_common_key(s, key);
	}
}

static void take_move_key(struct screen *s, int key)
{
	switch (key) {
	case KEY_LEFT:
		move_column(s, -1);
		break;
	case KEY_RIGHT:
		move_column(s, 1);
		break;
	case KEY_UP:
		move_row(s, -1);
		break;
	case KEY_DOWN:
		move_row(s, 1);
		break;
	case 'n':
		move_to_wave(s, 1);
		break;
	case 'N':
		move_to_wave(s, -1);
		break;
	case '\t':
		s->view.selected.unit = (s->view.selected.unit + 1) % NUM_UNITS;
		break;
	default:
		take_common_key(s, key);
	}
}

static void take_map_key(struct screen *s, int key)
{
	switch (key) {
	case 'q':
		s->ended = true;
		break;
	case 'k':
		ask_kill(s);
		break;
	case 'i':
	case '\r':
	case KEY_ENTER:
		s->view.first_line = 0;
		inspect(s);
		break;
	case 's':
		s->view.order = (s->view.order + 1) % HOT_NUM_ORDERS;
		break;
	case ' ':
		s->view.is_paused = !s->view.is_paused;
		s->due_ns = 0;
		break;
	default:
		take_move_key(s, key);
	}
}

static void take_key(struct screen *s, int key)
{
	bool asks = s->view.asks;

	if (key == REDRAW)
		terminal_redraw();
	if (key == REDRAW || key == KEY_RESIZE)
		return;
	say(s, NULL);
	if (asks && (key == 'y' || key == 'Y'))
		control(s, AMDGPUDBG_WAVEOP_KILL);
	else if (asks)
		say_text(s, "no wave was killed");
	else if (s->view.pane.num)
		take_pane_key(s, key);
	else
		take_map_key(s, key);
}

/* ---------------------------------------------------------------------------- loop */

/* Time until the next sample, in milliseconds; -1: until a key */
static int timeout_of(const struct screen *s)
{
	uint64_t now = now_ns(), left = s->due_ns > now ? s->due_ns - now : 0;

	if (s->view.is_paused)
		return -1;
	left = (left + 999999) / 1000000;
	return left < 1000000 ? (int)left : 1000000;
}

/* Wait for a key, a signal or the next sample. The terminal may be gone. */
static void wait_for_key(struct screen *s)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = s->view.top->interrupt_fd, .events = POLLIN },
	};
	int key, num = 0, ret = terminal_wait(fds, ARRAY_SIZE(fds), timeout_of(s));

	if (ret < 0 && ret != -EINTR)
		s->ended = true;
	while (!s->ended && !hold_interrupted() && (key = terminal_key()) != ERR) {
		take_key(s, key);
		num++;
	}
	/* Readable without a byte: the end of a file, or of the terminal */
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || (fds[0].revents && !num))
		s->ended = true;
}

static void run_loop(struct screen *s)
{
	struct top *t = s->view.top;

	take_sample(s);
	if (!s->ended && t->gpus[0].map.states[0] == MAP_FREE)
		move_to_wave(s, 1);
	while (!s->ended && !hold_interrupted()) {
		draw_view(&s->view);
		wait_for_key(s);
		if (!s->ended && !s->view.is_paused && now_ns() >= s->due_ns)
			take_sample(s);
	}
}

/* Resume what was halted here, and say so. */
static int finish(struct screen *s)
{
	struct wavectl *w = s->view.top->w;
	size_t resumed = control_resume_all(s->view.top);

	if (s->final)
		complain(w, 0, s->final, NULL);
	if (!resumed)
		return s->status;
	emit_begin(w->emit);
	emit_uint(w->emit, "resumed", resumed);
	emit_say(w->emit, "resumed {resumed} waves that were halted by keys");
	return emit_end(w->emit) ? WAVECTL_FAILED : s->status;
}

int screen_run(struct top *t, const struct top_options *options)
{
	struct screen s = {
		.options = options, .view = { .top = t, .delay_ns = options->delay_ns },
	};
	struct wavectl *w = t->w;
	int status;

	if (terminal_begin())
		return fail_with(w, WAVECTL_FAILED, "use --once, or set TERM",
				 "the terminal cannot show a map");
	w->caught = &s.caught;
	follow_events(t);
	run_loop(&s);
	terminal_end();
	w->caught = NULL;
	status = finish(&s);
	free(s.view.message);
	free(s.caught);
	free(s.final);
	pane_free(&s.view.pane);
	return status;
}
