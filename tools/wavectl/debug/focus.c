// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The selected wave: see focus.h.
 */
#include "debug/focus.h"

#include <amdgpudbg-debug-condition.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/util.h"
#include "debug/code.h"
#include "debug/source.h"
#include "debug/values.h"
#include "waves/stop.h"

/* ------------------------------------------------------------------ which wave */

/* Compare all members of the coordinates. */
#define AT_MASK (AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP | \
		 AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE)

/*
 * Get the first wave that @what selects. Returns 0; -ENODATA: there is none; or an error of
 * adbg_wave_read().
 */
static int read_first(struct wavectl *w, struct amdgpudbg_wave_list *what,
		      struct amdgpudbg_wave *wave)
{
	struct adbg_wave_list *list;
	int ret = adbg_wave_list_new(&list);

	if (ret)
		return ret;
	what->flags = AMDGPUDBG_WAVE_LIST_TTMP;
	ret = adbg_wave_list_fill(list, w->session, what);
	if (!ret && !adbg_wave_list_count(list))
		ret = -ENODATA;
	if (!ret)
		*wave = *adbg_wave_list_get(list, 0);
	adbg_wave_list_free(list);
	return ret;
}

static int read_at(struct wavectl *w, const struct amdgpudbg_wave_coord *at,
		   struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_list what = { .select.at = *at, .select.at_mask = AT_MASK };

	return read_first(w, &what, wave);
}

static int read_halted(struct wavectl *w, struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_list what = {
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};

	return read_first(w, &what, wave);
}

static bool is_halted(const struct amdgpudbg_wave *wave)
{
	return wave->flags & AMDGPUDBG_WAVE_HALTED;
}

static void begin(struct wavectl *w, struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;

	focus->w = w;
	focus->pc = d ? adbgd_wave_get_pc(d->process, &focus->wave) : focus->wave.pc;
	focus->lanes = focus->wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
}

bool focus_try(struct wavectl *w, struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;

	memset(focus, 0, sizeof(*focus));
	if (!d) {
		if (read_halted(w, &focus->wave))
			return false;
	} else if (!d->has_wave || read_at(w, &d->wave, &focus->wave) ||
		   !is_halted(&focus->wave)) {
		return false;
	}
	begin(w, focus);
	return true;
}

bool focus_select(struct wavectl *w, struct focus *focus)
{
	struct debugger *d = w->shell->debugger;

	memset(focus, 0, sizeof(*focus));
	if (d->has_wave || read_halted(w, &focus->wave))
		return false;
	d->wave = focus->wave.at;
	d->has_wave = true;
	begin(w, focus);
	return true;
}

static int fail_wave(struct wavectl *w, int error, const struct amdgpudbg_wave_coord *at)
{
	char name[ADBG_WAVE_NAME_MAX];

	adbg_wave_name(at, name);
	if (error == -ENODATA)
		return fail_with(w, WAVECTL_GONE, "see \"wave list\"", "there is no wave %s",
				 name);
	if (error)
		return fail(w, error, "cannot read the state of %s", name);
	return fail_with(w, WAVECTL_GONE, "use \"halt\" to halt all waves", "%s is running", name);
}

int focus_open(struct wavectl *w, struct focus *focus)
{
	struct debugger *d = w->shell->debugger;
	int ret;

	memset(focus, 0, sizeof(*focus));
	if (d && d->has_wave) {
		ret = read_at(w, &d->wave, &focus->wave);
		if (ret || !is_halted(&focus->wave))
			return fail_wave(w, ret, &d->wave);
	} else {
		ret = read_halted(w, &focus->wave);
		if (ret == -ENODATA)
			return fail_with(w, WAVECTL_GONE, "use \"halt\" or a breakpoint to halt one",
					 "no wave of the process is halted");
		if (ret)
			return fail(w, ret, "cannot list the waves");
		if (d) {
			d->wave = focus->wave.at;
			d->has_wave = true;
		}
	}
	begin(w, focus);
	return WAVECTL_OK;
}

void focus_open_any(struct wavectl *w, struct focus *focus)
{
	if (focus_try(w, focus) || focus_select(w, focus))
		return;
	memset(focus, 0, sizeof(*focus));
	focus->w = w;
	focus->lanes = 32;
	focus->wave.exec = UINT32_MAX;
	focus->has_no_wave = true;
	focus->error.error = -ENODATA;
	snprintf(focus->error.text, sizeof(focus->error.text), w->shell->debugger->has_wave ?
		 "the selected wave is not halted" : "no wave of the process is halted");
}

void focus_close(struct focus *focus)
{
	adbgd_backtrace_free(focus->backtrace);
	focus->backtrace = NULL;
	adbgd_wave_context_free(focus->context);
	focus->context = NULL;
}

int focus_set(struct wavectl *w, const struct amdgpudbg_wave_coord *at)
{
	struct debugger *d = w->shell->debugger;
	struct amdgpudbg_wave wave;
	int ret = read_at(w, at, &wave);

	if (ret)
		return fail_wave(w, ret, at);
	d->wave = wave.at;
	d->has_wave = true;
	w->shell->moves++;
	return WAVECTL_OK;
}

uint32_t focus_lane(const struct focus *focus)
{
	const struct debugger *d = focus->w->shell->debugger;

	if (d && d->has_lane && d->lane < focus->lanes)
		return d->lane;
	return focus->wave.exec ? (uint32_t)__builtin_ctzll(focus->wave.exec) : 0;
}

/* --------------------------------------------------------- registers and memory */

/* Is it the wave that was selected when the focus was opened, and has it not moved? */
static bool is_same(const struct amdgpudbg_wave *a, const struct amdgpudbg_wave *b)
{
	return a->id == b->id && a->vmid == b->vmid && a->pc == b->pc;
}

/*
 * Create the context when it is first needed: by then the code object was opened. After an error,
 * focus->error has the reason.
 */
static int need_context(struct focus *focus)
{
	const struct debugger *d = focus->w->shell->debugger;
	char name[ADBG_WAVE_NAME_MAX];
	int ret;

	if (focus->context)
		return 0;
	if (focus->has_no_wave)
		return focus->error.error;
	if (!d) {
		focus->error.error = -EOPNOTSUPP;
		snprintf(focus->error.text, sizeof(focus->error.text),
			 "registers are read with the debugger's own trap handler");
		return -EOPNOTSUPP;
	}
	ret = adbgd_wave_context_new(d->process, &focus->wave.at, code_at(d, focus->pc),
				     &focus->context, &focus->error);
	if (ret || is_same(adbgd_wave_context_get_wave(focus->context), &focus->wave))
		return ret;
	adbgd_wave_context_free(focus->context);
	focus->context = NULL;
	focus->error.error = -ESTALE;
	snprintf(focus->error.text, sizeof(focus->error.text), "%s is no longer the same wave",
		 adbg_wave_name(&focus->wave.at, name));
	return -ESTALE;
}

int focus_read(struct focus *focus, uint32_t space, uint32_t number, uint32_t lane,
	       uint32_t *value)
{
	struct adbgd_context context;
	int ret = need_context(focus);

	if (ret)
		return ret;
	context = adbgd_wave_context_get(focus->context, lane);
	return context.read_register(context.data, space, number, lane, value);
}

static int read_no_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			    uint32_t *value)
{
	const struct focus *focus = data;

	(void)space;
	(void)number;
	(void)lane;
	(void)value;
	return focus->error.error;
}

static int read_no_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
			  size_t size)
{
	const struct focus *focus = data;

	(void)space;
	(void)lane;
	(void)address;
	(void)buffer;
	(void)size;
	return focus->error.error;
}

static const char *explain(void *data)
{
	const struct focus *focus = data;

	return focus->error.text;
}

struct adbgd_context focus_context(struct focus *focus, uint32_t lane)
{
	struct adbgd_context context = {
		.read_register = read_no_register, .read_memory = read_no_memory,
		.explain = explain, .data = focus, .lanes = focus->lanes, .lane = lane,
	};

	if (focus->frame)
		context = adbgd_backtrace_get_context(focus->backtrace, focus->frame, lane);
	else if (!need_context(focus))
		context = adbgd_wave_context_get(focus->context, lane);
	context.names = values_names(focus->w->shell);
	return context;
}

/* Callers have their registers in other places, or have saved them. */
static int write_no_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			     uint32_t value)
{
	struct focus *focus = data;

	(void)space;
	(void)number;
	(void)lane;
	(void)value;
	snprintf(focus->error.text, sizeof(focus->error.text),
		 "registers of frame %zu cannot be written; \"frame 0\" selects the innermost one",
		 focus->frame);
	return -EROFS;
}

static int write_outer_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
			      const void *buffer, size_t size)
{
	struct focus *focus = data;

	return adbgd_wave_memory_write(focus->context, space, lane, address, buffer, size,
				       &focus->error);
}

int focus_writer(struct focus *focus, struct adbgd_writer *writer)
{
	int ret = need_context(focus);

	if (ret)
		return ret;
	*writer = focus->frame ? (struct adbgd_writer){
		.write_register = write_no_register, .write_memory = write_outer_memory,
		.explain = explain, .data = focus,
	} : adbgd_wave_context_get_writer(focus->context);
	return 0;
}

int focus_read_memory(struct focus *focus, uint32_t space, uint64_t address, void *buffer,
		      size_t size, struct adbgd_error *error)
{
	int ret = need_context(focus);

	if (ret) {
		*error = focus->error;
		return ret;
	}
	return adbgd_wave_memory_read(focus->context, space, focus_lane(focus), address, buffer,
				      size, error);
}

/* ----------------------------------------------------------------------- stops */

static void take(struct wavectl *w, const struct adbgd_stop *stop)
{
	struct debugger *d = w->shell->debugger;
	struct focus focus;

	if (!focus_try(w, &focus)) {
		d->wave = stop->at;
		d->has_wave = true;
	}
	focus_close(&focus);
}

/* Causes by which the debugger itself stopped or stepped the wave are not reported. */
static uint64_t cause_of(const struct adbgd_stop *stop)
{
	switch (stop->reason) {
	case ADBGD_STOP_TRAP:
	case ADBGD_STOP_HOST_TRAP:
	case ADBGD_STOP_EXCEPTION:
	case ADBGD_STOP_WATCH:
		return stop->cause;
	default:
		return 0;
	}
}

/* The exact address of a fault, if it is known and is not the PC */
static bool has_instruction(const struct adbgd_stop *stop)
{
	return stop->insn && stop->insn != stop->pc && stop->reason != ADBGD_STOP_TRAP;
}

static void emit_instruction(struct wavectl *w, const struct adbgd_stop *stop)
{
	if (!stop->insn) {
		emit_none(w->emit, "insn");
		emit_none(w->emit, "insn_place");
		return;
	}
	emit_hex64(w->emit, "insn", stop->insn);
	code_emit_place_as(w, "insn_place", stop->insn);
}

/* The source line at which to look: that of the instruction that caused a fault, or of the PC */
static void emit_source(struct wavectl *w, const struct adbgd_stop *stop)
{
	struct place place;
	char *text = NULL;

	if (stop->reason != ADBGD_STOP_WAVE_END &&
	    code_name_place(w->shell->debugger, has_instruction(stop) ? stop->insn : stop->pc,
			    &place) && place.file)
		text = source_line(w, place.file, place.line);
	if (text) {
		emit_uint(w->emit, "source_line", place.line);
		emit_str(w->emit, "source", text);
	} else {
		emit_none(w->emit, "source_line");
		emit_none(w->emit, "source");
	}
	free(text);
}

/* Remember the instruction that caused a fault, for the commands that follow. */
static void remember_fault(struct debugger *d, const struct adbgd_stop *stop)
{
	struct fault *f = d->faults;
	size_t i = 0;

	while (i < d->num_faults && memcmp(&f[i].at, &stop->at, sizeof(stop->at)))
		i++;
	if (i < d->num_faults)
		f[i] = f[--d->num_faults];
	if (!has_instruction(stop))
		return;
	d->faults = xreallocarray(d->faults, d->num_faults + 1, sizeof(*d->faults));
	d->faults[d->num_faults++] = (struct fault){
		.at = stop->at, .pc = stop->pc, .insn = stop->insn,
	};
}

static void note_stop(struct debugger *d, const struct adbgd_stop *stop)
{
	stop_actions_note(&d->stop_actions, stop);
	remember_fault(d, stop);
}

uint64_t focus_insn(const struct focus *focus)
{
	const struct debugger *d = focus->w->shell->debugger;

	for (size_t i = 0; i < d->num_faults; i++)
		if (d->faults[i].pc == focus->pc &&
		    !memcmp(&d->faults[i].at, &focus->wave.at, sizeof(focus->wave.at)))
			return d->faults[i].insn;
	return focus->pc;
}

/* Add for which lanes the host has found the condition of the breakpoint true, or why for none. */
static void emit_decision(struct wavectl *w, const struct adbgd_stop *stop)
{
	const struct debugger *d = w->shell->debugger;

	if (stop->lanes)
		emit_hex64(w->emit, "lanes", stop->lanes);
	if (stop->flags & ADBGD_STOP_UNDECIDED)
		emit_str(w->emit, "condition_error",
			 adbgd_process_get_condition_error(d->process)->text);
}

void focus_emit_stop(struct wavectl *w, const struct adbgd_stop *stop)
{
	struct debugger *d = w->shell->debugger;

	w->shell->moves++;
	note_stop(d, stop);
	emit_str(w->emit, "type", adbgd_stop_reason_name(stop->reason));
	emit_at(w->emit, "name", &stop->at);
	/* Waves that began before the debugger was attached can be in another VMID. */
	emit_uint(w->emit, "vmid", stop->vmid ? stop->vmid :
		  adbgd_process_get_info(d->process)->vmid);
	if (stop->reason == ADBGD_STOP_WAVE_END) {
		emit_none(w->emit, "pc");
	} else {
		emit_hex64(w->emit, "pc", stop->pc);
		code_emit_place(w, stop->pc);
	}
	emit_quiet(w->emit, true);
	emit_instruction(w, stop);
	emit_source(w, stop);
	emit_quiet(w->emit, false);
	emit_uint(w->emit, "breakpoint", stop->breakpoint);
	emit_decision(w, stop);
	emit_uint(w->emit, "watchpoint", stop->watchpoint);
	/* Only in JSON: in text, the sentence about the stop has the cause. */
	emit_quiet(w->emit, true);
	stop_emit_cause(w, cause_of(stop), stop->watch_mask, cause_of(stop) ? stop->trap_id : 0);
	emit_quiet(w->emit, false);
}

/* After "breakpoint N" */
static void append_decision(char **sentence, const struct adbgd_stop *stop)
{
	if (stop->lanes) {
		xappend(sentence, ", lane%s ", stop->lanes & (stop->lanes - 1) ? "s" : "");
		lanes_append(sentence, stop->lanes, false);
	}
	if (stop->flags & ADBGD_STOP_UNDECIDED)
		xappend(sentence, ", whose condition could not be evaluated: {condition_error}");
}

char *focus_stop_sentence(const struct wavectl *w, const struct adbgd_stop *stop,
			  const char *how)
{
	const char *why = stop_reason_text(cause_of(stop));
	char *sentence = NULL;
	struct place place;

	if (stop->reason == ADBGD_STOP_WAVE_END) {
		xappend(&sentence, "{name} vmid {vmid} has ended");
		return sentence;
	}
	xappend(&sentence, "{name} vmid {vmid} %s {pc}%s: ", how,
		code_name_place(w->shell->debugger, stop->pc, &place) ? ", {place}" : "");
	if (stop->reason != ADBGD_STOP_BREAKPOINT && !stop->watchpoint)
		xappend(&sentence, "%s%s", why ? why : "{type}", stop->breakpoint ? ", " : "");
	if (stop->breakpoint) {
		xappend(&sentence, "breakpoint {breakpoint}");
		append_decision(&sentence, stop);
	}
	if (stop->watchpoint)
		xappend(&sentence, "%swatchpoint {watchpoint}", stop->breakpoint ? ", " : "");
	if (has_instruction(stop))
		xappend(&sentence, ", caused by the instruction at {insn}%s",
			code_name_place(w->shell->debugger, stop->insn, &place) ?
			", {insn_place}" : "");
	return sentence;
}

void focus_say_source(struct wavectl *w)
{
	if (emit_has(w->emit, "source"))
		emit_say(w->emit, "{source_line}\t{source}");
}

/* The stop is not that of a wave. */
static int say_exec(struct wavectl *w)
{
	char *link = NULL, program[PATH_MAX];
	ssize_t length;

	xappend(&link, "/proc/%d/exe", w->shell->pid);
	length = readlink(link, program, sizeof(program) - 1);
	free(link);
	emit_begin_live(w->emit);
	emit_str(w->emit, "type", "exec");
	emit_uint(w->emit, "pid", w->shell->pid);
	if (length >= 0) {
		program[length] = '\0';
		emit_str(w->emit, "program", program);
	} else {
		emit_none(w->emit, "program");
	}
	emit_say(w->emit,
		 "exec: process {pid} now executes {program}; "
		 "the debugger remains attached to the waves of the previous program");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Do the commands of the breakpoint begin with "silent"? JSON has all stops. */
static bool is_silent(const struct wavectl *w, const struct adbgd_stop *stop)
{
	const struct debugger *d = w->shell->debugger;
	const struct stop_commands *c = stop_actions_commands(&d->stop_actions, stop->breakpoint);

	return stop->breakpoint && c && c->is_silent && !w->json;
}

/* Take stops about which nothing is to be said. False: they are others */
static bool take_silently(struct wavectl *w, const struct adbgd_stop *stops, size_t num)
{
	if (!is_silent(w, stops))
		return false;
	take(w, stops);
	for (size_t i = 0; i < num; i++)
		note_stop(w->shell->debugger, &stops[i]);
	return true;
}

int focus_say_stop(struct wavectl *w, const struct adbgd_stop *stop)
{
	char *sentence;

	if (stop->reason == ADBGD_STOP_EXEC)
		return say_exec(w);
	if (take_silently(w, stop, 1))
		return WAVECTL_OK;
	sentence = focus_stop_sentence(w, stop, "stopped at");
	take(w, stop);
	emit_begin_live(w->emit);
	focus_emit_stop(w, stop);
	emit_say(w->emit, sentence);
	focus_say_source(w);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Is the selected wave one of those that have stopped? */
static bool is_selected(const struct debugger *d, const struct adbgd_stop *stops, size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (!memcmp(&stops[i].at, &d->wave, sizeof(d->wave)))
			return true;
	return false;
}

int focus_say_stops(struct wavectl *w, const struct adbgd_stop *stops, size_t num)
{
	const struct debugger *d = w->shell->debugger;
	struct adbgd_stop first = *stops;
	char *of_one, *sentence = NULL;

	if (take_silently(w, stops, num))
		return WAVECTL_OK;
	for (size_t i = 1; i < num; i++)
		if (stops[i].lanes != first.lanes)
			first.lanes = 0;
	of_one = focus_stop_sentence(w, &first, "stopped at");
	take(w, stops);
	emit_begin_live(w->emit);
	for (size_t i = 1; i < num; i++)
		note_stop(w->shell->debugger, &stops[i]);
	focus_emit_stop(w, &first);
	emit_uint(w->emit, "waves", num);
	emit_at(w->emit, "selected", &d->wave);
	xappend(&sentence, "{waves} waves%s%s", strstr(of_one, " stopped at"),
		is_selected(d, stops, num) ? " (selected: {selected})" : "");
	emit_say(w->emit, sentence);
	focus_say_source(w);
	free(of_one);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The selected wave, which must be halted */
static int open_one(struct wavectl *w, struct amdgpudbg_wave_coord *at)
{
	struct focus focus;
	int status = w->waves.is_set ? focus_set(w, at) : WAVECTL_OK;

	if (status)
		return status;
	status = focus_open(w, &focus);
	if (!status)
		*at = focus.wave.at;
	focus_close(&focus);
	return status;
}

int focus_open_named(struct wavectl *w, struct amdgpudbg_wave_coord *at)
{
	struct amdgpudbg_wave_coord before;
	struct debugger *d;
	bool has_wave;
	int status;

	if (w->waves.is_set && adbg_wave_spec_mode(&w->waves.spec, at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "'%s' does not name a single wave", w->waves.text);
	status = debug_open_target(w);
	if (status)
		return status;
	d = w->shell->debugger;
	before = d->wave;
	has_wave = d->has_wave;
	status = open_one(w, at);
	if (w->dry_run) {
		d->wave = before;
		d->has_wave = has_wave;
	}
	return status;
}

int focus_take_word(struct wavectl *w, int i)
{
	if (w->num_words <= i)
		return WAVECTL_OK;
	if (w->num_words > i + 1)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unexpected argument '%s'", w->words[i + 1]);
	return parse_waves(w, w->words[i]);
}
