// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The map of a GPU: see map.h.
 */
#include "top/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* More than any GPU has; a limit for the memory of a map */
#define MAX_SLOTS	(1 << 20)

static const struct {
	char letter;
	const char *name, *colour;
} states[MAP_NUM_STATES] = {
	[MAP_FREE] = { '.', "free", "#e8e8e8" },
	[MAP_RUNNING] = { 'R', "running", "#2e9e41" },
	[MAP_WAITING] = { 'W', "waiting", "#3aa6c9" },
	[MAP_BARRIER] = { 'B', "at-barrier", "#3b5bdb" },
	[MAP_HALTED] = { 'H', "halted", "#f2c037" },
	[MAP_FATAL] = { 'F', "fatal-halt", "#d62f2f" },
	[MAP_HANDLER] = { 'T', "in-handler", "#b04fc4" },
};

char map_letter(enum map_state state)
{
	return states[state].letter;
}

const char *map_state_name(enum map_state state)
{
	return states[state].name;
}

const char *map_colour(enum map_state state)
{
	return states[state].colour;
}

enum map_state map_state_of(const struct amdgpudbg_wave *wave, bool waits)
{
	/* The same order as in wave_state() */
	if (wave->flags & AMDGPUDBG_WAVE_PRIV)
		return MAP_HANDLER;
	if (wave->flags & AMDGPUDBG_WAVE_FATAL_HALT)
		return MAP_FATAL;
	if (wave->flags & AMDGPUDBG_WAVE_HALTED)
		return MAP_HALTED;
	if (wave->flags & AMDGPUDBG_WAVE_BARRIER)
		return MAP_BARRIER;
	return waits ? MAP_WAITING : MAP_RUNNING;
}

bool map_init(struct map *map, const struct amdgpudbg_info *info)
{
	const uint32_t sizes[] = {
		info->num_xcc, info->num_se, info->num_sa, info->num_wgp, info->num_simd,
		info->num_wave,
	};
	uint64_t num = 1;

	*map = (struct map){ .num_slots = 0 };
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		num *= sizes[i];
		if (!num || num > MAX_SLOTS)
			return false;
	}
	map->size = (struct amdgpudbg_wave_coord){
		.xcc = info->num_xcc, .se = info->num_se, .sa = info->num_sa,
		.wgp = info->num_wgp, .simd = info->num_simd, .wave = info->num_wave,
	};
	map->num_slots = num;
	map->states = xcalloc(num, sizeof(*map->states));
	map->indexes = xcalloc(num, sizeof(*map->indexes));
	map_clear(map);
	return true;
}

void map_free(struct map *map)
{
	free(map->states);
	free(map->indexes);
	*map = (struct map){ .num_slots = 0 };
}

void map_clear(struct map *map)
{
	memset(map->states, MAP_FREE, map->num_slots);
	memset(map->counts, 0, sizeof(map->counts));
	map->counts[MAP_FREE] = map->num_slots;
}

int64_t map_slot(const struct map *map, const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave_coord *s = &map->size;

	if (at->xcc >= s->xcc || at->se >= s->se || at->sa >= s->sa || at->wgp >= s->wgp ||
	    at->simd >= s->simd || at->wave >= s->wave)
		return -1;
	return ((((int64_t)(at->xcc * s->se + at->se) * s->sa + at->sa) * s->wgp + at->wgp) *
		s->simd + at->simd) * s->wave + at->wave;
}

static uint32_t take(size_t *rest, uint32_t size)
{
	uint32_t value = *rest % size;

	*rest /= size;
	return value;
}

struct amdgpudbg_wave_coord map_coord(const struct map *map, size_t slot)
{
	struct amdgpudbg_wave_coord at = { .xcc = 0 };

	at.wave = take(&slot, map->size.wave);
	at.simd = take(&slot, map->size.simd);
	at.wgp = take(&slot, map->size.wgp);
	at.sa = take(&slot, map->size.sa);
	at.se = take(&slot, map->size.se);
	at.xcc = slot;
	return at;
}

void map_set(struct map *map, const struct amdgpudbg_wave_coord *at, enum map_state state,
	     uint32_t i)
{
	int64_t slot = map_slot(map, at);

	if (slot < 0)
		return;
	map->counts[map->states[slot]]--;
	map->counts[state]++;
	map->states[slot] = state;
	map->indexes[slot] = i;
}

/* ------------------------------------------------------------------------- layout */

char *map_label(const struct map *map, size_t slot, char label[MAP_LABEL_MAX])
{
	struct amdgpudbg_wave_coord at = map_coord(map, slot);
	char name[ADBG_WAVE_NAME_MAX], *end;

	/* As the name of a wave, up to its WGP */
	adbg_wave_name(&at, name);
	end = strstr(name, ".simd");
	if (end)
		*end = '\0';
	return memcpy(label, name, strlen(name) + 1);
}

struct map_layout map_divide(const struct map *map, uint32_t width)
{
	struct map_layout layout = { .simds = map->size.simd };
	char label[MAP_LABEL_MAX];

	/* The last name is one of the longest. */
	layout.label = strlen(map_label(map, map->num_slots - 1, label)) + 1;
	/* Each SIMD is followed by a separator, but the last one of the row. */
	while (layout.simds > 1 && (map->size.simd % layout.simds ||
				    layout.label + layout.simds * (map->size.wave + 1) - 1 > width))
		layout.simds--;
	layout.rows_of_wgp = map->size.simd / layout.simds;
	layout.num_rows = map->num_slots / map_slots_of_row(map, &layout);
	return layout;
}

uint32_t map_slots_of_row(const struct map *map, const struct map_layout *layout)
{
	return layout->simds * map->size.wave;
}

size_t map_row_of(const struct map *map, const struct map_layout *layout, size_t slot)
{
	return slot / map_slots_of_row(map, layout);
}

uint32_t map_column_of(const struct map *map, const struct map_layout *layout, size_t slot)
{
	uint32_t in_row = slot % map_slots_of_row(map, layout);

	return layout->label + in_row + in_row / map->size.wave;
}

size_t map_first_slot(const struct map *map, const struct map_layout *layout, size_t row)
{
	return row * map_slots_of_row(map, layout);
}
