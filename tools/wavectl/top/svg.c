// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps and the hottest PCs as SVG: see svg.h.
 */
#include "top/svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"

/* Sizes in pixels */
#define CELL		12		/* a slot */
#define GAP		4		/* between two SIMDs */
#define MARGIN		10
#define LINE		16		/* a line of text */
#define LINE_BOTTOM	12		/* base line of its text */
#define CELL_BOTTOM	9		/* the same in a row of slots */
#define CHAR		7		/* width of a character in names of WGPs */
#define MIN_WIDTH	960
/* WGPs are in one row each, with all of their SIMDs. */
#define ANY_WIDTH	UINT32_MAX

struct picture {
	FILE *f;
	int y;				/* where the next part begins */
};

/* ---------------------------------------------------------------------------- text */

/* XML has no character U+FFFE and U+FFFF. */
static bool is_no_character(const char *text)
{
	return !strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3);
}

static void put_escaped(FILE *f, const char *text)
{
	char *shown = text_shown(text);

	for (const char *c = shown; *c; c++) {
		switch (*c) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\'':
			fputs("&#39;", f);
			break;
		default:
			if (is_no_character(c)) {
				fputc('?', f);
				c += 2;
			} else {
				fputc(*c, f);
			}
		}
	}
	free(shown);
}

/* @bottom: the base line, in pixels below p->y */
static void put_text(struct picture *p, int x, int bottom, const char *class, const char *text)
{
	fprintf(p->f, "<text x=\"%d\" y=\"%d\" class=\"%s\" xml:space=\"preserve\">", x,
		p->y + bottom, class);
	put_escaped(p->f, text);
	fputs("</text>\n", p->f);
}

static void put_line(struct picture *p, const char *class, const char *text)
{
	put_text(p, MARGIN, LINE_BOTTOM, class, text);
	p->y += LINE;
}

/* ---------------------------------------------------------------------------- maps */

/* The position of a slot in its row, in pixels from the name of the WGP on */
static int slot_x(const struct map *map, size_t in_row)
{
	return in_row * CELL + in_row / map->size.wave * GAP;
}

static int map_width(const struct map *map, const struct map_layout *layout)
{
	return 2 * MARGIN + layout->label * CHAR + slot_x(map, map_slots_of_row(map, layout));
}

static void put_slot(const struct picture *p, const struct map *map, size_t slot, int x)
{
	enum map_state state = map->states[slot];
	struct amdgpudbg_wave_coord at = map_coord(map, slot);
	char name[ADBG_WAVE_NAME_MAX];

	fprintf(p->f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"", x, p->y,
		CELL - 1, CELL - 1, map_colour(state));
	if (state == MAP_FREE) {
		fputs("/>\n", p->f);
		return;
	}
	fprintf(p->f, "><title>%s %s</title></rect>\n", adbg_wave_name(&at, name),
		map_state_name(state));
	fprintf(p->f, "<text x=\"%d\" y=\"%d\" class=\"l\">%c</text>\n", x + CELL / 2,
		p->y + CELL_BOTTOM, map_letter(state));
}

static void put_map(struct picture *p, const struct svg_gpu *gpu)
{
	const struct map *map = gpu->map;
	struct map_layout layout = map_divide(map, ANY_WIDTH);
	uint32_t slots = map_slots_of_row(map, &layout);
	char label[MAP_LABEL_MAX];
	size_t first;

	put_line(p, "t", gpu->title);
	for (size_t row = 0; row < layout.num_rows; row++) {
		first = map_first_slot(map, &layout, row);
		put_text(p, MARGIN, CELL_BOTTOM, "n", map_label(map, first, label));
		for (uint32_t i = 0; i < slots; i++)
			put_slot(p, map, first + i,
				 MARGIN + (int)layout.label * CHAR + slot_x(map, i));
		p->y += CELL + 2;
	}
	p->y += GAP;
}

/* The states with their letters and the numbers of their waves */
static void put_legend(struct picture *p, const struct svg_gpu *gpus, size_t num)
{
	int x = MARGIN;
	size_t count;
	char text[64];

	for (enum map_state s = MAP_RUNNING; s < MAP_NUM_STATES; s++, x += 150) {
		count = 0;
		for (size_t i = 0; i < num; i++)
			count += gpus[i].map->counts[s];
		fprintf(p->f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
			x, p->y + 2, CELL - 1, CELL - 1, map_colour(s));
		snprintf(text, sizeof(text), "%c %s: %zu", map_letter(s), map_state_name(s), count);
		put_text(p, x + CELL + 4, LINE_BOTTOM, "n", text);
	}
	p->y += LINE + GAP;
}

/* ---------------------------------------------------------------------------- PCs */

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void put_hot(struct picture *p, const struct hot *hot, const struct svg_gpu *gpus,
		    size_t num_gpus)
{
	const struct hot_entry *list[SVG_HOT_MAX];
	size_t num = hot_sort(hot, HOT_BY_SHARE, list, SVG_HOT_MAX);
	char *text = NULL;

	for (size_t i = 0; i < num; i++) {
		const struct hot_entry *e = list[i];

		if (num_gpus > 1)
			xappend(&text, "GPU %u  ", gpus[e->gpu].number);
		xappend(&text, "%5.1f %%  %u waves  ", hot_share(hot, e), e->waves);
		if (e->name.pid)
			xappend(&text, "%d %s  ", e->name.pid, or_dash(e->name.program));
		xappend(&text, "0x%016" PRIx64 "  %s  %s", e->pc, or_dash(e->name.instruction),
			or_dash(e->name.place));
		put_line(p, "n", text);
		free(text);
		text = NULL;
	}
}

static size_t hot_lines(const struct hot *hot)
{
	const struct hot_entry *list[SVG_HOT_MAX];

	return hot_sort(hot, HOT_BY_SHARE, list, SVG_HOT_MAX);
}

static int picture_height(const struct svg_gpu *gpus, size_t num, const struct hot *hot)
{
	int height = 2 * MARGIN + LINE + GAP + hot_lines(hot) * LINE;

	for (size_t i = 0; i < num; i++)
		height += LINE + GAP +
			  map_divide(gpus[i].map, ANY_WIDTH).num_rows * (CELL + 2);
	return height;
}

static int picture_width(const struct svg_gpu *gpus, size_t num)
{
	struct map_layout layout;
	int width = MIN_WIDTH, of;

	for (size_t i = 0; i < num; i++) {
		layout = map_divide(gpus[i].map, ANY_WIDTH);
		of = map_width(gpus[i].map, &layout);
		width = of > width ? of : width;
	}
	return width;
}

void svg_write(FILE *f, const struct svg_gpu *gpus, size_t num_gpus, const struct hot *hot)
{
	static const char style[] =
		"<style type=\"text/css\">text { font: 11px monospace; fill: #000000 } "
		".t { font-weight: bold } .l { text-anchor: middle }</style>\n";
	int width = picture_width(gpus, num_gpus), height = picture_height(gpus, num_gpus, hot);
	struct picture p = { .f = f, .y = MARGIN };

	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height);
	fputs("<title>Waves on the GPU</title>\n", f);
	fputs(style, f);
	fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height);
	for (size_t i = 0; i < num_gpus; i++)
		put_map(&p, &gpus[i]);
	put_legend(&p, gpus, num_gpus);
	put_hot(&p, hot, gpus, num_gpus);
	fputs("</svg>\n", f);
}
