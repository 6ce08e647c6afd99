/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of isa/ share: the predecoded instruction, the state of the
 * interpreter, and how operands are read and results written.
 */
#ifndef VGPU_ISA_INTERNAL_H
#define VGPU_ISA_INTERNAL_H

#include "gpu.h"
#include "isa/isa.h"
#include "isa/insn.h"
#include "isa/wave.h"
#include "mem/gmc.h"
#include "isa/table.h"

#include <string.h>

struct vgpu_swizzle;

/* An instruction may start in one page and end in the next. */
#define VGPU_PAGE_DWORDS	(VGPU_PAGE_SIZE / 4)
#define VGPU_PAGE_INSNS		(VGPU_PAGE_DWORDS + VGPU_MAX_WORDS)

/* Lane arrays are read and written by the widest vector instructions. */
#define VGPU_ALIGNED	__attribute__((aligned(64)))

/* A low and a high row: an operand of up to 64 bits. */
typedef u32 vgpu_rows[2][VGPU_LANES] VGPU_ALIGNED;

/* A constant: for scalar sources, and as lane arrays. */
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
	struct vgpu_detail detail[VGPU_PAGE_INSNS];	/* once decoded */
};

#define VGPU_ISA_PAGES		64

/*
 * The pages that lanes accessed, and what is added to the lower half of an address to
 * have it in the host. Good while @forgotten is that of the TLB.
 */
struct vgpu_lane_pages {
	u32 page[VGPU_LANES];	/* lower half of its address */
	u64 host[VGPU_LANES];
	u64 forgotten;
	u32 va_hi, vmid, lanes;
} VGPU_ALIGNED;

/* Instructions in a loop should not share one; they have two dwords. */
#define VGPU_KNOWN_PAGES	8

/*
 * The interpreter, as it runs one wave; vgpu->isa.
 */
struct vgpu_isa_state {
	/* What nearly all handlers read */
	struct vgpu_wave *w;
	u64 wave_base;		/* of sources in the wave: see vgpu_place() */
	u64 exec;		/* EXEC, limited to the wave's lanes */
	u32 lanes;
	s32 left;		/* may follow this one; for vgpu_exec_fn */
	bool full;		/* EXEC has all lanes */
	bool full32;		/* which are 32 */

	bool left_early;	/* by vgpu_leave(): w->pc is set */
	bool enough;		/* by vgpu_rest(): the slice is given back */
	u32 unused;		/* what was left then */
	bool slow;
	bool ieee, dx10_clamp, fp16_ovfl;
	/* Denormals are zero: in sources, in results; 64: all but 32 bits */
	bool daz32, daz64, ftz32, ftz64;
	/* MXCSR for 32-bit and for other floats, and from 64 to 32 bits */
	u32 csr32, csr64, csr64to32;
	u32 excp;		/* raised, and not among MXCSR's flags */
	struct vgpu *g;
	struct vgpu_isa_page *page;	/* of the instruction being executed */
	struct vgpu_tlb *tlb;
	struct vgpu_tlb_pages *rd, *wr;	/* those of the wave's VMID */
	const struct vgpu_wave_hooks *hooks;
	const struct vgpu_isa *isa;
	u32 mask[VGPU_LANES] VGPU_ALIGNED;	/* EXEC, expanded; not if full */
	vgpu_rows tmp[3];	/* sources that are none in a register */
	u64 addr[VGPU_LANES] VGPU_ALIGNED;
	u8 inside[VGPU_LANES];	/* dwords within a buffer's bounds */
	/* exec_global.h: lower halves of addresses; pages, of loads and stores */
	u32 at[VGPU_LANES] VGPU_ALIGNED;
	struct vgpu_lane_pages known[2][VGPU_KNOWN_PAGES];

	const vgpu_exec_fn *handlers;	/* [VGPU_NUM_OPS] */
	const vgpu_thread_fn *threads;	/* [VGPU_NUM_OPS]; not all have one */
	const u8 *excp_kind;		/* [VGPU_NUM_OPS] */
	vgpu_thread_fn exec_decode, exec_page_end;
	const struct vgpu_lane_code *code;
	const struct vgpu_swizzle *swizzle;	/* how images lie in memory */
	u64 clock;		/* of page uses */
	struct vgpu_isa_page *pages[VGPU_ISA_PAGES];
};

/* Dwords from the start of the page */
static inline unsigned int vgpu_insn_index(const struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	return (unsigned int)(i - c->page->insn);
}

static inline const struct vgpu_detail *
vgpu_detail(const struct vgpu_isa_state *c, const struct vgpu_insn *i)
{
	return &c->page->detail[vgpu_insn_index(c, i)];
}

static inline enum vgpu_kind vgpu_source_kind(const struct vgpu_isa_state *c,
					      const struct vgpu_insn *i,
					      unsigned int k)
{
	return vgpu_detail(c, i)->src[k].kind;
}

/* Address of the instruction, and of the one after it. */
static inline u64 vgpu_insn_pc(const struct vgpu_isa_state *c,
			       const struct vgpu_insn *i)
{
	return c->page->va + vgpu_insn_index(c, i) * 4;
}

static inline u64 vgpu_next_pc(const struct vgpu_isa_state *c,
			       const struct vgpu_insn *i)
{
	return vgpu_insn_pc(c, i) + vgpu_insn_words(i) * 4;
}

static inline u64 vgpu_lane_mask(const struct vgpu_isa_state *c)
{
	return c->lanes == 64 ? ~0ULL : 0xffffffffULL;
}

/*
 * flow.c: end an instruction that may take as long as a whole slice of others. The
 * scheduler counts the time, and the host is answered before the wave continues.
 */
const struct vgpu_insn *vgpu_rest(struct vgpu_isa_state *c,
				  const struct vgpu_insn *i);

/*
 * End a threaded handler: call the handler of @i, the next instruction. The compiler
 * turns the call into a jump. Where it does not, without optimisation, the stack grows by
 * one frame per instruction: run.c limits @left.
 */
static inline const struct vgpu_insn *vgpu_goto(struct vgpu_isa_state *c,
						const struct vgpu_insn *i,
						s32 left)
{
	if (--left < 0)
		return i;
	return i->exec(c, i, left);
}

/*
 * The same, with the instruction after @i. The address of that one is computed from a
 * guess, the shortest length: the CPU need not wait until it has read the length.
 */
static inline const struct vgpu_insn *vgpu_continue(struct vgpu_isa_state *c,
						    const struct vgpu_insn *i,
						    s32 left)
{
	if (__builtin_expect(i->next == sizeof(*i), true)) {
		i++;
		/* Otherwise the compiler would merge the two branches. */
		__asm__("" : "+r" (i));
	} else {
		i = vgpu_next(i);
	}
	return vgpu_goto(c, i, left);
}

/*
 * Define do_NAME(), a threaded handler, and one_NAME(), the same as a plain handler, for
 * wrappers. do_NAME() must stay in its page and not leave the run: inside a wrapper, the
 * count is c->left.
 */
#define VGPU_THREAD(name, c) \
static const struct vgpu_insn *do_##name(struct vgpu_isa_state *c, \
					 const struct vgpu_insn *i, s32 left); \
\
static const struct vgpu_insn *one_##name(struct vgpu_isa_state *c, \
					  const struct vgpu_insn *i) \
{ \
	return do_##name(c, i, 0); \
} \
\
static __attribute__((noinline)) const struct vgpu_insn * \
do_##name(struct vgpu_isa_state *c, const struct vgpu_insn *i, s32 left)

/* exec_one.c: execute i->one, and then the next instruction. */
const struct vgpu_insn *vgpu_exec_one(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, s32 left);

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
/* A constant, kept as long as the page. */
const struct vgpu_const *vgpu_page_const(struct vgpu_isa_page *p, u64 value);
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
bool vgpu_bind(struct vgpu_isa_state *c, struct vgpu_insn *i,
	       const struct vgpu_fields *f, enum vgpu_op op);
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
/* Threaded handlers */
void vgpu_add_threads(vgpu_thread_fn *fn, const vgpu_thread_fn *more);
void vgpu_threads_salu(vgpu_thread_fn *fn);
void vgpu_threads_special(vgpu_thread_fn *fn);

/* What exists for two kinds of CPU. */
struct vgpu_lane_code {
	void (*handlers)(vgpu_exec_fn *fn);
	void (*threads)(vgpu_thread_fn *fn);
	/* Integer results that clamp limits. NULL when there is none. */
	vgpu_exec_fn (*saturating)(enum vgpu_op op);
	/* Make the sources that have to be, then execute what is prepared. */
	vgpu_exec_fn prepare;
	/* The same for one source of 32 bits in an SGPR, and i->spread. */
	vgpu_thread_fn broadcast[3];
	/* vgpu_exec_excp(), by vgpu_excp_quiet(); there is none for 0. */
	vgpu_thread_fn quiet[4];
	/* GLOBAL loads and stores, where exec_mem.c need not do it, or NULL */
	vgpu_thread_fn (*global)(enum vgpu_op op, bool based);
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
/* What is prepared, for which VGPR0 is in all registers beyond. */
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

/* Make c->tmp[k] of a source that is no plain register. */
void vgpu_prepare_source(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 unsigned int k);

/* Scalar value of the special operands. */
u64 vgpu_special(struct vgpu_isa_state *c, unsigned int src);

/* What i->src[] says */
static inline const void *vgpu_place(const struct vgpu_isa_state *c, s64 at)
{
	return (const void *)((u64)at + (c->wave_base & (u64)(at >> 63)));
}

static inline const void *vgpu_source(const struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, unsigned int k)
{
	return vgpu_place(c, i->src[k]);
}

/* Scalar sources */
static inline u32 vgpu_read32(const struct vgpu_isa_state *c,
			      const struct vgpu_insn *i, unsigned int k)
{
	u32 v;

	memcpy(&v, vgpu_source(c, i, k), sizeof(v));
	return v;
}

static inline u64 vgpu_read64(const struct vgpu_isa_state *c,
			      const struct vgpu_insn *i, unsigned int k)
{
	u64 v;

	memcpy(&v, vgpu_source(c, i, k), sizeof(v));
	return v;
}

static inline void vgpu_write64(struct vgpu_isa_state *c, unsigned int reg, u64 v)
{
	c->w->s[reg] = (u32)v;
	c->w->s[reg + 1] = v >> 32;
}

/* A lane mask has as many SGPRs as the wave needs. */
static inline u64 vgpu_read_mask(const struct vgpu_isa_state *c,
				 const struct vgpu_insn *i, unsigned int k)
{
	return c->lanes == 64 ? vgpu_read64(c, i, k) : vgpu_read32(c, i, k);
}

static inline void vgpu_write_mask(struct vgpu_isa_state *c, unsigned int reg, u64 v)
{
	c->w->s[reg] = (u32)v;
	if (c->lanes == 64)
		c->w->s[reg + 1] = v >> 32;
}

#endif /* VGPU_ISA_INTERNAL_H */
