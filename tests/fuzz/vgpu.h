/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions to the software GPU, which knows what its registers and waves are
 * without any kernel's help.
 */
#ifndef FUZZ_VGPU_H
#define FUZZ_VGPU_H

#include <stdbool.h>
#include <stdint.h>

/* Registers that a debugger changes, and must put back. */
#define VGPU_MAX_REGS 160

struct vgpu_regs {
	unsigned int num;
	uint32_t value[VGPU_MAX_REGS];
};

/* Slots of the default geometry */
#define VGPU_MAX_WAVES 512

struct vgpu_wave {
	uint32_t vmid;
	uint32_t mode;
	bool halted;
	uint64_t instructions;	/* that it has done */
};

int vgpu_open(void);
/* All waves, at most @max of them. How many there are, or -errno. */
int vgpu_list_waves(struct vgpu_wave *waves, unsigned int max);
/* Waves of VMID @vmid (0: of all) in sight, and how many are halted. -errno. */
int vgpu_waves(uint32_t vmid, unsigned int *num, unsigned int *halted);
/*
 * How often a wave of that address space has started with a trap handler, halted or
 * in debug mode, entered a handler, or hit a watch. -errno.
 */
int vgpu_intrusions(uint32_t pasid, uint64_t *num);
int vgpu_read_regs(struct vgpu_regs *regs);
/* Are the registers the same? @print: print those that differ. */
bool vgpu_same_regs(const struct vgpu_regs *before,
		    const struct vgpu_regs *after, bool print);
/* Complaints about waves whose registers or memory were written. */
int vgpu_expect_wave_faults(bool on);
/*
 * Complaints so far, with the latest shown when there is any; a bank that stays selected is
 * one. -errno.
 */
int vgpu_complaints(void);

#endif /* FUZZ_VGPU_H */
