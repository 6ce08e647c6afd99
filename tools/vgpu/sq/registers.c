// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wave's state registers, and its halt.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "regs/regs.h"
#include "sq/priv.h"

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
	if (!sq_wave_check_kill(g, sq_wave_of(w)))
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

static enum vgpu_hwreg hwreg_of(struct vgpu *g, unsigned int id)
{
	return id < VGPU_NUM_HWREG_IDS ? vgpu_isa_of(g)->hwregs[id] :
					 VGPU_HWREG_NONE;
}

bool vgpu_wave_getreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 *val)
{
	switch (hwreg_of(g, id)) {
	case VGPU_HWREG_MODE:
		*val = w->mode;
		break;
	case VGPU_HWREG_STATUS:
		*val = vgpu_wave_status(w);
		break;
	case VGPU_HWREG_TRAPSTS:
		*val = w->trapsts;
		break;
	case VGPU_HWREG_GPR_ALLOC:
		*val = w->gpr_alloc;
		break;
	case VGPU_HWREG_LDS_ALLOC:
		*val = w->lds_alloc;
		break;
	case VGPU_HWREG_IB_STS:
		*val = w->ib_sts;
		break;
	case VGPU_HWREG_SH_MEM_BASES:
		*val = *vgpu_reg_of_vmid(g, w->vmid, R_SH_MEM_BASES, 0);
		break;
	case VGPU_HWREG_TBA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_LO);
		break;
	case VGPU_HWREG_TBA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TBA_HI);
		break;
	case VGPU_HWREG_TMA_LO:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_LO);
		break;
	case VGPU_HWREG_TMA_HI:
		*val = handler_reg(g, w, R_SQ_SHADER_TMA_HI);
		break;
	case VGPU_HWREG_FLAT_SCR_LO:
		*val = lower_32_bits(w->flat_scratch);
		break;
	case VGPU_HWREG_FLAT_SCR_HI:
		*val = upper_32_bits(w->flat_scratch);
		break;
	case VGPU_HWREG_HW_ID1:
		*val = w->hw_id1;
		break;
	case VGPU_HWREG_HW_ID2:
		*val = w->hw_id2;
		break;
	case VGPU_HWREG_POPS_PACKER:
		*val = 0;	/* pixel shaders only */
		break;
	case VGPU_HWREG_SCHED_MODE:
		*val = sq_wave_of(w)->sched_mode;
		break;
	case VGPU_HWREG_IB_STS2:
		*val = w->ib_sts2;
		break;
	case VGPU_HWREG_SHADER_CYCLES:
		*val = w->instructions & vgpu_isa_of(g)->shader_cycles;
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
	switch (hwreg_of(g, id)) {
	case VGPU_HWREG_MODE:
		w->mode = val;
		vgpu_wave_update_slow(g, w);
		sq_trap_check(g, sq_wave_of(w));
		break;
	case VGPU_HWREG_STATUS:
		if (priv)
			vgpu_wave_set_status(g, w, val);
		break;
	case VGPU_HWREG_TRAPSTS:
		w->trapsts = val;
		sq_trap_check(g, sq_wave_of(w));
		break;
	case VGPU_HWREG_IB_STS:
		if (priv)
			w->ib_sts = val;
		break;
	case VGPU_HWREG_FLAT_SCR_LO:
		w->flat_scratch = make_64(upper_32_bits(w->flat_scratch), val);
		break;
	case VGPU_HWREG_FLAT_SCR_HI:
		w->flat_scratch = make_64(val, lower_32_bits(w->flat_scratch));
		break;
	case VGPU_HWREG_SCHED_MODE:
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
	if (!sq_wave_check_kill(g, sq_wave_of(w)))
		sq_trap_check(g, sq_wave_of(w));
}
