// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that handlers of packets share: register accesses with a check of privileges,
 * waiting, comparisons.
 */
#include <errno.h>

#include "front/pm4.h"
#include "front/queue.h"
#include "gpu.h"
#include "mem/ih.h"
#include "regs/checker.h"
#include "regs/regs.h"

static bool in_user_range(u32 dword)
{
	return (dword >= VGPU_SH_REG_FIRST && dword <= VGPU_SH_REG_LAST) ||
	       (dword >= VGPU_CONTEXT_REG_FIRST &&
		dword <= VGPU_CONTEXT_REG_LAST) ||
	       (dword >= VGPU_UCONFIG_REG_FIRST &&
		dword <= VGPU_UCONFIG_REG_LAST);
}

/* Check that the present packet may access the register; if not, raise the CP's fault. */
static int check_register(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
			  const char *what)
{
	struct vgpu_iv iv = { .source = g->profile->gen->iv_cp_priv_reg };
	const struct vgpu_cp_stream *s = vgpu_cp_top(q);

	if (dword < VGPU_NUM_REGS && (!s->vmid || in_user_range(dword)))
		return 0;
	vgpu_complain(g, VGPU_BAD_REGISTER,
		      "queue %s, IB at 0x%llx (vmid %u) %s register 0x%x %s",
		      vgpu_cp_name(q), (unsigned long long)s->base, s->vmid,
		      what, dword,
		      dword < VGPU_NUM_REGS ? vgpu_reg_name(g, dword) : "");
	iv.ring_id = vgpu_cp_ring_id(q);
	iv.vmid = s->vmid;
	vgpu_ih_push(g, &iv);
	return -EPERM;
}

int vgpu_pm4_reg_read(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		      u32 *val)
{
	int ret = check_register(g, q, dword, "reads");

	if (ret)
		return ret;
	if (dword >= VGPU_SH_REG_FIRST && dword <= VGPU_SH_REG_LAST)
		*val = q->sh[dword - VGPU_SH_REG_FIRST];
	else
		*val = vgpu_reg_engine_read(g, dword);
	return 0;
}

int vgpu_pm4_reg_write(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		       u32 val)
{
	int ret = check_register(g, q, dword, "writes");

	if (ret)
		return ret;
	if (dword >= VGPU_SH_REG_FIRST && dword <= VGPU_SH_REG_LAST)
		q->sh[dword - VGPU_SH_REG_FIRST] = val;
	/* Also SH registers, of which each queue has its own: the host reads the last value. */
	vgpu_reg_engine_write(g, dword, val);
	return 0;
}

/* What a write of a register counts as, in bytes; a write with an effect may take long. */
#define REG_BYTES		16
#define REG_HOOKED_BYTES	4096

int vgpu_pm4_reg_writes(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
			const u32 *vals, u32 num, bool same)
{
	u32 at;
	int ret;

	while (q->progress < num) {
		at = dword + (same ? 0 : q->progress);
		ret = vgpu_pm4_reg_write(g, q, at, vals[q->progress]);
		if (ret)
			return ret;
		/* The register may have unmapped the queue. */
		if (!q->mapped || ++q->progress == num)
			break;
		vgpu_cp_count(g, vgpu_reg_is_hooked(g, at) ? REG_HOOKED_BYTES :
			      REG_BYTES);
		if (vgpu_cp_turn_is_over(g))
			return vgpu_pm4_wait(q, VGPU_CP_WAIT_TIME);
	}
	return 0;
}

int vgpu_pm4_wait(struct vgpu_cp_queue *q, enum vgpu_cp_wait what)
{
	q->wait = what;
	return -EAGAIN;
}

bool vgpu_pm4_compare(unsigned int function, u64 value, u64 ref)
{
	switch (function) {
	case 1:
		return value < ref;
	case 2:
		return value <= ref;
	case 3:
		return value == ref;
	case 4:
		return value != ref;
	case 5:
		return value >= ref;
	case 6:
		return value > ref;
	default:
		return true;
	}
}
