// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl catch: waits for a fault, an exception or a job that is about to time out, and reports
 * the state of the GPU at that moment, before the driver resets it.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "cmd/report.h"
#include "waves/hold.h"

struct catch_args {
	const char *output;		/* NULL: not given */
	uint64_t after_ns;		/* 0: not given */
};

/* Exit statuses beside those of exit.h: what was caught */
#define CAUGHT_FAULT		10
#define CAUGHT_EXCEPTION	11
#define CAUGHT_TIMEOUT		12

/* Exceptions of waves. Floating-point exceptions are no errors of a program. */
#define EXCEPTIONS	(AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_ILLEGAL_INST | \
			 AMDGPUDBG_CAUSE_INT_DIV0 | AMDGPUDBG_CAUSE_MEM_ECC | \
			 AMDGPUDBG_CAUSE_XNACK)

#define MAX_FAULTS	64
/* The list of jobs is read so often: there is no event before the driver's timeout. */
#define JOBS_MS		200
/* What must be left of a job's time when the report begins, which takes a part of it */
#define MARGIN_MS	2000
/* Further events of the same fault or exception arrive within this time. */
#define FURTHER_MS	100

struct waiting {
	struct wavectl *w;
	struct hold hold;
	struct pollfd *fds;		/* signals, --after, and a session of each GPU */
	struct amdgpudbg_event faults[MAX_FAULTS];
	struct report_cause cause;	/* .what is NULL until something has happened */
	size_t gpu;			/* where: index for use_target() */
	int caught;			/* exit status of that */
};

enum { FD_SIGNALS, FD_TIMER, FD_FIRST };

/* ----------------------------------------------------------------------- triggers */

/* The first that happens counts; on other GPUs nothing does any more. */
static void set_caught(struct waiting *c, size_t gpu, const char *what, int status)
{
	if (c->cause.what)
		return;
	c->cause.what = what;
	c->gpu = gpu;
	c->caught = status;
}

/* A fault explains the exception that it causes, whichever of the two events comes first. */
static void take_event(struct waiting *c, size_t gpu, const struct amdgpudbg_event *ev)
{
	if (c->cause.what && gpu != c->gpu)
		return;
	if (ev->type == AMDGPUDBG_EVENT_VM_FAULT) {
		if (c->cause.num_faults < MAX_FAULTS)
			c->faults[c->cause.num_faults++] = *ev;
		c->gpu = gpu;
		c->cause.what = "fault";
		c->caught = CAUGHT_FAULT;
	} else if (ev->type == AMDGPUDBG_EVENT_WAVE && ev->cause & EXCEPTIONS) {
		set_caught(c, gpu, "exception", CAUGHT_EXCEPTION);
	}
}

/* Take the events of a GPU that have arrived. Returns 0 or -errno. */
static int drain(struct waiting *c, size_t gpu)
{
	struct amdgpudbg_event ev = { 0 };
	int ret = 0;

	while (!ret && !hold_interrupted()) {
		ret = adbg_event_next(c->w->session, &ev, 0);
		if (!ret)
			take_event(c, gpu, &ev);
	}
	return ret == -EAGAIN ? 0 : ret;
}

/* The time of short timeouts must suffice for the report, too. */
static bool is_late(const struct amdgpudbg_job *job)
{
	uint32_t margin = job->timeout_ms / 4 < MARGIN_MS ? job->timeout_ms / 4 : MARGIN_MS;

	return job->flags & AMDGPUDBG_JOB_OLDEST && !(job->flags & AMDGPUDBG_JOB_HELD) &&
	       job->left_ms != UINT32_MAX && job->left_ms <= margin;
}

/* Without a list of jobs, timeouts cannot be caught; faults and exceptions can. */
static void check_jobs(struct waiting *c, size_t gpu)
{
	struct amdgpudbg_job_list list = { 0 };
	const struct amdgpudbg_job *job;

	if (adbg_jobs(c->w->session, &list))
		return;
	for (size_t i = 0; (job = adbg_jobs_get(&list, i)); i++)
		if (is_late(job))
			set_caught(c, gpu, "timeout", CAUGHT_TIMEOUT);
	adbg_jobs_free(&list);
}

/* ----------------------------------------------------------------------- wait */

static int fail_gone(struct waiting *c, int error)
{
	if (error == -ENOTCONN)
		return fail_with(c->w, WAVECTL_GONE, NULL, "the process has exited");
	return fail(c->w, error, "cannot read an event");
}

/* Look at all GPUs. Returns an exit status. */
static int check(struct waiting *c)
{
	int ret;

	for (size_t i = 0; use_target(c->w, i); i++) {
		ret = drain(c, i);
		if (ret)
			return fail_gone(c, ret);
		check_jobs(c, i);
	}
	return WAVECTL_OK;
}

/*
 * Wait until something has happened. Returns an exit status. The timer of the hold is that of
 * --after.
 */
static int wait_for_it(struct waiting *c, size_t num_gpus)
{
	int status = WAVECTL_OK;

	while (!status && !c->cause.what) {
		if (poll(c->fds, FD_FIRST + num_gpus, JOBS_MS) < 0 && errno != EINTR)
			return fail_system(c->w, -errno, "cannot wait");
		if (hold_interrupted())
			return hold_fail_interrupted(c->w);
		status = check(c);
		if (!status && !c->cause.what && c->fds[FD_TIMER].revents) {
			c->cause.what = "time";
			return WAVECTL_OK;
		}
	}
	if (status)
		return status;
	/* Where it happened: the report is about this GPU. */
	keep_target(c->w, c->gpu);
	if ((c->caught == CAUGHT_FAULT || c->caught == CAUGHT_EXCEPTION) &&
	    poll(&c->fds[FD_FIRST + c->gpu], 1, FURTHER_MS) > 0)
		ignore_result(drain(c, c->gpu));
	return WAVECTL_OK;
}

static int say_ready(struct wavectl *w)
{
	emit_begin_live(w->emit);
	emit_str(w->emit, "state", "waiting");
	emit_say(w->emit, "waiting for a fault, an exception or a job that is about to time out; "
		 "Ctrl-C ends");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Follow the events that this GPU has. Returns an exit status. */
static int follow(struct wavectl *w)
{
	const uint64_t types = 1ULL << AMDGPUDBG_EVENT_VM_FAULT | 1ULL << AMDGPUDBG_EVENT_WAVE;
	struct amdgpudbg_info info = { 0 };
	int ret = adbg_session_get_info(w->session, &info);

	if (ret)
		return fail(w, ret, "cannot read the module's information");
	return hold_follow(w, types & info.event_mask, 0);
}

static void add_fd(struct waiting *c, size_t i, int fd)
{
	c->fds = xreallocarray(c->fds, i + 1, sizeof(*c->fds));
	c->fds[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static int catch(struct waiting *c)
{
	const struct catch_args *args = c->w->args;
	int status = open_own_targets(c->w);
	size_t num;

	add_fd(c, FD_SIGNALS, c->hold.signals);
	add_fd(c, FD_TIMER, c->hold.timer);
	for (num = 0; !status && use_target(c->w, num); num++) {
		add_fd(c, FD_FIRST + num, adbg_session_get_fd(c->w->session));
		status = follow(c->w);
	}
	if (!status)
		status = say_ready(c->w);
	if (!status)
		status = wait_for_it(c, num);
	if (!status)
		status = report_make(c->w, &c->cause, c->hold.signals, args->output);
	return status ? status : c->caught;
}

static int cmd_catch(struct wavectl *w)
{
	const struct catch_args *args = w->args;
	struct waiting *c;
	int status;

	if (w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL, "unexpected argument '%s'", w->words[0]);
	if (!w->pid == !w->all)
		return fail_with(w, WAVECTL_USAGE, "--all needs root",
				 "either --pid or --all is required");
	c = xcalloc(1, sizeof(*c));
	c->w = w;
	c->cause.faults = c->faults;
	status = hold_open(w, &c->hold, args->after_ns);
	if (!status) {
		status = catch(c);
		hold_end(&c->hold);
	}
	free(c->fds);
	free(c);
	return status;
}

static const struct option_desc opt_output = {
	"output", 'o', "FILE", "also write the report to FILE, for the option --from",
	option_text, OPTION_OF(struct catch_args, output),
};

static const struct option_desc opt_after = {
	"after", 0, "SECONDS", "report after this time if nothing has happened",
	option_seconds, OPTION_OF(struct catch_args, after_ns),
};

static const struct option_desc *const catch_options[] = {
	TARGET_OPTIONS, &opt_all, &opt_after, &opt_output, &opt_code_object,
	&opt_debug_dir, &opt_directory, NULL,
};

const struct command catch_commands[] = {
	{
		.noun = "catch",
		.summary = "wait for a fault, an exception or a hanging job, and report it",
		.help = "Waits until a wave of --pid or, with --all, of any GPU accesses memory that is not\n"
			"mapped, has an exception, or a job is about to time out. Then it halts the waves,\n"
			"writes a report, see \"report\", and resumes them. The exit status is 10 for a\n"
			"fault, 11 for an exception, 12 for a timeout, and 0 if the time of --after passed.",
		.options = catch_options,
		.args_size = sizeof(struct catch_args),
		.run = cmd_catch,
	},
	{ .noun = NULL },
};
