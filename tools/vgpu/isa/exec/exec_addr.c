// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of vector memory instructions: FLAT, GLOBAL, SCRATCH and buffers.
 */
#include "isa/image/image.h"

#include <string.h>

/* OOB_SELECT: what a buffer's bounds limit. */
enum oob_select {
	OOB_STRUCTURED,		/* the index, and the offset within the record */
	OOB_INDEX,		/* the index */
	OOB_EMPTY,		/* nothing, unless the buffer has no records */
	OOB_RAW,		/* the offset within the whole buffer, less SOFFSET */
};

struct buffer {
	u64 base;
	u32 stride, records, index_stride, soffset;
	bool swizzle, add_tid;
	enum oob_select oob;
};

static void buffer_read(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			struct buffer *b)
{
	const struct vgpu_buffer_layout *at = c->isa->buffer;
	const u32 *r = &c->w->s[i->saddr];

	b->base = make_64(r[1] & at->base_hi, r[0]);
	b->stride = FIELD_GET(at->stride, r[1]);
	b->swizzle = r[1] & at->swizzle;
	b->records = r[2];
	b->index_stride = 8U << FIELD_GET(at->index_stride, r[3]);
	b->add_tid = r[3] & at->add_tid;
	b->oob = FIELD_GET(at->oob_select, r[3]);
	b->soffset = i->soffset < VGPU_SRC_ZERO ? c->w->s[i->soffset] :
		     (u32)vgpu_inline_const(i->soffset, VGPU_T_U32);
}

/* Get the number of bytes in bounds from @offset on, in a record or in the whole buffer. */
static u64 buffer_room(const struct buffer *b, u32 index, u32 offset)
{
	u64 end = b->records;

	switch (b->oob) {
	case OOB_STRUCTURED:
		if (index >= b->records)
			return 0;
		end = b->stride ? b->stride : UINT64_MAX;
		break;
	case OOB_INDEX:
		return index < b->records ? UINT64_MAX : 0;
	case OOB_EMPTY:
		return b->records ? UINT64_MAX : 0;
	case OOB_RAW:
		if (b->swizzle && b->stride) {
			if (index >= b->records)
				return 0;
			end = b->stride;
		} else {
			end = b->records > b->soffset ?
			      b->records - b->soffset : 0;
		}
		break;
	}
	return end > offset ? end - offset : 0;
}

/*
 * Check the bounds of a lane's access: for each dword separately ("RDNA 2" ISA, AMD 2020,
 * 8.1.5.1: range checks are per component), or for the access as a @whole.
 */
static void buffer_check(struct vgpu_isa_state *c, const struct buffer *b,
			 struct vgpu_accesses *a, unsigned int l, u32 index,
			 u32 offset, u32 size, bool whole)
{
	u64 room = buffer_room(b, index, offset);

	if (room >= size) {
		c->inside[l] = (size + 3) / 4;
		return;
	}
	c->w->excp |= WAVE_EXCP_BUFFER_OOB;
	c->inside[l] = whole || size < 4 ? 0 : room / 4;
	a->clipped = true;
	if (!c->inside[l])
		a->lanes &= ~BIT_ULL(l);
}

static void buffer_addresses(struct vgpu_isa_state *c,
			     const struct vgpu_insn *i, u32 size, bool whole,
			     struct vgpu_accesses *a)
{
	const u32 *vindex = c->w->v[i->vaddr];
	const u32 *voffset = c->w->v[(i->vaddr + i->idxen) & 255];
	const u32 element = c->isa->buffer->element_bytes;
	struct buffer b;
	unsigned int l;

	buffer_read(c, i, &b);
	a->step = b.swizzle ? b.index_stride * element : 4;
	for (l = 0; l < c->lanes; l++) {
		u32 index = (i->idxen ? vindex[l] : 0) + (b.add_tid ? l : 0);
		u32 offset = (i->offen ? voffset[l] : 0) + (u32)i->offset;
		u64 at;

		if (!(a->lanes >> l & 1))
			continue;
		buffer_check(c, &b, a, l, index, offset, size, whole);
		if (b.swizzle)
			at = ((u64)(index / b.index_stride) * b.stride +
			      offset / element * element) * b.index_stride +
			     index % b.index_stride * element +
			     offset % element;
		else
			at = (u64)index * b.stride + offset;
		c->addr[l] = b.base + b.soffset + at;
	}
}

/* Get the address of scratch memory: from FLAT_SCRATCH on, lanes take turns by dwords. */
static u64 scratch_address(const struct vgpu_isa_state *c, unsigned int l,
			   u32 offset)
{
	return c->w->flat_scratch + (u64)(offset & ~3U) * c->lanes + l * 4 +
	       (offset & 3);
}

static void scratch_addresses(struct vgpu_isa_state *c,
			      const struct vgpu_insn *i, struct vgpu_accesses *a)
{
	const u32 *v = c->w->v[i->vaddr];
	unsigned int l;

	a->step = c->lanes * 4;
	for (l = 0; l < c->lanes; l++) {
		u32 offset = (u32)i->offset;

		if (i->saddr == VGPU_S_NULL)
			offset += v[l];
		else if (i->saddr != VGPU_SADDR_NONE)
			offset += c->w->s[i->saddr];
		c->addr[l] = scratch_address(c, l, offset);
	}
}

static void global_addresses(struct vgpu_isa_state *c,
			     const struct vgpu_insn *i)
{
	const u32 *v = c->w->v[i->vaddr];
	bool addtid = i->op == VGPU_OP_LOAD_DWORD_ADDTID ||
		      i->op == VGPU_OP_STORE_DWORD_ADDTID;
	u64 off = (u64)(s64)i->offset, base = 0;
	unsigned int l;

	if (i->saddr != VGPU_S_NULL)
		base = make_64(c->w->s[i->saddr + 1], c->w->s[i->saddr]);
	if (addtid) {
		for (l = 0; l < c->lanes; l++)
			c->addr[l] = base + off + l * 4;
	} else if (i->saddr != VGPU_S_NULL) {
		for (l = 0; l < VGPU_LANES; l++)
			c->addr[l] = base + off + v[l];
	} else {
		for (l = 0; l < VGPU_LANES; l++)
			c->addr[l] = make_64(v[l + VGPU_LANES], v[l]) + off;
	}
}

/* Sort out lanes whose addresses are in the shared (LDS) or private (scratch) aperture. */
static void flat_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			   struct vgpu_accesses *a)
{
	u64 shared = vgpu_special(c, VGPU_SRC_SHARED_BASE) >> 48;
	u64 private = vgpu_special(c, VGPU_SRC_PRIVATE_BASE) >> 48;
	unsigned int l;

	global_addresses(c, i);
	for (l = 0; l < c->lanes; l++) {
		u64 top = c->addr[l] >> 48;

		if (top && top == shared)
			a->shared |= BIT_ULL(l);
		else if (top && top == private)
			a->private |= BIT_ULL(l);
	}
	a->shared &= c->exec;
	a->private &= c->exec;
	a->active &= ~(a->shared | a->private);
	a->lanes = a->active;
}

bool vgpu_more_addresses(struct vgpu_isa_state *c, struct vgpu_accesses *a)
{
	unsigned int l;

	if (a->private) {
		a->active = a->private;
		a->private = 0;
		a->step = c->lanes * 4;
		for (l = 0; l < c->lanes; l++) {
			if (a->active >> l & 1)
				c->addr[l] = scratch_address(c, l,
							     (u32)c->addr[l]);
		}
	} else if (a->shared) {
		a->active = a->shared;
		a->shared = 0;
		a->step = 4;
		a->in_lds = true;
		a->lds = c->hooks->memory.lds(c->w, &a->lds_size);
		for (l = 0; l < c->lanes; l++)
			c->addr[l] = (u32)c->addr[l];
	} else {
		return false;
	}
	a->lanes = a->active;
	return true;
}

bool vgpu_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		    u32 size, bool whole, struct vgpu_accesses *a)
{
	*a = (struct vgpu_accesses){ .active = c->exec, .lanes = c->exec,
				     .step = 4 };
	switch (i->format) {
	case VGPU_FMT_GLOBAL:
		global_addresses(c, i);
		break;
	case VGPU_FMT_FLAT:
		flat_addresses(c, i, a);
		break;
	case VGPU_FMT_SCRATCH:
		scratch_addresses(c, i, a);
		break;
	case VGPU_FMT_MIMG:
		return vgpu_image_addresses(c, i, a);
	case VGPU_FMT_MUBUF:
	case VGPU_FMT_MTBUF:
		buffer_addresses(c, i, size, whole, a);
		break;
	}
	return true;
}
