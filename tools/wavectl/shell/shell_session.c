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

#include "base/split.h"
#include "base/util.h"
#include "debug/code.h"
#include "debug/debug.h"
#include "debug/focus.h"
#include "debug/run.h"
#include "shell/shell_session.h"
#include "waves/hold.h"
#include "waves/stop.h"

/*
 * A program can have events come faster than they are read. After so many, signals and what
 * is typed have their turn.
 */
#define EVENTS_AT_ONCE	256

/* One command's, as far as it is the same for all. */
static struct wavectl command_of(struct talk *talk, const char *where)
{
	const struct wavectl *opener = talk->opener;

	return (struct wavectl){
		.commands = opener->commands,
		.dispatch = opener->dispatch,
		.json = opener->json,
		.dry_run = opener->dry_run,
		.verbose = opener->verbose,
		.pid = talk->dialogue.pid,
		.client = talk->dialogue.client,
		.emit = talk->emit,
		.session = talk->dialogue.session,
		.dialogue = &talk->dialogue,
		.where = where,
	};
}

/* Be told what the dialogue wants, and nothing that a command has wanted. */
static int listen_again(struct talk *talk, struct wavectl *w)
{
	struct shell_session *d = &talk->dialogue;
	int ret;

	if (d->has_new_target)
		talk->events_over = false;
	d->has_new_target = false;
	if (talk->events_over || d->listening == d->wants)
		return WAVECTL_OK;
	ret = hold_events(w, 0, 0);
	/* Who may not be told may hold nothing, and is told so when he tries. */
	if (ret == -EPERM || ret == -ENOTCONN || ret == -ENODEV) {
		talk->events_over = true;
		return WAVECTL_OK;
	}
	return ret ? fail(w, ret, "cannot follow events") : WAVECTL_OK;
}

int shell_session_begin(struct talk *talk, struct wavectl *w)
{
	struct hold hold;
	int ret;

	*talk = (struct talk){
		.dialogue = {
			.session = w->session, .pid = w->pid,
			.client = w->client, .wants = HOLD_ENDS,
			.directory = w->directory, .signals = -1,
		},
		.opener = w,
		.emit = w->emit,
	};
	ret = hold_prepare(&hold);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");
	talk->dialogue.signals = hold.signals;
	adbg_session_set_interrupt(w->session, hold.signals);
	/* An answer that nobody reads is no reason to leave waves halted. */
	signal(SIGPIPE, SIG_IGN);
	w->dialogue = &talk->dialogue;
	ret = listen_again(talk, w);
	if (!ret)
		ret = code_add_given(w);
	w->dialogue = NULL;
	return ret;
}

void shell_session_end(struct talk *talk)
{
	debug_close(&talk->dialogue);
	if (talk->dialogue.signals >= 0) {
		adbg_session_set_interrupt(talk->dialogue.session, -1);
		close(talk->dialogue.signals);
	}
	free(talk->dialogue.kept);
	free(talk->dialogue.patches);
}

/* The process that "run" has started, and its parent knows more. */
static void emit_exit(struct wavectl *w, int status)
{
	char *why = NULL;

	emit_uint(w->emit, "pid", w->dialogue->pid);
	if (WIFSIGNALED(status)) {
		emit_uint(w->emit, "signal", WTERMSIG(status));
		xappend(&why, "process %d was terminated by signal %d (%s)", w->dialogue->pid,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else {
		emit_uint(w->emit, "status", WEXITSTATUS(status));
		xappend(&why, "process %d exited with status %d", w->dialogue->pid,
			WEXITSTATUS(status));
	}
	emit_str(w->emit, "why", why);
	free(why);
}

static int emit_event(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *type = adbg_event_type_name(ev->type);
	struct shell_session *d = w->dialogue;
	int status;

	emit_begin_live(w->emit);
	emit_str(w->emit, "type", type ? type : "unknown");
	if (ev->type == AMDGPUDBG_EVENT_TARGET_GONE && d->child == d->pid &&
	    run_has_ended(d, &status))
		emit_exit(w, status);
	else
		emit_str(w->emit, "why", hold_why(ev));
	emit_say(w->emit, "{type}: {why}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Does what has happened make the rest of a batch be about something else? */
static bool ends_batch(const struct amdgpudbg_event *ev)
{
	return HOLD_ENDS >> ev->type & 1;
}

static void note(struct talk *talk, int status)
{
	if (!talk->status)
		talk->status = status;
}

/* What the kernel has taken back is not to be put back by us. */
static void forget_lost(struct talk *talk, const struct amdgpudbg_event *ev)
{
	struct shell_session *d = &talk->dialogue;
	struct wavectl w = command_of(talk, NULL);

	if (ev->type == AMDGPUDBG_EVENT_HANDLER_LOST) {
		if (d->handler != HANDLER_NONE)
			(void)!stop_clear_handler(&w);
		/* The rest is still there. */
		if (ev->data == AMDGPUDBG_HANDLER_LOST_REWRITTEN)
			return;
		d->watches = 0;
	} else if (ev->type != AMDGPUDBG_EVENT_HALT_EXPIRED && ev->type != AMDGPUDBG_EVENT_SLEEP) {
		return;
	}
	d->launch = (struct amdgpudbg_launch_set){ 0 };
}

static void tell_event(struct talk *talk, const struct amdgpudbg_event *ev)
{
	struct wavectl w = command_of(talk, NULL);
	int status;

	if (talk->make_room)
		talk->make_room();
	forget_lost(talk, ev);
	status = hold_why(ev) ? emit_event(&w, ev) : stop_say(&w, ev);
	if (status)
		talk->ended = true;
	else if (ends_batch(ev))
		status = WAVECTL_ENDED;
	note(talk, status);
}

/* Those of a command that was not waited for to its end are left out. */
static bool is_wanted(const struct talk *talk, const struct amdgpudbg_event *ev)
{
	switch (ev->type) {
	case AMDGPUDBG_EVENT_LOST:
	case AMDGPUDBG_EVENT_TARGET_GONE:
	case AMDGPUDBG_EVENT_GPU_GONE:
		return true;
	case AMDGPUDBG_EVENT_HANDLER_LOST:
		/* The reset is an event of its own. */
		if (ev->data == AMDGPUDBG_HANDLER_LOST_RESET)
			return false;
		return talk->dialogue.wants >> ev->type & 1;
	default:
		return talk->dialogue.wants >> ev->type & 1;
	}
}

static void tell_stop(struct talk *talk, struct wavectl *w, const struct adbgd_stop *stop)
{
	int status;

	if (talk->make_room)
		talk->make_room();
	status = focus_say_stop(w, stop);
	talk->ended |= status;
	/* The rest of a batch would be about something else. */
	if (!status && stop->reason == ADBGD_STOP_EXEC)
		status = WAVECTL_ENDED;
	note(talk, status);
}

/* The debugger learns of all that happens; where a wave stands is his to tell. */
static bool tell_debugged(struct talk *talk, const struct amdgpudbg_event *ev)
{
	struct wavectl w = command_of(talk, NULL);
	struct adbgd_stop stop;
	bool is_told;

	if (debug_take(&w, ev, &stop, &is_told)) {
		tell_stop(talk, &w, &stop);
		return true;
	}
	if (is_told)
		tell_event(talk, ev);
	return is_told;
}

/* What no event tells of */
static bool tell_others(struct talk *talk)
{
	struct wavectl w = command_of(talk, NULL);
	struct adbgd_stop stop;
	bool told = false;

	while (debug_timeout(&talk->dialogue) >= 0 && debug_look(&w, &stop)) {
		tell_stop(talk, &w, &stop);
		told = true;
	}
	return told;
}

/* Is it one that is told? */
static bool tell_wanted(struct talk *talk, const struct amdgpudbg_event *ev)
{
	if (!is_wanted(talk, ev))
		return false;
	if (talk->dialogue.debugger)
		return tell_debugged(talk, ev);
	tell_event(talk, ev);
	return true;
}

static bool tell_kept(struct talk *talk)
{
	struct shell_session *d = &talk->dialogue;
	bool told = false;

	for (size_t i = 0; i < d->num_kept; i++)
		told |= tell_wanted(talk, &d->kept[i]);
	d->num_kept = 0;
	return told;
}

bool shell_session_tell(struct talk *talk)
{
	struct amdgpudbg_event ev = { 0 };
	struct shell_session *d = &talk->dialogue;
	bool told = tell_kept(talk);
	int ret;

	/* A shell, say, that has started what is debugged, needs somebody to wait for it. */
	if (d->child != d->pid)
		run_has_ended(d, &ret);
	talk->events_left = false;
	for (unsigned int i = 0; !talk->events_over; i++) {
		talk->events_left = i == EVENTS_AT_ONCE || hold_interrupted();
		if (talk->events_left)
			break;
		ret = adbg_event_next(talk->dialogue.session, &ev, 0);
		if (ret == -EAGAIN || ret == -EINTR)
			break;
		if (ret)
			talk->events_over = true;
		else
			told |= tell_wanted(talk, &ev);
	}
	return told;
}

/* Those that have come. TALK_INPUT: none that matters */
static enum shell_session_wait take_signals(struct talk *talk)
{
	unsigned int what = hold_take_signals();

	if (what & HOLD_SIGNAL_END) {
		talk->ended = true;
		return TALK_ENDED;
	}
	if (what & HOLD_SIGNAL_INTERRUPT) {
		talk->interrupted = true;
		return TALK_INTERRUPTED;
	}
	return TALK_INPUT;
}

enum shell_session_wait shell_session_wait(struct talk *talk, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = talk->dialogue.signals, .events = POLLIN },
		{ .events = POLLIN },
	};
	int ret;

	for (;;) {
		if (hold_interrupted())
			return take_signals(talk);
		if (talk->events_left && poll(fds, 1, 0) == 1)
			return TALK_INPUT;
		/* The library may have some that poll() does not know of. */
		if (shell_session_tell(talk))
			return talk->ended ? TALK_ENDED : TALK_TOLD;

		fds[2].fd = talk->events_over ? -1 :
			    adbg_session_get_fd(talk->dialogue.session);
		ret = poll(fds, ARRAY_SIZE(fds),
			   talk->events_left ? 0 : debug_timeout(&talk->dialogue));
		if (ret < 0 && errno != EINTR)
			return TALK_ENDED;
		if (!ret && tell_others(talk))
			return talk->ended ? TALK_ENDED : TALK_TOLD;
		if (ret <= 0)
			continue;
		if (fds[1].revents)
			return take_signals(talk);
		if (fds[0].revents && !fds[2].revents)
			return TALK_INPUT;
	}
}

/* What a program that reads JSON finds a command's results by. */
static int emit_results(struct talk *talk, const char *line,
			unsigned int number, int status)
{
	emit_begin_live(talk->emit);
	emit_uint(talk->emit, "line", number);
	emit_str(talk->emit, "command", line);
	emit_uint(talk->emit, "exit_status", status);
	emit_gathered(talk->emit, "results");
	return emit_end(talk->emit) && !status ? WAVECTL_FAILED : status;
}

static int run_words(struct talk *talk, struct wavectl *w, char **words,
		     int num_words)
{
	char **argv = xcalloc(num_words + 2, sizeof(*argv));
	int status;

	argv[0] = (char *)"wavectl";
	memcpy(argv + 1, words, num_words * sizeof(*argv));
	status = w->dispatch(w, num_words + 1, argv);
	free(argv);
	/* A session of its own, see open_own_target(), ends with it. */
	if (w->session != talk->dialogue.session) {
		adbg_session_close(w->session);
		w->session = talk->dialogue.session;
		w->dialogue = &talk->dialogue;
	}
	/* What a signal has ended was the command. */
	take_signals(talk);
	return listen_again(talk, w) ?: status;
}

static bool is_quit(struct split *split)
{
	return split->num_words == 1 && !strcmp(split->words[0], "quit");
}

static int run_split(struct talk *talk, const char *line, const char *where,
		     struct split *split, const char *wrong)
{
	struct wavectl w = command_of(talk, where);
	bool json = w.json;
	int status;

	/* -j of one command alone must not stay. */
	if (!json)
		w.emit = emit_new(false);
	if (wrong)
		status = fail_with(&w, WAVECTL_USAGE, NULL, "%s: %s", line,
				   wrong);
	else
		status = run_words(talk, &w, split->words, split->num_words);
	if (!json)
		emit_free(w.emit);
	return status;
}

int shell_session_line(struct talk *talk, const char *line, const char *where,
		       unsigned int number)
{
	struct wavectl w = command_of(talk, where);
	int status = WAVECTL_OK;
	struct split split;
	const char *wrong;

	wrong = split_line(line, &split);
	if (is_quit(&split)) {
		talk->ended = true;
	} else if (split.num_words || wrong) {
		if (w.json)
			emit_gather(talk->emit);
		status = run_split(talk, line, where, &split, wrong);
		if (w.json)
			status = emit_results(talk, line, number, status);
		note(talk, status);
	}
	split_free(&split);
	return status;
}
