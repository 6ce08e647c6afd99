// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The dispatcher: splits a dispatch into work-groups and waves, allocates slots,
 * VGPRs, LDS and scratch for them, and initialises the state of each wave.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "regs/checker.h"
#include "regs/instances.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

/* A bit of the quirk icache-drop */
#define DROP_BY_DISPATCH	BIT(0)

/* Maximum number of dispatches in a queue that have not ended; then its packets wait. */
#define MAX_QUEUED		64

/* The resources of a WGP that are allocated for one wave */
struct place {
	unsigned int simd, slot, vgpr_unit;
};

static void launch_resources(const struct vgpu *g, struct sq_launch *l)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	const struct vgpu_dispatch *d = &l->d;
	unsigned int vgprs =
		vgpu_get(g, F_COMPUTE_PGM_RSRC1_VGPRS, d->rsrc1) + 1;
	unsigned int wave64;

	l->lanes = vgpu_get(g, F_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN,
			    d->initiator) ? 32 : 64;
	wave64 = l->lanes == 64;
	l->num_vgprs = vgprs * isa->vgpr_counted[wave64];
	if (l->num_vgprs > VGPU_NUM_VGPRS)
		l->num_vgprs = VGPU_NUM_VGPRS;
	if (wave64)
		l->shared_vgprs = isa->vgpr_shared *
			vgpu_get(g, F_COMPUTE_PGM_RSRC3_SHARED_VGPR_CNT, d->rsrc3);
	if (l->shared_vgprs > VGPU_NUM_VGPRS - l->num_vgprs)
		l->shared_vgprs = VGPU_NUM_VGPRS - l->num_vgprs;
	/* A shared VGPR has 32 lanes: two of them take the space of one with 64 lanes. */
	l->vgpr_units = (l->num_vgprs + l->shared_vgprs / 2 +
			 isa->vgpr_given[wave64] - 1) /
			isa->vgpr_given[wave64];
	l->lds_blocks = vgpu_get(g, F_COMPUTE_PGM_RSRC2_LDS_SIZE, d->rsrc2);
	/* No run lasts until 2^64 groups have ended, so the exact number does not matter. */
	if (__builtin_mul_overflow((u64)d->groups[0] * d->groups[1],
				   d->groups[2], &l->num_groups))
		l->num_groups = ~0ULL;
}

static unsigned int num_waves(const struct sq_launch *l, const u32 *threads)
{
	return (threads[0] * threads[1] * threads[2] + l->lanes - 1) /
	       l->lanes;
}

/*
 * Get the maximum number of threads of any group in each direction: the last group may
 * have more than the others. Returns false if a group has no threads, or more than @most.
 */
static bool largest_group(const struct vgpu_dispatch *d, u32 most, u32 *threads)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		threads[i] = d->threads[i] > d->last[i] ? d->threads[i] :
							  d->last[i];
		if (!d->threads[i] || !d->last[i])
			return false;
	}
	return (u64)threads[0] * threads[1] <= most &&
	       (u64)threads[0] * threads[1] * threads[2] <= most;
}

/* Would each group fit on a GPU without other waves? If not, it would wait for ever. */
static bool launch_can_fit(const struct vgpu *g, const struct sq_launch *l)
{
	bool wgp_mode = vgpu_get(g, F_COMPUTE_PGM_RSRC1_WGP_MODE, l->d.rsrc1);
	unsigned int simds = wgp_mode ? g->num_simd : g->num_simd / 2;
	unsigned int per_simd = sq_vgpr_units(g) / l->vgpr_units;
	unsigned int waves;
	u32 threads[3];

	if (per_simd > g->num_slots)
		per_simd = g->num_slots;
	if (!largest_group(&l->d, vgpu_isa_of(g)->group_threads, threads))
		return false;
	waves = num_waves(l, threads);
	if (l->d.rsrc2 & vgpu_field(g, F_COMPUTE_PGM_RSRC2_SCRATCH_EN) &&
	    vgpu_get(g, F_COMPUTE_TMPRING_SIZE_WAVES, l->d.tmpring_size) <
		    waves)
		return false;
	return waves <= SQ_MAX_GROUP_WAVES && waves <= simds * per_simd &&
	       l->lds_blocks <= sq_lds_blocks(g);
}

int vgpu_sq_dispatch(struct vgpu *g, const struct vgpu_dispatch *d)
{
	struct sq_queue *q = sq_queue_of(g->sq, &d->queue);
	struct sq_launch *l;

	if (q->num == MAX_QUEUED)
		return -EAGAIN;
	l = calloc(1, sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->d = *d;
	l->history = sq_history_of(g, d->vmid);
	if (!l->history) {
		free(l);
		return -ENOMEM;
	}
	launch_resources(g, l);
	if (!launch_can_fit(g, l) ||
	    vgpu_get(g, F_COMPUTE_PGM_RSRC2_USER_SGPR, d->rsrc2) >
		    vgpu_isa_of(g)->user_sgprs) {
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "dispatch of groups of %ux%ux%u with RSRC1 %08x, RSRC2 %08x cannot run",
			      d->threads[0], d->threads[1], d->threads[2],
			      d->rsrc1, d->rsrc2);
		free(l);
		return -EINVAL;
	}
	g->counters.dispatches++;

	if (q->num++)
		q->last->next = l;
	else
		q->first = l;
	q->last = l;
	if (!l->num_groups)
		sq_launch_free(g, l);
	else
		g->sq->launch_check = true;
	return 0;
}

static bool place_wave(const struct vgpu *g, const struct sq_launch *l,
		       struct sq_wgp *wgp, unsigned int simd, struct place *p)
{
	struct sq_simd *s = &wgp->simd[simd];
	u32 free_slots = ~s->active & GENMASK(g->num_slots - 1, 0);
	int unit;

	if (!free_slots)
		return false;
	unit = sq_bits_alloc(s->vgprs, sq_vgpr_units(g), l->vgpr_units);
	if (unit < 0)
		return false;
	p->simd = simd;
	p->slot = __builtin_ctz(free_slots);
	p->vgpr_unit = unit;
	s->active |= BIT(p->slot);
	return true;
}

/*
 * Allocate slots and VGPRs for all waves of a group, or for none. In WGP mode the waves
 * are distributed to all SIMDs of the WGP, else to the SIMDs of one of its two CUs.
 */
static bool place_waves(const struct vgpu *g, const struct sq_launch *l,
			struct sq_wgp *wgp, unsigned int waves,
			struct place *place)
{
	unsigned int simds = g->num_simd, first = 0, turn = wgp->next_simd;
	unsigned int i, k, simd;

	if (!(l->d.rsrc1 & vgpu_field(g, F_COMPUTE_PGM_RSRC1_WGP_MODE)) &&
	    simds > 1) {
		simds /= 2;
		first = turn % 2 * simds;
		turn /= 2;
	}
	for (i = 0; i < waves; i++) {
		for (k = 0; k < simds; k++) {
			simd = first + (turn + i + k) % simds;
			if (place_wave(g, l, wgp, simd, &place[i]))
				break;
		}
		if (k == simds)
			break;
	}
	if (i == waves)
		return true;
	while (i--) {
		struct sq_simd *s = &wgp->simd[place[i].simd];

		s->active &= ~BIT(place[i].slot);
		sq_bits_free(s->vgprs, place[i].vgpr_unit, l->vgpr_units);
	}
	return false;
}

static struct vgpu_group *place_group(struct vgpu *g, struct sq_launch *l,
				      struct sq_wgp *wgp, unsigned int waves,
				      struct place *place)
{
	size_t bytes = (size_t)l->lds_blocks * vgpu_isa_of(g)->lds_block;
	struct vgpu_group *group;
	int block = 0;

	/*
	 * A group with one wave needs no barrier, and so no group id (LLVM 19
	 * AMDGPUBaseInfo.cpp, getMaxWorkGroupsPerCU()).
	 */
	if (waves > 1 && !~wgp->group_ids)
		return NULL;
	if (l->lds_blocks) {
		block = sq_bits_alloc(wgp->lds, sq_lds_blocks(g),
				      l->lds_blocks);
		if (block < 0)
			return NULL;
	}
	group = calloc(1, sizeof(*group));
	if (!group)
		goto no_group;
	if (l->lds_blocks) {
		group->lds = malloc(bytes);
		if (!group->lds)
			goto no_place;
	}
	if (!place_waves(g, l, wgp, waves, place))
		goto no_place;
	sq_poison_lds(g, group->lds, bytes);

	group->launch = l;
	group->wgp = wgp;
	if (waves > 1) {
		group->id = __builtin_ctz(~wgp->group_ids);
		wgp->group_ids |= BIT(group->id);
	}
	group->lds_block = block;
	group->lds_blocks = l->lds_blocks;
	group->lds_size = bytes;
	group->num_waves = waves;
	group->live = waves;
	wgp->next_simd++;
	return group;

no_place:
	free(group->lds);
	free(group);
no_group:
	sq_bits_free(wgp->lds, block, l->lds_blocks);
	return NULL;
}

static void init_sgprs(const struct vgpu *g, struct sq_wave *sw,
		       const struct sq_launch *l, unsigned int num)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	const struct vgpu_dispatch *d = &l->d;
	const struct vgpu_group *group = sw->w.group;
	u32 *s = sw->w.s;
	unsigned int i, n;

	n = vgpu_get(g, F_COMPUTE_PGM_RSRC2_USER_SGPR, d->rsrc2);
	memcpy(s, d->user_data, n * sizeof(*s));
	for (i = 0; i < 3; i++)
		if (d->rsrc2 & vgpu_field(g, F_COMPUTE_PGM_RSRC2_TGID_X_EN + i))
			s[n++] = group->pos[i];
	if (d->rsrc2 & vgpu_field(g, F_COMPUTE_PGM_RSRC2_TG_SIZE_EN))
		s[n++] = (num ? 0 : isa->tg_first_wave) |
			 FIELD_PREP(isa->tg_wave_id, num) |
			 FIELD_PREP(isa->tg_ordered, num) |
			 FIELD_PREP(isa->tg_waves, group->num_waves);
	/* WAVESIZE counts 256 dwords; the offset is in bytes. */
	if (d->rsrc2 & vgpu_field(g, F_COMPUTE_PGM_RSRC2_SCRATCH_EN))
		s[n++] = sw->scratch_place * 1024 *
			 vgpu_get(g, F_COMPUTE_TMPRING_SIZE_WAVESIZE,
				  d->tmpring_size);
}

static void init_vgprs(const struct vgpu *g, struct vgpu_wave *w,
		       const struct sq_launch *l, const u32 *threads,
		       unsigned int num)
{
	unsigned int ids =
		vgpu_get(g, F_COMPUTE_PGM_RSRC2_TIDIG_COMP_CNT, l->d.rsrc2);
	unsigned int total = threads[0] * threads[1] * threads[2];
	unsigned int lane, id;
	u64 exec = 0;

	for (lane = 0; lane < l->lanes; lane++) {
		id = num * l->lanes + lane;
		if (id >= total)
			break;
		exec |= BIT_ULL(lane);
		w->v[0][lane] = id % threads[0];
		if (ids >= 1)
			w->v[1][lane] = id / threads[0] % threads[1];
		if (ids >= 2)
			w->v[2][lane] = id / (threads[0] * threads[1]);
	}
	w->s[VGPU_S_EXEC] = lower_32_bits(exec);
	w->s[VGPU_S_EXEC + 1] = upper_32_bits(exec);
}

/* Get the exceptions for which a new wave traps. */
static u32 launch_excp_en(struct vgpu *g, const struct vgpu_wave *w,
			  const struct vgpu_dispatch *d)
{
	u32 mask = sq_reg_of_wave(g, w, R_SPI_GDBG_TRAP_MASK);
	u32 lsb = vgpu_field(g, F_COMPUTE_PGM_RSRC2_EXCP_EN), excp;

	/* RSRC2 splits the exceptions into two fields (AMDGPUUsage of LLVM 19). */
	excp = vgpu_get(g, F_COMPUTE_PGM_RSRC2_EXCP_EN, d->rsrc2) |
	       vgpu_get(g, F_COMPUTE_PGM_RSRC2_EXCP_EN_MSB, d->rsrc2)
	       << __builtin_popcount(lsb);
	if (mask & vgpu_field(g, F_SPI_GDBG_TRAP_MASK_REPLACE))
		excp = 0;
	excp |= vgpu_get(g, F_SPI_GDBG_TRAP_MASK_EXCP_EN, mask);
	return vgpu_isa_of(g)->excp_enabled(excp);
}

static void init_mode(struct vgpu *g, struct vgpu_wave *w,
		      const struct vgpu_dispatch *d)
{
	u32 fp = vgpu_get(g, F_COMPUTE_PGM_RSRC1_FLOAT_MODE, d->rsrc1);

	/* FLOAT_MODE has the layout of MODE (AMDGPUUsage of LLVM 19, compute_pgm_rsrc1). */
	w->fp_round = vgpu_get(g, F_SQ_WAVE_MODE_FP_ROUND, fp);
	w->fp_denorm = vgpu_get(g, F_SQ_WAVE_MODE_FP_DENORM, fp);
	w->dx10_clamp = vgpu_get(g, F_COMPUTE_PGM_RSRC1_DX10_CLAMP, d->rsrc1);
	w->ieee = vgpu_get(g, F_COMPUTE_PGM_RSRC1_IEEE_MODE, d->rsrc1);
	w->fp16_ovfl = vgpu_get(g, F_COMPUTE_PGM_RSRC1_FP16_OVFL, d->rsrc1);
	w->debug_en = vgpu_get(g, F_COMPUTE_PGM_RSRC1_DEBUG_MODE, d->rsrc1);
	w->excp_en = launch_excp_en(g, w, d);
}

static void init_state(struct vgpu *g, struct vgpu_wave *w,
		       const struct sq_launch *l)
{
	const struct vgpu_dispatch *d = &l->d;
	u32 cntl2 = sq_reg_of_wave(g, w, R_SPI_GDBG_WAVE_CNTL2);
	unsigned int mode = 0, how = VGPU_LAUNCH_NORMAL;

	w->valid = true;
	w->spi_prio = (u8)vgpu_get(g, F_COMPUTE_PGM_RSRC1_PRIORITY, d->rsrc1);
	w->in_tg = w->group->num_waves > 1;
	w->trap_en = sq_trap_enabled(g, w, d->rsrc2);
	init_mode(g, w, d);
	if (vgpu_get(g, F_SPI_GDBG_WAVE_CNTL2_VMID_MASK, cntl2) & BIT(d->vmid)) {
		mode = vgpu_get(g, F_SPI_GDBG_WAVE_CNTL2_MODE, cntl2);
		how = mode < VGPU_NUM_LAUNCH_MODES ?
		      g->profile->gen->launch_modes[mode] : VGPU_LAUNCH_UNKNOWN;
	}
	switch (how) {
	case VGPU_LAUNCH_HALT:
		w->halt = true;
		break;
	case VGPU_LAUNCH_DEBUG:
		w->debug_en = true;
		break;
	case VGPU_LAUNCH_NORMAL:
		break;
	default:
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "SPI_GDBG_WAVE_CNTL2.MODE %u is not modelled",
			      mode);
	}
	l->history->waves++;
	l->history->trap_en += w->trap_en;
	l->history->halted += how == VGPU_LAUNCH_HALT;
	l->history->debug += how == VGPU_LAUNCH_DEBUG;
	l->history->excp += !!vgpu_reg_load(g, R_SPI_GDBG_TRAP_MASK, 0);
	w->fwd_progress = vgpu_get(g, F_COMPUTE_PGM_RSRC1_FWD_PROGRESS, d->rsrc1);
}

static void init_ids(const struct vgpu *g, struct vgpu_wave *w,
		     const struct sq_wave *sw, const struct sq_launch *l)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	const struct vgpu_queue_id *q = &l->d.queue;

	w->me = q->me;
	w->pipe = q->pipe;
	w->queue = q->queue;
	w->group_id = (u8)w->group->id;
	w->vgpr_base = sw->vgpr_unit * isa->vgpr_given[l->lanes == 64];
	w->lds_base = w->group->lds_block * isa->lds_block;
	w->lds_bytes = w->group->lds_size;
}

static void init_wave(struct vgpu *g, struct sq_wave *sw,
		      struct vgpu_group *group, const u32 *threads,
		      unsigned int num)
{
	const struct sq_launch *l = group->launch;
	struct vgpu_wave *w = &sw->w;
	unsigned int i;

	init_state(g, w, l);
	init_ids(g, w, sw, l);
	sq_poison_wave(g, w);
	init_sgprs(g, sw, l, num);
	init_vgprs(g, w, l, threads, num);
	if (w->trap_en && vgpu_quirk(g, VGPU_QUIRK_SPI_TTMP_DATA)) {
		for (i = 0; i < 3; i++)
			w->s[VGPU_S_TTMP0 + 8 + i] = group->pos[i];
		w->s[VGPU_S_TTMP0 + 11] = num;
	}
	vgpu_wave_update_slow(g, w);
}

/*
 * Clear a wave except for its VGPRs, which come first: sq_poison_wave() sets those that
 * the wave has, and clearing all 64 KiB would be slow.
 */
static void clear_wave(struct sq_wave *sw)
{
	size_t after = offsetof(struct vgpu_wave, s);

	memset((u8 *)sw + after, 0, sizeof(*sw) - after);
}

static int scratch_alloc(struct vgpu *g, const struct sq_launch *l)
{
	u32 waves =
		vgpu_get(g, F_COMPUTE_TMPRING_SIZE_WAVES, l->d.tmpring_size);

	return sq_bits_alloc(g->sq->scratch, waves, 1);
}

static void start_wave(struct vgpu *g, struct sq_wave *sw,
		       struct vgpu_group *group, const u32 *threads,
		       unsigned int num, const struct place *p,
		       const struct vgpu_bank_select *at)
{
	struct sq_launch *l = group->launch;
	struct vgpu_wave *w = &sw->w;

	w->pc = l->d.pgm;
	w->lanes = l->lanes;
	w->vmid = l->d.vmid;
	w->num_vgprs = l->num_vgprs;
	w->shared_vgprs = l->shared_vgprs;
	w->se = at->se;
	w->sa = at->sa;
	w->wgp = at->wgp;
	w->simd = p->simd;
	w->slot = p->slot;
	w->serial = ++g->sq->next_serial;
	w->group = group;
	sw->vgpr_unit = p->vgpr_unit;
	sw->vgpr_units = l->vgpr_units;

	sw->num = num;
	group->wave[num] = sw;
	group->wgp->simd[p->simd].slot[p->slot] = sw;
	init_wave(g, sw, group, threads, num);
	g->counters.waves++;
	sq_wave_update_stop(g, sw);
}

static void group_geometry(const struct sq_launch *l, u32 *pos, u32 *threads)
{
	u64 n = l->next_group;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		u32 at = n % l->d.groups[i];

		n /= l->d.groups[i];
		pos[i] = l->d.start[i] + at;
		threads[i] = at == l->d.groups[i] - 1 ? l->d.last[i] :
							l->d.threads[i];
	}
}

/* Allocate all waves of a group, with their scratch slots, or none. */
static bool get_waves(struct vgpu *g, const struct sq_launch *l,
		      struct sq_wave **wave, unsigned int waves)
{
	struct vgpu_sq *sq = g->sq;
	unsigned int i;

	for (i = 0; i < waves; i++) {
		wave[i] = sq_wave_get(sq);
		if (!wave[i])
			break;
		clear_wave(wave[i]);
		wave[i]->scratch_place = -1;
		if (!(l->d.rsrc2 &
		      vgpu_field(g, F_COMPUTE_PGM_RSRC2_SCRATCH_EN)))
			continue;
		wave[i]->scratch_place = scratch_alloc(g, l);
		if (wave[i]->scratch_place < 0) {
			sq_wave_put(sq, wave[i]);
			break;
		}
	}
	if (i == waves)
		return true;
	while (i--)
		sq_wave_put(sq, wave[i]);
	return false;
}

bool sq_launch_stalled(struct vgpu *g, unsigned int se, u32 vmid)
{
	struct vgpu_bank_select sel = { .se = se };
	u32 cntl = vgpu_reg_of(g, &sel, R_SPI_GDBG_WAVE_CNTL, 0);

	return cntl & vgpu_field(g, F_SPI_GDBG_WAVE_CNTL_STALL_RA) ||
	       vgpu_get(g, F_SPI_GDBG_WAVE_CNTL_STALL_VMID, cntl) & BIT(vmid);
}

/* Get the WGP number @n in the order in which groups try them: by shader engine first. */
static struct vgpu_bank_select nth_wgp(const struct vgpu *g, unsigned int n)
{
	return (struct vgpu_bank_select) {
		.se = n % g->num_se,
		.sa = n / g->num_se % g->num_sa,
		.wgp = n / g->num_se / g->num_sa,
	};
}

static bool launch_group(struct vgpu *g, struct sq_launch *l)
{
	unsigned int num_wgps = g->num_se * g->num_sa * g->num_wgp;
	struct sq_wave *wave[SQ_MAX_GROUP_WAVES];
	struct place place[SQ_MAX_GROUP_WAVES];
	struct vgpu_sq *sq = g->sq;
	struct vgpu_group *group = NULL;
	struct vgpu_bank_select at = { 0 };
	unsigned int i, waves, index = 0;
	u32 pos[3], threads[3];
	bool stalled = false;

	group_geometry(l, pos, threads);
	waves = num_waves(l, threads);
	if (!get_waves(g, l, wave, waves))
		return false;
	for (i = 0; i < num_wgps && !group; i++) {
		index = (sq->next_wgp + i) % num_wgps;
		at = nth_wgp(g, index);
		if (!vgpu_wgp_exists(g, at.se, at.sa, at.wgp))
			continue;
		if (sq_launch_stalled(g, at.se, l->d.vmid)) {
			stalled = true;
			continue;
		}
		group = place_group(g, l, &sq->wgp[at.se][at.sa][at.wgp],
				    waves, place);
	}
	if (!group) {
		for (i = 0; i < waves; i++)
			sq_wave_put(sq, wave[i]);
		l->history->stalls += stalled && !l->stalled;
		l->stalled |= stalled;
		return false;
	}
	if (!l->next_group &&
	    vgpu_quirk(g, VGPU_QUIRK_ICACHE_DROP) & DROP_BY_DISPATCH)
		vgpu_isa_invalidate(g, l->d.vmid);
	memcpy(group->pos, pos, sizeof(pos));
	sq->next_wgp = (index + 1) % num_wgps;
	l->next_group++;
	l->live_groups++;
	for (i = 0; i < waves; i++)
		start_wave(g, wave[i], group, threads, i, &place[i], &at);
	return true;
}

/*
 * Get the dispatch of a queue whose groups start next, or NULL. The dispatches of a queue
 * start in order: one begins when all groups of the one before it have started. Queues do
 * not wait for each other.
 */
static struct sq_launch *to_start(const struct sq_queue *q)
{
	struct sq_launch *l;

	for (l = q->first; l; l = l->next)
		if (l->next_group < l->num_groups)
			return l;
	return NULL;
}

/* Start one group, of the next queue in turn that has a group that fits. */
static bool launch_next(struct vgpu *g)
{
	struct vgpu_sq *sq = g->sq;
	struct sq_launch *l;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(sq->queues); i++) {
		n = (sq->next_queue + i) % ARRAY_SIZE(sq->queues);
		l = to_start(&sq->queues[n]);
		if (!l || !launch_group(g, l))
			continue;
		sq->next_queue = n + 1;
		return true;
	}
	return false;
}

void sq_launch_groups(struct vgpu *g, u64 end)
{
	do {
		g->sq->launch_check = launch_next(g);
	} while (g->sq->launch_check && vgpu_now_ns() < end);
}

/* The write may end a stall: try to start groups again. */
static void wave_cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_SPI_GDBG_WAVE_CNTL, idx, val);
	g->sq->launch_check = true;
}

void sq_dispatch_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_SPI_GDBG_WAVE_CNTL, 1, 1, NULL, wave_cntl_write);
}
