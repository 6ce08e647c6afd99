// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Address watch: TCP_WATCHn watches accesses to vector memory, SQ_WATCHn reads of the
 * scalar cache. The driver writes both (amdgpu_amdkfd_gfx_v10.c, Linux 6.12).
 */
#include "gpu.h"
#include "isa/wave.h"
#include "regs/instances.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

/* Each watch is ADDR_H, ADDR_L, CNTL: gc_10_3_0_offset.h (Linux 6.1) */
enum {
	WATCH_ADDR_H,
	WATCH_ADDR_L,
	WATCH_CNTL,
	WATCH_REGS,
};

#define VA_MASK			(BIT_ULL(48) - 1)

/* What differs between the two kinds. */
struct kind {
	enum vgpu_role regs;
	enum vgpu_field addr_l, mask;
};

static const struct kind tcp = {
	R_TCP_WATCH0_ADDR_H, F_TCP_WATCH0_ADDR_L_ADDR, F_TCP_WATCH0_CNTL_MASK
};

static const struct kind sq = {
	R_SQ_WATCH0_ADDR_H, F_SQ_WATCH0_ADDR_L_ADDR, F_SQ_WATCH0_CNTL_MASK
};

/* Get the bit of an address that the lowest bits of ADDR and MASK compare. */
static unsigned int granule_shift(const struct vgpu *g, const struct kind *k)
{
	return __builtin_ctz(vgpu_field(g, k->addr_l));
}

static u8 mode_of(const struct vgpu *g, u32 cntl)
{
	u32 mode = vgpu_get(g, F_TCP_WATCH0_CNTL_MODE, cntl);

	return mode < VGPU_NUM_WATCH_MODES ? g->profile->gen->watch_modes[mode] :
	       VGPU_WATCH_MODE_UNKNOWN;
}

static void watch_load(struct vgpu *g, struct sq_watch *watch,
		       const struct vgpu_bank_select *sel, const struct kind *k,
		       unsigned int n)
{
	u32 hi = vgpu_reg_of(g, sel, k->regs, n * WATCH_REGS + WATCH_ADDR_H);
	u32 lo = vgpu_reg_of(g, sel, k->regs, n * WATCH_REGS + WATCH_ADDR_L);
	u32 cntl = vgpu_reg_of(g, sel, k->regs, n * WATCH_REGS + WATCH_CNTL);
	unsigned int shift = granule_shift(g, k);
	/* All address bits that MASK covers, and the bits below them */
	u64 masked = ((vgpu_get(g, k->mask, ~0U) + 1ULL) << shift) - 1;

	watch->valid = cntl & vgpu_field(g, F_TCP_WATCH0_CNTL_VALID);
	watch->vmid = vgpu_get(g, F_TCP_WATCH0_CNTL_VMID, cntl);
	watch->mode = mode_of(g, cntl);
	/* Bits above MASK are always compared, bits below it never. */
	watch->mask = (VA_MASK & ~masked) |
		      (u64)vgpu_get(g, k->mask, cntl) << shift;
	watch->addr =
		make_64(hi & vgpu_field(g, F_TCP_WATCH0_ADDR_H_ADDR), lo) &
		~(BIT_ULL(shift) - 1);
	if (watch->valid)
		g->sq->watched_vmids |= BIT(watch->vmid);
}

static void update_slow(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)arg;
	vgpu_wave_update_slow(g, w);
}

static void load_watches(struct vgpu *g, const struct vgpu_bank_select *sel)
{
	struct sq_wgp *wgp = &g->sq->wgp[sel->se][sel->sa][sel->wgp];
	unsigned int i;

	for (i = 0; i < SQ_NUM_WATCHES; i++) {
		watch_load(g, &wgp->tcp_watch[i], sel, &tcp, i);
		watch_load(g, &wgp->sq_watch[i], sel, &sq, i);
	}
}

static void watches_changed(struct vgpu *g)
{
	struct vgpu_bank_select sel = { 0 };

	g->sq->watched_vmids = 0;
	for (sel.se = 0; sel.se < g->num_se; sel.se++)
		for (sel.sa = 0; sel.sa < g->num_sa; sel.sa++)
			for (sel.wgp = 0; sel.wgp < g->num_wgp; sel.wgp++)
				if (vgpu_wgp_exists(g, sel.se, sel.sa, sel.wgp))
					load_watches(g, &sel);
	vgpu_sq_for_each(g, update_slow, NULL);
}

static void tcp_watch_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_TCP_WATCH0_ADDR_H, idx, val);
	watches_changed(g);
}

static void sq_watch_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_SQ_WATCH0_ADDR_H, idx, val);
	watches_changed(g);
}

static bool mode_sees(enum vgpu_watch_mode mode, enum vgpu_watch_kind kind)
{
	switch (mode) {
	case VGPU_WATCH_MODE_READ:
		return kind == VGPU_WATCH_READ || kind == VGPU_WATCH_SCALAR_READ;
	case VGPU_WATCH_MODE_NONREAD:
		return kind == VGPU_WATCH_WRITE || kind == VGPU_WATCH_ATOMIC;
	case VGPU_WATCH_MODE_ATOMIC:
		return kind == VGPU_WATCH_ATOMIC;
	case VGPU_WATCH_MODE_ALL:
		return true;
	default:
		return false;
	}
}

/* Does any granule that the access touches match? */
static bool watch_hit(const struct sq_watch *watch, u64 addr, u64 last,
		      u64 granule)
{
	for (addr &= ~(granule - 1); addr <= last; addr += granule)
		if (((addr ^ watch->addr) & watch->mask) == 0)
			return true;
	return false;
}

u32 vgpu_watch_match(struct vgpu *g, const struct vgpu_wave *w, u64 addr,
		     u32 size, enum vgpu_watch_kind kind)
{
	const struct sq_wgp *wgp = &g->sq->wgp[w->se][w->sa][w->wgp];
	bool scalar = kind == VGPU_WATCH_SCALAR_READ;
	const struct sq_watch *watch = scalar ? wgp->sq_watch : wgp->tcp_watch;
	u64 granule = BIT_ULL(granule_shift(g, scalar ? &sq : &tcp));
	u32 hits = 0;
	unsigned int i;

	if (scalar && !vgpu_quirk(g, VGPU_QUIRK_SQ_WATCH))
		return 0;
	addr &= VA_MASK;
	for (i = 0; i < SQ_NUM_WATCHES; i++, watch++) {
		if (!watch->valid || watch->vmid != w->vmid ||
		    !mode_sees(watch->mode, kind) ||
		    !watch_hit(watch, addr, addr + size - 1, granule))
			continue;
		hits |= FIELD_PREP(WAVE_EXCP_WATCH, BIT(i));
	}
	return hits;
}

void sq_watch_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_TCP_WATCH0_ADDR_H, SQ_NUM_WATCHES * WATCH_REGS, 1,
		      NULL, tcp_watch_write);
	vgpu_reg_hook(g, R_SQ_WATCH0_ADDR_H, SQ_NUM_WATCHES * WATCH_REGS, 1,
		      NULL, sq_watch_write);
}
