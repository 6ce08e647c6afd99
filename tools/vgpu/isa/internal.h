/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of isa/: pages of predecoded instructions, the state of the interpreter,
 * and functions that read operands and write results.
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

/* An operand of up to 64 bits: a row of low dwords, and one of high dwords. */
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
	/* Properties of the waves for which it was decoded */
	u32 lanes, vgprs, shared_vgprs;
	u32 flushes;		/* vgpu_tlb.flushes of the VMID when it was created */
	u64 last_use;		/* value of vgpu_isa_state.clock */
	struct vgpu_const *consts;
	struct vgpu_mimg *mimgs;
	struct vgpu_insn insn[VGPU_PAGE_INSNS];
	struct vgpu_detail detail[VGPU_PAGE_INSNS];	/* valid after decoding */
};

#define VGPU_ISA_PAGES		64

/*
 * The pages that the lanes of an instruction accessed last. Valid while @forgotten is equal
 * to that of the TLB.
 */
struct vgpu_lane_pages {
	u32 page[VGPU_LANES];	/* lower half of the page's address */
	u64 host[VGPU_LANES];	/* what to add to the lower half of an address to get the host's */
	u64 forgotten;
	u32 va_hi, vmid, lanes;
} VGPU_ALIGNED;

/* Size of a hash table of them: instructions of one loop should not share an entry. */
#define VGPU_KNOWN_PAGES	8

/*
 * The state of the interpreter, which executes one wave at a time: vgpu->isa.
 */
struct vgpu_isa_state {
	/* Members that nearly all handlers read */
	struct vgpu_wave *w;
	u64 wave_base;		/* for sources in the wave: see vgpu_place() */
	u64 exec;		/* EXEC, limited to the wave's lanes */
	u32 lanes;
	s32 left;		/* @left of a threaded handler, for plain handlers */
	bool full;		/* all lanes are active */
	bool full32;		/* all lanes are active, and there are 32 */

	bool left_early;	/* set by vgpu_leave(): w->pc is valid */
	bool enough;		/* set by vgpu_rest(): end the slice */
	u32 unused;		/* value of left at that time */
	bool slow;
	bool ieee, dx10_clamp, fp16_ovfl;
	/* Denormals in sources (daz), results (ftz) are zero; 64: of 64 and 16 bits */
	bool daz32, daz64, ftz32, ftz64;
	/* MXCSR for floats of 32 bits, for others, for conversions from 64 to 32 bits */
	u32 csr32, csr64, csr64to32;
	u32 excp;		/* exceptions raised that are not in MXCSR's flags */
	struct vgpu *g;
	struct vgpu_isa_page *page;	/* of the instruction being executed */
	struct vgpu_tlb *tlb;
	struct vgpu_tlb_pages *rd, *wr;	/* the TLB's part for the wave's VMID */
	const struct vgpu_wave_hooks *hooks;
	const struct vgpu_isa *isa;
	u32 mask[VGPU_LANES] VGPU_ALIGNED;	/* ~0 for active lanes; invalid if full */
	vgpu_rows tmp[3];	/* sources that are computed before use */
	u64 addr[VGPU_LANES] VGPU_ALIGNED;
	u8 inside[VGPU_LANES];	/* number of dwords within a buffer's bounds */
	/* exec_global.h: lower halves of addresses; pages of loads, and of stores */
	u32 at[VGPU_LANES] VGPU_ALIGNED;
	struct vgpu_lane_pages known[2][VGPU_KNOWN_PAGES];

	const vgpu_exec_fn *handlers;	/* [VGPU_NUM_OPS] */
	const vgpu_thread_fn *threads;	/* [VGPU_NUM_OPS]; NULL: there is none */
	const u8 *excp_kind;		/* [VGPU_NUM_OPS] enum vgpu_excp_kind */
	vgpu_thread_fn exec_decode, exec_page_end;
	const struct vgpu_lane_code *code;
	const struct vgpu_swizzle *swizzle;	/* layout of images in memory */
	u64 clock;		/* number of uses of pages, for vgpu_isa_page.last_use */
	struct vgpu_isa_page *pages[VGPU_ISA_PAGES];
};

/* Get the number of dwords from the start of the page to an instruction. */
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

/* Get the address of an instruction, and of the one after it. */
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

/* flow.c: end the run after this instruction; the wave continues at @pc. */
const struct vgpu_insn *vgpu_leave(struct vgpu_isa_state *c, u64 pc,
				   const struct vgpu_insn *i);
/* flow.c: continue at @pc, which may be in another page. */
const struct vgpu_insn *vgpu_jump(struct vgpu_isa_state *c, u64 pc,
				  const struct vgpu_insn *i);
/* flow.c: raise memory exceptions of an instruction that has completed. */
const struct vgpu_insn *vgpu_raise(struct vgpu_isa_state *c,
				   const struct vgpu_insn *i, u32 bits);
const struct vgpu_insn *vgpu_exec_illegal(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* flow.c: complain about an instruction with a register that its wave does not have. */
void vgpu_complain_gpr(struct vgpu_isa_state *c, const struct vgpu_insn *i);
const struct vgpu_insn *vgpu_exec_guarded(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* flow.c: update all that depends on MODE. */
void vgpu_refresh_mode(struct vgpu_isa_state *c);
/* flow.c: update all that depends on EXEC. */
void vgpu_refresh_exec(struct vgpu_isa_state *c);
/* flow.c: set the active lanes without changing EXEC. */
void vgpu_set_lanes(struct vgpu_isa_state *c, u64 mask);

/* cache.c: get the page of @va; NULL: it is not mapped. */
struct vgpu_isa_page *vgpu_page_get(struct vgpu_isa_state *c, u64 va, u32 vmid);
void vgpu_page_free(struct vgpu_isa_page *p);
/* Get a constant, which is valid as long as the page. */
const struct vgpu_const *vgpu_page_const(struct vgpu_isa_page *p, u64 value);
/* Allocate operands of an image instruction, which are freed with the page. */
struct vgpu_mimg *vgpu_page_mimg(struct vgpu_isa_page *p);
/* Read @num dwords of code at @va. Returns their number: fewer if a page is not mapped. */
unsigned int vgpu_fetch(struct vgpu_isa_state *c, u64 va, u32 *words,
			unsigned int num);

/* predecode.c: set the handlers for dwords of a page that are not decoded yet. */
void vgpu_predecode_init(struct vgpu_isa_state *c);

/* consts.c: get the constant with operand number @src, for a source of type @type. */
u64 vgpu_inline_const(unsigned int src, enum vgpu_type type);

/* bind.c: fill in @i from fields. Returns false if it cannot be executed. */
bool vgpu_bind(struct vgpu_isa_state *c, struct vgpu_insn *i,
	       const struct vgpu_fields *f, enum vgpu_op op);
/* Functions that add plain handlers to a table by operation */
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
/* The same for threaded handlers */
void vgpu_add_threads(vgpu_thread_fn *fn, const vgpu_thread_fn *more);
void vgpu_threads_salu(vgpu_thread_fn *fn);
void vgpu_threads_special(vgpu_thread_fn *fn);

/* Functions that are compiled twice, for CPUs with and without AVX2 (exec_valu.h). */
struct vgpu_lane_code {
	void (*handlers)(vgpu_exec_fn *fn);
	void (*threads)(vgpu_thread_fn *fn);
	/* Get the handler of an integer operation with clamp; NULL: it has no clamp. */
	vgpu_exec_fn (*saturating)(enum vgpu_op op);
	/* Wrapper: compute the sources in vgpu_detail.prepare, then call ->prepared. */
	vgpu_exec_fn prepare;
	/* Wrapper for one source of 32 bits in an SGPR: calls i->spread. */
	vgpu_thread_fn broadcast[3];
	/* Faster forms of vgpu_exec_excp(), by vgpu_excp_quiet(); none for 0 */
	vgpu_thread_fn quiet[4];
	/* Get the fast handler of a GLOBAL load or store; NULL: there is none. */
	vgpu_thread_fn (*global)(enum vgpu_op op, bool based);
	/* Get WAVE_EXCP_* for signalling NaNs and denormals among active lanes. */
	u32 (*signals)(const struct vgpu_isa_state *c, const u32 *row,
		       enum vgpu_type type);
};

extern const struct vgpu_lane_code vgpu_lane_code_plain;
extern const struct vgpu_lane_code vgpu_lane_code_avx2;

/* range.c: is any of @num VGPRs from @first on not one of the wave's? */
bool vgpu_beyond(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num);
/* Handler of an instruction without effect, because the wave lacks a destination. */
const struct vgpu_insn *vgpu_exec_nothing(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i);
/* Wrapper: call ->prepared with VGPR0 in all registers that the wave does not have. */
const struct vgpu_insn *vgpu_exec_beyond(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i);

/* shared.c: is any of @num VGPRs from @first on shared by both halves of a wave64? */
bool vgpu_shared(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num);
/* Wrapper of ->halves, which writes a shared VGPR. */
const struct vgpu_insn *vgpu_exec_shared(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i);

/* modifiers.c: wrapper for SDWA's and DPP's effects on the result, omod, clamp. */
const struct vgpu_insn *vgpu_exec_modified(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i);

/* modifiers.c: compute a source that is not a plain register, into c->tmp[k]. */
void vgpu_prepare_source(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 unsigned int k);

/* flow.c: get the value of a special operand (VGPU_KIND_SPECIAL). */
u64 vgpu_special(struct vgpu_isa_state *c, unsigned int src);

/* Get the address of a source from i->src[]: see VGPU_IN_WAVE. */
static inline const void *vgpu_place(const struct vgpu_isa_state *c, s64 at)
{
	return (const void *)((u64)at + (c->wave_base & (u64)(at >> 63)));
}

static inline const void *vgpu_source(const struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, unsigned int k)
{
	return vgpu_place(c, i->src[k]);
}

/* Read a scalar source. */
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

/* Read or write a lane mask: one SGPR for a wave32, two for a wave64. */
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
