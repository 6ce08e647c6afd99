// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl trap install and trap set.
 *
 * A trap handler belongs to its session, and so do the waves that it halts. So
 * both stay until they are told to end, and say meanwhile which waves stop.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hold.h"
#include "util.h"
#include "wavectl.h"

#define EVENTS	(AMDGPUDBG_EVENT_WAVE_STOPPED | \
		 AMDGPUDBG_EVENT_WATCH_HIT | \
		 AMDGPUDBG_EVENT_EXCEPTION | HOLD_ENDS)

/* A handler that is set: what is told of it. */
struct handler {
	const char *file;		/* NULL: the default one */
	void *code;
	size_t size;
	uint32_t vmid;
	uint64_t stops;
};

/* Read all of the file, which must fit in a buffer. 0 or -errno. */
static int read_code(struct handler *h)
{
	FILE *file = fopen(h->file, "re");
	int ret = 0;

	if (!file)
		return -errno;

	h->code = xcalloc(1, AMDGPUDBG_MEM_MAX_BYTES);
	h->size = fread(h->code, 1, AMDGPUDBG_MEM_MAX_BYTES, file);
	if (ferror(file))
		ret = -EIO;
	else if (!feof(file) && fgetc(file) != EOF)
		ret = -EFBIG;
	fclose(file);
	return ret;
}

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
	struct amdgpudbg_trap_handler handler = { .tba_size = h->size };
	struct amdgpudbg_mem_alloc code, memory;
	int ret;

	ret = make_buffer(w, AMDGPUDBG_MEM_ALLOC_EXEC, h->size, &code);
	if (!ret)
		ret = adbg_mem_write(w->session, code.id, 0, h->code, h->size);
	handler.tba = code.va;
	if (!ret && w->bytes) {
		ret = make_buffer(w, AMDGPUDBG_MEM_ALLOC_UNCACHED, w->bytes,
				  &memory);
		handler.tma = memory.va;
		handler.tma_size = memory.bytes;
	}
	if (ret)
		return fail(w, ret, "cannot make room for the handler");

	ret = adbg_trap_handler_set(w->session, &handler);
	h->vmid = handler.vmid;
	return ret ? fail(w, ret, "cannot set the trap handler") : WAVECTL_OK;
}

static int set_handler(struct wavectl *w, struct handler *h)
{
	int ret;

	if (h->file)
		return set_code(w, h);
	ret = adbg_trap_install(w->session, &h->vmid);
	return ret ? fail(w, ret,
			  "cannot install the trap handler") : WAVECTL_OK;
}

static void emit_handler(struct wavectl *w, const struct handler *h)
{
	if (h->file)
		emit_str(w->emit, "handler", h->file);
	else
		emit_str(w->emit, "handler", "default");
	emit_bool(w->emit, "resume", w->resume);
}

static int say_dry_run(struct wavectl *w, const struct handler *h)
{
	emit_begin(w->emit);
	emit_bool(w->emit, "dry_run", true);
	emit_handler(w, h);
	emit_say(w->emit, "would set the trap handler {handler}; nothing was changed");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int say_set(struct wavectl *w, const struct handler *h)
{
	emit_begin(w->emit);
	emit_str(w->emit, "state", "holding");
	emit_handler(w, h);
	emit_uint(w->emit, "vmid", h->vmid);
	emit_say(w->emit,
		 "trap handler {handler} of VMID {vmid}; holding, Ctrl-C ends");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The end of a hold. The target may have exited meanwhile. */
static int end_handler(struct wavectl *w, const struct handler *h, bool exited)
{
	close_target(w);
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_bool(w->emit, "exited", exited);
	emit_uint(w->emit, "stops", h->stops);
	emit_say(w->emit, exited ? "the process has exited after {stops} stops" :
				   "{stops} stops; the waves run on");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Why and where: TTMP0 and TTMP1 have it if the handler has left them alone. */
static void emit_why(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	uint32_t gc_version = adbg_session_get_gc_version(w->session);
	const char *causes[ADBG_MAX_CAUSES];
	struct amdgpudbg_wave wave = { .flags = AMDGPUDBG_WAVE_TTMP };
	struct adbg_trap trap = { .pc = ev->pc };
	size_t n;

	memcpy(wave.ttmp, ev->ttmp, sizeof(ev->ttmp));
	if (!(ev->flags & AMDGPUDBG_EVENT_HAS_STATE) ||
	    adbg_wave_get_trap(&wave, gc_version, &trap))
		trap.pc = ev->pc;
	emit_hex64(w->emit, "pc", trap.pc);
	emit_uint(w->emit, "trap_id", ev->trap_id);
	emit_bool(w->emit, "host", ev->cause & AMDGPUDBG_CAUSE_HOST_TRAP);
	n = adbg_event_causes(ev->cause, causes, ARRAY_SIZE(causes));
	emit_names(w->emit, "cause", causes, n);
	if (ev->cause & AMDGPUDBG_CAUSE_HOST_TRAP)
		emit_say(w->emit,
			 "{name} vmid {vmid} stopped at {pc}: it was told to, trap {trap_id}");
	else if (ev->cause & AMDGPUDBG_CAUSE_S_TRAP)
		emit_say(w->emit,
			 "{name} vmid {vmid} stopped at {pc}: s_trap {trap_id}");
	else if (n)
		emit_say(w->emit,
			 "{name} vmid {vmid} stopped at {pc}: {cause}");
	else
		emit_say(w->emit, "{name} vmid {vmid} stopped at {pc}");
}

static int say_stop(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *type = adbg_event_type_name(ev->type);

	emit_begin(w->emit);
	emit_str(w->emit, "type", type ? type : "unknown");
	if (ev->flags & AMDGPUDBG_EVENT_HAS_WAVE) {
		emit_at(w->emit, "name", &ev->at);
		emit_uint(w->emit, "vmid", ev->vmid);
		emit_why(w, ev);
	} else {
		emit_uint(w->emit, "count", ev->data);
		emit_say(w->emit, "{type} {count}");
	}
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Let it go on, if it is still the one that has stopped. */
static int resume(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE, .vmid = ev->vmid,
		.at = ev->at,
	};
	int ret;

	ret = adbg_wave_control(w->session, &control);
	/* It has ended, or its process has, which is told next. */
	if (!ret || ret == -ENODATA || ret == -ESTALE || ret == -ENOTCONN)
		return WAVECTL_OK;
	return fail(w, ret, "cannot resume a wave");
}

static int take_event(struct wavectl *w, struct handler *h,
		      const struct amdgpudbg_event *ev)
{
	int status;

	if (ev->type == AMDGPUDBG_EVENT_TARGET_GONE)
		return WAVECTL_OK;
	if (hold_why(ev)) {
		status = end_handler(w, h, false);
		return status ? status : hold_fail(w, hold_why(ev));
	}
	status = say_stop(w, ev);
	if (!(ev->flags & AMDGPUDBG_EVENT_HAS_WAVE))
		return status;
	h->stops++;
	if (!status && w->resume)
		status = resume(w, ev);
	return status;
}

/* All that has come. 0, or -errno of taking it; @status is of telling it. */
static int drain(struct wavectl *w, struct handler *h, int *status)
{
	struct amdgpudbg_event ev = { 0 };
	int ret;

	while (!*status && (!w->count || h->stops < w->count)) {
		ret = adbg_event_next(w->session, &ev, 0);
		if (ret)
			return ret == -EAGAIN ? 0 : ret;
		*status = take_event(w, h, &ev);
	}
	return 0;
}

static int follow(struct wavectl *w, struct handler *h, const struct hold *hold)
{
	int fd = adbg_session_get_fd(w->session);
	int ret, status = WAVECTL_OK;

	for (;;) {
		ret = drain(w, h, &status);
		if (status)
			return status;
		if (ret && ret != -ENOTCONN)
			return fail(w, ret, "cannot take an event");
		if (ret || (w->count && h->stops >= w->count))
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
	int ret, status;

	ret = hold_prepare(&hold);
	if (!ret)
		ret = hold_start(&hold, w->hold_ns);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");

	/* Before there is a handler, so that no stop is missed. */
	ret = adbg_event_enable(w->session, EVENTS, 0);
	if (ret)
		status = fail(w, ret, "cannot follow events");
	else
		status = set_handler(w, h);
	if (!status)
		status = say_set(w, h);
	if (!status)
		status = follow(w, h, &hold);
	hold_end(&hold);
	return status;
}

static int trap(struct wavectl *w, struct handler *h)
{
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes --pid: it is for one process's waves");
	status = open_target(w);
	if (status)
		return status;
	return w->dry_run ? say_dry_run(w, h) : hold_handler(w, h);
}

int cmd_trap_install(struct wavectl *w)
{
	struct handler h = { .file = NULL };

	return trap(w, &h);
}

int cmd_trap_set(struct wavectl *w)
{
	struct handler h = { .file = NULL };
	int ret, status;

	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes one file: the handler's code");
	h.file = w->words[0];
	ret = read_code(&h);
	if (ret)
		status = fail_with(w, WAVECTL_FAILED, NULL, "%s: %s", h.file,
				   strerror(-ret));
	else if (h.size < 4)
		status = fail_with(w, WAVECTL_USAGE, NULL,
				   "%s: there is no code in it", h.file);
	else
		status = trap(w, &h);
	free(h.code);
	return status;
}
