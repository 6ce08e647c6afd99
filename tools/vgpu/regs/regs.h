/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register file: one dword space (BAR5), stored values, banks, and the
 * hooks with which blocks implement registers. The path of an access is
 * transport -> vgpu_reg_read/write (counted, traced, checked) -> hook or store.
 * CP and SDMA, which also access registers, use vgpu_reg_engine_read/write:
 * same behaviour, not counted as an access of the host.
 */
#ifndef VGPU_REGS_H
#define VGPU_REGS_H

#include "profiles/profile.h"
#include "regs/instances.h"

struct vgpu;

#define VGPU_NUM_REGS	0x20000		/* BAR5: 512 KiB */

/* A hook gets @idx, the number of the register within its array. */
typedef u32 (*vgpu_reg_read_fn)(struct vgpu *g, unsigned int idx);
typedef void (*vgpu_reg_write_fn)(struct vgpu *g, unsigned int idx, u32 val);

int vgpu_regs_init(struct vgpu *g);
void vgpu_regs_fini(struct vgpu *g);
/* Set registers to their power-on values: those of GC, as MODE2 does, or all. */
void vgpu_regs_reset(struct vgpu *g, bool all);

/*
 * Set hooks for @count registers, @stride dwords apart, the first is that of @role. A
 * NULL function keeps the plain store for that direction. A write hook is called instead
 * of the store; it may store with vgpu_reg_store().
 */
void vgpu_reg_hook(struct vgpu *g, enum vgpu_role role, unsigned int count,
		   unsigned int stride, vgpu_reg_read_fn rd,
		   vgpu_reg_write_fn wr);

/* The same for one register without a role */
void vgpu_reg_hook_dword(struct vgpu *g, u32 dword, unsigned int idx,
			 vgpu_reg_read_fn rd, vgpu_reg_write_fn wr);

/* Remove the hooks. */
void vgpu_reg_unhook_dword(struct vgpu *g, u32 dword);

/*
 * Complain about a write of @val that was only stored, if it has a side effect on hardware
 * (struct vgpu_reg_effect). A hook passes the bits that it does not handle.
 */
void vgpu_reg_check_effect(struct vgpu *g, enum vgpu_role role, u32 val);

/* Does the register have a write hook? */
bool vgpu_reg_is_hooked(const struct vgpu *g, u32 dword);

/* Access a register for the host, through BAR5. */
u32 vgpu_reg_read(struct vgpu *g, u32 dword);
void vgpu_reg_write(struct vgpu *g, u32 dword, u32 val);
/* Access a register for an engine of the GPU (PM4, SDMA packets). */
u32 vgpu_reg_engine_read(struct vgpu *g, u32 dword);
void vgpu_reg_engine_write(struct vgpu *g, u32 dword, u32 val);

/*
 * Read or write the stored value without side effects; for banked registers, that of the
 * selected bank. @idx counts dwords from the role's register.
 */
u32 vgpu_reg_load(struct vgpu *g, enum vgpu_role role, unsigned int idx);
void vgpu_reg_store(struct vgpu *g, enum vgpu_role role, unsigned int idx,
		    u32 val);
/*
 * Get the stored value of one bank, independent of GRBM_GFX_CNTL; for a register that
 * each WGP or shader engine has, that of the first.
 */
u32 *vgpu_reg_of_queue(struct vgpu *g, unsigned int me, unsigned int pipe,
		       unsigned int queue, enum vgpu_role role,
		       unsigned int idx);
u32 *vgpu_reg_of_vmid(struct vgpu *g, unsigned int vmid, enum vgpu_role role,
		      unsigned int idx);

/* An instance of a banked register */
struct vgpu_bank_select {
	u8 me, pipe, queue, vmid;
	u8 se, sa, wgp;
};

/* Get the stored value of an instance, which must exist. */
u32 vgpu_reg_of(struct vgpu *g, const struct vgpu_bank_select *sel,
		enum vgpu_role role, unsigned int idx);
/* Get a selection of the first WGP that exists, with 0 for the rest. */
struct vgpu_bank_select vgpu_reg_first(const struct vgpu *g);

/*
 * Get the stored value of any register for the control socket, without hooks, counting or
 * tracing. @sel: the instance; NULL: the one that is selected now.
 */
u32 vgpu_reg_peek(struct vgpu *g, u32 dword,
		  const struct vgpu_bank_select *sel);

/* harvest.c: hook the registers from which the driver reads which WGPs are missing. */
int vgpu_harvest_init(struct vgpu *g);

/* Get what GRBM_GFX_INDEX selects now. */
struct vgpu_selection vgpu_selection(struct vgpu *g);

/* Does the host have a bank selected? It is within a sequence, or has left it behind. */
bool vgpu_regs_is_selected(const struct vgpu *g);

/*
 * Complain about a bank that is still selected. Called when the host is between two
 * sequences of accesses: QEMU has disconnected.
 */
void vgpu_regs_check_rest(struct vgpu *g);

/* Get the name of a register, or a text like "GC+0x123" in a static buffer. */
const char *vgpu_reg_name(struct vgpu *g, u32 dword);

#endif /* VGPU_REGS_H */
