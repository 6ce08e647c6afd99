// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts a program or attaches to a process: see run.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/util.h"
#include "debug/code.h"
#include "debug/debug.h"
#include "debug/focus.h"
#include "debug/run.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/stop.h"

/* A program while it is started */
struct start {
	struct hold hold;
	struct adbgd_program *program;
};

bool run_has_ended(struct shell_session *d, int *status)
{
	if (!d->child || waitpid(d->child, status, WNOHANG) != d->child)
		return false;
	d->child = 0;
	return true;
}

static int fail_program(struct wavectl *w, const struct adbgd_error *error)
{
	bool is_denied = error->error == -EACCES || error->error == -EPERM;

	return fail_with(w, is_denied ? WAVECTL_DENIED : WAVECTL_FAILED, NULL, "%s",
			 error->text);
}

/*
 * Start the program in the background if standard input has the commands, which it must not read.
 */
static int start(struct wavectl *w, struct start *s)
{
	uint32_t flags = w->shell->reads_stdin ? ADBGD_PROGRAM_BACKGROUND : 0;
	struct adbgd_error error;
	int ret;

	/*
	 * The program must not inherit that the shell ignores SIGPIPE: see
	 * shell_session_begin().
	 */
	signal(SIGPIPE, SIG_DFL);
	/* If a caller ignored it, the exit status of the program would be lost. */
	signal(SIGCHLD, SIG_DFL);
	hold_ignore_again(true);
	ret = adbgd_program_start(w->words, NULL, flags, &s->program, &error);
	hold_ignore_again(false);
	signal(SIGPIPE, SIG_IGN);
	if (ret)
		return fail_program(w, &error);
	w->shell->child = adbgd_program_get_info(s->program)->child;
	return WAVECTL_OK;
}

/* Wait until the program is about to submit a job to the GPU of the shell, or to any GPU. */
static int wait_job(struct wavectl *w, struct start *s)
{
	struct adbg_session *session = w->shell->is_undecided ? NULL : w->session;
	struct adbgd_error error;
	int ret;

	while ((ret = adbgd_program_wait_job(s->program, session, 0, &error)) == -EAGAIN) {
		ret = hold_wait_for(&s->hold, adbgd_program_get_fd(s->program));
		if (ret < 0)
			return fail_system(w, ret, "cannot wait");
		if (!ret)
			return fail_with(w, WAVECTL_FAILED, NULL,
					 "interrupted: process %d continues to run and is not debugged",
					 w->shell->child);
	}
	return ret ? fail_program(w, &error) : WAVECTL_OK;
}

static int stop_at_start(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	return adbgd_process_stop_at_start(d->process, true, &error) ?
	       debug_fail(w, &error) : WAVECTL_OK;
}

/* Make w->pid the target of the shell. If @new, its first waves stay halted. */
static int take_process(struct wavectl *w, bool new)
{
	struct shell_session *d = w->shell;
	int status = attach_target(w);

	d->has_exited = false;
	if (!status)
		status = debug_open(w);
	if (!status && new)
		status = stop_at_start(w);
	if (!status) {
		d->pid = w->pid;
		d->client = w->client;
		d->has_new_target = true;
		return WAVECTL_OK;
	}
	debug_close(d);
	ignore_result(adbg_target_clear(w->session));
	return status;
}

static int attach(struct wavectl *w, struct start *s)
{
	const struct adbgd_program_info *info = adbgd_program_get_info(s->program);
	int status = decide_target(w, 0, info->gpu);

	w->pid = info->pid;
	w->client = info->client_id;
	return status ? status : take_process(w, true);
}

static int say_begun(struct wavectl *w)
{
	emit_begin(w->emit);
	emit_uint(w->emit, "pid", w->pid);
	emit_uint(w->emit, "child", w->shell->child);
	emit_say(w->emit, "process {pid} is about to give the GPU its first job");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int open_and_start(struct wavectl *w, struct start *s)
{
	int status = hold_open(w, &s->hold, 0);

	if (status)
		return status;
	status = start(w, s);
	if (!status)
		status = wait_job(w, s);
	if (!status)
		status = attach(w, s);
	if (!status)
		status = say_begun(w);
	adbgd_program_release(s->program);
	return status;
}

/* Keep the events for the shell, which reports them later. False: there will be no more. */
static bool take_events(struct wavectl *w)
{
	struct amdgpudbg_event ev = { 0 };
	bool continues = true;
	int ret;

	while (!(ret = adbg_event_next(w->session, &ev, 0))) {
		continues &= !hold_end_reason(&ev);
		stop_keep(w->shell, &ev);
		/* The caller checks for signals next. */
		if (hold_interrupted())
			return continues;
	}
	return continues && ret == -EAGAIN;
}

static int take_options(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;

	if (w->directory) {
		free(d->directory);
		d->directory = xstrdup(w->directory);
	}
	/* Now a wave runs, so its code is in memory. */
	return code_add_files(w);
}

/* Wait for the first halted wave, usually at its start. The process may end without any. */
static int wait_wave(struct wavectl *w, const struct hold *hold)
{
	struct pollfd fds[] = {
		{ .fd = hold->signals, .events = POLLIN },
		{ .fd = adbg_session_get_fd(w->session), .events = POLLIN },
	};
	struct adbgd_stop stop;
	int status;

	while (take_events(w)) {
		if (debug_poll_stop(w, &stop)) {
			status = take_options(w);
			return focus_say_stop(w, &stop) ?: status;
		}
		if (poll(fds, ARRAY_SIZE(fds), debug_poll_timeout(w->shell)) < 0 &&
		    errno != EINTR)
			return fail_system(w, -errno, "cannot wait");
		if (fds[0].revents)
			return fail_with(w, WAVECTL_FAILED, NULL,
					 "interrupted: no wave has started yet; the first one will be reported");
	}
	return WAVECTL_OK;
}

static int run(struct wavectl *w, struct start *s)
{
	int status;

	s->hold.signals = -1;
	status = open_and_start(w, s);
	if (!status)
		status = wait_wave(w, &s->hold);
	hold_end(&s->hold);
	return status;
}

/* The target of a shell cannot change. */
static int check_free(struct wavectl *w)
{
	if (!w->shell->pid)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, "end this session, or use another terminal",
			 "this session is about process %d", w->shell->pid);
}

static void emit_pid(struct wavectl *w, const void *data)
{
	const int32_t *pid = data;

	emit_uint(w->emit, "pid", *pid);
}

static int attach_running(struct wavectl *w, void *data)
{
	const int32_t *pid = data;

	w->pid = *pid;
	return take_process(w, false);
}

int run_attach(struct wavectl *w, int32_t pid)
{
	int status = check_free(w);

	if (!status && !names_gpu(w))
		status = decide_target(w, pid, 0);
	if (!status)
		status = open_target(w);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "attach to process {pid}",
			.done = "attached to process {pid}, which continues to run",
			.describe = emit_pid, .run = attach_running,
			.has_dry_run = true, .data = &pid,
		});
	return status || w->dry_run ? status : take_options(w);
}

static void emit_program(struct wavectl *w, const void *data)
{
	(void)data;
	emit_str(w->emit, "program", w->words[0]);
}

static int open_and_run(struct wavectl *w, void *data)
{
	int status = WAVECTL_OK;

	/* The first job shows which GPU it is. */
	if (!w->shell->is_undecided || names_gpu(w))
		status = open_target(w);
	return status ? status : run(w, data);
}

int run_program(struct wavectl *w)
{
	struct start s = { .program = NULL };
	int status = check_free(w);

	return status ? status : action_run(w, &(struct action){
		.what = "run {program}",
		.describe = emit_program, .run = open_and_run, .data = &s,
	});
}
