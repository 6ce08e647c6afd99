/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checker reports what a driver or debugger must not do (QEMU: a guest error).
 * Each such complaint is logged and counted by kind. With --strict, vgpu exits with
 * status 1 if there was one.
 */
#ifndef VGPU_CHECKER_H
#define VGPU_CHECKER_H

#include "types.h"

struct vgpu;

enum vgpu_complaint {
	VGPU_BAD_REGISTER,	/* unknown register, or out of range */
	VGPU_BAD_SIDE_EFFECT,	/* a write that does more on hardware than here */
	VGPU_BAD_PACKET,	/* unknown PM4 or SDMA packet */
	VGPU_BAD_OPCODE,	/* instruction that is in no table */
	VGPU_BAD_GPR,		/* instruction with a register that its wave does not have */
	VGPU_BAD_MESSAGE,	/* unknown PSP command or SMU message */
	VGPU_BAD_VM_FAULT,
	VGPU_BAD_GFXOFF,	/* GC access while GFXOFF is allowed */
	VGPU_BAD_BANK,		/* bank select left behind or wrong for the access */
	VGPU_BAD_VMID0,		/* wave command or trap handler for VMID 0 */
	VGPU_BAD_KFD_VMID,	/* trap handler of a VMID that amdkfd owns */
	VGPU_BAD_DOORBELL,
	VGPU_NUM_COMPLAINTS,
};

int vgpu_checker_init(struct vgpu *g);
void vgpu_checker_fini(struct vgpu *g);
/* Log and count a complaint. */
void vgpu_complain(struct vgpu *g, enum vgpu_complaint what,
		   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Get the number of complaints that no test expected: of one kind, of all kinds. */
u64 vgpu_complaints(const struct vgpu *g, enum vgpu_complaint what);
u64 vgpu_complaints_total(const struct vgpu *g);
const char *vgpu_complaint_name(enum vgpu_complaint what);
/*
 * Count further complaints of a kind as expected, or no longer. A test that provokes
 * complaints on purpose calls this through the control socket.
 */
void vgpu_checker_expect(struct vgpu *g, enum vgpu_complaint what, bool on);

/* Get the text of one of the latest complaints, 0 is the oldest; NULL: there are no more. */
const char *vgpu_checker_line(const struct vgpu *g, unsigned int n);
/* Get the number of complaints of a kind that were expected. */
u64 vgpu_complaints_expected(const struct vgpu *g, enum vgpu_complaint what);

#endif /* VGPU_CHECKER_H */
