// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave focus, thread and lane: the selected wave and lane.
 */
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/focus.h"

static void emit_lane(struct wavectl *w, const struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;

	if (d->has_lane)
		emit_uint(w->emit, "lane", focus_lane(focus));
	else
		emit_none(w->emit, "lane");
}

static int say_focus(struct wavectl *w, const struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;
	struct place place;

	emit_begin(w->emit);
	emit_at(w->emit, "name", &focus->wave.at);
	emit_uint(w->emit, "number", adbgd_wave_get_number(d->process, &focus->wave.at));
	emit_hex64(w->emit, "pc", focus->pc);
	code_emit_place(w, focus->pc);
	emit_hex64(w->emit, "exec", focus->wave.exec);
	emit_uint(w->emit, "lanes", focus->lanes);
	emit_lane(w, focus);
	emit_say(w->emit, code_name_place(d, focus->pc, &place) ?
		 "{name} at {pc}, {place}" : "{name} at {pc}");
	emit_say(w->emit, "wave number {number}");
	if (d->has_lane)
		emit_say(w->emit, "lane {lane}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int print_focus(struct wavectl *w)
{
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = say_focus(w, &focus);
	focus_close(&focus);
	return status;
}

static int cmd_wave_focus(struct wavectl *w)
{
	struct amdgpudbg_wave_coord at;
	int status;

	if (w->waves.is_set &&
	    adbg_wave_spec_mode(&w->waves.spec, &at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(w, WAVECTL_USAGE, "name one wave, such as se0.sa0.wgp3.simd1.wave5",
				 "'%s' does not name a single wave", w->waves.text);
	status = debug_open_target(w);
	if (!status && w->waves.is_set)
		status = focus_set(w, &at);
	return status ? status : print_focus(w);
}

static int cmd_thread(struct wavectl *w)
{
	struct amdgpudbg_wave_coord at;
	uint64_t number;
	int status;

	if (w->num_words && !strcmp(w->words[0], "apply"))
		return fail_with(w, WAVECTL_USAGE, "wavectl shell --pid PID",
				 "\"thread apply\" is only available in a shell or batch");
	if (w->num_words > 1 ||
	    (w->num_words && !parse_u64(w->words[0], UINT32_MAX, &number)))
		return fail_with(w, WAVECTL_USAGE, "see the numbers in \"info waves\"",
				 "\"thread\" takes the number of one wave");
	status = debug_open_target(w);
	if (status || !w->num_words)
		return status ? status : print_focus(w);
	if (adbgd_wave_find_number(w->shell->debugger->process, number, &at))
		return fail_with(w, WAVECTL_USAGE, "see the numbers in \"info waves\"",
				 "the GPU has no wave number %s", w->words[0]);
	status = focus_set(w, &at);
	return status ? status : print_focus(w);
}

/* -------------------------------------------------------------------- lane */

static int take_lane(struct wavectl *w, const struct focus *focus)
{
	struct debugger *d = w->shell->debugger;
	uint64_t lane = 0;

	if (!strcmp(w->words[0], "all")) {
		d->has_lane = false;
		return WAVECTL_OK;
	}
	if (!parse_u64(w->words[0], focus->lanes - 1, &lane))
		return fail_with(w, WAVECTL_USAGE, "use a lane number, or all",
				 "'%s' is not a lane of the wave, which has lanes 0 to %u",
				 w->words[0],
				 focus->lanes - 1);
	d->lane = lane;
	d->has_lane = true;
	return WAVECTL_OK;
}

static int say_lane(struct wavectl *w, const struct focus *focus)
{
	const struct debugger *d = w->shell->debugger;
	bool is_active = focus->wave.exec >> focus_lane(focus) & 1;

	emit_begin(w->emit);
	emit_at(w->emit, "name", &focus->wave.at);
	emit_lane(w, focus);
	emit_hex64(w->emit, "exec", focus->wave.exec);
	if (!d->has_lane)
		emit_say(w->emit, "all lanes of {name}");
	else
		emit_say(w->emit, is_active ? "lane {lane} of {name}" :
			 "lane {lane} of {name}, which is inactive (its EXEC bit is 0)");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_lane(struct wavectl *w)
{
	struct focus focus;
	int status;

	if (w->num_words > 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"lane\" takes one lane number, or all");
	status = debug_open_target(w);
	if (status)
		return status;
	status = focus_open(w, &focus);
	if (!status && w->num_words)
		status = take_lane(w, &focus);
	if (!status)
		status = say_lane(w, &focus);
	focus_close(&focus);
	return status;
}

const struct command focus_commands[] = {
	{
		.noun = "wave",
		.verb = "focus",
		.aliases = { "focus", "wave" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "select the wave for \"print\" and other commands",
		.help = "For a shell or batch with --pid. Without an argument, print the selected wave. A\n"
			"wave that stops at a breakpoint is selected automatically, unless the wave selected\n"
			"before is still halted.",
		.options = target_options,
		.run = cmd_wave_focus,
	},
	{
		.noun = "thread",
		.args = "[NUMBER | apply all|NUMBER... COMMAND]",
		.summary = "select the wave of this number",
		.help = "The same as \"wave focus\", with a number of \"info waves\". A wave keeps its number\n"
			"until it ends. Without an argument, print the selected wave. \"thread apply\" executes\n"
			"a command for all halted waves, or for those of these numbers, such as \"thread apply\n"
			"all backtrace\" or \"thread apply 1 3-5 print i\".",
		.options = target_options,
		.run = cmd_thread,
	},
	{
		.noun = "lane",
		.args = "[LANE]",
		.summary = "select the lane for \"print\" and \"disasm\", or all lanes",
		.help = "Takes a lane number, or all.",
		.options = target_options,
		.run = cmd_lane,
	},
	{ .noun = NULL },
};
