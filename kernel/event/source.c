// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sources of events.
 *
 *  wave: s_sendmsg, or an error
 *    -> amdgpu's interrupt ring -> tracepoint amdgpu_iv
 *    -> probe (amdgpu/iv.c): hard interrupt; copies to the GPU's FIFO, irq_work
 *    -> worker (this file): GPU's lock; finds the sessions, reads the wave
 *    -> queue of each session that it concerns (queue.c) -> read(), poll()
 *
 * An event belongs to the sessions whose target has the PASID of the interrupt, and to
 * those without a target that asked for the events of the whole GPU. The FIFO counts
 * the interrupts that it had to drop per VMID, so that no session learns of another's
 * losses.
 *
 * A handler sends its message before it halts its wave, and the event describes the
 * halted wave. Events of one wave stay in their order; others may be queued before one
 * that is late.
 *
 * Where the tracepoint is missing or differs (amdgpu was loaded by force, or is another
 * version than expected), the worker reads the waves at intervals instead. What amdgpu
 * does not report at all, such as a reset, is found by a tick while a session has
 * something on the GPU. That reads one word of amdgpu's memory; and the waves, where
 * interrupts are not seen or halted waves have to be counted.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/iv.h"
#include "event/event.h"
#include "event/interrupts.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/*
 * Milliseconds between two checks for a reset, for waves that have halted for a session
 * whose time is limited, and for waves that have stopped
 */
#define LOOK_MS			250
#define LOOK_AT_HALTS_MS	100
#define LOOK_AT_WAVES_MS	20

/* Interrupts that are handled before others get the GPU's lock */
#define BATCH			32

/*
 * How long to wait until handlers reach their halt, or their end, after their message,
 * for all waves of a batch together. Events of slower waves are reported later: these
 * waves are read now and then, and after LATE_MS the event of a wave that is still in
 * its handler describes it as it is then.
 */
#define HALT_US			500
#define LATE_MS			250
#define LATE_LOOK_US		2000

/*
 * Number of events that may be late at one time: a handler that does not end makes
 * many.
 */
#define MAX_LATE		256

static bool source_wants(const struct wdbg_session *session, u32 pasid, u64 time)
{
	return wdbg_event_concerns(session, WDBG_EVENTS_OF_WAVES, pasid, time);
}

/* Find a session that wants events of this address space and has room for one. */
static struct wdbg_session *source_find_reader(struct wdbg_gpu *gpu, u32 pasid,
					       u64 time)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (source_wants(session, pasid, time) &&
		    !wdbg_events_full(&session->events))
			return session;
	return NULL;
}

/*
 * What is read of a running wave may belong to another process, which had its slot for
 * a moment. A session that sees the whole GPU may see that; the others get @bare,
 * without what was read.
 */
static void source_post(struct wdbg_gpu *gpu, const struct amdgpudbg_event *event,
			const struct amdgpudbg_event *bare)
{
	bool still = bare == event && event->flags & AMDGPUDBG_EVENT_HAS_STATE;
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node) {
		if (!source_wants(session, event->pasid, event->time))
			continue;
		/*
		 * Another process has got the PASID, see target/target.c: the wave is
		 * not the target's.
		 */
		if (still && session->target &&
		    wdbg_id_mgr_is_others(gpu, session->target->drm,
					  event->vmid))
			continue;
		wdbg_events_put(&session->events,
				session->target ? bare : event);
	}
}

static void source_post_lost(struct wdbg_gpu *gpu, u32 pasid, u64 time, u32 n)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (source_wants(session, pasid, time))
			wdbg_events_lose(&session->events, n);
}

/* ------------------------------------------------------------- interrupts */

static struct wdbg_event_source *source_of(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_event_part);
}

/**
 * struct batch - some interrupts that are handled together
 * @gpu: the GPU
 * @powered: wdbg_power_begin() was successful
 * @failed: wdbg_power_begin() has failed
 * @bracket: of wdbg_power_begin()
 * @at_once: do not wait for waves that are in their handlers
 * @deadline: until when to wait for them
 */
struct batch {
	struct wdbg_gpu *gpu;
	bool powered;
	bool failed;
	int bracket;
	bool at_once;
	ktime_t deadline;
};

/**
 * struct late - an event whose wave was still in its handler
 * @node: in the source's list, in the order in which they are checked; one for each
 *	wave
 * @event: what is known of it
 * @until: when it is reported in any case
 */
struct late {
	struct list_head node;
	struct amdgpudbg_event event;
	ktime_t until;
};

/*
 * Let a handler that has just sent its message halt or resume its wave. Returns
 * WDBG_WAVE_* of the wave, 0 if it has ended.
 */
static u32 source_wait_for_halt(struct batch *b, const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_hw *hw = &b->gpu->hw;
	u32 state;

	for (;;) {
		state = hw->ops->wave->state(hw, at);
		if (!(state & WDBG_WAVE_VALID))
			return 0;
		/* STATUS.HALT takes effect when the handler returns. */
		if (!(state & WDBG_WAVE_PRIV) ||
		    ktime_after(ktime_get(), b->deadline))
			return state;
		wdbg_bank_unlock(hw);
		usleep_range(10, 30);
		wdbg_bank_lock(hw);
		wdbg_bank_select(hw, at);
	}
}

static void source_set_state(struct amdgpudbg_event *event,
			     const struct wdbg_wave_stop *stop)
{
	event->flags |= AMDGPUDBG_EVENT_HAS_STATE;
	event->pc = stop->pc;
}

/* Only a handler's message carries the reason of the trap. */
static void source_set_cause(struct amdgpudbg_event *event,
			     const struct wdbg_wave_stop *stop)
{
	event->cause |= stop->cause;
	event->watch_mask = stop->watch_mask;
	event->trap_id = stop->trap_id;
}

/* The wave is halted, and so may get an id, if it has an owner. */
static void source_set_id(struct wdbg_gpu *gpu, struct amdgpudbg_event *event,
			  const struct wdbg_wave_stop *stop)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, &event->at);

	if (!slot->owner)
		wdbg_wave_claim(gpu, &event->at);
	if (stop->still)
		event->wave_id = wdbg_wave_id(gpu, slot, stop->vmid);
}

/* The sender may have ended, and slot and VMID belong to another process by now. */
static bool source_is_sender(struct wdbg_hw *hw, const struct amdgpudbg_event *event,
			     const struct wdbg_wave_stop *stop)
{
	return stop->vmid == event->vmid &&
	       hw->ops->vmid_pasid(hw, stop->vmid) == event->pasid;
}

/*
 * Sets *sure if what was read certainly belongs to the sender. Returns false if it is
 * still in its handler, and nothing was read.
 */
static bool source_read_wave(struct batch *b, struct amdgpudbg_event *event, bool last,
			     bool *sure)
{
	u32 source = event->flags & (AMDGPUDBG_EVENT_IS_PRIV |
				     AMDGPUDBG_EVENT_IS_ERROR);
	bool by_handler = source == AMDGPUDBG_EVENT_IS_PRIV;
	struct wdbg_hw *hw = &b->gpu->hw;
	struct wdbg_wave_stop stop = { };
	u32 state = 0;

	wdbg_bank_lock(hw);
	wdbg_bank_select(hw, &event->at);
	if (by_handler)
		state = source_wait_for_halt(b, &event->at);
	if (state & WDBG_WAVE_PRIV && !last) {
		wdbg_bank_unlock(hw);
		return false;
	}
	if ((!by_handler || state) &&
	    hw->ops->wave->read_stop(hw, &event->at, &stop) &&
	    source_is_sender(hw, event, &stop)) {
		source_set_state(event, &stop);
		if (by_handler)
			source_set_cause(event, &stop);
		if (state & WDBG_WAVE_HALTED)
			source_set_id(b->gpu, event, &stop);
	}
	wdbg_bank_unlock(hw);
	*sure = stop.still;
	return true;
}

/* Once for all of a batch; the first session that needs it gets the power. */
static bool source_power(struct batch *b, struct wdbg_session *session)
{
	if (!b->powered && !b->failed) {
		b->failed = wdbg_session_power_begin(session, &b->bracket);
		b->powered = !b->failed;
		b->deadline = ktime_add_us(ktime_get(),
					   b->at_once ? 0 : HALT_US);
	}
	return b->powered;
}

/* Return: false if it is too early for that, and it is not the @last time. */
static bool source_report(struct batch *b, const struct amdgpudbg_event *bare, bool last)
{
	struct amdgpudbg_event event = *bare;
	struct wdbg_gpu *gpu = b->gpu;
	struct wdbg_session *reader;
	bool sure = true;

	reader = source_find_reader(gpu, bare->pasid, bare->time);
	if (!reader) {
		source_post_lost(gpu, bare->pasid, bare->time, 1);
		return true;
	}
	if (source_power(b, reader) && !source_read_wave(b, &event, last, &sure))
		return false;
	source_post(gpu, &event, sure ? &event : bare);
	return true;
}

static void source_drop_late(struct wdbg_event_source *source, struct late *late)
{
	list_del(&late->node);
	source->num_late--;
	kfree(late);
}

/*
 * Events of one wave keep their order: report the late one before another one of the
 * wave.
 */
static void source_report_late_of(struct batch *b, const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_event_source *source = source_of(b->gpu);
	struct late *late, *next;

	list_for_each_entry_safe(late, next, &source->late, node) {
		if (memcmp(&late->event.at, at, sizeof(*at)))
			continue;
		source_report(b, &late->event, true);
		source_drop_late(source, late);
	}
}

/* Return: false if there is no room. */
static bool source_put_late(struct wdbg_event_source *source,
			    const struct amdgpudbg_event *event)
{
	struct late *late;

	if (source->num_late == MAX_LATE)
		return false;
	late = kmalloc(sizeof(*late), GFP_KERNEL);
	if (!late)
		return false;
	late->event = *event;
	late->until = ktime_add_ms(ktime_get(), LATE_MS);
	list_add_tail(&late->node, &source->late);
	source->num_late++;
	queue_delayed_work(wdbg_look_workqueue, &source->late_look,
			   usecs_to_jiffies(LATE_LOOK_US));
	return true;
}

static void source_handle(struct batch *b, const struct wdbg_iv *iv)
{
	struct amdgpudbg_event event = {
		.time = iv->time,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE,
		.vmid = iv->vmid,
		.pasid = iv->pasid,
	};
	struct wdbg_gpu *gpu = b->gpu;

	if (!gpu->hw.ops->iv->decode(iv->data, &event) ||
	    !wdbg_wave_exists(gpu, &event.at))
		return;
	source_report_late_of(b, &event.at);
	if (!source_report(b, &event, false) && !source_put_late(source_of(gpu), &event))
		source_report(b, &event, true);
}

static void source_end_batch(struct batch *b)
{
	if (!b->powered)
		return;
	wdbg_halt_budget_update(b->gpu);
	wdbg_power_end(b->gpu, b->bracket);
}

/* Without waiting, and some in each turn: many waves may be in their handlers. */
static void source_look_at_late(struct wdbg_gpu *gpu)
{
	struct wdbg_event_source *source = source_of(gpu);
	struct batch b = { .gpu = gpu, .at_once = true };
	u32 i, n = min_t(u32, source->num_late, BATCH);
	struct late *late;

	for (i = 0; i < n; i++) {
		late = list_first_entry(&source->late, struct late, node);
		if (source_report(&b, &late->event,
				  ktime_after(ktime_get(), late->until)))
			source_drop_late(source, late);
		else
			list_move_tail(&late->node, &source->late);
	}
	source_end_batch(&b);
	if (source->num_late)
		queue_delayed_work(wdbg_look_workqueue, &source->late_look,
				   usecs_to_jiffies(LATE_LOOK_US));
}

static void source_late_work(struct work_struct *work)
{
	struct wdbg_event_source *source = container_of(to_delayed_work(work),
							struct wdbg_event_source, late_look);
	struct wdbg_gpu *gpu = source->gpu;

	wdbg_gpu_lock(gpu, NULL);
	if (gpu->adev)
		source_look_at_late(gpu);
	wdbg_gpu_unlock(gpu);
}

/* Return: false if there are none left. */
static bool source_drain_some(struct wdbg_gpu *gpu)
{
	struct wdbg_iv_dropped dropped[WDBG_NUM_VMID];
	struct batch b = { .gpu = gpu };
	struct wdbg_iv iv;
	bool more = true;
	int i;

	for (i = 0; i < BATCH && more; i++) {
		more = wdbg_iv_take(&source_of(gpu)->fifo, &iv);
		if (more)
			source_handle(&b, &iv);
	}
	source_end_batch(&b);
	if (!more && wdbg_iv_take_dropped(&source_of(gpu)->fifo, dropped))
		for (i = 0; i < WDBG_NUM_VMID; i++)
			if (dropped[i].count)
				source_post_lost(gpu, dropped[i].pasid,
						 ktime_get_ns(), dropped[i].count);
	return more;
}

/*
 * One batch a turn: other users never wait for more than that, however many interrupts
 * come.
 */
static void source_drain_work(struct work_struct *work)
{
	struct wdbg_event_source *source = container_of(work, struct wdbg_event_source, drain);
	struct wdbg_gpu *gpu = source->gpu;

	wdbg_gpu_lock(gpu, NULL);
	if (gpu->adev && source_drain_some(gpu))
		queue_work(wdbg_look_workqueue, work);
	wdbg_gpu_unlock(gpu);
}

static void source_on_wake(struct wdbg_iv_fifo *fifo)
{
	struct wdbg_event_source *source = container_of(fifo, struct wdbg_event_source, fifo);

	queue_work(wdbg_look_workqueue, &source->drain);
}

/* ------------------------------------------------------------------ looks */

static int source_report_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			      u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_wave_stop stop;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		struct amdgpudbg_event bare, event = {
			.size = sizeof(event),
			.type = AMDGPUDBG_EVENT_WAVE,
			.at = *at,
			.flags = AMDGPUDBG_EVENT_HAS_WAVE,
		};
		size_t i = slot - gpu->slots;

		/* A wave that a session has halted has not stopped. */
		if (!(live & BIT(at->wave)) ||
		    (slot->owner && !slot->by_itself) ||
		    !hw->ops->wave->has_stopped(hw, at)) {
			source_of(gpu)->reported[i] = 0;
			continue;
		}
		if (source_of(gpu)->reported[i] || !hw->ops->wave->read_stop(hw, at, &stop))
			continue;
		source_of(gpu)->reported[i] = stop.vmid;
		event.time = ktime_get_ns();
		event.vmid = stop.vmid;
		event.pasid = hw->ops->vmid_pasid(hw, stop.vmid);
		bare = event;
		source_set_state(&event, &stop);
		source_set_cause(&event, &stop);
		source_set_id(gpu, &event, &stop);
		source_post(gpu, &event, stop.still ? &event : &bare);
	}
	return 0;
}

/* A read may not come in between, and would take the second stop for the first. */
static void source_resumed(struct wdbg_gpu *gpu, u32 vmid,
			   const struct amdgpudbg_wave_coord *at)
{
	u8 *reported = source_of(gpu)->reported;
	u32 i;

	if (!reported)
		return;
	if (at)
		reported[wdbg_wave_slot(gpu, at) - gpu->slots] = 0;
	for (i = 0; !at && i < gpu->num_slots; i++)
		if (reported[i] == vmid)
			reported[i] = 0;
}

static struct wdbg_session *source_find_listener(struct wdbg_gpu *gpu, u64 mask)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, mask))
			return session;
	return NULL;
}

static void source_look_at_waves(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session = source_find_listener(gpu, WDBG_EVENTS_OF_WAVES);
	int bracket;

	if (!session || wdbg_session_power_begin(session, &bracket))
		return;
	wdbg_wave_scan(gpu, NULL, source_report_simd, NULL);
	wdbg_power_end(gpu, bracket);
}

/* Waves that have halted for a session whose time is limited count from now on. */
static void source_look_at_halts(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session = wdbg_halt_budget_quiet(gpu);
	int bracket;

	if (session && !wdbg_session_power_begin(session, &bracket)) {
		wdbg_wave_claim_all(gpu);
		wdbg_power_end(gpu, bracket);
	}
	/* Also for what no wave shows: jobs of a stalled VMID, halt_seconds */
	wdbg_halt_budget_update(gpu);
}

static bool source_is_used(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	if (gpu->power_users)
		return true;
	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, ~0ULL))
			return true;
	return false;
}

/* In how many ms to check again, if a session has reason to */
static u32 source_next_look(struct wdbg_gpu *gpu)
{
	if (!source_is_used(gpu))
		return 0;
	if (source_of(gpu)->polls && source_find_listener(gpu, WDBG_EVENTS_OF_WAVES))
		return LOOK_AT_WAVES_MS;
	return wdbg_halt_budget_quiet(gpu) ? LOOK_AT_HALTS_MS : LOOK_MS;
}

static u32 source_tick(struct wdbg_gpu *gpu)
{
	wdbg_power_look(gpu);
	if (source_of(gpu)->polls)
		source_look_at_waves(gpu);
	source_look_at_halts(gpu);
	return source_next_look(gpu);
}

/**
 * wdbg_event_source_update() - adapt to the sessions that want events
 * @gpu: the GPU, attached
 *
 * Context: the GPU's lock is held.
 */
void wdbg_event_source_update(struct wdbg_gpu *gpu)
{
	u32 ms = source_next_look(gpu);

	lockdep_assert_held(&gpu->lock);
	if (!source_of(gpu)->polls)
		wdbg_iv_want(&source_of(gpu)->fifo, source_find_listener(gpu, WDBG_EVENTS_OF_WAVES),
			     source_find_listener(gpu, BIT_ULL(AMDGPUDBG_EVENT_VM_FAULT)));
	if (ms)
		wdbg_part_tick(gpu, &wdbg_event_part, ms);
	wdbg_job_update(gpu);
	wdbg_mapping_update(gpu);
}

/**
 * wdbg_event_source_polls() - check whether events of waves are found by reading them
 * @gpu: the GPU
 *
 * Return: true if so; false if interrupts report them.
 */
bool wdbg_event_source_polls(const struct wdbg_gpu *gpu)
{
	return source_of(gpu)->polls;
}

static int source_init_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_event_source *source = source_of(gpu);

	source->gpu = gpu;
	INIT_WORK(&source->drain, source_drain_work);
	INIT_DELAYED_WORK(&source->late_look, source_late_work);
	INIT_LIST_HEAD(&source->late);
	wdbg_fault_init(source);
	source->polls = !wdbg_iv_available(&gpu->layout);
	if (!source->polls)
		return wdbg_iv_open(&source->fifo, gpu, source_on_wake, wdbg_fault_wake);

	source->reported = kcalloc(gpu->num_slots, sizeof(*source->reported),
				   GFP_KERNEL);
	return source->reported ? 0 : -ENOMEM;
}

static void source_exit_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_event_source *source = source_of(gpu);
	struct late *late, *next;

	wdbg_iv_close(&source->fifo);
	cancel_work_sync(&source->drain);
	cancel_delayed_work_sync(&source->faults_work);
	cancel_delayed_work_sync(&source->late_look);
	list_for_each_entry_safe(late, next, &source->late, node)
		source_drop_late(source, late);
	kfree(source->reported);
	source->reported = NULL;
}

static void source_after_reset(struct wdbg_gpu *gpu)
{
	wdbg_event_post_all(gpu, AMDGPUDBG_EVENT_GPU_RESET, gpu->reset_seen);
}

/*
 * Last, so that a session that gets the event of a reset finds what the reset has left.
 */
const struct wdbg_part wdbg_event_part = {
	.id = WDBG_PART_EVENT,
	.data_size = sizeof(struct wdbg_event_source),
	.init = source_init_gpu,
	.exit = source_exit_gpu,
	.tick = source_tick,
	.after_reset = source_after_reset,
	.resumed = source_resumed,
};
