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
#include "debug/condition.h"
#include "debug/location.h"

struct breakpoint {
	struct breakpoint *next;
	struct breakpoint_request wanted;
	uint32_t id;
	/* hits are counted here if @counts_here, else by the GPU */
	enum hit_rule rule;
	uint64_t limit;
	uint64_t hits;
	bool counts_here;
	uint32_t *numbers;		/* of the library's breakpoints */
	size_t num;
	uint64_t address;		/* of the first one */
	bool is_shared;			/* another breakpoint is at its address */
	char *message;			/* why it is not set; or NULL */
	bool was_verified;		/* what the client knows */
	char *last_message;
};

struct breakpoints {
	struct breakpoint *first;
	uint32_t last_id;
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
	free(b->numbers);
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

static bool is_same(const struct breakpoint_request *a, const struct breakpoint_request *b)
{
	return a->kind == b->kind && is_same_text(a->file, b->file) && a->line == b->line &&
	       is_same_text(a->name, b->name) && a->address == b->address &&
	       is_same_text(a->condition, b->condition) &&
	       is_same_text(a->hit_condition, b->hit_condition) && is_same_text(a->log, b->log);
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

/*
 * Parse the condition for one of the addresses, at which variables may be somewhere else. Returns
 * false, with a message: it is invalid.
 */
static bool parse_condition(struct dap *d, struct breakpoint *b, uint64_t address,
			    struct condition *c)
{
	struct condition_words words = { .words = (char **)&b->wanted.condition, .num = 1 };

	*c = (struct condition){ .has_gpu = false };
	if (!b->wanted.condition || !condition_parse(d->w, &words, &address, c))
		return true;
	set_message(b, out_take_caught(d));
	return false;
}

/* Translate the condition and the hits. Returns false, with a message: it is invalid. */
static bool translate(struct dap *d, struct breakpoint *b, uint64_t address, struct condition *c)
{
	if (!parse_condition(d, b, address, c))
		return false;
	b->counts_here = b->rule == HIT_MORE;
	if (b->counts_here || b->rule == HIT_ALWAYS)
		return true;
	if (c->gpu.nth || c->gpu.every) {
		set_message(b, xstrdup("the condition has a hit count, too"));
		return false;
	}
	if (b->rule == HIT_EVERY)
		c->gpu.every = (uint32_t)b->limit;
	else
		c->gpu.nth = (uint32_t)b->limit;
	c->has_gpu = true;
	return true;
}

/* ---------------------------------------------------------------------- setting */

/* Find the addresses. Returns their number; the caller frees them. */
static size_t find_addresses(struct dap *d, struct breakpoint *b, uint64_t **addresses)
{
	struct location location = { 0 };
	struct adbgd_line *lines;
	char *why = NULL;
	size_t num;

	*addresses = NULL;
	switch (b->wanted.kind) {
	case BREAKPOINT_LINE:
		num = place_find_line(d, b->wanted.file, b->wanted.line, &lines, &why);
		*addresses = xcalloc(num + 1, sizeof(**addresses));
		for (size_t i = 0; i < num; i++)
			(*addresses)[i] = lines[i].address;
		free(lines);
		if (num)
			free(why);
		else
			set_message(b, why);
		return num;
	case BREAKPOINT_FUNCTION:
		if (!location_find(d->w, b->wanted.name, LOCATION_STOP, &location)) {
			*addresses = location.va;
			free(location.word);
			return location.num;
		}
		set_message(b, out_take_caught(d));
		return 0;
	default:
		*addresses = xcalloc(1, sizeof(**addresses));
		**addresses = b->wanted.address;
		if (!location_check(d->w, b->wanted.address))
			return 1;
		set_message(b, out_take_caught(d));
		return 0;
	}
}

static void clear_one(struct dap *d, uint32_t number)
{
	struct adbgd_breakpoint *b = debug_breakpoint(d->shell.debugger, number);
	struct adbgd_error error;

	if (b && adbgd_breakpoint_clear(b, &error))
		out_line(d, "important", "cannot remove a breakpoint: %s", error.text);
}

static void clear(struct dap *d, struct breakpoint *b)
{
	for (size_t i = 0; d->shell.debugger && i < b->num; i++)
		clear_one(d, b->numbers[i]);
	b->num = 0;
}

/* Set one breakpoint of the library. Returns 0 or -errno. */
static int set_one(struct dap *d, struct breakpoint *b, uint64_t address,
		   const struct condition *c, struct adbgd_error *error)
{
	struct adbgd_breakpoint *new;
	int ret = adbgd_breakpoint_set_if(d->shell.debugger->process, address, 0,
					  condition_gpu(c), &new, error);

	if (ret)
		return ret;
	ret = condition_complete(c, new, error);
	if (ret) {
		ignore_result(adbgd_breakpoint_clear(new, NULL));
		return ret;
	}
	b->numbers = xreallocarray(b->numbers, b->num + 1, sizeof(*b->numbers));
	b->numbers[b->num++] = adbgd_breakpoint_get_info(new)->number;
	return 0;
}

/* Set it at each address, or at none if one fails. */
static void set_all(struct dap *d, struct breakpoint *b, const uint64_t *addresses, size_t num)
{
	struct adbgd_error error;
	struct condition c;

	b->address = addresses[0];
	for (size_t i = 0; i < num; i++) {
		bool good = translate(d, b, addresses[i], &c);
		int ret = good ? set_one(d, b, addresses[i], &c, &error) : 0;

		condition_free(&c);
		b->is_shared |= ret == -EEXIST;
		if (good && (!ret || ret == -EEXIST))
			continue;
		clear(d, b);
		if (good)
			set_message(b, xstrdup(error.text));
		return;
	}
	if (b->is_shared && !b->num)
		set_message(b, xstrdup("another breakpoint is at this address"));
}

static void resolve(struct dap *d, struct breakpoint *b)
{
	uint64_t *addresses;
	size_t num;

	set_message(b, NULL);
	b->is_shared = false;
	if (!d->shell.debugger) {
		set_message(b, xstrdup("pending until the program uses the GPU"));
		return;
	}
	if (!parse_hits(b)) {
		set_message(b, xstrdup("hit counts are N, == N, > N, >= N or % N, from 1 on"));
		return;
	}
	num = find_addresses(d, b, &addresses);
	if (num)
		set_all(d, b, addresses, num);
	free(addresses);
}

/* ------------------------------------------------------------------ descriptions */

/* Does the library still have all of them, and are they set? */
static bool is_verified(const struct dap *d, struct breakpoint *b, bool *is_pending)
{
	struct debugger *debugger = d->shell.debugger;
	bool verified = b->num;

	*is_pending = false;
	for (size_t i = 0; debugger && i < b->num; i++) {
		const struct adbgd_breakpoint *found = debug_breakpoint(debugger, b->numbers[i]);

		if (!found) {
			b->num = 0;
			return false;
		}
		if (adbgd_breakpoint_get_info(found)->flags & ADBGD_BREAKPOINT_PENDING)
			*is_pending = true;
	}
	return verified && !*is_pending;
}

static const char *message_of(const struct breakpoint *b, bool is_pending)
{
	if (b->message)
		return b->message;
	return is_pending ? "pending until the waves that started before have ended" : NULL;
}

static void put_place(struct dap *d, struct json_object *object, const struct breakpoint *b)
{
	struct stack_frame frame;

	json_put_address(object, "instructionReference", b->address);
	if (!stack_name(d, b->address, &frame) || !frame.file)
		return;
	if (b->wanted.kind != BREAKPOINT_LINE)
		place_put_source(d, object, "source", frame.code, frame.file);
	json_put_number(object, "line", (int64_t)frame.line - 1 + d->first_line);
}

/* Describe a breakpoint, and remember what the client now knows. */
static void describe(struct dap *d, struct json_object *object, struct breakpoint *b)
{
	bool is_pending, verified = is_verified(d, b, &is_pending);
	const char *message = message_of(b, is_pending);

	json_put_number(object, "id", b->id);
	json_put_flag(object, "verified", verified);
	json_put_text(object, "message", message);
	if (!verified)
		json_put_text(object, "reason",
			      b->message && d->shell.debugger ? "failed" : "pending");
	if (b->num)
		put_place(d, object, b);
	b->was_verified = verified;
	free(b->last_message);
	b->last_message = copy(message);
}

static void send_if_changed(struct dap *d, struct breakpoint *b)
{
	bool is_pending, verified = is_verified(d, b, &is_pending);
	struct json_object *body, *object;

	if (verified == b->was_verified &&
	    is_same_text(message_of(b, is_pending), b->last_message))
		return;
	body = json_new();
	object = json_new();
	describe(d, object, b);
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
		all[i]->next = d->breakpoints->first;
		d->breakpoints->first = all[i];
		if (!all[i]->num)
			resolve(d, all[i]);
		describe(d, json_push(array), all[i]);
	}
	free(all);
}

void breakpoint_update(struct dap *d)
{
	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		send_if_changed(d, b);
}

void breakpoint_retry(struct dap *d)
{
	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		if (!b->num)
			resolve(d, b);
	breakpoint_update(d);
}

bool breakpoint_is_missing(const struct dap *d)
{
	for (const struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		if (!b->num)
			return true;
	return false;
}

/* ------------------------------------------------------------------------- hits */

struct breakpoint *breakpoint_find(struct dap *d, uint32_t number)
{
	for (struct breakpoint *b = d->breakpoints->first; b; b = b->next)
		for (size_t i = 0; i < b->num; i++)
			if (b->numbers[i] == number)
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
	if (!b->counts_here)
		return true;
	switch (b->rule) {
	case HIT_EQUAL:
		return b->hits == b->limit;
	case HIT_MORE:
		return b->hits > b->limit;
	case HIT_EVERY:
		return b->hits % b->limit == 0;
	default:
		return true;
	}
}
