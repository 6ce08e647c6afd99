// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SDMA engine: its ring and indirect buffers, and how much it does in a turn. What
 * packets do is in sdma_packets.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/sdma.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"

/*
 * Bytes that the engine moves before waves and the host have their turn, and the number of
 * bytes that a packet counts as which moves none.
 */
#define BYTES_PER_TURN			65536
#define PACKET_BYTES			1024

/* Get the number of dwords left in the IB or ring; pointers of the ring count bytes. */
static u32 available(struct vgpu_sdma *e)
{
	if (e->in_ib)
		return e->ib.size - e->ib.rptr;
	return ((e->wptr - e->rptr) & (e->ring_bytes - 1)) / 4;
}

static void advance(struct vgpu_sdma *e, u32 n)
{
	if (e->in_ib)
		e->ib.rptr += n;
	else
		e->rptr += n * 4ULL;
}

static void fail(struct vgpu *g, const char *why)
{
	struct vgpu_sdma *e = g->sdma;

	vgpu_log(g, "sdma: stops at 0x%llx of the %s (vmid %u): %s",
		 e->in_ib ? (unsigned long long)(e->ib.base + e->ib.rptr * 4ULL) :
		 (unsigned long long)e->rptr, e->in_ib ? "IB" : "ring",
		 vgpu_sdma_vmid(e), why);
	e->hung = true;
}

static void trace_packet(struct vgpu *g, u32 header, u32 n)
{
	struct vgpu_sdma *e = g->sdma;
	u32 body[6] = { 0 };

	if (n > 1)
		vgpu_sdma_fetch(g, 1, body, n - 1 < 6 ? n - 1 : 6);
	vgpu_log_each(g, "sdma:%s %08x, %u dwords: %08x %08x %08x %08x %08x %08x",
		      e->in_ib ? "  " : "", header, n, body[0], body[1], body[2],
		      body[3], body[4], body[5]);
}

/*
 * Forget the state of the present packet: it has been executed, or the driver has moved
 * the write pointer back.
 */
static void forget_packet(struct vgpu_sdma *e)
{
	e->waiting = false;
	e->progress = 0;
}

/* Start the ring with the contents of its registers: forget all state of packets. */
static void start_anew(struct vgpu_sdma *e)
{
	forget_packet(e);
	e->in_ib = false;
	e->call = false;
	e->skip = 0;
	e->ring_bytes = 0;
}

/* Has the present packet restarted the ring, by writing to one of its registers? */
static bool was_reset(const struct vgpu_sdma *e)
{
	return !e->ring_bytes;
}

/* Execute one packet. Returns true if the engine has made progress. */
static bool step(struct vgpu *g)
{
	struct vgpu_sdma *e = g->sdma;
	u32 left = available(e);
	u32 header, n;
	int ret;

	if (!left) {
		forget_packet(e);
		if (!e->in_ib)
			return false;
		e->in_ib = false;
		e->skip = 0;
		return true;
	}
	if (e->skip) {
		n = e->skip < left ? e->skip : left;
		e->skip -= n;
		advance(e, n);
		return true;
	}
	if (vgpu_sdma_fetch(g, 0, &header, 1)) {
		fail(g, "cannot read it");
		return false;
	}
	ret = vgpu_sdma_length(g, header, left);
	if (ret < 0) {
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "SDMA packet 0x%08x is unknown", header);
		fail(g, "unknown packet");
		return false;
	}
	n = ret;
	if (n > left) {
		if (!e->in_ib)
			return false;
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "SDMA packet 0x%08x of %u dwords crosses the end of the IB",
			      header, n);
		e->ib.rptr = e->ib.size;
		return true;
	}
	/* Do not trace NOPs of one dword, with which the driver fills the ring. */
	if (g->opt.trace_packets && header && !e->waiting && !e->progress)
		trace_packet(g, header, n);

	e->done += PACKET_BYTES;
	ret = vgpu_sdma_execute(g, header);
	if (ret == -EAGAIN || was_reset(e))
		return false;
	/* A VM fault has been reported; hardware continues with the next packet. */
	if (ret && ret != -EFAULT) {
		fail(g, strerror(-ret));
		return false;
	}
	g->counters.packets++;
	forget_packet(e);
	advance(e, n);
	if (e->call) {
		e->call = false;
		e->in_ib = true;
		e->ib = e->next;
	}
	return true;
}

static bool enabled(struct vgpu *g)
{
	return vgpu_reg_load(g, R_SDMA0_GFX_RB_CNTL, 0) &
		       vgpu_field(g, F_SDMA0_GFX_RB_CNTL_RB_ENABLE) &&
	       !(vgpu_reg_load(g, R_SDMA0_F32_CNTL, 0) &
		 vgpu_field(g, F_SDMA0_F32_CNTL_HALT)) &&
	       !(vgpu_reg_load(g, R_SDMA0_FREEZE, 0) &
		 vgpu_field(g, F_SDMA0_FREEZE_FREEZE));
}

/* Read the ring's registers: the driver may have changed them while it was stopped. */
static void load_ring(struct vgpu *g)
{
	u32 cntl = vgpu_reg_load(g, R_SDMA0_GFX_RB_CNTL, 0);
	struct vgpu_sdma *e = g->sdma;

	e->ring_base = make_64(vgpu_reg_load(g, R_SDMA0_GFX_RB_BASE_HI, 0),
			       vgpu_reg_load(g, R_SDMA0_GFX_RB_BASE, 0)) << 8;
	/* RB_SIZE: log2 of the dwords */
	e->ring_bytes =
		4U << (vgpu_get(g, F_SDMA0_GFX_RB_CNTL_RB_SIZE, cntl) % 28);
	e->ring_vmid = vgpu_get(g, F_SDMA0_GFX_RB_CNTL_RB_VMID, cntl);
}

static void report_rptr(struct vgpu *g)
{
	struct vgpu_sdma *e = g->sdma;
	u64 va;

	if (!(vgpu_reg_load(g, R_SDMA0_GFX_RB_CNTL, 0) &
	      vgpu_field(g, F_SDMA0_GFX_RB_CNTL_RPTR_WRITEBACK_ENABLE)))
		return;
	va = make_64(vgpu_reg_load(g, R_SDMA0_GFX_RB_RPTR_ADDR_HI, 0),
		     vgpu_reg_load(g, R_SDMA0_GFX_RB_RPTR_ADDR_LO, 0)) & ~3ULL;
	vgpu_gmc_write(g, e->ring_vmid, va, &e->rptr, 8);
}

bool vgpu_sdma_busy(const struct vgpu *g)
{
	return g->sdma->in_ib || g->sdma->rptr != g->sdma->wptr;
}

bool vgpu_sdma_run(struct vgpu *g)
{
	struct vgpu_sdma *e = g->sdma;
	u64 rptr = e->rptr;
	u32 progress = e->progress;
	bool did = false;

	if (!vgpu_sdma_busy(g)) {
		forget_packet(e);
		return false;
	}
	if (e->hung || !enabled(g))
		return false;
	load_ring(g);
	e->done = 0;
	while (e->done < BYTES_PER_TURN && step(g))
		did = true;
	if (e->rptr != rptr && !was_reset(e))
		report_rptr(g);
	return did || (!e->waiting && e->progress != progress);
}

bool vgpu_sdma_polling(struct vgpu *g)
{
	return g->sdma->waiting && !g->sdma->hung;
}

bool vgpu_sdma_doorbell(struct vgpu *g, u32 index, u64 value)
{
	u32 offset = vgpu_reg_load(g, R_SDMA0_GFX_DOORBELL_OFFSET, 0);

	if (!(vgpu_reg_load(g, R_SDMA0_GFX_DOORBELL, 0) &
	      vgpu_field(g, F_SDMA0_GFX_DOORBELL_ENABLE)) ||
	    vgpu_get(g, F_SDMA0_GFX_DOORBELL_OFFSET_OFFSET, offset) != index)
		return false;
	g->sdma->wptr = value;
	return true;
}

static u64 with_half(u64 old, unsigned int half, u32 val)
{
	return half ? make_64(val, lower_32_bits(old)) :
		      make_64(upper_32_bits(old), val);
}

static u32 rptr_read(struct vgpu *g, unsigned int idx)
{
	return g->sdma->rptr >> (idx ? 32 : 0);
}

static void rptr_write(struct vgpu *g, unsigned int idx, u32 val)
{
	g->sdma->rptr = with_half(g->sdma->rptr, idx, val);
	start_anew(g->sdma);
}

static u32 wptr_read(struct vgpu *g, unsigned int idx)
{
	return g->sdma->wptr >> (idx ? 32 : 0);
}

/* Van Gogh's driver also writes this register after the doorbell. */
static void wptr_write(struct vgpu *g, unsigned int idx, u32 val)
{
	g->sdma->wptr = with_half(g->sdma->wptr, idx, val);
}

static void cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 enable = vgpu_field(g, F_SDMA0_GFX_RB_CNTL_RB_ENABLE);

	if (val & enable & ~vgpu_reg_load(g, R_SDMA0_GFX_RB_CNTL, idx))
		start_anew(g->sdma);
	vgpu_reg_store(g, R_SDMA0_GFX_RB_CNTL, idx, val);
}

static u32 freeze_read(struct vgpu *g, unsigned int idx)
{
	u32 v = vgpu_reg_load(g, R_SDMA0_FREEZE, idx) &
		~vgpu_field(g, F_SDMA0_FREEZE_FROZEN);

	/* The engine freezes between two packets, so it is already frozen. */
	return v | (v & vgpu_field(g, F_SDMA0_FREEZE_FREEZE) ?
			    vgpu_field(g, F_SDMA0_FREEZE_FROZEN) :
			    0);
}

static u32 status_read(struct vgpu *g, unsigned int idx)
{
	(void)idx;
	return vgpu_sdma_busy(g) ? 0 : vgpu_field(g, F_SDMA0_STATUS_REG_IDLE);
}

static void soft_reset_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_GRBM_SOFT_RESET, idx, val);
	if (val & vgpu_field(g, F_GRBM_SOFT_RESET_SOFT_RESET_SDMA0))
		vgpu_sdma_reset(g);
	vgpu_reg_check_effect(g, R_GRBM_SOFT_RESET,
			      val & ~vgpu_field(g, F_GRBM_SOFT_RESET_SOFT_RESET_SDMA0));
}

int vgpu_sdma_init(struct vgpu *g)
{
	g->sdma = calloc(1, sizeof(*g->sdma));
	if (!g->sdma)
		return -ENOMEM;
	vgpu_reg_hook(g, R_SDMA0_GFX_RB_RPTR, 2, 1, rptr_read, rptr_write);
	vgpu_reg_hook(g, R_SDMA0_GFX_RB_WPTR, 2, 1, wptr_read, wptr_write);
	vgpu_reg_hook(g, R_SDMA0_GFX_RB_CNTL, 1, 1, NULL, cntl_write);
	vgpu_reg_hook(g, R_SDMA0_FREEZE, 1, 1, freeze_read, NULL);
	vgpu_reg_hook(g, R_SDMA0_STATUS_REG, 1, 1, status_read, NULL);
	vgpu_reg_hook(g, R_GRBM_SOFT_RESET, 1, 1, NULL, soft_reset_write);
	return 0;
}

void vgpu_sdma_fini(struct vgpu *g)
{
	free(g->sdma);
	g->sdma = NULL;
}

void vgpu_sdma_reset(struct vgpu *g)
{
	memset(g->sdma, 0, sizeof(*g->sdma));
}
