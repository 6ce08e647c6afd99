// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The debugger of a shell: see debug.h.
 */
#include "debug/debug.h"

#include <errno.h>
#include <stdlib.h>

#include <amdgpudbg-debug-condition.h>

#include "base/cmdline.h"
#include "base/split.h"
#include "base/util.h"
#include "debug/values.h"
#include "waves/fault.h"
#include "waves/hold.h"
#include "waves/wave_names.h"

int debug_fail(struct wavectl *w, const struct adbgd_error *error)
{
	return fail_with(w, exit_status(error->error), NULL, "%s", error->text);
}

/* For conditions that the host decides */
static struct adbgd_code *find_code(void *data, uint64_t va)
{
	const struct debugger *d = data;

	return d->objects ? adbgd_objects_at(d->objects, va) : NULL;
}

static int begin(struct wavectl *w, struct debugger *d)
{
	struct amdgpudbg_info info = { 0 };
	struct adbgd_error error;
	uint64_t events;
	int status;

	if (adbg_session_get_info(w->session, &info))
		return fail(w, -ENODEV, "the GPU does not report its version");
	events = (ADBGD_PROCESS_EVENTS | FAULT_EVENTS | ADBGD_OBJECTS_EVENTS) & info.event_mask;
	/* Enable events before anything can stop. */
	status = hold_follow(w, events, 0);
	if (status)
		return status;
	if (adbgd_process_attach_session(w->session, w->pid, &d->process, &error))
		return debug_fail(w, &error);
	/* The shell reads the events after the command. */
	adbgd_process_set_interrupt(d->process, w->shell->signals);
	adbgd_process_set_code_callback(d->process, find_code, d);
	d->value_names = values_live_names(w->shell);
	adbgd_process_set_value_names(d->process, &d->value_names);
	w->shell->wants |= events;
	d->events = events;
	return WAVECTL_OK;
}

/*
 * What set the launch mode, and its number. NULL: not the debugger; *hint: the command that ends
 * it
 */
static const char *whose_launch(const struct wavectl *w, uint32_t *number, const char **hint)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;
	const struct adbgd_breakpoint_info *info;
	const struct adbgd_watchpoint *watchpoint;
	const struct adbgd_breakpoint *b;

	watchpoint = d ? adbgd_process_get_watchpoint(d->process, 0) : NULL;
	if (watchpoint) {
		*number = adbgd_watchpoint_get_info(watchpoint)->number;
		*hint = "watchpoint clear";
		return "watchpoint";
	}
	for (size_t i = 0; d && (b = adbgd_process_get_breakpoint(d->process, i)); i++) {
		info = adbgd_breakpoint_get_info(b);
		if (!(info->flags & (ADBGD_BREAKPOINT_STEPPED | ADBGD_BREAKPOINT_NO_ADDRESS)))
			continue;
		*number = info->number;
		*hint = "break clear";
		return "breakpoint";
	}
	return NULL;
}

bool debug_has_launch(const struct wavectl *w)
{
	const char *hint;
	uint32_t number;

	return whose_launch(w, &number, &hint);
}

int debug_refuse_launch(struct wavectl *w)
{
	const char *what, *hint;
	uint32_t number;

	what = whose_launch(w, &number, &hint);
	return !what ? WAVECTL_OK :
	       fail_with(w, WAVECTL_BUSY, hint, "%s %u has set the launch mode", what, number);
}

int debug_claim_launch(struct wavectl *w)
{
	const struct amdgpudbg_launch_set *launch = &w->shell->launch;

	return !launch->mode && !launch->flags ? WAVECTL_OK :
	       fail_with(w, WAVECTL_BUSY, "launch set --off", "\"launch set\" is active");
}

void debug_launch_normally(const struct wavectl *w)
{
	struct debugger *d = w->shell ? w->shell->debugger : NULL;

	/* Errors recur in the call that follows, and are reported there. */
	if (!d)
		return;
	if (d->looks && !adbgd_process_set_start_callback(d->process, NULL, NULL, NULL))
		d->looks = false;
	ignore_result(adbgd_process_stop_at_start(d->process, false, NULL));
}

void debug_begin_halt(const struct debugger *d)
{
	/* An error recurs in the halt that follows, and is reported there. */
	ignore_result(adbgd_process_notify_halt_begin(d->process, NULL));
}

void debug_end_halt(const struct debugger *d)
{
	ignore_result(adbgd_process_notify_halt_end(d->process, NULL));
}

void debug_keep_halted(const struct debugger *d,
		       bool (*wants)(void *data, const struct amdgpudbg_wave *wave), void *data)
{
	/* An error recurs at the next list of waves. */
	ignore_result(adbgd_process_keep_halted(d->process, wants, data, NULL));
}

/* Print how the command is given to a shell. */
static int fail_without_shell(struct wavectl *w)
{
	char *line = cmdline_as_line(w, w->cmdline), *hint = NULL;
	int status;

	if (w->pid)
		xappend(&hint, "wavectl --pid %d -e", w->pid);
	else
		xappend(&hint, "wavectl --pid PID -e");
	split_quote(&hint, line);
	status = fail_with(w, WAVECTL_USAGE, hint,
			   "this command is only available in a shell or batch");
	free(hint);
	free(line);
	return status;
}

/* Can the shell have a debugger? */
static int check_shell(struct wavectl *w)
{
	if (!w->shell)
		return fail_without_shell(w);
	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "the shell or batch must be started with --pid");
	return WAVECTL_OK;
}

int debug_open(struct wavectl *w)
{
	struct debugger *d;
	int status = check_shell(w);

	if (status || w->shell->debugger)
		return status;
	if (w->shell->handler != HANDLER_NONE)
		return fail_with(w, WAVECTL_BUSY, "trap install --off",
				 "breakpoints need their own trap handler, but another one is installed");
	d = xcalloc(1, sizeof(*d));
	status = begin(w, d);
	if (status)
		free(d);
	else
		w->shell->debugger = d;
	return status;
}

int debug_open_target(struct wavectl *w)
{
	int status = check_shell(w);

	if (!status)
		status = open_target(w);
	return status ? status : debug_open(w);
}

int debug_open_reader(struct wavectl *w)
{
	int status = check_shell(w);

	if (!status)
		status = open_target(w);
	if (status || w->shell->handler != HANDLER_NONE)
		return status;
	return debug_open(w);
}

void debug_get_memory(const struct debugger *d, struct adbgd_memory *memory)
{
	if (d->memory.read)
		*memory = d->memory;
	else
		adbgd_process_get_memory(d->process, memory);
}

const char *debug_gpu(const struct wavectl *w)
{
	const char *gpu = adbg_gpu_name(adbg_session_get_gc_version(w->session));

	return gpu ? gpu : "?";
}

struct adbgd_breakpoint *debug_breakpoint(const struct debugger *d, uint64_t number)
{
	struct adbgd_breakpoint *b;
	size_t i = 0;

	do {
		b = adbgd_process_get_breakpoint(d->process, i++);
	} while (b && adbgd_breakpoint_get_info(b)->number != number);
	return b;
}

int debug_find_breakpoint(struct wavectl *w, uint64_t number, struct adbgd_breakpoint **found)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	*found = d ? debug_breakpoint(d, number) : NULL;
	if (*found)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_GONE, NULL, "there is no breakpoint %llu",
			 (unsigned long long)number);
}

/* Get the number of the breakpoint at which a wave is; 0: none. */
static uint32_t breakpoint_of(const struct debugger *d, const struct amdgpudbg_wave *wave)
{
	const struct adbgd_breakpoint_info *info;
	const struct adbgd_breakpoint *b;
	uint64_t pc;

	if (!d || d->memory.read || !(wave->flags & AMDGPUDBG_WAVE_HALTED))
		return 0;
	pc = adbgd_wave_get_pc(d->process, wave);
	for (size_t i = 0; (b = adbgd_process_get_breakpoint(d->process, i)); i++) {
		info = adbgd_breakpoint_get_info(b);
		if (info->address == pc)
			return info->number;
	}
	return 0;
}

char *debug_why(const struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;
	uint32_t number = breakpoint_of(d, wave);
	char *why = NULL;

	if (!number)
		return wave_why(wave, adbg_session_get_gc_version(w->session));
	xappend(&why, "breakpoint %u", number);
	return why;
}

int debug_refuse(struct wavectl *w)
{
	if (!w->shell || !w->shell->debugger)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_BUSY, "use another shell, or end this session first",
			 "the breakpoints of this session use its trap handler");
}

void debug_note_unloaded(struct debugger *d, const struct adbgd_span *text)
{
	const struct adbgd_breakpoint *b;

	for (size_t i = 0; i < d->num_places; i++) {
		b = debug_breakpoint(d, d->places[i].breakpoint);
		if (b && adbgd_breakpoint_get_info(b)->address - text->start < text->size)
			d->places[i].is_unloaded = true;
	}
}

void debug_drop_news(struct debugger *d)
{
	for (size_t i = 0; i < d->num_news; i++)
		free(d->news[i].name);
	d->num_news = 0;
}

void debug_free_place(struct break_place *place)
{
	free((char *)place->wanted.word);
	free((char *)place->wanted.condition);
	free(place->why);
}

void debug_drop_places(struct debugger *d)
{
	for (size_t i = 0; i < d->num_places; i++)
		debug_free_place(&d->places[i]);
	free(d->places);
	d->places = NULL;
	d->num_places = 0;
}

void debug_close(struct shell_session *shell)
{
	struct debugger *d = shell->debugger;

	if (!d)
		return;
	if (adbgd_process_detach(d->process))
		warn("not all changes made for breakpoints could be undone; the rest is undone when the session ends");
	adbgd_objects_free(d->objects);
	debug_drop_news(d);
	free(d->news);
	stop_actions_free(&d->stop_actions);
	debug_drop_places(d);
	free(d->directory);
	free(d->listed);
	free(d->faults);
	free(d);
	shell->debugger = NULL;
	shell->wants = HOLD_ENDS;
}

bool debug_handle_event(struct wavectl *w, const struct amdgpudbg_event *ev,
			struct adbgd_stop *stop, bool *is_reported)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error = { .error = 0 };
	int ret;

	/* The library may show new waves, for which code objects are looked for. */
	if (d->objects)
		adbgd_objects_handle_event(d->objects, ev);
	d->caller = w;
	ret = adbgd_process_handle_event(d->process, ev, stop, &error);
	if (ret && ret != -EAGAIN)
		debug_fail(w, &error);
	*is_reported = hold_end_reason(ev) || ev->type == AMDGPUDBG_EVENT_LOST || !ret;
	/* Events that end all stops have messages of their own. */
	return !ret && !hold_end_reason(ev);
}

int debug_poll_timeout(const struct shell_session *shell)
{
	const struct debugger *d = shell->debugger;

	return d ? adbgd_process_get_poll_timeout(d->process) : -1;
}

bool debug_poll_stop(struct wavectl *w, struct adbgd_stop *stop)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	int ret;

	d->caller = w;
	ret = adbgd_process_handle_timeout(d->process, stop, &error);
	if (ret && ret != -EAGAIN)
		debug_fail(w, &error);
	return !ret;
}

void debug_step(struct wavectl *w, struct amdgpudbg_batch_op *op)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	struct adbgd_stop stop;

	w->shell->moves++;
	op->error = adbgd_wave_step(d->process, &op->control.at, &stop, &error);
	if (op->error)
		return;
	op->control.matched = 1;
	op->control.changed = stop.reason != ADBGD_STOP_WAVE_END;
	op->control.new_pc = stop.pc;
}
