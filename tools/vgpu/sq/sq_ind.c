// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQ_IND_INDEX and SQ_IND_DATA: the window through which the host reads and
 * writes the state of a wave.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "mem/gmc.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/instances.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"

/* Bits of the quirk sq-ind-writes */
#define WRITES_GPR		BIT(0)
#define WRITES_MODE		BIT(1)
#define WRITES_STATUS		BIT(2)
#define WRITES_PC		BIT(3)

struct access {
	struct sq_simd *simd;	/* the first that is selected */
	u32 value;
};

static void first_simd(struct vgpu *g, struct sq_simd *simd, void *arg)
{
	struct access *a = arg;

	(void)g;
	if (!a->simd)
		a->simd = simd;
}

/* Is a wave idle as SQ_WAVE_VALID_AND_IDLE means it, with no instruction in progress? */
static bool is_idle(const struct vgpu_wave *w)
{
	return w->stop & ~VGPU_STOP_YIELD;
}

static bool gpr_accessible(struct vgpu *g, const struct vgpu_wave *w)
{
	return w->stop & (VGPU_STOP_HALT | VGPU_STOP_FATAL) ||
	       !vgpu_quirk(g, VGPU_QUIRK_SQ_IND_GPR_NEEDS_HALT);
}

/*
 * Find the storage of a register that has no further meaning: an SGPR up to EXEC_HI, or a
 * VGPR. Returns NULL if @ind names another register, or one that the wave does not have.
 * @gpr is set to true if the register is accessible only while the wave is halted.
 */
static u32 *storage(struct vgpu *g, struct vgpu_wave *w, u32 ind, bool *gpr)
{
	const struct vgpu_sq_ind *map = &g->profile->gen->sq_ind;
	u32 index = vgpu_get(g, F_SQ_IND_INDEX_INDEX, ind);
	u32 lane = vgpu_get(g, F_SQ_IND_INDEX_WORKITEM_ID, ind);
	u32 n;

	if (index >= map->vgprs &&
	    index < (u32)map->vgprs + map->num_vgprs) {
		n = index - map->vgprs;
		*gpr = true;
		return n < w->num_vgprs && lane < w->lanes ? &w->v[n][lane] :
							      NULL;
	}
	if (index >= map->sgprs &&
	    index < (u32)map->sgprs + map->num_sgprs) {
		n = index - map->sgprs;
		*gpr = n < VGPU_S_M0;
		return n == VGPU_S_NULL ? NULL : &w->s[n];
	}
	return NULL;
}

/* Is it a register other than a GPR that may change with each instruction? */
static bool is_running_state(const struct vgpu *g, u32 ind)
{
	const struct vgpu_sq_ind *map = &g->profile->gen->sq_ind;
	u32 index = vgpu_get(g, F_SQ_IND_INDEX_INDEX, ind);

	return index == map->pc_lo || index == map->pc_hi ||
	       index == map->inst_dw0 ||
	       (index >= map->sgprs + (u32)VGPU_S_M0 &&
		index < (u32)map->sgprs + map->num_sgprs);
}

/* Can the host read the register's value in the wave's present state? */
static bool is_seen(struct vgpu *g, const struct vgpu_wave *w, u32 ind, bool gpr)
{
	if (gpr)
		return gpr_accessible(g, w);
	return is_idle(w) || !is_running_state(g, ind) ||
	       vgpu_quirk(g, VGPU_QUIRK_SQ_IND_RUNNING_STATE);
}

static u32 inst_dw0(struct vgpu *g, const struct vgpu_wave *w)
{
	const u8 *p = vgpu_gmc_translate(g, w->vmid, w->pc, VGPU_EXEC);

	return p ? *(const u32 *)p : 0;
}

/* Find the register of s_getreg_b32 that has this index in SQ_IND. */
static enum vgpu_hwreg hwreg_of(const struct vgpu_sq_ind *map, u32 index)
{
	const struct {
		u32 index;
		enum vgpu_hwreg reg;
	} regs[] = {
		{ map->mode, VGPU_HWREG_MODE },
		{ map->status, VGPU_HWREG_STATUS },
		{ map->trapsts, VGPU_HWREG_TRAPSTS },
		{ map->gpr_alloc, VGPU_HWREG_GPR_ALLOC },
		{ map->lds_alloc, VGPU_HWREG_LDS_ALLOC },
		{ map->ib_sts, VGPU_HWREG_IB_STS },
		{ map->flat_scratch_lo, VGPU_HWREG_FLAT_SCR_LO },
		{ map->flat_scratch_hi, VGPU_HWREG_FLAT_SCR_HI },
		{ map->hw_id1, VGPU_HWREG_HW_ID1 },
		{ map->hw_id2, VGPU_HWREG_HW_ID2 },
		{ map->sched_mode, VGPU_HWREG_SCHED_MODE },
		{ map->ib_sts2, VGPU_HWREG_IB_STS2 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].index == index)
			return regs[i].reg;
	return VGPU_HWREG_NONE;
}

static u32 read_state(struct vgpu *g, const struct vgpu_wave *w, u32 index)
{
	const struct vgpu_sq_ind *map = &g->profile->gen->sq_ind;

	if (index == map->pc_lo)
		return lower_32_bits(w->pc);
	if (index == map->pc_hi)
		return upper_32_bits(w->pc & (BIT_ULL(vgpu_isa_of(g)->pc_bits) - 1));
	if (index == map->inst_dw0)
		return inst_dw0(g, w);
	return vgpu_wave_reg(g, w, hwreg_of(map, index));
}

static u32 read_wave(struct vgpu *g, struct sq_wave *sw, u32 ind)
{
	bool gpr = false;
	u32 *p = storage(g, &sw->w, ind, &gpr);

	if (!is_seen(g, &sw->w, ind, gpr))
		return 0;
	if (p)
		return *p;
	return read_state(g, &sw->w, vgpu_get(g, F_SQ_IND_INDEX_INDEX, ind));
}

/* The PC is the address of a dword: its two low bits are 0 (RDNA ISA, Program Counter). */
static void write_pc(struct vgpu *g, struct vgpu_wave *w, u64 pc)
{
	if (!gpr_accessible(g, w))
		return;
	w->pc = pc & ~3ULL;
}

static void write_state(struct vgpu *g, struct sq_wave *sw, u32 index, u32 val)
{
	const struct vgpu_sq_ind *map = &g->profile->gen->sq_ind;
	u32 writes = vgpu_quirk(g, VGPU_QUIRK_SQ_IND_WRITES);
	struct vgpu_wave *w = &sw->w;

	if ((index == map->mode || index == map->trapsts ||
	     index == map->flat_scratch_lo || index == map->flat_scratch_hi) &&
	    writes & WRITES_MODE) {
		vgpu_wave_set_reg(g, w, hwreg_of(map, index), val);
	} else if (index == map->status && writes & WRITES_STATUS) {
		vgpu_wave_set_reg(g, w, hwreg_of(map, index), val);
	} else if (index == map->pc_lo && writes & WRITES_PC) {
		write_pc(g, w, make_64(upper_32_bits(w->pc), val));
	} else if (index == map->pc_hi && writes & WRITES_PC) {
		write_pc(g, w, make_64((s16)val, lower_32_bits(w->pc)));
	} else if (index == map->flush_ib) {
		vgpu_isa_invalidate(g, w->vmid);
	}
}

static void write_wave(struct vgpu *g, struct sq_wave *sw, u32 ind, u32 val)
{
	u32 writes = vgpu_quirk(g, VGPU_QUIRK_SQ_IND_WRITES);
	bool gpr = false;
	u32 *p = storage(g, &sw->w, ind, &gpr);

	if (!p && !gpr)
		write_state(g, sw, vgpu_get(g, F_SQ_IND_INDEX_INDEX, ind), val);
	else if (p && writes & WRITES_GPR && gpr_accessible(g, &sw->w))
		*p = val;
}

static u32 idle_bitmap(struct vgpu *g, struct sq_simd *simd)
{
	const struct sq_wave *sw;
	unsigned int slot;
	u32 map = 0;

	for (slot = 0; slot < g->num_slots; slot++) {
		sw = sq_wave_in(g, simd, slot);
		if (sw && is_idle(&sw->w))
			map |= BIT(slot);
	}
	return map;
}

/* Values of the quirk sq-wave-active-bitmap */
enum {
	ACTIVE_READS_0 = 0,
	ACTIVE_IS_VALID = 1,
	ACTIVE_IS_NOT_IDLE = 2,
};

static u32 active_bitmap(struct vgpu *g, struct sq_simd *simd)
{
	switch (vgpu_quirk(g, VGPU_QUIRK_SQ_WAVE_ACTIVE_BITMAP)) {
	case ACTIVE_READS_0:
		return 0;
	case ACTIVE_IS_NOT_IDLE:
		return simd->active & ~idle_bitmap(g, simd);
	default:
		return simd->active;
	}
}

static u32 debug_sts(const struct vgpu *g, const struct sq_simd *simd)
{
	u32 waves = __builtin_popcount(simd->active);

	return vgpu_put(g, F_SQ_DEBUG_STS_LOCAL_WAVE_LEVEL, waves) |
	       (waves ? vgpu_field(g, F_SQ_DEBUG_STS_LOCAL_BUSY) |
				vgpu_field(g, F_SQ_DEBUG_STS_LOCAL_SQ_BUSY) :
			0);
}

static struct sq_wave *wave_of_index(struct vgpu *g, struct sq_simd *simd)
{
	u32 slot = vgpu_get(g, F_SQ_IND_INDEX_WAVE_ID, simd->ind_index);

	return slot < g->num_slots ? sq_wave_in(g, simd, slot) : NULL;
}

static u32 read_index(struct vgpu *g, struct sq_simd *simd)
{
	const struct vgpu_sq_ind *map = &g->profile->gen->sq_ind;
	u32 index = vgpu_get(g, F_SQ_IND_INDEX_INDEX, simd->ind_index);
	u32 slot = vgpu_get(g, F_SQ_IND_INDEX_WAVE_ID, simd->ind_index);
	struct sq_wave *sw;
	u32 val = 0;

	if (index == map->active)
		return active_bitmap(g, simd);
	if (index == map->valid_and_idle)
		return vgpu_quirk(g, VGPU_QUIRK_SQ_WAVE_IDLE_BITMAP) ?
			       idle_bitmap(g, simd) : 0;
	if (index == map->debug_sts_local)
		return debug_sts(g, simd);
	sw = wave_of_index(g, simd);
	if (sw)
		val = read_wave(g, sw, simd->ind_index);
	/* If the slot is lent (lend.c), its wave must appear to be in this slot. */
	if (sw && index == map->hw_id1)
		val = (val & ~vgpu_field(g, F_SQ_WAVE_HW_ID1_WAVE_ID)) |
		      vgpu_put(g, F_SQ_WAVE_HW_ID1_WAVE_ID, slot);
	sq_lend_count_read(g, simd, slot);
	return val;
}

/* Values of the quirk sq-ind-auto-incr */
enum {
	INCR_NEVER = 0,
	INCR_ALWAYS = 1,
	INCR_BY_READS = 2,
};

static void advance(const struct vgpu *g, struct sq_simd *simd, bool write)
{
	u32 when = vgpu_quirk(g, VGPU_QUIRK_SQ_IND_AUTO_INCR);
	u32 index = vgpu_get(g, F_SQ_IND_INDEX_INDEX, simd->ind_index) + 1;

	if (!(simd->ind_index & vgpu_field(g, F_SQ_IND_INDEX_AUTO_INCR)) ||
	    when == INCR_NEVER || (write && when == INCR_BY_READS))
		return;
	simd->ind_index &= ~vgpu_field(g, F_SQ_IND_INDEX_INDEX);
	simd->ind_index |= vgpu_put(g, F_SQ_IND_INDEX_INDEX, index);
}

static u32 sq_ind_data_read(struct vgpu *g, unsigned int idx)
{
	struct access a = { .simd = NULL };
	unsigned int n = sq_for_selected(g, first_simd, &a);
	u32 val;

	(void)idx;
	if (!n)
		return VGPU_MISSING_INSTANCE;
	if (n > 1)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_IND_DATA read while GRBM_GFX_INDEX 0x%08x selects %u SIMDs",
			      vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0), n);
	val = read_index(g, a.simd);
	advance(g, a.simd, false);
	return val;
}

static void write_simd(struct vgpu *g, struct sq_simd *simd, void *arg)
{
	struct access *a = arg;
	struct sq_wave *sw = wave_of_index(g, simd);

	if (sw)
		write_wave(g, sw, simd->ind_index, a->value);
	advance(g, simd, true);
}

static void sq_ind_data_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct access a = { .value = val };

	(void)idx;
	if (sq_for_selected(g, write_simd, &a) > 1)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_IND_DATA written while GRBM_GFX_INDEX 0x%08x selects several SIMDs",
			      vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
}

static u32 sq_ind_index_read(struct vgpu *g, unsigned int idx)
{
	struct access a = { .simd = NULL };

	(void)idx;
	sq_for_selected(g, first_simd, &a);
	return a.simd ? a.simd->ind_index : VGPU_MISSING_INSTANCE;
}

static void set_index(struct vgpu *g, struct sq_simd *simd, void *arg)
{
	(void)g;
	simd->ind_index = ((struct access *)arg)->value;
}

/* Each instance has an SQ_IND_INDEX of its own: write those that are selected. */
static void sq_ind_index_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct access a = { .value = val };

	(void)idx;
	sq_for_selected(g, set_index, &a);
}

void sq_ind_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_SQ_IND_INDEX, 1, 1, sq_ind_index_read,
		      sq_ind_index_write);
	vgpu_reg_hook(g, R_SQ_IND_DATA, 1, 1, sq_ind_data_read,
		      sq_ind_data_write);
}
