// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl break set, tbreak, break insn, break start, break list, break clear, continue. These
 * commands are for a shell, because a breakpoint belongs to its session.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-condition.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/break_list.h"
#include "debug/break_place.h"
#include "debug/code.h"
#include "debug/condition.h"
#include "debug/focus.h"
#include "debug/location.h"
#include "waves/action.h"

struct break_args {
	bool temporary;
	bool stepping;
	bool pending;
	uint64_t job;			/* 0: not given */
	bool off;
};

/* Why a breakpoint is pending */
#define WAITS "pending until the waves that started without a trap handler have ended"

/* "0xbf8a0000/0xffff0000" */
#define INSN_MAX	24

static void emit_stepping(struct wavectl *w, const struct adbgd_breakpoint_info *info)
{
	char text[ADBGD_MAX_INSN_MATCHES * INSN_MAX] = "";
	size_t length = 0;

	for (uint32_t i = 0; i < info->num_insns; i++)
		length += snprintf(text + length, sizeof(text) - length, "%s0x%08x/0x%08x",
				   i ? "," : "", info->insns[i].value, info->insns[i].mask);
	if (info->flags & ADBGD_BREAKPOINT_STEPPED)
		emit_str(w->emit, "stepping", info->num_insns ? text : "address");
	else
		emit_none(w->emit, "stepping");
}

static const char *state_of(const struct adbgd_breakpoint_info *info)
{
	if (info->flags & ADBGD_BREAKPOINT_DISABLED)
		return "disabled";
	return info->flags & ADBGD_BREAKPOINT_PENDING ? "pending" : "set";
}

/* What happens at a stop, in gdb's words. */
static const char *disposition_of(const struct adbgd_breakpoint_info *info)
{
	if (info->flags & ADBGD_BREAKPOINT_TEMPORARY)
		return "del";
	return info->flags & ADBGD_BREAKPOINT_ONCE ? "dis" : "keep";
}

static void emit_commands(struct wavectl *w, uint32_t number)
{
	const struct debugger *d = w->shell->debugger;
	const struct stop_commands *c = stop_actions_commands(&d->stop_actions, number);

	static const char *const silent = "silent";

	emit_list(w->emit, "commands");
	if (c && c->is_silent)
		emit_list_line(w->emit, "", &silent, 1, 1);
	for (size_t i = 0; c && i < c->num_lines; i++)
		emit_list_line(w->emit, "", (const char *const *)&c->lines[i], 1, 1);
	emit_list_end(w->emit);
}

/* A condition that names variables or that the host decides is shown as it was typed. */
static void emit_condition(struct wavectl *w, const struct adbgd_breakpoint *b)
{
	const struct debugger *d = w->shell->debugger;
	const char *text = stop_actions_condition(&d->stop_actions,
						  adbgd_breakpoint_get_info(b)->number);

	condition_emit_typed(w, "condition", adbgd_breakpoint_get_condition(b), text,
			     adbgd_breakpoint_get_expression(b));
	emit_quiet(w->emit, true);
	emit_bool(w->emit, "decided_by_host", adbgd_breakpoint_get_expression(b));
	emit_quiet(w->emit, false);
}

/* Code that is not loaded has no addresses: the location as it was given. */
static void emit_later(struct wavectl *w, const char *word)
{
	emit_str(w->emit, "place", word);
	emit_quiet(w->emit, true);
	emit_none(w->emit, "file");
	emit_none(w->emit, "line");
	emit_quiet(w->emit, false);
}

static void emit_place(struct wavectl *w, const struct adbgd_breakpoint_info *info)
{
	const struct debugger *d = w->shell->debugger;
	const char *word = break_place_word(d, info->number);

	if (word && info->flags & ADBGD_BREAKPOINT_NO_ADDRESS)
		emit_later(w, word);
	else
		code_emit_place_in(w, code_at(d, info->address), info->address,
				   code_get(d, 0) || d->num_places);
}

/* @ignores: text has a column for the count of "ignore" */
static void emit_breakpoint(struct wavectl *w, const struct adbgd_breakpoint *b, bool ignores)
{
	const struct adbgd_breakpoint_info *info = adbgd_breakpoint_get_info(b);

	emit_uint(w->emit, "number", info->number);
	emit_str(w->emit, "disp", disposition_of(info));
	emit_bool(w->emit, "enabled", !(info->flags & ADBGD_BREAKPOINT_DISABLED));
	if (info->num_insns || info->flags & ADBGD_BREAKPOINT_NO_ADDRESS)
		emit_none(w->emit, "address");
	else
		emit_hex64(w->emit, "address", info->address);
	emit_str(w->emit, "state", state_of(info));
	emit_quiet(w->emit, true);
	emit_bool(w->emit, "temporary", info->flags & ADBGD_BREAKPOINT_TEMPORARY);
	emit_quiet(w->emit, false);
	emit_stepping(w, info);
	emit_condition(w, b);
	emit_place(w, info);
	emit_uint(w->emit, "hits", info->hits);
	emit_commands(w, info->number);
	emit_quiet(w->emit, !ignores);
	emit_uint(w->emit, "ignore", info->ignore);
	emit_quiet(w->emit, false);
}

/* What follows the sentence if the host decides the condition */
#define BY_HOST "the host evaluates the condition at each stop, which is slower than on the GPU"

static const char *sentence(bool pending, bool has_place, bool is_insn, bool is_later)
{
	if (is_later)
		return "breakpoint {number} at {place}, pending until its code is loaded";
	if (is_insn)
		return pending ? "breakpoint {number} at instructions {stepping}, " WAITS :
				 "breakpoint {number} at instructions {stepping}";
	if (has_place)
		return pending ? "breakpoint {number} at {address}, {place}, " WAITS :
				 "breakpoint {number} at {address}, {place}";
	return pending ? "breakpoint {number} at {address}, " WAITS :
			 "breakpoint {number} at {address}";
}

static int say_set(struct wavectl *w, const struct adbgd_breakpoint *b)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_breakpoint_info *info = adbgd_breakpoint_get_info(b);
	bool pending = info->flags & ADBGD_BREAKPOINT_PENDING;
	struct place place;

	emit_begin(w->emit);
	emit_breakpoint(w, b, false);
	emit_say(w->emit, sentence(pending, code_name_place(d, info->address, &place),
				   info->num_insns, info->flags & ADBGD_BREAKPOINT_NO_ADDRESS));
	if (adbgd_breakpoint_get_expression(b))
		emit_say(w->emit, BY_HOST);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* A breakpoint to set; @b: NULL with --dry-run */
struct setting {
	struct adbgd_breakpoint_info info;
	const struct condition *condition;	/* NULL: none, or @text only */
	const char *word;		/* in code that is not loaded; else NULL */
	const char *text;		/* of its condition; NULL: none */
	struct adbgd_breakpoint *b;
};

static void emit_setting(struct wavectl *w, const void *data)
{
	const struct break_args *args = w->args;
	const struct setting *setting = data;
	const struct condition *c = setting->condition;

	emit_bool(w->emit, "temporary", args->temporary);
	emit_stepping(w, &setting->info);
	condition_emit_typed(w, "condition", condition_gpu(c), c && c->expression ?
			     c->text : setting->text, false);
	if (setting->info.num_insns) {
		emit_none(w->emit, "address");
	} else if (setting->word) {
		emit_none(w->emit, "address");
		emit_later(w, setting->word);
	} else {
		emit_hex64(w->emit, "address", setting->info.address);
		code_emit_place(w, setting->info.address);
	}
}

static int say_setting(struct wavectl *w, void *data)
{
	const struct setting *setting = data;

	return say_set(w, setting->b);
}

/* Print that a breakpoint was set, or with --dry-run what would be set. */
static int report_set(struct wavectl *w, struct setting *setting)
{
	char *what = xstrdup("set a breakpoint at ");
	struct place place;
	int status;

	if (setting->info.num_insns)
		xappend(&what, "instructions {stepping}");
	else if (setting->word)
		xappend(&what, "{place}, when its code is loaded");
	else
		xappend(&what, code_name_place(w->shell->debugger, setting->info.address,
					       &place) ? "{address}, {place}" : "{address}");
	if (setting->condition || setting->text)
		xappend(&what, " if {condition}");
	status = action_run(w, &(struct action){
		.what = what, .describe = emit_setting, .run = say_setting, .data = setting,
	});
	free(what);
	return status;
}

static int clear(struct wavectl *w, struct adbgd_breakpoint *b)
{
	struct adbgd_error error;

	return adbgd_breakpoint_clear(b, &error) ?
	       debug_fail(w, &error) : WAVECTL_OK;
}

static uint32_t flags_of(const struct break_args *args)
{
	return (args->temporary ? ADBGD_BREAKPOINT_TEMPORARY : 0) |
	       (args->stepping ? ADBGD_BREAKPOINT_STEPPED : 0);
}

/*
 * Set a breakpoint at each address, with the condition of the same index, if there are any, or at
 * none if one fails. Returns an exit status.
 */
static int set_each(struct wavectl *w, const struct location *location,
		    const struct condition *conditions, struct adbgd_breakpoint **breakpoints)
{
	struct debugger *d = w->shell->debugger;
	uint32_t flags = flags_of(w->args);
	const struct condition *c;
	struct adbgd_error error;
	int ret;

	for (size_t i = 0; i < location->num; i++) {
		c = conditions ? &conditions[i] : NULL;
		ret = adbgd_breakpoint_set_if(d->process, location->va[i], flags, condition_gpu(c),
					      &breakpoints[i], &error);
		if (!ret && !condition_complete(c, breakpoints[i], &error))
			continue;
		/* The last one may be set without the expression. */
		for (i += !ret; i--;)
			ignore_result(clear(w, breakpoints[i]));
		return debug_fail(w, &error);
	}
	return WAVECTL_OK;
}

/* Keep what the library does not. @c: its condition, or NULL; @typed: it as it was typed */
static void note_set(struct debugger *d, const struct location *location,
		     const struct adbgd_breakpoint *b, const struct condition *c, const char *typed)
{
	const struct adbgd_breakpoint_info *info = adbgd_breakpoint_get_info(b);

	stop_actions_set_condition(&d->stop_actions, info->number, c ? c->text : NULL);
	if (location->word)
		break_place_add(d, info->number, &(struct break_wanted){
			.word = location->word, .condition = typed,
		}, info->address);
}

/* @typed: the condition; NULL: none */
static int set_all(struct wavectl *w, const struct location *location,
		   const struct condition *conditions, const char *typed)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_breakpoint **set = xcalloc(location->num, sizeof(*set));
	const struct break_args *args = w->args;
	int status = w->dry_run ? WAVECTL_OK : set_each(w, location, conditions, set);

	for (size_t i = 0; !status && !w->dry_run && i < location->num; i++)
		note_set(d, location, set[i], conditions ? &conditions[i] : NULL, typed);
	for (size_t i = 0; !status && i < location->num; i++)
		status = report_set(w, &(struct setting){
			.info.address = location->va[i],
			.info.flags = args->stepping ? ADBGD_BREAKPOINT_STEPPED : 0,
			.condition = conditions ? &conditions[i] : NULL, .b = set[i],
		});
	free(set);
	return status;
}

/* A variable may be somewhere else at each address. */
static int parse_each(struct wavectl *w, const char *typed, const struct location *location,
		      struct condition *conditions)
{
	int status = WAVECTL_OK;

	for (size_t i = 0; !status && i < location->num; i++)
		status = condition_parse(w, typed, &location->va[i], &conditions[i]);
	return status;
}

/* @typed: the condition; NULL: none */
static int set_now(struct wavectl *w, const struct location *location, const char *typed)
{
	struct condition *conditions = xcalloc(location->num, sizeof(*conditions));
	const struct break_args *args = w->args;
	int status = args->stepping ? debug_claim_launch(w) : WAVECTL_OK;

	if (!status && typed)
		status = parse_each(w, typed, location, conditions);
	if (!status)
		status = set_all(w, location, typed ? conditions : NULL, typed);
	for (size_t i = 0; i < location->num; i++)
		condition_free(&conditions[i]);
	free(conditions);
	return status;
}

/* Get the number of an enabled breakpoint that waits for code of the same location; 0: none. */
static uint32_t find_waiting(const struct wavectl *w, const char *word)
{
	const struct adbgd_breakpoint_info *info;
	struct adbgd_breakpoint *b;
	const char *other;

	for (size_t i = 0; (b = break_list_at(w, i)); i++) {
		info = adbgd_breakpoint_get_info(b);
		other = break_place_word(w->shell->debugger, info->number);
		if (other && !strcmp(other, word) && info->flags & ADBGD_BREAKPOINT_NO_ADDRESS &&
		    !(info->flags & ADBGD_BREAKPOINT_DISABLED))
			return info->number;
	}
	return 0;
}

/* The code is not loaded: set the breakpoint when it is. @typed: the condition; NULL: none */
static int set_later(struct wavectl *w, const struct location *location, const char *typed)
{
	uint32_t flags = flags_of(w->args);
	struct setting setting = {
		.info.flags = flags | ADBGD_BREAKPOINT_NO_ADDRESS,
		.word = location->word, .text = typed,
	};
	uint32_t same = find_waiting(w, location->word);
	struct debugger *d = w->shell->debugger;
	int status = debug_claim_launch(w);

	if (!status && same)
		status = fail_with(w, WAVECTL_BUSY, NULL,
				   "breakpoint %u waits for the same location", same);
	if (!status && !w->dry_run) {
		status = break_place_set_later(w, &(struct break_wanted){
			.word = location->word, .condition = typed,
		}, flags, &setting.b);
		if (status)
			return status;
		stop_actions_set_condition(&d->stop_actions,
					   adbgd_breakpoint_get_info(setting.b)->number, typed);
		break_place_update(w);
	}
	return status ? status : report_set(w, &setting);
}

static int cmd_break_set(struct wavectl *w)
{
	const struct break_args *args = w->args;
	struct location location = { .num = 0 };
	char *typed = condition_cut(w);
	int status;

	status = location_open(w, args->pending ? LOCATION_LATER : LOCATION_BREAK, &location);
	if (!status)
		status = condition_fix_values(w, &typed);
	if (!status)
		status = location.num ? set_now(w, &location, typed) :
					set_later(w, &location, typed);
	free(typed);
	location_free(&location);
	return status;
}

/* Parse "0xbf8a0000/0xffff0000", or a value without a mask. Returns an exit status. */
static int parse_insn(struct wavectl *w, const char *word, struct adbgd_insn_match *insn)
{
	uint64_t value, mask = UINT32_MAX;
	char *copy = xstrdup(word), *slash = strchr(copy, '/');
	bool good;

	if (slash)
		*slash = '\0';
	good = parse_u64(copy, UINT32_MAX, &value) &&
	       (!slash || parse_u64(slash + 1, UINT32_MAX, &mask));
	free(copy);
	if (!good)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "'%s' is not a 32-bit value or VALUE/MASK", word);
	*insn = (struct adbgd_insn_match){ .value = value, .mask = mask };
	return WAVECTL_OK;
}

/*
 * Find the encodings of a mnemonic, which do not depend on the wave size. Returns an exit
 * status.
 */
static int find_insns(struct wavectl *w, const char *name, struct adbgd_insn_match *insns,
		      size_t *num)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_disasm *disasm;
	struct adbgd_error error;
	int ret;

	ret = adbgd_disasm_new(adbgd_process_get_info(d->process)->gpu, 32, &disasm,
			       &error);
	if (ret)
		return debug_fail(w, &error);
	ret = adbgd_mnemonic_get_patterns(disasm, name, insns, num, &error);
	adbgd_disasm_free(disasm);
	return ret ? debug_fail(w, &error) : WAVECTL_OK;
}

static int set_insn(struct wavectl *w, const struct adbgd_insn_match *insns, size_t num,
		    const struct condition *condition)
{
	struct setting setting = {
		.info.flags = ADBGD_BREAKPOINT_STEPPED, .info.num_insns = num,
		.condition = condition,
	};
	const struct break_args *args = w->args;
	uint32_t flags = args->temporary ? ADBGD_BREAKPOINT_TEMPORARY : 0;
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	memcpy(setting.info.insns, insns, num * sizeof(*insns));
	if (w->dry_run)
		return report_set(w, &setting);
	if (adbgd_breakpoint_set_insn(d->process, insns, num, flags, condition_gpu(condition),
				      &setting.b, &error))
		return debug_fail(w, &error);
	if (condition_complete(condition, setting.b, &error)) {
		ignore_result(clear(w, setting.b));
		return debug_fail(w, &error);
	}
	if (condition)
		stop_actions_set_condition(&d->stop_actions,
					   adbgd_breakpoint_get_info(setting.b)->number,
					   condition->text);
	return report_set(w, &setting);
}

/* *@typed: the condition; NULL: none */
static int set_insns(struct wavectl *w, char **typed)
{
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
	struct condition c = { .has_gpu = false };
	size_t num = 1;
	int status;

	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"break insn\" takes one mnemonic or one instruction value");
	status = debug_open_target(w);
	if (!status)
		status = debug_claim_launch(w);
	if (!status)
		status = condition_fix_values(w, typed);
	if (!status && *typed)
		status = condition_parse(w, *typed, NULL, &c);
	if (!status)
		status = isdigit((unsigned char)*w->words[0]) ?
			 parse_insn(w, w->words[0], insns) :
			 find_insns(w, w->words[0], insns, &num);
	if (!status)
		status = set_insn(w, insns, num, *typed ? &c : NULL);
	condition_free(&c);
	return status;
}

static int cmd_break_insn(struct wavectl *w)
{
	char *typed = condition_cut(w);
	int status = set_insns(w, &typed);

	free(typed);
	return status;
}

static void emit_start(struct wavectl *w, const void *data)
{
	const struct break_args *args = w->args;

	(void)data;
	emit_bool(w->emit, "start", !args->off);
	emit_uint(w->emit, "job", args->off ? 0 : args->job ? args->job : 1);
}

static int set_start(struct wavectl *w, void *data)
{
	const struct break_args *args = w->args;
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	int ret;

	(void)data;
	if (args->job)
		ret = adbgd_process_stop_at_job(d->process, args->job, &error);
	else
		ret = adbgd_process_stop_at_start(d->process, !args->off, &error);
	return ret ? debug_fail(w, &error) : WAVECTL_OK;
}

static int cmd_break_start(struct wavectl *w)
{
	const struct break_args *args = w->args;
	struct action action = {
		.what = "halt new waves before their first instruction",
		.done = "new waves halt before their first instruction",
		.describe = emit_start, .run = set_start,
	};
	int status;

	if (args->off && args->job)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "--off and --job cannot be used together");
	if (args->off) {
		action.what = "let new waves start normally";
		action.done = "new waves start normally";
	} else if (args->job) {
		action.what =
			"halt new waves before their first instruction, from job number {job} on";
		action.done =
			"new waves halt before their first instruction, from job number {job} on";
	}
	status = debug_open_target(w);
	if (!status)
		status = debug_claim_launch(w);
	return status ? status : action_run(w, &action);
}

/* Is a count of "ignore" left at any breakpoint? */
static bool has_ignored(const struct wavectl *w)
{
	struct adbgd_breakpoint *b;

	for (size_t i = 0; (b = break_list_at(w, i)); i++)
		if (adbgd_breakpoint_get_info(b)->ignore)
			return true;
	return false;
}

static int cmd_break_list(struct wavectl *w)
{
	struct adbgd_breakpoint *b;
	bool ignores;
	size_t i;
	int status = open_target(w);

	if (status)
		return status;
	ignores = has_ignored(w);
	emit_begin(w->emit);
	emit_table(w->emit, "breakpoints", true);
	for (i = 0; (b = break_list_at(w, i)); i++) {
		emit_row(w->emit);
		emit_breakpoint(w, b, ignores);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", i);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static void emit_clearing(struct wavectl *w, const void *data)
{
	const struct break_list *clearing = data;

	emit_uint(w->emit, "count", clearing->count);
}

static int run_clearing(struct wavectl *w, void *data)
{
	const struct break_list *clearing = data;
	int status = WAVECTL_OK;

	for (uint64_t i = 0; !status && i < clearing->count; i++)
		status = clear(w, clearing->breakpoints[i]);
	return status;
}

static int cmd_break_clear(struct wavectl *w)
{
	struct break_list clearing;
	int status = break_list_take(w, &clearing);

	if (!status)
		status = action_run(w, &(struct action){
			.what = "clear {count}", .done = "cleared {count}",
			.describe = emit_clearing, .run = run_clearing, .data = &clearing,
		});
	break_list_free(&clearing);
	return status;
}

/* ------------------------------------------------------------------ continue */

/* Describe the action. The number of waves is not known in advance. @data: one wave; NULL: all */
static void emit_going(struct wavectl *w, const void *data)
{
	emit_str(w->emit, "operation", "continue");
	if (data)
		emit_at(w->emit, "name", data);
}

static int resume(struct wavectl *w, void *data)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	int ret;

	w->shell->moves++;
	d->caller = w;
	ret = data ? adbgd_wave_continue(d->process, data, &error) :
		     adbgd_process_continue(d->process, &error);
	return ret ? debug_fail(w, &error) : WAVECTL_OK;
}

static int cmd_continue(struct wavectl *w)
{
	struct amdgpudbg_wave_coord at;
	int status = debug_open_target(w);
	/* Each wave that stops executes the commands of its breakpoint. */
	bool is_one = w->waves.is_set || w->stopped;

	if (!status && w->waves.is_set && w->dry_run)
		status = focus_open_named(w, &at);
	else if (!status && !w->waves.is_set && w->stopped)
		at = *w->stopped;
	else if (!status && w->waves.is_set &&
		 adbg_wave_spec_mode(&w->waves.spec, &at) != AMDGPUDBG_WAVEMODE_SINGLE)
		status = fail_with(w, WAVECTL_USAGE, NULL,
				   "\"continue\" takes one wave, or no argument to resume all");
	/* Nothing is printed as text: the shell reports the stops that follow. */
	return status ? status : action_run(w, &(struct action){
		.what = is_one ? "resume {name}" : "resume all halted waves", .done = "",
		.describe = emit_going, .run = resume, .data = is_one ? &at : NULL,
	});
}

static const struct option_desc opt_temporary = {
	"temporary", 0, NULL, "clear the breakpoint after its first stop",
	option_flag, OPTION_OF(struct break_args, temporary),
};

static const struct option_desc opt_pending = {
	"pending", 0, NULL, "also if no known code has the location: set it when such code is loaded",
	option_flag, OPTION_OF(struct break_args, pending),
};

static const struct option_desc opt_stepping = {
	"stepping", 0, NULL, "do not change code: single-step all waves and compare (slow)",
	option_flag, OPTION_OF(struct break_args, stepping),
};

static const struct option_desc opt_job = {
	"job", 0, "N", "start with the N-th job that begins from now on",
	option_positive, OPTION_OF(struct break_args, job),
};

static const struct option_desc opt_set_off = OPTION_SET_OFF(struct break_args);

static const struct option_desc *const break_options[] = {
	TARGET_OPTIONS, &opt_temporary, &opt_stepping, &opt_pending, NULL,
};

static const struct option_desc *const tbreak_options[] = {
	TARGET_OPTIONS, &opt_stepping, &opt_pending, NULL,
};

static const struct break_args temporary_args = { .temporary = true };

static const struct option_desc *const break_insn_options[] = {
	TARGET_OPTIONS, &opt_temporary, NULL,
};

static const struct option_desc *const break_start_options[] = {
	TARGET_OPTIONS, &opt_job, &opt_set_off, NULL,
};

const struct command break_commands[] = {
	{
		.noun = "break",
		.verb = "set",
		.aliases = { "break", "b" },
		.args = "LOCATION [if CONDITION...]",
		.summary = "set a breakpoint",
		.help = LOCATION_HELP
			"A breakpoint at a function is placed after its prologue. If a line or a function\n"
			"was compiled into several pieces of code, each gets a breakpoint. Breakpoints\n"
			"need a shell or batch with --pid and exist until \"break clear\". Each stop is\n"
			"reported; \"continue\" and \"wave step\" resume the wave past the breakpoint, which\n"
			"stays for other waves. The breakpoint is pending while waves exist that started\n"
			"before the first breakpoint, and while its code is not loaded: it follows its code\n"
			"when that is loaded again elsewhere. Until its code is loaded, new waves of the\n"
			"process are halted for a moment at their start.\n"
			"CONDITION is one or more of these, with && between them:\n"
			"a comparison of a variable or register with a number by ==, !=, <, <=, >, >=, s<, s>\n"
			"(signed) or & (any of these bits set), such as i > 3, x < 1.5, v3 == 42, $scc == 1,\n"
			"$m0 < 8, $lane < 4, $wave == 3, where one lane suffices in which all are true;\n"
			"lane 0-7; group 7,0,0; wave WAVE; every N, each N-th hit; hit N, only the N-th hit.\n"
			"The GPU evaluates it; other waves keep running. Where it cannot, because a variable\n"
			"is in memory or it is another expression of \"print\" such as p->x > a[i], the host\n"
			"evaluates it at each stop, which is slower. $1 is the value that it has now, $name\n"
			"the one that it has at each decision.\n"
			"--stepping does not change code: waves compare their PC after each instruction,\n"
			"and are slow.",
		.options = break_options,
		.args_size = sizeof(struct break_args),
		.run = cmd_break_set,
	},
	{
		.noun = "tbreak",
		.args = "LOCATION [if CONDITION...]",
		.summary = "set a breakpoint that is cleared after its first stop",
		.help = "The same as \"break set --temporary\".",
		.options = tbreak_options,
		.args_size = sizeof(struct break_args),
		.default_args = &temporary_args,
		.run = cmd_break_set,
	},
	{
		.noun = "break",
		.verb = "insn",
		.args = "MNEMONIC | VALUE[/MASK] [if CONDITION...]",
		.summary = "stop waves before all instructions of one kind",
		.help = "MNEMONIC is a name as used by LLVM 19, such as s_barrier; v_add_f32 also means\n"
			"v_add_f32_e32 and v_add_f32_e64. VALUE is the first 32 bits of the instruction;\n"
			"only bits that are set in MASK are compared (default: all). Waves compare after each\n"
			"instruction, as with \"break set --stepping\".",
		.options = break_insn_options,
		.args_size = sizeof(struct break_args),
		.run = cmd_break_insn,
	},
	{
		.noun = "break",
		.verb = "start",
		.summary = "halt new waves before their first instruction",
		.help = "For a shell or batch with --pid. The first wave that starts is reported. More waves\n"
			"stay halted at their start, until \"continue\" resumes all of them and new waves start\n"
			"normally. With --job, waves of earlier jobs also start halted, but are resumed\n"
			"immediately. Graphics and compute jobs are counted in the order of their submission\n"
			"to a ring; 1 is the next job. If several jobs run at the same time, the waves of\n"
			"all of them stay halted.",
		.options = break_start_options,
		.args_size = sizeof(struct break_args),
		.run = cmd_break_start,
	},
	{
		.noun = "break",
		.verb = "list",
		.summary = "list the breakpoints of the shell or batch",
		.options = target_options,
		.run = cmd_break_list,
	},
	{
		.noun = "break",
		.verb = "clear",
		.aliases = { "delete", "d" },
		.args = "[NUMBER...]",
		.summary = "clear breakpoints, or all breakpoints",
		.help = "NUMBER may be a range such as 2-4. Waves that are halted there stay halted, and execute the instruction when resumed.",
		.options = target_options,
		.run = cmd_break_clear,
	},
	{
		.noun = "continue",
		.aliases = { "c" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "resume halted waves, in a shell or batch",
		.help = "Resumes all halted waves of the process, or the given wave. Waves at a breakpoint\n"
			"execute the instruction. Waves with an unreported stop stay halted.",
		.options = target_options,
		.run = cmd_continue,
	},
	{
		.noun = "info",
		.verb = "breakpoints",
		.summary = "same as \"break list\"",
		.options = target_options,
		.run = cmd_break_list,
	},
	{ .noun = NULL },
};
