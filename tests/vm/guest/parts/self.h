/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests that debug themselves: a GPU program within the test, with the kernels of touch.cl,
 * and sessions that have its address space as their target.
 */
#ifndef GUEST_SELF_H
#define GUEST_SELF_H

#include <linux/amdgpudbg.h>

#include "prog.h"

/* A hardware register of a listed wave, or of a stop: both have hw[]. */
#define HW(of, reg)	((of)->hw[AMDGPUDBG_GFX10_3_##reg])

#define SELF_WAVES	4	/* of 32 lanes */
#define SELF_LANES	(SELF_WAVES * 32)
#define SELF_BYTES	(1 << 20)

struct self {
	struct prog prog;
	struct gpu_job job;
	uint64_t data;		/* SELF_BYTES, aligned to that */
	uint64_t entry;		/* of the kernel that was started last */
};

/* 0 or -errno */
int self_open(struct self *s);
void self_close(struct self *s);

/* What a kernel finds in the first word of data. */
void self_write(struct self *s, uint32_t value);
/* Start a kernel that accesses the word at @offset of data. 0 or -errno. */
int self_start(struct self *s, const char *kernel, uint32_t offset);
/* How many work-items have done their access. */
uint32_t self_done(struct self *s);
/* Wait until all have. 0 or -ETIME. */
int self_wait_done(struct self *s);
/* Let it end, and wait for that. 0 or -errno. */
int self_finish(struct self *s);

/*
 * A session; with @target, about the waves of @s, which is else not looked at.
 * Descriptor or -errno.
 */
int self_session(const struct self *s, bool target);
/* 0 or -errno */
int self_call(int session, unsigned long nr, void *arg);
/* The waves that the session sees, at most SELF_WAVES; how many, or -errno. */
int self_list(int session, struct amdgpudbg_wave waves[SELF_WAVES]);
/* Resume all waves of the VMID. 0 or -errno. */
int self_resume(int session, uint32_t vmid);
/* Give the target the default trap handler. 0 or -errno. */
int self_handler(int session);
/* Until there are so many. 0, -ETIME or -errno. */
int self_wait_waves(int session, struct amdgpudbg_wave waves[SELF_WAVES],
		    int count);

/* The same, and all of them are halted. */
int self_wait_halted(int session, struct amdgpudbg_wave waves[SELF_WAVES]);

/* What the kernel reads from a file of its own. 0 or -errno. */
int write_file(const char *path, const char *text);

/*
 * Set for how long callers without CAP_SYS_ADMIN may have waves halted: for @seconds
 * more than they already have, in earlier tests and suites as well. For root. Returns
 * the limit that held before, in seconds.
 */
unsigned int self_limit_users(unsigned int seconds);
/* The same without regard to what they have used. */
void self_set_limit(unsigned int seconds);

/* One question to the software GPU, as JSON. 0 or -errno. */
int vgpu_ask(const char *question, char *answer, size_t size);
/* The value of a register as the software GPU has it. */
uint32_t vgpu_reg(const char *name);
/* The next @count times the software GPU does something wrong: a fault's name. */
void vgpu_fault(const char *name, unsigned int count);

struct vgpu_reg_at {
	const char *name;
	unsigned int vmid;	/* 0 also where there is only one */
};

/* Registers that a debugger changes, and must put back. */
#define VGPU_NUM_REGS	(30 + 16 * 4)

void vgpu_name_regs(struct vgpu_reg_at regs[VGPU_NUM_REGS]);

/* The same of many of them, asked for at once. */
void vgpu_regs(const struct vgpu_reg_at *regs, unsigned int num,
	       uint32_t *values);

#endif /* GUEST_SELF_H */
