// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl backtrace, frame, up, down and info frame: the functions that the selected wave
 * executes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "debug/variables.h"

static const char *caller_text(const struct adbgd_backtrace_frame *f)
{
	switch (f->caller) {
	case ADBGD_CALLER_NONE:
		return "kernel";
	case ADBGD_CALLER_INLINED:
		return "inlined";
	case ADBGD_CALLER_CONVENTION:
		return "by convention";
	default:
		return "unknown";
	}
}

static size_t count_frames(const struct focus *focus)
{
	size_t i = 0;

	while (frame_get(focus, i))
		i++;
	return i;
}

/* ----------------------------------------------------------------------- one frame */

static void emit_source(struct wavectl *w, const struct adbgd_backtrace_frame *f)
{
	const struct adbgd_frame *function = &f->function;
	char *text = NULL;

	if (function->file && function->line) {
		xappend(&text, "%s:%" PRIu32 "%s", code_base_name(function->file), function->line,
			function->flags & ADBGD_FRAME_NEAR ? CODE_NEAR : "");
		emit_str(w->emit, "source", text);
		free(text);
	} else {
		emit_none(w->emit, "source");
	}
	emit_quiet(w->emit, true);
	if (function->file)
		emit_str(w->emit, "file", function->file);
	else
		emit_none(w->emit, "file");
	emit_uint(w->emit, "line", function->line);
	emit_quiet(w->emit, false);
}

static void emit_stack(struct wavectl *w, const struct adbgd_backtrace_frame *f)
{
	char text[32];

	snprintf(text, sizeof(text), "private#0x%08" PRIx64, f->stack);
	if (f->flags & ADBGD_BACKTRACE_HAS_STACK)
		emit_str(w->emit, "stack", text);
	else
		emit_none(w->emit, "stack");
}

static void emit_frame(struct wavectl *w, const struct focus *focus, size_t i)
{
	const struct adbgd_backtrace_frame *f = frame_get(focus, i);

	emit_uint(w->emit, "frame", i);
	emit_hex64(w->emit, "pc", f->pc);
	emit_str(w->emit, "function", f->function.function);
	emit_source(w, f);
	emit_str(w->emit, "caller", caller_text(f));
	emit_quiet(w->emit, true);
	emit_hex64(w->emit, "entry", f->function.entry);
	emit_stack(w, f);
	emit_str(w->emit, "how", f->how);
	emit_quiet(w->emit, false);
}

static int say_frame(struct wavectl *w, const struct focus *focus)
{
	const struct adbgd_backtrace_frame *f = frame_get(focus, focus->frame);

	emit_begin(w->emit);
	emit_at(w->emit, "wave", &focus->wave.at);
	emit_frame(w, focus, focus->frame);
	emit_say(w->emit, f->function.file && f->function.line ?
		 "frame {frame}: {pc} in {function} at {source}" :
		 "frame {frame}: {pc} in {function}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int open_frames(struct wavectl *w, struct focus *focus)
{
	int status = debug_open_target(w);

	if (status)
		return status;
	status = focus_open(w, focus);
	return status ? status : frame_open(w, focus);
}

/* ------------------------------------------------------------------------ commands */

/* Parse the only argument, a number, if it is there. */
static int take_number(struct wavectl *w, const char *what, uint64_t *number)
{
	if (w->num_words > 1 || (w->num_words && !parse_u64(w->words[0], UINT32_MAX, number)))
		return fail_with(w, WAVECTL_USAGE, "see \"backtrace\"", "\"%s\" takes %s", what,
				 *what == 'b' ? "the number of frames to print" :
				 *what == 'f' ? "the number of a frame" : "a number of frames");
	return WAVECTL_OK;
}

/* What "backtrace" is to print */
struct chain {
	uint64_t max;			/* so many frames: the innermost ones, or the outermost */
	bool outermost;
	bool full;			/* with variables */
};

static int emit_frames(struct wavectl *w, struct focus *focus, const struct chain *chain,
		       size_t count)
{
	size_t first = chain->outermost && count > chain->max ? count - chain->max : 0;
	uint32_t lane = focus_lane(focus);
	int status = WAVECTL_OK;

	emit_table(w->emit, "frames", true);
	for (size_t i = first; !status && i < count && i - first < chain->max; i++) {
		emit_row(w->emit);
		emit_str(w->emit, "mark", i == focus->frame ? "=>" : "");
		emit_frame(w, focus, i);
		if (chain->full)
			status = variables_emit_frame(w, focus, i, lane);
	}
	emit_table_end(w->emit);
	if (chain->full) {
		emit_uint(w->emit, "lane", lane);
		emit_say(w->emit, "the values are those of lane {lane}");
	}
	return status;
}

static int list(struct wavectl *w, struct focus *focus, const struct chain *chain)
{
	size_t count = count_frames(focus);
	const struct adbgd_backtrace_frame *last = frame_get(focus, count - 1);
	int status;

	emit_begin(w->emit);
	emit_at(w->emit, "wave", &focus->wave.at);
	status = emit_frames(w, focus, chain, count);
	if (status)
		return status;
	emit_uint(w->emit, "count", count);
	if (count > chain->max)
		emit_say(w->emit, "there are {count} frames");
	emit_bool(w->emit, "complete", last->caller == ADBGD_CALLER_NONE);
	if (last->caller != ADBGD_CALLER_NONE) {
		emit_str(w->emit, "why", last->how);
		if (count <= chain->max || chain->outermost)
			emit_say(w->emit, "the caller of the last function is not known: {why}");
	}
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_backtrace(struct wavectl *w)
{
	struct chain chain = { .max = UINT32_MAX };
	struct focus focus = { .w = NULL };
	const char *first = w->num_words ? w->words[0] : "";
	int status;

	chain.full = !strcmp(first, "full") || !strcmp(first, "-full");
	if (chain.full) {
		w->words++;
		w->num_words--;
	}
	/* As in gdb, "-2" means the two outermost ones. */
	chain.outermost = w->num_words && w->words[0][0] == '-';
	if (chain.outermost)
		w->words[0]++;
	status = take_number(w, "backtrace", &chain.max);
	if (status)
		return status;
	status = open_frames(w, &focus);
	if (!status)
		status = list(w, &focus, &chain);
	focus_close(&focus);
	return status;
}

static int select_frame(struct wavectl *w, struct focus *focus, size_t frame)
{
	size_t last = count_frames(focus) - 1;

	if (frame > last)
		return fail_with(w, WAVECTL_USAGE, "see \"backtrace\"",
				 "the wave has no frame %zu: the outermost is %zu", frame, last);
	frame_select(w, focus, frame);
	return say_frame(w, focus);
}

/* Select the innermost frame of a function. */
static int select_function(struct wavectl *w, struct focus *focus, const char *name)
{
	const struct adbgd_backtrace_frame *f;

	for (size_t i = 0; (f = frame_get(focus, i)); i++)
		if (!strcmp(f->function.function, name))
			return select_frame(w, focus, i);
	return fail_with(w, WAVECTL_USAGE, "see \"backtrace\"",
			 "the wave has no frame of a function '%s'", name);
}

static int cmd_frame(struct wavectl *w)
{
	struct focus focus = { .w = NULL };
	const char *function = NULL;
	uint64_t number = 0;
	int status;

	/* "frame level 1" is "frame 1". */
	if (w->num_words == 2 && !strcmp(w->words[0], "function"))
		function = w->words[1];
	else if (w->num_words == 2 && !strcmp(w->words[0], "level"))
		w->words[--w->num_words - 1] = w->words[1];
	status = function ? WAVECTL_OK : take_number(w, "frame", &number);
	if (status)
		return status;
	status = open_frames(w, &focus);
	if (!status && function)
		status = select_function(w, &focus, function);
	else if (!status)
		status = w->num_words ? select_frame(w, &focus, number) : say_frame(w, &focus);
	focus_close(&focus);
	return status;
}

static int cmd_up(struct wavectl *w)
{
	struct focus focus = { .w = NULL };
	uint64_t number = 1;
	int status = take_number(w, "up", &number);
	size_t last;

	if (status)
		return status;
	status = open_frames(w, &focus);
	if (!status) {
		last = count_frames(&focus) - 1;
		if (number && focus.frame == last)
			status = fail_with(w, WAVECTL_USAGE, frame_get(&focus, last)->caller ==
					   ADBGD_CALLER_NONE ? NULL : frame_get(&focus, last)->how,
					   "frame %zu is the outermost one that is known", last);
		else
			status = select_frame(w, &focus, number > last - focus.frame ? last :
					      focus.frame + number);
	}
	focus_close(&focus);
	return status;
}

static int cmd_down(struct wavectl *w)
{
	struct focus focus = { .w = NULL };
	uint64_t number = 1;
	int status = take_number(w, "down", &number);

	if (status)
		return status;
	status = open_frames(w, &focus);
	if (!status && number && !focus.frame)
		status = fail_with(w, WAVECTL_USAGE, NULL, "frame 0 is the innermost one");
	else if (!status)
		status = select_frame(w, &focus, number > focus.frame ? 0 : focus.frame - number);
	focus_close(&focus);
	return status;
}

/* ---------------------------------------------------------------------- info frame */

/* Say by which frame the function was called, or into which it is inlined. */
static void say_caller(struct wavectl *w, const struct focus *focus)
{
	const struct adbgd_backtrace_frame *f = frame_get(focus, focus->frame);
	const struct adbgd_backtrace_frame *next = frame_get(focus, focus->frame + 1);

	if (next) {
		emit_hex64(w->emit, "caller_pc", next->pc);
		emit_str(w->emit, "caller_function", next->function.function);
	} else {
		emit_none(w->emit, "caller_pc");
		emit_none(w->emit, "caller_function");
	}
	switch (f->caller) {
	case ADBGD_CALLER_NONE:
		emit_say(w->emit, "it is the kernel, which has no caller");
		break;
	case ADBGD_CALLER_INLINED:
		emit_say(w->emit, "inlined into {caller_function}");
		break;
	case ADBGD_CALLER_CONVENTION:
		emit_say(w->emit, "called by {caller_function}, returns to {caller_pc}");
		emit_say(w->emit, "{how}, found by following the function's instructions");
		break;
	default:
		emit_say(w->emit, "its caller is not known: {how}");
		break;
	}
	if (f->flags & ADBGD_BACKTRACE_HAS_STACK)
		emit_say(w->emit, "its stack frame begins at {stack}");
}

static int cmd_info_frame(struct wavectl *w)
{
	struct focus focus = { .w = NULL };
	const struct adbgd_backtrace_frame *f;
	int status = open_frames(w, &focus);

	if (!status) {
		f = frame_get(&focus, focus.frame);
		emit_begin(w->emit);
		emit_at(w->emit, "wave", &focus.wave.at);
		emit_frame(w, &focus, focus.frame);
		emit_say(w->emit, "frame {frame} of {wave}: {pc} in {function}");
		if (f->function.file && f->function.line)
			emit_say(w->emit, "source: {source}");
		say_caller(w, &focus);
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	focus_close(&focus);
	return status;
}

#define BACKTRACE_HELP \
	"The innermost function is frame 0. CALLER says how the caller of a function was found:\n" \
	"inlined (the compiler has inlined it), or by convention, which means from where the\n" \
	"instructions of the function keep the return address. The kernel has no caller. With N,\n" \
	"print only the N innermost frames, with -N the N outermost. With \"full\", print also\n" \
	"the variables of each function, in the selected lane or the first active one."

const struct command frame_commands[] = {
	{
		.noun = "backtrace",
		.aliases = { "bt", "where" },
		.args = "[full] [N | -N]",
		.summary = "print the functions that the selected wave executes",
		.help = BACKTRACE_HELP,
		.options = target_options,
		.run = cmd_backtrace,
	},
	{
		.noun = "info",
		.verb = "stack",
		.args = "[full] [N | -N]",
		.summary = "print the functions that the selected wave executes",
		.help = "The same as \"backtrace\".",
		.options = target_options,
		.run = cmd_backtrace,
	},
	{
		.noun = "frame",
		.aliases = { "f" },
		.args = "[N | level N | function NAME]",
		.summary = "select a frame of the selected wave",
		.help = "Takes a number of \"backtrace\". \"print\", \"info variables\", \"x\" and \"list\" then\n"
			"use the variables, registers and source of this frame, until the wave moves or\n"
			"another wave is selected. With a NAME, it is the innermost frame of that function.\n"
			"Without an argument, print the selected frame.",
		.options = target_options,
		.run = cmd_frame,
	},
	{
		.noun = "up",
		.args = "[N]",
		.summary = "select the caller of the selected frame",
		.help = "With N, go that many frames outwards, at most to the last one.",
		.options = target_options,
		.run = cmd_up,
	},
	{
		.noun = "down",
		.args = "[N]",
		.summary = "select the frame that the selected one has called",
		.help = "With N, go that many frames inwards, at most to frame 0.",
		.options = target_options,
		.run = cmd_down,
	},
	{
		.noun = "info",
		.verb = "frame",
		.summary = "print what is known of the selected frame",
		.help = "Where it is, which function has called it, where its return address was found, and\n"
			"where its stack frame begins.",
		.options = target_options,
		.run = cmd_info_frame,
	},
	{ .noun = NULL },
};
