// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints whose code is loaded and unloaded: see break_place.h.
 */
#include "debug/break_place.h"

#include <errno.h>
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

void break_place_add(struct debugger *d, uint32_t breakpoint, const struct break_wanted *wanted,
		     uint64_t address)
{
	/* @wanted may belong to another place, which moves. */
	struct break_place place = {
		.breakpoint = breakpoint, .wanted = *wanted, .reported = address,
	};

	place.wanted.word = xstrdup(wanted->word);
	place.wanted.condition = wanted->condition ? xstrdup(wanted->condition) : NULL;
	d->places = xreallocarray(d->places, d->num_places + 1, sizeof(*d->places));
	d->places[d->num_places++] = place;
}

int break_place_set_later(struct wavectl *w, const struct break_wanted *wanted, uint32_t flags,
			  struct adbgd_breakpoint **b)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	if (adbgd_breakpoint_set_later(d->process, flags, b, &error))
		return debug_fail(w, &error);
	break_place_add(d, adbgd_breakpoint_get_info(*b)->number, wanted, 0);
	/* The shell has looked for the code, and would print the errors of others again. */
	if (wanted->owner)
		d->place_changes = PLACE_AGAIN;
	return WAVECTL_OK;
}

const char *break_place_word(const struct debugger *d, uint32_t breakpoint)
{
	const struct break_place *place = find(d, breakpoint);

	return place ? place->wanted.word : NULL;
}

void break_place_set_condition(struct debugger *d, uint32_t breakpoint, const char *condition)
{
	struct break_place *place = find(d, breakpoint);

	if (!place)
		return;
	free((char *)place->wanted.condition);
	place->wanted.condition = condition ? xstrdup(condition) : NULL;
	d->place_changes = PLACE_AGAIN;
}

/* ------------------------------------------------------------------ addresses */

static bool has_address(const struct adbgd_breakpoint *b)
{
	return !(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_NO_ADDRESS);
}

/* Parse the condition again: a variable may be in another register of this code. */
static int parse_condition(struct wavectl *w, const struct break_place *place, uint64_t va,
			   struct condition *c)
{
	int status = place->wanted.condition ?
		     condition_parse(w, place->wanted.condition, &va, c) : WAVECTL_OK;

	if (!status && place->wanted.condition)
		stop_actions_set_condition(&w->shell->debugger->stop_actions, place->breakpoint,
					   c->text);
	return status ? status : condition_add_count(w, place->wanted.every, place->wanted.nth, c);
}

/* Set @b there with its condition. Return: 0 or -errno; it has no address after an error. */
static int place_at(struct adbgd_breakpoint *b, uint64_t va, const struct condition *c,
		    struct adbgd_error *error)
{
	int ret = adbgd_breakpoint_place(b, va, condition_gpu(c), error);

	if (ret)
		return ret;
	ret = condition_complete(c, b, error);
	if (ret)
		ignore_result(adbgd_breakpoint_unplace(b, NULL));
	return ret;
}

/* Give an address to breakpoint @b of @place. Return: 0; -EAGAIN later; -EINVAL not at all. */
static int set_at(struct wavectl *w, const struct break_place *place, uint64_t va,
		  struct adbgd_breakpoint *b)
{
	struct condition condition = { .has_gpu = false };
	struct adbgd_error error;
	int ret;

	if (location_check(w, va))
		return -EINVAL;
	if (parse_condition(w, place, va, &condition)) {
		condition_free(&condition);
		return -EINVAL;
	}
	ret = place_at(b, va, &condition, &error);
	condition_free(&condition);
	if (!ret || ret == -EAGAIN)
		return ret;
	debug_fail(w, &error);
	return -EINVAL;
}

static bool has_flag(const struct adbgd_breakpoint *b, uint32_t flag)
{
	return adbgd_breakpoint_get_info(b)->flags & flag;
}

/* Is another breakpoint at the address, so that @b cannot be, or need not be? */
static bool is_taken(const struct debugger *d, const struct adbgd_breakpoint *b, uint64_t va)
{
	const struct adbgd_breakpoint *other;

	for (size_t i = 0; (other = adbgd_process_get_breakpoint(d->process, i)); i++)
		if (other != b && has_address(other) &&
		    adbgd_breakpoint_get_info(other)->address == va &&
		    has_flag(other, ADBGD_BREAKPOINT_STEPPED) ==
		    has_flag(b, ADBGD_BREAKPOINT_STEPPED) &&
		    has_flag(other, ADBGD_BREAKPOINT_DISABLED) ==
		    has_flag(b, ADBGD_BREAKPOINT_DISABLED))
			return true;
	return false;
}

/* The code was unloaded: the condition is kept for when it is loaded again. */
static int unset(struct debugger *d, struct break_place *place, struct adbgd_breakpoint *b)
{
	int ret = place->is_unloaded ? adbgd_breakpoint_unplace(b, NULL) : 0;

	if (ret || !place->is_unloaded)
		return ret;
	place->is_unloaded = false;
	place->reported = 0;
	stop_actions_set_condition(&d->stop_actions, place->breakpoint, place->wanted.condition);
	return 0;
}

/* Keep why it has no address. @error: NULL: what was printed last, if errors are not printed */
static void note_why(struct wavectl *w, struct break_place *place, const struct adbgd_error *error)
{
	free(place->why);
	place->why = error ? xstrdup(error->text) : NULL;
	if (error || !w->caught)
		return;
	place->why = *w->caught;
	*w->caught = NULL;
}

/* Set the breakpoint at the first address of its location that is free. */
static int set_again(struct wavectl *w, struct break_place *place, struct adbgd_breakpoint *b)
{
	struct debugger *d = w->shell->debugger;
	struct location location;
	struct adbgd_error error;
	int ret = location_find_loaded(d, place->wanted.word, place->wanted.is_path, &location,
				       &error);

	note_why(w, place, ret && ret != -EINTR ? &error : NULL);
	/* Without such a location, it waits. */
	place->has_failed = ret && ret != -ENOENT && ret != -EINTR;
	if (place->has_failed)
		debug_fail(w, &error);
	for (size_t i = 0; !ret && !has_address(b) && i < location.num; i++)
		if (!is_taken(d, b, location.va[i]))
			ret = set_at(w, place, location.va[i], b);
	/* What could not be set, or is another breakpoint's, does not wait. */
	if (!ret || ret == -EINVAL)
		place->has_failed = !has_address(b);
	if (ret == -EINVAL)
		note_why(w, place, NULL);
	place->is_fresh = has_address(b);
	location_free(&location);
	return ret == -EAGAIN || ret == -EINTR ? ret : 0;
}

/* Set one more breakpoint like @b, for one more address of its location. */
static void set_more(struct wavectl *w, size_t place, uint64_t va,
		     const struct adbgd_breakpoint *b)
{
	uint32_t flags = adbgd_breakpoint_get_info(b)->flags &
			 (ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_STEPPED);
	struct debugger *d = w->shell->debugger;
	struct adbgd_breakpoint *more;

	if (break_place_set_later(w, &d->places[place].wanted, flags, &more) ||
	    !set_at(w, &d->places[d->num_places - 1], va, more))
		return;
	ignore_result(adbgd_breakpoint_clear(more, NULL));
	debug_free_place(&d->places[--d->num_places]);
}

/* Code that was compiled into several pieces gets a breakpoint in each. */
static void set_rest(struct wavectl *w, size_t place, const struct adbgd_breakpoint *b)
{
	const struct break_wanted *wanted = &w->shell->debugger->places[place].wanted;
	struct debugger *d = w->shell->debugger;
	struct location location;
	struct adbgd_error error;

	if (has_flag(b, ADBGD_BREAKPOINT_DISABLED) ||
	    location_find_loaded(d, wanted->word, wanted->is_path, &location, &error))
		return;
	for (size_t i = 0; i < location.num; i++)
		if (location.va[i] != adbgd_breakpoint_get_info(b)->address &&
		    !is_taken(d, b, location.va[i]))
			set_more(w, place, location.va[i], b);
	location_free(&location);
}

/*
 * First all breakpoints lose the addresses that have no meaning any more, then those that exist get
 * new ones, and only then others are made. Call this also while the library shows new waves.
 */
static void update_all(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	uint64_t changes = d->num_changes;
	size_t num = d->num_places;
	struct adbgd_breakpoint *b;
	int ret = 0;

	if (d->place_changes == changes)
		return;
	for (size_t i = 0; i < num; i++) {
		b = debug_breakpoint(d, d->places[i].breakpoint);
		if (b && unset(d, &d->places[i], b))
			ret = -EAGAIN;
	}
	for (size_t i = 0; ret != -EINTR && i < num; i++) {
		b = debug_breakpoint(d, d->places[i].breakpoint);
		if (b && !has_address(b) && set_again(w, &d->places[i], b))
			ret = hold_interrupted() ? -EINTR : -EAGAIN;
	}
	for (size_t i = 0; ret != -EINTR && i < num; i++) {
		b = d->places[i].is_fresh ? debug_breakpoint(d, d->places[i].breakpoint) : NULL;
		if (b)
			set_rest(w, i, b);
		d->places[i].is_fresh = false;
	}
	d->place_changes = ret ? PLACE_AGAIN : changes;
}

/* ------------------------------------------------------------------- new waves */

static void look(void *data, uint64_t pc)
{
	struct debugger *d = data;

	/* An event that was not read yet may say that the code was just mapped. */
	code_note_events(d->caller);
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

	if (!d->num_places && !d->looks)
		return;
	update_all(w);
	follow(w);
}

/* ---------------------------------------------------------- breakpoints of an editor */

uint32_t break_place_owner(const struct debugger *d, uint32_t breakpoint)
{
	const struct break_place *place = find(d, breakpoint);

	return place ? place->wanted.owner : 0;
}

int break_place_clear(struct wavectl *w, uint32_t owner)
{
	struct debugger *d = w->shell->debugger;
	int status = WAVECTL_OK;
	size_t left = 0;

	for (size_t i = 0; i < d->num_places; i++) {
		struct break_place place = d->places[i];
		struct adbgd_breakpoint *b = debug_breakpoint(d, place.breakpoint);
		struct adbgd_error error;

		if (place.wanted.owner != owner) {
			d->places[left++] = place;
			continue;
		}
		if (b && adbgd_breakpoint_clear(b, &error))
			status = debug_fail(w, &error);
		stop_actions_set_condition(&d->stop_actions, place.breakpoint, NULL);
		debug_free_place(&place);
	}
	d->num_places = left;
	/* Another one may have been left out because this one was at its address. */
	d->place_changes = PLACE_AGAIN;
	return status;
}

void break_place_get_state(const struct debugger *d, uint32_t owner, struct break_state *state)
{
	bool is_pending = false;

	*state = (struct break_state){ .address = 0 };
	for (size_t i = 0; i < d->num_places; i++) {
		const struct break_place *place = &d->places[i];
		const struct adbgd_breakpoint *b = place->wanted.owner == owner ?
						   debug_breakpoint(d, place->breakpoint) : NULL;

		if (!b)
			continue;
		if (!has_address(b)) {
			state->has_failed |= place->has_failed;
			state->why = state->why ? state->why : place->why;
			continue;
		}
		if (!state->address)
			state->address = adbgd_breakpoint_get_info(b)->address;
		is_pending |= has_flag(b, ADBGD_BREAKPOINT_PENDING);
	}
	state->is_set = state->address && !is_pending;
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
