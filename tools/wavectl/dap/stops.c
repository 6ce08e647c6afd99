// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops of waves: see stops.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-condition.h>
#include <amdgpudbg-debug-wave.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/breakpoint.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/stops.h"
#include "dap/value.h"
#include "dap/wave.h"
#include "debug/break_place.h"
#include "debug/code.h"
#include "waves/fault.h"
#include "waves/hold.h"
#include "waves/stop.h"

char *stops_causes(const struct adbgd_stop *stop)
{
	const char *names[ADBG_MAX_CAUSES];
	size_t num = adbg_event_causes(stop->cause, stop->watch_mask, names, ARRAY_SIZE(names));
	char *text = NULL;

	for (size_t i = 0; i < num; i++)
		xappend(&text, "%s%s", i ? ", " : "", names[i]);
	return text;
}

int stops_set_exceptions(struct dap *d)
{
	struct amdgpudbg_launch_set before = d->shell.launch, launch = {
		.excp_mask = d->exceptions,
		.flags = d->exceptions ? AMDGPUDBG_LAUNCH_SET_EXCP : 0,
	};
	int ret;

	/* Breakpoints that wait for code use the launch mode, too, unless it is taken. */
	d->shell.launch = launch;
	if (launch.flags)
		break_place_update(d->w);
	ret = adbg_launch_set(d->w->session, &launch);
	if (ret)
		d->shell.launch = before;
	break_place_update(d->w);
	return ret;
}

int stops_resume_all(struct dap *d, struct adbgd_error *error)
{
	struct adbgd_process *process = d->shell.debugger->process;

	wave_forget(d, 0);
	d->waits_for_pause = false;
	if (adbgd_process_continue(process, error))
		return -1;
	/* The library lets new waves start normally, without exceptions. */
	if (d->exceptions && stops_set_exceptions(d))
		out_line(d, "important", "exceptions are no longer enabled in new waves");
	return 0;
}

/* ------------------------------------------------------------------------ events */

static struct json_object *stopped_body(const char *reason, uint32_t thread, bool all,
					const char *text)
{
	struct json_object *body = json_new();

	json_put_text(body, "reason", reason);
	if (thread)
		json_put_number(body, "threadId", thread);
	json_put_flag(body, "allThreadsStopped", all);
	json_put_text(body, "description", text);
	json_put_text(body, "text", text);
	return body;
}

void stops_send(struct dap *d, const char *reason, uint32_t thread, bool all, const char *text)
{
	out_event(d, "stopped", stopped_body(reason, thread, all, text));
}

void stops_process_exited(struct dap *d)
{
	if (d->state == DAP_EXITED || d->state == DAP_OVER)
		return;
	d->state = DAP_EXITED;
	d->has_exited = true;
	out_event(d, "terminated", NULL);
}

static const char *reason_of(const struct adbgd_stop *stop)
{
	switch (stop->reason) {
	case ADBGD_STOP_BREAKPOINT:
		return "breakpoint";
	case ADBGD_STOP_STEP:
		return "step";
	case ADBGD_STOP_EXCEPTION:
	case ADBGD_STOP_TRAP:
		return "exception";
	case ADBGD_STOP_WATCH:
		return "data breakpoint";
	case ADBGD_STOP_START:
		return "entry";
	default:
		return "pause";
	}
}

/* Is the selected wave, which another one must not displace, still halted? */
static bool has_selection(struct dap *d, const struct adbgd_stop *stop)
{
	const struct debugger *debugger = d->shell.debugger;
	struct focus focus;
	bool is = focus_try(d->w, &focus) &&
		  memcmp(&debugger->wave, &stop->at, sizeof(stop->at));

	focus_close(&focus);
	return is;
}

static void report(struct dap *d, const struct adbgd_stop *stop, const char *reason,
		   const struct breakpoint *b)
{
	bool preserves = has_selection(d, stop);
	char *causes = stops_causes(stop);
	struct json_object *body, *ids;

	/* First report that the breakpoint was set. No event says that its code was loaded. */
	code_look_at(d->shell.debugger, stop->pc);
	breakpoint_update(d);
	body = stopped_body(reason ? reason : reason_of(stop), wave_thread(d, &stop->at), false,
			    strcmp(reason_of(stop), "exception") ? NULL : causes);
	json_put_flag(body, "preserveFocusHint", preserves);
	if (b) {
		ids = json_put_array(body, "hitBreakpointIds");
		json_append(ids, json_object_new_int64(breakpoint_id(b)));
	}
	if (!preserves) {
		d->shell.debugger->wave = stop->at;
		d->shell.debugger->has_wave = true;
	}
	wave_note_stop(d, stop);
	out_event(d, "stopped", body);
	free(causes);
}

/* ------------------------------------------------------- conditions and log points */

static int open_at(struct dap *d, const struct adbgd_stop *stop, uint32_t lane,
		   struct scope *scope)
{
	struct debugger *debugger = d->shell.debugger;
	struct amdgpudbg_wave_coord before = debugger->wave;
	bool had_wave = debugger->has_wave;
	struct request r = { 0 };
	int ret = scope_open(d, &r, wave_thread(d, &stop->at), 0, lane, scope);

	debugger->wave = before;
	debugger->has_wave = had_wave;
	if (ret)
		out_line(d, "important", "%s", r.error);
	free(r.error);
	return ret;
}

/* Find the lanes in which the condition of the GPU is true, which does not say so. 0: unknown */
static uint64_t lanes_of_gpu(const struct debugger *d, const struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = debug_breakpoint(d, stop->breakpoint);
	const struct adbgd_condition *c = b ? adbgd_breakpoint_get_condition(b) : NULL;
	struct adbgd_wave_context *wave = NULL;
	struct adbgd_context context;
	uint64_t lanes = 0;

	if (!c || !(c->relation || c->lanes) ||
	    adbgd_wave_context_new(d->process, &stop->at, NULL, &wave, NULL))
		return 0;
	context = adbgd_wave_context_get(wave, 0);
	if (adbgd_condition_find_lanes(c, NULL, NULL, &context, &lanes, NULL))
		lanes = 0;
	adbgd_wave_context_free(wave);
	return lanes;
}

/* Select a lane for which the condition of the breakpoint is true, if one is known. */
static void select_lane(struct dap *d, const struct adbgd_stop *stop)
{
	struct debugger *debugger = d->shell.debugger;
	uint64_t lanes = stop->lanes;

	if (stop->flags & ADBGD_STOP_UNDECIDED)
		out_line(d, "important", "the condition could not be evaluated: %s",
			 adbgd_process_get_condition_error(debugger->process)->text);
	else if (!lanes)
		lanes = lanes_of_gpu(debugger, stop);
	if (!lanes)
		return;
	debugger->has_lane = true;
	debugger->lane = (uint32_t)__builtin_ctzll(lanes);
}

static void append_value(struct scope *scope, const char *expression, char **line)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char *text;

	if (scope_eval(scope, expression, &value, &error)) {
		xappend(line, "<%s>", error.text);
		return;
	}
	text = scope_text(scope, value);
	adbgd_value_free(value);
	xappend(line, "%s", text);
	free(text);
}

/* Print a log message, with the values of the expressions in braces. */
static void print_log(struct dap *d, const struct adbgd_stop *stop, const char *message)
{
	char *copy = xstrdup(message), *rest = copy, *line = NULL;
	struct scope scope;

	if (!open_at(d, stop, UINT32_MAX, &scope)) {
		while (*rest) {
			char *open = strchr(rest, '{'), *end = open ? strchr(open, '}') : NULL;

			if (!end) {
				xappend(&line, "%s", rest);
				break;
			}
			*open = '\0';
			*end = '\0';
			xappend(&line, "%s", rest);
			append_value(&scope, open + 1, &line);
			rest = end + 1;
		}
		out_line(d, "console", "%s", line ? line : "");
	}
	scope_close(&scope);
	free(line);
	free(copy);
}

/* Does the stop at a breakpoint only evaluate something, so that the wave resumes? */
static bool is_silent(struct dap *d, const struct adbgd_stop *stop, struct breakpoint *b)
{
	const char *log = breakpoint_log(b);

	select_lane(d, stop);
	if (!breakpoint_hit(b))
		return true;
	if (log)
		print_log(d, stop, log);
	return log;
}

/* ------------------------------------------------------------------------- stops */

static void handle_start(struct dap *d, const struct adbgd_stop *stop)
{
	bool is_pause = d->waits_for_pause && !d->waits_for_entry;

	d->waits_for_pause = false;
	d->waits_for_entry = false;
	report(d, stop, is_pause ? "pause" : "entry", NULL);
}

static void handle_breakpoint(struct dap *d, const struct adbgd_stop *stop)
{
	struct breakpoint *b = breakpoint_find(d, stop->breakpoint);
	struct adbgd_error error;

	if (!b || !is_silent(d, stop, b))
		report(d, stop, NULL, b);
	else if (adbgd_wave_continue(d->shell.debugger->process, &stop->at, &error))
		out_line(d, "important", "cannot resume a wave: %s", error.text);
}

static void handle_stop(struct dap *d, const struct adbgd_stop *stop)
{
	wave_forget(d, wave_thread(d, &stop->at));
	switch (stop->reason) {
	case ADBGD_STOP_EXITED:
		stops_process_exited(d);
		break;
	case ADBGD_STOP_EXEC:
		out_line(d, "important",
			 "exec: the debugger remains attached to the waves of the previous program");
		break;
	case ADBGD_STOP_EXPIRED:
	case ADBGD_STOP_INVALIDATED:
		wave_forget(d, 0);
		out_line(d, "important", "all waves were resumed: %s",
			 adbgd_stop_reason_name(stop->reason));
		break;
	case ADBGD_STOP_WAVE_END:
		break;
	case ADBGD_STOP_START:
		handle_start(d, stop);
		break;
	case ADBGD_STOP_BREAKPOINT:
		handle_breakpoint(d, stop);
		break;
	default:
		report(d, stop, NULL, NULL);
	}
}

/* An event that resumes all waves, or ends the process */
static void handle_end(struct dap *d, const struct amdgpudbg_event *ev, const char *why)
{
	struct json_object *body;

	if (ev->type == AMDGPUDBG_EVENT_TARGET_GONE || ev->type == AMDGPUDBG_EVENT_GPU_GONE) {
		stops_process_exited(d);
		return;
	}
	wave_forget(d, 0);
	out_line(d, "important", "all waves were resumed: %s", why);
	body = json_new();
	json_put_number(body, "threadId", THREAD_PROCESS);
	json_put_flag(body, "allThreadsContinued", true);
	out_event(d, "continued", body);
}

/* A fault of the process; the wave may stop later, or for another reason. */
static void handle_fault(struct dap *d, const struct amdgpudbg_event *ev)
{
	struct debugger *debugger = d->shell.debugger;

	if (!debugger || ev->vmid != adbgd_process_get_info(debugger->process)->vmid)
		return;
	fault_keep(&d->shell, ev);
	out_line(d, "important", "fault: %s of 0x%016" PRIx64, fault_access(ev),
		 (uint64_t)ev->address);
}

static void handle_event(struct dap *d, const struct amdgpudbg_event *ev)
{
	const char *why = hold_end_reason(ev);
	struct adbgd_stop stop;
	bool is_reported;

	if (ev->type == AMDGPUDBG_EVENT_VM_FAULT)
		handle_fault(d, ev);
	if (d->shell.debugger && debug_handle_event(d->w, ev, &stop, &is_reported))
		handle_stop(d, &stop);
	else if (why)
		handle_end(d, ev, why);
}

bool stops_take(struct dap *d)
{
	struct event_portion portion = { 0 };
	struct amdgpudbg_event ev = { 0 };

	/* Events that functions of other folders have read; these may read more. */
	for (size_t i = 0; i < d->shell.num_kept; i++) {
		ev = d->shell.kept[i];
		handle_event(d, &ev);
	}
	d->shell.num_kept = 0;
	while (event_portion_take(&portion)) {
		int ret = adbg_event_next(d->w->session, &ev, 0);

		if (ret && ret != -EAGAIN && ret != -EINTR)
			stops_process_exited(d);
		if (ret || d->state == DAP_EXITED)
			return false;
		handle_event(d, &ev);
	}
	return true;
}

void stops_poll(struct dap *d)
{
	struct event_portion portion = { 0 };
	struct adbgd_stop stop;

	while (event_portion_take(&portion) && debug_poll_timeout(&d->shell) >= 0 &&
	       debug_poll_stop(d->w, &stop))
		handle_stop(d, &stop);
}

void stops_report_step(struct dap *d, const struct adbgd_stop *stop, const char *error)
{
	struct breakpoint *b = breakpoint_find(d, stop->breakpoint);
	uint32_t thread = wave_thread(d, &stop->at);
	struct json_object *body;

	if (error)
		out_line(d, "important", "%s", error);
	if (stop->reason == ADBGD_STOP_WAVE_END) {
		body = json_new();
		json_put_text(body, "reason", "exited");
		json_put_number(body, "threadId", thread);
		out_event(d, "thread", body);
		return;
	}
	/* A condition that does not hold does not prevent the stop after a step. */
	if (stop->reason == ADBGD_STOP_BREAKPOINT && b && is_silent(d, stop, b))
		b = NULL;
	report(d, stop, stop->reason == ADBGD_STOP_BREAKPOINT && b ? "breakpoint" : NULL, b);
}
