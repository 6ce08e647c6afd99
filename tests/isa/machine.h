/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine for tests of instructions: the interpreter with simple memory instead of the GMC,
 * and a sequencer that only records the calls of its hooks.
 */
#ifndef TESTS_ISA_MACHINE_H
#define TESTS_ISA_MACHINE_H

#include "isa/internal.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/quirks.h"

/* VMID 1 sees this memory; the page at MACHINE_HOLE is missing. */
#define MACHINE_VMID	1
#define MACHINE_BASE	0x100000000ULL
#define MACHINE_SIZE	0x2000000ULL
#define MACHINE_LDS	1024
/* Van Gogh's (gfx_v10_0.c, golden_settings_gc_10_3_vangogh, Linux 6.12) */
#define MACHINE_GB_ADDR_CONFIG	0x142
#define MACHINE_HOLE	(MACHINE_BASE + 0x800000)

struct machine {
	struct vgpu g;
	struct vgpu_profile profile;
	struct vgpu_wave *w;
	u8 *mem;
	u8 lds[MACHINE_LDS];
	/* What the wave did */
	unsigned int ended, illegal, barriers, messages, faults, steps;
	unsigned int complaints;
	int s_trap;		/* id, -1: none */
	u32 exceptions;		/* WAVE_EXCP_* of all vgpu_trap_exception() calls */
	u64 exception_pc;	/* of the last */
	u64 fault_va;
	u32 message;
	u64 rfe_pc;
	/* Address watch: bits for accesses of [watch_va, watch_va + 4) */
	u64 watch_va;
	u32 watch_bits;
	enum vgpu_watch_kind watch_kind;
	/* Hardware registers other than those of the wave itself */
	u32 hwreg[64];
	char log[4096];		/* last line of vgpu_log_each() */
	u64 lines;
};

struct machine *machine_new(void);
void machine_free(struct machine *m);
/* Registers, and what was written down, back to zero; memory stays. */
void machine_reset(struct machine *m, unsigned int lanes);
u8 *machine_mem(struct machine *m, u64 va);
/* A register of the wave's, as s_getreg_b32 and a trap handler's s_setreg_b32 do. */
u32 machine_reg(const struct machine *m, enum vgpu_hwreg reg);
void machine_set_reg(struct machine *m, enum vgpu_hwreg reg, u32 val);
/* TRAPSTS of a wave that has met @excp, WAVE_EXCP_* */
u32 machine_trapsts(const struct machine *m, u32 excp);
/* Put code at MACHINE_BASE, and the wave at its beginning. */
void machine_code(struct machine *m, const void *code, size_t size);
/* Run until the wave ends or @n instructions have been executed. */
unsigned int machine_run(struct machine *m, unsigned int n);
/* The next of a fixed sequence of arbitrary numbers */
u32 machine_random(void);

#endif /* TESTS_ISA_MACHINE_H */
