/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What vector loads, stores and atomics share: the addresses of the lanes, and
 * what happens when a lane cannot access its own.
 */
#ifndef VGPU_ISA_MEM_H
#define VGPU_ISA_MEM_H

#include "isa/internal.h"

struct vgpu_format_info;

struct vgpu_accesses {
	u64 active;	/* lanes that are served now */
	u64 lanes;	/* of them, those that access memory; others load 0 */
	u64 private;	/* still to be served: lanes in the private aperture */
	u64 shared;	/* and those in the shared one */
	bool in_lds;	/* what is accessed is this memory, c->addr[] offsets */
	u8 *lds;	/* NULL and 0: the group has none */
	u32 lds_size;
	u32 step;	/* bytes from one dword of a lane to its next */
	u32 bits;	/* exceptions to raise when the instruction is done */
	bool clipped;	/* lanes have but the first c->inside[] dwords */
	/* Of accesses by format, as the resource or the instruction has it: */
	const struct vgpu_format_info *format;
	u8 sel[4];	/* what each register is read from: VGPU_SEL_* */
};

/* How many of @num dwords lane @l accesses. */
static inline u32 vgpu_inside(const struct vgpu_isa_state *c,
			      const struct vgpu_accesses *a, unsigned int l,
			      u32 num)
{
	if (!(a->lanes >> l & 1))
		return 0;
	return a->clipped && c->inside[l] < num ? c->inside[l] : num;
}

/*
 * Compute c->addr[] for accesses of @size bytes per lane, which are in pieces
 * of dwords, or @whole, in or out of a buffer's bounds. The lanes of a FLAT
 * instruction may be in up to three memories, which are served one after the
 * other: vgpu_more_addresses() computes the next ones, false when there are none.
 * The first is false for an image that is not modelled: the instruction is refused.
 */
bool vgpu_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		    u32 size, bool whole, struct vgpu_accesses *a);
bool vgpu_more_addresses(struct vgpu_isa_state *c, struct vgpu_accesses *a);

/*
 * Host address of @size bytes of LDS at @at, NULL where there is none: what is
 * outside of the group's part reads 0, and is not written.
 */
static inline u8 *vgpu_lds_ptr(const struct vgpu_accesses *a, u64 at, u32 size)
{
	return at + size <= a->lds_size ? a->lds + at : NULL;
}

/*
 * Host address of @size bytes within one page at @va, NULL after a fault, of
 * which the first of an instruction is reported.
 */
u8 *vgpu_lane_ptr(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  bool write);

/* @size bytes, at most 4, wherever they are; 0 where there is no page. */
void vgpu_copy_in(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  u32 size, u32 *v);
void vgpu_copy_out(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		   u32 size, u32 v);

/* Address watches, for slow waves. */
void vgpu_watch_lanes(struct vgpu_isa_state *c, struct vgpu_accesses *a,
		      u32 size, enum vgpu_watch_kind kind);

/* End a memory instruction: continue after it, or raise the exception that it met. */
const struct vgpu_insn *vgpu_access_done(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i,
					 const struct vgpu_accesses *a);

/* Atomics that only the LDS has, beside VGPU_OP_ATOMIC_x. */
enum vgpu_lds_atomic {
	VGPU_LDS_RSUB = VGPU_NUM_OPS,
	VGPU_LDS_MSKOR,
	VGPU_LDS_WRAP,
	VGPU_LDS_FADD,
};

/*
 * What an atomic (ATOMIC_x, the 32-bit name, or enum vgpu_lds_atomic) makes of
 * @old; @cmp: its second operand.
 */
u64 vgpu_atomic_result(unsigned int op, bool wide, u64 old, u64 src, u64 cmp);

#endif /* VGPU_ISA_MEM_H */
