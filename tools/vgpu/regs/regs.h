/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register file: one dword space (BAR5), stored values, banks, and the
 * hooks by which blocks give registers a behaviour. An access goes
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
/* Back to power-on values: those of GC, as MODE2 does it, or all. */
void vgpu_regs_reset(struct vgpu *g, bool all);

/*
 * Give @count registers, @stride dwords apart from that of @role on, a
 * behaviour. A NULL function keeps the plain store for that direction. A
 * write hook is called instead of the store; it stores with vgpu_reg_store()
 * if it wants to.
 */
void vgpu_reg_hook(struct vgpu *g, enum vgpu_role role, unsigned int count,
		   unsigned int stride, vgpu_reg_read_fn rd,
		   vgpu_reg_write_fn wr);

/* The same for one register that a role does not name. */
void vgpu_reg_hook_dword(struct vgpu *g, u32 dword, unsigned int idx,
			 vgpu_reg_read_fn rd, vgpu_reg_write_fn wr);

/* Take it back. */
void vgpu_reg_unhook_dword(struct vgpu *g, u32 dword);

/*
 * @val has been written to the register, and nothing else done about it: a complaint
 * if that has an effect on hardware (struct vgpu_reg_effect). For hooks, with what
 * they have not done.
 */
void vgpu_reg_check_effect(struct vgpu *g, enum vgpu_role role, u32 val);

/* Does a write do more than to store, here? */
bool vgpu_reg_is_hooked(const struct vgpu *g, u32 dword);

/* Access by the host through BAR5. */
u32 vgpu_reg_read(struct vgpu *g, u32 dword);
void vgpu_reg_write(struct vgpu *g, u32 dword, u32 val);
/* Access by an engine of the GPU (PM4, SDMA packets). */
u32 vgpu_reg_engine_read(struct vgpu *g, u32 dword);
void vgpu_reg_engine_write(struct vgpu *g, u32 dword, u32 val);

/*
 * The stored value, without side effects, of the bank that is selected (for
 * registers that are banked). @idx counts dwords from the role's register.
 */
u32 vgpu_reg_load(struct vgpu *g, enum vgpu_role role, unsigned int idx);
void vgpu_reg_store(struct vgpu *g, enum vgpu_role role, unsigned int idx,
		    u32 val);
/*
 * The stored value of one bank, whatever GRBM_GFX_CNTL selects; of a register that
 * each WGP or shader engine has, that of the first.
 */
u32 *vgpu_reg_of_queue(struct vgpu *g, unsigned int me, unsigned int pipe,
		       unsigned int queue, enum vgpu_role role,
		       unsigned int idx);
u32 *vgpu_reg_of_vmid(struct vgpu *g, unsigned int vmid, enum vgpu_role role,
		      unsigned int idx);

/* Which one of a register that there are several of. */
struct vgpu_bank_select {
	u8 me, pipe, queue, vmid;
	u8 se, sa, wgp;
};

/* The stored value of that one, which must exist. */
u32 vgpu_reg_of(struct vgpu *g, const struct vgpu_bank_select *sel,
		enum vgpu_role role, unsigned int idx);
/* The first WGP that is there, and nothing else selected. */
struct vgpu_bank_select vgpu_reg_first(const struct vgpu *g);

/*
 * For the control socket: the stored value of any register, without hooks,
 * counting or tracing. @sel says which one; NULL is what is selected now.
 */

u32 vgpu_reg_peek(struct vgpu *g, u32 dword,
		  const struct vgpu_bank_select *sel);

/* harvest.c: the registers that tell which WGPs are missing. */
int vgpu_harvest_init(struct vgpu *g);

/* What GRBM_GFX_INDEX selects now. */
struct vgpu_selection vgpu_selection(struct vgpu *g);

/* Has the host a bank selected: is it within a sequence, or has it left it so? */
bool vgpu_regs_is_selected(const struct vgpu *g);

/*
 * To be called when the host is known to be between two sequences (QEMU has gone):
 * complains about a bank that is still selected.
 */
void vgpu_regs_check_rest(struct vgpu *g);

/* "GRBM_GFX_INDEX", or "GC+0x123" style text in a static buffer. */
const char *vgpu_reg_name(struct vgpu *g, u32 dword);

#endif /* VGPU_REGS_H */
