// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs waves: the loop over predecoded instructions, what is checked after
 * each one of a slow wave, and how instructions end a run.
 */
#include "critic.h"
#include "internal.h"
#include "log.h"
#include "lanes.h"
#include "excp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#define MXCSR_DEFAULT	0x1f80	/* all masked, to nearest, denormals kept */
#define MXCSR_DAZ	BIT(6)
#define MXCSR_RC_SHIFT	13
#define MXCSR_FTZ	BIT(15)

const struct vgpu_isa vgpu_isa_gfx10_3 = {
	.name = "gfx10.3",
	.tables = vgpu_table_gfx10_3,
	.decode = vgpu_decode_gfx10,
};

const u32 vgpu_lane_bit[32] = {
#define B(n) BIT(n), BIT((n) + 1), BIT((n) + 2), BIT((n) + 3)
	B(0), B(4), B(8), B(12), B(16), B(20), B(24), B(28)
#undef B
};

static void refresh_exec(struct vgpu_isa_state *c)
{
	vgpu_set_lanes(c, vgpu_wave_exec(c->w) & vgpu_lane_mask(c));
}

void vgpu_set_lanes(struct vgpu_isa_state *c, u64 mask)
{
	unsigned int base, l;

	c->exec = mask;
	c->full = c->exec == vgpu_lane_mask(c);
	if (c->full)
		return;
	for (base = 0; base < c->lanes; base += 32) {
		u32 bits = (u32)(c->exec >> base);

		for (l = 0; l < 32; l++)
			c->mask[base + l] = bits & vgpu_lane_bit[l] ? ~0U : 0;
	}
}

/* @round, @denorm: two bits each, of MODE.FP_ROUND and MODE.FP_DENORM */
static u32 mxcsr(unsigned int round, unsigned int denorm)
{
	/* MODE: 1 is up, 2 is down; MXCSR has them the other way round. */
	static const u8 rc[] = { 0, 2, 1, 3 };

	return MXCSR_DEFAULT | (u32)rc[round] << MXCSR_RC_SHIFT |
	       (denorm & 1 ? 0 : MXCSR_DAZ) | (denorm & 2 ? 0 : MXCSR_FTZ);
}

void vgpu_refresh_mode(struct vgpu_isa_state *c)
{
	u32 round = FIELD_GET(MODE_FP_ROUND, c->w->mode);
	u32 denorm = FIELD_GET(MODE_FP_DENORM, c->w->mode);

	c->ieee = c->w->mode & MODE_IEEE;
	c->dx10_clamp = c->w->mode & MODE_DX10_CLAMP;
	c->ftz32 = !(denorm & 2);
	c->ftz64 = !(denorm >> 2 & 2);
	c->csr32 = mxcsr(round & 3, denorm & 3);
	c->csr64 = mxcsr(round >> 2, denorm >> 2);
	c->slow = c->w->slow || c->w->mode & VGPU_MODE_EXCP_FP;
	_mm_setcsr(c->csr32);
}

const struct vgpu_insn *vgpu_leave(struct vgpu_isa_state *c, u64 pc,
				   const struct vgpu_insn *i)
{
	c->w->pc = pc;
	c->unused = c->left;
	c->left = 0;
	c->left_early = true;
	return i;
}

const struct vgpu_insn *vgpu_jump(struct vgpu_isa_state *c, u64 pc,
				  const struct vgpu_insn *i)
{
	struct vgpu_isa_page *p = c->page;

	if (p->va != (pc & ~(u64)(VGPU_PAGE_SIZE - 1)))
		p = vgpu_page_get(c, pc, c->w->vmid);
	if (!p)
		return vgpu_leave(c, pc, i);	/* faults when it comes back */
	c->page = p;
	return &p->insn[(pc & (VGPU_PAGE_SIZE - 1)) / 4];
}

const struct vgpu_insn *vgpu_raise(struct vgpu_isa_state *c,
				   const struct vgpu_insn *i, u32 bits)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->trap.exception(c->g, c->w, bits);
	return vgpu_leave(c, c->w->pc, i);
}

const struct vgpu_insn *vgpu_exec_illegal(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	u64 pc = vgpu_insn_pc(c, i);
	u32 words[VGPU_MAX_WORDS];
	char text[128];

	vgpu_fetch(c, pc, words, VGPU_MAX_WORDS);
	vgpu_isa_text(c->isa, words, c->lanes, text, sizeof(text));
	vgpu_complain(c->g, VGPU_BAD_OPCODE,
		      "vmid %u pc 0x%llx: %08x %08x: %s", c->w->vmid,
		      (unsigned long long)pc, words[0], words[1], text);
	c->w->pc = pc;
	c->hooks->trap.illegal(c->g, c->w);
	return vgpu_leave(c, c->w->pc, i);
}

const struct vgpu_insn *vgpu_exec_guarded(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	u32 *ttmp = &c->w->s[VGPU_S_TTMP0], saved[16];
	bool hide = i->guard & VGPU_GUARD_TTMP &&
		    !(c->w->status & STATUS_PRIV);
	u32 exec_lo = c->w->s[VGPU_S_EXEC];
	const struct vgpu_insn *next;

	if (hide) {
		/* Outside of the trap handler TTMPs read 0, ignore writes. */
		memcpy(saved, ttmp, sizeof(saved));
		memset(ttmp, 0, sizeof(saved));
	}
	next = i->inner(c, i);
	if (hide) {
		/* A trap that was taken now has set the first two. */
		unsigned int n = c->w->status & STATUS_PRIV ? 2 : 0;

		memcpy(ttmp + n, saved + n, sizeof(saved) - n * sizeof(u32));
	}
	if (i->guard & VGPU_GUARD_NULL) {
		c->w->s[VGPU_S_NULL] = 0;
		c->w->s[VGPU_S_EXEC] = exec_lo;
	}
	if (i->guard & VGPU_GUARD_EXEC)
		refresh_exec(c);
	return next;
}

u64 vgpu_special(struct vgpu_isa_state *c, unsigned int src)
{
	u64 vcc = vgpu_wave_vcc(c->w) & vgpu_lane_mask(c);
	u32 bases = 0;

	switch (src) {
	case VGPU_SRC_VCCZ:
		return vcc == 0;
	case VGPU_SRC_EXECZ:
		return c->exec == 0;
	case VGPU_SRC_SCC:
		return c->w->scc;
	}
	/* SH_MEM_BASES: bits 63:48 of the apertures, shared above private. */
	c->hooks->message.getreg(c->g, c->w, 15, &bases);
	switch (src) {
	case VGPU_SRC_SHARED_BASE:
		return (u64)(bases >> 16) << 48;
	case VGPU_SRC_SHARED_LIMIT:
		return (u64)(bases >> 16) << 48 | 0xffffffff;
	case VGPU_SRC_PRIVATE_BASE:
		return (u64)(bases & 0xffff) << 48;
	case VGPU_SRC_PRIVATE_LIMIT:
		return (u64)(bases & 0xffff) << 48 | 0xffffffff;
	}
	return 0;
}

static void trace(struct vgpu_isa_state *c)
{
	struct vgpu_wave *w = c->w;
	u32 words[VGPU_MAX_WORDS];
	char text[128];

	vgpu_fetch(c, w->pc, words, VGPU_MAX_WORDS);
	vgpu_isa_text(c->isa, words, c->lanes, text, sizeof(text));
	vgpu_log(c->g, "wave %llu %u.%u.%u.%u.%u vmid %u pc %llx exec %llx scc %u vcc %llx: %s",
		 (unsigned long long)w->serial, w->se, w->sa, w->wgp, w->simd,
		 w->slot, w->vmid, (unsigned long long)w->pc,
		 (unsigned long long)c->exec, w->scc,
		 (unsigned long long)vgpu_wave_vcc(w), text);
}

static bool stepping(const struct vgpu_wave *w)
{
	return w->mode & MODE_DEBUG_EN && w->status & STATUS_TRAP_EN &&
	       !(w->status & STATUS_PRIV);
}

/*
 * The wave cannot fetch: a memory violation at this PC. No instruction was
 * executed, so the handler sees the PC of the one that is missing.
 */
static void fetch_fault(struct vgpu_isa_state *c)
{
	vgpu_gmc_fault(c->g, c->w->vmid, c->w->pc, VGPU_EXEC);
	c->hooks->trap.exception(c->g, c->w, TRAPSTS_EXCP_MEM_VIOL);
}

/* Up to @n instructions from w->pc on. Returns how many were executed. */
static u32 run_some(struct vgpu_isa_state *c, u32 n)
{
	const struct vgpu_insn *i;

	c->page = vgpu_page_get(c, c->w->pc, c->w->vmid);
	if (!c->page) {
		fetch_fault(c);
		c->w->stop |= VGPU_STOP_YIELD;
		return 0;
	}
	i = &c->page->insn[(c->w->pc & (VGPU_PAGE_SIZE - 1)) / 4];
	c->left = n;
	c->unused = 0;
	c->left_early = false;
	while (c->left > 0) {
		c->left--;
		i = i->exec(c, i);
	}
	if (!c->left_early)
		c->w->pc = vgpu_insn_pc(c, i);
	return n - c->unused;
}

/* One instruction, with everything that a slow wave wants to know. */
static u32 run_checked(struct vgpu_isa_state *c)
{
	struct vgpu_wave *w = c->w;
	bool step = stepping(w);
	u32 excp = 0, done;

	if (c->g->opt.trace_waves)
		trace(c);
	if (w->mode & VGPU_MODE_EXCP_FP)
		excp = vgpu_fp_exceptions(c);
	done = run_some(c, 1);
	if (excp && !(w->stop & VGPU_STOP_ENDED))
		c->hooks->trap.exception(c->g, w, excp);
	if (done && step && stepping(w) && !(w->stop & VGPU_STOP_ENDED))
		c->hooks->trap.step(c->g, w);
	return done;
}

unsigned int vgpu_isa_run(struct vgpu *g, struct vgpu_wave *w, unsigned int n)
{
	struct vgpu_isa_state *c = g->isa;
	u32 csr = _mm_getcsr();
	unsigned int done = 0;

	c->w = w;
	c->base[VGPU_WHERE_WAVE] = (uintptr_t)w;
	c->tlb = vgpu_gmc_tlb(g);
	c->hooks = g->hooks.wave;
	c->isa = g->profile->isa;
	c->lanes = w->lanes;
	while (done < n && !w->stop) {
		/* Whatever ended the last run may have changed these. */
		refresh_exec(c);
		vgpu_refresh_mode(c);
		done += c->slow ? run_checked(c) : run_some(c, n - done);
	}
	_mm_setcsr(csr);
	w->instructions += done;
	c->w = NULL;
	c->page = NULL;
	return done;
}

void vgpu_add_handlers(vgpu_exec_fn *fn, const vgpu_exec_fn *more)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_OPS; n++) {
		if (more[n])
			fn[n] = more[n];
	}
}

static void fill_handlers(const struct vgpu_lane_code *code, vgpu_exec_fn *fn)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_OPS; n++)
		fn[n] = NULL;
	vgpu_handlers_salu(fn);
	vgpu_handlers_special(fn);
	vgpu_handlers_smem(fn);
	vgpu_handlers_mem(fn);
	vgpu_handlers_lane(fn);
	vgpu_handlers_carry(fn);
	vgpu_handlers_div(fn);
	vgpu_handlers_mix(fn);
	vgpu_handlers_ds(fn);
	code->handlers(fn);
}

static const struct vgpu_lane_code *lane_code(void)
{
	/* The variable is there for tests of the other one. */
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	    !getenv("VGPU_NO_AVX2"))
		return &vgpu_lane_code_avx2;
	return &vgpu_lane_code_plain;
}

int vgpu_isa_init(struct vgpu *g)
{
	static vgpu_exec_fn handlers[VGPU_NUM_OPS];
	struct vgpu_isa_state *c;

	c = aligned_alloc(64, (sizeof(*c) + 63) / 64 * 64);
	if (!c)
		return -ENOMEM;
	memset(c, 0, sizeof(*c));
	c->code = lane_code();
	fill_handlers(c->code, handlers);
	c->g = g;
	c->base[VGPU_WHERE_TMP] = (uintptr_t)c;
	c->handlers = handlers;
	g->isa = c;
	return 0;
}

void vgpu_isa_fini(struct vgpu *g)
{
	unsigned int n;

	if (!g->isa)
		return;
	for (n = 0; n < VGPU_ISA_PAGES; n++)
		vgpu_page_free(g->isa->pages[n]);
	free(g->isa);
	g->isa = NULL;
}
