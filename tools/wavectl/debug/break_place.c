// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints whose code is loaded and unloaded: see break_place.h.
 */
#include "debug/break_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/code.h"
#include "debug/condition.h"
#include "debug/location.h"
#include "waves/hold.h"

/* In place_changes: all breakpoints without an address are tried again */
#define PLACE_AGAIN	UINT64_MAX

static struct break_place *find(const struct debugger *d, uint32_t breakpoint)
{
	for (size_t i = 0; i < d->num_places; i++)
		if (d->places[i].breakpoint == breakpoint)
			return &d->places[i];
	return NULL;
}

void break_place_add(struct debugger *d, uint32_t breakpoint, const char *word,
		     const char *condition, uint64_t address)
{
	/* @word and @condition may belong to another place, which moves. */
	struct break_place place = {
		.breakpoint = breakpoint, .word = xstrdup(word),
		.condition = condition ? xstrdup(condition) : NULL, .reported = address,
	};

	d->places = xreallocarray(d->places, d->num_places + 1, sizeof(*d->places));
	d->places[d->num_places++] = place;
}

const char *break_place_word(const struct debugger *d, uint32_t breakpoint)
{
	const struct break_place *place = find(d, breakpoint);

	return place ? place->word : NULL;
}

void break_place_set_condition(struct debugger *d, uint32_t breakpoint, const char *condition)
{
	struct break_place *place = find(d, breakpoint);

	if (!place)
		return;
	free(place->condition);
	place->condition = condition ? xstrdup(condition) : NULL;
	d->place_changes = PLACE_AGAIN;
}

/* ------------------------------------------------------------------ addresses */

static bool has_address(const struct adbgd_breakpoint *b)
{
	return !(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_NO_ADDRESS);
}

/* Parse the condition again: a variable may be in another register of this code. */
static int parse_condition(struct wavectl *w, const struct break_place *place, uint64_t va,
			   struct adbgd_condition *c)
{
	struct condition_words words = { .words = (char **)&place->condition, .num = 1 };
	char *text = NULL;
	int status = condition_parse(w, &words, &va, c, &text);

	if (!status)
		stop_actions_set_condition(&w->shell->debugger->stop_actions, place->breakpoint,
					   text);
	free(text);
	return status;
}

/* Give an address to breakpoint @b of @place. Returns an exit status. */
static int set_at(struct wavectl *w, const struct break_place *place, uint64_t va,
		  struct adbgd_breakpoint *b)
{
	struct adbgd_condition condition;
	struct adbgd_error error;
	int status = location_check(w, va);

	if (!status && place->condition)
		status = parse_condition(w, place, va, &condition);
	if (status)
		return status;
	return adbgd_breakpoint_place(b, va, place->condition ? &condition : NULL, &error) ?
	       debug_fail(w, &error) : WAVECTL_OK;
}

/* Set one more breakpoint like @b, for one more address of its location. */
static int set_more(struct wavectl *w, size_t place, uint64_t va,
		    const struct adbgd_breakpoint *b)
{
	uint32_t flags = adbgd_breakpoint_get_info(b)->flags &
			 (ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_STEPPED);
	struct debugger *d = w->shell->debugger;
	struct adbgd_breakpoint *more;
	struct adbgd_error error;
	int status;

	if (adbgd_breakpoint_set_later(d->process, flags, &more, &error))
		return debug_fail(w, &error);
	break_place_add(d, adbgd_breakpoint_get_info(more)->number, d->places[place].word,
			d->places[place].condition, 0);
	status = set_at(w, &d->places[d->num_places - 1], va, more);
	if (status)
		ignore_result(adbgd_breakpoint_clear(more, NULL));
	return status;
}

static bool contains(const struct location *location, uint64_t va)
{
	for (size_t i = 0; i < location->num; i++)
		if (location->va[i] == va)
			return true;
	return false;
}

/* Is there a breakpoint of the same location at the address? */
static bool is_taken(const struct debugger *d, const char *word, uint64_t va)
{
	const struct adbgd_breakpoint *b;

	for (size_t i = 0; i < d->num_places; i++) {
		b = strcmp(d->places[i].word, word) ? NULL :
		    debug_breakpoint(d, d->places[i].breakpoint);
		if (b && has_address(b) && adbgd_breakpoint_get_info(b)->address == va)
			return true;
	}
	return false;
}

/* The first free address is for the breakpoint itself, further ones are for new breakpoints. */
static void set_each(struct wavectl *w, size_t place, const struct location *location,
		     struct adbgd_breakpoint *b)
{
	struct debugger *d = w->shell->debugger;
	int status = WAVECTL_OK;

	for (size_t i = 0; !status && i < location->num; i++) {
		if (is_taken(d, d->places[place].word, location->va[i]))
			continue;
		status = has_address(b) ? set_more(w, place, location->va[i], b) :
					  set_at(w, &d->places[place], location->va[i], b);
	}
	d->places[place].has_failed = status;
}

static void update(struct wavectl *w, size_t place)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_breakpoint *b = debug_breakpoint(d, d->places[place].breakpoint);
	struct location location;
	struct adbgd_error error;
	int ret;

	d->places[place].has_failed = false;
	if (!b)
		return;
	ret = location_find_loaded(d, d->places[place].word, &location, &error);
	if (has_address(b) && !contains(&location, adbgd_breakpoint_get_info(b)->address))
		ignore_result(adbgd_breakpoint_unplace(b, NULL));
	if (ret && ret != -ENOENT && !has_address(b)) {
		d->places[place].has_failed = true;
		debug_fail(w, &error);
	}
	if (!has_address(b))
		set_each(w, place, &location, b);
	location_free(&location);
}

/* Call this also while the library shows new waves. */
static void update_all(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	size_t num = d->num_places;

	if (d->place_changes == d->num_changes)
		return;
	d->place_changes = d->num_changes;
	for (size_t i = 0; i < num && !hold_interrupted(); i++)
		update(w, i);
	if (hold_interrupted())
		d->place_changes = PLACE_AGAIN;
}

/* ------------------------------------------------------------------- new waves */

static void look(void *data, uint64_t pc)
{
	struct debugger *d = data;

	code_look_at(d, pc);
	update_all(d->caller);
}

/* Does a breakpoint wait for code? */
static bool has_waiting(const struct debugger *d)
{
	const struct adbgd_breakpoint *b;

	for (size_t i = 0; i < d->num_places; i++) {
		b = d->places[i].has_failed ? NULL : debug_breakpoint(d, d->places[i].breakpoint);
		if (b && !has_address(b) &&
		    !(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_DISABLED))
			return true;
	}
	return false;
}

/*
 * "launch set" and the looks share the launch mode. Errors are ignored: the next call tries again.
 */
static void follow(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	bool wanted = has_waiting(d) && !w->shell->launch.mode && !w->shell->launch.flags;

	if (wanted == d->looks)
		return;
	if (!adbgd_process_set_start_callback(d->process, wanted ? look : NULL, d, NULL))
		d->looks = wanted;
}

void break_place_update(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;

	if (!d->num_places)
		return;
	update_all(w);
	follow(w);
}

/* --------------------------------------------------------------------- reports */

/* Get the breakpoint of a place if its address was not reported. NULL: it was, or it has none. */
static const struct adbgd_breakpoint *unreported(const struct debugger *d,
						 const struct break_place *place)
{
	const struct adbgd_breakpoint *b = debug_breakpoint(d, place->breakpoint);

	return b && has_address(b) && adbgd_breakpoint_get_info(b)->address != place->reported ?
	       b : NULL;
}

bool break_place_has_news(const struct debugger *d)
{
	for (size_t i = 0; i < d->num_places; i++)
		if (unreported(d, &d->places[i]))
			return true;
	return false;
}

static int say(struct wavectl *w, const struct adbgd_breakpoint *b)
{
	const struct adbgd_breakpoint_info *info = adbgd_breakpoint_get_info(b);

	emit_begin_live(w->emit);
	emit_str(w->emit, "type", "breakpoint-placed");
	emit_uint(w->emit, "number", info->number);
	emit_hex64(w->emit, "address", info->address);
	code_emit_place(w, info->address);
	emit_say(w->emit, "breakpoint {number} is at {address}, {place}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int break_place_report(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	const struct adbgd_breakpoint *b;
	int status = WAVECTL_OK;

	for (size_t i = 0; !status && i < d->num_places; i++) {
		b = unreported(d, &d->places[i]);
		if (!b)
			continue;
		d->places[i].reported = adbgd_breakpoint_get_info(b)->address;
		status = say(w, b);
	}
	return status;
}
