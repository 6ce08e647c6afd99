// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PM4 packets that move data, wait for values, and order accesses: WRITE_DATA, COPY_DATA,
 * DMA_DATA, ATOMIC_MEM, WAIT_REG_MEM, RELEASE_MEM, ACQUIRE_MEM, EVENT_WRITE.
 */
#include <errno.h>
#include <string.h>

#include "front/pm4.h"
#include "front/pm4_fields.h"
#include "front/queue.h"
#include "gpu.h"
#include "isa/isa.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "mem/tc_atomic.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "sq/sq.h"

/*
 * Bytes that a long copy moves before other queues and the host have their turn; fewer
 * from or to registers, because an access to a register may have an expensive effect.
 */
#define DMA_PIECE			65536U
#define DMA_REG_PIECE			64U

static unsigned int vmid_of(const struct vgpu_cp_queue *q)
{
	return q->stream[q->depth].vmid;
}

static int bad_field(struct vgpu *g, struct vgpu_cp_queue *q, const char *what,
		     u32 value)
{
	vgpu_complain(g, VGPU_BAD_PACKET, "queue %s: %s %u is unknown; packet skipped",
		      vgpu_cp_name(q), what, value);
	return 0;
}

/*
 * Write to memory. If the address is not mapped, the fault is reported, the data is
 * dropped, and the queue continues, as on hardware.
 */
static void store(struct vgpu *g, struct vgpu_cp_queue *q, u64 va,
		  const void *buf, size_t len)
{
	vgpu_gmc_write(g, vmid_of(q), va, buf, len);
}

int vgpu_pm4_write_data(struct vgpu *g, struct vgpu_cp_queue *q,
			const struct vgpu_pm4_packet *p)
{
	bool one = p->body[0] & WRITE_DATA_ONE_ADDR;
	u32 dst = FIELD_GET(WRITE_DATA_DST_SEL, p->body[0]);
	u64 va = make_64(p->body[2], p->body[1]) & ~3ULL;
	u32 n = p->n - 3;

	switch (dst) {
	case WRITE_DATA_DST_REG:
		return vgpu_pm4_reg_writes(g, q, p->body[1], &p->body[3], n, one);
	case WRITE_DATA_DST_MEM_SYNC:
	case WRITE_DATA_DST_L2:
	case WRITE_DATA_DST_MEM_ASYNC:
	case WRITE_DATA_DST_MEM_META:
		if (one)
			store(g, q, va, &p->body[p->n - 1], 4);
		else
			store(g, q, va, &p->body[3], n * 4);
		return 0;
	default:
		return bad_field(g, q, "WRITE_DATA DST_SEL", dst);
	}
}

static int copy_data_load(struct vgpu *g, struct vgpu_cp_queue *q,
			  const u32 *body, u64 *val)
{
	bool wide = body[0] & COPY_DATA_COUNT_64;
	u64 va = make_64(body[2], body[1]);
	u32 lo = 0, hi = 0;
	int ret;

	switch (FIELD_GET(COPY_DATA_SRC_SEL, body[0])) {
	case COPY_DATA_REG:
	case COPY_DATA_PERF:
		ret = vgpu_pm4_reg_read(g, q, body[1], &lo);
		if (!ret && wide)
			ret = vgpu_pm4_reg_read(g, q, body[1] + 1, &hi);
		*val = make_64(hi, lo);
		return ret;
	case COPY_DATA_MEM_OLD:
	case COPY_DATA_MEM:
		*val = 0;
		return vgpu_gmc_read(g, vmid_of(q), va & ~3ULL, val,
				     wide ? 8 : 4);
	case COPY_DATA_IMM:
		*val = va;
		return 0;
	case COPY_DATA_ATOMIC_RETURN:
		*val = q->atomic_return;
		return 0;
	case COPY_DATA_GPU_CLOCK:
	case COPY_DATA_SYSTEM_CLOCK:
		*val = vgpu_clock();
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

int vgpu_pm4_copy_data(struct vgpu *g, struct vgpu_cp_queue *q,
		       const struct vgpu_pm4_packet *p)
{
	bool wide = p->body[0] & COPY_DATA_COUNT_64;
	u32 dst = FIELD_GET(COPY_DATA_DST_SEL, p->body[0]);
	u64 val;
	int ret;

	ret = copy_data_load(g, q, p->body, &val);
	if (ret == -EOPNOTSUPP)
		return bad_field(g, q, "COPY_DATA SRC_SEL",
				 FIELD_GET(COPY_DATA_SRC_SEL, p->body[0]));
	if (ret)
		return ret;
	switch (dst) {
	case COPY_DATA_REG:
	case COPY_DATA_PERF:
		ret = vgpu_pm4_reg_write(g, q, p->body[3], lower_32_bits(val));
		if (!ret && wide)
			ret = vgpu_pm4_reg_write(g, q, p->body[3] + 1,
						 upper_32_bits(val));
		return ret;
	case COPY_DATA_MEM_OLD:
	case COPY_DATA_MEM:
	case COPY_DATA_MEM_DST:
		store(g, q, make_64(p->body[4], p->body[3]) & ~3ULL, &val,
		      wide ? 8 : 4);
		return 0;
	default:
		return bad_field(g, q, "COPY_DATA DST_SEL", dst);
	}
}

/* Copy one piece. Addresses of registers are in bytes; registers are read as dwords. */
static int dma_piece(struct vgpu *g, struct vgpu_cp_queue *q, const u32 *body,
		     u32 offset, u32 len)
{
	u32 command = body[5];
	u64 src = make_64(body[2], body[1]);
	u64 dst = make_64(body[4], body[3]);
	static u32 buf[DMA_PIECE / 4];
	u32 i;
	int ret = 0;

	if (!(command & DMA_DATA_SAIC))
		src += offset;
	if (!(command & DMA_DATA_DAIC))
		dst += offset;

	if (FIELD_GET(DMA_DATA_SRC_SEL, body[0]) == DMA_DATA_SRC_DATA) {
		for (i = 0; i < (len + 3) / 4; i++)
			buf[i] = body[1];
	} else if (command & DMA_DATA_SAS_REGISTER) {
		for (i = 0; !ret && i < len / 4; i++)
			ret = vgpu_pm4_reg_read(g, q, src / 4 +
						(command & DMA_DATA_SAIC ? 0 : i),
						&buf[i]);
	} else {
		ret = vgpu_gmc_read(g, vmid_of(q), src, buf, len);
	}
	if (ret)
		return ret;
	if (FIELD_GET(DMA_DATA_DST_SEL, body[0]) == DMA_DATA_DST_NOWHERE)
		return 0;
	if (!(command & DMA_DATA_DAS_REGISTER)) {
		store(g, q, dst, buf, len);
		return 0;
	}
	for (i = 0; !ret && i < len / 4; i++)
		ret = vgpu_pm4_reg_write(g, q, dst / 4 +
					 (command & DMA_DATA_DAIC ? 0 : i),
					 buf[i]);
	return ret;
}

int vgpu_pm4_dma_data(struct vgpu *g, struct vgpu_cp_queue *q,
		      const struct vgpu_pm4_packet *p)
{
	u32 count = p->body[5] & g->profile->gen->pm4.dma_byte_count;
	bool regs = p->body[5] & (DMA_DATA_SAS_REGISTER | DMA_DATA_DAS_REGISTER);
	u32 piece = regs ? DMA_REG_PIECE : DMA_PIECE;
	u32 left, len;
	int ret;

	if (FIELD_GET(DMA_DATA_SRC_SEL, p->body[0]) == DMA_DATA_SEL_GDS ||
	    FIELD_GET(DMA_DATA_DST_SEL, p->body[0]) == DMA_DATA_SEL_GDS)
		return bad_field(g, q, "DMA_DATA SEL", DMA_DATA_SEL_GDS);
	left = q->progress < count ? count - q->progress : 0;
	len = left < piece ? left : piece;
	vgpu_cp_count(g, regs ? DMA_PIECE : len);
	ret = len ? dma_piece(g, q, p->body, q->progress, len) : 0;
	/* A register may have unmapped the queue. */
	if (!q->mapped)
		return 0;
	/* A read of an address that is not mapped ends the copy; the queue continues. */
	if (ret == -EFAULT)
		return 0;
	q->progress += len;
	if (!ret && q->progress < count)
		return vgpu_pm4_wait(q, VGPU_CP_WAIT_TIME);
	return ret;
}

int vgpu_pm4_atomic_mem(struct vgpu *g, struct vgpu_cp_queue *q,
			const struct vgpu_pm4_packet *p)
{
	u32 op = FIELD_GET(ATOMIC_MEM_ATOMIC, p->body[0]);
	u32 command = FIELD_GET(ATOMIC_MEM_COMMAND, p->body[0]);
	u64 cmp = make_64(p->body[6], p->body[5]);
	int ret;

	ret = vgpu_tc_atomic(g, vmid_of(q), make_64(p->body[2], p->body[1]), op,
			     make_64(p->body[4], p->body[3]), cmp,
			     &q->atomic_return);
	if (ret == -EOPNOTSUPP || ret == -EINVAL)
		return bad_field(g, q, "ATOMIC_MEM ATOMIC", op);
	if (!ret && command == ATOMIC_MEM_LOOP && q->atomic_return != cmp)
		return vgpu_pm4_wait(q, VGPU_CP_WAIT_MEMORY);
	return ret == -EFAULT ? 0 : ret;
}

/*
 * Compare the memory at @body[1..2], or the register @reg, with @ref. 0: the packet is
 * complete; -EAGAIN: it has to wait.
 */
static int wait_test(struct vgpu *g, struct vgpu_cp_queue *q, const u32 *body,
		     u32 reg, u64 ref, u64 mask, unsigned int len)
{
	bool mem = FIELD_GET(WAIT_MEM_SPACE, body[0]);
	u32 lo = 0, hi = 0;
	u64 val = 0;
	int ret;

	if (mem) {
		ret = vgpu_gmc_read(g, vmid_of(q),
				    make_64(body[2], body[1]) & ~(len - 1ULL),
				    &val, len);
	} else {
		ret = vgpu_pm4_reg_read(g, q, reg, &lo);
		if (!ret && len == 8)
			ret = vgpu_pm4_reg_read(g, q, reg + 1, &hi);
		val = make_64(hi, lo);
	}
	if (ret)
		return ret;
	if (vgpu_pm4_compare(FIELD_GET(WAIT_FUNCTION, body[0]), val & mask, ref))
		return 0;
	return vgpu_pm4_wait(q, mem ? VGPU_CP_WAIT_MEMORY :
				      VGPU_CP_WAIT_REGISTER);
}

int vgpu_pm4_wait_reg_mem(struct vgpu *g, struct vgpu_cp_queue *q,
			  const struct vgpu_pm4_packet *p)
{
	u32 ref = p->body[3], mask = p->body[4];
	int ret;

	if (FIELD_GET(WAIT_OPERATION, p->body[0]) != WAIT_OPERATION_WR_WAIT_WR)
		return wait_test(g, q, p->body, p->body[1], ref, mask, 4);

	/*
	 * Write the reference to the first register, once, then wait for the
	 * second. The driver's reference has bits outside of the mask (the
	 * invalidation request, of which only the VMID's bit is acknowledged).
	 */
	if (!q->progress) {
		ret = vgpu_pm4_reg_write(g, q, p->body[1], ref);
		if (ret)
			return ret;
		q->progress = 1;
	}
	return wait_test(g, q, p->body, p->body[2], ref & mask, mask, 4);
}

int vgpu_pm4_wait_reg_mem64(struct vgpu *g, struct vgpu_cp_queue *q,
			    const struct vgpu_pm4_packet *p)
{
	return wait_test(g, q, p->body, p->body[1],
			 make_64(p->body[4], p->body[3]),
			 make_64(p->body[6], p->body[5]), 8);
}

static void release_mem_data(struct vgpu *g, struct vgpu_cp_queue *q,
			     unsigned int vmid, const u32 *body)
{
	u32 sel = FIELD_GET(RELEASE_MEM_DATA_SEL, body[1]);
	u64 va = make_64(body[3], body[2]);
	u64 val = make_64(body[5], body[4]);

	switch (sel) {
	case 0:
		return;
	case 1:
		vgpu_gmc_write(g, vmid, va & ~3ULL, &val, 4);
		return;
	case 2:
		vgpu_gmc_write(g, vmid, va & ~7ULL, &val, 8);
		return;
	case 3:
	case 4:
		val = vgpu_clock();
		vgpu_gmc_write(g, vmid, va & ~7ULL, &val, 8);
		return;
	default:
		bad_field(g, q, "RELEASE_MEM DATA_SEL", sel);
	}
}

static void release_mem(struct vgpu *g, struct vgpu_cp_queue *q,
			unsigned int vmid, const u32 *body)
{
	struct vgpu_iv iv = { .source = g->profile->gen->iv_cp_eop };
	u32 int_sel = FIELD_GET(RELEASE_MEM_INT_SEL, body[1]);

	/*
	 * amdgpu requests a write-back of the caches in each RELEASE_MEM, so do not look at
	 * the request; the other requests of GCR_CNTL are not modelled.
	 */
	vgpu_gmc_write_back(g);
	release_mem_data(g, q, vmid, body);
	if (int_sel != RELEASE_MEM_INT_ONLY &&
	    int_sel != RELEASE_MEM_INT_CONFIRMED)
		return;
	iv.ring_id = vgpu_cp_ring_id(q);
	iv.vmid = q->stream[0].vmid;
	iv.src_data[0] = body[6];
	vgpu_ih_push(g, &iv);
}

bool vgpu_pm4_release_pending(struct vgpu *g, struct vgpu_cp_queue *q)
{
	const struct vgpu_cp_eop *eop;
	bool did = false;

	while (q->num_eops) {
		eop = &q->eop[q->first_eop];
		if (vgpu_sq_queue_oldest(g, q->id) <= eop->serial)
			break;
		release_mem(g, q, eop->vmid, eop->body);
		q->first_eop = (q->first_eop + 1) % VGPU_CP_EOPS;
		q->num_eops--;
		did = true;
	}
	return did;
}

/* The queue continues, and the event is sent when the dispatches before it have ended. */
int vgpu_pm4_release_mem(struct vgpu *g, struct vgpu_cp_queue *q,
			 const struct vgpu_pm4_packet *p)
{
	bool busy = vgpu_sq_queue_busy(g, q->id);
	struct vgpu_cp_eop *eop;

	if (!busy && !q->num_eops) {
		release_mem(g, q, vmid_of(q), p->body);
		return 0;
	}
	if (q->num_eops == VGPU_CP_EOPS ||
	    (busy && !vgpu_quirk(g, VGPU_QUIRK_RELEASE_MEM_ASYNC)))
		return vgpu_pm4_wait(q, VGPU_CP_WAIT_WAVES);
	eop = &q->eop[(q->first_eop + q->num_eops++) % VGPU_CP_EOPS];
	eop->serial = q->serial;
	eop->vmid = vmid_of(q);
	memcpy(eop->body, p->body, sizeof(eop->body));
	return 0;
}

/* Two caches are modelled: decoded pages are the instruction cache, gl2.c is the L2. */
int vgpu_pm4_acquire_mem(struct vgpu *g, struct vgpu_cp_queue *q,
			 const struct vgpu_pm4_packet *p)
{
	struct vgpu_bits inv = g->profile->gen->pm4.acquire_icache;

	if (inv.word >= p->n)
		return bad_field(g, q, "ACQUIRE_MEM whose dwords are", p->n);
	vgpu_gmc_write_back(g);
	if (vgpu_bits_get(inv, p->body))
		vgpu_isa_invalidate(g, vmid_of(q) ? vmid_of(q) : ~0U);
	return 0;
}

int vgpu_pm4_event_write(struct vgpu *g, struct vgpu_cp_queue *q,
			 const struct vgpu_pm4_packet *p)
{
	u32 index = FIELD_GET(EVENT_INDEX, p->body[0]);

	if (index == EVENT_INDEX_PARTIAL_FLUSH && vgpu_sq_queue_busy(g, q->id))
		return vgpu_pm4_wait(q, VGPU_CP_WAIT_WAVES);
	/* Events that write counters to memory are not modelled. */
	if (p->n > 1)
		return bad_field(g, q, "EVENT_WRITE with an address, EVENT_TYPE",
				 FIELD_GET(EVENT_TYPE, p->body[0]));
	return 0;
}
