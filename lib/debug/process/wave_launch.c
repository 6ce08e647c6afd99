// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * New waves that are halted before their first instruction: all of them, or those from a certain
 * job on; or all of them for the moment in which a function looks at them.
 *
 * No event and no register distinguishes a new wave from one that was halted otherwise. Therefore
 * the library records which waves are halted for another reason: those that were halted before,
 * and those whose stop was reported. The record of a slot is cleared when its wave is resumed.
 */
#include <poll.h>

#include "breakpoint.h"
#include "isa/flow.h"
#include "launch.h"
#include "poll_fd.h"
#include "trap_abi.h"
#include "wave.h"

/*
 * AMDGPU_HW_IP_GFX and AMDGPU_HW_IP_COMPUTE (amdgpu_drm.h of Linux 6.1): only their jobs have
 * waves
 */
#define RING_GFX	0
#define RING_COMPUTE	1

/* After a job has begun, its waves are looked for at each millisecond for this time. */
#define LOOK_OFTEN_NS	(1000 * 1000000ULL)

static bool is_waited_for(const struct adbgd_process *p)
{
	return p->launch.state == ADBGD_LAUNCH_COUNT_JOBS ||
	       p->launch.state == ADBGD_LAUNCH_REPORT_FIRST || p->launch.look;
}

static bool looks(const struct adbgd_process *p)
{
	return p->launch.look && !p->launch.is_look_ending && !p->launch.is_lost;
}

/* ---------------------------------------------------------------- sets of slots */

int adbgd_slot_set_make(const struct adbgd_process *p, struct adbgd_slot_set *set)
{
	size_t num = p->handler.header[TRAP_HDR_NUM_MAILBOXES / 4];

	set->bits = calloc((num + 63) / 64, sizeof(*set->bits));
	return set->bits ? 0 : -ENOMEM;
}

void adbgd_slot_set_free(struct adbgd_slot_set *set)
{
	free(set->bits);
	set->bits = NULL;
}

bool adbgd_slot_set_has(const struct adbgd_process *p, const struct adbgd_slot_set *set,
			const struct amdgpudbg_wave_coord *at)
{
	uint32_t mailbox = adbgd_process_mailbox(p, at);

	return set->bits && mailbox != TRAP_NO_MAILBOX &&
	       set->bits[mailbox / 64] >> mailbox % 64 & 1;
}

void adbgd_slot_set_assign(const struct adbgd_process *p, struct adbgd_slot_set *set,
			   const struct amdgpudbg_wave_coord *at, bool is_in)
{
	uint32_t mailbox = adbgd_process_mailbox(p, at);
	uint64_t bit = 1ULL << mailbox % 64;

	if (!set->bits || mailbox == TRAP_NO_MAILBOX)
		return;
	if (is_in)
		set->bits[mailbox / 64] |= bit;
	else
		set->bits[mailbox / 64] &= ~bit;
}

/* --------------------------------------------------------------- records of waves */

void adbgd_launch_mark_halted(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at)
{
	adbgd_slot_set_assign(process, &process->launch.halted, at, true);
}

void adbgd_launch_mark_resumed(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at)
{
	adbgd_slot_set_assign(process, &process->launch.halted, at, false);
}

bool adbgd_wave_is_starting(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave)
{
	const struct adbgd_slot_set *halted = &process->launch.halted;

	return is_waited_for(process) && halted->bits &&
	       adbgd_process_mailbox(process, &wave->at) != TRAP_NO_MAILBOX &&
	       !adbgd_slot_set_has(process, halted, &wave->at) && !(wave->pc % ADBGD_ENTRY_ALIGN) &&
	       wave->flags & AMDGPUDBG_WAVE_HALTED && adbgd_wave_left_handler(wave) &&
	       adbgd_wave_has_handler(process, wave) && !adbgd_wave_is_pending(process, wave);
}

/* Drop the records of slots that have no halted wave any more, according to the list of waves. */
static int drop_ended(struct adbgd_process *p)
{
	const struct amdgpudbg_wave *w;
	struct adbgd_slot_set still;
	size_t i;

	if (adbgd_slot_set_make(p, &still))
		return -ENOMEM;
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++)
		if (w->flags & AMDGPUDBG_WAVE_HALTED &&
		    adbgd_slot_set_has(p, &p->launch.halted, &w->at))
			adbgd_slot_set_assign(p, &still, &w->at, true);
	adbgd_slot_set_free(&p->launch.halted);
	p->launch.halted = still;
	return 0;
}

/* Make @set again, of the slots that have a halted (or a running) wave. */
static int record_waves(struct adbgd_process *p, struct adbgd_slot_set *set, bool halted,
			struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	size_t i;
	int ret;

	adbgd_slot_set_free(set);
	if (adbgd_slot_set_make(p, set))
		return adbgd_no_memory(error, "a list of waves");
	ret = adbgd_waves_list(p, NULL, error);
	for (i = 0; !ret && (w = adbg_wave_list_get(p->waves, i)); i++)
		if (!(w->flags & AMDGPUDBG_WAVE_HALTED) == !halted)
			adbgd_slot_set_assign(p, set, &w->at, true);
	return ret;
}

ADBGD_API int adbgd_process_notify_halt_begin(struct adbgd_process *process,
					      struct adbgd_error *error)
{
	adbgd_slot_set_free(&process->launch.ran);
	return is_waited_for(process) ? record_waves(process, &process->launch.ran, false,
			     error) : 0;
}

ADBGD_API int adbgd_process_notify_halt_end(struct adbgd_process *process,
					    struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	size_t i;
	int ret;

	if (!process->launch.ran.bits)
		return 0;
	ret = adbgd_waves_list(process, NULL, error);
	for (i = 0; !ret && (w = adbg_wave_list_get(process->waves, i)); i++)
		if (w->flags & AMDGPUDBG_WAVE_HALTED &&
		    adbgd_slot_set_has(process, &process->launch.ran, &w->at))
			adbgd_launch_mark_halted(process, &w->at);
	adbgd_slot_set_free(&process->launch.ran);
	return ret;
}

/* Waves that are halted now are not new ones, unless new waves are awaited already. */
static int begin(struct adbgd_process *p, struct adbgd_error *error)
{
	return is_waited_for(p) ? 0 : record_waves(p, &p->launch.halted, true, error);
}

static int set_start(struct adbgd_process *p, enum adbgd_launch_state how,
		     struct adbgd_error *error)
{
	enum adbgd_launch_state before = p->launch.state;
	int ret = how ? begin(p, error) : 0;

	if (ret)
		return ret;
	p->launch.state = how;
	adbgd_poll_fd_wake(p);
	ret = adbgd_process_set_launch(p, p->watchpoints.first);
	if (!ret)
		return 0;
	p->launch.state = before;
	return adbgd_failed(p, error, ret, "cannot set how waves of process %d start",
			    p->info.pid);
}

ADBGD_API int adbgd_process_stop_at_start(struct adbgd_process *process, bool on,
					  struct adbgd_error *error)
{
	return set_start(process, on ? ADBGD_LAUNCH_REPORT_FIRST : ADBGD_LAUNCH_RUN, error);
}

ADBGD_API int adbgd_process_stop_at_job(struct adbgd_process *process, uint64_t number,
					struct adbgd_error *error)
{
	struct amdgpudbg_info gpu = { 0 };
	int ret;

	if (!number)
		return adbgd_fail(error, -EINVAL, "job numbers start at 1");
	ret = adbg_session_get_info(process->session, &gpu);
	if (ret)
		return adbgd_failed(process, error, ret, "cannot read the capabilities of "
				    "the GPU");
	if (!(gpu.event_mask >> AMDGPUDBG_EVENT_JOB_BEGIN & 1))
		return adbgd_fail(error, -EOPNOTSUPP,
				  "cannot count jobs: this amdgpu driver does not report them");
	ret = set_start(process, ADBGD_LAUNCH_COUNT_JOBS, error);
	if (ret)
		return ret;
	process->launch.jobs_left = number;
	/* Ignore jobs that began before: some of their waves may have started without a halt. */
	process->launch.jobs_since = adbgd_now_ns();
	return 0;
}

void adbgd_launch_job_begun(struct adbgd_process *process, const struct amdgpudbg_event *event)
{
	if (event->ring_type != RING_GFX && event->ring_type != RING_COMPUTE)
		return;
	process->launch.looks_often_until = adbgd_now_ns() + LOOK_OFTEN_NS;
	if (process->launch.state != ADBGD_LAUNCH_COUNT_JOBS ||
	    event->time < process->launch.jobs_since)
		return;
	if (!--process->launch.jobs_left)
		process->launch.state = ADBGD_LAUNCH_REPORT_FIRST;
}

/* It is no longer known how many jobs have begun. Stopping a job too early is better than never. */
void adbgd_launch_events_lost(struct adbgd_process *process)
{
	if (process->launch.state == ADBGD_LAUNCH_COUNT_JOBS)
		process->launch.state = ADBGD_LAUNCH_REPORT_FIRST;
}

/*
 * Is an event unread? It may be the begin of the awaited job: the event of a job is queued before
 * its waves can be listed.
 */
static bool has_unread_event(const struct adbgd_process *p)
{
	struct pollfd fd = { .fd = adbg_session_get_fd(p->session), .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

static bool was_looked_at(const struct adbgd_process *p, uint64_t pc)
{
	uint32_t i;

	for (i = 0; i < p->launch.num_looked_at; i++)
		if (p->launch.looked_at[i] == pc)
			return true;
	return false;
}

/*
 * Collect operations that resume listed new waves from @from on, up to the maximum of a call. The
 * first error is kept in @first; the other waves are resumed nevertheless.
 */
static int collect(struct adbgd_process *p, struct amdgpudbg_batch_op *ops, size_t *from,
		   int *first)
{
	const struct amdgpudbg_wave *w;
	int num = 0, ret;

	for (; num < AMDGPUDBG_WAVE_BATCH_MAX && (w = adbg_wave_list_get(p->waves, *from));
	     (*from)++) {
		if (!adbgd_wave_is_starting(p, w) || (looks(p) && !was_looked_at(p, w->pc)))
			continue;
		ret = adbgd_stepped_prepare_resume(p, w);
		if (!ret)
			ops[num++].control = adbgd_wave_resume_op(w);
		else if (!adbgd_wave_is_gone(ret) && !*first)
			*first = ret;
	}
	return num;
}

/*
 * Resume new waves where they are halted, and not at a displaced instruction: a wave that starts
 * at a breakpoint has to stop there.
 */
static int resume_starting(struct adbgd_process *p, struct adbgd_error *error)
{
	struct amdgpudbg_batch_op *ops = calloc(AMDGPUDBG_WAVE_BATCH_MAX, sizeof(*ops));
	int num, first = 0, ret;
	size_t from = 0;

	if (!ops)
		return adbgd_no_memory(error, "a list of waves");
	do {
		num = collect(p, ops, &from, &first);
		ret = adbgd_waves_resume(p, ops, num, &first);
	} while (!ret && num);
	if (!ret)
		ret = first;
	free(ops);
	return ret ? adbgd_failed(p, error, ret, "cannot resume waves that have started") : 0;
}

/*
 * The function may set breakpoints, which lists waves. Those that have started since at other
 * addresses are not shown, and stay halted until the next poll.
 */
static int look_at_starting(struct adbgd_process *p, struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	uint32_t k;
	size_t i;

	p->launch.num_looked_at = 0;
	for (i = 0; p->launch.num_looked_at < ADBGD_NUM_LOOKED_AT &&
	     (w = adbg_wave_list_get(p->waves, i)); i++)
		if (adbgd_wave_is_starting(p, w) && !was_looked_at(p, w->pc))
			p->launch.looked_at[p->launch.num_looked_at++] = w->pc;
	if (!p->launch.num_looked_at)
		return 0;
	p->launch.looks_often_until = adbgd_now_ns() + LOOK_OFTEN_NS;
	for (k = 0; k < p->launch.num_looked_at; k++)
		p->launch.look(p->launch.look_data, p->launch.looked_at[k]);
	return adbgd_waves_list(p, NULL, error);
}

int adbgd_launch_look(struct adbgd_process *process, struct adbgd_error *error)
{
	int ret;

	if (!looks(process))
		return 0;
	ret = adbgd_waves_list(process, NULL, error);
	return ret ? ret : look_at_starting(process, error);
}

static int set_mode(struct adbgd_process *p, struct adbgd_error *error)
{
	int ret = adbgd_process_set_launch(p, p->watchpoints.first);

	return ret ? adbgd_failed(p, error, ret, "cannot set how waves of process %d start",
				  p->info.pid) : 0;
}

/* New waves start as before, and those that were halted only to be looked at are resumed. */
static int end_looks(struct adbgd_process *p, struct adbgd_error *error)
{
	int ret;

	p->launch.is_look_ending = true;
	ret = set_mode(p, error);
	if (!ret && !p->launch.state)
		ret = adbgd_waves_list(p, NULL, error);
	if (!ret && !p->launch.state)
		ret = resume_starting(p, error);
	p->launch.is_look_ending = false;
	/* Without a process or a GPU there are no waves. */
	if (!ret || ret == -ENOTCONN || ret == -ENODEV) {
		p->launch.look = NULL;
		return 0;
	}
	/* The function is called as before, also for waves that were not resumed. */
	(void)set_mode(p, NULL);
	return ret;
}

ADBGD_API int adbgd_process_set_start_callback(struct adbgd_process *process,
					       void (*look)(void *data, uint64_t pc), void *data,
					       struct adbgd_error *error)
{
	struct adbgd_launch *launch = &process->launch, before = *launch;
	int ret;

	if (!look)
		return launch->look ? end_looks(process, error) : 0;
	ret = begin(process, error);
	if (ret)
		return ret;
	launch->look = look;
	launch->look_data = data;
	launch->is_lost = false;
	ret = set_mode(process, error);
	if (ret) {
		launch->look = before.look;
		launch->look_data = before.look_data;
		launch->is_lost = before.is_lost;
		return ret;
	}
	adbgd_poll_fd_wake(process);
	return 0;
}

/*
 * Waves that were looked at, but stay halted at their start, are like other halted waves from now
 * on: the user can resume and step them.
 */
static void keep_looked_at(struct adbgd_process *p)
{
	const struct amdgpudbg_wave *w;
	size_t i;

	for (i = 0; p->launch.look && (w = adbg_wave_list_get(p->waves, i)); i++)
		if (adbgd_wave_is_starting(p, w) && was_looked_at(p, w->pc))
			adbgd_launch_mark_halted(p, &w->at);
}

static bool report_first(struct adbgd_process *p, struct adbgd_stop *stop)
{
	const struct amdgpudbg_wave *w;
	size_t i;

	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (!adbgd_wave_is_starting(p, w))
			continue;
		p->launch.state = ADBGD_LAUNCH_REPORTED;
		*stop = (struct adbgd_stop){
			.reason = ADBGD_STOP_START, .at = w->at, .vmid = w->vmid,
			.pc = adbgd_wave_get_pc(p, w),
		};
		return true;
	}
	return false;
}

/*
 * First the handler, so that each wave that is halted for a look has it. Errors are ignored: the
 * next poll tries it again.
 */
static void restore_lost(struct adbgd_process *p)
{
	if (!p->launch.is_lost || adbgd_process_set_handler(p, NULL))
		return;
	p->launch.is_lost = false;
	if (set_mode(p, NULL))
		p->launch.is_lost = true;
}

int adbgd_launch_poll(struct adbgd_process *process, struct adbgd_stop *stop,
		      struct adbgd_error *error)
{
	int ret;

	if (!is_waited_for(process))
		return -EAGAIN;
	if (drop_ended(process))
		return adbgd_no_memory(error, "a list of waves");
	if (process->launch.look)
		restore_lost(process);
	ret = looks(process) ? look_at_starting(process, error) : 0;
	if (ret)
		return ret;
	switch (process->launch.state) {
	case ADBGD_LAUNCH_REPORT_FIRST:
		ret = report_first(process, stop) ? 0 : -EAGAIN;
		if (!ret)
			keep_looked_at(process);
		return ret;
	case ADBGD_LAUNCH_REPORTED:
		keep_looked_at(process);
		return -EAGAIN;
	case ADBGD_LAUNCH_COUNT_JOBS:
		if (has_unread_event(process))
			return -EAGAIN;
		break;
	default:
		break;
	}
	ret = resume_starting(process, error);
	return ret ? ret : -EAGAIN;
}

int adbgd_launch_poll_timeout(const struct adbgd_process *process)
{
	switch (process->launch.state) {
	case ADBGD_LAUNCH_COUNT_JOBS:
		/*
		 * Poll often, because the waves of all jobs before the awaited one are halted
		 * until then.
		 */
		return 1;
	case ADBGD_LAUNCH_REPORT_FIRST:
		return ADBGD_POLL_MS;
	default:
		break;
	}
	if (!process->launch.look)
		return -1;
	return adbgd_now_ns() < process->launch.looks_often_until ? 1 : ADBGD_POLL_MS;
}
