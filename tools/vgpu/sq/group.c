// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work-groups and their dispatches after their waves have started: barriers, LDS, KILL,
 * and what is freed when the last wave ends.
 */
#include <stdlib.h>

#include "gpu.h"
#include "isa/wave.h"
#include "regs/quirks.h"
#include "sq/priv.h"
#include "sq/sq.h"

struct sq_queue *sq_queue_of(struct vgpu_sq *sq, const struct vgpu_queue_id *id)
{
	return &sq->queues[((id->me % 4) * 4 + id->pipe % 4) * SQ_NUM_QUEUES +
			   id->queue % SQ_NUM_QUEUES];
}

void sq_launch_free(struct vgpu *g, struct sq_launch *l)
{
	struct sq_queue *q = sq_queue_of(g->sq, &l->d.queue);
	struct sq_launch **p, *before = NULL;

	for (p = &q->first; *p != l; p = &(*p)->next)
		before = *p;
	*p = l->next;
	if (q->last == l)
		q->last = before;
	q->num--;
	free(l);
}

static void group_free(struct vgpu *g, struct vgpu_group *group)
{
	struct sq_launch *l = group->launch;

	sq_bits_free(group->wgp->lds, group->lds_block, group->lds_blocks);
	if (group->num_waves > 1)
		group->wgp->group_ids &= ~BIT(group->id);
	free(group->lds);
	free(group);
	if (!--l->live_groups && l->next_group == l->num_groups)
		sq_launch_free(g, l);
}

/* Release the barrier if all live waves wait at it: after one has arrived or ended. */
static void check_barrier(struct vgpu *g, struct vgpu_group *group)
{
	unsigned int i;

	if (!group->waiting || group->waiting < group->live)
		return;
	group->waiting = 0;
	for (i = 0; i < group->num_waves; i++) {
		struct sq_wave *sw = group->wave[i];

		if (!sw || !(sw->w.stop & VGPU_STOP_BARRIER))
			continue;
		sw->w.stop &= ~VGPU_STOP_BARRIER;
		sq_wave_update_stop(g, sw);
		sq_trap_check(g, sw);
	}
}

void sq_wave_reap(struct vgpu *g, struct sq_wave *sw)
{
	struct vgpu_wave *w = &sw->w;
	struct vgpu_sq *sq = g->sq;
	struct vgpu_group *group = w->group;

	sq_slot_leave(sq, sw);
	if (w->stop & VGPU_STOP_BARRIER)
		group->waiting--;
	group->wave[sw->num] = NULL;
	sq_wave_put(sq, sw);
	sq->launch_check = true;

	if (--group->live)
		check_barrier(g, group);
	else
		group_free(g, group);
}

void vgpu_wave_end(struct vgpu *g, struct vgpu_wave *w)
{
	struct sq_wave *sw = sq_wave_of(w);

	w->stop |= VGPU_STOP_ENDED;
	if (sw != g->sq->current)
		sq_wave_reap(g, sw);
}

/* Bits of the quirk kill-at-once */
#define KILLS_HALTED		BIT(0)
#define KILLS_IN_HANDLER	BIT(1)

static bool can_be_killed(struct vgpu *g, const struct vgpu_wave *w)
{
	u32 reach = vgpu_quirk(g, VGPU_QUIRK_KILL_AT_ONCE);

	if (w->stop & VGPU_STOP_HALT && !(reach & KILLS_HALTED))
		return false;
	return !w->priv || reach & KILLS_IN_HANDLER;
}

void sq_wave_kill(struct vgpu *g, struct sq_wave *sw)
{
	sw->killed = true;
	sq_wave_check_kill(g, sw);
}

bool sq_wave_check_kill(struct vgpu *g, struct sq_wave *sw)
{
	if (!sw->killed || !can_be_killed(g, &sw->w))
		return false;
	vgpu_wave_end(g, &sw->w);
	return true;
}

void vgpu_wave_barrier(struct vgpu *g, struct vgpu_wave *w)
{
	/* The only wave of a group does not wait at a barrier. */
	if (!w->in_tg)
		return;
	w->stop |= VGPU_STOP_BARRIER;
	w->group->waiting++;
	check_barrier(g, w->group);
}

u8 *vgpu_wave_lds(const struct vgpu_wave *w, u32 *size)
{
	*size = w->group->lds_size;
	return w->group->lds;
}
