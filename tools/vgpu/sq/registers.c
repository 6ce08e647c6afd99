// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wave's state registers, and its halt.
 */
#include "gpu.h"
#include "isa/wave.h"
#include "regs/regs.h"
#include "sq/priv.h"

/* SQ_HW_REG ids: LLVM 19 AMDGPU SIDefines.h; IB_STS2: gfx12's name for 28 */
enum {
	HW_REG_MODE = 1,
	HW_REG_STATUS = 2,
	HW_REG_TRAPSTS = 3,
	HW_REG_GPR_ALLOC = 5,
	HW_REG_LDS_ALLOC = 6,
	HW_REG_IB_STS = 7,
	HW_REG_SH_MEM_BASES = 15,
	HW_REG_TBA_LO = 16,
	HW_REG_TBA_HI = 17,
	HW_REG_TMA_LO = 18,
	HW_REG_TMA_HI = 19,
	HW_REG_FLAT_SCR_LO = 20,
	HW_REG_FLAT_SCR_HI = 21,
	HW_REG_HW_ID1 = 23,
	HW_REG_HW_ID2 = 24,
	HW_REG_POPS_PACKER = 25,
	HW_REG_SCHED_MODE = 26,
	HW_REG_IB_STS2 = 28,
	HW_REG_SHADER_CYCLES = 29,
};

#define SHADER_CYCLES	GENMASK(19, 0)	/* gfx10.3: LLVM 19, SIDefines.h */

/*
 * RDNA ISA, table of status register fields, "write when PRIV": what a handler
 * cannot change. SCC is kept elsewhere.
 */
#define STATUS_READ_ONLY \
	(STATUS_PRIV | STATUS_TRAP_EN | STATUS_EXECZ | STATUS_VCCZ | \
	 STATUS_IN_TG | STATUS_IN_BARRIER | STATUS_TRAP | STATUS_VALID | \
	 STATUS_FATAL_HALT)

static bool mask_is_zero(const struct vgpu_wave *w, u64 mask)
{
	return w->lanes == 32 ? !lower_32_bits(mask) : !mask;
}

u32 vgpu_wave_status(const struct vgpu_wave *w)
{
	u32 status = w->status & ~STATUS_SCC;

	if (w->scc)
		status |= STATUS_SCC;
	if (mask_is_zero(w, vgpu_wave_exec(w)))
		status |= STATUS_EXECZ;
	if (mask_is_zero(w, vgpu_wave_vcc(w)))
		status |= STATUS_VCCZ;
	if (w->stop & VGPU_STOP_BARRIER)
		status |= STATUS_IN_BARRIER;
	return status;
}

void vgpu_wave_set_status(struct vgpu *g, struct vgpu_wave *w, u32 status)
{
	w->status = (w->status & STATUS_READ_ONLY) |
		    (status & ~STATUS_READ_ONLY);
	w->scc = !!(status & STATUS_SCC);
	sq_wave_update_stop(g, sq_wave_of(w));
	sq_trap_check(g, sq_wave_of(w));
}

/* The registers that a shader sees only in its trap handler; else 0. */
static u32 handler_reg(struct vgpu *g, const struct vgpu_wave *w,
		       enum vgpu_role role)
{
	if (!(w->status & STATUS_PRIV))
		return 0;
	return sq_reg_of_wave(g, w, role);
}

bool vgpu_wave_getreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 *val)
{
	switch (id) {
	case HW_REG_MODE:
		*val = w->mode;
		break;
	case HW_REG_STATUS:
		*val = vgpu_wave_status(w);
		break;
	case HW_REG_TRAPSTS:
		*val = w->trapsts;
		break;
	case HW_REG_GPR_ALLOC:
		*val = w->gpr_alloc;
		break;
	case HW_REG_LDS_ALLOC:
		*val = w->lds_alloc;
		break;
	case HW_REG_IB_STS:
		*val = w->ib_sts;
		break;
	case HW_REG_SH_MEM_BASES:
		*val = *vgpu_reg_of_vmid(g, w->vmid, R_SH_MEM_BASES, 0);
		break;
	case HW_REG_TBA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_LO);
		break;
	case HW_REG_TBA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_HI);
		break;
	case HW_REG_TMA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_LO);
		break;
	case HW_REG_TMA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_HI);
		break;
	case HW_REG_FLAT_SCR_LO:
		*val = lower_32_bits(w->flat_scratch);
		break;
	case HW_REG_FLAT_SCR_HI:
		*val = upper_32_bits(w->flat_scratch);
		break;
	case HW_REG_HW_ID1:
		*val = w->hw_id1;
		break;
	case HW_REG_HW_ID2:
		*val = w->hw_id2;
		break;
	case HW_REG_POPS_PACKER:
		*val = 0;	/* pixel shaders only */
		break;
	case HW_REG_SCHED_MODE:
		*val = sq_wave_of(w)->sched_mode;
		break;
	case HW_REG_IB_STS2:
		*val = w->ib_sts2;
		break;
	case HW_REG_SHADER_CYCLES:
		*val = w->instructions & SHADER_CYCLES;
		break;
	default:
		return false;
	}
	return true;
}

bool vgpu_wave_setreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 mask, u32 val)
{
	bool priv = w->status & STATUS_PRIV;
	u32 old;

	/* Each register that can be read may be named. */
	if (!vgpu_wave_getreg(g, w, id, &old))
		return false;
	val = (old & ~mask) | (val & mask);
	switch (id) {
	case HW_REG_MODE:
		w->mode = val;
		vgpu_wave_update_slow(g, w);
		sq_trap_check(g, sq_wave_of(w));
		break;
	case HW_REG_STATUS:
		if (priv)
			vgpu_wave_set_status(g, w, val);
		break;
	case HW_REG_TRAPSTS:
		w->trapsts = val;
		sq_trap_check(g, sq_wave_of(w));
		break;
	case HW_REG_IB_STS:
		if (priv)
			w->ib_sts = val;
		break;
	case HW_REG_FLAT_SCR_LO:
		w->flat_scratch = make_64(upper_32_bits(w->flat_scratch), val);
		break;
	case HW_REG_FLAT_SCR_HI:
		w->flat_scratch = make_64(val, lower_32_bits(w->flat_scratch));
		break;
	case HW_REG_SCHED_MODE:
		sq_wave_of(w)->sched_mode = val;
		break;
	default:
		break;	/* read-only */
	}
	return true;
}

void vgpu_wave_halt(struct vgpu *g, struct vgpu_wave *w, bool halt)
{
	if (halt)
		w->status |= STATUS_HALT;
	else
		w->status &= ~STATUS_HALT;
	sq_wave_update_stop(g, sq_wave_of(w));
	sq_trap_check(g, sq_wave_of(w));
}
