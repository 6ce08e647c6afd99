// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl event follow: a line, or a JSON object, for each event.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "waves/action.h"
#include "waves/fault.h"
#include "waves/hold.h"
#include "waves/stop.h"

/* The GPUs whose events are followed */
struct followed {
	int fd;			/* readable when there are events of one of them */
	bool *is_over;		/* for each GPU: it has no more events */
	size_t num, num_over;
};

/* Zero: not given */
struct event_args {
	uint64_t types;			/* 1 << type */
	uint64_t causes;
	uint64_t count;
	uint64_t timeout_ns;
};

/* Frequent events, which are only followed if --type names them */
#define UNASKED	(1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | 1ULL << AMDGPUDBG_EVENT_JOB_END | \
		 1ULL << AMDGPUDBG_EVENT_VM_CHANGED)

/* Do the options select the event? Events that are not about a wave or job always pass. */
static bool is_wanted(const struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const struct event_args *args = w->args;

	if (!(ev->flags & (AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_JOB)) &&
	    ev->type != AMDGPUDBG_EVENT_VM_FAULT)
		return true;
	if (w->vmid && ev->vmid != w->vmid)
		return false;
	if (!(ev->flags & AMDGPUDBG_EVENT_HAS_WAVE))
		return true;
	if (args->causes && ev->cause && !(ev->cause & args->causes))
		return false;
	return !w->waves.is_set || adbg_wave_spec_match(&w->waves.spec, &ev->at);
}

/* Do the options select this type of event? In a shell, types that the shell needs arrive, too. */
static bool is_counted(const struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const struct event_args *args = w->args;

	return !w->shell || !args->types || args->types >> ev->type & 1;
}

static void emit_time(struct wavectl *w, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64,
		 ns / 1000000000, ns % 1000000000 / 1000);
	emit_str(w->emit, "time", text);
}

static void emit_flags(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {
		{ AMDGPUDBG_EVENT_IS_PRIV, "PRIV" },
		{ AMDGPUDBG_EVENT_IS_ERROR, "ERROR" },
	};
	const char *names[ARRAY_SIZE(flags)];
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (ev->flags & flags[i].flag)
			names[n++] = flags[i].name;
	emit_names(w->emit, "flags", names, n);
}

/* Print a line, with the GPU if several are followed. */
static void say(struct wavectl *w, const char *sentence)
{
	char *line = NULL;

	xappend(&line, "%s%s", sentence, w->shows_gpu ? " gpu {gpu}" : "");
	emit_say(w->emit, line);
	free(line);
}

/* The line for each event of a wave */
#define WAVE_LINE \
	"{time} {seq} {type} {name} vmid {vmid} pasid {pasid} pc {pc} data {data}"

static void emit_wave_part(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *causes[ADBG_MAX_CAUSES];
	unsigned int n;

	emit_at(w->emit, "name", &ev->at);
	emit_uint(w->emit, "vmid", ev->vmid);
	emit_uint(w->emit, "pasid", ev->pasid);
	emit_hex32(w->emit, "data", ev->data);
	emit_flags(w, ev);
	n = adbg_event_causes(ev->cause, ev->watch_mask, causes, ARRAY_SIZE(causes));
	emit_names(w->emit, "cause", causes, n);
	emit_uint(w->emit, "trap_id", ev->trap_id);

	if (ev->flags & AMDGPUDBG_EVENT_HAS_STATE)
		emit_hex64(w->emit, "pc", ev->pc);
	else
		emit_none(w->emit, "pc");
	say(w, ev->cause ? WAVE_LINE " {cause}" : WAVE_LINE);
	if (w->verbose && ev->flags & AMDGPUDBG_EVENT_HAS_STATE)
		emit_say(w->emit,
			 "    trap {trap_id} {flags}");
}

#define JOB_LINE \
	"{time} {seq} {type} {ring} job {job_context}:{job} vmid {vmid} pasid {pasid}"

static void emit_job_part(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	char ring[sizeof(ev->ring_name) + 1] = "";

	memcpy(ring, ev->ring_name, sizeof(ev->ring_name));
	emit_str(w->emit, "ring", ring);
	emit_uint(w->emit, "ring_type", ev->ring_type);
	emit_uint(w->emit, "job", ev->job);
	emit_uint(w->emit, "job_context", ev->job_context);
	emit_uint(w->emit, "vmid", ev->vmid);
	emit_uint(w->emit, "pasid", ev->pasid);
	emit_uint(w->emit, "error", ev->data);
	emit_uint(w->emit, "num_ibs", ev->num_ibs);
	emit_flags(w, ev);
	say(w, ev->flags & AMDGPUDBG_EVENT_IS_ERROR ? JOB_LINE " error {error}" : JOB_LINE);
}

#define FAULT_LINE(access) \
	"{time} {seq} {type} " access \
	" {address} client {client} vmid {vmid} pasid {pasid} count {count}"

static void emit_fault_part(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *names[FAULT_KINDS];
	unsigned int n = fault_kinds(ev, names);

	emit_names(w->emit, "access", names, n);
	fault_emit(w->emit, ev);
	emit_uint(w->emit, "pasid", ev->pasid);
	emit_uint(w->emit, "count", ev->count);
	say(w, n ? FAULT_LINE("{access}") : FAULT_LINE("-"));
}

static int print_event(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *type = adbg_event_type_name(ev->type);
	bool counted = ev->type == AMDGPUDBG_EVENT_LOST ||
		       ev->type == AMDGPUDBG_EVENT_GPU_RESET;

	emit_begin_live(w->emit);
	emit_uint(w->emit, "seq", ev->seq);
	emit_uint(w->emit, "gpu", adbg_session_get_number(w->session));
	emit_time(w, ev->time);
	emit_str(w->emit, "type", type ? type : "unknown");
	if (ev->flags & AMDGPUDBG_EVENT_HAS_WAVE) {
		emit_wave_part(w, ev);
	} else if (ev->flags & AMDGPUDBG_EVENT_HAS_JOB) {
		emit_job_part(w, ev);
	} else if (ev->type == AMDGPUDBG_EVENT_VM_FAULT) {
		emit_fault_part(w, ev);
	} else if (ev->type == AMDGPUDBG_EVENT_VM_CHANGED) {
		emit_uint(w->emit, "generation", ev->generation);
		say(w, "{time} {seq} {type} {generation}");
	} else {
		emit_uint(w->emit, "count", ev->data);
		say(w, counted ? "{time} {seq} {type} {count}" : "{time} {seq} {type}");
	}

	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The exit of the process ends the command; that of the GPU is an error. */
static int end(struct wavectl *w, int error, uint64_t count)
{
	const struct event_args *args = w->args;

	if (error == -ENOTCONN && count >= args->count)
		return WAVECTL_OK;
	if (error == -ENOTCONN)
		return fail_with(w, WAVECTL_GONE, NULL,
				 "the process has exited after %" PRIu64 " of %" PRIu64 " events",
				 count, args->count);

	return fail(w, error, "cannot read an event");
}

/*
 * Print the events of a GPU that have arrived. Returns 0, or -errno of reading; @status is that of
 * printing.
 */
static int drain_one(struct wavectl *w, uint64_t *count, int *status)
{
	const struct event_args *args = w->args;
	struct amdgpudbg_event ev = { 0 };
	int ret = 0;

	while (!*status && (!args->count || *count < args->count) && !hold_interrupted()) {
		ret = adbg_event_next(w->session, &ev, 0);
		if (ret)
			return ret == -EAGAIN ? 0 : ret;
		/* The debugger must see the event, too. */
		if (w->shell && w->shell->debugger)
			stop_keep(w->shell, &ev);
		if (!is_wanted(w, &ev))
			continue;
		*status = print_event(w, &ev);
		*count += is_counted(w, &ev);
	}

	return 0;
}

/*
 * The same for all GPUs. Those that have no more events are left out; returns an error when none
 * is left.
 */
static int drain(struct wavectl *w, struct followed *f, uint64_t *count, int *status)
{
	int ret, error = 0;

	for (size_t i = 0; use_target(w, i) && !*status; i++) {
		if (f->is_over[i])
			continue;
		ret = drain_one(w, count, status);
		if (!ret)
			continue;
		error = ret;
		f->is_over[i] = true;
		f->num_over++;
		if (f->num > 1)
			epoll_ctl(f->fd, EPOLL_CTL_DEL, adbg_session_get_fd(w->session), NULL);
	}
	return f->num_over == f->num ? error : 0;
}

/* Begin to wait for the events of all GPUs that are open. Returns 0 or -errno. */
static int followed_open(struct wavectl *w, struct followed *f)
{
	struct epoll_event event = { .events = EPOLLIN };

	*f = (struct followed){ .fd = -1 };
	while (use_target(w, f->num))
		f->num++;
	use_target(w, 0);
	f->is_over = xcalloc(f->num, sizeof(*f->is_over));
	if (f->num == 1)
		return 0;
	f->fd = epoll_create1(EPOLL_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	for (size_t i = 0; use_target(w, i); i++)
		if (epoll_ctl(f->fd, EPOLL_CTL_ADD, adbg_session_get_fd(w->session), &event))
			return -errno;
	return 0;
}

static void followed_end(struct followed *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->is_over);
}

static int follow(struct wavectl *w, const struct hold *hold, struct followed *f)
{
	const struct event_args *args = w->args;
	int fd = f->num > 1 ? f->fd : adbg_session_get_fd(w->session);
	int ret, status = WAVECTL_OK;
	uint64_t count = 0;

	for (;;) {
		ret = drain(w, f, &count, &status);
		if (status)
			return status;
		if (args->count && count >= args->count)
			return WAVECTL_OK;
		if (ret)
			return end(w, ret, count);

		ret = hold_wait_for(hold, fd);
		if (ret < 0)
			return fail_system(w, ret, "cannot wait");
		if (ret)
			continue;
		if (args->count)
			return fail_with(w, WAVECTL_FAILED, NULL,
					 "only %" PRIu64 " of %" PRIu64 " events arrived",
					 count, args->count);
		return WAVECTL_OK;
	}
}

/* Print that no event is missed from here on, for the program that started this one. */
static int say_ready(struct wavectl *w)
{
	emit_begin_live(w->emit);
	emit_str(w->emit, "state", "following");
	emit_say(w->emit, "printing events; Ctrl-C ends");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Without --type: all types of this GPU except UNASKED */
static int choose_types(struct wavectl *w, uint64_t *types)
{
	const struct event_args *args = w->args;
	struct amdgpudbg_info info;
	int ret;

	*types = args->types;
	if (*types)
		return WAVECTL_OK;
	ret = adbg_session_get_info(w->session, &info);
	if (ret)
		return fail(w, ret, "cannot read the module's information");
	*types = info.event_mask & ~UNASKED;
	return WAVECTL_OK;
}

/* Enable the events of all GPUs that are open, and print them. */
static int follow_all(struct wavectl *w, const struct hold *hold, struct followed *f)
{
	const struct event_args *args = w->args;
	int status = WAVECTL_OK;
	uint64_t types;

	for (size_t i = 0; use_target(w, i) && !status; i++) {
		status = choose_types(w, &types);
		if (!status)
			status = hold_follow(w, types, args->causes);
	}
	if (!status)
		status = say_ready(w);
	return status ? status : follow(w, hold, f);
}

static int print_events(struct wavectl *w, void *data)
{
	const struct event_args *args = data;
	struct followed f;
	struct hold hold;
	int ret, status;

	status = hold_open(w, &hold, args->timeout_ns);
	if (status)
		return status;

	ret = followed_open(w, &f);
	status = ret ? fail_system(w, ret, "cannot wait for several GPUs") :
		       follow_all(w, &hold, &f);
	followed_end(&f);
	hold_end(&hold);
	return status;
}

static int cmd_event_follow(struct wavectl *w)
{
	const struct event_args *args = w->args;
	int status;

	if (args->causes && args->types && !(args->types >> AMDGPUDBG_EVENT_WAVE & 1))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--cause selects events of type wave only; add wave to --type");
	status = open_targets(w);
	return status ? status : action_run(w, &(struct action){
		.what = "print events", .run = print_events, .data = w->args,
	});
}

static bool parse_types(const char *arg, void *member)
{
	return !adbg_event_types_parse(arg, member);
}

static const struct option_desc opt_type = {
	"type", 't', "LIST", "print only these events, such as wave,gpu-reset",
	parse_types, OPTION_OF(struct event_args, types),
};

static const struct option_desc opt_cause = {
	"cause", 0, "LIST", "print only wave events with these causes, such as mem-viol",
	option_causes, OPTION_OF(struct event_args, causes),
};

static const struct option_desc opt_count = {
	"count", 'c', "N", "end the command after N events",
	option_positive, OPTION_OF(struct event_args, count),
};

static const struct option_desc opt_timeout = {
	"timeout", 0, "SECONDS", "end the command after this time",
	option_seconds, OPTION_OF(struct event_args, timeout_ns),
};

static const struct option_desc *const event_options[] = {
	TARGET_OPTIONS, &opt_type, &opt_cause, &opt_vmid, &opt_count,
	&opt_timeout, NULL,
};

const struct command event_commands[] = {
	{
		.noun = "event",
		.verb = "follow",
		.aliases = { "events" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "print events of waves as they occur",
		.help = "Prints a line for each event: seconds since boot, number, type, wave, VMID, PASID,\n"
			"PC, data and cause. It exits when the process of --pid exits, with --count or\n"
			"--timeout, or on Ctrl-C. Without --pid, it needs root. Types are wave, gpu-reset,\n"
			"halt-expired and others; lost, target-gone and gpu-gone are always reported.",
		.options = event_options,
		.args_size = sizeof(struct event_args),
		.run = cmd_event_follow,
	},
	{ .noun = NULL },
};
