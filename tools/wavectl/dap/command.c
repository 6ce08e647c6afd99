// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl dap: the Debug Adapter Protocol over standard input and output.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "dap/breakpoint.h"
#include "dap/input.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/refs.h"
#include "dap/requests.h"
#include "dap/session.h"
#include "dap/stops.h"
#include "dap/wave.h"
#include "waves/hold.h"

/* How often code objects that cannot be read are tried again, in milliseconds: no event tells */
#define RETRY_MS	1000

/* ------------------------------------------------------------------------- waiting */

static int timeout_of(const struct dap *d)
{
	int ms = d->state == DAP_ATTACHED ? debug_poll_timeout(&d->shell) : -1;

	if (d->state == DAP_ATTACHED && d->num_code_files && (ms < 0 || ms > RETRY_MS))
		ms = RETRY_MS;
	return ms;
}

/* Wait for requests, events and the program. Returns false after a time-out. */
static bool wait_for_more(struct dap *d)
{
	bool has_events = d->state == DAP_ATTACHED;
	struct session_fds program;
	struct pollfd fds[7] = {
		{ .fd = input_get_fd(d->input), .events = POLLIN },
		{ .fd = d->shell.signals, .events = POLLIN },
		{ .fd = has_events ? adbg_session_get_fd(d->shell.session) : -1,
		  .events = POLLIN },
	};

	session_get_fds(d, &program);
	fds[3] = (struct pollfd){ .fd = program.job, .events = POLLIN };
	fds[4] = (struct pollfd){ .fd = program.exit, .events = POLLIN };
	fds[5] = (struct pollfd){ .fd = program.output[0], .events = POLLIN };
	fds[6] = (struct pollfd){ .fd = program.output[1], .events = POLLIN };
	return poll(fds, ARRAY_SIZE(fds), timeout_of(d));
}

/* --------------------------------------------------------------------------- input */

static void handle_message(struct dap *d, struct message *message)
{
	if (message->damage)
		out_line(d, "important", "%s", message->damage);
	if (!message->request) {
		d->state = DAP_OVER;
	} else if (!message->damage) {
		input_begin_request(d->input, message);
		requests_handle(d, message->request);
		input_end_request(d->input);
	}
	input_free_message(message);
}

/* Handle one request. Returns true if there was one. */
static bool take_message(struct dap *d)
{
	struct message *message = input_take(d->input);

	if (message)
		handle_message(d, message);
	return message;
}

/* Requests have interrupted an operation, which has ended; signals end the session. */
static void take_signals(struct dap *d)
{
	if (hold_take_signals() & HOLD_SIGNAL_END)
		d->state = DAP_OVER;
}

/* Handle everything that has arrived. Returns true if there may be more. */
static bool take_all(struct dap *d)
{
	bool more = take_message(d);

	take_signals(d);
	if (d->state == DAP_OVER)
		return false;
	session_poll(d);
	if (d->state == DAP_ATTACHED)
		more |= stops_take(d);
	if (d->state == DAP_ATTACHED)
		breakpoint_update(d);
	return more;
}

static void handle_timeout(struct dap *d)
{
	if (d->state != DAP_ATTACHED)
		return;
	stops_poll(d);
	if (d->num_code_files)
		place_refresh(d);
}

static void run(struct dap *d)
{
	while (d->state != DAP_OVER) {
		if (take_all(d) || d->state == DAP_OVER)
			continue;
		if (!wait_for_more(d))
			handle_timeout(d);
	}
}

/* --------------------------------------------------------------- beginning and end */

/*
 * Only messages of the protocol may come from standard output. What anything else prints there goes
 * to standard error.
 */
static int take_output(struct dap *d)
{
	d->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return d->out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? -errno : 0;
}

static int begin(struct dap *d, struct hold *hold)
{
	int ret = take_output(d);

	if (!ret)
		ret = hold_prepare(hold);
	if (ret)
		return ret;
	d->shell.signals = hold->signals;
	signal(SIGPIPE, SIG_IGN);
	d->refs = refs_new();
	d->breakpoints = breakpoint_table_new();
	d->sources = place_sources_new();
	d->stops = wave_stops_new();
	return input_new(STDIN_FILENO, &d->input);
}

static void end(struct dap *d, struct hold *hold)
{
	/* A program that was launched by a client that has gone has no one to use it. */
	session_end(d, d->is_launch && !d->has_disconnected);
	input_free(d->input);
	breakpoint_table_free(d->breakpoints);
	place_sources_free(d->sources);
	wave_stops_free(d->stops);
	refs_free(d->refs);
	for (size_t i = 0; i < d->num_code_files; i++)
		free(d->code_files[i]);
	free(d->code_files);
	while (d->debug_dirs.num)
		free((char *)d->debug_dirs.names[--d->debug_dirs.num]);
	free(d->directory);
	free(d->caught);
	free(d->shell.kept);
	if (hold->signals >= 0)
		hold_end(hold);
	/* The check for errors of standard output at the end of the program is about this one. */
	if (d->out >= 0) {
		dup2(d->out, STDOUT_FILENO);
		close(d->out);
	}
}

static int cmd_dap(struct wavectl *w)
{
	struct hold hold = { .signals = -1, .timer = -1, .events = -1 };
	struct dap d = {
		.w = w, .out = -1, .shell.signals = -1, .shell.reads_stdin = true,
		.first_line = 1, .first_column = 1,
	};
	int ret;

	if (w->shell)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"dap\" is not for a shell or batch");
	if (w->json || w->dry_run)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"dap\" has no %s",
				 w->json ? "--json" : "--dry-run");
	ret = begin(&d, &hold);
	w->caught = &d.caught;
	if (!ret)
		run(&d);
	w->caught = NULL;
	end(&d, &hold);
	w->shell = NULL;
	return ret ? fail_system(w, ret, "cannot begin the session") : WAVECTL_OK;
}

const struct command dap_commands[] = {
	{
		.noun = "dap",
		.summary = "serve an editor by the Debug Adapter Protocol",
		.help = "The editor starts this command and talks to it over standard input and output.\n"
			"See wavectl-dap(1) for the set-up of editors, and for the arguments of launch and\n"
			"attach. When the input ends, all waves are resumed, and a launched program is ended.",
		.options = no_options,
		.run = cmd_dap,
	},
	{ .noun = NULL },
};
