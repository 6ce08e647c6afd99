// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl until, advance, finish, step, next, stepi and nexti: resume one wave until it reaches a
 * location or another source line, or all halted waves, and report where they stop.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg-debug-step.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "debug/location.h"
#include "debug/trace_view.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/progress.h"

struct until_args {
	uint64_t timeout_ns;		/* 0: not given */
	bool changes;
	/* From the arguments */
	uint64_t address;		/* 0: none */
	uint64_t wanted;		/* steps; 0: they are not counted */
	uint64_t count;			/* steps to do, then steps that were done */
	uint64_t frame;			/* of "finish": the selected one, 0 for the innermost */
	uint32_t line;			/* enum adbgd_step_line */
};

#define DEFAULT_TIMEOUT_MS	10000

/* Steps between two checks for Ctrl-C. A step takes several system calls. */
#define STEPS_AT_ONCE		64

static int timeout_ms(const struct wavectl *w)
{
	struct until_args *args = w->args;
	uint64_t ms = args->timeout_ns / 1000000;

	if (!args->timeout_ns)
		return DEFAULT_TIMEOUT_MS;
	return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

/* Add a stop to the document. @steps: 0: not counted */
static void say_in(struct wavectl *w, const struct adbgd_stop *stop, uint64_t steps)
{
	struct until_args *args = w->args;
	char *sentence = focus_stop_sentence(w, stop, "is at");

	focus_emit_stop(w, stop);
	if (steps)
		emit_uint(w->emit, "steps", steps);
	emit_say(w->emit, sentence);
	focus_say_source(w);
	free(sentence);
	if (steps && steps < args->wanted && hold_interrupted()) {
		emit_uint(w->emit, "wanted", args->wanted);
		emit_say(w->emit, "interrupted after {steps} of {wanted} steps");
	}
}

static int open_all(struct wavectl *w)
{
	if (w->waves.is_set)
		return fail_with(w, WAVECTL_USAGE, NULL, "'%s' and --all cannot be used together",
				 w->waves.text);
	return debug_open_target(w);
}

static int say(struct wavectl *w, const struct adbgd_stop *stop)
{
	struct until_args *args = w->args;

	emit_begin(w->emit);
	say_in(w, stop, args->count);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Resume one wave by a function of the library. Returns 0 or -errno. */
typedef int (*going)(struct wavectl *w, struct debugger *d,
		     const struct amdgpudbg_wave_coord *at, struct adbgd_stop *stop,
		     struct adbgd_error *error);

/* The stops of all waves */
struct stops {
	struct adbgd_stop *at;
	size_t max, count;
};

/* Resume all halted waves. */
typedef int (*all_going)(struct wavectl *w, struct debugger *d, struct stops *stops,
			 struct adbgd_error *error);

/* How to resume waves, and what they do then */
struct way {
	going one;
	all_going all;		/* NULL: only one wave can do this */
	const char *what;
};

/* A resume of @at, or of all halted waves if that is NULL */
struct resumption {
	const struct amdgpudbg_wave_coord *at;
	const struct way *way;
};

static void emit_going(struct wavectl *w, const void *data)
{
	const struct until_args *args = w->args;
	const struct resumption *g = data;

	if (g->at)
		emit_at(w->emit, "name", g->at);
	if (args->address)
		emit_hex64(w->emit, "address", args->address);
	if (args->frame)
		emit_uint(w->emit, "frame", args->frame);
	if (args->count)
		emit_uint(w->emit, "steps", args->count);
}

static int run_one(struct wavectl *w, void *data)
{
	const struct resumption *g = data;
	struct adbgd_error error;
	struct adbgd_stop stop;

	return g->way->one(w, w->shell->debugger, g->at, &stop, &error) ?
	       debug_fail(w, &error) : say(w, &stop);
}

/* Allocate room for all waves that exist now; no more can be halted. */
static int make_room(struct wavectl *w, struct stops *stops)
{
	struct adbg_wave_list *list;
	int ret = adbg_wave_list_new(&list);

	if (ret)
		return fail_system(w, ret, "cannot allocate a list");
	ret = adbg_wave_list_read(list, w->session, 0);
	stops->max = adbg_wave_list_count(list);
	adbg_wave_list_free(list);
	if (ret)
		return fail(w, ret, "cannot list the waves");
	stops->at = xcalloc(stops->max + 1, sizeof(*stops->at));
	return WAVECTL_OK;
}

static const char *all_sentence(size_t late)
{
	if (!late)
		return "{there} of {matched} waves arrived";
	if (hold_interrupted())
		return "{there} of {matched} waves arrived; interrupted, {late} are halted";
	return "{there} of {matched} waves arrived; {late} were late and are halted";
}

static int say_all(struct wavectl *w, const struct stops *stops)
{
	size_t there = 0, late = 0;

	emit_begin(w->emit);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; i < stops->count; i++) {
		emit_row(w->emit);
		focus_emit_stop(w, &stops->at[i]);
		there += stops->at[i].reason == ADBGD_STOP_STEP;
		late += stops->at[i].reason == ADBGD_STOP_INTERRUPTED;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "matched", stops->count);
	emit_uint(w->emit, "there", there);
	emit_uint(w->emit, "late", late);
	emit_say(w->emit, all_sentence(late));
	return emit_end(w->emit) || late ? WAVECTL_FAILED : WAVECTL_OK;
}

static int run_all(struct wavectl *w, void *data)
{
	const struct resumption *g = data;
	struct stops stops = { .max = 0 };
	struct adbgd_error error;
	int status, ret;

	status = make_room(w, &stops);
	if (status)
		return status;
	ret = g->way->all(w, w->shell->debugger, &stops, &error);
	if (!ret || stops.count)
		status = say_all(w, &stops);
	if (ret)
		status = debug_fail(w, &error);
	free(stops.at);
	return status;
}

/* Resume @at, or all halted waves if it is NULL, and report the stops. There must be a debugger. */
static int go(struct wavectl *w, const struct amdgpudbg_wave_coord *at, const struct way *way)
{
	struct resumption g = { .at = at, .way = way };
	char *what = NULL;
	int status;

	xappend(&what, "let %s %s", at ? "{name}" : "all waves that are halted", way->what);
	status = action_run(w, &(struct action){
		.what = what, .describe = emit_going, .run = at ? run_one : run_all, .data = &g,
	});
	free(what);
	return status;
}

static int open_and_go(struct wavectl *w, const struct way *way)
{
	struct amdgpudbg_wave_coord at;
	int status = w->all ? open_all(w) : focus_open_named(w, &at);

	if (status)
		return status;
	return go(w, w->all ? NULL : &at, way);
}

/* Find the only address of the location as args->address. */
static int take_place(struct wavectl *w)
{
	struct until_args *args = w->args;
	struct location location;
	int status = location_find(w, w->words[0], LOCATION_STOP, &location);

	if (status)
		return status;
	args->address = location.va[0];
	if (location.num > 1)
		status = fail_with(w, WAVECTL_USAGE,
				   "give one of them as *ADDRESS; \"disasm\" shows the addresses",
				   "'%s' has code at %zu addresses", w->words[0], location.num);
	location_free(&location);
	return status ? status : location_check(w, args->address);
}

static int until(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		 struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct until_args *args = w->args;

	return adbgd_wave_until(d->process, at, args->address, timeout_ms(w), stop, error);
}

static int all_until(struct wavectl *w, struct debugger *d, struct stops *stops,
		     struct adbgd_error *error)
{
	struct until_args *args = w->args;

	return adbgd_process_until(d->process, args->address, timeout_ms(w), stops->at,
				   stops->max, &stops->count, error);
}

/* Does the stop end the steps? The last step of a part may have reached a breakpoint. */
static bool is_over(const struct debugger *d, const struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = debug_breakpoint(d, stop->breakpoint);

	return stop->reason != ADBGD_STOP_STEP ||
	       (b && (!adbgd_breakpoint_get_condition(b) || adbgd_breakpoint_get_expression(b)));
}

/* Step args->count times, unless something else stops the wave. */
static int repeat(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		  struct adbgd_stop *stop, struct adbgd_error *error, going step)
{
	struct until_args *args = w->args;
	int ret;

	args->wanted = args->count;
	args->count = 0;
	do {
		ret = step(w, d, at, stop, error);
		args->count += !ret;
	} while (!ret && args->count < args->wanted && !is_over(d, stop) && !hold_interrupted());
	return ret;
}

/* Take the arguments [N] [WAVE], and check that N is not 0. Returns an exit status. */
static int take_count(struct wavectl *w)
{
	struct until_args *args = w->args;
	bool has_count = w->num_words && parse_u64(w->words[0], UINT64_MAX, &args->count);

	if (!has_count)
		args->count = 1;
	if (!args->count)
		return fail_with(w, WAVECTL_USAGE, NULL, "the number of steps must be at least 1");
	return focus_take_word(w, has_count);
}

/* ------------------------------------------------------------------ source lines */

/* Find the source line of the selected wave. Returns an exit status. */
static int need_line(struct wavectl *w)
{
	struct adbgd_error error = { .error = 0 };
	struct adbgd_code *code;
	struct adbgd_line line;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = code_need_at(w, focus.pc, &code);
	if (!status && adbgd_line_at(code, focus.pc, &line, &error))
		status = fail_with(w, exit_status(error.error),
				   "use \"stepi\", \"nexti\" or \"finish\"", "%s", error.text);
	focus_close(&focus);
	return status;
}

/* The code object that the selected wave executes, or NULL; and its PC, unless @pc is NULL */
static struct adbgd_code *selected_code(struct wavectl *w, uint64_t *pc)
{
	struct focus focus;
	uint64_t at = focus_try(w, &focus) ? focus.pc : 0;

	focus_close(&focus);
	if (pc)
		*pc = at;
	return code_at(w->shell->debugger, at);
}

static int one_line(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		    struct adbgd_stop *stop, struct adbgd_error *error)
{
	const struct until_args *args = w->args;
	uint64_t pc;
	struct adbgd_code *code = selected_code(w, &pc);

	if (code)
		return adbgd_wave_step_line(d->process, at, code, args->line, timeout_ms(w), stop,
					    error);
	error->error = -ENOENT;
	snprintf(error->text, sizeof(error->text),
		 "no known code object contains the instruction at 0x%016" PRIx64, pc);
	return -ENOENT;
}

static int lines(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		 struct adbgd_stop *stop, struct adbgd_error *error)
{
	return repeat(w, d, at, stop, error, one_line);
}

/* @what: what one step does; @many: what several do */
static int go_lines(struct wavectl *w, uint32_t how, const char *what, const char *many)
{
	struct way way = { .one = lines };
	struct until_args *args = w->args;
	struct amdgpudbg_wave_coord at;
	int status = take_count(w);

	args->line = how;
	way.what = args->count == 1 ? what : many;
	if (!status)
		status = focus_open_named(w, &at);
	if (!status && !w->dry_run)
		status = need_line(w);
	return status ? status : go(w, &at, &way);
}

static int cmd_step(struct wavectl *w)
{
	return go_lines(w, ADBGD_STEP_LINE_INTO, "step to the next source line",
			"step {steps} source lines");
}

static int cmd_next(struct wavectl *w)
{
	return go_lines(w, ADBGD_STEP_LINE_OVER, "step to the next line of its function",
			"step {steps} lines of its function");
}

/* -------------------------------------------------------------------- locations */

static int run_to(struct wavectl *w)
{
	static const struct way way = { until, all_until, "run to {address}" };
	struct amdgpudbg_wave_coord at;
	int status;

	status = focus_take_word(w, 1);
	if (!status)
		status = w->all ? open_all(w) : focus_open_named(w, &at);
	if (!status)
		status = take_place(w);
	if (status)
		return status;
	return go(w, w->all ? NULL : &at, &way);
}

static int cmd_until(struct wavectl *w)
{
	if (w->num_words)
		return run_to(w);
	if (w->all)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"until\" with --all needs a location");
	return go_lines(w, ADBGD_STEP_LINE_UNTIL, "run until a source line after this one", NULL);
}

static int cmd_advance(struct wavectl *w)
{
	return w->num_words ? run_to(w) :
	       fail_with(w, WAVECTL_USAGE, "see wavectl --help", "the location is missing");
}

/* ----------------------------------------------------------------- instructions */

static int over_one(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		    struct adbgd_stop *stop, struct adbgd_error *error)
{
	return adbgd_wave_step_over(d->process, at, timeout_ms(w), stop, error);
}

static int over(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		struct adbgd_stop *stop, struct adbgd_error *error)
{
	return repeat(w, d, at, stop, error, over_one);
}

static int all_over(struct wavectl *w, struct debugger *d, struct stops *stops,
		    struct adbgd_error *error)
{
	return adbgd_process_step_over(d->process, timeout_ms(w), stops->at, stops->max,
				       &stops->count, error);
}

static int cmd_nexti(struct wavectl *w)
{
	struct until_args *args = w->args;
	struct way way = { .one = over, .all = all_over };
	struct amdgpudbg_wave_coord at;
	int status = take_count(w);

	if (!status && w->all && args->count > 1)
		status = fail_with(w, WAVECTL_USAGE, NULL, "--all executes one instruction");
	if (!status)
		status = w->all ? open_all(w) : focus_open_named(w, &at);
	if (status)
		return status;
	way.what = args->count == 1 ?
		   "execute one instruction, including the functions that it calls" :
		   "execute {steps} instructions, including the functions that they call";
	return go(w, w->all ? NULL : &at, &way);
}

static int finish(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		  struct adbgd_stop *stop, struct adbgd_error *error)
{
	const struct until_args *args = w->args;

	return adbgd_wave_finish_frame(d->process, at, selected_code(w, NULL), args->frame,
				       timeout_ms(w), stop, error);
}

static int all_finish(struct wavectl *w, struct debugger *d, struct stops *stops,
		      struct adbgd_error *error)
{
	return adbgd_process_finish(d->process, timeout_ms(w), stops->at, stops->max,
				     &stops->count, error);
}

static int check_caller(struct wavectl *w, const struct focus *focus)
{
	const struct adbgd_backtrace_frame *f = frame_get(focus, focus->frame);

	if (f->caller == ADBGD_CALLER_INLINED || f->caller == ADBGD_CALLER_CONVENTION)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, NULL, "frame %zu has no caller: %s", focus->frame,
			 f->how);
}

/* If a frame other than the innermost is selected, it is the one that is to return. */
static int take_frame(struct wavectl *w)
{
	struct until_args *args = w->args;
	struct focus focus;
	int status;

	if (w->all || w->waves.is_set || !w->shell || !w->shell->debugger)
		return WAVECTL_OK;
	status = debug_open_target(w);
	if (status || !focus_try(w, &focus))
		return status;
	status = frame_open_selected(w, &focus);
	if (!status && focus.frame)
		status = check_caller(w, &focus);
	args->frame = focus.frame;
	focus_close(&focus);
	return status;
}

static int cmd_finish(struct wavectl *w)
{
	static const struct way way = { finish, all_finish, "run until its function returns" };
	static const struct way frame = { finish, NULL, "run until frame {frame} returns" };
	struct until_args *args = w->args;
	int status = take_frame(w);

	return status ? status : open_and_go(w, args->frame ? &frame : &way);
}

struct stepping {
	struct debugger *d;
	const struct amdgpudbg_wave_coord *at;
	struct adbgd_stop *stop;
	struct adbgd_error *error;
};

static int some_steps(void *arg, uint64_t done, uint64_t *num)
{
	struct stepping *s = arg;
	struct adbgd_stop stop;
	int ret = adbgd_wave_step_n(s->d->process, s->at, num, &stop, s->error);

	if (*num)
		*s->stop = stop;
	if (!ret)
		return is_over(s->d, &stop);
	/* The wave trapped in the step before; that stop is still pending. */
	return ret == -EBUSY && done ? 0 : ret;
}

static int steps(struct wavectl *w, struct debugger *d, const struct amdgpudbg_wave_coord *at,
		 struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct until_args *args = w->args;
	const struct progress p = {
		.what = "steps", .num = args->count, .at_once = STEPS_AT_ONCE, .part = some_steps,
	};
	struct stepping s = { .d = d, .at = at, .stop = stop, .error = error };

	args->wanted = args->count;
	return progress_run(&p, &s, &args->count);
}

static int stepi_shown(struct wavectl *w, const struct amdgpudbg_wave_coord *at)
{
	struct until_args *args = w->args;
	struct adbgd_stop stop;
	struct trace_view t;
	int status = trace_view_record(w, at, args->count, &t, &stop);

	if (!status) {
		emit_begin(w->emit);
		args->wanted = args->count;
		trace_view_emit(w, &t, 1, t.num, false);
		say_in(w, &stop, t.num);
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	trace_view_free(&t);
	return status;
}

static int cmd_stepi(struct wavectl *w)
{
	struct until_args *args = w->args;
	struct way way = { .one = steps };
	struct amdgpudbg_wave_coord at;
	int status = take_count(w);

	if (!status)
		status = focus_open_named(w, &at);
	if (status)
		return status;
	way.what = args->count == 1 ? "execute the next instruction" :
				      "execute {steps} instructions";
	return args->changes && !w->dry_run ? stepi_shown(w, &at) : go(w, &at, &way);
}

static const struct option_desc opt_timeout = {
	"timeout", 0, "SECONDS", "end the command after this time",
	option_seconds, OPTION_OF(struct until_args, timeout_ns),
};

static const struct option_desc opt_all_halted = {
	"all", 'a', NULL, "all halted waves at the same time", option_flag, OPTION_SHARED(all),
};

static const struct option_desc opt_changes = {
	"changes", 0, NULL, "print each instruction and the registers that it changed",
	option_flag, OPTION_OF(struct until_args, changes),
};

static const struct option_desc *const until_options[] = {
	TARGET_OPTIONS, &opt_timeout, &opt_all_halted, NULL,
};

static const struct option_desc *const line_options[] = {
	TARGET_OPTIONS, &opt_timeout, NULL,
};

static const struct option_desc *const stepi_options[] = {
	TARGET_OPTIONS, &opt_changes, NULL,
};

const struct command until_commands[] = {
	{
		.noun = "until",
		.aliases = { "u" },
		.args = "[LOCATION [WAVE]]",
		.summary = "resume a halted wave until it reaches a location",
		.help = LOCATION_HELP
			"For a shell or batch. The default for WAVE is the selected wave. Other waves stay\n"
			"halted or running, as they were. The wave can stop before it arrives, for example\n"
			"at a breakpoint. If it does not arrive within the time of --timeout (default: 10 s),\n"
			"it is halted. Without LOCATION, the command is \"next\", but the wave does not stop at\n"
			"an address before the end of the current line: it leaves a loop at whose end it is.",
		.options = until_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_until,
	},
	{
		.noun = "advance",
		.args = "LOCATION [WAVE]",
		.summary = "same as \"until LOCATION\"",
		.options = until_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_advance,
	},
	{
		.noun = "step",
		.aliases = { "s" },
		.args = "[N] [WAVE]",
		.summary = "step a halted wave to the next source line, N times",
		.help = "For a shell or batch. Functions are entered if their lines are known, also inlined\n"
			"ones. The wave stops where a statement of another line begins. Other waves stay\n"
			"halted or running. \"wave step\" steps many waves by instruction, \"stepi\" one.",
		.options = line_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_step,
	},
	{
		.noun = "next",
		.aliases = { "n" },
		.args = "[N] [WAVE]",
		.summary = "step a halted wave to the next line of its function, N times",
		.help = "Like \"step\", but functions that are called are executed as a whole, also inlined\n"
			"ones.",
		.options = line_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_next,
	},
	{
		.noun = "nexti",
		.aliases = { "ni" },
		.args = "[N] [WAVE]",
		.summary = "single-step a halted wave over calls, N times",
		.help = "Like \"stepi\", but a function that is called by s_swappc_b64 or s_call_b64 is\n"
			"executed as a whole.",
		.options = until_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_nexti,
	},
	{
		.noun = "finish",
		.aliases = { "fin" },
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "resume a halted wave until its function returns",
		.help = "Like \"until\". The wave stops after the next s_setpc_b64 that does not belong to a\n"
			"called function, or before s_endpgm. If \"up\" or \"frame\" has selected an outer\n"
			"frame, the wave runs until that one returns.",
		.options = until_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_finish,
	},
	{
		.noun = "stepi",
		.aliases = { "si" },
		.args = "[N] [WAVE]",
		.summary = "single-step a halted wave, N times",
		.help = "For a shell or batch; \"wave step\" is for many waves. With --changes, print each\n"
			"instruction and below it the new values of registers. VGPRs are printed with eight\n"
			"lanes per line; unchanged values are in parentheses. PC is left out.",
		.options = stepi_options,
		.args_size = sizeof(struct until_args),
		.run = cmd_stepi,
	},
	{ .noun = NULL },
};
