/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The predecoded instruction. What every execution reads is one line of the CPU's
 * cache, struct vgpu_insn; what only wrappers read is beside it, at the same place
 * of another array of the page: struct vgpu_detail.
 */
#ifndef VGPU_ISA_INSN_H
#define VGPU_ISA_INSN_H

#include "types.h"

#define VGPU_INLINE static inline __attribute__((always_inline))

struct vgpu_isa_state;
struct vgpu_insn;
struct vgpu_mimg;

/* Executes @i, returns the next instruction. */
typedef const struct vgpu_insn *(*vgpu_exec_fn)(struct vgpu_isa_state *c,
						const struct vgpu_insn *i);
/* Executes @i and up to @left that follow, returns the one after them. */
typedef const struct vgpu_insn *(*vgpu_thread_fn)(struct vgpu_isa_state *c,
						  const struct vgpu_insn *i,
						  s32 left);

enum vgpu_kind {
	VGPU_KIND_VGPR,		/* row of the wave's v[] */
	VGPU_KIND_CONST,	/* one of the page's constants */
	VGPU_KIND_SGPR,		/* in the wave's s[] */
	VGPU_KIND_SPECIAL,	/* VCCZ, EXECZ, SCC, apertures */
	VGPU_KIND_MODIFIED,	/* vector source with abs, neg, SDWA or DPP */
};

/*
 * Where a source is: its lanes, or the value of a scalar one. Negative is an offset
 * in the wave, counted from here; else it is an address.
 */
#define VGPU_IN_WAVE	INT64_MIN

/* What the wrapper around an instruction has to do: bits of guard. */
#define VGPU_GUARD_EXEC		BIT(0)	/* may write EXEC: refresh the mask */
#define VGPU_GUARD_NULL		BIT(1)	/* writes NULL: put 0 back */
#define VGPU_GUARD_TTMP		BIT(2)	/* names a TTMP: only when privileged */

struct vgpu_insn {
	vgpu_thread_fn exec;
	union {
		vgpu_exec_fn one;	/* what vgpu_exec_one() is to execute */
		vgpu_thread_fn spread;	/* the handler that broadcast() calls */
	};
	union {
		s64 src[3];		/* see VGPU_IN_WAVE */
		const struct vgpu_mimg *mimg;
	};
	union {
		const struct vgpu_insn *target;	/* of a branch, in this page */
		struct {		/* of what accesses memory */
			u8 vaddr, saddr, soffset;
			u8 format;
			bool glc, idxen, offen;
		};
	};
	s32 offset;		/* byte offset, or of the target of a branch */
	u16 op;			/* enum vgpu_op */
	u16 simm16;
	u16 next;		/* bytes to the next instruction */
	u8 dst;			/* number in v[] or s[] */
	u8 sdst;		/* in s[] */
	u8 reg[3];		/* of sources: VGPR or SGPR number, or VGPU_SRC_* */
	u8 guard;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct vgpu_insn) == 64, "a line of the cache");

/* SDWA selects */
enum vgpu_sel {
	VGPU_SEL_BYTE0, VGPU_SEL_BYTE1, VGPU_SEL_BYTE2, VGPU_SEL_BYTE3,
	VGPU_SEL_WORD0, VGPU_SEL_WORD1, VGPU_SEL_DWORD,
};

/* What VOP3P does to the halves of a source: bits of packed. */
#define VGPU_PACKED_LOW_HIGH	BIT(0)	/* the lower one is the upper */
#define VGPU_PACKED_HIGH_LOW	BIT(1)	/* the upper one is the lower */
#define VGPU_PACKED_NEG_LOW	BIT(2)
#define VGPU_PACKED_NEG_HIGH	BIT(3)

/* What is taken of a source, and as what. */
struct vgpu_src_detail {
	u8 kind;		/* enum vgpu_kind */
	u8 type;		/* enum vgpu_type */
	bool scalar;		/* one value, not lanes */
	u8 neg, abs;
	u8 sel;			/* SDWA: enum vgpu_sel */
	bool sext;
	bool permuted;		/* DPP: lanes come from other lanes */
	u8 packed;		/* VGPU_PACKED_*: of two of 16 bits */
	bool only_sign;		/* abs, neg of 32 bits, and nothing else */
	u8 plain_kind;		/* of a MODIFIED one */
	s64 plain;		/* and where it is */
};

struct vgpu_detail {
	vgpu_exec_fn guarded;	/* what vgpu_exec_guarded() wraps */
	vgpu_exec_fn lanewise;	/* what SDWA, DPP and modifiers wrap */
	vgpu_exec_fn prepared;	/* for when the sources are there */
	vgpu_exec_fn halves;	/* what is done for a half of the lanes at a time */
	struct vgpu_src_detail src[3];
	u8 prepare;		/* bits of the sources that are made before use */
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
