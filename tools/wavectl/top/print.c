// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The last sample as text or JSON: see print.h.
 */
#include "top/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define KEY_MAX		16
/* WGPs are in one row each, with all of their SIMDs. */
#define ANY_WIDTH	UINT32_MAX

/* ---------------------------------------------------------------------------- maps */

/* The letters of the slots of a SIMD. The caller frees it. */
static char *simd_text(const struct map *map, size_t slot)
{
	char *text = xcalloc(map->size.wave + 1, 1);

	for (uint32_t i = 0; i < map->size.wave; i++)
		text[i] = map_letter(map->states[slot + i]);
	return text;
}

/* A row: the name of the WGP, and its SIMDs */
static void print_row(struct wavectl *w, const struct map *map, const struct map_layout *layout,
		      size_t row)
{
	size_t slot = map_first_slot(map, layout, row);
	char label[MAP_LABEL_MAX], **simds, *all = NULL;

	emit_row(w->emit);
	emit_gpu_number(w);
	emit_str(w->emit, "wgp", map_label(map, slot, label));
	simds = xcalloc(map->size.simd, sizeof(*simds));
	for (uint32_t i = 0; i < map->size.simd; i++) {
		simds[i] = simd_text(map, slot + i * map->size.wave);
		xappend(&all, "%s%s", i ? "|" : "", simds[i]);
	}
	emit_names_short(w->emit, "simds", (const char *const *)simds, map->size.simd, all);
	for (uint32_t i = 0; i < map->size.simd; i++)
		free(simds[i]);
	free(simds);
	free(all);
}

static void print_maps(struct top *t)
{
	struct map_layout layout;

	emit_table(t->w->emit, "map", true);
	for (size_t i = 0; i < t->num_gpus; i++) {
		use_target(t->w, i);
		layout = map_divide(&t->gpus[i].map, ANY_WIDTH);
		for (size_t row = 0; row < layout.num_rows; row++)
			print_row(t->w, &t->gpus[i].map, &layout, row);
	}
	emit_table_end(t->w->emit);
}

/* The number of waves in each state, and what the letters mean */
static void print_counts(struct top *t)
{
	char *sentence = NULL, key[KEY_MAX];
	struct emit *e = t->w->emit;
	size_t count, all = 0;

	for (enum map_state s = MAP_RUNNING; s < MAP_NUM_STATES; s++) {
		count = 0;
		for (size_t i = 0; i < t->num_gpus; i++)
			count += t->gpus[i].map.counts[s];
		all += count;
		snprintf(key, sizeof(key), "%s", map_state_name(s));
		for (char *c = strchr(key, '-'); c; c = strchr(c, '-'))
			*c = '_';
		emit_uint(e, key, count);
		xappend(&sentence, "%s%c %s: {%s}", sentence ? ", " : "", map_letter(s),
			map_state_name(s), key);
	}
	emit_uint(e, "count", all);
	emit_uint(e, "samples", t->hot.samples);
	emit_say(e, sentence);
	free(sentence);
}

/* The waves of the map, for programs */
static void print_waves(struct top *t)
{
	const struct amdgpudbg_wave *wave;
	struct emit *e = t->w->emit;

	emit_table(e, "waves", false);
	for (size_t i = 0; i < t->num_gpus; i++) {
		use_target(t->w, i);
		for (size_t slot = 0; slot < t->gpus[i].map.num_slots; slot++) {
			wave = top_wave(&t->gpus[i], slot);
			if (!wave)
				continue;
			emit_row(e);
			emit_gpu_number(t->w);
			emit_at(e, "name", &wave->at);
			emit_uint(e, "vmid", wave->vmid);
			emit_hex64(e, "pc", wave->pc);
			emit_str(e, "state", map_state_name(t->gpus[i].map.states[slot]));
		}
	}
	emit_table_end(e);
}

/* ---------------------------------------------------------------------------- PCs */

static void print_text(struct emit *e, const char *key, const char *text)
{
	if (text)
		emit_str(e, key, text);
	else
		emit_none(e, key);
}

static void print_entry(struct top *t, const struct hot_entry *entry)
{
	const struct top_process *p = top_find_process(t, entry->gpu, entry->pasid);
	const struct debugger *d = p && p->is_open ? &p->of.debugger : NULL;
	struct emit *e = t->w->emit;
	char text[16];

	emit_row(e);
	use_target(t->w, entry->gpu);
	emit_gpu_number(t->w);
	snprintf(text, sizeof(text), "%.1f%%", hot_share(&t->hot, entry));
	emit_str(e, "share", text);
	emit_uint(e, "samples", entry->samples);
	emit_uint(e, "waves", entry->waves);
	if (entry->name.pid)
		emit_uint(e, "pid", entry->name.pid);
	else
		emit_none(e, "pid");
	print_text(e, "program", entry->name.program);
	emit_hex64(e, "pc", entry->pc);
	print_text(e, "instruction", entry->name.instruction);
	code_emit_place_in(t->w, code_at(d, entry->pc), entry->pc, true);
}

static void print_hot(struct top *t)
{
	const struct hot_entry *list[PRINT_HOT_MAX];
	size_t num = hot_sort(&t->hot, HOT_BY_SHARE, list, PRINT_HOT_MAX);

	emit_table(t->w->emit, "hot", true);
	for (size_t i = 0; i < num; i++)
		print_entry(t, list[i]);
	emit_table_end(t->w->emit);
}

void top_print(struct top *t)
{
	print_maps(t);
	print_counts(t);
	print_waves(t);
	print_hot(t);
}
