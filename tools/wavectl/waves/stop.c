// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints stops and resumes waves: see stop.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/stop.h"

#define EVENTS_AT_ONCE	256
/* The host may evaluate a condition for an event, which takes milliseconds. */
#define EVENTS_NS	100000000

bool event_portion_take(struct event_portion *portion)
{
	if (!portion->num)
		portion->end_ns = now_ns() + EVENTS_NS;
	return portion->num++ < EVENTS_AT_ONCE && now_ns() < portion->end_ns;
}

void stop_emit_cause(struct wavectl *w, uint64_t cause, uint32_t watch_mask, uint32_t trap_id)
{
	const char *causes[ADBG_MAX_CAUSES];

	emit_uint(w->emit, "trap_id", trap_id);
	emit_bool(w->emit, "host", cause & AMDGPUDBG_CAUSE_HOST_TRAP);
	emit_names(w->emit, "cause", causes,
		   adbg_event_causes(cause, watch_mask, causes, ARRAY_SIZE(causes)));
}

const char *stop_reason_text(uint64_t cause)
{
	const char *first;

	if (cause & AMDGPUDBG_CAUSE_HOST_TRAP)
		return "trap {trap_id} by the host";
	if (cause & AMDGPUDBG_CAUSE_S_TRAP)
		return "s_trap {trap_id}";
	return adbg_event_causes(cause, 1, &first, 1) ? "{cause}" : NULL;
}

static void emit_why(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *why = stop_reason_text(ev->cause);
	char *sentence = NULL;

	emit_hex64(w->emit, "pc", ev->pc);
	stop_emit_cause(w, ev->cause, ev->watch_mask, ev->trap_id);
	xappend(&sentence, "{name} vmid {vmid} stopped at {pc}%s%s", why ? ": " : "",
		why ? why : "");
	emit_say(w->emit, sentence);
	free(sentence);
}

void stop_emit(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	const char *type = adbg_event_type_name(ev->type);

	emit_str(w->emit, "type", type ? type : "unknown");
	if (ev->flags & AMDGPUDBG_EVENT_HAS_WAVE) {
		emit_at(w->emit, "name", &ev->at);
		emit_uint(w->emit, "vmid", ev->vmid);
		emit_why(w, ev);
	} else {
		emit_uint(w->emit, "count", ev->data);
		emit_say(w->emit, "{type} {count}");
	}
}

int stop_say(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	emit_begin_live(w->emit);
	stop_emit(w, ev);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int stop_clear_handler(struct wavectl *w)
{
	struct shell_session *d = w->shell;
	int ret = d->handler == HANDLER_DEFAULT ?
		  adbg_trap_uninstall(w->session) :
		  adbg_trap_handler_clear(w->session);

	if (ret && ret != -ENOENT && ret != -ENOTCONN)
		return ret;
	d->handler = HANDLER_NONE;
	d->wants &= ~STOP_EVENTS;
	return 0;
}

/* Resume the wave, if it is still the one that stopped. */
int stop_resume(struct wavectl *w, const struct amdgpudbg_wave_coord *at,
		uint32_t vmid)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE, .vmid = vmid,
		.at = *at,
	};
	int ret;

	ret = adbg_wave_control(w->session, &control);
	/* The wave or its process has ended, which is reported next. */
	if (!ret || ret == -ENODATA || ret == -ESTALE || ret == -ENOTCONN)
		return WAVECTL_OK;
	return fail(w, ret, "cannot resume a wave");
}

void stop_keep(struct shell_session *d, const struct amdgpudbg_event *ev)
{
	d->kept = xreallocarray(d->kept, d->num_kept + 1, sizeof(*d->kept));
	d->kept[d->num_kept++] = *ev;
}

void stop_resume_rest(struct wavectl *w)
{
	struct amdgpudbg_event ev = { 0 };

	while (!adbg_event_next(w->session, &ev, 0)) {
		if (ev.type == AMDGPUDBG_EVENT_WAVE && ev.flags & AMDGPUDBG_EVENT_HAS_WAVE)
			stop_resume(w, &ev.at, ev.vmid);
		else
			stop_keep(w->shell, &ev);
	}
}
