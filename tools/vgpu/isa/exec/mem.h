/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that vector loads, stores and atomics share: the addresses of the lanes, and
 * accesses of lanes with their faults.
 */
#ifndef VGPU_ISA_MEM_H
#define VGPU_ISA_MEM_H

#include "isa/internal.h"

struct vgpu_format_info;

struct vgpu_accesses {
	u64 active;	/* lanes of the present pass */
	u64 lanes;	/* those of them that access memory; the others load 0 */
	u64 private;	/* lanes of a later pass, in the private aperture */
	u64 shared;	/* lanes of a later pass, in the shared aperture */
	bool in_lds;	/* the pass accesses the LDS, and c->addr[] has offsets in it */
	u8 *lds;	/* NULL, and a size of 0: the group has none */
	u32 lds_size;
	u32 step;	/* bytes from one dword of a lane to its next dword */
	u32 bits;	/* exceptions to raise after the instruction */
	bool clipped;	/* lanes access only their first c->inside[] dwords */
	/* For accesses with a format, from the resource or the instruction: */
	const struct vgpu_format_info *format;
	u8 sel[4];	/* source of each register: VGPU_SEL_* */
};

/* Get how many of @num dwords lane @l accesses. */
static inline u32 vgpu_inside(const struct vgpu_isa_state *c,
			      const struct vgpu_accesses *a, unsigned int l,
			      u32 num)
{
	if (!(a->lanes >> l & 1))
		return 0;
	return a->clipped && c->inside[l] < num ? c->inside[l] : num;
}

/*
 * Compute c->addr[] for accesses of @size bytes per lane. The bounds of a buffer are checked
 * for each dword, or for the access as a @whole. Returns false for an image that is not
 * modelled: the instruction must be refused.
 *
 * Lanes of a FLAT instruction may access up to three memories, one in each pass:
 * vgpu_more_addresses() computes the addresses of the next pass; false: there is none.
 */
bool vgpu_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		    u32 size, bool whole, struct vgpu_accesses *a);
bool vgpu_more_addresses(struct vgpu_isa_state *c, struct vgpu_accesses *a);

/*
 * Get the host address of @size bytes of LDS at @at; NULL: it is outside of the group's part,
 * where reads return 0 and writes are ignored.
 */
static inline u8 *vgpu_lds_ptr(const struct vgpu_accesses *a, u64 at, u32 size)
{
	return at + size <= a->lds_size ? a->lds + at : NULL;
}

/*
 * Get the host address of @va for a lane, valid up to the end of its page. NULL: there is no
 * such page; a memory violation is set in @a, and the first of an instruction is reported.
 */
u8 *vgpu_lane_ptr(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  bool write);

/* Load or store up to 4 bytes, which may cross a page; bytes on a missing page read 0. */
void vgpu_copy_in(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  u32 size, u32 *v);
void vgpu_copy_out(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		   u32 size, u32 v);

/* Compare the accesses of all lanes with address watches, for a slow wave. */
void vgpu_watch_lanes(struct vgpu_isa_state *c, struct vgpu_accesses *a,
		      u32 size, enum vgpu_watch_kind kind);

/* End a memory instruction: continue after it, or raise its exceptions. */
const struct vgpu_insn *vgpu_access_done(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i,
					 const struct vgpu_accesses *a);

/* Atomics that only the LDS has, in addition to VGPU_OP_ATOMIC_x. */
enum vgpu_lds_atomic {
	VGPU_LDS_RSUB = VGPU_NUM_OPS,
	VGPU_LDS_MSKOR,
	VGPU_LDS_WRAP,
	VGPU_LDS_FADD,
};

/*
 * Get the value by which an atomic replaces @old. @op: VGPU_OP_ATOMIC_x, with the name of the
 * 32-bit operation, or enum vgpu_lds_atomic; @cmp: the second operand.
 */
u64 vgpu_atomic_result(unsigned int op, bool wide, u64 old, u64 src, u64 cmp);

#endif /* VGPU_ISA_MEM_H */
