// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of waves (s_sendmsg), and the interrupts that waves send to the host.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "mem/ih.h"
#include "regs/checker.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

static void put(struct vgpu_iv *iv, struct vgpu_bits f, u32 val)
{
	if (f.mask)
		iv->src_data[f.word] |= val << __builtin_ctz(f.mask) & f.mask;
}

static void send_interrupt(struct vgpu *g, const struct vgpu_wave *w,
			   u32 encoding, u32 data)
{
	const struct vgpu_sq_iv *f = &g->profile->gen->sq_iv;
	struct vgpu_iv iv = {
		.source = g->profile->gen->iv_sq,
		.vmid = w->vmid,
	};

	/* SE0SH to SE3SH follow each other: soc15_ih_clientid.h (Linux 6.1). */
	iv.source.client_id += w->se;
	put(&iv, f->data, data);
	put(&iv, f->sa_id, w->sa);
	put(&iv, f->priv, w->priv);
	put(&iv, f->wave_id, w->slot);
	put(&iv, f->simd_id, w->simd);
	put(&iv, f->wgp_id, w->wgp);
	put(&iv, f->se_id, w->se);
	put(&iv, f->encoding, encoding);
	vgpu_ih_push(g, &iv);
}

void sq_wave_send_error(struct vgpu *g, const struct vgpu_wave *w, u8 type)
{
	const struct vgpu_sq_iv *f = &g->profile->gen->sq_iv;

	if (vgpu_quirk(g, VGPU_QUIRK_SQ_ERROR_INTERRUPT))
		send_interrupt(g, w, f->encoding_error,
			       FIELD_PREP(f->error_type, type));
}

/*
 * Return the id of the queue's doorbell in EXEC_LO. Bit 31 is clear: ROCr's trap handler
 * sets it before and waits until it is clear.
 */
static void get_doorbell(struct vgpu *g, struct vgpu_wave *w)
{
	const struct vgpu_queue_id *q = &w->group->launch->d.queue;
	u32 ctl = *vgpu_reg_of_queue(g, q->me, q->pipe, q->queue,
				     R_CP_HQD_PQ_DOORBELL_CONTROL, 0);

	w->s[VGPU_S_EXEC] =
		vgpu_get(g, F_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_OFFSET, ctl) /
			2 &
		vgpu_isa_of(g)->doorbell_id;
}

void vgpu_wave_sendmsg(struct vgpu *g, struct vgpu_wave *w, u32 simm16)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	u32 id = FIELD_GET(isa->msg_id, simm16);

	if (id == isa->msg_interrupt)
		send_interrupt(g, w, g->profile->gen->sq_iv.encoding_inst,
			       w->s[VGPU_S_M0]);
	else if (id == isa->msg_get_doorbell)
		get_doorbell(g, w);
	else
		vgpu_complain(g, VGPU_BAD_OPCODE,
			      "s_sendmsg 0x%x is not modelled (VMID %u, PC 0x%llx)",
			      simm16, w->vmid, (unsigned long long)w->pc);
}
