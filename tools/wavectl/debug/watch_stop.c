// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set --stop: sets a watch, and the trap handler and exception that waves need to
 * stop at it; prints each hit and resumes the wave.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/util.h"
#include "debug/debug.h"
#include "debug/state.h"
#include "debug/watch_stop.h"
#include "waves/hold.h"
#include "waves/stop.h"
#include "waves/watch.h"

struct stopping {
	struct amdgpudbg_watch_set *watch;
	struct adbg_wave_list *list;
	struct adbg_wave_state *state;
	bool handler;			/* what this command has set */
	bool launch;
	bool watching;
	uint64_t hits;
	uint64_t max_hits;		/* 0: no limit */
};

static int set_handler(struct wavectl *w, struct stopping *s)
{
	int ret, status = debug_refuse(w);

	if (status || (w->shell && w->shell->handler != HANDLER_NONE))
		return status;
	ret = adbg_trap_install(w->session, NULL);
	if (ret)
		return fail(w, ret, "cannot install the trap handler");
	s->handler = true;
	if (w->shell)
		w->shell->handler = HANDLER_DEFAULT;
	return WAVECTL_OK;
}

/* Enable the exception, and keep the launch mode of the shell. */
static int set_exception(struct wavectl *w, struct stopping *s)
{
	struct amdgpudbg_launch_set launch = { 0 };
	int ret;

	if (w->shell)
		launch = w->shell->launch;
	launch.flags |= AMDGPUDBG_LAUNCH_SET_EXCP;
	launch.excp_mask |= AMDGPUDBG_CAUSE_WATCH;
	ret = adbg_launch_set(w->session, &launch);
	if (ret)
		return fail(w, ret, "cannot enable the exception addr-watch");
	s->launch = true;
	return WAVECTL_OK;
}

static int set_all(struct wavectl *w, struct stopping *s)
{
	int status = set_handler(w, s);

	if (!status)
		status = set_exception(w, s);
	if (!status)
		status = watch_set(w, s->watch);
	s->watching = !status;
	return status;
}

/*
 * Undo everything, before the end is reported. In a shell step by step; what is gone with the
 * process, a reset or the VMID, is not an error.
 */
static void take_back(struct wavectl *w, struct stopping *s)
{
	struct shell_session *d = w->shell;

	close_target(w);
	if (!d)
		return;
	if (s->watching)
		watch_clear(w, s->watch->id);
	if (s->launch)
		ignore_result(adbg_launch_set(w->session, &d->launch));
	if (s->handler) {
		ignore_result(stop_clear_handler(w));
		stop_resume_rest(w);
	}
}

static int say_set(struct wavectl *w, const struct stopping *s)
{
	emit_begin_live(w->emit);
	emit_str(w->emit, "state", "holding");
	watch_emit(w, s->watch);
	emit_uint(w->emit, "watch", s->watch->id);
	emit_uint(w->emit, "vmid", s->watch->vmid);
	emit_say(w->emit,
		 "watch {watch} of VMID {vmid} stops new waves; holding, Ctrl-C ends");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int say_end(struct wavectl *w, struct stopping *s, bool exited)
{
	take_back(w, s);
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_bool(w->emit, "exited", exited);
	emit_uint(w->emit, "watch", s->watch->id);
	emit_uint(w->emit, "hits", s->hits);
	emit_say(w->emit, exited ? "the process exited after {hits} hits" :
				   "{hits} hits; the waves continue to run");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Find the wave of the event. Returns 0 or -errno. */
static int find_wave(struct wavectl *w, struct stopping *s,
		     const struct amdgpudbg_event *ev)
{
	struct amdgpudbg_wave_list what = {
		.select.vmid_mask = 1U << ev->vmid, .select.at = ev->at,
		.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE |
				  AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP |
				  AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
	};
	int ret = adbg_wave_list_fill(s->list, w->session, &what);

	if (ret)
		return ret;
	return adbg_wave_list_count(s->list) ? 0 : -ENODATA;
}

/* Report a stop, also one for another reason, and resume the wave. */
static int take_stop(struct wavectl *w, struct stopping *s,
		     const struct amdgpudbg_event *ev)
{
	int status;

	emit_begin_live(w->emit);
	stop_emit(w, ev);
	if (ev->watch_mask >> s->watch->id & 1) {
		s->hits++;
		if (!find_wave(w, s, ev))
			state_emit(w, s->state, adbg_wave_list_get(s->list, 0));
	}
	status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	return stop_resume(w, &ev->at, ev->vmid) ?: status;
}

/* No other command resumes waves whose stop was lost. */
static int take_lost(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	int ret, status = stop_say(w, ev);

	/* In a shell, waves may be halted for another reason; the user decides. */
	if (w->shell)
		return status;
	ret = adbg_resume_all(w->session, NULL);
	if (ret && ret != -ETIMEDOUT && ret != -ENODATA && ret != -ENOTCONN)
		return fail(w, ret, "cannot resume the waves");
	return status;
}

static bool is_enough(const struct stopping *s)
{
	return s->max_hits && s->hits >= s->max_hits;
}

/*
 * Handle the events that have arrived. Returns 0, or -errno of reading; @status is that of
 * printing; *why is set if an event ends the hold.
 */
static int drain(struct wavectl *w, struct stopping *s, int *status,
		 const char **why)
{
	struct amdgpudbg_event ev = { 0 };
	int ret;

	while (!*status && !*why && !is_enough(s) && !hold_interrupted()) {
		ret = adbg_event_next(w->session, &ev, 0);
		if (ret)
			return ret == -EAGAIN ? 0 : ret;
		if (ev.flags & AMDGPUDBG_EVENT_HAS_WAVE)
			*status = take_stop(w, s, &ev);
		else if (ev.type == AMDGPUDBG_EVENT_LOST)
			*status = take_lost(w, &ev);
		else if (ev.type != AMDGPUDBG_EVENT_TARGET_GONE)
			*why = hold_end_reason(&ev);
	}
	return 0;
}

static int follow(struct wavectl *w, struct stopping *s, const struct hold *hold)
{
	int fd = adbg_session_get_fd(w->session);
	int ret, status = WAVECTL_OK;
	const char *why = NULL;

	for (;;) {
		ret = drain(w, s, &status, &why);
		if (status) {
			take_back(w, s);
			return status;
		}
		if (ret && ret != -ENOTCONN) {
			status = fail(w, ret, "cannot read an event");
			take_back(w, s);
			return status;
		}
		if (why) {
			status = say_end(w, s, false);
			return status ? status : hold_fail(w, why);
		}
		if (ret || is_enough(s))
			return say_end(w, s, ret);

		ret = hold_wait_for(hold, fd);
		if (ret < 0) {
			take_back(w, s);
			return fail_system(w, ret, "cannot wait");
		}
		if (!ret)
			return say_end(w, s, false);
	}
}

static int stop_at(struct wavectl *w, struct stopping *s)
{
	struct hold hold;
	int status;

	status = hold_open_events(w, &hold, STOP_EVENTS);
	if (status)
		return status;

	status = set_all(w, s);
	if (!status)
		status = say_set(w, s);
	if (status)
		take_back(w, s);
	else
		status = follow(w, s, &hold);
	hold_end(&hold);
	return status;
}

int watch_stop(struct wavectl *w, struct amdgpudbg_watch_set *watch, uint64_t max_hits)
{
	struct stopping s = { .watch = watch, .max_hits = max_hits };
	int ret, status;

	ret = adbg_wave_list_new(&s.list);
	if (!ret)
		ret = adbg_wave_state_new(&s.state);
	status = ret ? fail_system(w, ret, "cannot allocate a list") :
		       stop_at(w, &s);
	adbg_wave_state_free(s.state);
	adbg_wave_list_free(s.list);
	return status;
}
