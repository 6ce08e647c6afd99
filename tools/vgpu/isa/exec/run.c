// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs waves: the loop over predecoded instructions, and the checks after each instruction
 * of a slow wave. Also the creation of the interpreter.
 */
#include "isa/exec/excp.h"
#include "isa/exec/lanes.h"
#include "regs/log.h"
#include "isa/image/swizzle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Maximum number of instructions whose handlers call each other. If the compiler does not
 * turn these calls into jumps, the stack has as many frames.
 */
#define VGPU_BATCH	128

static void trace(struct vgpu_isa_state *c)
{
	struct vgpu_wave *w = c->w;
	u32 words[VGPU_MAX_WORDS];
	char text[128];

	vgpu_fetch(c, w->pc, words, VGPU_MAX_WORDS);
	vgpu_isa_text(c->isa, words, c->lanes, text, sizeof(text));
	vgpu_log_each(c->g, "wave %llu %u.%u.%u.%u.%u vmid %u pc %llx exec %llx scc %u vcc %llx: %s",
		      (unsigned long long)w->serial, w->se, w->sa, w->wgp, w->simd,
		      w->slot, w->vmid, (unsigned long long)w->pc,
		      (unsigned long long)c->exec, w->scc,
		      (unsigned long long)vgpu_wave_vcc(w), text);
}

static bool stepping(const struct vgpu_wave *w)
{
	return w->debug_en && w->trap_en && !w->priv;
}

/*
 * The wave cannot fetch: a memory violation at this PC. No instruction was
 * executed, so the handler sees the PC of the one that is missing.
 */
static void fetch_fault(struct vgpu_isa_state *c)
{
	vgpu_gmc_fault(c->g, c->w->vmid, c->w->pc, VGPU_EXEC);
	c->hooks->trap.exception(c->g, c->w, WAVE_EXCP_MEM_VIOL);
}

/* Execute up to @n instructions from w->pc on. Returns their number. */
static u32 run_some(struct vgpu_isa_state *c, u32 n)
{
	struct vgpu_isa_page *p = vgpu_page_get(c, c->w->pc, c->w->vmid);
	const struct vgpu_insn *i;
	u32 done = 0, batch;

	if (!p) {
		fetch_fault(c);
		c->w->stop |= VGPU_STOP_YIELD;
		return 0;
	}
	c->page = p;
	i = &p->insn[(c->w->pc & (VGPU_PAGE_SIZE - 1)) / 4];
	c->left_early = false;
	do {
		batch = MIN2(n - done, VGPU_BATCH);
		i = i->exec(c, i, (s32)batch - 1);
		done += batch;
	} while (done < n && !c->left_early);
	if (c->left_early)
		return done - c->unused;
	c->w->pc = vgpu_insn_pc(c, i);
	return done;
}

/* Execute one instruction of a slow wave, with tracing and all checks. */
static u32 run_checked(struct vgpu_isa_state *c)
{
	struct vgpu_wave *w = c->w;
	bool step = stepping(w), late = w->late;
	bool trap = w->excp_en & WAVE_EXCP_ARITH;
	u32 excp, done;

	if (c->g->opt.trace_waves)
		trace(c);
	done = run_some(c, 1);
	excp = vgpu_excp_take(c);
	w->excp |= excp;
	if (excp && trap && !(w->stop & VGPU_STOP_ENDED))
		c->hooks->trap.exception(c->g, w, excp);
	if (done && late && !(w->stop & VGPU_STOP_ENDED))
		c->hooks->trap.late(c->g, w);
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
	c->wave_base = (u64)(uintptr_t)w - (u64)VGPU_IN_WAVE;
	c->tlb = vgpu_gmc_tlb(g);
	c->rd = vgpu_tlb_pages(c->tlb, w->vmid, false);
	c->wr = vgpu_tlb_pages(c->tlb, w->vmid, true);
	c->hooks = g->hooks.wave;
	c->lanes = w->lanes;
	_mm_setcsr(VGPU_MXCSR_DEFAULT);
	c->enough = false;
	while (done < n && !w->stop && !c->enough) {
		/* The instruction that ended the last run may have changed EXEC and MODE. */
		vgpu_refresh_exec(c);
		vgpu_refresh_mode(c);
		done += c->slow ? run_checked(c) : run_some(c, n - done);
	}
	w->excp |= vgpu_excp_take(c);
	_mm_setcsr(csr);
	w->instructions += done;
	c->w = NULL;
	c->page = NULL;
	return done;
}

static void fill_threads(const struct vgpu_lane_code *code, vgpu_thread_fn *fn)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_OPS; n++)
		fn[n] = NULL;
	vgpu_threads_salu(fn);
	vgpu_threads_special(fn);
	code->threads(fn);
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
	vgpu_handlers_atomic(fn);
	vgpu_handlers_format(fn);
	vgpu_handlers_sample(fn);
	vgpu_handlers_lane(fn);
	vgpu_handlers_carry(fn);
	vgpu_handlers_div(fn);
	vgpu_handlers_mix(fn);
	vgpu_handlers_ds(fn);
	code->handlers(fn);
}

static void fill_excp_kinds(u8 *kind)
{
	unsigned int op;

	for (op = 0; op < VGPU_NUM_OPS; op++)
		kind[op] = op ? vgpu_excp_kind(op) : VGPU_EXCP_CPU;
}

static const struct vgpu_lane_code *lane_code(void)
{
	/* The variable lets tests use the other code on a CPU with AVX2. */
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	    !getenv("VGPU_NO_AVX2"))
		return &vgpu_lane_code_avx2;
	return &vgpu_lane_code_plain;
}

const struct vgpu_isa *vgpu_isa_of(const struct vgpu *g)
{
	return g->isa->isa;
}

int vgpu_isa_init(struct vgpu *g)
{
	static vgpu_exec_fn handlers[VGPU_NUM_OPS];
	static vgpu_thread_fn threads[VGPU_NUM_OPS];
	static u8 excp_kind[VGPU_NUM_OPS];
	struct vgpu_isa_state *c;

	c = aligned_alloc(64, (sizeof(*c) + 63) / 64 * 64);
	if (!c)
		return -ENOMEM;
	memset(c, 0, sizeof(*c));
	c->code = lane_code();
	fill_handlers(c->code, handlers);
	fill_threads(c->code, threads);
	fill_excp_kinds(excp_kind);
	c->isa = vgpu_isa_find(g->profile->gen->isa);
	if (!c->isa) {
		free(c);
		return -EINVAL;
	}
	vgpu_predecode_init(c);
	c->swizzle = vgpu_swizzle_find(
		vgpu_get(g, F_GB_ADDR_CONFIG_NUM_PIPES, g->profile->gb_addr_config),
		vgpu_get(g, F_GB_ADDR_CONFIG_NUM_PKRS, g->profile->gb_addr_config));
	c->g = g;
	c->handlers = handlers;
	c->threads = threads;
	c->excp_kind = excp_kind;
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
