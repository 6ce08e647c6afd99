/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The predecoded instruction. It has two parts: struct vgpu_insn, which each execution
 * reads, is one line of the CPU's cache; struct vgpu_detail, which only wrappers read, has
 * the same index in another array of the page.
 */
#ifndef VGPU_ISA_INSN_H
#define VGPU_ISA_INSN_H

#include "types.h"

#define VGPU_INLINE static inline __attribute__((always_inline))

struct vgpu_isa_state;
struct vgpu_insn;
struct vgpu_mimg;

/* A plain handler: executes @i, and returns the next instruction. */
typedef const struct vgpu_insn *(*vgpu_exec_fn)(struct vgpu_isa_state *c,
						const struct vgpu_insn *i);
/*
 * A threaded handler: executes @i and up to @left instructions after it, and returns the
 * instruction after these.
 */
typedef const struct vgpu_insn *(*vgpu_thread_fn)(struct vgpu_isa_state *c,
						  const struct vgpu_insn *i,
						  s32 left);

/* The kinds of sources. */
enum vgpu_kind {
	VGPU_KIND_VGPR,		/* a row of the wave's v[] */
	VGPU_KIND_CONST,	/* one of the page's constants */
	VGPU_KIND_SGPR,		/* an element of the wave's s[] */
	VGPU_KIND_SPECIAL,	/* VCCZ, EXECZ, SCC, apertures */
	VGPU_KIND_MODIFIED,	/* a vector source with abs, neg, op_sel, SDWA or DPP */
};

/*
 * vgpu_insn.src[] says where a source's lanes, or the value of a scalar source, are stored.
 * A negative number is VGPU_IN_WAVE plus an offset in struct vgpu_wave, any other number is
 * an address of the host.
 */
#define VGPU_IN_WAVE	INT64_MIN

/* Bits of vgpu_insn.guard: why vgpu_exec_guarded() wraps an instruction. */
#define VGPU_GUARD_EXEC		BIT(0)	/* it may write EXEC: update the mask of lanes */
#define VGPU_GUARD_NULL		BIT(1)	/* it writes NULL: set that to 0 again */
#define VGPU_GUARD_TTMP		BIT(2)	/* it names a TTMP: hide them outside of the handler */

struct vgpu_insn {
	vgpu_thread_fn exec;
	union {
		vgpu_exec_fn one;	/* the plain handler that vgpu_exec_one() calls */
		vgpu_thread_fn spread;	/* the handler that broadcast() calls */
	};
	union {
		s64 src[3];		/* see VGPU_IN_WAVE */
		const struct vgpu_mimg *mimg;
	};
	union {
		const struct vgpu_insn *target;	/* of a branch, if it is in this page */
		struct {		/* of an instruction that accesses memory */
			u8 vaddr, saddr, soffset;
			u8 format;
			bool glc, idxen, offen;
		};
	};
	s32 offset;		/* bytes: of an address; from the end of a branch to its target */
	u16 op;			/* enum vgpu_op */
	u16 simm16;
	u16 next;		/* bytes to the next struct vgpu_insn */
	u8 dst;			/* index in v[] or s[] */
	u8 sdst;		/* index in s[] */
	u8 reg[3];		/* sources: VGPR or SGPR number, or VGPU_SRC_* */
	u8 guard;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct vgpu_insn) == 64, "a line of the cache");

/* SDWA selects */
enum vgpu_sel {
	VGPU_SEL_BYTE0, VGPU_SEL_BYTE1, VGPU_SEL_BYTE2, VGPU_SEL_BYTE3,
	VGPU_SEL_WORD0, VGPU_SEL_WORD1, VGPU_SEL_DWORD,
};

/* Bits of vgpu_src_detail.packed: what VOP3P does to the halves of a source. */
#define VGPU_PACKED_LOW_HIGH	BIT(0)	/* use the upper half as the lower one */
#define VGPU_PACKED_HIGH_LOW	BIT(1)	/* use the lower half as the upper one */
#define VGPU_PACKED_NEG_LOW	BIT(2)
#define VGPU_PACKED_NEG_HIGH	BIT(3)

/* How the value of a source is read and changed before the operation uses it. */
struct vgpu_src_detail {
	u8 kind;		/* enum vgpu_kind */
	u8 type;		/* enum vgpu_type */
	bool scalar;		/* one value, not lanes */
	u8 neg, abs;
	u8 sel;			/* SDWA: enum vgpu_sel */
	bool sext;
	bool permuted;		/* DPP: lanes read other lanes */
	u8 packed;		/* VGPU_PACKED_*: for two values of 16 bits */
	bool only_sign;		/* no modifiers besides abs and neg of 32 bits */
	u8 plain_kind;		/* MODIFIED: kind of the unmodified source, */
	s64 plain;		/* and where it is stored, as in vgpu_insn.src[] */
};

struct vgpu_detail {
	/* The handlers that wrappers call */
	vgpu_exec_fn guarded;	/* of vgpu_exec_guarded() */
	vgpu_exec_fn lanewise;	/* of vgpu_exec_modified() */
	vgpu_exec_fn prepared;	/* of vgpu_lane_code.prepare, and vgpu_exec_beyond() */
	vgpu_exec_fn halves;	/* of vgpu_exec_shared() */
	struct vgpu_src_detail src[3];
	u8 prepare;		/* bitmap of sources that are computed before use */
	u8 omod;
	bool clamp;
	u8 dst_sel, dst_unused, sub;
	bool bound_ctrl, fetch_inactive;
	u8 row_mask, bank_mask;
	u16 dpp_ctrl;
	u32 dpp;		/* DPP8 lane selects */
};

static inline const struct vgpu_insn *vgpu_next(const struct vgpu_insn *i)
{
	return (const void *)((const u8 *)i + i->next);
}

static inline unsigned int vgpu_insn_words(const struct vgpu_insn *i)
{
	return i->next / sizeof(*i);
}

#endif /* VGPU_ISA_INSN_H */
