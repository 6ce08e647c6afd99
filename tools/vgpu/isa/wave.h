/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One wave: the architectural state that the SQ (slots, commands, traps) and
 * the ISA (instructions) share, and what instructions ask of the SQ.
 */
#ifndef VGPU_WAVE_H
#define VGPU_WAVE_H

#include "types.h"

struct vgpu;
struct vgpu_group;

#define VGPU_LANES	64
#define VGPU_NUM_VGPRS	256

/* Numbers in vgpu_wave.s[], which are the operand numbers of gfx10. */
#define VGPU_S_VCC	106
#define VGPU_S_TTMP0	108
#define VGPU_S_M0	124
#define VGPU_S_NULL	125
#define VGPU_S_EXEC	126

/* SQ_WAVE_STATUS, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define STATUS_SCC		BIT(0)
#define STATUS_SPI_PRIO		GENMASK(2, 1)
#define STATUS_USER_PRIO	GENMASK(4, 3)
#define STATUS_PRIV		BIT(5)
#define STATUS_TRAP_EN		BIT(6)
#define STATUS_EXECZ		BIT(9)
#define STATUS_VCCZ		BIT(10)
#define STATUS_IN_TG		BIT(11)
#define STATUS_IN_BARRIER	BIT(12)
#define STATUS_HALT		BIT(13)
#define STATUS_TRAP		BIT(14)
#define STATUS_VALID		BIT(16)
#define STATUS_COND_DBG_USER	BIT(20)
#define STATUS_COND_DBG_SYS	BIT(21)
#define STATUS_FATAL_HALT	BIT(23)

/* SQ_WAVE_TRAPSTS, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define TRAPSTS_EXCP		GENMASK(8, 0)
#define TRAPSTS_EXCP_INVALID	BIT(0)
#define TRAPSTS_EXCP_DENORM	BIT(1)
#define TRAPSTS_EXCP_DIV0	BIT(2)
#define TRAPSTS_EXCP_OVERFLOW	BIT(3)
#define TRAPSTS_EXCP_UNDERFLOW	BIT(4)
#define TRAPSTS_EXCP_INEXACT	BIT(5)
#define TRAPSTS_EXCP_INT_DIV0	BIT(6)
#define TRAPSTS_EXCP_ADDR_WATCH0 BIT(7)
#define TRAPSTS_EXCP_MEM_VIOL	BIT(8)
#define TRAPSTS_SAVECTX		BIT(10)
#define TRAPSTS_ILLEGAL_INST	BIT(11)
#define TRAPSTS_EXCP_HI		GENMASK(14, 12)	/* watches 1 to 3 */
#define TRAPSTS_BUFFER_OOB	BIT(15)

/* SQ_WAVE_MODE, gc_10_3_0_sh_mask.h (Linux 6.1); DEBUG_EN as in
 * cwsr_trap_handler_gfx10.asm (Linux 6.12)
 */
#define MODE_FP_ROUND		GENMASK(3, 0)
#define MODE_FP_DENORM		GENMASK(7, 4)
#define MODE_DX10_CLAMP		BIT(8)
#define MODE_IEEE		BIT(9)
#define MODE_DEBUG_EN		BIT(11)
#define MODE_EXCP_EN		GENMASK(20, 12)
#define MODE_FP16_OVFL		BIT(23)

/* Why a wave does not issue instructions: bits of vgpu_wave.stop. */
#define VGPU_STOP_HALT		BIT(0)	/* STATUS.HALT, outside the handler */
#define VGPU_STOP_ENDED		BIT(1)	/* s_endpgm, killed */
#define VGPU_STOP_BARRIER	BIT(2)
#define VGPU_STOP_FATAL		BIT(3)	/* STATUS.FATAL_HALT */
#define VGPU_STOP_YIELD		BIT(4)	/* give the slice back, then go on */

struct vgpu_wave {
	/* v[register][lane]: one register is one plain array for the loops */
	_Alignas(64) u32 v[VGPU_NUM_VGPRS][VGPU_LANES];
	u32 s[128];		/* SGPRs, VCC, TTMPs, M0, EXEC */
	u64 pc;			/* byte address of the next instruction */
	u32 scc;		/* 0 or 1; STATUS.SCC is made from it */
	u32 stop;		/* VGPU_STOP_*; 0 = runs */
	u32 lanes;		/* 32 or 64 */
	u32 vmid;

	/*
	 * As written; vgpu_wave_status() adds SCC, EXECZ, VCCZ and IN_BARRIER,
	 * which are kept elsewhere. HALT and FATAL_HALT are here; if they take
	 * effect, ->stop says so.
	 */
	u32 status, trapsts, mode;
	u32 gpr_alloc, lds_alloc, ib_sts, ib_sts2;
	u32 hw_id1, hw_id2;
	u64 flat_scratch;
	u32 num_vgprs;		/* that the wave was given */

	/* Where it is. */
	u8 se, sa, wgp, simd, slot;
	u64 serial;		/* of its launch; never reused */
	struct vgpu_group *group;

	/*
	 * Instructions must be checked one by one: single step, watches valid
	 * for the VMID, a memory exception that is to come, tracing. Kept up to
	 * date by vgpu_wave_update_slow().
	 */
	bool slow;
	u64 instructions;	/* executed so far */
	u32 late;		/* instructions until a memory exception is told */
};

static inline u64 vgpu_wave_exec(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_EXEC] | (u64)w->s[VGPU_S_EXEC + 1] << 32;
}

static inline u64 vgpu_wave_vcc(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_VCC] | (u64)w->s[VGPU_S_VCC + 1] << 32;
}

/* How an access looks to an address watch. */
enum vgpu_watch_kind {
	VGPU_WATCH_READ,
	VGPU_WATCH_WRITE,
	VGPU_WATCH_ATOMIC,
	VGPU_WATCH_SCALAR_READ,	/* s_load: seen by SQ_WATCH, not TCP_WATCH */
};

/* What instructions ask about memory, beyond translation. */
struct vgpu_memory_hook {
	/* Local data share of the wave's group; NULL and 0 when it has none. */
	u8 *(*lds)(const struct vgpu_wave *w, u32 *size);
	/*
	 * For each active lane's access of a wave whose ->slow is set; returns
	 * the TRAPSTS bits of the watches it hits.
	 */
	u32 (*watch)(struct vgpu *g, const struct vgpu_wave *w, u64 addr,
		     u32 size, enum vgpu_watch_kind kind);
};

/* What they say, and ask of the wave's own registers. */
struct vgpu_message_hook {
	void (*end)(struct vgpu *g, struct vgpu_wave *w);
	void (*barrier)(struct vgpu *g, struct vgpu_wave *w);
	void (*halt)(struct vgpu *g, struct vgpu_wave *w, bool halt);
	void (*send)(struct vgpu *g, struct vgpu_wave *w, u32 simm16);
	/*
	 * s_getreg_b32 and s_setreg_b32. False when there is no such register.
	 * A field that may not be written in the present privilege keeps its
	 * value, silently. w->pc must be that of the next instruction: a write
	 * to MODE or TRAPSTS may trap.
	 */
	bool (*getreg)(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		       u32 *val);
	bool (*setreg)(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		       u32 mask, u32 val);
};

/*
 * Traps. w->pc must be the address that the handler is to see in TTMP0/1: that of
 * the instruction itself for s_trap and illegal instructions, that of the next one
 * for exceptions which let the instruction complete. On return w->pc is where the
 * wave goes on; it may be stopped (w->stop).
 */
struct vgpu_trap_hook {
	/* Without a handler it does nothing: w->pc goes to the next instruction. */
	void (*s_trap)(struct vgpu *g, struct vgpu_wave *w, u8 id);
	/*
	 * Without a handler, or inside of it, the wave stops for good
	 * (FATAL_HALT); see the quirk fatal-without-handler.
	 */
	void (*illegal)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * After each instruction (not s_endpgm) that began outside the handler,
	 * when w->slow: traps if MODE.DEBUG_EN says so.
	 */
	void (*step)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * Sets @bits of TRAPSTS, and traps if MODE.EXCP_EN (or the bit) asks for
	 * it. Memory violations without a handler stop the wave for good.
	 */
	void (*exception)(struct vgpu *g, struct vgpu_wave *w, u32 bits);
	/*
	 * The same for a memory violation or a watch of an instruction, which may
	 * come late: see the quirk memory-exception-lag. While w->late is set, the
	 * wave is slow, and late() is called after each further instruction.
	 */
	void (*memory)(struct vgpu *g, struct vgpu_wave *w, u32 bits);
	void (*late)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * s_rfe_b64: leave the handler for @pc. False (illegal) when not in one.
	 * The wave may be stopped afterwards (STATUS.HALT), or be in the handler
	 * again (an exception that is still there).
	 */
	bool (*rfe)(struct vgpu *g, struct vgpu_wave *w, u64 pc);
};

/* All that instructions know of the sequencer, which sets it. */
struct vgpu_wave_hooks {
	struct vgpu_memory_hook memory;
	struct vgpu_message_hook message;
	struct vgpu_trap_hook trap;
};

#endif /* VGPU_WAVE_H */
