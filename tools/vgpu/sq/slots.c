// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The slots of waves: SIMDs with their slots and VGPRs, the list of the waves that can
 * issue instructions, and the iteration over selected SIMDs.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "regs/instances.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

unsigned int sq_vgpr_units(const struct vgpu *g)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);

	return isa->simd_vgprs / isa->vgpr_given[0];
}

unsigned int sq_lds_blocks(const struct vgpu *g)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);

	return isa->lds_bytes / isa->lds_block;
}

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
	return memset(mem, 0, sizeof(*sw));
}

void sq_wave_free_all(struct vgpu_sq *sq)
{
	struct sq_wave *sw;

	while ((sw = sq->free_waves)) {
		sq->free_waves = sw->next_free;
		free(sw);
	}
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
	bool handler = w->priv &&
		       vgpu_quirk(g, VGPU_QUIRK_HALT_IGNORED_IN_HANDLER);

	w->stop &= ~(VGPU_STOP_HALT | VGPU_STOP_FATAL);
	if (w->halt && !handler && !sw->steps)
		w->stop |= VGPU_STOP_HALT;
	if (w->fatal_halt)
		w->stop |= VGPU_STOP_FATAL;

	/* For the wave that runs now, reap_ended() does the rest when its slice ends. */
	if (sw == g->sq->current)
		return;
	if (sw->in_run && w->stop)
		run_list_del(g->sq, sw);
	else if (!sw->in_run && !w->stop)
		run_list_add(g->sq, sw);
}

void sq_slot_leave(struct vgpu_sq *sq, struct sq_wave *sw)
{
	struct vgpu_wave *w = &sw->w;
	struct sq_simd *simd = &w->group->wgp->simd[w->simd];

	if (sw->in_run)
		run_list_del(sq, sw);
	simd->slot[w->slot] = NULL;
	simd->active &= ~BIT(w->slot);
	sq_bits_free(simd->vgprs, sw->vgpr_unit, sw->vgpr_units);
}

void vgpu_wave_update_slow(struct vgpu *g, struct vgpu_wave *w)
{
	w->slow = w->debug_en || g->opt.trace_waves || w->late ||
		  g->sq->watched_vmids & BIT(w->vmid);
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

/*
 * Call @fn for each existing SIMD that @sel selects (NULL: for all), in the order of
 * coordinates. Returns their number.
 */
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

unsigned int sq_for_selection(struct vgpu *g, const struct vgpu_selection *sel,
			      sq_simd_fn fn, void *arg)
{
	return walk_simds(g, sel, fn, arg);
}

unsigned int sq_for_selected(struct vgpu *g, sq_simd_fn fn, void *arg)
{
	struct vgpu_selection sel = vgpu_selection(g);

	return sq_for_selection(g, &sel, fn, arg);
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
