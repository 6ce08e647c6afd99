// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many commands in one session: see shell_session.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/short.h"
#include "base/split.h"
#include "base/util.h"
#include "debug/break_place.h"
#include "debug/code.h"
#include "debug/debug.h"
#include "debug/focus.h"
#include "debug/run.h"
#include "debug/values.h"
#include "shell/apply.h"
#include "shell/shell_session.h"
#include "waves/fault.h"
#include "waves/hold.h"
#include "waves/stop.h"

/* Get the initial state of a command. */
static struct wavectl command_of(struct shell_loop *loop, const char *where)
{
	const struct wavectl *opener = loop->opener;

	return (struct wavectl){
		.commands = opener->commands,
		.dispatch = opener->dispatch,
		.json = opener->json,
		.dry_run = opener->dry_run,
		.verbose = opener->verbose,
		.pid = loop->shell.pid,
		.client = loop->shell.client,
		.emit = loop->emit,
		.session = loop->shell.session,
		.shell = &loop->shell,
		.where = where,
		.stopped = loop->stopped,
		.display = loop->display,
	};
}

/* Enable the events that the shell needs, and no longer those of a command. */
static int listen_again(struct shell_loop *loop, struct wavectl *w)
{
	struct shell_session *d = &loop->shell;
	int ret;

	/* The events of a GPU that was not selected are not for this shell. */
	if (d->is_undecided)
		loop->events_over = true;
	if (d->has_new_target)
		loop->events_over = false;
	d->has_new_target = false;
	if (loop->events_over || d->listening == d->wants)
		return WAVECTL_OK;
	ret = hold_events(w, 0, 0);
	/*
	 * A caller without access to events cannot halt anything either; that call reports the
	 * error.
	 */
	if (ret == -EPERM || ret == -ENOTCONN || ret == -ENODEV) {
		loop->events_over = true;
		return WAVECTL_OK;
	}
	return ret ? fail(w, ret, "cannot follow events") : WAVECTL_OK;
}

int shell_session_begin(struct shell_loop *loop, struct wavectl *w)
{
	struct hold hold;
	int ret;

	*loop = (struct shell_loop){
		.shell = {
			.session = w->session, .pid = w->pid,
			.client = w->client, .wants = HOLD_ENDS,
			.directory = w->directory, .debug_dirs = &w->debug_dirs, .signals = -1,
			.is_undecided = w->is_undecided,
		},
		.opener = w,
		.emit = w->emit,
	};
	ret = hold_prepare(&hold);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");
	loop->shell.signals = hold.signals;
	adbg_session_set_interrupt(w->session, hold.signals);
	/* If the output cannot be written, waves must still be resumed. */
	signal(SIGPIPE, SIG_IGN);
	w->shell = &loop->shell;
	ret = listen_again(loop, w);
	if (!ret)
		ret = code_add_files(w);
	w->shell = NULL;
	return ret;
}

static void drop_collected(struct shell_loop *loop)
{
	for (size_t i = 0; i < loop->collected.num_lines; i++)
		free(loop->collected.lines[i]);
	free(loop->collected.lines);
	free(loop->collected.breakpoints);
	memset(&loop->collected, 0, sizeof(loop->collected));
}

void shell_session_end(struct shell_loop *loop)
{
	drop_collected(loop);
	values_free(&loop->shell);
	debug_close(&loop->shell);
	if (loop->shell.signals >= 0) {
		adbg_session_set_interrupt(loop->shell.session, -1);
		close(loop->shell.signals);
	}
	free(loop->shell.kept);
	free(loop->shell.patches);
	stops_free(&loop->stops);
}

/* Add the exit status of the process that "run" started. */
static void emit_exit(struct wavectl *w, int status)
{
	char *why = NULL;

	emit_uint(w->emit, "pid", w->shell->pid);
	if (WIFSIGNALED(status)) {
		emit_uint(w->emit, "signal", WTERMSIG(status));
		xappend(&why, "process %d was terminated by signal %d (%s)", w->shell->pid,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else {
		values_set_int(w->shell, "_exitcode", WEXITSTATUS(status));
		emit_uint(w->emit, "status", WEXITSTATUS(status));
		xappend(&why, "process %d exited with status %d", w->shell->pid,
			WEXITSTATUS(status));
	}
	emit_str(w->emit, "why", why);
	free(why);
}

static int emit_event(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *type = adbg_event_type_name(ev->type);
	struct shell_session *d = w->shell;
	int status;

	emit_begin_live(w->emit);
	emit_str(w->emit, "type", type ? type : "unknown");
	if (ev->type == AMDGPUDBG_EVENT_TARGET_GONE && d->child == d->pid &&
	    run_has_ended(d, &status))
		emit_exit(w, status);
	else
		emit_str(w->emit, "why", hold_end_reason(ev));
	emit_say(w->emit, "{type}: {why}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Does the event change the subject of the rest of a batch? */
static bool ends_batch(const struct amdgpudbg_event *ev)
{
	return HOLD_ENDS >> ev->type & 1;
}

static void note(struct shell_loop *loop, int status)
{
	if (!loop->status)
		loop->status = status;
}

/*
 * Report files of the user that were loaded or unloaded, and breakpoints in loaded code. Returns
 * true if there was one.
 */
static bool report_code(struct shell_loop *loop)
{
	struct wavectl w = command_of(loop, NULL);
	struct debugger *d = loop->shell.debugger;

	if (!d || hold_interrupted())
		return false;
	code_update(d);
	break_place_update(&w);
	if (!d->num_news && !break_place_has_news(d))
		return false;
	if (loop->make_room)
		loop->make_room();
	loop->ended |= code_report(&w) || break_place_report(&w);
	return true;
}

/* Report the stops that were collected. */
static void report_stops(struct shell_loop *loop)
{
	struct wavectl w = command_of(loop, NULL);
	int status;

	if (!loop->stops.num)
		return;
	/* A wave can be in code that was loaded without an event. */
	for (size_t i = 0; i < loop->stops.num && !hold_interrupted(); i++)
		code_look_at(loop->shell.debugger, loop->stops.list[i].pc);
	report_code(loop);
	if (loop->make_room)
		loop->make_room();
	status = stops_say(&w, &loop->stops);
	loop->ended |= status;
	note(loop, status);
}

/* Forget what the module has already undone. */
static void drop_lost(struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	struct shell_session *d = &loop->shell;
	struct wavectl w = command_of(loop, NULL);

	if (ev->type == AMDGPUDBG_EVENT_HANDLER_LOST) {
		if (d->handler != HANDLER_NONE)
			ignore_result(stop_clear_handler(&w));
		/* Everything else is still set. */
		if (ev->data == AMDGPUDBG_HANDLER_LOST_REWRITTEN)
			return;
		d->watches = 0;
	} else if (ev->type != AMDGPUDBG_EVENT_HALT_EXPIRED && ev->type != AMDGPUDBG_EVENT_SLEEP) {
		return;
	}
	d->launch = (struct amdgpudbg_launch_set){ 0 };
}

static void report_event(struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	struct wavectl w = command_of(loop, NULL);
	int status;

	report_stops(loop);
	if (loop->make_room)
		loop->make_room();
	drop_lost(loop, ev);
	loop->shell.has_exited |= ev->type == AMDGPUDBG_EVENT_TARGET_GONE;
	status = hold_end_reason(ev) ? emit_event(&w, ev) : stop_say(&w, ev);
	if (status)
		loop->ended = true;
	else if (ends_batch(ev))
		status = WAVECTL_ENDED;
	note(loop, status);
}

/* Is the event to be reported? Events of a command that was interrupted are not. */
static bool is_wanted(const struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	switch (ev->type) {
	case AMDGPUDBG_EVENT_LOST:
	case AMDGPUDBG_EVENT_TARGET_GONE:
	case AMDGPUDBG_EVENT_GPU_GONE:
		return true;
	case AMDGPUDBG_EVENT_HANDLER_LOST:
		/* The reset is reported by an event of its own. */
		if (ev->data == AMDGPUDBG_HANDLER_LOST_RESET)
			return false;
		return loop->shell.wants >> ev->type & 1;
	default:
		return loop->shell.wants >> ev->type & 1;
	}
}

static void report_stop(struct shell_loop *loop, const struct adbgd_stop *stop)
{
	bool is_exec = stop->reason == ADBGD_STOP_EXEC;
	/* The library has the reason of the last one only. */
	bool is_alone = is_exec || stop->flags & ADBGD_STOP_UNDECIDED;

	if (is_alone)
		report_stops(loop);
	stops_add(&loop->stops, stop);
	if (!is_alone)
		return;
	report_stops(loop);
	/* The rest of a batch would be about another program. */
	if (is_exec && !loop->ended)
		note(loop, WAVECTL_ENDED);
}

/* The debugger handles every event, and decides which ones are stops. */
static bool report_debugged(struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	struct wavectl w = command_of(loop, NULL);
	struct adbgd_stop stop;
	bool is_reported;

	if (debug_handle_event(&w, ev, &stop, &is_reported)) {
		report_stop(loop, &stop);
		return true;
	}
	if (is_reported)
		report_event(loop, ev);
	return is_reported;
}

/* Report stops for which there is no event. */
static bool report_pending(struct shell_loop *loop)
{
	struct wavectl w = command_of(loop, NULL);
	struct adbgd_stop stop;
	bool reported = false;

	while (debug_poll_timeout(&loop->shell) >= 0 && debug_poll_stop(&w, &stop)) {
		report_stop(loop, &stop);
		reported = true;
	}
	report_stops(loop);
	return reported;
}

static void report_fault(struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	struct wavectl w = command_of(loop, NULL);

	if (loop->make_room)
		loop->make_room();
	w.pid = loop->shell.pid;
	fault_keep(&loop->shell, ev);
	loop->ended |= fault_say(&w, ev);
}

/* Report an event, if it is one of those that the shell reports. Returns true if so. */
static bool report_wanted(struct shell_loop *loop, const struct amdgpudbg_event *ev)
{
	if (!is_wanted(loop, ev))
		return false;
	if (ev->type == AMDGPUDBG_EVENT_VM_FAULT) {
		report_fault(loop, ev);
		return true;
	}
	if (loop->shell.debugger)
		return report_debugged(loop, ev);
	report_event(loop, ev);
	return true;
}

static bool report_kept(struct shell_loop *loop)
{
	struct shell_session *d = &loop->shell;
	bool reported = false;

	/* While one is handled, more may be kept, and all of them moved. */
	for (size_t i = 0; i < d->num_kept; i++) {
		struct amdgpudbg_event ev = d->kept[i];

		reported |= report_wanted(loop, &ev);
	}
	d->num_kept = 0;
	return reported;
}

/* Is the wave still halted? Select it. *@pc: where it is */
static bool select_stopped(struct shell_loop *loop, const struct stop_due *due, uint64_t *pc)
{
	struct wavectl w = command_of(loop, NULL);
	struct debugger *d = loop->shell.debugger;
	struct focus focus;
	bool is;

	d->wave = due->at;
	d->has_wave = true;
	is = focus_try(&w, &focus);
	*pc = focus.pc;
	focus_close(&focus);
	return is;
}

/*
 * Is the wave still at its stop? The commands of another wave may have resumed it, and by now it
 * may have stopped elsewhere.
 */
static bool is_where_it_stopped(struct shell_loop *loop, const struct stop_due *due)
{
	uint64_t pc;

	return select_stopped(loop, due, &pc) && pc == due->pc;
}

/*
 * Execute the commands of a breakpoint. They may change them, so that a copy is used. They end
 * after an error, and when the wave runs.
 */
static void run_commands(struct shell_loop *loop, const struct stop_due *due)
{
	const struct debugger *d = loop->shell.debugger;
	const struct stop_commands *c = stop_actions_commands(&d->stop_actions, due->breakpoint);
	size_t num = c ? c->num_lines : 0;
	char **lines = xcalloc(num + 1, sizeof(*lines)), *where = NULL;
	int status = WAVECTL_OK;
	uint64_t pc;

	for (size_t i = 0; i < num; i++)
		lines[i] = xstrdup(c->lines[i]);
	xappend(&where, "commands of breakpoint %u", due->breakpoint);
	loop->stopped = &due->at;
	for (size_t i = 0; i < num && !status && !loop->ended && loop->shell.debugger &&
	     !hold_interrupted() && select_stopped(loop, due, &pc); i++)
		status = shell_session_line(loop, lines[i], where, 0);
	if (!status)
		shell_session_end_lines(loop, where);
	loop->stopped = NULL;
	for (size_t i = 0; i < num; i++)
		free(lines[i]);
	free(lines);
	free(where);
}

/* An expression without a value at this stop does not end a batch. The line may remove it. */
static void show_display(struct shell_loop *loop, const struct stop_display *display)
{
	char *line = xstrdup(display->line), *where = NULL;
	int before = loop->status;

	xappend(&where, "display %u", display->number);
	/* The results of "print" have the number, those of "x" are a table. */
	if (*line == 'x') {
		emit_begin_live(loop->emit);
		emit_uint(loop->emit, "display", display->number);
		emit_str(loop->emit, "expression", display->text);
		emit_say(loop->emit, "{display}: {expression}");
		emit_end(loop->emit);
	}
	loop->display = display->number;
	shell_session_line(loop, line, where, 0);
	loop->display = 0;
	loop->status = before;
	free(where);
	free(line);
}

static void show_due(struct shell_loop *loop)
{
	struct stop_actions *s = &loop->shell.debugger->stop_actions;
	struct wavectl w = command_of(loop, NULL);
	struct focus focus;
	bool is_halted = focus_try(&w, &focus) || focus_select(&w, &focus);

	focus_close(&focus);
	for (size_t i = 0; i < s->num_displays; i++) {
		bool is_due = s->displays[i].is_due;

		s->displays[i].is_due = false;
		if (is_due && is_halted)
			show_display(loop, &s->displays[i]);
	}
}

/* Is any expression to be printed? Otherwise the wave is not looked at. */
static bool is_display_due(const struct stop_actions *s)
{
	for (size_t i = 0; i < s->num_displays; i++)
		if (s->displays[i].is_due)
			return true;
	return false;
}

void shell_session_run_due(struct shell_loop *loop)
{
	struct debugger *d = loop->shell.debugger;
	struct amdgpudbg_wave_coord before;
	struct stop_due due;

	if (!d || loop->is_at_stop || loop->collected.num_breakpoints)
		return;
	loop->is_at_stop = true;
	while (loop->shell.debugger == d && !loop->ended && !hold_interrupted() &&
	       stop_actions_take(&d->stop_actions, &due)) {
		before = d->wave;
		if (loop->make_room)
			loop->make_room();
		loop->ran_commands = true;
		if (is_where_it_stopped(loop, &due))
			run_commands(loop, &due);
		if (loop->shell.debugger == d && !memcmp(&d->wave, &due.at, sizeof(due.at)))
			d->wave = before;
	}
	if (loop->shell.debugger == d && !loop->ended && is_display_due(&d->stop_actions))
		show_due(loop);
	loop->is_at_stop = false;
}

/*
 * Is there another event? Others of the waves that have stopped may follow within a short time, so
 * that they can be reported together.
 */
static bool has_event_soon(const struct shell_loop *loop)
{
	struct pollfd fd = {
		.fd = adbg_session_get_fd(loop->shell.session), .events = POLLIN,
	};

	return loop->stops.num && !loop->opener->json &&
	       poll(&fd, 1, STOPS_TOGETHER_MS) == 1 && fd.revents & POLLIN;
}

bool shell_session_report(struct shell_loop *loop)
{
	struct event_portion portion = { 0 };
	struct amdgpudbg_event ev = { 0 };
	struct shell_session *d = &loop->shell;
	bool reported = report_kept(loop);
	int ret;

	/*
	 * The program that "run" started may be a script that started the debugged process; wait
	 * for it, too.
	 */
	if (d->child != d->pid)
		run_has_ended(d, &ret);
	loop->events_left = false;
	while (!loop->events_over) {
		loop->events_left = !event_portion_take(&portion) || hold_interrupted();
		if (loop->events_left)
			break;
		ret = adbg_event_next(loop->shell.session, &ev, 0);
		if (ret == -EAGAIN && has_event_soon(loop))
			continue;
		if (ret == -EAGAIN || ret == -EINTR)
			break;
		if (ret)
			loop->events_over = true;
		else
			reported |= report_wanted(loop, &ev);
	}
	reported |= report_code(loop);
	report_stops(loop);
	shell_session_run_due(loop);
	return reported;
}

/* Handle the signals that have arrived. SHELL_INPUT: there is none */
static enum shell_session_wait take_signals(struct shell_loop *loop)
{
	unsigned int what = hold_take_signals();

	if (what & HOLD_SIGNAL_END) {
		loop->ended = true;
		return SHELL_ENDED;
	}
	if (what & HOLD_SIGNAL_INTERRUPT) {
		loop->interrupted = true;
		return SHELL_INTERRUPTED;
	}
	return SHELL_INPUT;
}

enum shell_session_wait shell_session_wait(struct shell_loop *loop, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = loop->shell.signals, .events = POLLIN },
		{ .events = POLLIN },
	};
	bool has_input = false;
	int ret;

	for (;;) {
		if (hold_interrupted())
			return take_signals(loop);
		/* Commands that resume waves can lead to one stop after the other for ever. */
		if ((loop->events_left || loop->ran_commands) && poll(fds, 1, 0) == 1) {
			loop->ran_commands = false;
			return SHELL_INPUT;
		}
		/* The library may have events that poll() does not show. */
		if (shell_session_report(loop))
			return loop->ended ? SHELL_ENDED : SHELL_REPORTED;
		/* The events that were there before the input are handled. */
		if (has_input)
			return SHELL_INPUT;

		fds[2].fd = loop->events_over ? -1 :
			    adbg_session_get_fd(loop->shell.session);
		ret = poll(fds, ARRAY_SIZE(fds),
			   loop->events_left ? 0 : debug_poll_timeout(&loop->shell));
		if (ret < 0 && errno != EINTR)
			return SHELL_ENDED;
		if (!ret && report_pending(loop)) {
			shell_session_run_due(loop);
			return loop->ended ? SHELL_ENDED : SHELL_REPORTED;
		}
		if (ret <= 0)
			continue;
		if (fds[1].revents)
			return take_signals(loop);
		has_input = fds[0].revents;
		if (has_input && !fds[2].revents)
			return SHELL_INPUT;
	}
}

/* End the JSON object of a command, by which a program finds its results. */
static int emit_results(struct shell_loop *loop, const char *line,
			unsigned int number, int status)
{
	emit_begin_live(loop->emit);
	emit_uint(loop->emit, "line", number);
	emit_str(loop->emit, "command", line);
	emit_uint(loop->emit, "exit_status", status);
	emit_gathered(loop->emit, "results");
	return emit_end(loop->emit) && !status ? WAVECTL_FAILED : status;
}

static int run_words(struct shell_loop *loop, struct wavectl *w, const struct split *split)
{
	char **argv = xcalloc(split->num_words + 2, sizeof(*argv));
	int status;

	argv[0] = (char *)"wavectl";
	memcpy(argv + 1, split->words, split->num_words * sizeof(*argv));
	w->split = split;
	status = w->dispatch(w, split->num_words + 1, argv);
	w->split = NULL;
	free(argv);
	/* A session of the command alone, see open_own_target(), ends with it. */
	if (w->session != loop->shell.session) {
		adbg_session_close(w->session);
		w->session = loop->shell.session;
		w->shell = &loop->shell;
	}
	/* A signal that has arrived has only ended the command. */
	take_signals(loop);
	return listen_again(loop, w) ?: status;
}

static bool is_quit(const struct shell_loop *loop, struct split *split)
{
	const char *word;
	char *names;

	if (split->num_words != 1)
		return false;
	word = short_noun(loop->opener, split->words[0], &names);
	free(names);
	return word && !strcmp(word, "quit");
}

/* A line that "thread apply" executes */
struct applied {
	struct shell_loop *loop;
	const char *where;
};

static int run_applied(void *data, const char *line)
{
	struct applied *a = data;
	int before = a->loop->status, status;

	a->loop->num_nested++;
	status = shell_session_line(a->loop, line, a->where, 0);
	a->loop->num_nested--;
	a->loop->status = before;
	return status;
}

static int run_split(struct shell_loop *loop, const char *line, const char *where,
		     struct split *split, const char *wrong)
{
	struct wavectl w = command_of(loop, where);
	bool json = w.json;
	int status;

	/* --json of one command does not apply to the next. */
	if (!json)
		w.emit = emit_new(false);
	if (wrong)
		status = fail_with(&w, WAVECTL_USAGE, NULL, "%s: %s", line,
				   wrong);
	else if (apply_is_typed(&w, split))
		status = apply_run(&w, split, run_applied,
				   &(struct applied){ .loop = loop, .where = where });
	else
		status = run_words(loop, &w, split);
	if (!json)
		emit_free(w.emit);
	return status;
}

/* Is the first word this one, or an abbreviation of it? */
static bool begins_with(const struct shell_loop *loop, const struct split *split,
			const char *command)
{
	const char *word;
	char *names;

	if (!split->num_words)
		return false;
	word = short_noun(loop->opener, split->words[0], &names);
	free(names);
	return word && !strcmp(word, command);
}

/* Give the collected lines to their breakpoints, of which some may be cleared by now. */
static void end_commands(struct shell_loop *loop)
{
	struct debugger *d = loop->shell.debugger;

	for (size_t i = 0; d && i < loop->collected.num_breakpoints; i++) {
		size_t num = loop->collected.num_lines;
		char **lines = xcalloc(num + 1, sizeof(*lines));

		for (size_t k = 0; k < num; k++)
			lines[k] = xstrdup(loop->collected.lines[k]);
		stop_actions_set_commands(&d->stop_actions, loop->collected.breakpoints[i],
					  loop->collected.is_silent, lines, num);
	}
	drop_collected(loop);
}

/* Take a line after "commands". */
static void collect(struct shell_loop *loop, const char *line, const struct split *split)
{
	bool is_end = split->num_words == 1 && !strcmp(split->words[0], "end");

	if (!split->num_words)
		return;
	if (is_end && !loop->collected.depth) {
		end_commands(loop);
		return;
	}
	if (!loop->collected.num_lines && split->num_words == 1 &&
	    !strcmp(split->words[0], "silent")) {
		loop->collected.is_silent = true;
		return;
	}
	if (is_end)
		loop->collected.depth--;
	else if (begins_with(loop, split, "commands"))
		loop->collected.depth++;
	loop->collected.lines = xreallocarray(loop->collected.lines,
					      loop->collected.num_lines + 1,
					      sizeof(*loop->collected.lines));
	loop->collected.lines[loop->collected.num_lines++] = xstrdup(line);
}

int shell_session_end_lines(struct shell_loop *loop, const char *where)
{
	struct wavectl w = command_of(loop, where);
	int status;

	if (!loop->collected.num_breakpoints)
		return WAVECTL_OK;
	drop_collected(loop);
	status = fail_with(&w, WAVECTL_USAGE, NULL, "\"end\" is missing after \"commands\"");
	note(loop, status);
	return status;
}

int shell_session_line(struct shell_loop *loop, const char *line, const char *where,
		       unsigned int number)
{
	struct wavectl w = command_of(loop, where);
	int status = WAVECTL_OK;
	struct split split;
	const char *wrong;

	wrong = split_line(line, &split);
	if (loop->collected.num_breakpoints) {
		collect(loop, line, &split);
	} else if (is_quit(loop, &split)) {
		loop->ended = true;
	} else if (split.num_words || wrong) {
		/* "source file" prints the results of the lines of its file as its own. */
		if (w.json && !loop->num_nested)
			emit_gather(loop->emit);
		status = run_split(loop, line, where, &split, wrong);
		if (w.json && !loop->num_nested)
			status = emit_results(loop, line, number, status);
		note(loop, status);
	}
	split_free(&split);
	return status;
}
