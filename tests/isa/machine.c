// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See machine.h. This file has simple versions of the functions of other blocks that the
 * interpreter calls, and of its hooks.
 */
#include "machine.h"
#include "profiles/profiles.h"
#include "regs/quirks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PC_ALIGN 64

static const struct vgpu_wave_hooks hooks;
static struct vgpu_tlb tlb;
static u64 now_ns;
/* The machine that was reset last: the wave does not tell. */
static struct machine *lds_machine;

static struct machine *machine_of(struct vgpu *g)
{
	return (struct machine *)((char *)g - offsetof(struct machine, g));
}

struct machine *machine_new(void)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	m->mem = aligned_alloc(VGPU_PAGE_SIZE, MACHINE_SIZE);
	m->w = aligned_alloc(PC_ALIGN, (sizeof(*m->w) + 63) / 64 * 64);
	if (!m->mem || !m->w)
		abort();
	memset(m->mem, 0, MACHINE_SIZE);
	/* That of the machine before. */
	vgpu_tlb_init(&tlb);
	m->profile.gen = &vgpu_gfx10_3;
	m->profile.llvm_cpu = "gfx1033";
	m->profile.gb_addr_config = MACHINE_GB_ADDR_CONFIG;
	m->g.profile = &m->profile;
	m->g.hooks.wave = &hooks;
	if (vgpu_quirks_init(&m->g) || vgpu_isa_init(&m->g))
		abort();
	machine_reset(m, 32);
	return m;
}

void machine_free(struct machine *m)
{
	vgpu_isa_fini(&m->g);
	vgpu_quirks_fini(&m->g);
	free(m->mem);
	free(m->w);
	free(m);
}

void machine_reset(struct machine *m, unsigned int lanes)
{
	struct vgpu_wave *w = m->w;

	lds_machine = m;
	memset(w, 0, sizeof(*w));
	w->pc = MACHINE_BASE;
	w->lanes = lanes;
	w->vmid = MACHINE_VMID;
	w->num_vgprs = VGPU_NUM_VGPRS;
	w->s[VGPU_S_EXEC] = ~0U;
	w->s[VGPU_S_EXEC + 1] = lanes == 64 ? ~0U : 0;
	/* What clang asks for: denormals, IEEE, DX10_CLAMP */
	w->fp_denorm = 0xf;
	w->dx10_clamp = true;
	w->ieee = true;
	m->ended = 0;
	m->illegal = 0;
	m->barriers = 0;
	m->messages = 0;
	m->faults = 0;
	m->steps = 0;
	m->complaints = 0;
	m->s_trap = -1;
	m->exceptions = 0;
	m->exception_pc = 0;
	m->fault_va = 0;
	m->rfe_pc = 0;
	m->watch_va = 0;
	m->watch_bits = 0;
	m->lines = 0;
	now_ns = 0;
	memset(m->hwreg, 0, sizeof(m->hwreg));
}

u32 machine_reg(const struct machine *m, enum vgpu_hwreg reg)
{
	u32 val = 0;

	if (!vgpu_isa_of(&m->g)->pack(&m->g, m->w, reg, &val))
		abort();
	return val;
}

void machine_set_reg(struct machine *m, enum vgpu_hwreg reg, u32 val)
{
	vgpu_isa_of(&m->g)->unpack(&m->g, m->w, reg, val);
}

u32 machine_trapsts(const struct machine *m, u32 excp)
{
	static struct vgpu_wave w;
	u32 val = 0;

	w.excp = excp;
	vgpu_isa_of(&m->g)->pack(&m->g, &w, VGPU_HWREG_TRAPSTS, &val);
	return val;
}

u8 *machine_mem(struct machine *m, u64 va)
{
	if (va < MACHINE_BASE || va >= MACHINE_BASE + MACHINE_SIZE)
		abort();
	return m->mem + (va - MACHINE_BASE);
}

void machine_code(struct machine *m, const void *code, size_t size)
{
	vgpu_isa_invalidate(&m->g, ~0U);
	memcpy(m->mem, code, size);
	m->w->pc = MACHINE_BASE;
}

unsigned int machine_run(struct machine *m, unsigned int n)
{
	unsigned int done = 0, last = 1;

	while (done < n && last && !(m->w->stop & ~VGPU_STOP_YIELD)) {
		m->w->stop = 0;
		last = vgpu_isa_run(&m->g, m->w, n - done);
		done += last;
	}
	return done;
}

/* gmc.c */

u8 *vgpu_gmc_translate(struct vgpu *g, unsigned int vmid, u64 va,
		       enum vgpu_access access)
{
	struct machine *m = machine_of(g);

	(void)access;
	if (vmid != MACHINE_VMID || va < MACHINE_BASE ||
	    va >= MACHINE_BASE + MACHINE_SIZE ||
	    va >> VGPU_PAGE_SHIFT == MACHINE_HOLE >> VGPU_PAGE_SHIFT)
		return NULL;
	if (access != VGPU_EXEC)
		vgpu_tlb_insert(&tlb, vmid, access == VGPU_WRITE, va,
				machine_mem(m, va & ~(VGPU_PAGE_SIZE - 1ULL)));
	return machine_mem(m, va);
}

u8 *vgpu_gmc_find(struct vgpu *g, unsigned int vmid, u64 va, bool write)
{
	u8 *p = vgpu_tlb_find(vgpu_tlb_pages(&tlb, vmid, write), va);

	return p ? p : vgpu_gmc_translate(g, vmid, va, write ? VGPU_WRITE :
					  VGPU_READ);
}

struct vgpu_tlb *vgpu_gmc_tlb(struct vgpu *g)
{
	(void)g;
	return &tlb;
}

void vgpu_gmc_fault(struct vgpu *g, unsigned int vmid, u64 va,
		    enum vgpu_access access)
{
	struct machine *m = machine_of(g);

	(void)vmid;
	(void)access;
	m->faults++;
	m->fault_va = va;
}

/* The hooks: sequencer */

static void wave_end(struct vgpu *g, struct vgpu_wave *w)
{
	machine_of(g)->ended++;
	w->stop |= VGPU_STOP_ENDED;
}

static void wave_barrier(struct vgpu *g, struct vgpu_wave *w)
{
	(void)w;
	machine_of(g)->barriers++;
}

static void wave_sendmsg(struct vgpu *g, struct vgpu_wave *w, u32 simm16)
{
	(void)w;
	machine_of(g)->messages++;
	machine_of(g)->message = simm16;
}

static void wave_halt(struct vgpu *g, struct vgpu_wave *w, bool halt)
{
	(void)g;
	if (halt)
		w->stop |= VGPU_STOP_HALT;
	else
		w->stop &= ~VGPU_STOP_HALT;
}

static u8 *wave_lds(const struct vgpu_wave *w, u32 *size)
{
	(void)w;
	*size = MACHINE_LDS;
	return lds_machine->lds;
}

static bool wave_getreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
			u32 *val)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);

	if (id == 63)
		return false;
	if (!isa->pack(g, w, isa->hwregs[id], val))
		*val = machine_of(g)->hwreg[id];
	return true;
}

static bool wave_setreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
			u32 mask, u32 val)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	u32 old;

	if (!wave_getreg(g, w, id, &old))
		return false;
	val = (old & ~mask) | (val & mask);
	machine_of(g)->hwreg[id] = val;
	isa->unpack(g, w, isa->hwregs[id], val);
	return true;
}

/* The hooks: nothing enters a handler, a test looks at what was asked for. */

static void s_trap(struct vgpu *g, struct vgpu_wave *w, u8 id)
{
	machine_of(g)->s_trap = id;
	w->pc += 4;
}

static void trap_illegal(struct vgpu *g, struct vgpu_wave *w)
{
	machine_of(g)->illegal++;
	w->stop |= VGPU_STOP_FATAL;
}

static void trap_step(struct vgpu *g, struct vgpu_wave *w)
{
	(void)w;
	machine_of(g)->steps++;
}

static void trap_exception(struct vgpu *g, struct vgpu_wave *w, u32 bits)
{
	struct machine *m = machine_of(g);

	m->exceptions |= bits;
	m->exception_pc = w->pc;
	w->excp |= bits;
}

static void trap_late(struct vgpu *g, struct vgpu_wave *w)
{
	(void)w;
	(void)g;
	abort();	/* none is late here */
}

static bool trap_return(struct vgpu *g, struct vgpu_wave *w, u64 pc)
{
	if (!w->priv)
		return false;
	w->priv = false;
	machine_of(g)->rfe_pc = pc;
	w->pc = pc;
	return true;
}

static u32 watch_match(struct vgpu *g, const struct vgpu_wave *w, u64 addr,
		       u32 size, enum vgpu_watch_kind kind)
{
	struct machine *m = machine_of(g);

	(void)w;
	if (addr + size <= m->watch_va || addr >= m->watch_va + 4 ||
	    kind != m->watch_kind)
		return 0;
	return m->watch_bits;
}

static const struct vgpu_wave_hooks hooks = {
	.memory = { .lds = wave_lds, .watch = watch_match },
	.message = {
		.end = wave_end,
		.barrier = wave_barrier,
		.halt = wave_halt,
		.send = wave_sendmsg,
		.getreg = wave_getreg,
		.setreg = wave_setreg,
	},
	.trap = {
		.s_trap = s_trap,
		.illegal = trap_illegal,
		.step = trap_step,
		.exception = trap_exception,
		.memory = trap_exception,
		.late = trap_late,
		.rfe = trap_return,
	},
};

/* checker.c, log.c */

static void keep(struct machine *m, const char *fmt, va_list ap)
{
	vsnprintf(m->log, sizeof(m->log), fmt, ap);
	m->lines++;
}

void vgpu_complain(struct vgpu *g, enum vgpu_complaint what, const char *fmt,
		   ...)
{
	va_list ap;

	(void)what;
	machine_of(g)->complaints++;
	va_start(ap, fmt);
	keep(machine_of(g), fmt, ap);
	va_end(ap);
}

void vgpu_log_each(struct vgpu *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep(machine_of(g), fmt, ap);
	va_end(ap);
}

u64 vgpu_now_ns(void)
{
	/* A clock that advances by 1 us at each read. */
	return now_ns += 1000;
}

u32 machine_random(void)
{
	static u64 state = 0x9e3779b97f4a7c15ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 16);
}
