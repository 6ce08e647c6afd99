/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two GPUs with the same wave: one without traps, and one whose wave enters the default trap
 * handler. All that a program can observe must be the same.
 */
#ifndef TESTS_TRAP_PAIR_H
#define TESTS_TRAP_PAIR_H

#include "sq_gpu.h"

/* What the wave's GPU address space has; programs may use what is below. */
#define PAIR_HANDLER	(GPU_VA + 0x30000)
#define PAIR_TMA	(GPU_VA + 0x32000)

/* SQ_CMD for all waves of the VMID: BROADCAST, CHECK_VMID; navi10_enum.h (Linux 6.1) */
#define PAIR_COMMAND(cmd, data) \
	((cmd) | 1 << 4 | 1 << 7 | (data) << 8 | GPU_VMID << 28)
#define PAIR_RESUME		PAIR_COMMAND(1, 0)
#define PAIR_SINGLE_STEP	PAIR_COMMAND(8, 0)

/* How a trap is forced at each instruction */
enum pair_by {
	PAIR_HOST,	/* SQ_CMD TRAP */
	PAIR_DEBUG,	/* MODE.DEBUG_EN, which the program can see */
	PAIR_PASS,	/* the same, and the wave must not stop */
};

struct pair {
	struct vgpu *alone, *debugged;
	struct vgpu_wave *a, *d;	/* halted between two instructions; NULL: ended */
	enum pair_by by;
};

/* Create a GPU with the handler for waves of GPU_VMID, at an address of this VMID. */
struct vgpu *pair_gpu(unsigned int num_se, unsigned int num_sa, unsigned int num_wgp, u64 handler,
		      u64 tma);

void pair_new(struct pair *p);
void pair_free(struct pair *p);

/*
 * Start a new wave of a single group, with all VGPRs and 1 KiB of LDS, on both GPUs; the
 * earlier ones end. Set registers of both waves, then call pair_ready().
 */
void pair_wave(struct pair *p, unsigned int lanes);
void pair_ready(struct pair *p, enum pair_by by);
/* Write memory of the program on both GPUs. */
void pair_write(struct pair *p, u64 va, const void *data, size_t size);

/* Step one instruction; the debugged wave also runs the handler. False: they have ended. */
bool pair_step(struct pair *p);
/* Do the two waves or their memory differ? Prints each difference with @what. */
bool pair_differs(const struct pair *p, const char *what);

/* Set the condition program of both handlers: TRAP_CONDITION_DWORDS */
void pair_set_condition(struct pair *p, const u32 *code);
/* Get the mailbox of the debugged wave. */
const u32 *pair_mailbox(const struct pair *p);
/* Get how often waves of its slot have stopped. */
u32 pair_stops(const struct pair *p);
/* Memory for records of a trace, on both GPUs */
#define PAIR_RECORDS	(GPU_VA + 0x40000)
#define PAIR_RECORDS_SIZE (GPU_VA_SIZE - 0x40000)
/* Memory for hit counters, on both GPUs */
#define PAIR_COUNTERS	0x8000	/* from PAIR_TMA */
/* Memory for displaced instructions, and the distance to it (isa/condition.h: patch) */
#define PAIR_DISPLACED	(GPU_VA + 0x3f000)
#define PAIR_DISTANCE(copy)	((u32)((copy) - PAIR_HANDLER - TRAP_DISPLACED_FROM))
u32 *pair_counter(struct vgpu *g, unsigned int n);

#endif /* TESTS_TRAP_PAIR_H */
