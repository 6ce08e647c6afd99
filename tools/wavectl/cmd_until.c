// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl until, next, finish, stepi: one wave goes on until it is somewhere, and then is
 * told of.
 */
#include <stdlib.h>

#include "code.h"
#include "focus.h"
#include "location.h"
#include "util.h"

#define DEFAULT_TIMEOUT_MS	10000

/* The debugger, and the wave that w->spec names, which is in focus then, or the one that is */
static int open_wave(struct wavectl *w, struct amdgpudbg_wave_coord *at)
{
	struct focus focus;
	int status;

	if (w->has_spec && adbg_wave_spec_mode(&w->spec, at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(w, WAVECTL_USAGE, NULL, "'%s' is not one wave", w->spec_text);
	status = debug_open_target(w);
	if (!status && w->has_spec)
		status = focus_set(w, at);
	if (status)
		return status;
	status = focus_open(w, &focus);
	if (!status)
		*at = focus.wave.at;
	focus_close(&focus);
	return status;
}

/* The word that names a wave, where others may stand before it; it is the last one. */
static int take_wave(struct wavectl *w, int i)
{
	if (w->num_words <= i)
		return WAVECTL_OK;
	if (w->num_words > i + 1)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unexpected argument '%s'", w->words[i + 1]);
	w->has_spec = true;
	w->spec_text = w->words[i];
	return parse_spec(w, w->spec_text, &w->spec);
}

static int timeout_ms(const struct wavectl *w)
{
	uint64_t ms = w->timeout_ns / 1000000;

	if (!w->timeout_ns)
		return DEFAULT_TIMEOUT_MS;
	return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

static const char *sentence_of(const struct wavectl *w, const struct adbgd_stop *stop)
{
	const struct debugger *d = w->dialogue->debugger;
	struct place place;

	if (stop->reason == ADBGD_STOP_WAVE_END)
		return "{name} vmid {vmid} has ended";
	if (code_name_place(d, stop->pc, &place))
		return stop->breakpoint ?
		       "{name} vmid {vmid} is at {pc}, {place}: {type}, breakpoint {breakpoint}" :
		       "{name} vmid {vmid} is at {pc}, {place}: {type}";
	return stop->breakpoint ?
	       "{name} vmid {vmid} is at {pc}: {type}, breakpoint {breakpoint}" :
	       "{name} vmid {vmid} is at {pc}: {type}";
}

static int say(struct wavectl *w, const struct adbgd_stop *stop)
{
	emit_begin(w->emit);
	focus_emit_stop(w, stop);
	if (w->count)
		emit_uint(w->emit, "steps", w->count);
	emit_say(w->emit, sentence_of(w, stop));
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
	int status = open_wave(w, &at);

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
	status = take_wave(w, 1);
	if (!status)
		status = open_wave(w, &at);
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

int cmd_stepi(struct wavectl *w)
{
	bool has_count = w->num_words && parse_u64(w->words[0], UINT64_MAX, &w->count);
	int status;

	if (!has_count)
		w->count = 1;
	status = take_wave(w, has_count);
	return status ? status : open_and_go(w, steps);
}
