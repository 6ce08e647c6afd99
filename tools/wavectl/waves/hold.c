// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signals and holds: see hold.h. Standard input plays no part, so that a hold works in the
 * background and in scripts.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/util.h"
#include "waves/hold.h"
#include "waves/stop.h"

/*
 * Signals that arrive twice within this time count once: timeout(1), for example, signals the
 * program and its process group.
 */
#define REPEAT_NS	100000000

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };

/* State that the signal handler shares with the program */
static struct {
	int fd;				/* eventfd, readable while a signal is pending */
	bool is_open;
	unsigned int pending;		/* HOLD_SIGNAL_*, atomic */
	uint64_t first_ns;		/* time of the first one */
	bool was_ignored[ARRAY_SIZE(ending)];
} signals;

/*
 * The first signal asks the program to end the current operation. A second one before that ends
 * the program, in case it is stuck: the kernel then closes the session and resumes its waves.
 */
static void take_signal(int number)
{
	unsigned int what = number == SIGINT ? HOLD_SIGNAL_INTERRUPT : HOLD_SIGNAL_END;
	const uint64_t one = 1;
	int error = errno;

	if (!__atomic_fetch_or(&signals.pending, what, __ATOMIC_SEQ_CST)) {
		signals.first_ns = now_ns();
		/* It fails if the counter is at its limit, and then it is readable. */
		ignore_result(write(signals.fd, &one, sizeof(one)));
	} else if (now_ns() - signals.first_ns >= REPEAT_NS) {
		/* It is blocked here, and ends the program when this function returns. */
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = error;
}

static void set_of_ending(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaddset(set, ending[i]);
}

int hold_catch(void)
{
	/* System calls are restarted, so that no caller of one has to expect EINTR. */
	struct sigaction action = { .sa_handler = take_signal, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (!signals.is_open) {
		signals.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (signals.fd < 0)
			return -errno;
		signals.is_open = true;
	}
	set_of_ending(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		if (sigaction(ending[i], &action, &before))
			return -errno;
		signals.was_ignored[i] |= before.sa_handler == SIG_IGN;
	}
	return 0;
}

void hold_delay_signals(bool delay)
{
	sigset_t set;

	set_of_ending(&set);
	sigprocmask(delay ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void hold_ignore_again(bool ignore)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (ignore && signals.was_ignored[i])
			signal(ending[i], SIG_IGN);
	if (!ignore)
		hold_catch();
}

void hold_interrupt(void)
{
	const uint64_t one = 1;

	__atomic_fetch_or(&signals.pending, HOLD_SIGNAL_INTERRUPT, __ATOMIC_SEQ_CST);
	/* It fails if the counter is at its limit, and then it is readable. */
	ignore_result(write(signals.fd, &one, sizeof(one)));
}

unsigned int hold_take_signals(void)
{
	uint64_t count;

	if (!signals.is_open)
		return 0;
	/* A signal in between is handled, and leaves the descriptor readable. */
	ignore_result(read(signals.fd, &count, sizeof(count)));
	return __atomic_exchange_n(&signals.pending, 0, __ATOMIC_SEQ_CST);
}

bool hold_interrupted(void)
{
	return __atomic_load_n(&signals.pending, __ATOMIC_SEQ_CST);
}

int hold_prepare(struct hold *hold)
{
	int ret = hold_catch();

	hold->timer = -1;
	hold->events = -1;
	hold->signals = ret ? -1 : fcntl(signals.fd, F_DUPFD_CLOEXEC, 0);
	if (!ret && hold->signals < 0)
		ret = -errno;
	return ret;
}

int hold_start(struct hold *hold, uint64_t ns)
{
	struct itimerspec when = {
		.it_value = {
			.tv_sec = ns / 1000000000,
			.tv_nsec = ns % 1000000000,
		},
	};

	if (!ns)
		return 0;

	hold->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (hold->timer < 0 ||
	    timerfd_settime(hold->timer, 0, &when, NULL) < 0)
		return -errno;

	return 0;
}

int hold_open(struct wavectl *w, struct hold *hold, uint64_t ns)
{
	int ret = hold_prepare(hold);

	if (!ret)
		ret = hold_start(hold, ns);
	return ret ? fail_system(w, ret, "cannot catch signals") : WAVECTL_OK;
}

bool hold_stays(const struct wavectl *w)
{
	return w->shell && !w->hold_ns;
}

const char *hold_end_text(const struct wavectl *w)
{
	return hold_stays(w) ? " until --off or the end of the session" :
			       "; holding, Ctrl-C ends";
}

void hold_begin(struct wavectl *w)
{
	if (hold_stays(w))
		emit_begin(w->emit);
	else
		emit_begin_live(w->emit);
}

int hold_events(struct wavectl *w, uint64_t types, uint64_t causes)
{
	int ret;

	if (w->shell)
		types |= w->shell->wants;
	ret = adbg_event_enable(w->session, types, w->shell ? 0 : causes, 0);
	if (!ret && w->shell)
		w->shell->listening = types;
	return ret;
}

int hold_follow(struct wavectl *w, uint64_t types, uint64_t causes)
{
	int ret = hold_events(w, types, causes);

	return ret ? fail(w, ret, "cannot follow events") : WAVECTL_OK;
}

int hold_wait_for(const struct hold *hold, int fd)
{
	/* poll() ignores the descriptor -1. */
	struct pollfd fds[] = {
		{ .fd = hold->signals, .events = POLLIN },
		{ .fd = hold->timer, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	while (poll(fds, 3, -1) < 0)
		if (errno != EINTR)
			return -errno;

	return !fds[0].revents && !fds[1].revents;
}

int hold_open_events(struct wavectl *w, struct hold *hold, uint64_t types)
{
	int status = hold_open(w, hold, w->hold_ns);

	if (status)
		return status;
	status = hold_follow(w, types | HOLD_ENDS, 0);
	if (status)
		hold_end(hold);
	return status;
}

int hold_listen(struct wavectl *w, struct hold *hold)
{
	int ret = hold_events(w, HOLD_ENDS, 0);

	/*
	 * A caller without access to events cannot halt anything either; that call reports the
	 * error.
	 */
	if (ret == -EPERM)
		return WAVECTL_OK;
	if (ret)
		return fail(w, ret, "cannot follow events");
	hold->events = adbg_session_get_fd(w->session);
	return WAVECTL_OK;
}

static const char *handler_lost_reason(uint32_t reason)
{
	switch (reason) {
	case AMDGPUDBG_HANDLER_LOST_VMID_RELEASED:
		return "the process has released its VMID";
	case AMDGPUDBG_HANDLER_LOST_VMID_SHARED:
		return "the process has to share its VMID";
	case AMDGPUDBG_HANDLER_LOST_RESET:
		/* The event of the reset comes next. */
		return NULL;
	case AMDGPUDBG_HANDLER_LOST_REWRITTEN:
		return "the driver has replaced the trap handler";
	default:
		return "the trap handler is gone";
	}
}

const char *hold_end_reason(const struct amdgpudbg_event *event)
{
	switch (event->type) {
	case AMDGPUDBG_EVENT_HALT_EXPIRED:
		return "users have used up the time for which they can stop waves";
	case AMDGPUDBG_EVENT_GPU_RESET:
		return "the GPU, or a part of it, was reset";
	case AMDGPUDBG_EVENT_HANDLER_LOST:
		return handler_lost_reason(event->data);
	case AMDGPUDBG_EVENT_SLEEP:
		return "the system was suspended";
	case AMDGPUDBG_EVENT_TARGET_GONE:
		return "the process has exited";
	case AMDGPUDBG_EVENT_GPU_GONE:
		return "the GPU is gone";
	default:
		return NULL;
	}
}

int hold_wait(struct wavectl *w, const struct hold *hold, const char **why)
{
	struct amdgpudbg_event event = { 0 };
	int ret;

	*why = NULL;
	for (;;) {
		ret = hold_wait_for(hold, hold->events);
		if (ret <= 0)
			return ret;
		do {
			ret = adbg_event_next(w->session, &event, 0);
			if (ret)
				break;
			*why = hold_end_reason(&event);
			/* The debugger must see all events. */
			if (w->shell && (!*why || w->shell->debugger))
				stop_keep(w->shell, &event);
		} while (!ret && !*why && !hold_interrupted());
		if (*why)
			return 0;
		if (ret && ret != -EAGAIN)
			return ret;
	}
}

void hold_say_left(struct wavectl *w, char **text)
{
	struct amdgpudbg_info info = { 0 };

	/* Usually root has CAP_SYS_ADMIN, on which the limit depends. */
	if (!geteuid() || adbg_session_get_info(w->session, &info) ||
	    info.halt_left_ms == UINT32_MAX)
		return;
	xappend(text, " (halt time left: %u s)",
		info.halt_left_ms / 1000);
}

int hold_fail(struct wavectl *w, const char *why)
{
	return fail_with(w, WAVECTL_ENDED, NULL, "no longer in effect: %s", why);
}

int hold_fail_interrupted(struct wavectl *w)
{
	return fail_with(w, WAVECTL_FAILED, NULL, "interrupted");
}

void hold_end(struct hold *hold)
{
	close(hold->signals);
	if (hold->timer >= 0)
		close(hold->timer);
}

/* Print that it is set, wait for the end, and end it. */
static int keep(struct wavectl *w, struct hold *hold, const struct hold_ops *kept,
		void *arg)
{
	int status = kept->say(w, arg), end;
	const char *why;
	int ret;

	ret = hold_start(hold, w->hold_ns);
	if (!ret)
		ret = hold_wait(w, hold, &why);
	if (ret)
		return fail_system(w, ret, "cannot wait");

	end = kept->end(w, arg);
	if (why)
		return hold_fail(w, why);
	return status ? status : end;
}

int hold_keep(struct wavectl *w, const struct hold_ops *kept, void *arg)
{
	struct hold hold;
	int ret, status;

	if (hold_stays(w)) {
		status = kept->set(w, arg);
		return status ? status : kept->say(w, arg);
	}

	ret = hold_prepare(&hold);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");

	status = hold_listen(w, &hold);
	if (!status)
		status = kept->set(w, arg);
	if (!status)
		status = keep(w, &hold, kept, arg);
	hold_end(&hold);
	return status;
}
