// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The packets of SDMA: their lengths and effects.
 */
#include <errno.h>
#include <string.h>

#include "front/pm4.h"
#include "front/sdma.h"
#include "front/sdma_fields.h"
#include "gpu.h"
#include "isa/isa.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "mem/tc_atomic.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"

/*
 * Bytes of a copy that are moved before the host has its turn. Each row of an image counts
 * as ROW_BYTES more, because a row takes time, however short it is.
 */
#define PIECE				65536U
#define ROW_BYTES			256U
#define MAX_PACKET			16	/* dwords, data of WRITE apart */

static u32 buffer[PIECE / 4] __attribute__((aligned(8)));

static unsigned int vmid_of(struct vgpu *g)
{
	return vgpu_sdma_vmid(g->sdma);
}

static const struct vgpu_sdma_layout *layout(const struct vgpu *g)
{
	return &g->profile->gen->sdma;
}

static enum vgpu_sdma_op op_of(const struct vgpu *g, u32 header)
{
	u32 op = FIELD_GET(HEADER_OP, header);

	return op < VGPU_NUM_SDMA_OPS ? layout(g)->ops[op] : VGPU_SDMA_OP_UNKNOWN;
}

/* Get the number of dwords of a packet's fixed part; 0: unknown packet. */
static u32 fixed_length(const struct vgpu *g, u32 header)
{
	u32 sub = FIELD_GET(HEADER_SUB_OP, header);

	switch (op_of(g, header)) {
	case VGPU_SDMA_OP_NOP:
		return 1;
	case VGPU_SDMA_OP_COPY:
		if (header & COPY_BROADCAST)
			return 0;
		return sub == SDMA_SUBOP_COPY_LINEAR ? 7 :
		       sub == SDMA_SUBOP_COPY_LINEAR_SUB_WIND ? 13 : 0;
	case VGPU_SDMA_OP_WRITE:
		return sub ? 0 : 4;
	case VGPU_SDMA_OP_INDIRECT:
		return 6;
	case VGPU_SDMA_OP_FENCE:
		return 4;
	case VGPU_SDMA_OP_TRAP:
		return 2;
	case VGPU_SDMA_OP_POLL_REGMEM:
		return sub == SDMA_SUBOP_VM_INVALIDATION ? 4 : sub ? 0 : 6;
	case VGPU_SDMA_OP_COND_EXE:
		return 5;
	case VGPU_SDMA_OP_ATOMIC:
		return 8;
	case VGPU_SDMA_OP_CONST_FILL:
		return sub ? 0 : 5;
	case VGPU_SDMA_OP_PTEPDE:
		return sub ? 0 : 10;
	case VGPU_SDMA_OP_TIMESTAMP:
		return 3;
	case VGPU_SDMA_OP_SRBM_WRITE:
		return 3;
	case VGPU_SDMA_OP_GPUVM_INV:
		return 4;
	case VGPU_SDMA_OP_GCR_REQ:
		return 5;
	default:
		return 0;
	}
}

int vgpu_sdma_length(struct vgpu *g, u32 header, u32 left)
{
	u32 n = fixed_length(g, header);
	u32 count;

	if (!n)
		return -EINVAL;
	switch (op_of(g, header)) {
	case VGPU_SDMA_OP_NOP:
		return n + FIELD_GET(NOP_COUNT, header);
	case VGPU_SDMA_OP_WRITE:
		/* The dword with the length is not available: report an incomplete packet. */
		if (left < n || vgpu_sdma_fetch(g, 3, &count, 1))
			return left + 1;
		return n + FIELD_GET(WRITE_COUNT, count) + 1;
	default:
		return n;
	}
}

/*
 * Get the number of bytes to move next, of @size in all. The guest may have changed the
 * packet since the last piece, so @size may be less than what has been moved.
 */
static u32 piece_of(const struct vgpu_sdma *e, u32 size)
{
	u32 left = e->progress < size ? size - e->progress : 0;

	return left < PIECE ? left : PIECE;
}

/* Account for @len more bytes of @size. -EAGAIN: there are more. */
static int move_on(struct vgpu_sdma *e, u32 len, u32 size)
{
	e->done += len;
	e->progress += len;
	return e->progress < size ? -EAGAIN : 0;
}

static int copy_linear(struct vgpu *g, const u32 *p)
{
	u32 size = (p[1] & layout(g)->copy_count) + 1;
	u64 src = make_64(p[4], p[3]);
	u64 dst = make_64(p[6], p[5]);
	struct vgpu_sdma *e = g->sdma;
	u32 len = piece_of(e, size);
	int ret;

	ret = vgpu_gmc_read(g, vmid_of(g), src + e->progress, buffer, len);
	if (!ret)
		ret = vgpu_gmc_write(g, vmid_of(g), dst + e->progress, buffer,
				     len);
	if (ret)
		return ret;
	return move_on(e, len, size);
}

/* Copy a box from one linear image to another, row by row. */
static int copy_sub_window(struct vgpu *g, const u32 *p)
{
	u32 element = 1U << FIELD_GET(SUBWIN_ELEMENTSIZE, p[0]);
	u32 z_mask = layout(g)->subwin_z;
	u64 src = make_64(p[2], p[1]), dst = make_64(p[7], p[6]);
	u64 src_pitch = FIELD_GET(SUBWIN_PITCH, p[4]) + 1;
	u64 src_slice = FIELD_GET(SUBWIN_SLICE_PITCH, p[5]) + 1;
	u64 dst_pitch = FIELD_GET(SUBWIN_PITCH, p[9]) + 1;
	u64 dst_slice = FIELD_GET(SUBWIN_SLICE_PITCH, p[10]) + 1;
	u32 width = FIELD_GET(SUBWIN_X, p[11]) + 1;
	u32 height = FIELD_GET(SUBWIN_Y, p[11]) + 1;
	u32 depth = (p[12] & z_mask) + 1;
	struct vgpu_sdma *e = g->sdma;
	u32 y, z, moved;
	int ret;

	src += element * (FIELD_GET(SUBWIN_X, p[3]) +
			  FIELD_GET(SUBWIN_Y, p[3]) * src_pitch +
			  (p[4] & z_mask) * src_slice);
	dst += element * (FIELD_GET(SUBWIN_X, p[8]) +
			  FIELD_GET(SUBWIN_Y, p[8]) * dst_pitch +
			  (p[9] & z_mask) * dst_slice);
	if (width * element > sizeof(buffer))
		return -EINVAL;
	for (moved = 0; e->progress < height * depth; e->progress++) {
		if (moved >= PIECE)
			return -EAGAIN;
		y = e->progress % height;
		z = e->progress / height;
		ret = vgpu_gmc_read(g, vmid_of(g), src + element *
				    (y * src_pitch + z * src_slice), buffer,
				    width * element);
		if (!ret)
			ret = vgpu_gmc_write(g, vmid_of(g), dst + element *
					     (y * dst_pitch + z * dst_slice),
					     buffer, width * element);
		if (ret)
			return ret;
		moved += ROW_BYTES + width * element;
	}
	e->done += moved;
	return 0;
}

static int write_linear(struct vgpu *g, const u32 *p)
{
	u64 dst = make_64(p[2], p[1]) & ~3ULL;
	u32 size = (FIELD_GET(WRITE_COUNT, p[3]) + 1) * 4;
	struct vgpu_sdma *e = g->sdma;
	u32 len = piece_of(e, size);
	int ret;

	ret = vgpu_sdma_fetch(g, 4 + e->progress / 4, buffer, len / 4);
	if (!ret)
		ret = vgpu_gmc_write(g, vmid_of(g), dst + e->progress, buffer,
				     len);
	return ret ? ret : move_on(e, len, size);
}

static int indirect(struct vgpu *g, const u32 *p)
{
	struct vgpu_sdma *e = g->sdma;

	if (e->in_ib) {
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "SDMA: an IB calls another one");
		return -EINVAL;
	}
	e->next = (struct vgpu_sdma_ib){
		.base = make_64(p[2], p[1]) & ~31ULL,
		.size = FIELD_GET(INDIRECT_SIZE, p[3]),
		.vmid = e->ring_vmid ? e->ring_vmid :
			FIELD_GET(INDIRECT_VMID, p[0]),
	};
	e->call = true;
	return 0;
}

static int trap(struct vgpu *g, const u32 *p)
{
	struct vgpu_iv iv = {
		.source = g->profile->gen->iv_sdma_trap,
		.vmid = g->sdma->ring_vmid,
		.src_data = { FIELD_GET(TRAP_CONTEXT, p[1]) },
	};

	vgpu_ih_push(g, &iv);
	return 0;
}

/* Registers in packets are byte addresses. Only the driver may use them. */
static int check_register(struct vgpu *g, u32 dword)
{
	if (!vmid_of(g) && dword < VGPU_NUM_REGS)
		return 0;
	vgpu_complain(g, VGPU_BAD_REGISTER,
		      "SDMA: packet in vmid %u accesses register 0x%x",
		      vmid_of(g), dword);
	return -EPERM;
}

static int poll_regmem(struct vgpu *g, const u32 *p)
{
	struct vgpu_sdma *e = g->sdma;
	u32 val;
	int ret;

	if (p[0] & POLL_MEM) {
		ret = vgpu_gmc_read(g, vmid_of(g),
				    make_64(p[2], p[1]) & ~3ULL, &val, 4);
		if (ret)
			return ret;
	} else {
		ret = check_register(g, p[1] / 4);
		if (ret)
			return ret;
		/* The second address is that of the register that requests the flush. */
		if (p[0] & POLL_HDP_FLUSH && !e->waiting)
			vgpu_reg_engine_write(g, p[2] / 4, p[3]);
		val = vgpu_reg_engine_read(g, p[1] / 4);
	}
	if (vgpu_pm4_compare(FIELD_GET(POLL_FUNC, p[0]), val & p[4], p[3]))
		return 0;
	e->waiting = true;
	return -EAGAIN;
}

static int cond_exe(struct vgpu *g, const u32 *p)
{
	u32 val;
	int ret;

	ret = vgpu_gmc_read(g, vmid_of(g), make_64(p[2], p[1]) & ~3ULL, &val,
			    4);
	if (!ret && val != p[3])
		g->sdma->skip = FIELD_GET(COND_EXE_COUNT, p[4]);
	return ret;
}

static int atomic(struct vgpu *g, const u32 *p)
{
	u64 cmp = make_64(p[6], p[5]);
	u64 old = 0;
	int ret;

	ret = vgpu_tc_atomic(g, vmid_of(g), make_64(p[2], p[1]),
			     FIELD_GET(ATOMIC_OP, p[0]), make_64(p[4], p[3]),
			     cmp, &old);
	if (ret == -EOPNOTSUPP || ret == -EINVAL)
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "SDMA: ATOMIC operation 0x%x at 0x%x%08x",
			      FIELD_GET(ATOMIC_OP, p[0]), p[2], p[1]);
	if (ret || !(p[0] & ATOMIC_LOOP) || old == cmp)
		return ret;
	g->sdma->waiting = true;
	return -EAGAIN;
}

/*
 * FILLSIZE, the unit of the fill, is ignored: the driver leaves it 0 and expects that all
 * 32 bits of the data are written (sdma_v5_2_emit_fill_buffer()).
 */
static int const_fill(struct vgpu *g, const u32 *p)
{
	u32 size = (p[4] & layout(g)->fill_count) + 1;
	u64 dst = make_64(p[2], p[1]);
	struct vgpu_sdma *e = g->sdma;
	u32 len = piece_of(e, size);
	u32 i;
	int ret;

	for (i = 0; i < (len + 3) / 4; i++)
		buffer[i] = p[3];
	ret = vgpu_gmc_write(g, vmid_of(g), dst + e->progress, buffer, len);
	if (ret)
		return ret;
	return move_on(e, len, size);
}

/* Write page table entries: a value that is incremented, combined with flags. */
static int ptepde_gen(struct vgpu *g, const u32 *p)
{
	u64 dst = make_64(p[2], p[1]) & ~7ULL;
	u64 flags = make_64(p[4], p[3]);
	u64 value = make_64(p[6], p[5]);
	u64 incr = make_64(p[8], p[7]);
	u32 size = (FIELD_GET(PTEPDE_COUNT, p[9]) + 1) * 8, len, i;
	struct vgpu_sdma *e = g->sdma;
	u64 *entries = (u64 *)buffer;
	int ret;

	len = piece_of(e, size);
	value += incr * (e->progress / 8);
	for (i = 0; i < len / 8; i++, value += incr)
		entries[i] = value | flags;
	ret = vgpu_gmc_write(g, vmid_of(g), dst + e->progress, entries, len);
	return ret ? ret : move_on(e, len, size);
}

static int timestamp(struct vgpu *g, const u32 *p)
{
	struct vgpu_sdma *e = g->sdma;
	u32 sub = FIELD_GET(HEADER_SUB_OP, p[0]);
	u64 val = vgpu_clock();

	if (sub == SDMA_SUBOP_TIMESTAMP_SET) {
		e->clock_offset = make_64(p[2], p[1]) - val;
		return 0;
	}
	if (sub == 1)
		val += e->clock_offset;
	return vgpu_gmc_write(g, vmid_of(g), make_64(p[2], p[1]) & ~7ULL, &val,
			      8);
}

static int srbm_write(struct vgpu *g, const u32 *p)
{
	u32 enable = FIELD_GET(SRBM_BYTE_EN, p[0]);
	u32 dword = FIELD_GET(SRBM_ADDR, p[1]);
	u32 val = p[2], mask = 0;
	unsigned int i;
	int ret;

	ret = check_register(g, dword);
	if (ret)
		return ret;
	for (i = 0; i < 4; i++)
		if (enable & BIT(i))
			mask |= 0xffU << (8 * i);
	if (mask != ~0U)
		val = (vgpu_reg_engine_read(g, dword) & ~mask) | (val & mask);
	vgpu_reg_engine_write(g, dword, val);
	return 0;
}

int vgpu_sdma_execute(struct vgpu *g, u32 header)
{
	u32 p[MAX_PACKET] = { header };
	u32 fixed = fixed_length(g, header);
	int ret;

	if (fixed > 1) {
		ret = vgpu_sdma_fetch(g, 1, p + 1, fixed - 1);
		if (ret)
			return -EIO;
	}
	switch (op_of(g, header)) {
	case VGPU_SDMA_OP_NOP:
		return 0;
	case VGPU_SDMA_OP_COPY:
		return fixed == 7 ? copy_linear(g, p) : copy_sub_window(g, p);
	case VGPU_SDMA_OP_WRITE:
		return write_linear(g, p);
	case VGPU_SDMA_OP_INDIRECT:
		return indirect(g, p);
	case VGPU_SDMA_OP_FENCE:
		return vgpu_gmc_write(g, vmid_of(g),
				      make_64(p[2], p[1]) & ~3ULL, &p[3], 4);
	case VGPU_SDMA_OP_TRAP:
		return trap(g, p);
	case VGPU_SDMA_OP_POLL_REGMEM:
		if (FIELD_GET(HEADER_SUB_OP, p[0]) != SDMA_SUBOP_VM_INVALIDATION)
			return poll_regmem(g, p);
		vgpu_gmc_flush(g, FIELD_GET(GPUVM_INV_VMIDS, p[1]));
		return 0;
	case VGPU_SDMA_OP_COND_EXE:
		return cond_exe(g, p);
	case VGPU_SDMA_OP_ATOMIC:
		return atomic(g, p);
	case VGPU_SDMA_OP_CONST_FILL:
		return const_fill(g, p);
	case VGPU_SDMA_OP_PTEPDE:
		return ptepde_gen(g, p);
	case VGPU_SDMA_OP_TIMESTAMP:
		return timestamp(g, p);
	case VGPU_SDMA_OP_SRBM_WRITE:
		return srbm_write(g, p);
	case VGPU_SDMA_OP_GPUVM_INV:
		vgpu_gmc_flush(g, FIELD_GET(GPUVM_INV_VMIDS, p[1]));
		return 0;
	case VGPU_SDMA_OP_GCR_REQ:
		if (FIELD_GET(GCR_GLI_INV, FIELD_GET(GCR_CONTROL_LO, p[2])))
			vgpu_isa_invalidate(g, ~0U);
		return 0;
	default:
		return -EINVAL;
	}
}
