// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * North bridge: windows into VRAM, registers and the SMN address space, the size of memory,
 * HDP flush, and the reference clock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/nbio.h"
#include "regs/regs.h"

/* MM_INDEX has an address in VRAM, not that of a register (amdgpu_device_mm_access()). */
#define MM_INDEX_VRAM		BIT(31)
/* Maximum number of SMN registers in use; a driver writes about 20. */
#define MAX_SMN_REGS		256
/*
 * The driver may map HDP flush into the last page of registers: MMIO_REG_HOLE_OFFSET,
 * 0x80000 - PAGE_SIZE.
 */
#define REMAP_FIRST		(VGPU_NUM_REGS - VGPU_PAGE_SIZE / 4)

/* The registers of HDP flush that the driver maps: for memory and for registers */
enum {
	REMAP_MEM,
	REMAP_REG,
	NUM_REMAPS,
};

struct smn_reg {
	u32 addr, val;
};

struct vgpu_nbio {
	/* SMN registers that were written; few enough for a linear search */
	struct smn_reg smn[MAX_SMN_REGS];
	size_t num_smn;
	/* The dwords where the registers of HDP flush are mapped; 0: not mapped */
	u32 remapped[NUM_REMAPS];
};

static struct smn_reg *smn_find(struct vgpu *g, u32 addr)
{
	size_t i;

	for (i = 0; i < g->nbio->num_smn; i++)
		if (g->nbio->smn[i].addr == addr)
			return &g->nbio->smn[i];
	return NULL;
}

u32 vgpu_smn_read(struct vgpu *g, u32 addr)
{
	const struct smn_reg *r = smn_find(g, addr);

	return r ? r->val : 0;
}

void vgpu_smn_write(struct vgpu *g, u32 addr, u32 val)
{
	struct vgpu_nbio *n = g->nbio;
	struct smn_reg *r = smn_find(g, addr);

	if (!r) {
		if (n->num_smn == MAX_SMN_REGS) {
			vgpu_complain(g, VGPU_BAD_REGISTER,
				      "too many SMN registers are in use: 0x%08x",
				      addr);
			return;
		}
		r = &n->smn[n->num_smn++];
		r->addr = addr;
	}
	r->val = val;
}

static u32 pcie_data_read(struct vgpu *g, unsigned int idx)
{
	(void)idx;
	return vgpu_smn_read(g, vgpu_reg_load(g, R_PCIE_INDEX2, 0));
}

static void pcie_data_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	vgpu_smn_write(g, vgpu_reg_load(g, R_PCIE_INDEX2, 0), val);
}

static u32 rsmu_data_read(struct vgpu *g, unsigned int idx)
{
	(void)idx;
	return vgpu_smn_read(g, vgpu_reg_load(g, R_RSMU_INDEX, 0));
}

static void rsmu_data_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	vgpu_smn_write(g, vgpu_reg_load(g, R_RSMU_INDEX, 0), val);
}

/* Find the dword of VRAM that MM_INDEX selects; NULL: it is beyond VRAM or not aligned. */
static u8 *mm_vram(struct vgpu *g, u32 index)
{
	u64 addr = (u64)vgpu_reg_load(g, R_MM_INDEX_HI, 0) << 31 |
		(index & ~MM_INDEX_VRAM);

	if (addr % sizeof(u32) || addr >= g->vram_size)
		return NULL;
	return g->vram + addr;
}

/* Get the register that MM_INDEX selects. It must not be the window, MM_DATA. */
static bool mm_reg(struct vgpu *g, u32 index, u32 *dword)
{
	*dword = index / sizeof(u32);
	if (*dword != g->profile->regs[R_MM_DATA])
		return true;
	vgpu_complain(g, VGPU_BAD_REGISTER, "MM_INDEX selects MM_DATA");
	return false;
}

static u32 mm_data_read(struct vgpu *g, unsigned int idx)
{
	u32 index = vgpu_reg_load(g, R_MM_INDEX, 0), val = ~0U, dword;
	const u8 *p;

	(void)idx;
	if (!(index & MM_INDEX_VRAM))
		return mm_reg(g, index, &dword) ?
			vgpu_reg_engine_read(g, dword) : val;
	p = mm_vram(g, index);
	if (p)
		memcpy(&val, p, sizeof(val));
	else
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "MM_DATA read beyond VRAM, MM_INDEX 0x%08x",
			      index);
	return val;
}

static void mm_data_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 index = vgpu_reg_load(g, R_MM_INDEX, 0), dword;
	u8 *p;

	(void)idx;
	if (!(index & MM_INDEX_VRAM)) {
		if (mm_reg(g, index, &dword))
			vgpu_reg_engine_write(g, dword, val);
		return;
	}
	p = mm_vram(g, index);
	if (p)
		memcpy(p, &val, sizeof(val));
	else
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "MM_DATA write beyond VRAM, MM_INDEX 0x%08x",
			      index);
}

static u32 memsize_read(struct vgpu *g, unsigned int idx)
{
	(void)idx;
	return g->vram_size >> 20;
}

/* HDP flush has no effect: writes of the host are always visible at once. */
static u32 sink_read(struct vgpu *g, unsigned int idx)
{
	(void)g;
	(void)idx;
	return 0;
}

static void sink_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)g;
	(void)idx;
	(void)val;
}

/* An engine requests a flush with its bit in REQ, and waits for the same bit in DONE. */
static void hdp_req_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_GPU_HDP_FLUSH_REQ, idx, val);
	vgpu_reg_store(g, R_GPU_HDP_FLUSH_DONE, idx, val);
}

static void remap(struct vgpu *g, unsigned int which, u32 dword)
{
	u32 *now = g->nbio->remapped;
	unsigned int i;

	if (now[which])
		vgpu_reg_unhook_dword(g, now[which]);
	now[which] = dword;
	for (i = 0; i < NUM_REMAPS; i++)
		if (now[i])
			vgpu_reg_hook_dword(g, now[i], 0, sink_read, sink_write);
}

/* Map a register of HDP flush to the offset in BAR 5 that the driver has written. */
static void remap_write(struct vgpu *g, enum vgpu_role role, unsigned int which,
			u32 val)
{
	u32 dword = val / sizeof(u32);

	vgpu_reg_store(g, role, 0, val);
	if (dword >= REMAP_FIRST && dword < VGPU_NUM_REGS)
		remap(g, which, dword);
	else
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "HDP flush mapped to 0x%x, outside the last page of registers",
			      val);
}

static void remap_mem_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	remap_write(g, R_REMAP_HDP_MEM_FLUSH_CNTL, REMAP_MEM, val);
}

static void remap_reg_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	remap_write(g, R_REMAP_HDP_REG_FLUSH_CNTL, REMAP_REG, val);
}

static u32 tsc_upper_read(struct vgpu *g, unsigned int idx)
{
	(void)g;
	(void)idx;
	return upper_32_bits(vgpu_clock());
}

static u32 tsc_lower_read(struct vgpu *g, unsigned int idx)
{
	(void)g;
	(void)idx;
	return lower_32_bits(vgpu_clock());
}

int vgpu_nbio_init(struct vgpu *g)
{
	g->nbio = calloc(1, sizeof(*g->nbio));
	if (!g->nbio)
		return -ENOMEM;
	vgpu_reg_hook(g, R_MM_DATA, 1, 1, mm_data_read, mm_data_write);
	vgpu_reg_hook(g, R_PCIE_DATA2, 1, 1, pcie_data_read, pcie_data_write);
	vgpu_reg_hook(g, R_RSMU_DATA, 1, 1, rsmu_data_read, rsmu_data_write);
	vgpu_reg_hook(g, R_RCC_CONFIG_MEMSIZE, 1, 1, memsize_read, NULL);
	vgpu_reg_hook(g, R_REMAP_HDP_MEM_FLUSH_CNTL, 1, 1, NULL,
		      remap_mem_write);
	vgpu_reg_hook(g, R_REMAP_HDP_REG_FLUSH_CNTL, 1, 1, NULL,
		      remap_reg_write);
	vgpu_reg_hook(g, R_GPU_HDP_FLUSH_REQ, 1, 1, NULL, hdp_req_write);
	/*
	 * One counter at two places: amdgpu reads it at the first for GC 10.3.0 and at the
	 * second for 10.3.1 (gfx_v10_0_get_gpu_clock_counter(), Linux 6.1 to 7.2).
	 */
	vgpu_reg_hook(g, R_GOLDEN_TSC_COUNT_UPPER, 1, 1, tsc_upper_read, NULL);
	vgpu_reg_hook(g, R_GOLDEN_TSC_COUNT_LOWER, 1, 1, tsc_lower_read, NULL);
	vgpu_reg_hook(g, R_GOLDEN_TSC_COUNT_UPPER_Vangogh, 1, 1, tsc_upper_read, NULL);
	vgpu_reg_hook(g, R_GOLDEN_TSC_COUNT_LOWER_Vangogh, 1, 1, tsc_lower_read, NULL);
	return 0;
}

/*
 * After a reset, no SMN register is set except for those that firmware sets: the SMU, which
 * is reset later, writes them.
 */
void vgpu_nbio_reset(struct vgpu *g)
{
	unsigned int i;

	for (i = 0; i < NUM_REMAPS; i++)
		remap(g, i, 0);
	memset(g->nbio, 0, sizeof(*g->nbio));
}

void vgpu_nbio_fini(struct vgpu *g)
{
	free(g->nbio);
	g->nbio = NULL;
}
