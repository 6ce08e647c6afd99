// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The beginning and the end of a session: see session.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/names.h"
#include "base/util.h"
#include "dap/breakpoint.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/program.h"
#include "dap/session.h"
#include "dap/stops.h"
#include "debug/run.h"
#include "waves/hold.h"

/* ------------------------------------------------------------------- initialize */

static void put_capabilities(struct json_object *body)
{
	static const char *const supported[] = {
		"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
		"supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
		"supportsLogPoints", "supportsInstructionBreakpoints",
		"supportsEvaluateForHovers", "supportsSetVariable", "supportsSetExpression",
		"supportsSteppingGranularity",
		"supportsReadMemoryRequest", "supportsWriteMemoryRequest",
		"supportsDisassembleRequest", "supportsExceptionInfoRequest",
		"supportsTerminateRequest", "supportTerminateDebuggee", "supportsCancelRequest",
		"supportsSingleThreadExecutionRequests", "supportsValueFormattingOptions",
		"supportsDelayedStackTraceLoading",
	};

	for (size_t i = 0; i < ARRAY_SIZE(supported); i++)
		json_put_flag(body, supported[i], true);
}

/* One filter for each exception that "launch set --exceptions" can enable, but addr-watch */
static void put_filters(struct json_object *body)
{
	struct json_object *filters = json_put_array(body, "exceptionBreakpointFilters");
	const char *names[NUM_CAUSES];
	unsigned int num = cause_names(AMDGPUDBG_CAUSE_ILLEGAL_INST - 1, names);

	for (unsigned int i = 0; i < num; i++) {
		struct json_object *filter = json_push(filters);

		json_put_text(filter, "filter", names[i]);
		json_put_text(filter, "label", names[i]);
		json_put_flag(filter, "default", false);
		json_put_text(filter, "description",
			      "Enable this exception in waves that start from now on. Root only.");
	}
}

int session_initialize(struct dap *d, struct request *r)
{
	const char *format = json_text(r->arguments, "pathFormat");

	if (d->state != DAP_NEW)
		return out_fail(r, "the session was initialized before");
	if (format && strcmp(format, "path"))
		return out_fail(r, "paths have to be paths, not '%s'", format);
	d->state = DAP_INITIALIZED;
	d->first_line = json_flag(r->arguments, "linesStartAt1", true);
	d->first_column = json_flag(r->arguments, "columnsStartAt1", true);
	d->knows_invalidated = json_flag(r->arguments, "supportsInvalidatedEvent", false);
	put_capabilities(r->body);
	put_filters(r->body);
	return 0;
}

/* --------------------------------------------------------------- opening the GPU */

static int begin(struct dap *d, struct request *r)
{
	if (d->state == DAP_NEW)
		return out_fail(r, "\"initialize\" has to be the first request");
	if (d->state != DAP_INITIALIZED)
		return out_fail(r, "the session is about a process already");
	if (json_flag(r->arguments, "noDebug", false))
		return out_fail(r, "without debugging, start the program without a debugger");
	return 0;
}

static void take_debug_dirs(struct dap *d, struct request *r)
{
	struct json_object *array = json_child(r->arguments, "debugDirectories", json_type_array);
	struct code_object_files *dirs = &d->debug_dirs;
	size_t num = json_length(array);

	while (dirs->num)
		free((char *)dirs->names[--dirs->num]);
	for (size_t i = 0; i < num && dirs->num < MAX_CODE_OBJECTS; i++) {
		struct json_object *name = json_object_array_get_idx(array, i);

		if (json_object_is_type(name, json_type_string))
			dirs->names[dirs->num++] = xstrdup(json_object_get_string(name));
	}
}

static void take_files(struct dap *d, struct request *r)
{
	struct json_object *array = json_child(r->arguments, "codeObjects", json_type_array);
	const char *directory = json_text(r->arguments, "directory");
	size_t num = json_length(array);

	/* A request before may have failed. */
	while (d->num_code_files)
		free(d->code_files[--d->num_code_files]);
	for (size_t i = 0; i < num; i++) {
		struct json_object *name = json_object_array_get_idx(array, i);

		if (!json_object_is_type(name, json_type_string))
			continue;
		d->code_files = xreallocarray(d->code_files, d->num_code_files + 1,
					      sizeof(*d->code_files));
		d->code_files[d->num_code_files++] = xstrdup(json_object_get_string(name));
	}
	take_debug_dirs(d, r);
	if (!directory)
		return;
	free(d->directory);
	d->directory = xstrdup(directory);
}

/* Open the GPU, and begin a session on it. Returns 0 or -1. */
static int open_gpu(struct dap *d, struct request *r)
{
	struct wavectl *w = d->w;
	const char *gpu = json_text(r->arguments, "gpu");

	if (gpu && !names_gpu(w))
		w->gpu = xstrdup(gpu);
	/* With several GPUs, the process decides which of them it is. */
	if (!w->session) {
		if (open_shell_target(w))
			return out_fail_caught(d, r);
		d->shell.is_undecided = w->is_undecided;
	}
	d->shell.session = w->session;
	d->shell.debug_dirs = &d->debug_dirs;
	d->shell.wants = HOLD_ENDS;
	w->shell = &d->shell;
	adbg_session_set_interrupt(w->session, d->shell.signals);
	take_files(d, r);
	return 0;
}

/* Make w->pid the target. Returns 0 or -1, with the error in d->caught. */
static int take_process(struct dap *d)
{
	struct wavectl *w = d->w;

	if (!attach_target(w) && !debug_open(w)) {
		d->shell.debugger->caller = w;
		d->shell.pid = w->pid;
		d->shell.client = w->client;
		return 0;
	}
	debug_close(&d->shell);
	ignore_result(adbg_target_clear(w->session));
	return -1;
}

/* Tell the client that breakpoints can be set. */
static void say_initialized(struct dap *d, const char *name, int32_t pid, const char *how)
{
	struct json_object *body = json_new();

	json_put_text(body, "name", name);
	json_put_number(body, "systemProcessId", pid);
	json_put_flag(body, "isLocalProcess", true);
	json_put_text(body, "startMethod", how);
	out_event(d, "process", body);
	out_event(d, "initialized", NULL);
}

/* -------------------------------------------------------------------- attaching */

int session_attach(struct dap *d, struct request *r)
{
	uint64_t pid = json_count(r->arguments, "pid", 0);
	char name[32];

	if (begin(d, r))
		return -1;
	if (!pid || pid > INT32_MAX)
		return out_fail(r, "\"pid\" is missing: the number of a process that uses the GPU");
	if (open_gpu(d, r))
		return -1;
	/* With several GPUs, the client selects one. */
	d->w->client = json_count(r->arguments, "client", 0);
	if (decide_target(d->w, (int32_t)pid, 0))
		return out_fail_caught(d, r);
	d->w->pid = (int32_t)pid;
	if (take_process(d))
		return out_fail_caught(d, r);
	d->state = DAP_ATTACHED;
	place_refresh(d);
	out_answer(d, r);
	snprintf(name, sizeof(name), "process %d", d->w->pid);
	say_initialized(d, name, d->w->pid, "attach");
	return 0;
}

/* -------------------------------------------------------------------- launching */

int session_launch(struct dap *d, struct request *r)
{
	int32_t child;

	if (begin(d, r) || open_gpu(d, r))
		return -1;
	d->stops_on_entry = json_flag(r->arguments, "stopOnEntry", false);
	if (program_start(d, r))
		return -1;
	child = d->shell.child;
	d->is_launch = true;
	d->state = DAP_STARTING;
	out_answer(d, r);
	say_initialized(d, json_text(r->arguments, "program"), child, "launch");
	return 0;
}

/* With stopOnEntry, halt the first wave. */
static int prepare_entry(struct dap *d)
{
	struct adbgd_error error;

	if (!d->stops_on_entry ||
	    !adbgd_process_stop_at_start(d->shell.debugger->process, true, &error))
		return 0;
	debug_fail(d->w, &error);
	debug_close(&d->shell);
	return -1;
}

/* The program is about to submit its first job: attach to it, and let it continue. */
static void attach_program(struct dap *d)
{
	uint32_t gpu;
	char *why;

	program_get_process(d, &d->w->pid, &d->w->client, &gpu);
	if (decide_target(d->w, 0, gpu) || take_process(d) || prepare_entry(d)) {
		why = out_take_caught(d);
		out_line(d, "important", "%s; the program continues without the debugger", why);
		free(why);
		program_release(d);
		stops_process_exited(d);
		return;
	}
	d->state = DAP_ATTACHED;
	d->waits_for_entry = d->stops_on_entry;
	place_refresh(d);
	/* Otherwise this is done when the first wave is resumed. */
	if (!d->waits_for_entry && d->exceptions && stops_set_exceptions(d))
		out_line(d, "important", "exceptions cannot be enabled in new waves");
	breakpoint_begin(d);
	program_release(d);
}

int session_configuration_done(struct dap *d, struct request *r)
{
	if (d->state != DAP_STARTING && d->state != DAP_ATTACHED)
		return out_fail(r, "no process is being debugged");
	d->is_configured = true;
	return 0;
}

void session_get_fds(const struct dap *d, struct session_fds *fds)
{
	*fds = (struct session_fds){ .job = -1, .exit = -1, .output = { -1, -1 } };
	program_get_fds(d, &fds->exit, fds->output);
	/* The job waits until the client has set its breakpoints. */
	if (d->state == DAP_STARTING && d->is_configured)
		fds->job = program_job_fd(d);
}

static void say_exited(struct dap *d, int32_t child, int status)
{
	struct json_object *body = json_new();

	json_put_number(body, "exitCode",
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	out_event(d, "exited", body);
	/* A program that was started by it may be the one that is debugged. */
	if (d->state == DAP_STARTING || child == d->shell.pid)
		stops_process_exited(d);
}

void session_poll(struct dap *d)
{
	int32_t child = d->shell.child;
	char *why = NULL;
	int status;

	program_copy_output(d);
	if (d->state == DAP_STARTING && d->is_configured) {
		switch (program_wait_job(d, &why)) {
		case 0:
			attach_program(d);
			break;
		case -EAGAIN:
			break;
		default:
			out_line(d, "important", "%s", why);
			program_release(d);
			stops_process_exited(d);
		}
		free(why);
	}
	if (run_has_ended(&d->shell, &status)) {
		program_copy_output(d);
		say_exited(d, child, status);
	}
}

/* ----------------------------------------------------------------------- ending */

/* End the program. One that was asked before, and did not end, is ended without being asked. */
static void end_program(struct dap *d)
{
	int32_t pid = d->shell.child ? d->shell.child : d->shell.pid;

	if (pid && !d->has_exited)
		kill(pid, d->was_terminated ? SIGKILL : SIGTERM);
	d->was_terminated = true;
}

int session_terminate(struct dap *d, struct request *r)
{
	struct adbgd_error error;

	if (d->state != DAP_STARTING && d->state != DAP_ATTACHED)
		return out_fail(r, "no process is being debugged");
	end_program(d);
	/* Halted waves would keep the process from ending. */
	if (d->state == DAP_ATTACHED && stops_resume_all(d, &error))
		out_line(d, "important", "cannot resume the waves: %s", error.text);
	return 0;
}

void session_end(struct dap *d, bool terminate)
{
	if (terminate)
		end_program(d);
	debug_close(&d->shell);
	program_free(d);
	if (d->shell.session)
		adbg_session_set_interrupt(d->shell.session, -1);
}

int session_disconnect(struct dap *d, struct request *r)
{
	bool ends = json_flag(r->arguments, "terminateDebuggee", d->is_launch);

	if (json_flag(r->arguments, "suspendDebuggee", false))
		return out_fail(r, "waves cannot stay halted without a debugger");
	session_end(d, ends);
	d->has_disconnected = true;
	d->state = DAP_OVER;
	return 0;
}
