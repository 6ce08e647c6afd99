/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of isa/ share: the predecoded instruction, the state of the
 * interpreter, and how operands are read and results written.
 */
#ifndef VGPU_ISA_INTERNAL_H
#define VGPU_ISA_INTERNAL_H

#include "gpu.h"
#include "isa.h"
#include "isa/wave.h"
#include "mem/gmc.h"
#include "table.h"

struct vgpu_isa_state;
struct vgpu_insn;
struct vgpu_mimg;
struct vgpu_swizzle;

/* Executes @i, returns the next instruction. */
typedef const struct vgpu_insn *(*vgpu_exec_fn)(struct vgpu_isa_state *c,
						const struct vgpu_insn *i);

enum vgpu_kind {
	VGPU_KIND_VGPR,		/* row of the wave's v[] */
	VGPU_KIND_CONST,	/* row of the page's constants, or .value */
	VGPU_KIND_SGPR,		/* in the wave's s[] */
	VGPU_KIND_SPECIAL,	/* VCCZ, EXECZ, SCC, apertures */
	VGPU_KIND_MODIFIED,	/* vector source with abs, neg, SDWA or DPP */
};

/* Where the lane array of a source is: what .off is relative to. */
enum vgpu_where {
	VGPU_WHERE_WAVE,
	VGPU_WHERE_CONST,	/* an address */
	VGPU_WHERE_TMP,		/* the interpreter; made before each use */
};

struct vgpu_src {
	u8 kind;
	u8 plain_kind;		/* of a MODIFIED one */
	u8 where;		/* of a source with lanes */
	u8 type;		/* enum vgpu_type */
	u8 neg, abs;
	u16 reg;		/* VGPR or SGPR number, or VGPU_SRC_* */
	uintptr_t plain_off;	/* .off of a MODIFIED one without them */
	u8 sel;			/* SDWA: enum vgpu_sel */
	bool sext;
	bool permuted;		/* DPP: lanes come from other lanes */
	u8 packed;		/* VGPU_PACKED_*: of two of 16 bits */
	union {
		u64 value;	/* CONST of scalar instructions */
		uintptr_t off;	/* of the lane array, see .where */
	};
};

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

/* What the wrapper around an instruction has to do: bits of guard. */
#define VGPU_GUARD_EXEC		BIT(0)	/* may write EXEC: refresh the mask */
#define VGPU_GUARD_NULL		BIT(1)	/* writes NULL: put 0 back */
#define VGPU_GUARD_TTMP		BIT(2)	/* names a TTMP: only when privileged */

struct vgpu_insn {
	vgpu_exec_fn exec;
	vgpu_exec_fn inner;	/* what exec wraps, if it does */
	vgpu_exec_fn prepared;	/* for when the sources are lane arrays */
	vgpu_exec_fn lanewise;	/* what SDWA, DPP and modifiers wrap */
	vgpu_exec_fn halves;	/* what is done for a half of the lanes at a time */
	struct vgpu_src src[3];
	u16 next;		/* bytes to the next instruction */
	u16 index;		/* dwords from the start of the page */
	u16 op;			/* enum vgpu_op */
	u16 dst;		/* number in v[] or s[] */
	u16 sdst;
	u8 guard;
	u8 prepare;		/* bits of the sources that are made before use */
	s32 offset;		/* byte offset, or of the target of a branch */
	union {
		const struct vgpu_insn *target;	/* of a branch, in this page */
		const struct vgpu_mimg *mimg;
	};
	u16 vaddr, saddr, soffset;
	u16 simm16;
	u8 format;
	u8 words;
	u8 omod;
	bool clamp;
	bool glc, lds, idxen, offen;
	u8 dst_sel, dst_unused, sub;
	bool bound_ctrl, fetch_inactive;
	u16 dpp_ctrl;
	u8 row_mask, bank_mask;
	u32 dpp;		/* DPP8 lane selects */
};

/* An instruction may start in one page and end in the next. */
#define VGPU_PAGE_DWORDS	(VGPU_PAGE_SIZE / 4)
#define VGPU_PAGE_INSNS		(VGPU_PAGE_DWORDS + VGPU_MAX_WORDS)

/* Lane arrays are read and written by the widest vector instructions. */
#define VGPU_ALIGNED	__attribute__((aligned(64)))

/* A low and a high row: an operand of up to 64 bits. */
typedef u32 vgpu_rows[2][VGPU_LANES] VGPU_ALIGNED;

/* A constant as lane arrays. */
struct vgpu_const {
	struct vgpu_const *next;
	u64 value;
	vgpu_rows row;
};

/* One page of code in one VMID. */
struct vgpu_isa_page {
	u64 va;
	u32 vmid;
	/* Of the waves that it was decoded for */
	u32 lanes, vgprs, shared_vgprs;
	u32 flushes;		/* of the VMID's translations, before it was made */
	u64 last_use;
	struct vgpu_const *consts;
	struct vgpu_mimg *mimgs;
	struct vgpu_insn insn[VGPU_PAGE_INSNS];
};

#define VGPU_ISA_PAGES		64

/*
 * The interpreter, as it runs one wave; vgpu->isa.
 */
struct vgpu_isa_state {
	struct vgpu *g;
	struct vgpu_wave *w;
	struct vgpu_tlb *tlb;
	struct vgpu_tlb_pages *rd;	/* those of the wave's VMID */
	const struct vgpu_wave_hooks *hooks;
	const struct vgpu_isa *isa;
	struct vgpu_isa_page *page;	/* of the instruction being executed */
	u32 lanes;
	s32 left;		/* instructions still to run; 0 makes it stop */
	u32 unused;		/* of them, when one made it stop early */
	uintptr_t base[3];	/* by enum vgpu_where */
	bool left_early;	/* by vgpu_leave(): w->pc is set */
	bool enough;		/* by vgpu_rest(): the slice is given back */
	bool full;		/* EXEC has all lanes */
	bool slow;
	bool ieee, dx10_clamp, fp16_ovfl;
	/* Denormals are zero: in sources, in results; 64: all but 32 bits */
	bool daz32, daz64, ftz32, ftz64;
	/* MXCSR for 32-bit and for other floats, and from 64 to 32 bits */
	u32 csr32, csr64, csr64to32;
	u32 excp;		/* raised, and not among MXCSR's flags */
	u64 exec;		/* EXEC, limited to the wave's lanes */
	u32 mask[VGPU_LANES] VGPU_ALIGNED;	/* EXEC, expanded; not if full */
	vgpu_rows tmp[3];
	u64 addr[VGPU_LANES] VGPU_ALIGNED;
	u8 inside[VGPU_LANES];	/* dwords within a buffer's bounds */

	const vgpu_exec_fn *handlers;	/* [VGPU_NUM_OPS] */
	const u8 *excp_kind;		/* [VGPU_NUM_OPS] */
	vgpu_exec_fn exec_decode, exec_page_end;
	const struct vgpu_lane_code *code;
	const struct vgpu_swizzle *swizzle;	/* how images lie in memory */
	u64 clock;		/* of page uses */
	struct vgpu_isa_page *pages[VGPU_ISA_PAGES];
};

static inline const struct vgpu_insn *vgpu_next(const struct vgpu_insn *i)
{
	return (const void *)((const u8 *)i + i->next);
}

/* Address of the instruction, and of the one after it. */
static inline u64 vgpu_insn_pc(const struct vgpu_isa_state *c,
			       const struct vgpu_insn *i)
{
	return c->page->va + i->index * 4;
}

static inline u64 vgpu_next_pc(const struct vgpu_isa_state *c,
			       const struct vgpu_insn *i)
{
	return vgpu_insn_pc(c, i) + i->words * 4;
}

static inline u64 vgpu_lane_mask(const struct vgpu_isa_state *c)
{
	return c->lanes == 64 ? ~0ULL : 0xffffffffULL;
}

/*
 * flow.c: what an instruction goes on with that may take as long as a slice of others:
 * whoever runs waves hears of the time, and the host is heard.
 */
const struct vgpu_insn *vgpu_rest(struct vgpu_isa_state *c,
				  const struct vgpu_insn *i);

/* flow.c: give control back after this instruction; w->pc is what counts. */
const struct vgpu_insn *vgpu_leave(struct vgpu_isa_state *c, u64 pc,
				   const struct vgpu_insn *i);
/* flow.c: continue at @pc, in whatever page. */
const struct vgpu_insn *vgpu_jump(struct vgpu_isa_state *c, u64 pc,
				  const struct vgpu_insn *i);
/* flow.c: raise memory exceptions of an instruction that has completed. */
const struct vgpu_insn *vgpu_raise(struct vgpu_isa_state *c,
				   const struct vgpu_insn *i, u32 bits);
const struct vgpu_insn *vgpu_exec_illegal(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* flow.c: what an instruction names that its wave does not have. */
void vgpu_complain_gpr(struct vgpu_isa_state *c, const struct vgpu_insn *i);
const struct vgpu_insn *vgpu_exec_guarded(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* flow.c: MODE may have changed. */
void vgpu_refresh_mode(struct vgpu_isa_state *c);
/* flow.c: EXEC may have changed. */
void vgpu_refresh_exec(struct vgpu_isa_state *c);
/* The lanes that instructions work on; EXEC itself stays. */
void vgpu_set_lanes(struct vgpu_isa_state *c, u64 mask);

/* cache.c */
struct vgpu_isa_page *vgpu_page_get(struct vgpu_isa_state *c, u64 va, u32 vmid);
void vgpu_page_free(struct vgpu_isa_page *p);
/* Lane array of a constant, kept as long as the page. */
const u32 *vgpu_page_const(struct vgpu_isa_page *p, u64 value);
/* Operands of an image instruction, kept as long as the page. */
struct vgpu_mimg *vgpu_page_mimg(struct vgpu_isa_page *p);
/* Read @num dwords of code at @va; fewer when the page ends unmapped. */
unsigned int vgpu_fetch(struct vgpu_isa_state *c, u64 va, u32 *words,
			unsigned int num);

/* predecode.c: the handlers of places that hold no instruction yet. */
void vgpu_predecode_init(struct vgpu_isa_state *c);

/* consts.c: the constant that an operand number stands for, as @type reads it. */
u64 vgpu_inline_const(unsigned int src, enum vgpu_type type);

/* bind.c: fill @i from fields. False when it cannot be executed. */
bool vgpu_bind(struct vgpu_isa_state *c, struct vgpu_isa_page *p,
	       struct vgpu_insn *i, const struct vgpu_fields *f,
	       enum vgpu_op op);
/* Handlers, by operation */
void vgpu_add_handlers(vgpu_exec_fn *fn, const vgpu_exec_fn *more);
void vgpu_handlers_salu(vgpu_exec_fn *fn);
void vgpu_handlers_special(vgpu_exec_fn *fn);
void vgpu_handlers_smem(vgpu_exec_fn *fn);
void vgpu_handlers_mem(vgpu_exec_fn *fn);
void vgpu_handlers_atomic(vgpu_exec_fn *fn);
void vgpu_handlers_format(vgpu_exec_fn *fn);
void vgpu_handlers_sample(vgpu_exec_fn *fn);
void vgpu_handlers_lane(vgpu_exec_fn *fn);
void vgpu_handlers_carry(vgpu_exec_fn *fn);
void vgpu_handlers_div(vgpu_exec_fn *fn);
void vgpu_handlers_mix(vgpu_exec_fn *fn);
void vgpu_handlers_ds(vgpu_exec_fn *fn);

/* What exists for two kinds of CPU. */
struct vgpu_lane_code {
	void (*handlers)(vgpu_exec_fn *fn);
	/* Integer results that clamp limits. NULL when there is none. */
	vgpu_exec_fn (*saturating)(enum vgpu_op op);
	/* Make the sources of i->prepare, then execute i->prepared. */
	vgpu_exec_fn prepare;
	/*
	 * Host address of the page that all lanes access, when EXEC is full and
	 * there is only one; else NULL, without any effect. GLOBAL only.
	 * @at: offsets in the page; *dense: they are 4 bytes apart.
	 */
	u8 *(*one_page)(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			u32 size, bool write, u32 *at, bool *dense);
	/* WAVE_EXCP_* of signalling NaNs and denormals among active lanes */
	u32 (*signals)(const struct vgpu_isa_state *c, const u32 *row,
		       enum vgpu_type type);
};

extern const struct vgpu_lane_code vgpu_lane_code_plain;
extern const struct vgpu_lane_code vgpu_lane_code_avx2;

/* range.c: VGPRs from @first on, of which any is none of the wave's. */
bool vgpu_beyond(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num);
/* It does nothing, as one of its destinations is beyond. */
const struct vgpu_insn *vgpu_exec_nothing(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* i->prepared, for which VGPR0 is in all registers beyond. */
const struct vgpu_insn *vgpu_exec_beyond(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i);

/* shared.c: VGPRs from @first on, of which any is one for both halves of a wave64. */
bool vgpu_shared(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num);
/* i->halves, which writes such a one. */
const struct vgpu_insn *vgpu_exec_shared(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i);

/* modifiers.c: SDWA, DPP, abs, neg, omod, clamp around a plain handler. */
const struct vgpu_insn *vgpu_exec_modified(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i);

/* Fill c->tmp[k] with the lanes of a source that is no plain register. */
void vgpu_prepare_source(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 unsigned int k);

/* Scalar value of the special operands. */
u64 vgpu_special(struct vgpu_isa_state *c, unsigned int src);

static inline u32 vgpu_read32(struct vgpu_isa_state *c, const struct vgpu_src *s)
{
	if (s->kind == VGPU_KIND_SGPR)
		return c->w->s[s->reg];
	if (s->kind == VGPU_KIND_CONST)
		return (u32)s->value;
	return (u32)vgpu_special(c, s->reg);
}

static inline u64 vgpu_read64(struct vgpu_isa_state *c, const struct vgpu_src *s)
{
	if (s->kind == VGPU_KIND_SGPR)
		return make_64(c->w->s[s->reg + 1], c->w->s[s->reg]);
	if (s->kind == VGPU_KIND_CONST)
		return s->value;
	return vgpu_special(c, s->reg);
}

static inline void vgpu_write64(struct vgpu_isa_state *c, unsigned int reg, u64 v)
{
	c->w->s[reg] = (u32)v;
	c->w->s[reg + 1] = v >> 32;
}

/* A lane mask has as many SGPRs as the wave needs. */
static inline u64 vgpu_read_mask(struct vgpu_isa_state *c, const struct vgpu_src *s)
{
	return c->lanes == 64 ? vgpu_read64(c, s) : vgpu_read32(c, s);
}

static inline void vgpu_write_mask(struct vgpu_isa_state *c, unsigned int reg, u64 v)
{
	c->w->s[reg] = (u32)v;
	if (c->lanes == 64)
		c->w->s[reg + 1] = v >> 32;
}

#endif /* VGPU_ISA_INTERNAL_H */
