// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The selected wave: see focus.h.
 */
#include "debug/focus.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/util.h"
#include "debug/code.h"
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
	focus->pc = adbgd_wave_get_pc(d->process, &focus->wave);
	focus->lanes = focus->wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
}

bool focus_try(struct wavectl *w, struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;

	memset(focus, 0, sizeof(*focus));
	if (!d->has_wave || read_at(w, &d->wave, &focus->wave) || !is_halted(&focus->wave))
		return false;
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
	if (d->has_wave) {
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
		d->wave = focus->wave.at;
		d->has_wave = true;
	}
	begin(w, focus);
	return WAVECTL_OK;
}

void focus_close(struct focus *focus)
{
	free(focus->values);
	focus->values = NULL;
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
	return WAVECTL_OK;
}

uint32_t focus_lane(const struct focus *focus)
{
	const struct debugger *d = focus->w->shell->debugger;

	if (d->has_lane && d->lane < focus->lanes)
		return d->lane;
	return focus->wave.exec ? (uint32_t)__builtin_ctzll(focus->wave.exec) : 0;
}

/* ------------------------------------------------------------------- registers */

static const struct focus_value *find_value(const struct focus *focus, uint32_t space,
					    uint32_t number)
{
	for (size_t i = 0; i < focus->num_values; i++)
		if (focus->values[i].space == space && focus->values[i].number == number)
			return &focus->values[i];
	return NULL;
}

/* Read all lanes at once: the others are needed next. */
static int read_value(struct focus *focus, struct focus_value *value)
{
	bool is_vgpr = value->space == AMDGPUDBG_REG_VGPR;
	struct amdgpudbg_reg_range range = {
		.space = value->space, .first = value->number, .count = 1,
		.num_lanes = is_vgpr ? focus->lanes : 0,
	};
	struct amdgpudbg_reg_access access = {
		.at = focus->wave.at, .vmid = focus->wave.vmid,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)value->lanes, .num_values = is_vgpr ? focus->lanes : 1,
	};

	return adbg_reg_access(focus->w->session, &access);
}

/* Read a hardware register, or one of its fields. */
static int read_hw(struct focus *focus, const char *name, const char *field, uint32_t *value)
{
	uint32_t gc_version = adbg_session_get_gc_version(focus->w->session);
	const struct adbg_reg *reg = adbg_reg_find(gc_version, name);
	const struct adbg_field *f = reg && field ? adbg_reg_find_field(reg, field) : NULL;
	int ret;

	if (!reg || (field && !f))
		return -EOPNOTSUPP;
	ret = focus_read(focus, reg->space, reg->number, 0, value);
	if (!ret && f)
		*value = adbg_field_value(f, *value);
	return ret;
}

/* Read what follows from the wave's record, or from a hardware register. */
static int read_special(struct focus *focus, uint32_t space, uint32_t number, uint32_t *value)
{
	const struct debugger *d = focus->w->shell->debugger;
	bool is_pair = space == ADBGD_REG_EXEC || space == ADBGD_REG_PC;

	if (number > is_pair)
		return -EINVAL;
	switch (space) {
	case ADBGD_REG_EXEC:
		*value = focus->wave.exec >> 32 * number;
		return 0;
	case ADBGD_REG_PC:
		*value = focus->pc >> 32 * number;
		return 0;
	case ADBGD_REG_WAVE:
		*value = adbgd_wave_get_number(d->process, &focus->wave.at);
		return 0;
	case ADBGD_REG_M0:
		return read_hw(focus, "M0", NULL, value);
	case ADBGD_REG_SCC:
		return read_hw(focus, "STATUS", "SCC", value);
	default:
		return -EINVAL;
	}
}

int focus_read(struct focus *focus, uint32_t space, uint32_t number, uint32_t lane,
	       uint32_t *value)
{
	struct focus_value read = { .space = space, .number = number };
	const struct focus_value *known = find_value(focus, space, number);
	int ret;

	if (space >= ADBGD_REG_EXEC)
		return read_special(focus, space, number, value);
	if (space == AMDGPUDBG_REG_VGPR && lane >= focus->lanes)
		return -EINVAL;
	if (!known) {
		ret = read_value(focus, &read);
		if (ret)
			return ret;
		focus->values = xreallocarray(focus->values, focus->num_values + 1,
					      sizeof(*focus->values));
		focus->values[focus->num_values] = read;
		known = &focus->values[focus->num_values++];
	}
	*value = known->lanes[space == AMDGPUDBG_REG_VGPR ? lane : 0];
	return 0;
}

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	return focus_read(data, space, number, lane, value);
}

/* Reads memory of the process. Scratch and LDS cannot be read here. */
static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	const struct focus *focus = data;
	const struct debugger *d = focus->w->shell->debugger;
	struct adbgd_memory memory;

	(void)lane;
	if (space != ADBGD_SPACE_GLOBAL)
		return -EOPNOTSUPP;
	adbgd_process_get_memory(d->process, &memory);
	return memory.read(memory.data, address, buffer, size);
}

struct adbgd_context focus_context(struct focus *focus, uint32_t lane)
{
	return (struct adbgd_context){
		.read_register = read_register, .read_memory = read_memory,
		.data = focus, .lanes = focus->lanes, .lane = lane,
	};
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
	struct place place;

	if (stop->insn)
		emit_hex64(w->emit, "insn", stop->insn);
	else
		emit_none(w->emit, "insn");
	if (stop->insn && code_name_place(w->shell->debugger, stop->insn, &place))
		emit_str(w->emit, "insn_place", place.text);
	else
		emit_none(w->emit, "insn_place");
}

void focus_emit_stop(struct wavectl *w, const struct adbgd_stop *stop)
{
	const struct debugger *d = w->shell->debugger;

	emit_str(w->emit, "type", adbgd_stop_reason_name(stop->reason));
	emit_at(w->emit, "name", &stop->at);
	emit_uint(w->emit, "vmid", adbgd_process_get_info(d->process)->vmid);
	if (stop->reason == ADBGD_STOP_WAVE_END) {
		emit_none(w->emit, "pc");
	} else {
		emit_hex64(w->emit, "pc", stop->pc);
		code_emit_place(w, stop->pc);
	}
	emit_quiet(w->emit, true);
	emit_instruction(w, stop);
	emit_quiet(w->emit, false);
	emit_uint(w->emit, "breakpoint", stop->breakpoint);
	emit_uint(w->emit, "watchpoint", stop->watchpoint);
	/* Only in JSON: in text, the sentence about the stop has the cause. */
	emit_quiet(w->emit, true);
	stop_emit_cause(w, cause_of(stop), stop->watch_mask, cause_of(stop) ? stop->trap_id : 0);
	emit_quiet(w->emit, false);
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
	if (stop->breakpoint)
		xappend(&sentence, "breakpoint {breakpoint}");
	if (stop->watchpoint)
		xappend(&sentence, "%swatchpoint {watchpoint}", stop->breakpoint ? ", " : "");
	if (has_instruction(stop))
		xappend(&sentence, ", caused by the instruction at {insn}%s",
			code_name_place(w->shell->debugger, stop->insn, &place) ?
			", {insn_place}" : "");
	return sentence;
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

int focus_say_stop(struct wavectl *w, const struct adbgd_stop *stop)
{
	char *sentence;

	if (stop->reason == ADBGD_STOP_EXEC)
		return say_exec(w);
	sentence = focus_stop_sentence(w, stop, "stopped at");
	take(w, stop);
	emit_begin_live(w->emit);
	focus_emit_stop(w, stop);
	emit_say(w->emit, sentence);
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
