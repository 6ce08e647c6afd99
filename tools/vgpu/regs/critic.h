/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a driver or debugger must not do. One log line each, counted by kind; with
 * --strict any makes vgpu exit with status 1.
 */
#ifndef VGPU_CRITIC_H
#define VGPU_CRITIC_H

#include "types.h"

struct vgpu;

enum vgpu_complaint {
	VGPU_BAD_REGISTER,	/* unknown register, or out of range */
	VGPU_BAD_SIDE_EFFECT,	/* a write that does more on hardware than here */
	VGPU_BAD_PACKET,	/* unknown PM4 or SDMA packet */
	VGPU_BAD_OPCODE,	/* instruction that is in no table */
	VGPU_BAD_GPR,		/* instruction with a register that its wave has not */
	VGPU_BAD_MESSAGE,	/* unknown PSP command or SMU message */
	VGPU_BAD_VM_FAULT,
	VGPU_BAD_GFXOFF,	/* GC access while GFXOFF is allowed */
	VGPU_BAD_BANK,		/* bank select left behind or wrong for the access */
	VGPU_BAD_VMID0,		/* wave command or trap handler for VMID 0 */
	VGPU_BAD_KFD_VMID,	/* trap handler of a VMID that amdkfd owns */
	VGPU_BAD_DOORBELL,
	VGPU_NUM_COMPLAINTS,
};

int vgpu_critic_init(struct vgpu *g);
void vgpu_critic_fini(struct vgpu *g);
void vgpu_complain(struct vgpu *g, enum vgpu_complaint what,
		   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
u64 vgpu_complaints(const struct vgpu *g, enum vgpu_complaint what);
u64 vgpu_complaints_total(const struct vgpu *g);
const char *vgpu_complaint_name(enum vgpu_complaint what);
/*
 * A test that provokes complaints on purpose says so beforehand over the
 * control socket; expected ones are counted apart.
 */
void vgpu_critic_expect(struct vgpu *g, enum vgpu_complaint what, bool on);

/* The latest complaints, oldest first; NULL when there are no more. */
const char *vgpu_critic_line(const struct vgpu *g, unsigned int n);
/* How many complaints of a kind were expected. */
u64 vgpu_complaints_expected(const struct vgpu *g, enum vgpu_complaint what);

#endif /* VGPU_CRITIC_H */
