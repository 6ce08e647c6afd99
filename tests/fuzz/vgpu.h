/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries to the software GPU. It reports its registers and waves directly, so that the
 * tests do not depend on the kernel that they check.
 */
#ifndef FUZZ_VGPU_H
#define FUZZ_VGPU_H

#include <stdbool.h>
#include <stdint.h>

/* Largest number of registers that a debugger changes and must restore */
#define VGPU_MAX_REGS 160

struct vgpu_regs {
	unsigned int num;
	uint32_t value[VGPU_MAX_REGS];
};

/* Number of wave slots of the default geometry */
#define VGPU_MAX_WAVES 512

struct vgpu_wave {
	uint32_t vmid;
	uint32_t mode;
	bool halted;
	uint64_t instructions;	/* number of instructions that it has executed */
};

int vgpu_open(void);
/* List at most @max waves. Returns the number of all waves, or -errno. */
int vgpu_list_waves(struct vgpu_wave *waves, unsigned int max);
/* Count the waves of VMID @vmid (0: all), and the halted ones. Returns 0 or -errno. */
int vgpu_waves(uint32_t vmid, unsigned int *num, unsigned int *halted);
/*
 * Count how often a wave of address space @pasid has started with a trap handler, halted
 * or in debug mode, has entered a handler, or hit a watchpoint. Returns 0 or -errno.
 */
int vgpu_intrusions(uint32_t pasid, uint64_t *num);
int vgpu_read_regs(struct vgpu_regs *regs);
/* Compare the registers, and with @print, print those that differ. */
bool vgpu_same_regs(const struct vgpu_regs *before,
		    const struct vgpu_regs *after, bool print);
/* Tell vgpu whether to expect faults of waves whose registers or memory were changed. */
int vgpu_expect_wave_faults(bool on);
/*
 * Returns the number of vgpu's complaints so far, or -errno, and prints the latest. A
 * register bank that is still selected counts as a complaint.
 */
int vgpu_complaints(void);

#endif /* FUZZ_VGPU_H */
