// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl until, next, finish, stepi: one wave goes on until it is somewhere, and then is
 * told of.
 */
#include <errno.h>
#include <stdlib.h>

#include "code.h"
#include "focus.h"
#include "location.h"
#include "traced.h"
#include "util.h"

#define DEFAULT_TIMEOUT_MS	10000

static int timeout_ms(const struct wavectl *w)
{
	uint64_t ms = w->timeout_ns / 1000000;

	if (!w->timeout_ns)
		return DEFAULT_TIMEOUT_MS;
	return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

/* In the document that is open; @steps: 0: they are not counted */
static void say_in(struct wavectl *w, const struct adbgd_stop *stop, uint64_t steps)
{
	char *sentence = focus_stop_sentence(w, stop, "is at");

	focus_emit_stop(w, stop);
	if (steps)
		emit_uint(w->emit, "steps", steps);
	emit_say(w->emit, sentence);
	free(sentence);
}

static int say(struct wavectl *w, const struct adbgd_stop *stop)
{
	emit_begin(w->emit);
	say_in(w, stop, w->count);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* One of the library's ways to go on; 0 or -errno */
typedef int (*going)(struct wavectl *w, struct debugger *d,
		     const struct amdgpudbg_wave_coord *at, struct adbgd_stop *stop,
		     struct adbgd_error *error);

static int go(struct wavectl *w, const struct amdgpudbg_wave_coord *at, going on)
{
	struct adbgd_error error;
	struct adbgd_stop stop;

	return on(w, w->dialogue->debugger, at, &stop, &error) ? debug_fail(w, &error) :
								   say(w, &stop);
}

static int open_and_go(struct wavectl *w, going on)
{
	struct amdgpudbg_wave_coord at;
	int status = focus_open_named(w, &at);

	return status ? status : go(w, &at, on);
}

/* The only place that the word names, as w->address */
static int take_place(struct wavectl *w)
{
	struct location location;
	int status = location_find(w, w->words[0], LOCATION_STOP, &location);

	if (status)
		return status;
	w->address = location.va[0];
	if (location.num > 1)
		status = fail_with(w, WAVECTL_USAGE, "give an address; \"disasm\" shows them",
				   "'%s' is at %zu places", w->words[0], location.num);
	free(location.va);
	return status ? status : location_check(w, w->address);
}

static int until(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		 struct adbgd_stop *stop, struct adbgd_error *error)
{
	return d->adbgd_wave_until(d->process, at, w->address, timeout_ms(w), stop, error);
}

int cmd_until(struct wavectl *w)
{
	struct amdgpudbg_wave_coord at;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help", "until where?");
	status = focus_take_word(w, 1);
	if (!status)
		status = focus_open_named(w, &at);
	if (!status)
		status = take_place(w);
	return status ? status : go(w, &at, until);
}

static int next(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		struct adbgd_stop *stop, struct adbgd_error *error)
{
	return d->adbgd_wave_next(d->process, at, timeout_ms(w), stop, error);
}

int cmd_next(struct wavectl *w)
{
	return open_and_go(w, next);
}

static int finish(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		  struct adbgd_stop *stop, struct adbgd_error *error)
{
	return d->adbgd_wave_finish(d->process, at, timeout_ms(w), stop, error);
}

int cmd_finish(struct wavectl *w)
{
	return open_and_go(w, finish);
}

static int steps(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		 struct adbgd_stop *stop, struct adbgd_error *error)
{
	return d->adbgd_wave_step_n(d->process, at, &w->count, stop, error);
}

static int stepi_shown(struct wavectl *w, const struct amdgpudbg_wave_coord *at)
{
	struct adbgd_stop stop;
	struct traced t;
	int status = w->count ? traced_record(w, at, w->count, &t, &stop) :
		     fail_with(w, WAVECTL_USAGE, NULL, "no step is none");

	if (!w->count)
		return status;
	if (!status) {
		emit_begin(w->emit);
		traced_emit(w, &t, 1, t.num, false);
		say_in(w, &stop, t.num);
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	traced_free(&t);
	return status;
}

int cmd_stepi(struct wavectl *w)
{
	bool has_count = w->num_words && parse_u64(w->words[0], UINT64_MAX, &w->count);
	struct amdgpudbg_wave_coord at;
	int status;

	if (!has_count)
		w->count = 1;
	status = focus_take_word(w, has_count);
	if (!status)
		status = focus_open_named(w, &at);
	if (status)
		return status;
	return w->changes ? stepi_shown(w, &at) : go(w, &at, steps);
}
