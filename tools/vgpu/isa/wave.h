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

/*
 * Exceptions, and what else may bring a wave into its handler: bits of vgpu_wave.excp
 * and .excp_en. The first six have the order of the CPU's flags (MXCSR).
 */
#define WAVE_EXCP_INVALID	BIT(0)
#define WAVE_EXCP_DENORM	BIT(1)
#define WAVE_EXCP_DIV0		BIT(2)
#define WAVE_EXCP_OVERFLOW	BIT(3)
#define WAVE_EXCP_UNDERFLOW	BIT(4)
#define WAVE_EXCP_INEXACT	BIT(5)
#define WAVE_EXCP_INT_DIV0	BIT(6)
#define WAVE_EXCP_ARITH		GENMASK(6, 0)	/* all that arithmetic raises */
#define WAVE_EXCP_WATCH0	BIT(7)
#define WAVE_EXCP_WATCH		GENMASK(10, 7)	/* one for each watch */
#define WAVE_EXCP_MEM_VIOL	BIT(11)
#define WAVE_EXCP_ILLEGAL_INST	BIT(12)
#define WAVE_EXCP_SAVECTX	BIT(13)
#define WAVE_EXCP_BUFFER_OOB	BIT(14)

/*
 * A wave's registers that the host and s_getreg_b32 name. How the members of struct
 * vgpu_wave are packed into them, a generation says (struct vgpu_isa).
 */
enum vgpu_hwreg {
	VGPU_HWREG_NONE,
	VGPU_HWREG_MODE,
	VGPU_HWREG_STATUS,
	VGPU_HWREG_TRAPSTS,
	VGPU_HWREG_GPR_ALLOC,
	VGPU_HWREG_LDS_ALLOC,
	VGPU_HWREG_IB_STS,
	VGPU_HWREG_SH_MEM_BASES,
	VGPU_HWREG_TBA_LO,
	VGPU_HWREG_TBA_HI,
	VGPU_HWREG_TMA_LO,
	VGPU_HWREG_TMA_HI,
	VGPU_HWREG_FLAT_SCR_LO,
	VGPU_HWREG_FLAT_SCR_HI,
	VGPU_HWREG_HW_ID1,
	VGPU_HWREG_HW_ID2,
	VGPU_HWREG_POPS_PACKER,
	VGPU_HWREG_SCHED_MODE,
	VGPU_HWREG_IB_STS2,
	VGPU_HWREG_SHADER_CYCLES,
};

/* Why a wave does not issue instructions: bits of vgpu_wave.stop. */
#define VGPU_STOP_HALT		BIT(0)	/* ->halt, outside the handler */
#define VGPU_STOP_ENDED		BIT(1)	/* s_endpgm, killed */
#define VGPU_STOP_BARRIER	BIT(2)
#define VGPU_STOP_FATAL		BIT(3)	/* ->fatal_halt */
#define VGPU_STOP_YIELD		BIT(4)	/* end the slice, then continue */

/* As many registers have fields that nothing here looks at. */
#define VGPU_WAVE_KEPT	5

struct vgpu_wave {
	/* v[register][lane]: one register is one plain array for the loops */
	_Alignas(64) u32 v[VGPU_NUM_VGPRS][VGPU_LANES];
	u32 s[128];		/* SGPRs, VCC, TTMPs, M0, EXEC */
	u64 pc;			/* byte address of the next instruction */
	u32 scc;		/* 0 or 1 */
	u32 stop;		/* VGPU_STOP_*; 0 = runs */
	u32 lanes;		/* 32 or 64 */
	u32 vmid;

	/* What it is in, has and is asked for; if a halt takes effect, ->stop says so. */
	bool valid, in_tg;
	bool priv;		/* in its trap handler */
	bool trap_en;		/* has one */
	bool halt, fatal_halt;
	bool host_trap;		/* waits until it can enter its handler */
	bool debug_en;		/* traps after each instruction */
	bool cond_dbg_user, cond_dbg_sys;
	u8 spi_prio, user_prio;
	/* Arithmetic. Two bits for 32-bit floats, above them two for all others. */
	u8 fp_round, fp_denorm;
	bool dx10_clamp, ieee, fp16_ovfl;
	u32 excp, excp_en;	/* exceptions: met, enabled */
	/* Fields of registers that are only stored, where the generation wants them. */
	u32 kept[VGPU_WAVE_KEPT];

	u64 flat_scratch;
	bool fwd_progress;
	/* What it was given: VGPRs of the SIMD's, bytes of the WGP's LDS */
	u32 vgpr_base, num_vgprs;
	u32 shared_vgprs;	/* behind its own, see shared.c */
	u32 lds_base, lds_bytes;

	/* Where it is, and for whom. */
	u8 se, sa, wgp, simd, slot;
	u8 me, pipe, queue;
	u8 group_id;		/* among those of the WGP */
	u64 serial;		/* of its launch; anew after a cold reset */
	struct vgpu_group *group;

	/*
	 * Instructions must be checked one by one: single step, watches valid
	 * for the VMID, a memory exception that is to come, tracing. Kept up to
	 * date by vgpu_wave_update_slow().
	 */
	bool slow;
	u64 instructions;	/* executed so far */
	u32 late;		/* instructions until a memory exception is raised */
	u32 sleep;		/* clocks for which it has just asked not to run */
};

static inline u64 vgpu_wave_exec(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_EXEC] | (u64)w->s[VGPU_S_EXEC + 1] << 32;
}

static inline u64 vgpu_wave_vcc(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_VCC] | (u64)w->s[VGPU_S_VCC + 1] << 32;
}

/* VGPRs that instructions may name */
static inline u32 vgpu_wave_vgprs(const struct vgpu_wave *w)
{
	return w->num_vgprs + w->shared_vgprs;
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
	 * the WAVE_EXCP_* bits of the watches it hits.
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
	 * may trap.
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
 * wave continues; it may be stopped (w->stop).
 */
struct vgpu_trap_hook {
	/* Without a handler it does nothing: w->pc goes to the next instruction. */
	void (*s_trap)(struct vgpu *g, struct vgpu_wave *w, u8 id);
	/*
	 * Without a handler, or inside of it, the wave is halted for ever;
	 * see the quirk fatal-without-handler.
	 */
	void (*illegal)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * After each instruction (not s_endpgm) that began outside the handler,
	 * when w->slow: traps if w->debug_en.
	 */
	void (*step)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * The wave has met @bits (WAVE_EXCP_*), and traps if they are enabled, or
	 * need not be. Memory violations without a handler stop the wave for good.
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
	 * The wave may be stopped afterwards (a halt), or be in the handler
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
