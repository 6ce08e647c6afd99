// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws on the terminal: see draw.h.
 */
#include "top/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <ncurses.h>

#include "base/text.h"
#include "base/util.h"
#include "top/terminal.h"

/* Lines beside the map and the list: title, counts, selection, head of the list, message */
#define OTHER_LINES	5
#define MIN_HOT_LINES	3
/* --------------------------------------------------------------------------- text */

/* The characters of safe text. Those that the locale does not have become "?". */
static wchar_t *wide_text(const char *text)
{
	char *shown = text_shown(text);
	size_t num = strlen(shown) + 1;
	wchar_t *wide = xcalloc(num, sizeof(*wide));

	if (mbstowcs(wide, shown, num) == (size_t)-1)
		for (size_t i = 0; i < num; i++)
			wide[i] = shown[i] & 0x80 ? L'?' : (wchar_t)shown[i];
	free(shown);
	return wide;
}

/*
 * Draw text from anywhere in the columns from @x on, @width at most. Returns the number of columns
 * that it takes.
 */
static int draw_text(int y, int x, int width, attr_t attributes, const char *text)
{
	wchar_t *wide;
	int num = 0, columns = 0, of;

	if (width > COLS - x)
		width = COLS - x;
	if (y < 0 || y >= LINES || x < 0 || width <= 0)
		return 0;
	wide = wide_text(text);
	for (; wide[num]; num++, columns += of) {
		of = wcwidth(wide[num]);
		if (of < 0)
			wide[num] = L'?';
		of = of < 0 ? 1 : of;
		if (columns + of > width)
			break;
	}
	attrset(attributes);
	mvaddnwstr(y, x, wide, num);
	attrset(A_NORMAL);
	free(wide);
	return columns;
}

/* --------------------------------------------------------------------------- lines */

/* The GPU and the process, and what the samples are */
static void draw_title(const struct view *v)
{
	const struct top *t = v->top;
	char *left = NULL, *right = NULL;
	int x;

	xappend(&left, "wavectl top  %s", t->gpus[v->selected.gpu].title);
	if (t->w->pid)
		xappend(&left, "  process %d", t->w->pid);
	xappend(&right, "%s  sample %" PRIu64 " every %.3g s", v->is_paused ? "PAUSED" : "",
		t->hot.samples, (double)v->delay_ns / 1e9);
	x = COLS - (int)strlen(right);
	draw_text(0, 0, x - 1, A_BOLD, left);
	draw_text(0, x > 0 ? x : 0, COLS, A_BOLD, right);
	free(left);
	free(right);
}

static attr_t state_attributes(enum map_state state)
{
	return state == MAP_FREE ? A_DIM : (attr_t)COLOR_PAIR(TERMINAL_PAIR(state));
}

/* What the letters mean, and the number of waves of all GPUs in each state */
static void draw_counts(const struct view *v)
{
	static const char *const names[MAP_NUM_STATES] = {
		[MAP_RUNNING] = "running", [MAP_WAITING] = "waiting", [MAP_BARRIER] = "barrier",
		[MAP_HALTED] = "halted", [MAP_FATAL] = "fatal", [MAP_HANDLER] = "handler",
	};
	char letter[2] = "";
	int x = 0;

	for (enum map_state s = MAP_RUNNING; s < MAP_NUM_STATES; s++) {
		char *text = NULL;
		size_t count = 0;

		for (size_t i = 0; i < v->top->num_gpus; i++)
			count += v->top->gpus[i].map.counts[s];
		letter[0] = map_letter(s);
		x += draw_text(1, x, COLS, state_attributes(s), letter);
		xappend(&text, " %s %zu  ", names[s], count);
		x += draw_text(1, x, COLS, A_NORMAL, text);
		free(text);
	}
}

/* What is selected */
static void draw_selected(const struct view *v, int y)
{
	const struct top_gpu *gpu = &v->top->gpus[v->selected.gpu];
	const struct amdgpudbg_wave *wave = top_wave(gpu, v->selected.slot);
	const struct top_process *p = NULL;
	char *text = selection_name(v->top, &v->selected);

	if (v->selected.unit != UNIT_WAVE) {
		xappend(&text, ": %zu waves", selection_count(v->top, &v->selected));
	} else if (!wave) {
		xappend(&text, ": free");
	} else {
		p = top_find_process(v->top, v->selected.gpu, wave->pasid);
		xappend(&text, ": %s", map_state_name(gpu->map.states[v->selected.slot]));
		if (wave->flags & AMDGPUDBG_WAVE_OWNED_BY_OTHER)
			xappend(&text, " by another debugger");
		if (p && p->pid)
			xappend(&text, "  %d %s", p->pid, p->program ? p->program : "");
		xappend(&text, "  0x%" PRIx64, (uint64_t)wave->pc);
	}
	draw_text(y, 0, COLS, A_BOLD, text);
	free(text);
}

static void draw_message(const struct view *v)
{
	static const char keys[] =
		"h halt r resume k kill i inspect Tab unit s sort Space pause ? help q quit";
	static const char pane_keys[] = "Up Down PgUp PgDn scroll  h halt  r resume  q back";

	if (v->message)
		draw_text(LINES - 1, 0, COLS, A_BOLD, v->message);
	else
		draw_text(LINES - 1, 0, COLS, A_NORMAL, v->pane.num ? pane_keys : keys);
}

/* ---------------------------------------------------------------------------- maps */

/* The title line of a map, where there are several */
static size_t head_lines(const struct top *t)
{
	return t->num_gpus > 1;
}

struct map_layout draw_layout(const struct view *v)
{
	return map_divide(&v->top->gpus[v->selected.gpu].map, COLS);
}

static void draw_slot(const struct view *v, size_t gpu, size_t slot, int y, int x)
{
	enum map_state state = v->top->gpus[gpu].map.states[slot];
	char letter[2] = { map_letter(state) };
	attr_t attributes = state_attributes(state);

	if (gpu == v->selected.gpu && selection_has(v->top, &v->selected, slot))
		attributes |= A_REVERSE | A_BOLD;
	draw_text(y, x, 1, attributes, letter);
}

static void draw_row(const struct view *v, size_t gpu, const struct map_layout *layout,
		     size_t row, int y)
{
	const struct map *map = &v->top->gpus[gpu].map;
	size_t slot = map_first_slot(map, layout, row);
	char label[MAP_LABEL_MAX];

	if (!(row % layout->rows_of_wgp))
		draw_text(y, 0, layout->label, A_NORMAL, map_label(map, slot, label));
	for (uint32_t i = 0; i < map_slots_of_row(map, layout); i++, slot++)
		draw_slot(v, gpu, slot, y, map_column_of(map, layout, slot));
}

/* Draw the rows of all maps from v->first_row on in @height lines. */
static void draw_maps(const struct view *v, int y, size_t height)
{
	size_t at = 0;			/* number of the row, over all maps */

	for (size_t gpu = 0; gpu < v->top->num_gpus; gpu++) {
		struct map_layout layout = map_divide(&v->top->gpus[gpu].map, COLS);

		for (size_t i = 0; i < head_lines(v->top) + layout.num_rows; i++, at++) {
			if (at < v->first_row || at >= v->first_row + height)
				continue;
			if (i < head_lines(v->top))
				draw_text(y++, 0, COLS, A_UNDERLINE, v->top->gpus[gpu].title);
			else
				draw_row(v, gpu, &layout, i - head_lines(v->top), y++);
		}
	}
}

/* The number of rows of all maps; @selected: that of the selected slot */
static size_t count_rows(const struct view *v, size_t *selected)
{
	size_t num = 0;

	for (size_t gpu = 0; gpu < v->top->num_gpus; gpu++) {
		const struct map *map = &v->top->gpus[gpu].map;
		struct map_layout layout = map_divide(map, COLS);

		num += head_lines(v->top);
		if (gpu == v->selected.gpu)
			*selected = num + map_row_of(map, &layout, v->selected.slot);
		num += layout.num_rows;
	}
	return num;
}

/* How many lines the maps get; they scroll so that the selected slot is visible. */
static size_t place_maps(struct view *v)
{
	size_t selected = 0, num = count_rows(v, &selected), height = 1;
	const int rest = LINES - OTHER_LINES - MIN_HOT_LINES;

	if (rest > 0)
		height = rest;
	if (height > num)
		height = num;
	if (selected < v->first_row)
		v->first_row = selected;
	if (selected >= v->first_row + height)
		v->first_row = selected - height + 1;
	if (v->first_row > num - height)
		v->first_row = num - height;
	return height;
}

/* ---------------------------------------------------------------------------- PCs */

#define HOT_FIXED	38		/* columns before the place */

static void draw_hot_row(const struct view *v, const struct hot_entry *e, int y)
{
	char *text = NULL, pc[24];
	int width = (COLS - HOT_FIXED) * 3 / 5;

	xappend(&text, "%5.1f%% %5u ", hot_share(&v->top->hot, e), e->waves);
	draw_text(y, 0, 13, A_NORMAL, text);
	free(text);
	text = NULL;
	if (e->name.pid)
		xappend(&text, "%7d %s", e->name.pid, e->name.program ? e->name.program : "-");
	else
		xappend(&text, "%7s -", "-");
	draw_text(y, 13, HOT_FIXED - 14, A_NORMAL, text);
	free(text);
	snprintf(pc, sizeof(pc), "0x%" PRIx64, e->pc);
	draw_text(y, HOT_FIXED, width, A_NORMAL, e->name.place ? e->name.place : pc);
	draw_text(y, HOT_FIXED + width + 1, COLS, A_NORMAL,
		  e->name.instruction ? e->name.instruction : "-");
}

static void draw_hot(const struct view *v, int y)
{
	const struct hot_entry *list[HOT_MAX];
	size_t room = LINES - 1 > y + 1 ? LINES - 1 - (y + 1) : 0, num;
	char *text = NULL;

	if (!room)
		return;
	num = hot_sort(&v->top->hot, v->order, list, room < HOT_MAX ? room : HOT_MAX);
	draw_text(y, 0, 13, A_UNDERLINE, " SHARE WAVES ");
	draw_text(y, 13, HOT_FIXED - 13, A_UNDERLINE, "    PID PROGRAM          ");
	xappend(&text, "PLACE, INSTRUCTION (by %s)", hot_order_name(v->order));
	draw_text(y, HOT_FIXED, COLS, A_UNDERLINE, text);
	free(text);
	for (size_t i = 0; i < num; i++)
		draw_hot_row(v, list[i], y + 1 + (int)i);
}

/* ----------------------------------------------------------------------------- all */

size_t draw_pane_lines(void)
{
	return LINES > 2 ? LINES - 2 : 1;
}

static void draw_pane(const struct view *v)
{
	for (size_t i = 0; i < draw_pane_lines() && v->first_line + i < v->pane.num; i++) {
		const char *text = v->pane.text[v->first_line + i];

		draw_text(1 + (int)i, 0, COLS, strncmp(text, "=>", 2) ? A_NORMAL : A_BOLD, text);
	}
}

void draw_view(struct view *v)
{
	size_t height;

	erase();
	draw_title(v);
	if (v->pane.num) {
		draw_pane(v);
	} else {
		draw_counts(v);
		height = place_maps(v);
		draw_maps(v, 2, height);
		draw_selected(v, 2 + (int)height);
		draw_hot(v, 3 + (int)height);
	}
	draw_message(v);
	refresh();
}
