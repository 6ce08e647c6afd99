/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers through the driver's debugfs file amdgpu_regs2, as umr accesses them: select a bank,
 * seek, read or write, each with a system call. None of these keeps the graphics core powered;
 * amdgpu_gfxoff does (umr's -go 0).
 */
#ifndef GUEST_REGS2_H
#define GUEST_REGS2_H

#include <stdbool.h>
#include <stdint.h>

/* amdgpu_umr.h, Linux 6.1 and 6.12 */
struct regs2_state {
	uint32_t use_srbm, use_grbm, pg_lock;
	struct {
		uint32_t se, sh, instance;
	} grbm;
	struct {
		uint32_t me, pipe, queue, vmid;
	} srbm;
};

#define REGS2_BROADCAST 0xffffffff

struct regs2 {
	int fd;
	int gfxoff;		/* amdgpu_gfxoff, holding GFXOFF off */
	bool v1;		/* the kernel has no SET_STATE_V2 */
	unsigned long syscalls;	/* made so far */
};

/* All return 0 or -errno. @dir: of debugfs; @reg counts dwords. */
int regs2_open(struct regs2 *r, const char *dir);
void regs2_close(struct regs2 *r);
int regs2_read(struct regs2 *r, const struct regs2_state *bank, uint32_t reg,
	       uint32_t *val);
int regs2_write(struct regs2 *r, const struct regs2_state *bank, uint32_t reg,
		uint32_t val);

/* Does the driver let the graphics core be powered off now? 1, 0 or -errno. */
int regs2_gfxoff_allowed(const char *dir);

#endif /* GUEST_REGS2_H */
