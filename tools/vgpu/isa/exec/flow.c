// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that handlers share: where a wave continues after an instruction, illegal
 * instructions, special operands, and the copies of EXEC and MODE that the interpreter uses
 * while it runs a wave.
 */
#include "isa/internal.h"
#include "isa/exec/lanes.h"
#include "regs/checker.h"

#include <string.h>

#define MXCSR_RC_SHIFT	13
#define MXCSR_FTZ	BIT(15)

const u32 vgpu_lane_bit[32] = {
#define B(n) BIT(n), BIT((n) + 1), BIT((n) + 2), BIT((n) + 3)
	B(0), B(4), B(8), B(12), B(16), B(20), B(24), B(28)
#undef B
};

void vgpu_set_lanes(struct vgpu_isa_state *c, u64 mask)
{
	unsigned int base, l;

	c->exec = mask;
	c->full = c->exec == vgpu_lane_mask(c);
	c->full32 = c->full && c->lanes == 32;
	if (c->full)
		return;
	for (base = 0; base < c->lanes; base += 32) {
		u32 bits = (u32)(c->exec >> base);

		for (l = 0; l < 32; l++)
			c->mask[base + l] = bits & vgpu_lane_bit[l] ? ~0U : 0;
	}
}

void vgpu_refresh_exec(struct vgpu_isa_state *c)
{
	vgpu_set_lanes(c, vgpu_wave_exec(c->w) & vgpu_lane_mask(c));
}

/* Get MXCSR for two bits each of MODE.FP_ROUND and MODE.FP_DENORM. */
static u32 mxcsr(unsigned int round, unsigned int denorm)
{
	/* MODE: 1 is up, 2 is down; MXCSR: 1 is down, 2 is up. */
	static const u8 rc[] = { 0, 2, 1, 3 };

	return VGPU_MXCSR_DEFAULT | (u32)rc[round] << MXCSR_RC_SHIFT |
	       (denorm & 1 ? 0 : VGPU_MXCSR_DAZ) | (denorm & 2 ? 0 : MXCSR_FTZ);
}

void vgpu_refresh_mode(struct vgpu_isa_state *c)
{
	u32 round = c->w->fp_round, denorm = c->w->fp_denorm;

	c->ieee = c->w->ieee;
	c->dx10_clamp = c->w->dx10_clamp;
	c->fp16_ovfl = c->w->fp16_ovfl;
	c->daz32 = !(denorm & 1);
	c->ftz32 = !(denorm & 2);
	c->daz64 = !(denorm >> 2 & 1);
	c->ftz64 = !(denorm >> 2 & 2);
	c->csr32 = mxcsr(round & 3, denorm & 3);
	c->csr64 = mxcsr(round >> 2, denorm >> 2);
	c->csr64to32 = mxcsr(round >> 2, (denorm >> 2 & 1) | (denorm & 2));
	c->slow = c->w->slow || c->w->excp_en & WAVE_EXCP_ARITH;
	vgpu_set_csr(c->csr32);
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

const struct vgpu_insn *vgpu_rest(struct vgpu_isa_state *c,
				  const struct vgpu_insn *i)
{
	c->enough = true;
	return vgpu_leave(c, vgpu_next_pc(c, i), i);
}

const struct vgpu_insn *vgpu_jump(struct vgpu_isa_state *c, u64 pc,
				  const struct vgpu_insn *i)
{
	struct vgpu_isa_page *p = c->page;

	if (p->va != (pc & ~(u64)(VGPU_PAGE_SIZE - 1)))
		p = vgpu_page_get(c, pc, c->w->vmid);
	if (!p)
		return vgpu_leave(c, pc, i);	/* the next run raises the fault */
	c->page = p;
	return &p->insn[(pc & (VGPU_PAGE_SIZE - 1)) / 4];
}

const struct vgpu_insn *vgpu_raise(struct vgpu_isa_state *c,
				   const struct vgpu_insn *i, u32 bits)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->trap.memory(c->g, c->w, bits);
	return vgpu_leave(c, c->w->pc, i);
}

static void complain(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		     enum vgpu_complaint what)
{
	u64 pc = vgpu_insn_pc(c, i);
	u32 words[VGPU_MAX_WORDS];
	char text[128];

	vgpu_fetch(c, pc, words, VGPU_MAX_WORDS);
	vgpu_isa_text(c->isa, words, c->lanes, text, sizeof(text));
	vgpu_complain(c->g, what,
		      "vmid %u pc 0x%llx, %u VGPRs: %08x %08x: %s", c->w->vmid,
		      (unsigned long long)pc, vgpu_wave_vgprs(c->w), words[0],
		      words[1], text);
}

void vgpu_complain_gpr(struct vgpu_isa_state *c, const struct vgpu_insn *i)
{
	complain(c, i, VGPU_BAD_GPR);
}

const struct vgpu_insn *vgpu_exec_illegal(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	complain(c, i, VGPU_BAD_OPCODE);
	c->w->pc = vgpu_insn_pc(c, i);
	c->hooks->trap.illegal(c->g, c->w);
	return vgpu_leave(c, c->w->pc, i);
}

const struct vgpu_insn *vgpu_exec_guarded(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	u32 *ttmp = &c->w->s[VGPU_S_TTMP0], saved[16];
	bool hide = i->guard & VGPU_GUARD_TTMP && !c->w->priv;
	u32 exec_lo = c->w->s[VGPU_S_EXEC];
	const struct vgpu_insn *next;

	if (hide) {
		/* Outside of the trap handler, TTMPs read 0 and writes are ignored. */
		memcpy(saved, ttmp, sizeof(saved));
		memset(ttmp, 0, sizeof(saved));
	}
	next = vgpu_detail(c, i)->guarded(c, i);
	if (hide) {
		/* If the instruction has trapped, TTMP0 and 1 have the PC: keep them. */
		unsigned int n = c->w->priv ? 2 : 0;

		memcpy(ttmp + n, saved + n, sizeof(saved) - n * sizeof(u32));
	}
	if (i->guard & VGPU_GUARD_NULL) {
		c->w->s[VGPU_S_NULL] = 0;
		c->w->s[VGPU_S_EXEC] = exec_lo;
	}
	if (i->guard & VGPU_GUARD_EXEC)
		vgpu_refresh_exec(c);
	return next;
}

/* Get the id of SH_MEM_BASES in s_getreg_b32. */
static unsigned int sh_mem_bases(const struct vgpu_isa *isa)
{
	unsigned int id = 0;

	while (isa->hwregs[id] != VGPU_HWREG_SH_MEM_BASES)
		id++;
	return id;
}

u64 vgpu_special(struct vgpu_isa_state *c, unsigned int src)
{
	u64 vcc = vgpu_wave_vcc(c->w) & vgpu_lane_mask(c), shared, private;
	u32 bases = 0;

	switch (src) {
	case VGPU_SRC_VCCZ:
		return vcc == 0;
	case VGPU_SRC_EXECZ:
		return c->exec == 0;
	case VGPU_SRC_SCC:
		return c->w->scc;
	}
	/* SH_MEM_BASES: bits 63:48 of the apertures */
	c->hooks->message.getreg(c->g, c->w, sh_mem_bases(c->isa), &bases);
	shared = (u64)vgpu_get(c->g, F_SH_MEM_BASES_SHARED_BASE, bases) << 48;
	private = (u64)vgpu_get(c->g, F_SH_MEM_BASES_PRIVATE_BASE, bases) << 48;
	switch (src) {
	case VGPU_SRC_SHARED_BASE:
		return shared;
	case VGPU_SRC_SHARED_LIMIT:
		return shared | 0xffffffff;
	case VGPU_SRC_PRIVATE_BASE:
		return private;
	case VGPU_SRC_PRIVATE_LIMIT:
		return private | 0xffffffff;
	}
	return 0;
}

void vgpu_add_handlers(vgpu_exec_fn *fn, const vgpu_exec_fn *more)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_OPS; n++) {
		if (more[n])
			fn[n] = more[n];
	}
}

void vgpu_add_threads(vgpu_thread_fn *fn, const vgpu_thread_fn *more)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_OPS; n++) {
		if (more[n])
			fn[n] = more[n];
	}
}
