// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler: which wave issues instructions next, and how many.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/wave.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "sq/priv.h"
#include "sq/sq.h"

/*
 * A slice is the number of instructions that a wave executes in its turn. It must take
 * much less than the 20 us after which requests of the host are answered, and much longer
 * than reading the clock. Instructions differ in cost by a factor of more than 100, so
 * the length of a slice is derived from the time that the last one took.
 */
#define SLICE_MAX	512
#define SLICE_SHORT_NS	2000
#define SLICE_LONG_NS	6000

/*
 * Duration of a clock of s_sleep. The longest sleep is 8 us, so s_wakeup, which would end
 * it for the waves of a group, does nothing.
 */
#define CLOCK_NS	1

static void reap_ended(struct vgpu *g, struct sq_wave *sw)
{
	g->sq->current = NULL;
	sw->w.stop &= ~VGPU_STOP_YIELD;
	if (sw->w.stop & VGPU_STOP_ENDED)
		sq_wave_reap(g, sw);
	else
		sq_wave_update_stop(g, sw);
}

static void note_sleep(struct sq_wave *sw)
{
	sw->wakes_ns = vgpu_now_ns() + (u64)sw->w.sleep * CLOCK_NS;
	sw->w.sleep = 0;
}

/* Execute up to @n instructions of a wave. Returns their number; the wave may have ended. */
static unsigned int run_wave(struct vgpu *g, struct sq_wave *sw, unsigned int n)
{
	unsigned int ran;

	g->sq->current = sw;
	ran = vgpu_isa_run(g, &sw->w, sw->steps ? 1 : n);
	g->counters.instructions += ran;
	sw->steps = false;
	if (sw->w.sleep)
		note_sleep(sw);
	reap_ended(g, sw);
	return ran;
}

void sq_wave_step(struct vgpu *g, struct sq_wave *sw)
{
	sw->steps = true;
	sq_wave_update_stop(g, sw);
	if (!sq_wave_check_kill(g, sw) &&
	    vgpu_quirk(g, VGPU_QUIRK_SINGLE_STEP_AT_ONCE))
		run_wave(g, sw, 1);
}

/* Choose the length of the next slice; the last one of @ran instructions took @took ns. */
static void adapt_slice(struct vgpu_sq *sq, unsigned int ran, u64 took)
{
	if (took > SLICE_LONG_NS) {
		sq->slice = ran * SLICE_LONG_NS / took;
		if (sq->slice < SQ_SLICE_MIN)
			sq->slice = SQ_SLICE_MIN;
	} else if (took < SLICE_SHORT_NS && ran >= sq->slice) {
		sq->slice *= 2;
		if (sq->slice > SLICE_MAX)
			sq->slice = SLICE_MAX;
	}
}

/*
 * Vary the length of slices: if it were constant, the host would always see a wave in a
 * loop whose length divides that of the slice at the same PC. The sequence is the same in
 * each run of vgpu.
 */
static unsigned int slice_length(struct vgpu_sq *sq)
{
	sq->jitter = sq->jitter * 1103515245 + 12345;
	return sq->slice + (sq->jitter >> 16) % SQ_SLICE_MIN;
}

static u64 run_slice(struct vgpu *g, struct sq_wave *sw, u64 before)
{
	unsigned int ran = run_wave(g, sw, slice_length(g->sq));
	u64 now = vgpu_now_ns();

	adapt_slice(g->sq, ran, now - before);
	return now;
}

/* Get the wave whose turn is next; NULL: all waves sleep. */
static struct sq_wave *next_awake(struct vgpu_sq *sq, u64 now)
{
	struct sq_wave *sw;

	for (unsigned int n = sq->num_run; n; n--) {
		if (sq->cursor >= sq->num_run)
			sq->cursor = 0;
		sw = sq->run[sq->cursor];
		if (sw->wakes_ns <= now)
			return sw;
		sq->cursor++;
	}
	return NULL;
}

bool vgpu_sq_runnable(struct vgpu *g)
{
	return g->sq->num_run || g->sq->launch_check;
}

u64 vgpu_sq_sleeps_ns(struct vgpu *g)
{
	const struct vgpu_sq *sq = g->sq;
	u64 now = vgpu_now_ns(), first = UINT64_MAX;

	if (sq->launch_check || !sq->num_run)
		return 0;
	for (unsigned int i = 0; i < sq->num_run; i++) {
		/* One wave that is awake is enough, and usually the first one is. */
		if (sq->run[i]->wakes_ns <= now)
			return 0;
		if (sq->run[i]->wakes_ns < first)
			first = sq->run[i]->wakes_ns;
	}
	return first - now;
}

void vgpu_sq_run(struct vgpu *g, u64 budget_ns)
{
	struct vgpu_sq *sq = g->sq;
	struct sq_wave *sw;
	u64 now, end;

	if (!vgpu_sq_runnable(g))
		return;
	now = vgpu_now_ns();
	end = now + budget_ns;
	do {
		if (sq->launch_check)
			sq_launch_groups(g, end);
		sw = next_awake(sq, now);
		if (!sw)
			break;
		now = run_slice(g, sw, now);
		/* If the wave has left the list, another wave has taken its index. */
		if (sq->cursor < sq->num_run && sq->run[sq->cursor] == sw)
			sq->cursor++;
	} while (now < end);
}
