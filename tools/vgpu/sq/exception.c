// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exceptions of waves: a wave that has a trap handler enters it; one without may halt for
 * ever. Also the return from a handler, after which the next pending trap is taken.
 */
#include "gpu.h"
#include "isa/wave.h"
#include "profiles/profile.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "sq/priv.h"

/* Bits of the quirk fatal-without-handler */
#define FATAL_ILLEGAL		BIT(0)
#define FATAL_MEM_VIOL		BIT(1)

static void fatal_halt(struct vgpu *g, struct sq_wave *sw, const char *why)
{
	struct vgpu_wave *w = &sw->w;

	vgpu_log(g, "wave %u.%u.%u.%u.%u of VMID %u is halted for ever at PC 0x%llx: %s",
		 w->se, w->sa, w->wgp, w->simd, w->slot, w->vmid,
		 (unsigned long long)w->pc, why);
	w->fatal_halt = true;
	sq_wave_update_stop(g, sw);
}

void vgpu_trap_illegal(struct vgpu *g, struct vgpu_wave *w)
{
	w->excp |= WAVE_EXCP_ILLEGAL_INST;
	sq_wave_send_error(g, w, g->profile->gen->sq_iv.error_illegal_inst);
	if (sq_can_trap(w))
		sq_trap_enter(g, sq_wave_of(w), 0, false);
	else if (vgpu_quirk(g, VGPU_QUIRK_FATAL_WITHOUT_HANDLER) &
		 FATAL_ILLEGAL)
		fatal_halt(g, sq_wave_of(w), "illegal instruction");
	else
		vgpu_wave_end(g, w);
}

/*
 * Set exceptions in TRAPSTS and enter the handler, if possible. @of_handler: those of
 * @bits that the handler itself has caused. Exceptions that the program had caused before
 * stay pending in TRAPSTS until the wave has left its handler.
 */
static void raise_bits(struct vgpu *g, struct vgpu_wave *w, u32 bits, u32 of_handler)
{
	u32 fatal = w->trap_en ? of_handler : bits;

	w->excp |= bits;
	if (bits & WAVE_EXCP_WATCH)
		sq_history(w)->watch_hits++;
	if (bits & WAVE_EXCP_MEM_VIOL)
		sq_wave_send_error(g, w, g->profile->gen->sq_iv.error_mem_viol);
	if (!sq_trapping(w, bits))
		return;
	if (sq_can_trap(w))
		sq_trap_enter_exception(g, sq_wave_of(w));
	else if (fatal & WAVE_EXCP_MEM_VIOL &&
		 vgpu_quirk(g, VGPU_QUIRK_FATAL_WITHOUT_HANDLER) &
		 FATAL_MEM_VIOL)
		fatal_halt(g, sq_wave_of(w), "memory violation");
}

/* Get those of @bits that the handler causes if they are raised now: all or none. */
static u32 met_by_handler(const struct vgpu_wave *w, u32 bits)
{
	return w->priv ? bits : 0;
}

void vgpu_trap_exception(struct vgpu *g, struct vgpu_wave *w, u32 bits)
{
	raise_bits(g, w, bits, met_by_handler(w, bits));
}

void vgpu_trap_memory(struct vgpu *g, struct vgpu_wave *w, u32 bits)
{
	struct sq_wave *sw = sq_wave_of(w);
	u32 lag = vgpu_quirk(g, VGPU_QUIRK_MEMORY_EXCEPTION_LAG);

	if (!lag) {
		vgpu_trap_exception(g, w, bits);
		return;
	}
	if (!w->late)
		w->late = lag;
	sw->late_bits |= bits;
	sw->late_of_handler |= met_by_handler(w, bits);
	vgpu_wave_update_slow(g, w);
}

void vgpu_trap_late(struct vgpu *g, struct vgpu_wave *w)
{
	struct sq_wave *sw = sq_wave_of(w);
	u32 bits = sw->late_bits, of_handler = sw->late_of_handler;

	if (--w->late)
		return;
	sw->late_bits = 0;
	sw->late_of_handler = 0;
	vgpu_wave_update_slow(g, w);
	raise_bits(g, w, bits, of_handler);
}

bool vgpu_trap_return(struct vgpu *g, struct vgpu_wave *w, u64 pc)
{
	if (!w->priv)
		return false;
	w->priv = false;
	w->pc = sq_sign_extend_pc(g, pc);
	sq_wave_update_stop(g, sq_wave_of(w));
	if (!sq_wave_check_kill(g, sq_wave_of(w)))
		sq_trap_check(g, sq_wave_of(w));
	return true;
}
