// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl until, next, finish, stepi: one wave goes on until it is somewhere, and then is
 * told of.
 */
#include <errno.h>
#include <stdlib.h>

#include "changes.h"
#include "code.h"
#include "focus.h"
#include "insn.h"
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

/* In the document that is open; @steps: 0: they are not counted */
static void say_in(struct wavectl *w, const struct adbgd_stop *stop, uint64_t steps)
{
	focus_emit_stop(w, stop);
	if (steps)
		emit_uint(w->emit, "steps", steps);
	emit_say(w->emit, sentence_of(w, stop));
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

/* ------------------------------------------------------------------ stepi --changes */

struct shown {
	struct wavectl *w;
	struct adbgd_disasm *disasm;	/* NULL: there is no LLVM */
	struct changes changes;
	struct focus focus;		/* the wave before its next step */
};

static int show_begin(struct shown *s, struct wavectl *w)
{
	struct adbgd_error error;
	int status, ret;

	*s = (struct shown){ .w = w };
	status = focus_open(w, &s->focus);
	if (status)
		return status;
	ret = changes_begin(&s->changes, w, &s->focus.wave);
	if (ret)
		return fail(w, ret, "cannot read the registers");
	if (insn_open(w, s->focus.pc, &s->focus, &s->disasm, &error))
		s->disasm = NULL;
	return WAVECTL_OK;
}

static void show_end(struct shown *s)
{
	if (s->disasm)
		s->w->dialogue->debugger->adbgd_disasm_free(s->disasm);
	changes_end(&s->changes);
	focus_close(&s->focus);
}

/* The instruction that is done next, as a row; the step follows. */
static void emit_next(struct shown *s, struct adbgd_insn *insn)
{
	bool is_known = s->disasm && insn_at(s->w, s->disasm, s->focus.pc, insn);

	emit_row(s->w->emit);
	emit_hex64(s->w->emit, "address", s->focus.pc);
	code_emit_place(s->w, s->focus.pc);
	if (is_known)
		emit_str(s->w->emit, "instruction", insn->text);
	else
		emit_none(s->w->emit, "instruction");
}

/* What it has done to the wave, which is @stop's; an exit status */
static int emit_done(struct shown *s, const struct adbgd_stop *stop)
{
	int status, ret;

	if (stop->reason == ADBGD_STOP_WAVE_END) {
		changes_emit_none(&s->changes);
		return WAVECTL_OK;
	}
	focus_close(&s->focus);
	status = focus_open(s->w, &s->focus);
	if (status)
		return status;
	ret = changes_emit(&s->changes, &s->focus.wave);
	return ret ? fail(s->w, ret, "cannot read the registers") : WAVECTL_OK;
}

/* One step after the other, as long as nothing else stops the wave; an exit status */
static int show_steps(struct shown *s, const struct amdgpudbg_wave_coord *at,
		      struct adbgd_stop *stop, uint64_t *done)
{
	struct debugger *d = s->w->dialogue->debugger;
	struct adbgd_insn insn;
	struct adbgd_error error;
	int status, ret;

	for (*done = 0; *done < s->w->count; ++*done) {
		ret = d->adbgd_wave_step(d->process, at, stop, &error);
		/* It has trapped in the last one: that is still to be told. */
		if (ret == -EBUSY && *done)
			return WAVECTL_OK;
		if (ret)
			return debug_fail(s->w, &error);
		emit_next(s, &insn);
		status = emit_done(s, stop);
		if (status)
			return status;
		if (stop->reason != ADBGD_STOP_STEP) {
			++*done;
			break;
		}
	}
	return WAVECTL_OK;
}

static int stepi_shown(struct wavectl *w, const struct amdgpudbg_wave_coord *at)
{
	struct adbgd_stop stop;
	struct shown s;
	uint64_t done = 0;
	int status = w->count ? show_begin(&s, w) :
		     fail_with(w, WAVECTL_USAGE, NULL, "no step is none");

	if (!w->count)
		return status;
	if (!status) {
		emit_begin(w->emit);
		emit_table(w->emit, "instructions", true);
		status = show_steps(&s, at, &stop, &done);
		emit_table_end(w->emit);
		if (done)
			say_in(w, &stop, done);
		if (emit_end(w->emit) && !status)
			status = WAVECTL_FAILED;
	}
	show_end(&s);
	return status;
}

int cmd_stepi(struct wavectl *w)
{
	bool has_count = w->num_words && parse_u64(w->words[0], UINT64_MAX, &w->count);
	struct amdgpudbg_wave_coord at;
	int status;

	if (!has_count)
		w->count = 1;
	status = take_wave(w, has_count);
	if (!status)
		status = open_wave(w, &at);
	if (status)
		return status;
	return w->changes ? stepi_shown(w, &at) : go(w, &at, steps);
}
