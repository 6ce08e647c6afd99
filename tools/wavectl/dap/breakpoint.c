// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The breakpoints of the client: see breakpoint.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/breakpoint.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/stack.h"
#include "debug/break_place.h"
#include "debug/code.h"
#include "debug/condition.h"
#include "debug/location.h"
#include "waves/hold.h"

struct breakpoint {
	struct breakpoint *next;
	struct breakpoint_request wanted;
	uint32_t id;
	enum hit_rule rule;
	uint64_t limit;
	uint64_t hits;			/* for HIT_MORE; the others are counted by the library */
	bool is_placed;			/* debug/break_place.c sets it; @id is the owner */
	uint32_t number;		/* of the library, if it is at an address; 0: not set */
	char *message;			/* why there is nothing to set; or NULL */
	/* what the client knows */
	bool was_verified;
	uint64_t last_address;
	char *last_message;
};

struct breakpoints {
	struct breakpoint *first;
	uint32_t last_id;
	uint64_t num_changes;		/* of the code, when addresses were tried last */
};

/* -------------------------------------------------------------------- the table */

struct breakpoints *breakpoint_table_new(void)
{
	return xcalloc(1, sizeof(struct breakpoints));
}

static void free_one(struct breakpoint *b)
{
	free((char *)b->wanted.file);
	free((char *)b->wanted.name);
	free((char *)b->wanted.condition);
	free((char *)b->wanted.hit_condition);
	free((char *)b->wanted.log);
	free(b->message);
	free(b->last_message);
	free(b);
}

void breakpoint_table_free(struct breakpoints *breakpoints)
{
	struct breakpoint *b;

	while (breakpoints && (b = breakpoints->first)) {
		breakpoints->first = b->next;
		free_one(b);
	}
	free(breakpoints);
}

static char *copy(const char *text)
{
	return text && *text ? xstrdup(text) : NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return !a || !*a ? !b || !*b : b && !strcmp(a, b);
}

/* Do both stop at the same hits? What is printed there may differ. */
static bool is_same(const struct breakpoint_request *a, const struct breakpoint_request *b)
{
	return a->kind == b->kind && is_same_text(a->file, b->file) && a->line == b->line &&
	       is_same_text(a->name, b->name) && a->address == b->address &&
	       is_same_text(a->condition, b->condition) &&
	       is_same_text(a->hit_condition, b->hit_condition);
}

static struct breakpoint *new_one(struct dap *d, const struct breakpoint_request *wanted)
{
	struct breakpoint *b = xcalloc(1, sizeof(*b));

	b->wanted = *wanted;
	b->wanted.file = copy(wanted->file);
	b->wanted.name = copy(wanted->name);
	b->wanted.condition = copy(wanted->condition);
	b->wanted.hit_condition = copy(wanted->hit_condition);
	b->wanted.log = copy(wanted->log);
	b->id = ++d->breakpoints->last_id;
	return b;
}

static void set_message(struct breakpoint *b, char *message)
{
	free(b->message);
	b->message = message;
}

static void set_log(struct breakpoint *b, const char *log)
{
	char *text = copy(log);

	free((char *)b->wanted.log);
	b->wanted.log = text;
}

/* ------------------------------------------------------------------- conditions */

/* Parse "5", "== 5", "> 5", ">= 5" or "% 5". False: it is none of these. */
static bool parse_hits(struct breakpoint *b)
{
	const char *text = b->wanted.hit_condition;
	bool or_equal = false;

	b->rule = text ? HIT_EQUAL : HIT_ALWAYS;
	if (!text)
		return true;
	text += strspn(text, " ");
	if (*text == '%' || *text == '>') {
		b->rule = *text == '%' ? HIT_EVERY : HIT_MORE;
		or_equal = *text == '>' && text[1] == '=';
		text += 1 + or_equal;
	} else {
		text += strspn(text, "=");
	}
	text += strspn(text, " ");
	if (!parse_u64(text, UINT32_MAX, &b->limit) || !b->limit)
		return false;
	b->limit -= or_equal;
	return true;
}

/* The hits that the GPU counts: every n-th or only the n-th; 0: it does not count. */
static uint32_t every_of(const struct breakpoint *b)
{
	return b->rule == HIT_EVERY ? (uint32_t)b->limit : 0;
}

static uint32_t nth_of(const struct breakpoint *b)
{
	return b->rule == HIT_EQUAL ? (uint32_t)b->limit : 0;
}

/* ------------------------------------------------------- breakpoints at an address */

/* In a name, as of a location of "break set" */
static bool has_address(const struct breakpoint *b)
{
	return b->wanted.kind == BREAKPOINT_INSTRUCTION ||
	       (b->wanted.kind == BREAKPOINT_FUNCTION && strchr("*$", *b->wanted.name));
}

/* Find the address. Returns an exit status. */
static int find_address(struct dap *d, const struct breakpoint *b, uint64_t *address)
{
	struct location location;
	int status = WAVECTL_OK;

	*address = b->wanted.address;
	if (b->wanted.kind == BREAKPOINT_FUNCTION) {
		status = location_find(d->w, b->wanted.name, LOCATION_STOP, &location);
		if (status)
			return status;
		*address = location.va[0];
		location_free(&location);
	}
	return location_check(d->w, *address);
}

/* Parse the condition, and add the hits. Returns an exit status. */
static int translate(struct dap *d, const struct breakpoint *b, uint64_t address,
		     struct condition *c)
{
	int status = b->wanted.condition ?
		     condition_parse(d->w, b->wanted.condition, &address, c) : WAVECTL_OK;

	return status ? status : condition_add_count(d->w, every_of(b), nth_of(b), c);
}

/* Returns an exit status. */
static int set_at(struct dap *d, struct breakpoint *b, uint64_t address, const struct condition *c)
{
	struct adbgd_breakpoint *new;
	struct adbgd_error error;

	if (adbgd_breakpoint_set_if(d->shell.debugger->process, address, 0, condition_gpu(c),
				    &new, &error))
		return debug_fail(d->w, &error);
	if (condition_complete(c, new, &error)) {
		ignore_result(adbgd_breakpoint_clear(new, NULL));
		return debug_fail(d->w, &error);
	}
	b->number = adbgd_breakpoint_get_info(new)->number;
	return WAVECTL_OK;
}

static void set_address(struct dap *d, struct breakpoint *b)
{
	struct condition c = { .has_gpu = false };
	uint64_t address;
	int status = find_address(d, b, &address);

	if (!status)
		status = translate(d, b, address, &c);
	if (!status)
		status = set_at(d, b, address, &c);
	condition_free(&c);
	if (status)
		set_message(b, out_take_caught(d));
}

/* ---------------------------------------------------------------------- setting */

/* By a line or a function: it is set as soon as its code is loaded. */
static void set_placed(struct dap *d, struct breakpoint *b)
{
	struct break_wanted wanted = {
		.condition = b->wanted.condition, .every = every_of(b), .nth = nth_of(b),
		.owner = b->id,
	};
	struct adbgd_breakpoint *new;
	char *word = NULL;

	if (b->wanted.kind == BREAKPOINT_LINE)
		xappend(&word, "%s:%" PRIu32, b->wanted.file, b->wanted.line);
	else
		xappend(&word, "%s", b->wanted.name);
	wanted.word = word;
	wanted.is_path = b->wanted.kind == BREAKPOINT_LINE;
	if (break_place_set_later(d->w, &wanted, 0, &new))
		set_message(b, out_take_caught(d));
	else
		b->is_placed = true;
	free(word);
}

static void clear(struct dap *d, const struct breakpoint *b)
{
	struct debugger *debugger = d->shell.debugger;
	struct adbgd_breakpoint *found;
	struct adbgd_error error;
	int status;

	if (!debugger)
		return;
	status = break_place_clear(d->w, b->id);
	found = b->number ? debug_breakpoint(debugger, b->number) : NULL;
	if (found && adbgd_breakpoint_clear(found, &error))
		status = debug_fail(d->w, &error);
	if (status)
		out_line(d, "important", "cannot remove a breakpoint: %s", d->caught);
}

/* Set it, or let it wait for its code. */
static void resolve(struct dap *d, struct breakpoint *b)
{
	if (b->is_placed || b->number)
		return;
	set_message(b, NULL);
	if (!d->shell.debugger)
		set_message(b, xstrdup("pending until the program uses the GPU"));
	else if (!parse_hits(b))
		set_message(b, xstrdup("hit counts are N, == N, > N, >= N or % N, from 1 on"));
	else if (has_address(b))
		set_address(d, b);
	else
		set_placed(d, b);
}

/* ------------------------------------------------------------------ descriptions */

static void get_state(const struct dap *d, const struct breakpoint *b, struct break_state *state)
{
	const struct debugger *debugger = d->shell.debugger;
	const struct adbgd_breakpoint *found;

	*state = (struct break_state){ .has_failed = debugger, .why = b->message };
	if (!debugger || b->message)
		return;
	if (b->is_placed) {
		break_place_get_state(debugger, b->id, state);
		return;
	}
	found = debug_breakpoint(debugger, b->number);
	if (!found)
		return;
	state->address = adbgd_breakpoint_get_info(found)->address;
	state->is_set = !(adbgd_breakpoint_get_info(found)->flags & ADBGD_BREAKPOINT_PENDING);
}

static const char *message_of(const struct break_state *state)
{
	if (state->is_set)
		return NULL;
	if (state->address)
		return "pending until the waves that started before have ended";
	return state->why ? state->why : "another breakpoint is at this address";
}

static void put_place(struct dap *d, struct json_object *object, const struct breakpoint *b,
		      uint64_t address)
{
	struct stack_frame frame;

	json_put_address(object, "instructionReference", address);
	if (!stack_name(d, address, &frame) || !frame.file)
		return;
	if (b->wanted.kind != BREAKPOINT_LINE)
		place_put_source(d, object, "source", frame.code, frame.file);
	json_put_number(object, "line", (int64_t)frame.line - 1 + d->first_line);
}

/* Describe a breakpoint, and remember what the client now knows. */
static void describe(struct dap *d, struct json_object *object, struct breakpoint *b,
		     const struct break_state *state)
{
	const char *message = message_of(state);

	json_put_number(object, "id", b->id);
	json_put_flag(object, "verified", state->is_set);
	json_put_text(object, "message", message);
	if (!state->is_set)
		json_put_text(object, "reason", !state->address && state->has_failed ?
			      "failed" : "pending");
	if (state->address)
		put_place(d, object, b, state->address);
	b->was_verified = state->is_set;
	b->last_address = state->address;
	free(b->last_message);
	b->last_message = copy(message);
}

static void send_if_changed(struct dap *d, struct breakpoint *b)
{
	struct json_object *body, *object;
	struct break_state state;

	get_state(d, b, &state);
	if (state.is_set == b->was_verified && state.address == b->last_address &&
	    is_same_text(message_of(&state), b->last_message))
		return;
	body = json_new();
	object = json_new();
	describe(d, object, b, &state);
	json_put_text(body, "reason", "changed");
	json_put(body, "breakpoint", object);
	out_event(d, "breakpoint", body);
}

/* --------------------------------------------------------------------- requests */

/* Take the breakpoints that are replaced out of the table. */
static struct breakpoint *take_old(struct dap *d, enum breakpoint_kind kind, const char *file)
{
	struct breakpoint **link = &d->breakpoints->first, *b, *old = NULL;

	while ((b = *link)) {
		if (b->wanted.kind != kind || !is_same_text(b->wanted.file, file)) {
			link = &b->next;
			continue;
		}
		*link = b->next;
		b->next = old;
		old = b;
	}
	return old;
}

static struct breakpoint *take_same(struct breakpoint **old,
				    const struct breakpoint_request *wanted)
{
	for (struct breakpoint **link = old, *b; (b = *link); link = &b->next) {
		if (!is_same(&b->wanted, wanted))
			continue;
		*link = b->next;
		return b;
	}
	return NULL;
}

void breakpoint_replace(struct dap *d, enum breakpoint_kind kind, const char *file,
			const struct breakpoint_request *requests, size_t num,
			struct json_object *array)
{
	struct breakpoint *old = take_old(d, kind, file), *b;
	struct breakpoint **all = xcalloc(num + 1, sizeof(*all));
	struct break_state state;

	for (size_t i = 0; i < num; i++)
		all[i] = take_same(&old, &requests[i]);
	/* Remove the others first: a new one may be at the same address. */
	while ((b = old)) {
		old = b->next;
		clear(d, b);
		free_one(b);
	}
	for (size_t i = 0; i < num; i++) {
		if (!all[i])
			all[i] = new_one(d, &requests[i]);
		else
			set_log(all[i], requests[i].log);
		all[i]->next = d->breakpoints->first;
		d->breakpoints->first = all[i];
		resolve(d, all[i]);
	}
	if (d->shell.debugger)
		break_place_update(d->w);
	for (size_t i = 0; i < num; i++) {
		get_state(d, all[i], &state);
		describe(d, json_push(array), all[i], &state);
	}
	free(all);
}

/* An address may be mapped now. */
static void retry_addresses(struct dap *d)
{
	uint64_t changes = d->shell.debugger->num_changes;

	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		if (changes != d->breakpoints->num_changes)
			resolve(d, b);
	d->breakpoints->num_changes = changes;
}

void breakpoint_update(struct dap *d)
{
	struct debugger *debugger = d->shell.debugger;

	if (hold_interrupted())
		return;
	code_update(debugger);
	debug_drop_news(debugger);
	retry_addresses(d);
	break_place_update(d->w);
	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		send_if_changed(d, b);
}

void breakpoint_begin(struct dap *d)
{
	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		resolve(d, b);
	breakpoint_update(d);
}

/* ------------------------------------------------------------------------- hits */

struct breakpoint *breakpoint_find(struct dap *d, uint32_t number)
{
	uint32_t owner = number ? break_place_owner(d->shell.debugger, number) : 0;

	for (struct breakpoint *b = d->breakpoints->first; number && b; b = b->next)
		if (b->number == number || b->id == owner)
			return b;
	return NULL;
}

uint32_t breakpoint_id(const struct breakpoint *b)
{
	return b->id;
}

const char *breakpoint_log(const struct breakpoint *b)
{
	return b->wanted.log;
}

bool breakpoint_hit(struct breakpoint *b)
{
	b->hits++;
	return b->rule != HIT_MORE || b->hits > b->limit;
}
