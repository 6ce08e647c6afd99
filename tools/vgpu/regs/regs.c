// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The register file: stored values with their banks, the table of hooks, and the counting,
 * tracing and checking of the host's accesses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/faults.h"
#include "regs/instances.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "regs/regs.h"

#define NUM_QUEUE_BANKS	(4 * 4 * 8)
#define NUM_VMIDS	16
/* First VMID of amdkfd: AMDGPU_NUM_VMID / 2 (gmc_v10_0_sw_init) */
#define FIRST_KFD_VMID	8

struct hook {
	vgpu_reg_read_fn rd;
	vgpu_reg_write_fn wr;
	unsigned int rd_idx, wr_idx;
};

struct vgpu_regs {
	u32 plain[VGPU_NUM_REGS];
	struct hook hooks[VGPU_NUM_REGS];
	/* The kind of bank that a register is in (VGPU_BANK_*), and its index there */
	u8 bank[VGPU_NUM_REGS];
	u16 bank_slot[VGPU_NUM_REGS];
	/* Which part has the register (VGPU_OWNER_*), and its index in owned[] */
	u8 owner[VGPU_NUM_REGS];
	u16 owned_slot[VGPU_NUM_REGS];
	u8 block[VGPU_NUM_REGS];
	bool gfxoff[VGPU_NUM_REGS];
	bool broadcast[VGPU_NUM_REGS];
	bool complained[VGPU_NUM_REGS];
	/* Index + 1 in the profile's table of side effects of writes; 0: none */
	u16 effect[VGPU_NUM_REGS];
	const char *name[VGPU_NUM_REGS];

	u32 *queue_banks, *vmid_banks;
	unsigned int queue_bank_size, vmid_bank_size;
	/* [WGP][VMID][owned_slot]; a shader engine uses those of its first WGP */
	u32 *owned;
	unsigned int num_owned;

	/* The host has selected a bank with GRBM_GFX_CNTL or _INDEX, and not yet restored it. */
	bool cntl_held, index_held;
	u32 set_up;		/* VMIDs that amdkfd is setting up, see note_vmid() */
};

/* Get the bits of GRBM_GFX_INDEX with which a write reaches all instances. */
static u32 broadcast(const struct vgpu *g)
{
	return vgpu_field(g, F_GRBM_GFX_INDEX_SA_BROADCAST_WRITES) |
	       vgpu_field(g, F_GRBM_GFX_INDEX_INSTANCE_BROADCAST_WRITES) |
	       vgpu_field(g, F_GRBM_GFX_INDEX_SE_BROADCAST_WRITES);
}

static u32 reg_of(struct vgpu *g, enum vgpu_role role)
{
	return g->profile->regs[role];
}

/* Find the IP whose address space contains a register: that of the nearest base below. */
static const struct vgpu_ip *ip_of(const struct vgpu_profile *p, u32 dword,
				   u32 *base)
{
	const struct vgpu_ip *ip = NULL;
	unsigned int i, n;

	*base = 0;
	for (i = 0; i < p->num_ips; i++)
		for (n = 0; n < p->ips[i].num_bases; n++)
			if (p->ips[i].base[n] <= dword &&
			    (!ip || p->ips[i].base[n] > *base)) {
				ip = &p->ips[i];
				*base = p->ips[i].base[n];
			}
	return ip;
}

static enum vgpu_block block_of(const struct vgpu_profile *p, u32 dword)
{
	const struct vgpu_ip *ip;
	u32 base;

	ip = ip_of(p, dword, &base);
	switch (ip ? ip->hw_id : 0) {
	case VGPU_HWID_GC:
	case VGPU_HWID_SDMA0:
		return VGPU_BLOCK_GC;
	case VGPU_HWID_MMHUB:
		return VGPU_BLOCK_MMHUB;
	case VGPU_HWID_OSSSYS:
		return VGPU_BLOCK_OSSSYS;
	case VGPU_HWID_NBIF:
		return VGPU_BLOCK_NBIO;
	case VGPU_HWID_MP0:
	case VGPU_HWID_MP1:
		return VGPU_BLOCK_MP;
	default:
		return VGPU_BLOCK_OTHER;
	}
}

static int init_banks(struct vgpu_regs *r, const struct vgpu_profile *p)
{
	unsigned int i;
	u32 dword;

	for (i = 0; i < p->gen->num_banks; i++) {
		unsigned int *size = p->gen->banks[i].bank == VGPU_BANK_QUEUE ?
			&r->queue_bank_size : &r->vmid_bank_size;

		for (dword = p->gen->banks[i].first; dword <= p->gen->banks[i].last;
		     dword++) {
			r->bank[dword] = p->gen->banks[i].bank;
			r->bank_slot[dword] = (*size)++;
		}
	}
	r->queue_banks = calloc(NUM_QUEUE_BANKS * r->queue_bank_size + 1,
				sizeof(u32));
	r->vmid_banks = calloc(NUM_VMIDS * r->vmid_bank_size + 1, sizeof(u32));
	return r->queue_banks && r->vmid_banks ? 0 : -ENOMEM;
}

static unsigned int num_instances(const struct vgpu *g)
{
	return g->num_se * g->num_sa * g->num_wgp;
}

static size_t owned_bytes(const struct vgpu *g)
{
	return (size_t)num_instances(g) * NUM_VMIDS * g->regs->num_owned *
	       sizeof(u32);
}

static int init_owners(struct vgpu *g)
{
	const struct vgpu_profile *p = g->profile;
	struct vgpu_regs *r = g->regs;
	unsigned int i;
	u32 dword;

	for (i = 0; i < p->gen->num_owners; i++)
		for (dword = p->gen->owners[i].first; dword <= p->gen->owners[i].last;
		     dword++) {
			r->owner[dword] = p->gen->owners[i].owner;
			r->owned_slot[dword] = r->num_owned++;
		}
	r->owned = calloc(1, owned_bytes(g) + 1);
	return r->owned ? 0 : -ENOMEM;
}

static void mark(bool *flags, const struct vgpu_reg_range *ranges,
		 unsigned int num, bool flag)
{
	u32 dword;

	for (; num--; ranges++)
		for (dword = ranges->first; dword <= ranges->last; dword++)
			flags[dword] = flag;
}

int vgpu_regs_init(struct vgpu *g)
{
	const struct vgpu_profile *p = g->profile;
	struct vgpu_regs *r = calloc(1, sizeof(*r));
	unsigned int i;
	u32 dword;

	if (!r)
		return -ENOMEM;
	g->regs = r;
	if (init_banks(r, p) || init_owners(g)) {
		vgpu_regs_fini(g);
		return -ENOMEM;
	}
	for (i = 0; i < p->num_names; i++)
		r->name[p->names[i].dword] = p->names[i].name;
	for (i = 0; i < p->effects->num; i++)
		r->effect[p->effects->rows[i].dword] = i + 1;
	mark(r->gfxoff, p->gen->gfxoff, p->gen->num_gfxoff, true);
	mark(r->gfxoff, p->gen->gfxoff_exempt, p->gen->num_gfxoff_exempt, false);
	mark(r->broadcast, p->gen->broadcast, p->gen->num_broadcast, true);
	for (dword = 0; dword < VGPU_NUM_REGS; dword++)
		r->block[dword] = block_of(p, dword);
	vgpu_regs_reset(g, true);
	return 0;
}

void vgpu_regs_fini(struct vgpu *g)
{
	if (!g->regs)
		return;
	free(g->regs->queue_banks);
	free(g->regs->vmid_banks);
	free(g->regs->owned);
	free(g->regs);
	g->regs = NULL;
}

void vgpu_regs_reset(struct vgpu *g, bool all)
{
	struct vgpu_regs *r = g->regs;
	u32 dword;

	for (dword = 0; dword < VGPU_NUM_REGS; dword++)
		if (all || r->block[dword] == VGPU_BLOCK_GC)
			r->plain[dword] = 0;
	memset(r->queue_banks, 0,
	       NUM_QUEUE_BANKS * r->queue_bank_size * sizeof(u32));
	memset(r->vmid_banks, 0, NUM_VMIDS * r->vmid_bank_size * sizeof(u32));
	memset(r->owned, 0, owned_bytes(g));
	r->plain[reg_of(g, R_GRBM_GFX_INDEX)] = broadcast(g);
	r->plain[reg_of(g, R_GB_ADDR_CONFIG)] = g->profile->gb_addr_config;
	r->cntl_held = false;
	r->index_held = false;
	r->set_up = 0;
	if (all)
		memset(r->complained, 0, sizeof(r->complained));
}

void vgpu_reg_hook_dword(struct vgpu *g, u32 dword, unsigned int idx,
			 vgpu_reg_read_fn rd, vgpu_reg_write_fn wr)
{
	struct hook *h = &g->regs->hooks[dword];

	if (rd) {
		h->rd = rd;
		h->rd_idx = idx;
	}
	if (wr) {
		h->wr = wr;
		h->wr_idx = idx;
	}
}

void vgpu_reg_unhook_dword(struct vgpu *g, u32 dword)
{
	g->regs->hooks[dword] = (struct hook) { .rd = NULL };
}

void vgpu_reg_hook(struct vgpu *g, enum vgpu_role role, unsigned int count,
		   unsigned int stride, vgpu_reg_read_fn rd,
		   vgpu_reg_write_fn wr)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		vgpu_reg_hook_dword(g, reg_of(g, role) + i * stride, i, rd, wr);
}

bool vgpu_reg_is_hooked(const struct vgpu *g, u32 dword)
{
	return dword < VGPU_NUM_REGS && g->regs->hooks[dword].wr;
}

const char *vgpu_reg_name(struct vgpu *g, u32 dword)
{
	static const char *const blocks[VGPU_NUM_BLOCKS] = {
		[VGPU_BLOCK_GC] = "GC",
		[VGPU_BLOCK_MMHUB] = "MMHUB",
		[VGPU_BLOCK_OSSSYS] = "OSSSYS",
		[VGPU_BLOCK_NBIO] = "NBIO",
		[VGPU_BLOCK_MP] = "MP",
		[VGPU_BLOCK_OTHER] = "other",
	};
	static char text[32];
	struct vgpu_regs *r = g->regs;
	u32 base;

	if (dword < VGPU_NUM_REGS && r->name[dword])
		return r->name[dword];
	if (dword >= VGPU_NUM_REGS || !ip_of(g->profile, dword, &base))
		snprintf(text, sizeof(text), "0x%x", dword);
	else
		snprintf(text, sizeof(text), "%s+0x%x",
			 blocks[r->block[dword]], dword - base);
	return text;
}

struct vgpu_selection vgpu_selection(struct vgpu *g)
{
	return vgpu_selection_of(g,
				 g->regs->plain[reg_of(g, R_GRBM_GFX_INDEX)]);
}

/* Get the instance that GRBM_GFX_CNTL and GRBM_GFX_INDEX select for reads. */
static struct vgpu_bank_select selected(struct vgpu *g)
{
	u32 cntl = g->regs->plain[reg_of(g, R_GRBM_GFX_CNTL)];
	struct vgpu_selection sel = vgpu_selection(g);

	return (struct vgpu_bank_select){
		.se = sel.se,
		.sa = sel.sa,
		.wgp = sel.wgp,
		.me = vgpu_get(g, F_GRBM_GFX_CNTL_MEID, cntl),
		.pipe = vgpu_get(g, F_GRBM_GFX_CNTL_PIPEID, cntl),
		.queue = vgpu_get(g, F_GRBM_GFX_CNTL_QUEUEID, cntl),
		.vmid = vgpu_get(g, F_GRBM_GFX_CNTL_VMID, cntl),
	};
}

static u32 *owned_cell(struct vgpu *g, u32 dword,
		       const struct vgpu_bank_select *sel)
{
	struct vgpu_regs *r = g->regs;
	unsigned int i = sel->se, vmid = 0;

	i = i * g->num_sa + (r->owner[dword] == VGPU_OWNER_WGP ? sel->sa : 0);
	i = i * g->num_wgp + (r->owner[dword] == VGPU_OWNER_WGP ? sel->wgp : 0);
	if (r->bank[dword] == VGPU_BANK_VMID)
		vmid = sel->vmid % NUM_VMIDS;
	return &r->owned[(i * NUM_VMIDS + vmid) * r->num_owned +
			 r->owned_slot[dword]];
}

/* Does the instance @sel of a register exist, or is it in a harvested part? */
static bool exists(const struct vgpu *g, u32 dword,
		   const struct vgpu_bank_select *sel)
{
	switch (g->regs->owner[dword]) {
	case VGPU_OWNER_WGP:
		return vgpu_wgp_exists(g, sel->se, sel->sa, sel->wgp);
	case VGPU_OWNER_SE:
		return vgpu_se_exists(g, sel->se);
	default:
		return true;
	}
}

/* Find the stored value of the instance @sel of a register. */
static u32 *cell(struct vgpu *g, u32 dword, const struct vgpu_bank_select *sel)
{
	struct vgpu_regs *r = g->regs;
	unsigned int bank;

	if (r->owner[dword] != VGPU_OWNER_GPU)
		return owned_cell(g, dword, sel);
	switch (r->bank[dword]) {
	case VGPU_BANK_QUEUE:
		bank = ((sel->me & 3) * 4 + (sel->pipe & 3)) * 8 +
			(sel->queue & 7);
		return &r->queue_banks[bank * r->queue_bank_size +
				       r->bank_slot[dword]];
	case VGPU_BANK_VMID:
		bank = sel->vmid % NUM_VMIDS;
		return &r->vmid_banks[bank * r->vmid_bank_size +
				      r->bank_slot[dword]];
	default:
		return &r->plain[dword];
	}
}

static bool is_multiple(const struct vgpu_regs *r, u32 dword)
{
	return r->bank[dword] != VGPU_BANK_NONE ||
	       r->owner[dword] != VGPU_OWNER_GPU;
}

static u32 load(struct vgpu *g, u32 dword)
{
	struct vgpu_bank_select sel;

	if (!is_multiple(g->regs, dword))
		return g->regs->plain[dword];
	sel = selected(g);
	return exists(g, dword, &sel) ? *cell(g, dword, &sel) :
					VGPU_MISSING_INSTANCE;
}

/* Store a value in all selected instances that exist. */
static void store_owned(struct vgpu *g, u32 dword, u32 val)
{
	struct vgpu_selection selection = vgpu_selection(g);
	bool of_wgp = g->regs->owner[dword] == VGPU_OWNER_WGP, any = false;
	struct vgpu_bank_select sel = selected(g);
	unsigned int i, n = num_instances(g);

	for (i = 0; i < n; i++) {
		sel.wgp = i % g->num_wgp;
		sel.sa = i / g->num_wgp % g->num_sa;
		sel.se = i / g->num_wgp / g->num_sa;
		if (of_wgp ? !vgpu_selects_wgp(&selection, sel.se, sel.sa,
					       sel.wgp) :
			     !selection.all_se && selection.se != sel.se)
			continue;
		if (!exists(g, dword, &sel))
			continue;
		*owned_cell(g, dword, &sel) = val;
		any = true;
	}
	if (!any)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "write to %s: GRBM_GFX_INDEX 0x%08x selects nothing",
			      vgpu_reg_name(g, dword),
			      vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
}

static void store(struct vgpu *g, u32 dword, u32 val)
{
	struct vgpu_bank_select sel;

	if (!is_multiple(g->regs, dword)) {
		g->regs->plain[dword] = val;
	} else if (g->regs->owner[dword] != VGPU_OWNER_GPU) {
		store_owned(g, dword, val);
	} else {
		sel = selected(g);
		*cell(g, dword, &sel) = val;
	}
}

u32 vgpu_reg_load(struct vgpu *g, enum vgpu_role role, unsigned int idx)
{
	return load(g, reg_of(g, role) + idx);
}

void vgpu_reg_store(struct vgpu *g, enum vgpu_role role, unsigned int idx,
		    u32 val)
{
	store(g, reg_of(g, role) + idx, val);
}

struct vgpu_bank_select vgpu_reg_first(const struct vgpu *g)
{
	struct vgpu_bank_select sel = { 0 };
	unsigned int i, n = num_instances(g);

	for (i = 0; i < n; i++) {
		sel.wgp = i % g->num_wgp;
		sel.sa = i / g->num_wgp % g->num_sa;
		sel.se = i / g->num_wgp / g->num_sa;
		if (vgpu_wgp_exists(g, sel.se, sel.sa, sel.wgp))
			break;
	}
	return sel;
}

u32 vgpu_reg_of(struct vgpu *g, const struct vgpu_bank_select *sel,
		enum vgpu_role role, unsigned int idx)
{
	return *cell(g, reg_of(g, role) + idx, sel);
}

u32 *vgpu_reg_of_queue(struct vgpu *g, unsigned int me, unsigned int pipe,
		       unsigned int queue, enum vgpu_role role,
		       unsigned int idx)
{
	struct vgpu_bank_select sel = {
		.me = me, .pipe = pipe, .queue = queue,
	};

	return cell(g, reg_of(g, role) + idx, &sel);
}

u32 *vgpu_reg_of_vmid(struct vgpu *g, unsigned int vmid, enum vgpu_role role,
		      unsigned int idx)
{
	struct vgpu_bank_select sel = vgpu_reg_first(g);

	sel.vmid = vmid;
	return cell(g, reg_of(g, role) + idx, &sel);
}

u32 vgpu_reg_peek(struct vgpu *g, u32 dword,
		  const struct vgpu_bank_select *sel)
{
	if (dword >= VGPU_NUM_REGS)
		return 0;
	if (!sel)
		return load(g, dword);
	return exists(g, dword, sel) ? *cell(g, dword, sel) : VGPU_MISSING_INSTANCE;
}

u32 vgpu_reg_engine_read(struct vgpu *g, u32 dword)
{
	const struct hook *h;

	if (dword >= VGPU_NUM_REGS) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "engine reads register 0x%x, beyond the last",
			      dword);
		return 0;
	}
	h = &g->regs->hooks[dword];
	return h->rd ? h->rd(g, h->rd_idx) : load(g, dword);
}

/* Complain if a write that was only stored has a side effect on hardware. */
static void check_effect(struct vgpu *g, u32 dword, u32 val)
{
	const struct vgpu_reg_effect *e;

	if (!g->regs->effect[dword])
		return;
	e = &g->profile->effects->rows[g->regs->effect[dword] - 1];
	if (!e->mask || val & e->mask)
		vgpu_complain(g, VGPU_BAD_SIDE_EFFECT,
			      "%s <- 0x%08x has a side effect that is not emulated",
			      vgpu_reg_name(g, dword), val);
}

void vgpu_reg_engine_write(struct vgpu *g, u32 dword, u32 val)
{
	const struct hook *h;

	if (dword >= VGPU_NUM_REGS) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "engine writes register 0x%x, beyond the last",
			      dword);
		return;
	}
	h = &g->regs->hooks[dword];
	if (h->wr) {
		h->wr(g, h->wr_idx, val);
		return;
	}
	store(g, dword, val);
	check_effect(g, dword, val);
}

void vgpu_reg_check_effect(struct vgpu *g, enum vgpu_role role, u32 val)
{
	check_effect(g, reg_of(g, role), val);
}

bool vgpu_regs_is_selected(const struct vgpu *g)
{
	return g->regs->cntl_held || g->regs->index_held;
}

/*
 * Complain about a selection that the host has not restored. Between two accesses of one
 * sequence another CPU may access any other register, and any time may pass, so check this
 * only when the host is known to be between sequences.
 */
void vgpu_regs_check_rest(struct vgpu *g)
{
	struct vgpu_regs *r = g->regs;

	if (r->cntl_held)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "GRBM_GFX_CNTL is 0x%x while the host is at rest",
			      r->plain[reg_of(g, R_GRBM_GFX_CNTL)]);
	if (r->index_held)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "GRBM_GFX_INDEX is 0x%08x while the host is at rest",
			      r->plain[reg_of(g, R_GRBM_GFX_INDEX)]);
	r->cntl_held = false;
	r->index_held = false;
}

static void note_select(struct vgpu *g, u32 dword, u32 val)
{
	struct vgpu_regs *r = g->regs;

	if (dword == reg_of(g, R_GRBM_GFX_CNTL))
		r->cntl_held = val != 0;
	else if (dword == reg_of(g, R_GRBM_GFX_INDEX))
		r->index_held = (val & broadcast(g)) != broadcast(g);
}

static bool is_trap_register(struct vgpu *g, u32 dword)
{
	return dword >= reg_of(g, R_SQ_SHADER_TBA_LO) &&
		dword <= reg_of(g, R_SQ_SHADER_TMA_HI);
}

/*
 * Note which VMIDs amdkfd is setting up. Without a scheduler in the firmware it does so
 * itself: the PASID, SH_MEM_*, the trap handler, and last the page table (allocate_vmid()
 * of kfd_device_queue_manager.c, Linux 6.1). No wave can run in the VMID before that, so no
 * debugger has a reason to write its trap handler then, and a write is amdkfd's.
 */
static void note_vmid(struct vgpu *g, u32 dword, u32 val)
{
	u32 base = dword - reg_of(g, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);
	u32 vmid = dword - reg_of(g, R_IH_VMID_0_LUT);

	if (vmid < NUM_VMIDS && val & vgpu_field(g, F_IH_VMID_0_LUT_PASID))
		g->regs->set_up |= BIT(vmid);
	else if (vmid < NUM_VMIDS)
		g->regs->set_up &= ~BIT(vmid);
	vmid = base / g->profile->gen->vm_context_addr_stride;
	if (vmid < NUM_VMIDS)
		g->regs->set_up &= ~BIT(vmid);
}

/* Complain about a trap handler for VMID 0, or for a VMID whose handler amdkfd has set. */
static void check_trap_write(struct vgpu *g, u32 dword, u32 val)
{
	struct vgpu_bank_select sel = selected(g);

	if (sel.vmid == 0)
		vgpu_complain(g, VGPU_BAD_VMID0, "%s of VMID 0 <- 0x%08x",
			      vgpu_reg_name(g, dword), val);
	else if (sel.vmid >= FIRST_KFD_VMID &&
		 !(g->regs->set_up & BIT(sel.vmid)))
		vgpu_complain(g, VGPU_BAD_KFD_VMID, "%s of VMID %u <- 0x%08x",
			      vgpu_reg_name(g, dword), sel.vmid, val);
}

static void check_bank_write(struct vgpu *g, u32 dword)
{
	u32 index = g->regs->plain[reg_of(g, R_GRBM_GFX_INDEX)];
	struct vgpu_bank_select sel;

	if (g->regs->broadcast[dword] && (index & broadcast(g)) != broadcast(g))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "write to %s with GRBM_GFX_INDEX 0x%08x, which does not reach all",
			      vgpu_reg_name(g, dword), index);
	if (dword < reg_of(g, R_CP_MQD_BASE_ADDR) ||
	    g->regs->bank[dword] != VGPU_BANK_QUEUE)
		return;
	sel = selected(g);
	if (!sel.me)
		vgpu_complain(g, VGPU_BAD_BANK,
			      "write to %s with GRBM_GFX_CNTL.MEID 0, which has no compute queue",
			      vgpu_reg_name(g, dword));
}

/* Check an access for reads and writes alike. Returns false if it must not be executed. */
static bool check_access(struct vgpu *g, u32 dword, const char *what)
{
	struct vgpu_regs *r = g->regs;
	const struct hook *h;

	if (dword >= VGPU_NUM_REGS) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "%s of register 0x%x, beyond the last", what,
			      dword);
		return false;
	}
	h = &r->hooks[dword];
	if (!r->name[dword] && !h->rd && !h->wr && !r->complained[dword]) {
		r->complained[dword] = true;
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "%s of register 0x%05x (%s), which is unknown",
			      what, dword, vgpu_reg_name(g, dword));
	}
	if (r->gfxoff[dword] && g->hooks.gfxoff(g)) {
		vgpu_complain(g, VGPU_BAD_GFXOFF,
			      "%s of %s while GFXOFF is allowed", what,
			      vgpu_reg_name(g, dword));
		return !g->hooks.core_off(g) ||
		       !vgpu_quirk(g, VGPU_QUIRK_GFXOFF_READS_ONES);
	}
	return true;
}

/*
 * Is the write the SQ_CMD with which the driver kills the waves of a hanging job? Before
 * Linux 6.12 it does so without disallowing GFXOFF: the waves keep the core powered
 * (gfx_v10_0_ring_soft_recovery(), 6.1).
 */
static bool is_soft_recovery(struct vgpu *g, u32 dword, u32 val)
{
	const struct vgpu_generation *gen = g->profile->gen;
	u32 ids = vgpu_field(g, F_SQ_CMD_CMD) | vgpu_field(g, F_SQ_CMD_MODE) |
		  vgpu_field(g, F_SQ_CMD_VM_ID);

	return dword == reg_of(g, R_SQ_CMD) &&
	       gen->sq_cmds[vgpu_get(g, F_SQ_CMD_CMD, val)] ==
		       VGPU_SQ_CMD_KILL &&
	       gen->sq_modes[vgpu_get(g, F_SQ_CMD_MODE, val)] ==
		       VGPU_SQ_MODE_BROADCAST &&
	       (val & ~ids) == vgpu_field(g, F_SQ_CMD_CHECK_VMID);
}

static void trace(struct vgpu *g, char dir, u32 dword, u32 val)
{
	struct vgpu_bank_select sel = selected(g);
	char bank[32] = "";

	switch (g->regs->bank[dword]) {
	case VGPU_BANK_QUEUE:
		snprintf(bank, sizeof(bank), " queue %u.%u.%u", sel.me,
			 sel.pipe, sel.queue);
		break;
	case VGPU_BANK_VMID:
		snprintf(bank, sizeof(bank), " vmid %u", sel.vmid);
		break;
	}
	vgpu_log_each(g, "%c %05x %s 0x%08x%s", dir, dword, vgpu_reg_name(g, dword),
		      val, bank);
}

u32 vgpu_reg_read(struct vgpu *g, u32 dword)
{
	u32 val = ~0U;

	if (g->hooks.reg_access)
		g->hooks.reg_access(g);
	g->counters.reg_reads++;
	if (check_access(g, dword, "read")) {
		val = vgpu_reg_engine_read(g, dword);
		if (vgpu_fault_take(g, VGPU_FAULT_CORRUPT_READ, dword))
			val = ~val;
	}
	if (dword >= VGPU_NUM_REGS)
		return val;
	g->counters.block_reads[g->regs->block[dword]]++;
	if (g->opt.trace_mmio)
		trace(g, 'R', dword, val);
	return val;
}

void vgpu_reg_write(struct vgpu *g, u32 dword, u32 val)
{
	if (g->hooks.reg_access)
		g->hooks.reg_access(g);
	g->counters.reg_writes++;
	if (dword < VGPU_NUM_REGS) {
		g->counters.block_writes[g->regs->block[dword]]++;
		if (g->opt.trace_mmio)
			trace(g, 'W', dword, val);
	}
	if (!is_soft_recovery(g, dword, val) &&
	    !check_access(g, dword, "write"))
		return;
	note_select(g, dword, val);
	note_vmid(g, dword, val);
	if (is_trap_register(g, dword))
		check_trap_write(g, dword, val);
	check_bank_write(g, dword);
	vgpu_reg_engine_write(g, dword, val);
}
