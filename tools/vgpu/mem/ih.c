// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupt handler (IH): writes an entry to ring 0 in memory, then the new write pointer
 * to its register and to a word in memory, then raises the MSI. All its state is in
 * registers.
 */
#include <string.h>

#include "gpu.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"

/* IH_RB_CNTL.MC_SPACE: 1 is a bus address, 4 an address of VMID 0 (navi10_ih_rb_cntl) */
#define MC_SPACE_BUS		1

#define ENTRY_DWORDS		8
#define ENTRY_SIZE		(ENTRY_DWORDS * sizeof(u32))

static u32 ring_size(const struct vgpu *g, u32 cntl)
{
	return 4U << vgpu_get(g, F_IH_RB_CNTL_RB_SIZE, cntl);
}

/* Write to memory, in the address space that the driver has chosen for the ring. */
static bool ih_write(struct vgpu *g, u64 addr, const void *buf, size_t len)
{
	u32 cntl = vgpu_reg_load(g, R_IH_RB_CNTL, 0);
	u8 *p;

	if (vgpu_get(g, F_IH_RB_CNTL_MC_SPACE, cntl) != MC_SPACE_BUS)
		return !vgpu_gmc_write(g, 0, addr, buf, len);
	p = vgpu_gmc_bus_ptr(g, addr, len, true);
	if (!p) {
		vgpu_complain(g, VGPU_BAD_VM_FAULT,
			      "interrupt ring at bus address 0x%llx, where no memory can be written",
			      (unsigned long long)addr);
		return false;
	}
	memcpy(p, buf, len);
	return true;
}

u16 vgpu_ih_pasid(struct vgpu *g, unsigned int vmid)
{
	return vgpu_reg_load(g, R_IH_VMID_0_LUT, vmid) &
	       vgpu_field(g, F_IH_VMID_0_LUT_PASID);
}

/*
 * Encode an entry in the layout that amdgpu_ih_decode_iv_helper() decodes (Linux 7.2.12).
 * That function serves all generations from gfx9 on.
 */
static void encode(struct vgpu *g, const struct vgpu_iv *iv,
		   u32 entry[ENTRY_DWORDS])
{
	u64 now = vgpu_clock();

	entry[0] = iv->source.client_id | iv->source.src_id << 8 |
		iv->ring_id << 16 | (u32)(iv->vmid & 0xf) << 24;
	entry[1] = lower_32_bits(now);
	entry[2] = upper_32_bits(now) & 0xffff;
	entry[3] = iv->pasid;
	if (iv->vmid && !iv->pasid)
		entry[3] = vgpu_ih_pasid(g, iv->vmid);
	memcpy(&entry[4], iv->src_data, sizeof(iv->src_data));
}

void vgpu_ih_push(struct vgpu *g, const struct vgpu_iv *iv)
{
	u32 cntl = vgpu_reg_load(g, R_IH_RB_CNTL, 0);
	u32 size = ring_size(g, cntl), entry[ENTRY_DWORDS], wptr, next;
	u64 base = (u64)vgpu_reg_load(g, R_IH_RB_BASE, 0) << 8 |
		(u64)vgpu_get(g, F_IH_RB_BASE_HI_ADDR,
			      vgpu_reg_load(g, R_IH_RB_BASE_HI, 0)) << 40;

	if (!(cntl & vgpu_field(g, F_IH_RB_CNTL_RB_ENABLE)) ||
	    size < ENTRY_SIZE) {
		vgpu_log(g, "interrupt %u/%u dropped: the ring is off",
			 iv->source.client_id, iv->source.src_id);
		return;
	}
	wptr = vgpu_reg_load(g, R_IH_RB_WPTR, 0);
	next = ((wptr & ~vgpu_field(g, F_IH_RB_WPTR_RB_OVERFLOW)) +
		ENTRY_SIZE) %
	       size;
	encode(g, iv, entry);
	/*
	 * The ring is full. With WPTR_OVERFLOW_ENABLE, overwrite the oldest entry and report
	 * that to the driver; without it, drop the new entry.
	 */
	if (next == vgpu_reg_load(g, R_IH_RB_RPTR, 0) % size) {
		vgpu_log(g, "interrupt ring is full");
		if (!(cntl & vgpu_field(g, F_IH_RB_CNTL_WPTR_OVERFLOW_ENABLE)))
			return;
		wptr |= vgpu_field(g, F_IH_RB_WPTR_RB_OVERFLOW);
	}
	if (!ih_write(g,
		      base + (wptr & ~vgpu_field(g, F_IH_RB_WPTR_RB_OVERFLOW)) %
				      size,
		      entry, sizeof(entry)))
		return;
	wptr = next | (wptr & vgpu_field(g, F_IH_RB_WPTR_RB_OVERFLOW));
	vgpu_reg_store(g, R_IH_RB_WPTR, 0, wptr);
	g->counters.iv_entries++;
	if (cntl & vgpu_field(g, F_IH_RB_CNTL_WPTR_WRITEBACK_ENABLE)) {
		u64 addr = make_64(vgpu_reg_load(g, R_IH_RB_WPTR_ADDR_HI, 0),
				   vgpu_reg_load(g, R_IH_RB_WPTR_ADDR_LO, 0));

		if (!ih_write(g, addr, &wptr, sizeof(wptr)))
			return;
	}
	if (g->opt.trace_packets)
		vgpu_log_each(g, "IV %02x/%u ring %02x vmid %u pasid %u data %08x %08x",
			      iv->source.client_id, iv->source.src_id, iv->ring_id,
			      iv->vmid, entry[3], entry[4], entry[5]);
	if (cntl & vgpu_field(g, F_IH_RB_CNTL_ENABLE_INTR))
		g->hooks.msi(g);
}

bool vgpu_ih_doorbell(struct vgpu *g, u32 index, u64 value)
{
	u32 rptr = vgpu_reg_load(g, R_IH_DOORBELL_RPTR, 0);

	if (!(rptr & vgpu_field(g, F_IH_DOORBELL_RPTR_ENABLE)) ||
	    index != (rptr & vgpu_field(g, F_IH_DOORBELL_RPTR_OFFSET)))
		return false;
	vgpu_reg_store(g, R_IH_RB_RPTR, 0, value);
	return true;
}

static void cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	if (val & vgpu_field(g, F_IH_RB_CNTL_WPTR_OVERFLOW_CLEAR)) {
		u32 wptr = vgpu_reg_load(g, R_IH_RB_WPTR, 0);

		vgpu_reg_store(g, R_IH_RB_WPTR, 0,
			       wptr & ~vgpu_field(g, F_IH_RB_WPTR_RB_OVERFLOW));
	}
	val &= ~vgpu_field(g, F_IH_RB_CNTL_WPTR_OVERFLOW_CLEAR);
	vgpu_reg_store(g, R_IH_RB_CNTL, idx, val);
	vgpu_reg_check_effect(g, R_IH_RB_CNTL, val);
}

int vgpu_ih_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_IH_RB_CNTL, 1, 1, NULL, cntl_write);
	g->hooks.interrupt = vgpu_ih_push;
	return 0;
}

/* The IH has no state besides its registers, which the register file resets. */
void vgpu_ih_fini(struct vgpu *g)
{
	(void)g;
}

void vgpu_ih_reset(struct vgpu *g)
{
	(void)g;
}
