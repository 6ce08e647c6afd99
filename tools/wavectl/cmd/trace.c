// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl trace save and trace show: record the steps of a wave; print a recording.
 */
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/focus.h"
#include "debug/state.h"
#include "debug/trace_file.h"
#include "waves/action.h"

struct trace_args {
	struct optional_u64 at;		/* a number of steps */
	uint64_t count;			/* of steps, from the arguments */
};

#define DEFAULT_STEPS	100

static const char *save_sentence(const struct adbgd_stop *stop)
{
	if (stop->reason == ADBGD_STOP_WAVE_END)
		return "saved {steps} steps of {name} to {output}; the wave has ended";
	return "saved {steps} steps of {name} to {output}; the wave is at {pc}: {type}";
}

static void emit_recording(struct wavectl *w, const void *data)
{
	const struct trace_args *args = w->args;

	emit_at(w->emit, "name", data);
	emit_uint(w->emit, "steps", args->count);
	emit_str(w->emit, "output", w->words[0]);
}

static int save(struct wavectl *w, void *data)
{
	const struct amdgpudbg_wave_coord *at = data;
	struct trace_args *args = w->args;
	struct adbgd_stop stop = { 0 };
	struct output to;
	struct trace_view t;
	int status = trace_file_open(w, w->words[0], &to);

	if (status)
		return status;
	status = trace_view_record(w, at, args->count, &t, &stop);
	if (status)
		output_drop(&to);
	else
		status = trace_file_save(w, &t, &to);
	if (!status) {
		emit_begin(w->emit);
		focus_emit_stop(w, &stop);
		emit_uint(w->emit, "steps", t.num);
		emit_str(w->emit, "output", w->words[0]);
		emit_say(w->emit, save_sentence(&stop));
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	trace_view_free(&t);
	return status;
}

static int cmd_trace_save(struct wavectl *w)
{
	struct trace_args *args = w->args;
	bool has_count = w->num_words > 1 && parse_u64(w->words[1], UINT64_MAX, &args->count);
	struct amdgpudbg_wave_coord at;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "wavectl trace save FILE [N] [WAVE]",
				 "the file name is missing");
	if (!has_count)
		args->count = DEFAULT_STEPS;
	if (!args->count)
		return fail_with(w, WAVECTL_USAGE, NULL, "the number of steps must be at least 1");
	status = focus_take_word(w, 1 + has_count);
	if (!status)
		status = focus_open_named(w, &at);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "single-step {name} {steps} times and save the steps to {output}",
			.describe = emit_recording, .run = save, .data = &at,
		});
	return status;
}

/* ------------------------------------------------------------------ trace show */

static void emit_which(struct wavectl *w, const struct trace_view *t)
{
	emit_at(w->emit, "name", &adbgd_trace_get_info(t->trace)->at);
	emit_uint(w->emit, "steps", t->num);
}

static int show_steps(struct wavectl *w, const struct trace_view *t)
{
	emit_begin(w->emit);
	emit_which(w, t);
	trace_view_emit(w, t, 1, t->num, true);
	emit_say(w->emit, "{steps} steps of {name}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Print the registers before the next instruction, and that instruction. */
static int show_at(struct wavectl *w, const struct trace_view *t)
{
	const struct trace_args *args = w->args;
	const struct trace_view_insn none = { 0 };
	uint64_t at = args->at.value;
	const struct trace_view_insn *insn = at < t->num ? &t->insns[at] : &none;
	struct adbgd_error error;

	if (adbgd_trace_seek(t->trace, at, &error))
		return fail_with(w, WAVECTL_USAGE, NULL, "%s", error.text);
	emit_begin(w->emit);
	emit_which(w, t);
	emit_uint(w->emit, "at", at);
	emit_hex64(w->emit, "pc", adbgd_trace_get_pc(t->trace));
	trace_view_emit_insn(w, insn, true);
	emit_say(w->emit, insn->place ? "{name} after {at} of {steps} steps: at {pc}, {place}" :
					"{name} after {at} of {steps} steps: at {pc}");
	if (insn->text)
		emit_say(w->emit, "next instruction: {instruction}");
	state_emit_trace(w, t->trace);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_trace_show(struct wavectl *w)
{
	const struct trace_args *args = w->args;
	struct trace_view t = { 0 };
	int status;

	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, "wavectl trace show FILE",
				 "the file name is missing");
	status = trace_file_load(w, w->words[0], &t);
	if (!status)
		status = args->at.is_set ? show_at(w, &t) : show_steps(w, &t);
	trace_view_free(&t);
	return status;
}

static const struct option_desc opt_at = {
	"at", 0, "N", "print all registers after N steps (0: at the beginning)",
	option_optional, OPTION_OF(struct trace_args, at),
};

static const struct option_desc *const trace_show_options[] = {
	&opt_at, &opt_format, NULL,
};

const struct command trace_commands[] = {
	{
		.noun = "trace",
		.verb = "save",
		.args = "FILE [N] [WAVE]",
		.summary = "single-step a halted wave and save what each instruction changed",
		.help = "For a shell or batch. Executes N instructions (default: 100), or fewer if the wave\n"
			"stops for another reason. \"trace show\" prints the file, on any machine.",
		.options = target_options,
		.args_size = sizeof(struct trace_args),
		.run = cmd_trace_save,
	},
	{
		.noun = "trace",
		.verb = "show",
		.args = "FILE",
		.summary = "print a saved trace: each instruction, and what it changed",
		.help = "With --at, print all registers at that step. This needs no GPU.",
		.options = trace_show_options,
		.args_size = sizeof(struct trace_args),
		.run = cmd_trace_show,
	},
	{ .noun = NULL },
};
