// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wave's state registers as hardware shows them, and s_sethalt.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "regs/regs.h"
#include "sq/priv.h"

void vgpu_wave_set_reg(struct vgpu *g, struct vgpu_wave *w, enum vgpu_hwreg reg,
		       u32 val)
{
	vgpu_isa_of(g)->unpack(g, w, reg, val);
	vgpu_wave_update_slow(g, w);
	sq_wave_update_stop(g, sq_wave_of(w));
	if (!sq_wave_check_kill(g, sq_wave_of(w)))
		sq_trap_check(g, sq_wave_of(w));
}

/* Read a register that a wave sees only in its trap handler; outside it reads 0. */
static u32 handler_reg(struct vgpu *g, const struct vgpu_wave *w,
		       enum vgpu_role role)
{
	if (!w->priv)
		return 0;
	return sq_reg_of_wave(g, w, role);
}

static enum vgpu_hwreg hwreg_of(struct vgpu *g, unsigned int id)
{
	return id < VGPU_NUM_HWREG_IDS ? vgpu_isa_of(g)->hwregs[id] :
					 VGPU_HWREG_NONE;
}

static bool read_reg(struct vgpu *g, const struct vgpu_wave *w,
		     enum vgpu_hwreg reg, u32 *val)
{
	switch (reg) {
	case VGPU_HWREG_SH_MEM_BASES:
		*val = *vgpu_reg_of_vmid(g, w->vmid, R_SH_MEM_BASES, 0);
		return true;
	case VGPU_HWREG_TBA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_LO);
		return true;
	case VGPU_HWREG_TBA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_HI);
		return true;
	case VGPU_HWREG_TMA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_LO);
		return true;
	case VGPU_HWREG_TMA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_HI);
		return true;
	default:
		return vgpu_isa_of(g)->pack(g, w, reg, val);
	}
}

u32 vgpu_wave_reg(struct vgpu *g, const struct vgpu_wave *w, enum vgpu_hwreg reg)
{
	u32 val = 0;

	read_reg(g, w, reg, &val);
	return val;
}

bool vgpu_wave_getreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 *val)
{
	return read_reg(g, w, hwreg_of(g, id), val);
}

/* Can only a trap handler write the register? (RDNA ISA, S_SETREG_B32) */
static bool handler_writes(enum vgpu_hwreg reg)
{
	return reg == VGPU_HWREG_STATUS || reg == VGPU_HWREG_IB_STS;
}

bool vgpu_wave_setreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 mask, u32 val)
{
	enum vgpu_hwreg reg = hwreg_of(g, id);
	u32 old;

	/* Naming a register that can be read is valid, even if the write has no effect. */
	if (!read_reg(g, w, reg, &old))
		return false;
	val = (old & ~mask) | (val & mask);
	if (w->priv || !handler_writes(reg))
		vgpu_wave_set_reg(g, w, reg, val);
	return true;
}

void vgpu_wave_halt(struct vgpu *g, struct vgpu_wave *w, bool halt)
{
	w->halt = halt;
	sq_wave_update_stop(g, sq_wave_of(w));
	if (!sq_wave_check_kill(g, sq_wave_of(w)))
		sq_trap_check(g, sq_wave_of(w));
}
