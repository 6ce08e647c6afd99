// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creation and reset of the sequencer, and the state of each queue's dispatches.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "isa/wave.h"
#include "regs/log.h"
#include "sq/priv.h"
#include "sq/sq.h"

static unsigned int total_slots(const struct vgpu *g)
{
	return g->num_se * g->num_sa * g->num_wgp * g->num_simd * g->num_slots;
}

static const struct vgpu_wave_hooks wave_hooks = {
	.memory = {
		.lds = vgpu_wave_lds,
		.watch = vgpu_watch_match,
	},
	.message = {
		.end = vgpu_wave_end,
		.barrier = vgpu_wave_barrier,
		.halt = vgpu_wave_halt,
		.send = vgpu_wave_sendmsg,
		.getreg = vgpu_wave_getreg,
		.setreg = vgpu_wave_setreg,
	},
	.trap = {
		.s_trap = vgpu_trap_s_trap,
		.illegal = vgpu_trap_illegal,
		.step = vgpu_trap_step,
		.exception = vgpu_trap_exception,
		.memory = vgpu_trap_memory,
		.late = vgpu_trap_late,
		.rfe = vgpu_trap_return,
	},
};

int vgpu_sq_init(struct vgpu *g)
{
	struct vgpu_sq *sq;

	if (g->num_se > SQ_MAX_SE || g->num_sa > SQ_MAX_SA ||
	    g->num_wgp > SQ_MAX_WGP || g->num_simd > SQ_MAX_SIMD ||
	    g->num_slots > SQ_MAX_SLOTS || !total_slots(g) ||
	    sq_vgpr_units(g) > SQ_MAX_VGPR_UNITS ||
	    sq_lds_blocks(g) > SQ_MAX_LDS_BLOCKS) {
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
	g->sq = sq;
	g->hooks.wave = &wave_hooks;

	sq_dispatch_init(g);
	sq_trap_init(g);
	sq_watch_init(g);
	sq_cmd_init(g);
	sq_ind_init(g);
	vgpu_sq_reset(g);
	return 0;
}

void vgpu_sq_fini(struct vgpu *g)
{
	struct vgpu_sq *sq = g->sq;

	if (!sq)
		return;
	vgpu_sq_reset(g);
	vgpu_sq_forget(g);
	free(sq->run);
	free(sq);
	g->sq = NULL;
}

static void queue_drop(struct vgpu *g, const struct sq_queue *q)
{
	struct sq_launch *l, *next;

	for (l = q->first; l; l = next) {
		next = l->next;
		/* Start no more groups: the dispatch ends with its last live wave. */
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
	queue_drop(g, sq_queue_of(g->sq, &id));
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
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sq->queues); i++)
		queue_drop(g, &sq->queues[i]);
	vgpu_sq_for_each(g, end_any, NULL);
	/* No wave is left, so no slot, VGPR or LDS block is in use. */
	memset(sq->wgp, 0, sizeof(sq->wgp));
	sq->next_wgp = 0;
	sq->next_queue = 0;
	sq->cursor = 0;
	sq->slice = SQ_SLICE_MIN;
	sq->jitter = 0;
	sq->launch_check = false;
	sq->lend = (struct sq_lend) { .simd = NULL };
	sq->watched_vmids = 0;
	sq->late_cmds.num = 0;
}

void vgpu_sq_forget(struct vgpu *g)
{
	struct vgpu_sq *sq = g->sq;

	sq_wave_free_all(sq);
	sq_history_free(sq);
	sq->next_serial = 0;
}

bool vgpu_sq_busy(const struct vgpu *g)
{
	unsigned int i;

	if (g->sq->num_run)
		return true;
	for (i = 0; i < ARRAY_SIZE(g->sq->queues); i++)
		if (g->sq->queues[i].num)
			return true;
	return false;
}

bool vgpu_sq_queue_busy(struct vgpu *g, struct vgpu_queue_id id)
{
	return sq_queue_of(g->sq, &id)->num;
}

u64 vgpu_sq_queue_oldest(struct vgpu *g, struct vgpu_queue_id id)
{
	const struct sq_launch *l = sq_queue_of(g->sq, &id)->first;

	return l ? l->d.serial : ~0ULL;
}
