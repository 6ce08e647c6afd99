// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sequencer's places and its scheduler: SIMDs with their wave slots, which
 * waves can issue instructions, whose turn it is, and for how long.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "instances.h"
#include "isa/isa.h"
#include "log.h"
#include "quirks.h"
#include "regs.h"
#include "sq.h"
#include "sq_priv.h"
#include "wave.h"

/*
 * A slice must be short against the 20 us after which the host is to be heard
 * again, and long against the reading of the clock. Instructions differ by
 * more than a hundred times, so its length follows what it took last.
 */
#define SLICE_MIN	16
#define SLICE_MAX	512
#define SLICE_SHORT_NS	2000
#define SLICE_LONG_NS	6000

int sq_bits_alloc(u64 *map, unsigned int bits, unsigned int want)
{
	unsigned int i, run = 0;

	for (i = 0; i < bits; i++) {
		run = map[i / 64] >> i % 64 & 1 ? 0 : run + 1;
		if (run != want)
			continue;
		for (run = 0; run < want; run++)
			map[(i - run) / 64] |= BIT_ULL((i - run) % 64);
		return i - want + 1;
	}
	return -1;
}

void sq_bits_free(u64 *map, unsigned int first, unsigned int num)
{
	unsigned int i;

	for (i = first; i < first + num; i++)
		map[i / 64] &= ~BIT_ULL(i % 64);
}

static unsigned int total_slots(const struct vgpu *g)
{
	return g->num_se * g->num_sa * g->num_wgp * g->num_simd * g->num_slots;
}

int vgpu_sq_init(struct vgpu *g)
{
	struct vgpu_sq *sq;

	if (g->num_se > SQ_MAX_SE || g->num_sa > SQ_MAX_SA ||
	    g->num_wgp > SQ_MAX_WGP || g->num_simd > SQ_MAX_SIMD ||
	    g->num_slots > SQ_MAX_SLOTS || !total_slots(g)) {
		vgpu_log(g, "geometry %ux%ux%u: at most %ux%ux%u WGPs are possible",
			 g->num_se, g->num_sa, g->num_wgp, SQ_MAX_SE,
			 SQ_MAX_SA, SQ_MAX_WGP);
		return -EINVAL;
	}

	sq = calloc(1, sizeof(*sq));
	if (!sq)
		return -ENOMEM;
	sq->run = calloc(total_slots(g), sizeof(*sq->run));
	if (!sq->run) {
		free(sq);
		return -ENOMEM;
	}
	sq->slice = SLICE_MIN;
	g->sq = sq;

	sq_dispatch_init(g);
	sq_trap_init(g);
	sq_watch_init(g);
	sq_cmd_init(g);
	sq_ind_init(g);
	return 0;
}

void vgpu_sq_fini(struct vgpu *g)
{
	struct vgpu_sq *sq = g->sq;
	struct sq_wave *sw;

	if (!sq)
		return;
	vgpu_sq_reset(g);
	while ((sw = sq->free_waves)) {
		sq->free_waves = sw->next_free;
		free(sw);
	}
	sq_history_free(sq);
	free(sq->run);
	free(sq);
	g->sq = NULL;
}

struct sq_wave *sq_wave_get(struct vgpu_sq *sq)
{
	struct sq_wave *sw = sq->free_waves;
	void *mem;

	if (sw) {
		sq->free_waves = sw->next_free;
		return sw;
	}
	if (posix_memalign(&mem, SQ_WAVE_ALIGN, sizeof(*sw)))
		return NULL;
	return mem;
}

void sq_wave_put(struct vgpu_sq *sq, struct sq_wave *sw)
{
	if (sw->scratch_place >= 0)
		sq_bits_free(sq->scratch, sw->scratch_place, 1);
	sw->next_free = sq->free_waves;
	sq->free_waves = sw;
}

static void run_list_add(struct vgpu_sq *sq, struct sq_wave *sw)
{
	sw->in_run = true;
	sw->run_index = sq->num_run;
	sq->run[sq->num_run++] = sw;
}

static void run_list_del(struct vgpu_sq *sq, struct sq_wave *sw)
{
	struct sq_wave *last = sq->run[--sq->num_run];

	sq->run[sw->run_index] = last;
	last->run_index = sw->run_index;
	sw->in_run = false;
}

void sq_wave_update_stop(struct vgpu *g, struct sq_wave *sw)
{
	struct vgpu_wave *w = &sw->w;
	bool handler = w->status & STATUS_PRIV &&
		       vgpu_quirk(g, VGPU_QUIRK_HALT_IGNORED_IN_HANDLER);

	w->stop &= ~(VGPU_STOP_HALT | VGPU_STOP_FATAL);
	if (w->status & STATUS_HALT && !handler)
		w->stop |= VGPU_STOP_HALT;
	if (w->status & STATUS_FATAL_HALT)
		w->stop |= VGPU_STOP_FATAL;

	/* The wave that runs now is seen to when its slice ends. */
	if (sw == g->sq->current)
		return;
	if (sw->in_run && w->stop)
		run_list_del(g->sq, sw);
	else if (!sw->in_run && !w->stop)
		run_list_add(g->sq, sw);
}

void sq_wave_reap(struct vgpu *g, struct sq_wave *sw)
{
	struct vgpu_wave *w = &sw->w;
	struct vgpu_sq *sq = g->sq;
	struct vgpu_group *group = w->group;
	struct sq_simd *simd = &group->wgp->simd[w->simd];

	if (sw->in_run)
		run_list_del(sq, sw);
	simd->slot[w->slot] = NULL;
	simd->active &= ~BIT(w->slot);
	sq_bits_free(simd->vgprs, sw->vgpr_unit, sw->vgpr_units);
	if (w->stop & VGPU_STOP_BARRIER)
		group->waiting--;
	group->wave[sw->num] = NULL;
	sq_wave_put(sq, sw);
	sq->launch_check = true;

	if (--group->live)
		sq_group_check_barrier(g, group);
	else
		sq_group_free(g, group);
}

static void reap_ended(struct vgpu *g, struct sq_wave *sw)
{
	g->sq->current = NULL;
	sw->w.stop &= ~VGPU_STOP_YIELD;
	if (sw->w.stop & VGPU_STOP_ENDED)
		sq_wave_reap(g, sw);
	else
		sq_wave_update_stop(g, sw);
}

void sq_wave_step(struct vgpu *g, struct sq_wave *sw)
{
	g->sq->current = sw;
	sw->w.stop = 0;
	g->counters.instructions += vgpu_isa_run(g, &sw->w, 1);
	reap_ended(g, sw);
}

/* What a slice of @ran instructions took says how long the next may be. */
static void adapt_slice(struct vgpu_sq *sq, unsigned int ran, u64 took)
{
	if (took > SLICE_LONG_NS) {
		sq->slice = ran * SLICE_LONG_NS / took;
		if (sq->slice < SLICE_MIN)
			sq->slice = SLICE_MIN;
	} else if (took < SLICE_SHORT_NS && ran >= sq->slice) {
		sq->slice *= 2;
		if (sq->slice > SLICE_MAX)
			sq->slice = SLICE_MAX;
	}
}

/*
 * Not all slices have the same length, else a loop whose length divides it
 * would always be seen at one and the same PC. The same in each run of vgpu.
 */
static unsigned int slice_length(struct vgpu_sq *sq)
{
	sq->jitter = sq->jitter * 1103515245 + 12345;
	return sq->slice + (sq->jitter >> 16) % SLICE_MIN;
}

static u64 run_slice(struct vgpu *g, struct sq_wave *sw, u64 before)
{
	struct vgpu_sq *sq = g->sq;
	unsigned int ran;
	u64 now;

	sq->current = sw;
	ran = vgpu_isa_run(g, &sw->w, slice_length(sq));
	g->counters.instructions += ran;
	reap_ended(g, sw);
	now = vgpu_now_ns();
	adapt_slice(sq, ran, now - before);
	return now;
}

bool vgpu_sq_runnable(struct vgpu *g)
{
	return g->sq->num_run || g->sq->launch_check;
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
			sq_launch_groups(g);
		if (!sq->num_run)
			break;
		if (sq->cursor >= sq->num_run)
			sq->cursor = 0;
		sw = sq->run[sq->cursor];
		now = run_slice(g, sw, now);
		/* If it has left the list, another is in its place now. */
		if (sq->cursor < sq->num_run && sq->run[sq->cursor] == sw)
			sq->cursor++;
	} while (now < end);
}

static void queue_drop(struct vgpu *g, const struct vgpu_queue_id *id)
{
	struct sq_launch *l, *next;

	for (l = g->sq->launches; l; l = next) {
		next = l->next;
		if (id && (l->d.queue.me != id->me ||
			   l->d.queue.pipe != id->pipe ||
			   l->d.queue.queue != id->queue))
			continue;
		/* No more groups: it ends with the last wave. */
		l->num_groups = l->next_group;
		if (!l->live_groups)
			sq_launch_free(g, l);
	}
}

static void end_of_queue(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	const struct vgpu_queue_id *id = arg;
	const struct vgpu_queue_id *of = &w->group->launch->d.queue;

	if (of->me == id->me && of->pipe == id->pipe && of->queue == id->queue)
		vgpu_wave_end(g, w);
}

void vgpu_sq_queue_kill(struct vgpu *g, struct vgpu_queue_id id)
{
	queue_drop(g, &id);
	vgpu_sq_for_each(g, end_of_queue, &id);
}

static void end_any(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)arg;
	vgpu_wave_end(g, w);
}

void vgpu_sq_reset(struct vgpu *g)
{
	struct vgpu_sq *sq = g->sq;
	unsigned int se, sa, wgp, simd;

	queue_drop(g, NULL);
	vgpu_sq_for_each(g, end_any, NULL);
	for (se = 0; se < SQ_MAX_SE; se++)
		for (sa = 0; sa < SQ_MAX_SA; sa++)
			for (wgp = 0; wgp < SQ_MAX_WGP; wgp++)
				for (simd = 0; simd < SQ_MAX_SIMD; simd++)
					sq->wgp[se][sa][wgp].simd[simd].ind_index = 0;
	sq->next_wgp = 0;
	sq->cursor = 0;
	sq->launch_check = false;
	sq->lend.simd = NULL;
	sq_watch_reset(g);
}

bool vgpu_sq_queue_busy(struct vgpu *g, struct vgpu_queue_id id)
{
	return g->sq->queue_launches[id.me % 4][id.pipe % 4]
				    [id.queue % SQ_NUM_QUEUES];
}

u64 vgpu_sq_queue_oldest(struct vgpu *g, struct vgpu_queue_id id)
{
	const struct sq_launch *l;

	for (l = g->sq->launches; l; l = l->next)
		if (l->d.queue.me == id.me && l->d.queue.pipe == id.pipe &&
		    l->d.queue.queue == id.queue)
			return l->d.serial;
	return ~0ULL;
}

struct vgpu_wave *vgpu_sq_wave(struct vgpu *g, unsigned int se,
			       unsigned int sa, unsigned int wgp,
			       unsigned int simd, unsigned int slot)
{
	struct sq_wave *sw;

	if (se >= g->num_se || sa >= g->num_sa || wgp >= g->num_wgp ||
	    simd >= g->num_simd || slot >= g->num_slots)
		return NULL;
	sw = g->sq->wgp[se][sa][wgp].simd[simd].slot[slot];
	return sw ? &sw->w : NULL;
}

/* Those that are there, in the order of coordinates; NULL: all. Returns how many. */
static unsigned int walk_simds(struct vgpu *g,
			       const struct vgpu_selection *sel,
			       sq_simd_fn fn, void *arg)
{
	unsigned int se, sa, wgp, simd, n = 0;

	for (se = 0; se < g->num_se; se++)
		for (sa = 0; sa < g->num_sa; sa++)
			for (wgp = 0; wgp < g->num_wgp; wgp++) {
				if (!vgpu_wgp_exists(g, se, sa, wgp) ||
				    (sel && !vgpu_selects_wgp(sel, se, sa, wgp)))
					continue;
				for (simd = 0; simd < g->num_simd; simd++) {
					if (sel && !sel->all_instances &&
					    sel->simd != simd)
						continue;
					fn(g, &g->sq->wgp[se][sa][wgp]
						.simd[simd], arg);
					n++;
				}
			}
	return n;
}

struct wave_call {
	void (*fn)(struct vgpu *g, struct vgpu_wave *w, void *arg);
	void *arg;
};

static void call_for_waves(struct vgpu *g, struct sq_simd *simd, void *arg)
{
	struct wave_call *call = arg;
	unsigned int slot;

	for (slot = 0; slot < g->num_slots; slot++)
		if (simd->slot[slot])
			call->fn(g, &simd->slot[slot]->w, call->arg);
}

void vgpu_sq_for_each(struct vgpu *g,
		      void (*fn)(struct vgpu *g, struct vgpu_wave *w,
				 void *arg),
		      void *arg)
{
	struct wave_call call = { fn, arg };

	walk_simds(g, NULL, call_for_waves, &call);
}

unsigned int sq_for_selected(struct vgpu *g, sq_simd_fn fn, void *arg)
{
	struct vgpu_selection sel = vgpu_selection(g);

	return walk_simds(g, &sel, fn, arg);
}

bool sq_select_is_broadcast(struct vgpu *g)
{
	struct vgpu_selection sel = vgpu_selection(g);

	return sel.all_se || sel.all_sa || sel.all_instances;
}

u32 sq_reg_of_wave(struct vgpu *g, const struct vgpu_wave *w,
		   enum vgpu_role role)
{
	struct vgpu_bank_select sel = {
		.vmid = w->vmid, .se = w->se, .sa = w->sa, .wgp = w->wgp,
	};

	return vgpu_reg_of(g, &sel, role, 0);
}
