// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wave's state registers on gfx10, composed of the members of struct vgpu_wave.
 */
#include "gpu.h"
#include "isa/table.h"

/* Registers that have fields in vgpu_wave.kept[] */
enum {
	KEPT_MODE,
	KEPT_STATUS,
	KEPT_TRAPSTS,
	KEPT_IB_STS,
	KEPT_SCHED_MODE,
	NUM_KEPT,
};

_Static_assert(NUM_KEPT <= VGPU_WAVE_KEPT, "place for what is only stored");

/* TRAPSTS.EXCP and EXCP_EN, cwsr_trap_handler_gfx10.asm (Linux 6.1) */
#define EXCP_ARITH		GENMASK(6, 0)
#define EXCP_WATCH		BIT(7)	/* EXCP: watch 0; EXCP_EN: all watches */
#define EXCP_MEM_VIOL		BIT(8)

/*
 * Units of GPR_ALLOC (the same for wave32 and wave64) and of LDS_ALLOC:
 * cwsr_trap_handler_gfx10.asm (Linux 6.1)
 */
#define ALLOC_VGPRS		4
#define ALLOC_LDS_BYTES		(64 * 4)
#define ALLOC_SHARED_VGPRS	8

/* Watches 1 to 3, which are in TRAPSTS.EXCP_HI */
#define WATCHES_HI		(WAVE_EXCP_WATCH & ~WAVE_EXCP_WATCH0)

static bool mask_is_zero(const struct vgpu_wave *w, u64 mask)
{
	return w->lanes == 32 ? !lower_32_bits(mask) : !mask;
}

static u32 bits_if(bool cond, u32 bits)
{
	return cond ? bits : 0;
}

u32 vgpu_excp_enabled_gfx10(u32 excp_en)
{
	return (excp_en & EXCP_ARITH) |
	       bits_if(excp_en & EXCP_WATCH, WAVE_EXCP_WATCH) |
	       bits_if(excp_en & EXCP_MEM_VIOL, WAVE_EXCP_MEM_VIOL);
}

static u32 excp_en(const struct vgpu_wave *w)
{
	return (w->excp_en & WAVE_EXCP_ARITH) |
	       bits_if(w->excp_en & WAVE_EXCP_WATCH, EXCP_WATCH) |
	       bits_if(w->excp_en & WAVE_EXCP_MEM_VIOL, EXCP_MEM_VIOL);
}

static u32 kept_of_mode(const struct vgpu *g)
{
	return vgpu_field(g, F_SQ_WAVE_MODE_LOD_CLAMPED) |
	       vgpu_field(g, F_SQ_WAVE_MODE_DISABLE_PERF);
}

static u32 pack_mode(const struct vgpu *g, const struct vgpu_wave *w)
{
	return w->kept[KEPT_MODE] |
	       vgpu_put(g, F_SQ_WAVE_MODE_FP_ROUND, w->fp_round) |
	       vgpu_put(g, F_SQ_WAVE_MODE_FP_DENORM, w->fp_denorm) |
	       vgpu_put(g, F_SQ_WAVE_MODE_DX10_CLAMP, w->dx10_clamp) |
	       vgpu_put(g, F_SQ_WAVE_MODE_IEEE, w->ieee) |
	       vgpu_put(g, F_SQ_WAVE_MODE_DEBUG_EN, w->debug_en) |
	       vgpu_put(g, F_SQ_WAVE_MODE_EXCP_EN, excp_en(w)) |
	       vgpu_put(g, F_SQ_WAVE_MODE_FP16_OVFL, w->fp16_ovfl);
}

static void unpack_mode(const struct vgpu *g, struct vgpu_wave *w, u32 val)
{
	w->kept[KEPT_MODE] = val & kept_of_mode(g);
	w->fp_round = (u8)vgpu_get(g, F_SQ_WAVE_MODE_FP_ROUND, val);
	w->fp_denorm = (u8)vgpu_get(g, F_SQ_WAVE_MODE_FP_DENORM, val);
	w->dx10_clamp = vgpu_get(g, F_SQ_WAVE_MODE_DX10_CLAMP, val);
	w->ieee = vgpu_get(g, F_SQ_WAVE_MODE_IEEE, val);
	w->debug_en = vgpu_get(g, F_SQ_WAVE_MODE_DEBUG_EN, val);
	w->fp16_ovfl = vgpu_get(g, F_SQ_WAVE_MODE_FP16_OVFL, val);
	val = vgpu_get(g, F_SQ_WAVE_MODE_EXCP_EN, val);
	w->excp_en = vgpu_excp_enabled_gfx10(val);
}

static u32 kept_of_status(const struct vgpu *g)
{
	return vgpu_field(g, F_SQ_WAVE_STATUS_TTRACE_EN) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_EXPORT_RDY) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_TTRACE_SIMD_EN) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_ECC_ERR) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_SKIP_EXPORT) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_PERF_EN) |
	       vgpu_field(g, F_SQ_WAVE_STATUS_MUST_EXPORT);
}

static u32 pack_status(const struct vgpu *g, const struct vgpu_wave *w)
{
	bool execz = mask_is_zero(w, vgpu_wave_exec(w));
	bool vccz = mask_is_zero(w, vgpu_wave_vcc(w));
	bool barrier = w->stop & VGPU_STOP_BARRIER;

	return w->kept[KEPT_STATUS] |
	       vgpu_put(g, F_SQ_WAVE_STATUS_SCC, w->scc) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_SPI_PRIO, w->spi_prio) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_USER_PRIO, w->user_prio) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_PRIV, w->priv) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_TRAP_EN, w->trap_en) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_EXECZ, execz) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_VCCZ, vccz) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_IN_TG, w->in_tg) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_IN_BARRIER, barrier) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_HALT, w->halt) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_TRAP, w->host_trap) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_VALID, w->valid) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_COND_DBG_USER, w->cond_dbg_user) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_COND_DBG_SYS, w->cond_dbg_sys) |
	       vgpu_put(g, F_SQ_WAVE_STATUS_FATAL_HALT, w->fatal_halt);
}

/*
 * A write does not change PRIV, TRAP_EN, EXECZ, VCCZ, IN_TG, IN_BARRIER, TRAP, VALID and
 * FATAL_HALT (RDNA ISA, table of status register fields, "write when PRIV").
 */
static void unpack_status(const struct vgpu *g, struct vgpu_wave *w, u32 val)
{
	w->kept[KEPT_STATUS] = val & kept_of_status(g);
	w->scc = vgpu_get(g, F_SQ_WAVE_STATUS_SCC, val);
	w->spi_prio = (u8)vgpu_get(g, F_SQ_WAVE_STATUS_SPI_PRIO, val);
	w->user_prio = (u8)vgpu_get(g, F_SQ_WAVE_STATUS_USER_PRIO, val);
	w->halt = vgpu_get(g, F_SQ_WAVE_STATUS_HALT, val);
	w->cond_dbg_user = vgpu_get(g, F_SQ_WAVE_STATUS_COND_DBG_USER, val);
	w->cond_dbg_sys = vgpu_get(g, F_SQ_WAVE_STATUS_COND_DBG_SYS, val);
}

static u32 kept_of_trapsts(const struct vgpu *g)
{
	return vgpu_field(g, F_SQ_WAVE_TRAPSTS_EXCP_CYCLE) |
	       vgpu_field(g, F_SQ_WAVE_TRAPSTS_EXCP_GROUP_MASK) |
	       vgpu_field(g, F_SQ_WAVE_TRAPSTS_EXCP_WAVE64HI) |
	       vgpu_field(g, F_SQ_WAVE_TRAPSTS_UTC_ERROR) |
	       vgpu_field(g, F_SQ_WAVE_TRAPSTS_DP_RATE);
}

static u32 pack_trapsts(const struct vgpu *g, const struct vgpu_wave *w)
{
	u32 excp = (w->excp & WAVE_EXCP_ARITH) |
		   bits_if(w->excp & WAVE_EXCP_WATCH0, EXCP_WATCH) |
		   bits_if(w->excp & WAVE_EXCP_MEM_VIOL, EXCP_MEM_VIOL);

	return w->kept[KEPT_TRAPSTS] |
	       vgpu_put(g, F_SQ_WAVE_TRAPSTS_EXCP, excp) |
	       vgpu_put(g, F_SQ_WAVE_TRAPSTS_EXCP_HI,
			FIELD_GET(WATCHES_HI, w->excp)) |
	       vgpu_put(g, F_SQ_WAVE_TRAPSTS_SAVECTX,
			!!(w->excp & WAVE_EXCP_SAVECTX)) |
	       vgpu_put(g, F_SQ_WAVE_TRAPSTS_ILLEGAL_INST,
			!!(w->excp & WAVE_EXCP_ILLEGAL_INST)) |
	       vgpu_put(g, F_SQ_WAVE_TRAPSTS_BUFFER_OOB,
			!!(w->excp & WAVE_EXCP_BUFFER_OOB));
}

static void unpack_trapsts(const struct vgpu *g, struct vgpu_wave *w, u32 val)
{
	u32 excp = vgpu_get(g, F_SQ_WAVE_TRAPSTS_EXCP, val);

	w->kept[KEPT_TRAPSTS] = val & kept_of_trapsts(g);
	w->excp = (excp & EXCP_ARITH) |
		  bits_if(excp & EXCP_WATCH, WAVE_EXCP_WATCH0) |
		  bits_if(excp & EXCP_MEM_VIOL, WAVE_EXCP_MEM_VIOL) |
		  FIELD_PREP(WATCHES_HI,
			     vgpu_get(g, F_SQ_WAVE_TRAPSTS_EXCP_HI, val)) |
		  bits_if(vgpu_get(g, F_SQ_WAVE_TRAPSTS_SAVECTX, val),
			  WAVE_EXCP_SAVECTX) |
		  bits_if(vgpu_get(g, F_SQ_WAVE_TRAPSTS_ILLEGAL_INST, val),
			  WAVE_EXCP_ILLEGAL_INST) |
		  bits_if(vgpu_get(g, F_SQ_WAVE_TRAPSTS_BUFFER_OOB, val),
			  WAVE_EXCP_BUFFER_OOB);
}

static u32 kept_of_ib_sts(const struct vgpu *g)
{
	return vgpu_field(g, F_SQ_WAVE_IB_STS_VM_CNT) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_EXP_CNT) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_LGKM_CNT_BIT4) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_LGKM_CNT) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_VALU_CNT) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_VM_CNT_HI) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_LGKM_CNT_BIT5) |
	       vgpu_field(g, F_SQ_WAVE_IB_STS_VS_CNT);
}

static u32 pack_hw_id1(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_HW_ID1_WAVE_ID, w->slot) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID1_SIMD_ID, w->simd) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID1_WGP_ID, w->wgp) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID1_SA_ID, w->sa) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID1_SE_ID, w->se);
}

static u32 pack_hw_id2(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_HW_ID2_QUEUE_ID, w->queue) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID2_PIPE_ID, w->pipe) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID2_ME_ID, w->me) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID2_WG_ID, w->group_id) |
	       vgpu_put(g, F_SQ_WAVE_HW_ID2_VM_ID, w->vmid);
}

static u32 pack_gpr_alloc(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_GPR_ALLOC_VGPR_BASE,
			w->vgpr_base / ALLOC_VGPRS) |
	       vgpu_put(g, F_SQ_WAVE_GPR_ALLOC_VGPR_SIZE,
			w->num_vgprs / ALLOC_VGPRS - 1);
}

static u32 pack_lds_alloc(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_LDS_ALLOC_LDS_BASE,
			w->lds_base / ALLOC_LDS_BYTES) |
	       vgpu_put(g, F_SQ_WAVE_LDS_ALLOC_LDS_SIZE,
			w->lds_bytes / ALLOC_LDS_BYTES) |
	       vgpu_put(g, F_SQ_WAVE_LDS_ALLOC_VGPR_SHARED_SIZE,
			w->shared_vgprs / ALLOC_SHARED_VGPRS);
}

static u32 pack_ib_sts2(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_IB_STS2_FWD_PROGRESS, w->fwd_progress) |
	       vgpu_put(g, F_SQ_WAVE_IB_STS2_WAVE64, w->lanes == 64);
}

static u32 pack_cycles(const struct vgpu *g, const struct vgpu_wave *w)
{
	return vgpu_put(g, F_SQ_WAVE_SHADER_CYCLES_CYCLES,
			lower_32_bits(w->instructions));
}

bool vgpu_pack_gfx10(const struct vgpu *g, const struct vgpu_wave *w,
		     enum vgpu_hwreg reg, u32 *val)
{
	switch (reg) {
	case VGPU_HWREG_MODE:
		*val = pack_mode(g, w);
		break;
	case VGPU_HWREG_STATUS:
		*val = pack_status(g, w);
		break;
	case VGPU_HWREG_TRAPSTS:
		*val = pack_trapsts(g, w);
		break;
	case VGPU_HWREG_GPR_ALLOC:
		*val = pack_gpr_alloc(g, w);
		break;
	case VGPU_HWREG_LDS_ALLOC:
		*val = pack_lds_alloc(g, w);
		break;
	case VGPU_HWREG_IB_STS:
		*val = w->kept[KEPT_IB_STS];
		break;
	case VGPU_HWREG_FLAT_SCR_LO:
		*val = lower_32_bits(w->flat_scratch);
		break;
	case VGPU_HWREG_FLAT_SCR_HI:
		*val = upper_32_bits(w->flat_scratch);
		break;
	case VGPU_HWREG_HW_ID1:
		*val = pack_hw_id1(g, w);
		break;
	case VGPU_HWREG_HW_ID2:
		*val = pack_hw_id2(g, w);
		break;
	case VGPU_HWREG_POPS_PACKER:
		*val = 0;	/* pixel shaders only */
		break;
	case VGPU_HWREG_SCHED_MODE:
		*val = w->kept[KEPT_SCHED_MODE];
		break;
	case VGPU_HWREG_IB_STS2:
		*val = pack_ib_sts2(g, w);
		break;
	case VGPU_HWREG_SHADER_CYCLES:
		*val = pack_cycles(g, w);
		break;
	default:
		return false;
	}
	return true;
}

void vgpu_unpack_gfx10(const struct vgpu *g, struct vgpu_wave *w,
		       enum vgpu_hwreg reg, u32 val)
{
	switch (reg) {
	case VGPU_HWREG_MODE:
		unpack_mode(g, w, val);
		break;
	case VGPU_HWREG_STATUS:
		unpack_status(g, w, val);
		break;
	case VGPU_HWREG_TRAPSTS:
		unpack_trapsts(g, w, val);
		break;
	case VGPU_HWREG_IB_STS:
		w->kept[KEPT_IB_STS] = val & kept_of_ib_sts(g);
		break;
	case VGPU_HWREG_FLAT_SCR_LO:
		w->flat_scratch = make_64(upper_32_bits(w->flat_scratch), val);
		break;
	case VGPU_HWREG_FLAT_SCR_HI:
		w->flat_scratch = make_64(val, lower_32_bits(w->flat_scratch));
		break;
	case VGPU_HWREG_SCHED_MODE:
		w->kept[KEPT_SCHED_MODE] =
			val & vgpu_field(g, F_SQ_WAVE_SCHED_MODE_DEP_MODE);
		break;
	default:
		break;	/* read-only */
	}
}
