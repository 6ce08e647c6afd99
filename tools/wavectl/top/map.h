/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map of a GPU: the state of the wave in each slot, and where a slot is in a picture of rows
 * and columns. No function here accesses a GPU.
 */
#ifndef WAVECTL_TOP_MAP_H
#define WAVECTL_TOP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

enum map_state {
	MAP_FREE,
	MAP_RUNNING,
	MAP_WAITING,			/* at an instruction that waits, such as s_waitcnt */
	MAP_BARRIER,
	MAP_HALTED,
	MAP_FATAL,
	MAP_HANDLER,
	MAP_NUM_STATES,
};

struct map {
	struct amdgpudbg_wave_coord size;	/* number of values of each coordinate */
	size_t num_slots;
	uint8_t *states;			/* enum map_state of each slot */
	uint32_t *indexes;			/* of the wave in its list; only with a wave */
	size_t counts[MAP_NUM_STATES];
};

/* The letter of a state, which tells it without a colour, and its name as in "wave list" */
char map_letter(enum map_state state);
const char *map_state_name(enum map_state state);
/* The colour of a state for SVG, such as "#2e9e41" */
const char *map_colour(enum map_state state);
/* The state of a wave. @waits: its next instruction waits */
enum map_state map_state_of(const struct amdgpudbg_wave *wave, bool waits);

/* Set up a map without waves. False: the GPU reports no slots, or more than any GPU has. */
bool map_init(struct map *map, const struct amdgpudbg_info *info);
void map_free(struct map *map);
void map_clear(struct map *map);
/* Set the wave with index @i of its list. Coordinates that the GPU does not have are ignored. */
void map_set(struct map *map, const struct amdgpudbg_wave_coord *at, enum map_state state,
	     uint32_t i);
/* The number of a slot, in the order of the coordinates; -1: the GPU has no such slot */
int64_t map_slot(const struct map *map, const struct amdgpudbg_wave_coord *at);
struct amdgpudbg_wave_coord map_coord(const struct map *map, size_t slot);

/* How a map is divided into rows of text */
struct map_layout {
	uint32_t label;			/* columns of the name of a WGP, with a blank */
	uint32_t simds;			/* SIMDs in a row */
	uint32_t rows_of_wgp;
	size_t num_rows;
};

#define MAP_LABEL_MAX	64

/* Divide it for @width columns. If a SIMD does not fit, the rows are longer than that. */
struct map_layout map_divide(const struct map *map, uint32_t width);
/* The row and column of a slot */
size_t map_row_of(const struct map *map, const struct map_layout *layout, size_t slot);
uint32_t map_column_of(const struct map *map, const struct map_layout *layout, size_t slot);
/* The first slot of a row, and the number of slots in it */
size_t map_first_slot(const struct map *map, const struct map_layout *layout, size_t row);
uint32_t map_slots_of_row(const struct map *map, const struct map_layout *layout);
/* The name of the WGP of a slot: "se0.sa1.wgp3". Returns @label. */
char *map_label(const struct map *map, size_t slot, char label[MAP_LABEL_MAX]);

#endif /* WAVECTL_TOP_MAP_H */
