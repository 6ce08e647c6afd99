// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave step.
 *
 * All steps of all waves are one batch, as far as they fit, so that many steps take one call.
 * Waves that were halted for this are resumed when the session closes.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "debug/insn.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/plan.h"
#include "waves/temp_halt.h"
#include "waves/wave_names.h"

struct wave_step_args {
	uint64_t count;			/* 0: not given */
	bool halt;
};

struct stepped {
	const struct amdgpudbg_wave *wave;
	uint64_t pc;		/* its current PC */
	uint64_t count;		/* number of executed steps */
	int error;		/* of the step that failed, or 0 */
	bool ended;
	bool stopped;		/* its handler has halted it, too */
};

struct run {
	uint32_t gc_version;
	struct stepped *waves;
	size_t num_waves;
	uint64_t rounds;
	struct amdgpudbg_batch_op *ops;
	uint32_t num_ops;
	uint64_t next;		/* first operation of the next batch */
};

static bool is_done(const struct stepped *s)
{
	return s->ended || s->error;
}

/* Was the wave running before? */
static bool is_ours(const struct stepped *s)
{
	return !(s->wave->flags & AMDGPUDBG_WAVE_HALTED);
}

/* Select the waves that the options mean and that can be stepped. */
static void pick(struct wavectl *w, struct run *r,
		 const struct adbg_wave_list *list)
{
	const struct wave_step_args *args = w->args;
	const struct amdgpudbg_wave *wave;

	r->waves = xcalloc(adbg_wave_list_count(list) + 1, sizeof(*r->waves));
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave) &&
		    (args->halt || wave->flags & AMDGPUDBG_WAVE_HALTED))
			r->waves[r->num_waves++] = (struct stepped){
				.wave = wave, .pc = wave->pc,
			};
}

static struct amdgpudbg_wave_control *add_op(struct run *r,
					     enum amdgpudbg_waveop op,
					     const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control *c = &r->ops[r->num_ops++].control;

	*c = (struct amdgpudbg_wave_control){
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = wave->vmid,
		.at = wave->at,
	};
	return c;
}

static int do_batch(struct wavectl *w, struct run *r)
{
	struct amdgpudbg_wave_batch batch = { .count = r->num_ops };

	return plan_batch(w, AMDGPUDBG_WAVEOP_STEP, r->ops, &batch);
}

/*
 * Halt the running waves; only these are to be resumed. A wave that another session resumes
 * before its step is not halted then, which is reported.
 */
static int halt_all(struct wavectl *w, struct run *r)
{
	int status = WAVECTL_OK;
	size_t first, i;

	for (first = 0; !status && first < r->num_waves; first = i) {
		uint32_t op = 0;

		r->num_ops = 0;
		for (i = first; i < r->num_waves &&
		     r->num_ops < AMDGPUDBG_WAVE_BATCH_MAX; i++) {
			struct amdgpudbg_wave_control *c;

			if (!is_ours(&r->waves[i]))
				continue;
			c = add_op(r, AMDGPUDBG_WAVEOP_HALT, r->waves[i].wave);
			if (!w->pc.is_set)
				continue;
			c->flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
			c->pc = w->pc.value;
		}
		if (r->num_ops)
			status = do_batch(w, r);
		for (size_t n = first; !status && n < i; n++)
			if (is_ours(&r->waves[n]))
				r->waves[n].error = r->ops[op++].error;
	}

	return status;
}

/* Record the result of operation @op. */
static void note(struct stepped *s, const struct amdgpudbg_wave_control *op,
		 int error)
{
	/* After the end of the wave, the result is about another wave or none. */
	if (is_done(s))
		return;
	s->error = error;
	if (error)
		return;
	s->count++;
	s->ended = !op->changed;
	if (!s->ended)
		s->pc = op->new_pc;
}

static void emit_trace(struct wavectl *w, const struct stepped *s)
{
	if (!s->count || is_done(s))
		return;
	emit_row(w->emit);
	emit_at(w->emit, "name", &s->wave->at);
	emit_uint(w->emit, "step", s->count);
	emit_hex64(w->emit, "pc", s->pc);
}

/* With breakpoints: step one wave after the other. A wave that has ended is left out. */
static void step_debugged(struct wavectl *w, struct run *r, uint64_t first)
{
	for (uint32_t i = 0; i < r->num_ops && !hold_interrupted(); i++) {
		struct stepped *s = &r->waves[(first + i) % r->num_waves];
		struct amdgpudbg_batch_op *op = &r->ops[i];

		if (is_done(s))
			continue;
		if (op->control.flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC &&
		    op->control.pc != s->pc)
			op->error = -ESTALE;
		else
			debug_step(w, op);
		note(s, &op->control, op->error);
		emit_trace(w, s);
	}
}

/* Run as many steps as fit in one call, wave by wave and round by round. */
static int step_some(struct wavectl *w, struct run *r)
{
	uint64_t all = r->rounds * r->num_waves;
	uint64_t first = r->next;
	int status;

	r->num_ops = 0;
	for (; r->next < all && r->num_ops < AMDGPUDBG_WAVE_BATCH_MAX;
	     r->next++) {
		const struct stepped *s = &r->waves[r->next % r->num_waves];
		struct amdgpudbg_wave_control *c;

		c = add_op(r, AMDGPUDBG_WAVEOP_STEP, s->wave);
		if (!w->pc.is_set || r->next)
			continue;
		c->flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
		c->pc = w->pc.value;
	}
	if (w->shell && w->shell->debugger) {
		step_debugged(w, r, first);
		return WAVECTL_OK;
	}
	status = do_batch(w, r);
	for (uint32_t i = 0; !status && i < r->num_ops; i++) {
		struct stepped *s = &r->waves[(first + i) % r->num_waves];

		if (is_done(s))
			continue;
		note(s, &r->ops[i].control, r->ops[i].error);
		emit_trace(w, s);
	}

	return status;
}

static bool any_left(const struct run *r)
{
	for (size_t i = 0; i < r->num_waves; i++)
		if (!is_done(&r->waves[i]))
			return true;

	return false;
}

static int step_all(struct wavectl *w, struct run *r)
{
	int status = WAVECTL_OK;

	emit_begin(w->emit);
	emit_table(w->emit, "trace", w->verbose);
	while (!status && r->next < r->rounds * r->num_waves && any_left(r) &&
	       !hold_interrupted())
		status = step_some(w, r);
	emit_table_end(w->emit);
	return status;
}

static const char *state_of(const struct wavectl *w, const struct stepped *s)
{
	const struct wave_step_args *args = w->args;

	if (s->error)
		return adbg_errname(s->error);
	if (s->ended)
		return "ended";
	if (s->stopped)
		return "stopped";
	return args->halt && is_ours(s) ? "resumed" : "halted";
}

static int emit_stepped(struct wavectl *w, const struct run *r)
{
	size_t done = 0;

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; i < r->num_waves; i++) {
		const struct stepped *s = &r->waves[i];

		emit_row(w->emit);
		emit_at(w->emit, "name", &s->wave->at);
		emit_uint(w->emit, "vmid", s->wave->vmid);
		emit_uint(w->emit, "steps", s->count);
		if (s->ended)
			emit_none(w->emit, "pc");
		else
			emit_hex64(w->emit, "pc", s->pc);
		emit_str(w->emit, "state", state_of(w, s));
		done += !s->error;
	}
	emit_table_end(w->emit);

	emit_str(w->emit, "operation", "step");
	emit_uint(w->emit, "matched", r->num_waves);
	emit_uint(w->emit, "changed", done);
	emit_uint(w->emit, "count", r->rounds);
	emit_say(w->emit, "stepped {changed} of {matched} waves");
	if (emit_end(w->emit))
		return WAVECTL_FAILED;
	return done < r->num_waves ? WAVECTL_FAILED : WAVECTL_OK;
}

/* For one wave, its error is that of the command. */
static int fail_one(struct wavectl *w, const struct stepped *s)
{
	char name[ADBG_WAVE_NAME_MAX];

	return fail(w, s->error, "cannot step %s of VMID %u",
		    adbg_wave_name(&s->wave->at, name), s->wave->vmid);
}

static void emit_run(struct wavectl *w, const void *data)
{
	const struct run *r = data;
	struct wave_insns insns = { 0 };

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; i < r->num_waves; i++)
		insn_emit_wave(w, &insns, r->waves[i].wave);
	emit_table_end(w->emit);
	wave_insns_close(&insns);
	emit_str(w->emit, "operation", "step");
	emit_uint(w->emit, "matched", r->num_waves);
	emit_uint(w->emit, "count", r->rounds);
}

static struct stepped *find(const struct run *r,
			    const struct amdgpudbg_wave *wave)
{
	for (size_t i = 0; i < r->num_waves; i++)
		if (temp_halt_is(r->waves[i].wave, wave->vmid, &wave->at))
			return &r->waves[i];
	return NULL;
}

/* The wave was running, and is still the one that was stepped. */
static bool was_halted(void *arg, const struct amdgpudbg_wave *wave)
{
	const struct stepped *s = find(arg, wave);

	return s && is_ours(s) && !s->ended &&
	       (!s->count || s->pc == wave->pc ||
		wave->flags & AMDGPUDBG_WAVE_PRIV);
}

static void stays(void *arg, const struct amdgpudbg_wave *wave)
{
	find(arg, wave)->stopped = true;
}

/*
 * Steps past breakpoints end the debug mode that breakpoints by stepping need. The wave resumes
 * at its PC: a breakpoint there is still ahead of it.
 */
static bool was_debugged(void *arg, const struct amdgpudbg_wave *wave)
{
	const struct run *r = arg;

	return wave_is_debugged(find(r, wave)->wave, r->gc_version) &&
	       !wave_is_debugged(wave, r->gc_version);
}

/* Undo halt_all(): by closing the session, or in a shell by resuming these waves. */
static int undo(struct wavectl *w, struct run *r)
{
	struct temp_halt which = {
		.is_ours = was_halted, .stays = stays, .arg = r,
		.was_debugged = w->shell && w->shell->debugger ? was_debugged : NULL,
	};

	close_target(w);
	return w->shell ? temp_halt_end(w, &which) : WAVECTL_OK;
}

static int step(struct wavectl *w, void *data)
{
	const struct wave_step_args *args = w->args;
	struct run *r = data;
	int status = WAVECTL_OK;

	r->ops = xcalloc(AMDGPUDBG_WAVE_BATCH_MAX, sizeof(*r->ops));
	if (args->halt)
		status = halt_all(w, r);
	if (!status)
		status = step_all(w, r);
	if (!status && r->num_waves == 1 && r->waves[0].error &&
	    !r->waves[0].count)
		status = fail_one(w, r->waves);
	/* Before the message, so that no wave is halted when it is printed. */
	if (args->halt)
		status = undo(w, r) ?: status;
	return status ? status : emit_stepped(w, r);
}

static int none_to_step(struct wavectl *w, const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			return fail_with(w, WAVECTL_GONE,
					 "--halt halts them for the steps",
					 "none of the waves is halted");

	return plan_no_wave(w);
}

static int look_and_step(struct wavectl *w, struct adbg_wave_list *list)
{
	const struct wave_step_args *args = w->args;
	struct run r = {
		.rounds = args->count ? args->count : 1,
		.gc_version = adbg_session_get_gc_version(w->session),
	};
	int ret, status;

	ret = adbg_wave_list_read(list, w->session,
				  w->vmid ? 1U << w->vmid : 0);
	if (ret)
		return fail(w, ret, "cannot list the waves");

	pick(w, &r, list);
	if (!r.num_waves)
		status = none_to_step(w, list);
	else
		status = action_run(w, &(struct action){
			.what = "step {matched} waves",
			.describe = emit_run, .run = step, .data = &r,
		});
	free(r.waves);
	free(r.ops);
	return status;
}

static int cmd_wave_step(struct wavectl *w)
{
	struct adbg_wave_list *list;
	int ret, status;

	status = plan_open(w);
	if (status)
		return status;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail_system(w, ret, "cannot allocate a list");
	status = look_and_step(w, list);
	adbg_wave_list_free(list);
	return status;
}

/* All steps are kept in memory here; a script can loop for more. */
#define MAX_STEPS 100000

static bool parse_steps(const char *arg, void *member)
{
	uint64_t *count = member;

	return parse_u64(arg, MAX_STEPS, count) && *count;
}

static const struct option_desc opt_steps = {
	"count", 'c', "N", "number of instructions (default: 1)",
	parse_steps, OPTION_OF(struct wave_step_args, count),
};

static const struct option_desc opt_halt = {
	"halt", 0, NULL, "halt the waves first and resume them afterwards",
	option_flag, OPTION_OF(struct wave_step_args, halt),
};

static const struct option_desc *const step_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_steps,
	&opt_halt, NULL,
};

const struct command wave_step_commands[] = {
	{
		.noun = "wave",
		.verb = "step",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "single-step halted waves",
		.help = "Waves that are not halted are left out, unless --halt is given. With --verbose,\n"
			"print every address that each wave reached.",
		.options = step_options,
		.args_size = sizeof(struct wave_step_args),
		.run = cmd_wave_step,
	},
	{ .noun = NULL },
};
