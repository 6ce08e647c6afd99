// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl loop: where a wave iterates, and what decides whether it ends.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/util.h"
#include "cmd/commands.h"
#include "debug/focus.h"
#include "debug/insn.h"
#include "debug/loop.h"
#include "waves/action.h"
#include "waves/hold.h"

struct loop_args {
	uint64_t iterations;
	uint64_t steps;
	struct optional_u64 lane;
	bool sample;
	uint64_t time_ns;		/* of --sample */
};

#define DEFAULT_ITERATIONS	8
#define DEFAULT_STEPS		10000
/* All steps are kept in memory. */
#define STEPS_MAX		1000000
#define DEFAULT_SAMPLE_NS	1000000000ULL

/* A search, and its result */
struct search {
	struct amdgpudbg_wave_coord at;
	struct adbgd_disasm *disasm;
	struct adbgd_trace *trace;
	struct adbgd_loops *loops;
	struct adbgd_stop stop;		/* if @done */
	uint64_t done;			/* steps */
	struct adbgd_insn insn;		/* the next one, if the wave does not complete it */
	bool waits;
	bool at_barrier;
};

/* The innermost loop that the wave does not leave; or else the innermost one; 0: none */
static size_t choose(const struct adbgd_loops *loops)
{
	const struct adbgd_loop *loop;
	size_t i, first = 0;

	for (i = 0; loops && (loop = adbgd_loops_get(loops, i)); i++) {
		if (!(loop->flags & ADBGD_LOOP_ACTIVE))
			continue;
		if (!loop->left)
			return i + 1;
		first = first ? first : i + 1;
	}
	return first;
}

static void say_result(struct wavectl *w, const struct search *s)
{
	const struct loop_args *args = w->args;
	size_t number = choose(s->loops);
	const struct adbgd_loop *loop = number ? adbgd_loops_get(s->loops, number - 1) : NULL;

	emit_at(w->emit, "wave", &s->at);
	emit_uint(w->emit, "steps", s->done);
	emit_bool(w->emit, "waits", s->waits);
	emit_bool(w->emit, "loops_found", loop);
	if (loop) {
		emit_uint(w->emit, "number", number);
		emit_uint(w->emit, "per_iteration", loop->instructions);
		emit_uint(w->emit, "seen", loop->iterations);
		emit_say(w->emit, "{wave} is in loop {number}: {per_iteration} instructions per iteration, iterations in {steps} steps: {seen}");
		if (!loop->num_conditions)
			emit_say(w->emit, "the wave has executed no branch that can leave loop {number}");
	} else if (!s->waits) {
		emit_say(w->emit, "{wave} is in no loop: it has completed no iteration in {steps} steps");
		if (s->done == args->steps)
			emit_say(w->emit, "--steps lets it execute more");
	}
	if (hold_interrupted())
		emit_say(w->emit, "interrupted after {steps} steps");
}

/* Where the wave is now */
static void say_place(struct wavectl *w, const struct search *s)
{
	char *sentence;

	if (s->waits) {
		emit_str(w->emit, "waits_in", s->insn.text);
		emit_hex64(w->emit, "waits_at", s->insn.address);
		if (s->at_barrier)
			emit_say(w->emit, "{wave} waits at a barrier before {waits_in} at {waits_at}; \"barrier\" shows the missing waves");
		else
			emit_say(w->emit, "{wave} does not complete {waits_in} at {waits_at}: it waits for memory or other waves");
	}
	if (!s->done)
		return;
	focus_emit_stop(w, &s->stop);
	sentence = focus_stop_sentence(w, &s->stop, "is at");
	emit_say(w->emit, sentence);
	free(sentence);
}

static int say(struct wavectl *w, struct search *s)
{
	const struct loop_args *args = w->args;

	emit_begin(w->emit);
	say_result(w, s);
	if (s->loops)
		loop_emit(w, s->trace, s->loops, &args->lane);
	say_place(w, s);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Find the instruction that the wave does not complete. */
static void find_wait(struct wavectl *w, struct search *s)
{
	uint64_t pc;

	/* The steps before it are in the trace. */
	if (adbgd_trace_seek(s->trace, s->done, NULL))
		return;
	pc = adbgd_trace_get_pc(s->trace);
	s->waits = insn_at(w, s->disasm, pc, &s->insn);
}

/* A wave at a barrier has its PC after that. */
static bool is_at_barrier(const struct wavectl *w, const struct amdgpudbg_wave_coord *at)
{
	struct amdgpudbg_wave_list what = {
		.select.at = *at, .select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE |
			AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
	};
	const struct amdgpudbg_wave *wave;
	struct adbg_wave_list *list;
	bool is_there;

	if (adbg_wave_list_new(&list))
		return false;
	wave = adbg_wave_list_fill(list, w->session, &what) ? NULL : adbg_wave_list_get(list, 0);
	is_there = wave && wave->flags & AMDGPUDBG_WAVE_BARRIER;
	adbg_wave_list_free(list);
	return is_there;
}

static int record(struct wavectl *w, struct search *s)
{
	const struct loop_args *args = w->args;
	struct adbgd_process *process = w->shell->debugger->process;
	struct adbgd_error error;
	int ret;

	if (adbgd_trace_begin(process, &s->at, &s->trace, &error))
		return debug_fail(w, &error);
	s->done = args->steps;
	ret = adbgd_loops_record(process, s->trace, s->disasm, args->iterations, &s->done,
				 &s->stop, &s->loops, &error);
	if (ret == -ETIMEDOUT) {
		find_wait(w, s);
		s->at_barrier = is_at_barrier(w, &s->at);
	}
	/* Report the steps that were executed; the next command fails with the reason. */
	return ret && !s->done && !s->waits ? debug_fail(w, &error) : say(w, s);
}

static int find(struct wavectl *w, void *data)
{
	const struct loop_args *args = w->args;
	struct adbgd_error error;
	struct search *s = data;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status && args->lane.is_set && args->lane.value >= focus.lanes)
		status = fail_with(w, WAVECTL_USAGE, NULL,
				   "no lane %llu: the wave has lanes 0 to %u",
				   (unsigned long long)args->lane.value, focus.lanes - 1);
	if (!status && insn_open(w, focus.pc, focus.lanes, &focus, &s->disasm, &error))
		status = debug_fail(w, &error);
	focus_close(&focus);
	return status ? status : record(w, s);
}

static void emit_search(struct wavectl *w, const void *data)
{
	const struct loop_args *args = w->args;
	const struct search *s = data;

	emit_at(w->emit, "name", &s->at);
	emit_uint(w->emit, "steps", args->steps);
}

static int cmd_loop(struct wavectl *w)
{
	struct loop_args *args = w->args;
	struct search s = { .done = 0 };
	int status;

	if (!args->iterations)
		args->iterations = DEFAULT_ITERATIONS;
	if (!args->steps)
		args->steps = DEFAULT_STEPS;
	if (args->sample)
		return loop_sample(w, args->time_ns ? args->time_ns : DEFAULT_SAMPLE_NS);
	if (args->time_ns)
		return fail_with(w, WAVECTL_USAGE, NULL, "--time is for --sample");
	status = focus_open_named(w, &s.at);
	if (status)
		return status;
	status = action_run(w, &(struct action){
		.what = "single-step {name} up to {steps} times to find loops",
		.describe = emit_search, .run = find, .data = &s,
	});
	adbgd_loops_free(s.loops);
	adbgd_trace_free(s.trace);
	if (s.disasm)
		adbgd_disasm_free(s.disasm);
	return status;
}

static bool parse_count(const char *arg, void *member)
{
	uint64_t *count = member;

	return parse_u64(arg, STEPS_MAX, count) && *count;
}

static const struct option_desc opt_iterations = {
	"count", 'c', "N", "iterations to wait for (default: 8)",
	parse_count, OPTION_OF(struct loop_args, iterations),
};

static const struct option_desc opt_steps = {
	"steps", 0, "N", "execute at most N instructions (default: 10000)",
	parse_count, OPTION_OF(struct loop_args, steps),
};

static const struct option_desc opt_lane = {
	"lane", 'l', "LANE", "print VGPRs of this lane (default: the first active one)",
	option_optional, OPTION_OF(struct loop_args, lane),
};

static const struct option_desc opt_sample = {
	"sample", 0, NULL, "read the PCs of running waves instead of stepping one",
	option_flag, OPTION_OF(struct loop_args, sample),
};

static const struct option_desc opt_time = {
	"time", 0, "SECONDS", "how long --sample reads PCs (default: 1)",
	option_seconds, OPTION_OF(struct loop_args, time_ns),
};

static const struct option_desc *const loop_options[] = {
	TARGET_OPTIONS, &opt_iterations, &opt_steps, &opt_lane, &opt_sample, &opt_time, NULL,
};

const struct command loop_commands[] = {
	{
		.noun = "loop",
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "find the loop in which a wave iterates, and what ends it",
		.help = "For a shell or batch. Steps a halted wave until it has repeated a loop, and prints\n"
			"the loops from the innermost one outwards: their first and last instruction, the\n"
			"instructions per iteration, and how often the wave has left them. The branches that\n"
			"can leave a loop are printed with the instructions that decide about them, and with\n"
			"their operands in the last iterations. The wave stays where the steps have ended.\n"
			"With --sample no wave is halted or stepped: the command reads the PCs of running\n"
			"waves, by default of all, and prints the smallest loops that contain them.",
		.options = loop_options,
		.args_size = sizeof(struct loop_args),
		.run = cmd_loop,
	},
	{ .noun = NULL },
};
