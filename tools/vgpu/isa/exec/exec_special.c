// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scalar instructions that change the PC or need the sequencer (SQ): branches, traps,
 * messages, hardware registers, caches.
 */
#include "isa/exec/excp.h"
#include "regs/checker.h"
#include "regs/quirks.h"

#include <string.h>

#define HANDLER(name) \
	static const struct vgpu_insn *name(struct vgpu_isa_state *c, \
					    const struct vgpu_insn *i)

static const struct vgpu_insn *taken(struct vgpu_isa_state *c,
				     const struct vgpu_insn *i)
{
	if (i->target)
		return i->target;
	return vgpu_jump(c, vgpu_next_pc(c, i) + (s64)i->offset, i);
}

/* End the run after the instruction: a hook may have stopped the wave or changed its PC. */
static const struct vgpu_insn *after(struct vgpu_isa_state *c,
				     const struct vgpu_insn *i)
{
	return vgpu_leave(c, c->w->pc, i);
}

VGPU_THREAD(nop, c)
{
	return vgpu_continue(c, i, left);
}

/* taken() for threaded handlers */
static const struct vgpu_insn *branch(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, s32 left)
{
	if (i->target)
		return vgpu_goto(c, i->target, left);
	c->left = left;
	i = taken(c, i);
	return vgpu_goto(c, i, c->left);
}

#define BRANCH_IF(name, cond) \
static inline bool is_##name(const struct vgpu_isa_state *c) \
{ \
	const struct vgpu_wave *w = c->w; \
	\
	(void)w; \
	return cond; \
} \
\
HANDLER(one_##name) \
{ \
	return is_##name(c) ? taken(c, i) : vgpu_next(i); \
} \
\
static const struct vgpu_insn *do_##name(struct vgpu_isa_state *c, \
					 const struct vgpu_insn *i, s32 left) \
{ \
	return is_##name(c) ? branch(c, i, left) : vgpu_continue(c, i, left); \
}

BRANCH_IF(always, true)

BRANCH_IF(scc0, !w->scc)
BRANCH_IF(scc1, w->scc)
BRANCH_IF(vccz, !(vgpu_wave_vcc(w) & vgpu_lane_mask(c)))
BRANCH_IF(vccnz, vgpu_wave_vcc(w) & vgpu_lane_mask(c))
BRANCH_IF(execz, !c->exec)
BRANCH_IF(execnz, c->exec)
BRANCH_IF(cdbgsys, w->cond_dbg_sys)
BRANCH_IF(cdbguser, w->cond_dbg_user)
BRANCH_IF(cdbg_or, w->cond_dbg_sys || w->cond_dbg_user)
BRANCH_IF(cdbg_and, w->cond_dbg_sys && w->cond_dbg_user)

HANDLER(do_getpc)
{
	vgpu_write64(c, i->dst, vgpu_next_pc(c, i));
	return vgpu_next(i);
}

HANDLER(do_setpc)
{
	return vgpu_jump(c, vgpu_read64(c, i, 0) & ~3ULL, i);
}

HANDLER(do_swappc)
{
	u64 to = vgpu_read64(c, i, 0) & ~3ULL;

	vgpu_write64(c, i->dst, vgpu_next_pc(c, i));
	return vgpu_jump(c, to, i);
}

HANDLER(do_call)
{
	vgpu_write64(c, i->dst, vgpu_next_pc(c, i));
	return taken(c, i);
}

HANDLER(do_rfe)
{
	u64 to = vgpu_read64(c, i, 0) & ~3ULL;

	c->w->pc = vgpu_insn_pc(c, i);
	if (!c->hooks->trap.rfe(c->g, c->w, to))
		return vgpu_exec_illegal(c, i);
	return after(c, i);
}

HANDLER(do_trap)
{
	c->w->pc = vgpu_insn_pc(c, i);
	c->hooks->trap.s_trap(c->g, c->w, i->simm16);
	return after(c, i);
}

HANDLER(do_endpgm)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->message.end(c->g, c->w);
	return after(c, i);
}

/* S_SETKILL ends the wave, as the host's command KILL does. */
HANDLER(do_setkill)
{
	return i->simm16 & 1 ? do_endpgm(c, i) : vgpu_next(i);
}

HANDLER(do_setprio)
{
	c->w->user_prio = i->simm16 & 3;
	return vgpu_next(i);
}

HANDLER(do_barrier)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->message.barrier(c->g, c->w);
	return after(c, i);
}

HANDLER(do_sethalt)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->message.halt(c->g, c->w, i->simm16 & 1);
	return after(c, i);
}

HANDLER(do_sendmsg)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->message.send(c->g, c->w, i->simm16);
	return after(c, i);
}

HANDLER(do_sendmsghalt)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->hooks->message.send(c->g, c->w, i->simm16);
	c->hooks->message.halt(c->g, c->w, true);
	return after(c, i);
}

/* Sleep for about 64 * SIMM16[6:0] clocks (RDNA 2 ISA, S_SLEEP), and let other waves run. */
HANDLER(do_sleep)
{
	c->w->pc = vgpu_next_pc(c, i);
	c->w->stop |= VGPU_STOP_YIELD;
	c->w->sleep = (i->simm16 & 0x7f) * 64;
	return after(c, i);
}

HANDLER(do_icache_inv)
{
	c->w->pc = vgpu_next_pc(c, i);
	vgpu_isa_invalidate(c->g, c->w->vmid);
	return after(c, i);
}

/* Decode hwreg(): register id, first bit, number of bits - 1. Returns the mask of bits. */
static u32 hwreg_mask(u32 imm, u32 *shift)
{
	u32 size = (imm >> 11 & 31) + 1;

	*shift = imm >> 6 & 31;
	return (size == 32 ? ~0U : BIT(size) - 1) << *shift;
}

HANDLER(do_getreg)
{
	u32 id = i->simm16 & 63, shift, mask, v = 0;

	mask = hwreg_mask(i->simm16, &shift);
	c->w->pc = vgpu_next_pc(c, i);
	c->w->excp |= vgpu_excp_take(c);
	if (!c->hooks->message.getreg(c->g, c->w, id, &v))
		vgpu_complain(c->g, VGPU_BAD_OPCODE,
			      "s_getreg_b32 of hardware register %u", id);
	c->w->s[i->dst] = (v & mask) >> shift;
	return vgpu_next(i);
}

static const struct vgpu_insn *setreg(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, u32 v)
{
	u32 id = i->simm16 & 63, shift, mask;

	mask = hwreg_mask(i->simm16, &shift);
	c->w->pc = vgpu_next_pc(c, i);
	c->w->excp |= vgpu_excp_take(c);
	if (!c->hooks->message.setreg(c->g, c->w, id, mask, v << shift & mask))
		vgpu_complain(c->g, VGPU_BAD_OPCODE,
			      "s_setreg_b32 of hardware register %u", id);
	return after(c, i);
}

HANDLER(do_setreg)
{
	return setreg(c, i, vgpu_read32(c, i, 0));
}

HANDLER(do_setreg_imm)
{
	return setreg(c, i, vgpu_read32(c, i, 1));
}

HANDLER(do_round_mode)
{
	c->w->fp_round = i->simm16 & 15;
	vgpu_refresh_mode(c);
	return vgpu_next(i);
}

HANDLER(do_denorm_mode)
{
	c->w->fp_denorm = i->simm16 & 15;
	vgpu_refresh_mode(c);
	return vgpu_next(i);
}

/* Are @num registers from @reg on, which M0 selects, SGPRs or VCC? Complain if not. */
static bool is_sgpr(struct vgpu_isa_state *c, const struct vgpu_insn *i, u64 reg,
		    unsigned int num)
{
	if (reg + num <= VGPU_S_VCC + 2)
		return true;
	vgpu_complain_gpr(c, i);
	return false;
}

/* Read SGPRs that M0 selects; the quirk sgpr-out-of-range says what others read. */
static u64 read_sgprs(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		      u64 reg, unsigned int num)
{
	if (!is_sgpr(c, i, reg, num)) {
		if (!vgpu_quirk(c->g, VGPU_QUIRK_SGPR_OUT_OF_RANGE))
			return 0;
		reg = 0;
	}
	return make_64(num == 2 ? c->w->s[reg + 1] : 0, c->w->s[reg]);
}

static void write_sgprs(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			u64 reg, unsigned int num, u64 v)
{
	if (is_sgpr(c, i, reg, num))
		memcpy(&c->w->s[reg], &v, num * 4);
}

HANDLER(do_movrels)
{
	unsigned int num = i->op == VGPU_OP_S_MOVRELS_B64 ? 2 : 1;
	u64 v, from = (u64)i->reg[0] + c->w->s[VGPU_S_M0];

	if (vgpu_source_kind(c, i, 0) != VGPU_KIND_SGPR)
		return vgpu_exec_illegal(c, i);
	v = read_sgprs(c, i, from, num);
	memcpy(&c->w->s[i->dst], &v, num * 4);
	return vgpu_next(i);
}

HANDLER(do_movreld)
{
	bool two = i->op == VGPU_OP_S_MOVRELD_B64;
	u64 v = two ? vgpu_read64(c, i, 0) : vgpu_read32(c, i, 0);

	write_sgprs(c, i, (u64)i->dst + c->w->s[VGPU_S_M0], two ? 2 : 1, v);
	return vgpu_next(i);
}

/* Move between two registers; M0 has what to add to each number, ten bits each. */
HANDLER(do_movrelsd_2)
{
	u32 m0 = c->w->s[VGPU_S_M0];
	unsigned int from = i->reg[0] + (m0 & 1023);
	unsigned int to = i->dst + (m0 >> 16 & 1023);

	if (vgpu_source_kind(c, i, 0) != VGPU_KIND_SGPR)
		return vgpu_exec_illegal(c, i);
	write_sgprs(c, i, to, 1, read_sgprs(c, i, from, 1));
	return vgpu_next(i);
}

/*
 * A wave64 executes a block of code once for each half of EXEC that is not zero. During each
 * pass, the SGPR keeps the other half.
 */
HANDLER(do_subvector_begin)
{
	u32 *exec = &c->w->s[VGPU_S_EXEC], *saved = &c->w->s[i->dst];

	if (!exec[0] && !exec[1])
		return taken(c, i);
	if (!exec[0]) {
		*saved = 0;
	} else {
		*saved = exec[1];
		exec[1] = 0;
	}
	return vgpu_next(i);
}

HANDLER(do_subvector_end)
{
	u32 *exec = &c->w->s[VGPU_S_EXEC], *saved = &c->w->s[i->dst];

	if (exec[1]) {
		exec[0] = *saved;
		return vgpu_next(i);
	}
	if (!*saved)
		return vgpu_next(i);
	exec[1] = *saved;
	*saved = exec[0];
	exec[0] = 0;
	return taken(c, i);
}

/*
 * Instructions without effect. Waits: an access to memory is complete when its instruction
 * is. Hints and performance counters are not modelled.
 */
static const u16 nops[] = {
	VGPU_OP_S_NOP, VGPU_OP_S_VERSION, VGPU_OP_S_WAITCNT,
	VGPU_OP_S_WAITCNT_VSCNT, VGPU_OP_S_WAITCNT_VMCNT,
	VGPU_OP_S_WAITCNT_EXPCNT, VGPU_OP_S_WAITCNT_LGKMCNT,
	VGPU_OP_S_WAITCNT_DEPCTR, VGPU_OP_S_WAIT_IDLE, VGPU_OP_S_WAKEUP,
	VGPU_OP_S_INCPERFLEVEL,
	VGPU_OP_S_DECPERFLEVEL, VGPU_OP_S_TTRACEDATA,
	VGPU_OP_S_TTRACEDATA_IMM, VGPU_OP_S_CODE_END, VGPU_OP_S_INST_PREFETCH,
	VGPU_OP_S_CLAUSE,
};

#define BRANCHES(B) \
	B(BRANCH, always) \
	B(CBRANCH_SCC0, scc0) \
	B(CBRANCH_SCC1, scc1) \
	B(CBRANCH_VCCZ, vccz) \
	B(CBRANCH_VCCNZ, vccnz) \
	B(CBRANCH_EXECZ, execz) \
	B(CBRANCH_EXECNZ, execnz) \
	B(CBRANCH_CDBGSYS, cdbgsys) \
	B(CBRANCH_CDBGUSER, cdbguser) \
	B(CBRANCH_CDBGSYS_OR_USER, cdbg_or) \
	B(CBRANCH_CDBGSYS_AND_USER, cdbg_and)

#define ONE(op, name) \
	[VGPU_OP_S_##op] = one_##name,
static const vgpu_exec_fn branches[VGPU_NUM_OPS] = { BRANCHES(ONE) };

#define THREAD(op, name) \
	[VGPU_OP_S_##op] = do_##name,
static const vgpu_thread_fn threads[VGPU_NUM_OPS] = { BRANCHES(THREAD) };

void vgpu_handlers_special(vgpu_exec_fn *fn)
{
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(nops); n++)
		fn[nops[n]] = one_nop;
	vgpu_add_handlers(fn, branches);
	fn[VGPU_OP_S_GETPC_B64] = do_getpc;
	fn[VGPU_OP_S_SETPC_B64] = do_setpc;
	fn[VGPU_OP_S_SWAPPC_B64] = do_swappc;
	fn[VGPU_OP_S_CALL_B64] = do_call;
	fn[VGPU_OP_S_RFE_B64] = do_rfe;
	fn[VGPU_OP_S_TRAP] = do_trap;
	fn[VGPU_OP_S_ENDPGM] = do_endpgm;
	fn[VGPU_OP_S_ENDPGM_SAVED] = do_endpgm;
	fn[VGPU_OP_S_BARRIER] = do_barrier;
	fn[VGPU_OP_S_SETKILL] = do_setkill;
	fn[VGPU_OP_S_SETPRIO] = do_setprio;
	fn[VGPU_OP_S_SETHALT] = do_sethalt;
	fn[VGPU_OP_S_SENDMSG] = do_sendmsg;
	fn[VGPU_OP_S_SENDMSGHALT] = do_sendmsghalt;
	fn[VGPU_OP_S_SLEEP] = do_sleep;
	fn[VGPU_OP_S_ICACHE_INV] = do_icache_inv;
	fn[VGPU_OP_S_GETREG_B32] = do_getreg;
	fn[VGPU_OP_S_SETREG_B32] = do_setreg;
	fn[VGPU_OP_S_SETREG_IMM32_B32] = do_setreg_imm;
	fn[VGPU_OP_S_ROUND_MODE] = do_round_mode;
	fn[VGPU_OP_S_DENORM_MODE] = do_denorm_mode;
	fn[VGPU_OP_S_MOVRELS_B32] = do_movrels;
	fn[VGPU_OP_S_MOVRELS_B64] = do_movrels;
	fn[VGPU_OP_S_MOVRELD_B32] = do_movreld;
	fn[VGPU_OP_S_MOVRELD_B64] = do_movreld;
	fn[VGPU_OP_S_MOVRELSD_2_B32] = do_movrelsd_2;
	fn[VGPU_OP_S_SUBVECTOR_LOOP_BEGIN] = do_subvector_begin;
	fn[VGPU_OP_S_SUBVECTOR_LOOP_END] = do_subvector_end;
}

void vgpu_threads_special(vgpu_thread_fn *fn)
{
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(nops); n++)
		fn[nops[n]] = do_nop;
	vgpu_add_threads(fn, threads);
}
