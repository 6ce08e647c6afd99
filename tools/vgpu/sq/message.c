// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of waves, most of which are interrupts of the host.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "mem/ih.h"
#include "regs/critic.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

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

/* KFD_DEBUG_DOORBELL_ID of kfd_int_process_v10.c (Linux 6.12): in 8 bytes */
#define DOORBELL_ID		GENMASK(9, 0)

static void send_interrupt(struct vgpu *g, const struct vgpu_wave *w,
			   u32 encoding, u32 data)
{
	struct vgpu_iv iv = {
		.source = g->profile->gen->iv_sq,
		.vmid = w->vmid,
	};

	/* SE0SH to SE3SH follow each other: soc15_ih_clientid.h (Linux 6.1). */
	iv.source.client_id += w->se;
	iv.src_data[0] = FIELD_PREP(CTXID0_DATA, data) |
			 FIELD_PREP(CTXID0_SA_ID, w->sa) |
			 (w->priv ? CTXID0_PRIV : 0) |
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

	w->s[VGPU_S_EXEC] =
		vgpu_get(g, F_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_OFFSET, ctl) /
			2 &
		DOORBELL_ID;
}

void vgpu_wave_sendmsg(struct vgpu *g, struct vgpu_wave *w, u32 simm16)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	u32 id = FIELD_GET(isa->msg_id, simm16);

	if (id == isa->msg_interrupt)
		send_interrupt(g, w, ENCODING_INST, w->s[VGPU_S_M0]);
	else if (id == isa->msg_get_doorbell)
		get_doorbell(g, w);
	else
		vgpu_complain(g, VGPU_BAD_OPCODE,
			      "s_sendmsg 0x%x is not modelled (VMID %u, PC 0x%llx)",
			      simm16, w->vmid, (unsigned long long)w->pc);
}
