// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where events come from: interrupts of waves, which the tap in iv.c has seen;
 * and for what amdgpu tells nobody, a look now and then while a session has
 * something on the GPU. A look reads one word of amdgpu's memory, unless
 * interrupts are not seen: then it reads the waves, too.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>

#include "hw/mmio.h"
#include "power.h"
#include "session.h"
#include "slots.h"

/* Between two looks for a reset, and for waves that have stopped */
#define LOOK_MS			250
#define LOOK_AT_WAVES_MS	20

/* Interrupts that are seen to before others get the GPU's lock */
#define BATCH			32

/*
 * How long a handler may take from its message to its halt, for all waves of a
 * batch together. One that does not halt its wave is told of as it is then.
 */
#define HALT_US			500

static bool wants(const struct wdbg_session *session, u32 pasid)
{
	if (!wdbg_events_want(&session->events, WDBG_EVENTS_OF_WAVES))
		return false;
	if (session->target)
		return pasid && pasid == wdbg_target_pasid(session->target);
	return session->events.whole && !session->target_gone;
}

/* Is anybody there who wants an event of this address space, and has room? */
static struct wdbg_session *find_reader(struct wdbg_gpu *gpu, u32 pasid)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wants(session, pasid) && !wdbg_events_full(&session->events))
			return session;
	return NULL;
}

static void post(struct wdbg_gpu *gpu, const struct amdgpudbg_event *event)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wants(session, event->pasid))
			wdbg_events_put(&session->events, event);
}

static void post_lost(struct wdbg_gpu *gpu, u32 pasid, u32 n)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wants(session, pasid))
			wdbg_events_lose(&session->events, n);
}

/* ------------------------------------------------------------- interrupts */

/**
 * struct batch - some interrupts that are seen to together
 * @gpu: the GPU
 * @powered: wdbg_power_begin() was successful
 * @failed: or it was not
 * @bracket: of it
 * @deadline: until when waves that are in their handlers may halt
 */
struct batch {
	struct wdbg_gpu *gpu;
	bool powered;
	bool failed;
	int bracket;
	ktime_t deadline;
};

/* Let a handler that has just sent its message halt its wave. */
static bool wait_for_halt(struct batch *b,
			  const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_hw *hw = &b->gpu->hw;
	u32 state;

	for (;;) {
		state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_VALID))
			return false;
		/* STATUS.HALT takes effect when the handler returns. */
		if ((state & WDBG_WAVE_HALTED && !(state & WDBG_WAVE_PRIV)) ||
		    ktime_after(ktime_get(), b->deadline))
			return true;
		wdbg_bank_unlock(hw);
		usleep_range(10, 30);
		wdbg_bank_lock(hw);
		wdbg_bank_select(hw, at);
	}
}

static void set_state(struct amdgpudbg_event *event,
		      const struct wdbg_wave_stop *stop)
{
	event->flags |= AMDGPUDBG_EVENT_STATE;
	event->pc = stop->pc;
	event->status = stop->status;
	event->trapsts = stop->trapsts;
	event->ttmp[0] = stop->ttmp[0];
	event->ttmp[1] = stop->ttmp[1];
}

/* Only a handler's message is about what TRAPSTS shows. */
static void set_cause(struct amdgpudbg_event *event,
		      const struct wdbg_wave_stop *stop)
{
	event->cause |= stop->cause;
	if (stop->watch)
		event->type = AMDGPUDBG_EVENT_WATCH_HIT;
	else if (event->cause)
		event->type = AMDGPUDBG_EVENT_EXCEPTION;
}

/* The sender may have ended, and slot and VMID be another process's by now. */
static bool is_senders(struct wdbg_hw *hw, const struct amdgpudbg_event *event,
		       const struct wdbg_wave_stop *stop)
{
	return stop->vmid == event->vmid &&
	       hw->ops->vmid_pasid(hw, stop->vmid) == event->pasid;
}

static void read_wave(struct batch *b, struct amdgpudbg_event *event)
{
	u32 source = event->flags & (AMDGPUDBG_EVENT_PRIV |
				     AMDGPUDBG_EVENT_ERROR);
	bool by_handler = source == AMDGPUDBG_EVENT_PRIV;
	struct wdbg_hw *hw = &b->gpu->hw;
	struct wdbg_wave_stop stop;

	wdbg_bank_lock(hw);
	wdbg_bank_select(hw, &event->at);
	if ((!by_handler || wait_for_halt(b, &event->at)) &&
	    hw->ops->read_stop(hw, &event->at, &stop) &&
	    is_senders(hw, event, &stop)) {
		set_state(event, &stop);
		if (by_handler)
			set_cause(event, &stop);
	}
	wdbg_bank_unlock(hw);
}

/* Once for all of a batch; the first who has a use for it pays for the power. */
static bool power(struct batch *b, struct wdbg_session *session)
{
	if (!b->powered && !b->failed) {
		b->failed = wdbg_power_begin(session, &b->bracket);
		b->powered = !b->failed;
		b->deadline = ktime_add_us(ktime_get(), HALT_US);
	}
	return b->powered;
}

static void handle(struct batch *b, const struct wdbg_iv *iv)
{
	struct amdgpudbg_event event = {
		.size = sizeof(event),
		.time = iv->time,
		.flags = AMDGPUDBG_EVENT_WAVE,
		.vmid = iv->vmid,
		.pasid = iv->pasid,
	};
	struct wdbg_gpu *gpu = b->gpu;
	struct wdbg_session *reader;

	if (!gpu->hw.ops->iv_decode(iv->data, &event) ||
	    !wdbg_wave_exists(gpu, &event.at))
		return;
	reader = find_reader(gpu, iv->pasid);
	if (!reader) {
		post_lost(gpu, iv->pasid, 1);
		return;
	}
	if (power(b, reader))
		read_wave(b, &event);
	post(gpu, &event);
}

/* Return: false if there are none left. */
static bool drain_some(struct wdbg_gpu *gpu)
{
	struct wdbg_iv_dropped dropped[WDBG_NUM_VMID];
	struct batch b = { .gpu = gpu };
	struct wdbg_iv iv;
	bool more = true;
	int i;

	for (i = 0; i < BATCH && more; i++) {
		more = wdbg_iv_take(&gpu->source.tap, &iv);
		if (more)
			handle(&b, &iv);
	}
	if (b.powered)
		wdbg_power_end(gpu, b.bracket);
	if (!more && wdbg_iv_take_dropped(&gpu->source.tap, dropped))
		for (i = 0; i < WDBG_NUM_VMID; i++)
			if (dropped[i].count)
				post_lost(gpu, dropped[i].pasid,
					  dropped[i].count);
	return more;
}

static void drain_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(work, struct wdbg_gpu,
					    source.drain);
	bool more;

	do {
		mutex_lock(&gpu->lock);
		more = gpu->adev && drain_some(gpu);
		mutex_unlock(&gpu->lock);
		cond_resched();
	} while (more);
}

static void on_wake(struct wdbg_iv_tap *tap)
{
	struct wdbg_gpu *gpu = container_of(tap, struct wdbg_gpu, source.tap);

	queue_work(wdbg_workqueue, &gpu->source.drain);
}

/* ------------------------------------------------------------------ looks */

static int tell_of_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_wave_stop stop;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		struct amdgpudbg_event event = {
			.size = sizeof(event),
			.type = AMDGPUDBG_EVENT_WAVE_STOPPED,
			.at = *at,
			.flags = AMDGPUDBG_EVENT_WAVE,
		};
		size_t i = slot - gpu->slots;

		/* What a session has halted has not stopped. */
		if (!(live & BIT(at->wave)) || slot->owner ||
		    !hw->ops->has_stopped(hw, at)) {
			gpu->source.told[i] = 0;
			continue;
		}
		if (gpu->source.told[i] || !hw->ops->read_stop(hw, at, &stop))
			continue;
		gpu->source.told[i] = stop.vmid;
		event.time = ktime_get_ns();
		event.vmid = stop.vmid;
		event.pasid = hw->ops->vmid_pasid(hw, stop.vmid);
		set_state(&event, &stop);
		set_cause(&event, &stop);
		post(gpu, &event);
	}
	return 0;
}

/**
 * wdbg_event_source_resumed() - waves go on, and may stop again at once
 * @gpu: the GPU, attached
 * @vmid: of the waves
 * @at: the wave; NULL: all of @vmid
 *
 * A look may not come between, and would take the second stop for the first.
 * Context: the GPU's lock is held.
 */
void wdbg_event_source_resumed(struct wdbg_gpu *gpu, u32 vmid,
			       const struct amdgpudbg_wave_coord *at)
{
	u8 *told = gpu->source.told;
	u32 i;

	lockdep_assert_held(&gpu->lock);
	if (!told)
		return;
	if (at)
		told[wdbg_wave_slot(gpu, at) - gpu->slots] = 0;
	for (i = 0; !at && i < gpu->num_slots; i++)
		if (told[i] == vmid)
			told[i] = 0;
}

static struct wdbg_session *find_listener(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, WDBG_EVENTS_OF_WAVES))
			return session;
	return NULL;
}

static void look_at_waves(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session = find_listener(gpu);
	int bracket;

	if (!session || wdbg_power_begin(session, &bracket))
		return;
	wdbg_wave_scan(gpu, NULL, tell_of_simd, NULL);
	wdbg_power_end(gpu, bracket);
}

static bool is_used(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	if (gpu->power_users)
		return true;
	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, ~0))
			return true;
	return false;
}

static void look_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(to_delayed_work(work),
					    struct wdbg_gpu, source.look);

	mutex_lock(&gpu->lock);
	if (gpu->adev) {
		wdbg_power_look(gpu);
		if (gpu->source.polls)
			look_at_waves(gpu);
		wdbg_event_source_watch(gpu);
	}
	mutex_unlock(&gpu->lock);
}

/**
 * wdbg_event_source_watch() - look now and then, if a session has reason to
 * @gpu: the GPU, attached
 *
 * To be called when a session begins to have something on the GPU.
 * Context: the GPU's lock is held.
 */
void wdbg_event_source_watch(struct wdbg_gpu *gpu)
{
	u32 ms = gpu->source.polls && find_listener(gpu) ? LOOK_AT_WAVES_MS :
							   LOOK_MS;

	lockdep_assert_held(&gpu->lock);
	if (is_used(gpu))
		queue_delayed_work(wdbg_workqueue, &gpu->source.look,
				   msecs_to_jiffies(ms));
}

/**
 * wdbg_event_source_update() - sessions have begun or ceased to want events
 * @gpu: the GPU, attached
 *
 * Context: the GPU's lock is held.
 */
void wdbg_event_source_update(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	if (!gpu->source.polls)
		wdbg_iv_want(&gpu->source.tap, find_listener(gpu));
	wdbg_event_source_watch(gpu);
}

/**
 * wdbg_event_source_open() - be ready for the events of a GPU
 * @gpu: the GPU; everything that wdbg_gpu_probe() finds out is set
 *
 * Context: may sleep; the device is bound to amdgpu.
 * Return: 0 or -ENOMEM; then there is nothing to close.
 */
int wdbg_event_source_open(struct wdbg_gpu *gpu)
{
	struct wdbg_event_source *source = &gpu->source;

	INIT_WORK(&source->drain, drain_work);
	INIT_DELAYED_WORK(&source->look, look_work);
	source->polls = !wdbg_iv_available(&gpu->layout);
	if (!source->polls)
		return wdbg_iv_open(&source->tap, gpu, on_wake);

	source->told = kcalloc(gpu->num_slots, sizeof(*source->told),
			       GFP_KERNEL);
	return source->told ? 0 : -ENOMEM;
}

/**
 * wdbg_event_source_close() - end of wdbg_event_source_open()
 * @gpu: the GPU; still attached, or nothing may call
 *	wdbg_event_source_watch() any more
 *
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_event_source_close(struct wdbg_gpu *gpu)
{
	struct wdbg_event_source *source = &gpu->source;

	wdbg_iv_close(&source->tap);
	cancel_work_sync(&source->drain);
	cancel_delayed_work_sync(&source->look);
	kfree(source->told);
	source->told = NULL;
}
