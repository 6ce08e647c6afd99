// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes calls that are permitted and would spoil the results of the programs in
 * guarded.c, which must end with right results. The calls of a wild process are not
 * changed: its sessions may only act on its own victims, and the kernel must enforce that.
 */
#include "fuzz.h"

static bool in(uint32_t mask, uint32_t vmid)
{
	return vmid < 32 && mask & 1U << vmid;
}

/* Returns a VMID of a program whose results are not checked. */
static uint32_t other_vmid(const struct process *p)
{
	uint32_t vmid = 1;

	while (vmid == p->control_vmid || in(p->gentle_vmids, vmid))
		vmid++;
	return vmid;
}

static bool is_harmful(uint32_t op)
{
	return op == AMDGPUDBG_WAVEOP_KILL || op == AMDGPUDBG_WAVEOP_DEBUG ||
	       op == AMDGPUDBG_WAVEOP_TRAP;
}

static void guard_select(const struct process *p,
			 struct amdgpudbg_select *select)
{
	if (!select->vmid_mask)
		select->vmid_mask = (1U << NUM_VMID) - 2;
	select->vmid_mask &= ~(1U << p->control_vmid);
	if (!select->vmid_mask)
		select->vmid_mask = 1U << other_vmid(p);
}

static void guard_control(const struct process *p,
			  struct amdgpudbg_wave_control *wc)
{
	if (p->role == ROLE_GENTLE) {
		if (is_harmful(wc->op))
			wc->op = AMDGPUDBG_WAVEOP_HALT;
		return;
	}
	/* At the end of the round, no wave may still be halted. */
	wc->flags &= ~AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
	if (wc->mode == AMDGPUDBG_WAVEMODE_SELECT) {
		guard_select(p, &wc->select);
		if (wc->select.vmid_mask & p->gentle_vmids && is_harmful(wc->op))
			wc->op = AMDGPUDBG_WAVEOP_HALT;
		return;
	}
	/* Without a VMID, an id can name a wave of any VMID. */
	if (wc->vmid == p->control_vmid ||
	    (wc->mode == AMDGPUDBG_WAVEMODE_ID &&
	     (!wc->vmid || in(p->gentle_vmids, wc->vmid))))
		wc->vmid = other_vmid(p);
	if (in(p->gentle_vmids, wc->vmid) && is_harmful(wc->op))
		wc->op = AMDGPUDBG_WAVEOP_HALT;
}

static void guard_batch(struct worker *w, struct amdgpudbg_wave_batch *batch)
{
	struct amdgpudbg_batch_op *op;
	uint32_t i;

	if (batch->count > AMDGPUDBG_WAVE_BATCH_MAX)
		return;
	for (i = 0; i < batch->count; i++) {
		op = arena_at(w, batch->ops + (uint64_t)i * batch->entry_size,
			      sizeof(*op));
		if (!op)
			return;
		guard_control(w->process, &op->control);
	}
}

static void guard_snapshot(const struct process *p,
			   struct amdgpudbg_wave_list *list)
{
	if (p->role == ROLE_ROOT)
		guard_select(p, &list->select);
}

static void guard_regs(const struct process *p, struct amdgpudbg_reg_access *ra)
{
	if (!(ra->flags & AMDGPUDBG_REG_ACCESS_WRITE))
		return;
	if (p->role == ROLE_GENTLE) {
		ra->flags &= ~(AMDGPUDBG_REG_ACCESS_WRITE |
			       AMDGPUDBG_REG_ACCESS_COMPARE |
			       AMDGPUDBG_REG_ACCESS_MASK);
		ra->compare = 0;
	} else if (!ra->vmid || ra->vmid == p->control_vmid ||
		   in(p->gentle_vmids, ra->vmid)) {
		ra->vmid = other_vmid(p);
	}
}

static void guard_reg_batch(struct worker *w, struct amdgpudbg_reg_batch *batch)
{
	struct amdgpudbg_reg_batch_op *op;
	uint32_t i;

	if (batch->count > AMDGPUDBG_REG_BATCH_MAX)
		return;
	for (i = 0; i < batch->count; i++) {
		op = arena_at(w, batch->ops + (uint64_t)i * batch->entry_size,
			      sizeof(*op));
		if (!op)
			return;
		guard_regs(w->process, &op->access);
	}
}

static void guard_access(struct amdgpudbg_vm_access *access)
{
	access->flags &= ~(AMDGPUDBG_VM_ACCESS_WRITE |
			   AMDGPUDBG_VM_ACCESS_PATCH);
}

void guard(struct worker *w, enum call_id id, void *arg)
{
	if (w->process->role == ROLE_WILD)
		return;
	switch (id) {
	case CALL_WAVE_SNAPSHOT:
		guard_snapshot(w->process, arg);
		break;
	case CALL_WAVE_CONTROL:
		guard_control(w->process, arg);
		break;
	case CALL_WAVE_BATCH:
		guard_batch(w, arg);
		break;
	case CALL_REG_ACCESS:
		guard_regs(w->process, arg);
		break;
	case CALL_REG_BATCH:
		guard_reg_batch(w, arg);
		break;
	case CALL_VM_ACCESS:
		guard_access(arg);
		break;
	default:
		break;
	}
}
