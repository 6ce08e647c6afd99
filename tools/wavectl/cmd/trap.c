// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl trap install and trap set. A trap handler, and the waves that it halts, belong to the
 * session. So both commands wait until they are to end, and report the waves that stop.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/memory.h"
#include "waves/stop.h"

struct trap_args {
	uint64_t bytes;			/* 0: not given */
	bool resume;
	uint64_t count;			/* 0: not given */
	bool off;
};

/* A trap handler and its stops */
struct handler {
	const char *file;		/* NULL: the default one */
	struct memory code;
	uint32_t vmid;
	uint64_t stops;
	/* In a shell, the waves to resume at the end: those that stopped */
	struct amdgpudbg_event *stopped;
	size_t num_stopped;
};

static int make_buffer(struct wavectl *w, uint32_t flags, uint64_t bytes,
		       struct amdgpudbg_mem_alloc *mem)
{
	struct amdgpudbg_mem_alloc m = { .flags = flags, .bytes = bytes };
	int ret;

	ret = adbg_mem_alloc(w->session, &m);
	*mem = m;
	return ret;
}

static int set_code(struct wavectl *w, struct handler *h)
{
	const struct trap_args *args = w->args;
	struct amdgpudbg_trap_handler handler = { .tba_size = h->code.bytes };
	struct amdgpudbg_mem_alloc code, memory;
	int ret;

	ret = make_buffer(w, AMDGPUDBG_MEM_ALLOC_EXEC, h->code.bytes, &code);
	if (!ret)
		ret = adbg_mem_write(w->session, code.id, 0, h->code.data,
				     h->code.bytes);
	handler.tba = code.va;
	if (!ret && args->bytes) {
		ret = make_buffer(w, AMDGPUDBG_MEM_ALLOC_UNCACHED, args->bytes,
				  &memory);
		handler.tma = memory.va;
		handler.tma_size = memory.bytes;
	}
	if (ret)
		return fail(w, ret, "cannot allocate memory for the trap handler");

	ret = adbg_trap_handler_set(w->session, &handler);
	h->vmid = handler.vmid;
	return ret ? fail(w, ret, "cannot set the trap handler") : WAVECTL_OK;
}

static int set_handler(struct wavectl *w, struct handler *h)
{
	int ret, status = debug_refuse(w);

	if (status)
		return status;

	if (h->file) {
		status = set_code(w, h);
	} else {
		ret = adbg_trap_install(w->session, &h->vmid);
		if (ret)
			status = fail(w, ret, "cannot install the trap handler");
	}
	if (!status && w->shell)
		w->shell->handler = h->file ? HANDLER_OWN : HANDLER_DEFAULT;
	return status;
}

static void emit_handler(struct wavectl *w, const void *data)
{
	const struct trap_args *args = w->args;
	const struct handler *h = data;

	if (h->file)
		emit_str(w->emit, "handler", h->file);
	else
		emit_str(w->emit, "handler", "default");
	emit_bool(w->emit, "resume", args->resume);
}

/*
 * In a shell the handler outlasts the command and the shell reports the stops, except with
 * options that need a command that waits.
 */
static bool stays(const struct wavectl *w)
{
	const struct trap_args *args = w->args;

	return hold_stays(w) && !args->resume && !args->count;
}

static int say_set(struct wavectl *w, const struct handler *h)
{
	char *sentence = NULL;

	if (stays(w))
		emit_begin(w->emit);
	else
		emit_begin_live(w->emit);
	emit_str(w->emit, "state", "holding");
	emit_handler(w, h);
	emit_uint(w->emit, "vmid", h->vmid);
	xappend(&sentence, "trap handler {handler} of VMID {vmid} is set%s",
		stays(w) ? hold_end_text(w) : "; holding, Ctrl-C ends");
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Undo everything, before the end is reported. */
static int take_back(struct wavectl *w, const struct handler *h)
{
	int ret, status = WAVECTL_OK;

	close_target(w);
	if (!w->shell)
		return WAVECTL_OK;

	ret = stop_clear_handler(w);
	if (ret)
		return fail(w, ret, "cannot clear the trap handler");
	for (size_t i = 0; !status && i < h->num_stopped; i++)
		status = stop_resume(w, &h->stopped[i].at, h->stopped[i].vmid);
	stop_resume_rest(w);
	return status;
}

/* Undo everything and report the end. The process may have exited. */
static int end_handler(struct wavectl *w, const struct handler *h, bool exited)
{
	int status = take_back(w, h);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_bool(w->emit, "exited", exited);
	emit_uint(w->emit, "stops", h->stops);
	emit_say(w->emit, exited ? "the process exited after {stops} stops" :
				   "{stops} stops; the waves continue to run");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int take_event(struct wavectl *w, struct handler *h,
		      const struct amdgpudbg_event *ev)
{
	const struct trap_args *args = w->args;
	int status;

	if (ev->type == AMDGPUDBG_EVENT_TARGET_GONE)
		return WAVECTL_OK;
	if (hold_end_reason(ev)) {
		status = end_handler(w, h, false);
		return status ? status : hold_fail(w, hold_end_reason(ev));
	}
	status = stop_say(w, ev);
	if (!(ev->flags & AMDGPUDBG_EVENT_HAS_WAVE))
		return status;
	h->stops++;
	if (!status && args->resume)
		return stop_resume(w, &ev->at, ev->vmid);
	if (w->shell) {
		h->stopped = xreallocarray(h->stopped, h->num_stopped + 1,
					   sizeof(*h->stopped));
		h->stopped[h->num_stopped++] = *ev;
	}
	return status;
}

/*
 * Handle the events that have arrived. Returns 0, or -errno of reading; @status is that of
 * printing.
 */
static int drain(struct wavectl *w, struct handler *h, int *status)
{
	const struct trap_args *args = w->args;
	struct amdgpudbg_event ev = { 0 };
	int ret;

	while (!*status && (!args->count || h->stops < args->count) && !hold_interrupted()) {
		ret = adbg_event_next(w->session, &ev, 0);
		if (ret)
			return ret == -EAGAIN ? 0 : ret;
		*status = take_event(w, h, &ev);
	}
	return 0;
}

static int follow(struct wavectl *w, struct handler *h, const struct hold *hold)
{
	const struct trap_args *args = w->args;
	int fd = adbg_session_get_fd(w->session);
	int ret, status = WAVECTL_OK;

	for (;;) {
		ret = drain(w, h, &status);
		if (status)
			return status;
		if (ret && ret != -ENOTCONN)
			return fail(w, ret, "cannot read an event");
		if (ret || (args->count && h->stops >= args->count))
			return end_handler(w, h, ret);

		ret = hold_wait_for(hold, fd);
		if (ret < 0)
			return fail_system(w, ret, "cannot wait");
		if (!ret)
			return end_handler(w, h, false);
	}
}

static int hold_handler(struct wavectl *w, struct handler *h)
{
	struct hold hold;
	int status;

	status = hold_open_events(w, &hold, STOP_EVENTS);
	if (status)
		return status;

	status = set_handler(w, h);
	if (!status) {
		status = say_set(w, h) ?: follow(w, h, &hold);
		/* follow() may have failed before it cleared the handler. */
		if (w->shell && w->shell->handler != HANDLER_NONE)
			take_back(w, h);
	}
	hold_end(&hold);
	return status;
}

/* The shell reports the stops, so its events are enabled before the first one. */
static int keep_handler(struct wavectl *w, struct handler *h)
{
	int status;

	status = hold_follow(w, STOP_EVENTS, 0);
	if (!status)
		status = set_handler(w, h);
	if (status)
		return status;
	w->shell->wants |= STOP_EVENTS;
	return say_set(w, h);
}

static int end_kept(struct wavectl *w)
{
	int ret, status;

	if (!w->shell)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--off is only for settings made in the same shell or batch");
	status = open_target(w);
	if (status)
		return status;
	ret = stop_clear_handler(w);
	if (ret)
		return fail(w, ret, "cannot clear the trap handler");

	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_say(w->emit, "new waves start without this session's trap handler");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int run_handler(struct wavectl *w, void *data)
{
	struct handler *h = data;
	int status = stays(w) ? keep_handler(w, h) : hold_handler(w, h);

	free(h->stopped);
	return status;
}

static int trap(struct wavectl *w, struct handler *h)
{
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: this command is about the waves of one process");
	status = open_target(w);
	if (status)
		return status;
	return action_run(w, &(struct action){
		.what = "set the trap handler {handler}",
		.describe = emit_handler, .run = run_handler, .data = h,
	});
}

static int cmd_trap_install(struct wavectl *w)
{
	const struct trap_args *args = w->args;
	struct handler h = { .file = NULL };

	return args->off ? end_kept(w) : trap(w, &h);
}

static int cmd_trap_set(struct wavectl *w)
{
	const struct trap_args *args = w->args;
	struct handler h = { .file = NULL };
	int ret, status;

	if (args->off)
		return end_kept(w);
	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"trap set\" takes one file: the code of the handler");
	h.file = w->words[0];
	/* It must fit in one buffer. */
	ret = memory_read_file(h.file, AMDGPUDBG_MEM_MAX_BYTES, &h.code);
	if (ret)
		status = fail_with(w, WAVECTL_FAILED, NULL, "%s: %s", h.file,
				   strerror(-ret));
	else if (h.code.bytes < 4)
		status = fail_with(w, WAVECTL_USAGE, NULL,
				   "%s is empty: it must contain the code of a trap handler",
				   h.file);
	else
		status = trap(w, &h);
	free(h.code.data);
	return status;
}

static const struct option_desc opt_memory = {
	"memory", 0, "BYTES", "allocate memory of this size for the handler",
	option_positive, OPTION_OF(struct trap_args, bytes),
};

static const struct option_desc opt_resume = {
	"resume", 0, NULL, "resume each wave after its stop was printed",
	option_flag, OPTION_OF(struct trap_args, resume),
};

static const struct option_desc opt_stops = OPTION_COUNT_STOPS(struct trap_args);

static const struct option_desc opt_set_off = OPTION_SET_OFF(struct trap_args);

static const struct option_desc *const install_options[] = {
	TARGET_OPTIONS, &opt_resume, &opt_stops, &opt_for, &opt_set_off,
	NULL,
};

static const struct option_desc *const handler_options[] = {
	TARGET_OPTIONS, &opt_memory, &opt_resume, &opt_stops, &opt_for,
	&opt_set_off, NULL,
};

const struct command trap_commands[] = {
	{
		.noun = "trap",
		.verb = "install",
		.summary = "stop the waves of a process at traps, until Ctrl-C",
		.help = "Installs the default trap handler for new waves and prints a line for each wave\n"
			"that stops: at s_trap, at an exception or a watch, or in debug mode. The wave stays\n"
			"halted until the end, or is resumed with --resume. At the end all waves are resumed.",
		.options = install_options,
		.args_size = sizeof(struct trap_args),
		.run = cmd_trap_install,
	},
	{
		.noun = "trap",
		.verb = "set",
		.args = "FILE",
		.summary = "install a trap handler for the waves of a process, until Ctrl-C",
		.help = "FILE contains the machine code of the handler. A line is printed for each interrupt\n"
			"that the handler sends. The handler must return. wavectl resumes the waves that it\n"
			"halted at the end.",
		.options = handler_options,
		.args_size = sizeof(struct trap_args),
		.run = cmd_trap_set,
	},
	{ .noun = NULL },
};
