// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wave's state registers, and what its instructions ask of the sequencer:
 * end, halt, barrier, message.
 */
#include "critic.h"
#include "gpu.h"
#include "ih.h"
#include "quirks.h"
#include "regs.h"
#include "sq.h"
#include "sq_priv.h"
#include "wave.h"

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

/* SQ message ids of gfx10: LLVM 19 AMDGPU SIDefines.h */
#define MSG_ID			GENMASK(3, 0)
#define MSG_INTERRUPT		1
#define MSG_GET_DOORBELL	10

/* SQ_INTERRUPT_WORD_WAVE_CTXID*: kfd_int_process_v10.c (Linux 6.12) */
#define CTXID0_DATA		GENMASK(22, 0)
#define CTXID0_SA_ID		BIT(23)
#define CTXID0_PRIV		BIT(24)
#define CTXID0_WAVE_ID		GENMASK(29, 25)
#define CTXID0_SIMD_ID		GENMASK(31, 30)
#define CTXID1_WGP_ID		GENMASK(3, 0)
#define CTXID1_SE_ID		GENMASK(5, 4)
#define CTXID1_ENCODING		GENMASK(7, 6)
#define ENCODING_INST		1
#define ENCODING_ERROR		2
/* KFD_CTXID0__ERR_TYPE_MASK; the rest of DATA are details */
#define ERROR_TYPE		GENMASK(22, 19)

/* CP_HQD_PQ_DOORBELL_CONTROL, gc_10_3_0_sh_mask.h (Linux 6.1): in dwords */
#define DOORBELL_OFFSET		GENMASK(27, 2)
/* KFD_DEBUG_DOORBELL_ID of kfd_int_process_v10.c (Linux 6.12): in 8 bytes */
#define DOORBELL_ID		GENMASK(9, 0)

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

void vgpu_wave_update_slow(struct vgpu *g, struct vgpu_wave *w)
{
	w->slow = w->mode & MODE_DEBUG_EN || g->opt.trace_waves ||
		  g->sq->watched_vmids & BIT(w->vmid);
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

void vgpu_wave_end(struct vgpu *g, struct vgpu_wave *w)
{
	struct sq_wave *sw = sq_wave_of(w);

	w->stop |= VGPU_STOP_ENDED;
	if (sw != g->sq->current)
		sq_wave_reap(g, sw);
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

void vgpu_wave_barrier(struct vgpu *g, struct vgpu_wave *w)
{
	/* Alone in its group, a wave does not wait. */
	if (!(w->status & STATUS_IN_TG))
		return;
	w->stop |= VGPU_STOP_BARRIER;
	w->group->waiting++;
	sq_group_check_barrier(g, w->group);
}

u8 *vgpu_wave_lds(const struct vgpu_wave *w, u32 *size)
{
	*size = w->group->lds_blocks * SQ_LDS_BLOCK;
	return w->group->lds;
}

static void send_interrupt(struct vgpu *g, const struct vgpu_wave *w,
			   u32 encoding, u32 data)
{
	struct vgpu_iv iv = {
		.source = g->profile->iv_sq,
		.vmid = w->vmid,
	};

	/* SE0SH to SE3SH follow each other: soc15_ih_clientid.h (Linux 6.1). */
	iv.source.client_id += w->se;
	iv.src_data[0] = FIELD_PREP(CTXID0_DATA, data) |
			 FIELD_PREP(CTXID0_SA_ID, w->sa) |
			 (w->status & STATUS_PRIV ? CTXID0_PRIV : 0) |
			 FIELD_PREP(CTXID0_WAVE_ID, w->slot) |
			 FIELD_PREP(CTXID0_SIMD_ID, w->simd);
	iv.src_data[1] = FIELD_PREP(CTXID1_WGP_ID, w->wgp) |
			 FIELD_PREP(CTXID1_SE_ID, w->se) |
			 FIELD_PREP(CTXID1_ENCODING, encoding);
	vgpu_ih_push(g, &iv);
}

void sq_wave_send_error(struct vgpu *g, const struct vgpu_wave *w, u32 type)
{
	if (vgpu_quirk(g, VGPU_QUIRK_SQ_ERROR_INTERRUPT))
		send_interrupt(g, w, ENCODING_ERROR,
			       FIELD_PREP(ERROR_TYPE, type));
}

/* The answer comes in EXEC_LO, bit 31 clear: ROCr's trap handler waits so. */
static void get_doorbell(struct vgpu *g, struct vgpu_wave *w)
{
	const struct vgpu_queue_id *q = &w->group->launch->d.queue;
	u32 ctl = *vgpu_reg_of_queue(g, q->me, q->pipe, q->queue,
				     R_CP_HQD_PQ_DOORBELL_CONTROL, 0);

	w->s[VGPU_S_EXEC] = FIELD_GET(DOORBELL_OFFSET, ctl) / 2 & DOORBELL_ID;
}

void vgpu_wave_sendmsg(struct vgpu *g, struct vgpu_wave *w, u32 simm16)
{
	switch (FIELD_GET(MSG_ID, simm16)) {
	case MSG_INTERRUPT:
		send_interrupt(g, w, ENCODING_INST, w->s[VGPU_S_M0]);
		break;
	case MSG_GET_DOORBELL:
		get_doorbell(g, w);
		break;
	default:
		vgpu_complain(g, VGPU_BAD_OPCODE,
			      "s_sendmsg 0x%x is not modelled (VMID %u, PC 0x%llx)",
			      simm16, w->vmid, (unsigned long long)w->pc);
	}
}
