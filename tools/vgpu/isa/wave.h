/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One wave: the architectural state that sq/ (slots, commands, traps) and isa/
 * (instructions) share, and the hooks by which instructions call sq/.
 */
#ifndef VGPU_WAVE_H
#define VGPU_WAVE_H

#include "types.h"

struct vgpu;
struct vgpu_group;

#define VGPU_LANES	64
#define VGPU_NUM_VGPRS	256

/* Indices of vgpu_wave.s[], which are the operand numbers of gfx10. */
#define VGPU_S_VCC	106
#define VGPU_S_TTMP0	108
#define VGPU_S_M0	124
#define VGPU_S_NULL	125
#define VGPU_S_EXEC	126

/*
 * Exceptions, and other causes for which a wave may enter its handler: bits of
 * vgpu_wave.excp and .excp_en. The first six have the order of the CPU's flags (MXCSR).
 */
#define WAVE_EXCP_INVALID	BIT(0)
#define WAVE_EXCP_DENORM	BIT(1)
#define WAVE_EXCP_DIV0		BIT(2)
#define WAVE_EXCP_OVERFLOW	BIT(3)
#define WAVE_EXCP_UNDERFLOW	BIT(4)
#define WAVE_EXCP_INEXACT	BIT(5)
#define WAVE_EXCP_INT_DIV0	BIT(6)
#define WAVE_EXCP_ARITH		GENMASK(6, 0)	/* all exceptions of arithmetic */
#define WAVE_EXCP_WATCH0	BIT(7)
#define WAVE_EXCP_WATCH		GENMASK(10, 7)	/* one for each watch */
#define WAVE_EXCP_MEM_VIOL	BIT(11)
#define WAVE_EXCP_ILLEGAL_INST	BIT(12)
#define WAVE_EXCP_SAVECTX	BIT(13)
#define WAVE_EXCP_BUFFER_OOB	BIT(14)

/*
 * Registers of a wave that the host and s_getreg_b32 can read. Their layouts belong to an
 * instruction set, which composes them from members of struct vgpu_wave (struct vgpu_isa).
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

/* Number of registers with fields that vgpu only stores. */
#define VGPU_WAVE_KEPT	5

struct vgpu_wave {
	/* v[register][lane]: a register is an array, for loops over lanes */
	_Alignas(64) u32 v[VGPU_NUM_VGPRS][VGPU_LANES];
	u32 s[128];		/* SGPRs, VCC, TTMPs, M0, EXEC */
	u64 pc;			/* byte address of the next instruction */
	u32 scc;		/* 0 or 1 */
	u32 stop;		/* VGPU_STOP_*; 0 = runs */
	u32 lanes;		/* 32 or 64 */
	u32 vmid;

	/* State in STATUS and MODE. A halt that takes effect is also in ->stop. */
	bool valid, in_tg;	/* in_tg: its work-group has several waves */
	bool priv;		/* it is in its trap handler */
	bool trap_en;		/* it has a trap handler */
	bool halt, fatal_halt;
	bool host_trap;		/* a trap by the host is pending */
	bool debug_en;		/* it traps after each instruction */
	bool cond_dbg_user, cond_dbg_sys;
	u8 spi_prio, user_prio;
	/* Arithmetic. Bits 1:0 are for floats of 32 bits, bits 3:2 for all others. */
	u8 fp_round, fp_denorm;
	bool dx10_clamp, ieee, fp16_ovfl;
	u32 excp, excp_en;	/* exceptions: raised, enabled */
	/* Fields of registers that are only stored, at their places in the register */
	u32 kept[VGPU_WAVE_KEPT];

	u64 flat_scratch;
	bool fwd_progress;
	/* Its allocations: VGPRs of the SIMD, bytes of the WGP's LDS */
	u32 vgpr_base, num_vgprs;
	u32 shared_vgprs;	/* they follow its own, see shared.c */
	u32 lds_base, lds_bytes;

	/* Its coordinates, and those of its queue */
	u8 se, sa, wgp, simd, slot;
	u8 me, pipe, queue;
	u8 group_id;		/* id of its work-group on the WGP */
	u64 serial;		/* counts the waves started since the last cold reset */
	struct vgpu_group *group;

	/*
	 * Instructions must be executed and checked one by one: for single steps, for
	 * watches in the VMID, for a delayed memory exception, for tracing. Updated by
	 * vgpu_wave_update_slow().
	 */
	bool slow;
	u64 instructions;	/* executed so far */
	u32 late;		/* instructions until a memory exception is raised */
	u32 sleep;		/* number of clocks of the s_sleep that it has just executed */
};

static inline u64 vgpu_wave_exec(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_EXEC] | (u64)w->s[VGPU_S_EXEC + 1] << 32;
}

static inline u64 vgpu_wave_vcc(const struct vgpu_wave *w)
{
	return w->s[VGPU_S_VCC] | (u64)w->s[VGPU_S_VCC + 1] << 32;
}

/* Get the number of VGPRs that instructions can access. */
static inline u32 vgpu_wave_vgprs(const struct vgpu_wave *w)
{
	return w->num_vgprs + w->shared_vgprs;
}

/* The kinds of accesses that address watches distinguish. */
enum vgpu_watch_kind {
	VGPU_WATCH_READ,
	VGPU_WATCH_WRITE,
	VGPU_WATCH_ATOMIC,
	VGPU_WATCH_SCALAR_READ,	/* s_load: seen by SQ_WATCH, not TCP_WATCH */
};

/* Hooks for memory, besides translation. */
struct vgpu_memory_hook {
	/* Get the LDS of the wave's group and its size; NULL and 0: it has none. */
	u8 *(*lds)(const struct vgpu_wave *w, u32 *size);
	/*
	 * Get the watches that an access hits, as WAVE_EXCP_* bits. Called for the access
	 * of each active lane of a wave if ->slow is set.
	 */
	u32 (*watch)(struct vgpu *g, const struct vgpu_wave *w, u64 addr,
		     u32 size, enum vgpu_watch_kind kind);
};

/* Hooks for messages, and for the wave's own registers. */
struct vgpu_message_hook {
	void (*end)(struct vgpu *g, struct vgpu_wave *w);
	void (*barrier)(struct vgpu *g, struct vgpu_wave *w);
	void (*halt)(struct vgpu *g, struct vgpu_wave *w, bool halt);
	void (*send)(struct vgpu *g, struct vgpu_wave *w, u32 simm16);
	/*
	 * s_getreg_b32 and s_setreg_b32. Returns false if there is no such register. A
	 * write outside of the handler to a register that only a handler can write is
	 * ignored. w->pc must be that of the next instruction: a write may trap.
	 */
	bool (*getreg)(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		       u32 *val);
	bool (*setreg)(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		       u32 mask, u32 val);
};

/*
 * Hooks for traps. The caller sets w->pc to the address that the handler must see in
 * TTMP0/1: that of the instruction itself for s_trap and illegal instructions, that of the
 * next instruction for exceptions after which the instruction completes. On return the wave
 * continues at w->pc, or is stopped (w->stop).
 */
struct vgpu_trap_hook {
	/* s_trap. If the wave cannot trap, it continues with the next instruction. */
	void (*s_trap)(struct vgpu *g, struct vgpu_wave *w, u8 id);
	/*
	 * An illegal instruction. If the wave has no handler, or is in it, it is halted
	 * for ever: see the quirk fatal-without-handler.
	 */
	void (*illegal)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * Called if w->slow is set, after each instruction except s_endpgm that began
	 * outside of the handler: traps if w->debug_en is set.
	 */
	void (*step)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * Raise exceptions (WAVE_EXCP_*): the wave traps if one of them is enabled, or
	 * cannot be disabled. A memory violation without a handler halts the wave for
	 * ever.
	 */
	void (*exception)(struct vgpu *g, struct vgpu_wave *w, u32 bits);
	/*
	 * The same for a memory violation or a watch hit by an instruction, which may be
	 * delayed: see the quirk memory-exception-lag. While w->late is set, the wave is
	 * slow, and late() is called after each further instruction.
	 */
	void (*memory)(struct vgpu *g, struct vgpu_wave *w, u32 bits);
	void (*late)(struct vgpu *g, struct vgpu_wave *w);
	/*
	 * s_rfe_b64: leave the handler and continue at @pc. Returns false if the wave is
	 * not in its handler: the instruction is illegal. Afterwards the wave may be
	 * stopped by a halt, or be in its handler again for a pending trap.
	 */
	bool (*rfe)(struct vgpu *g, struct vgpu_wave *w, u64 pc);
};

/* All hooks by which instructions call the sequencer, which sets them. */
struct vgpu_wave_hooks {
	struct vgpu_memory_hook memory;
	struct vgpu_message_hook message;
	struct vgpu_trap_hook trap;
};

#endif /* VGPU_WAVE_H */
