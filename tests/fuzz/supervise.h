/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The supervisor's parts: rounds, what must hold after each, the sums.
 */
#ifndef FUZZ_SUPERVISE_H
#define FUZZ_SUPERVISE_H

#include "foreign.h"
#include "fuzz.h"
#include "vgpu.h"
#include "victims.h"

#define CONTROL_ITEMS 256
#define GENTLE_ITEMS 128

/* One of ours that is watched all the time. */
struct guarded {
	struct victim victim;
	uint32_t vmid;
	unsigned int waves;
	bool running;
};

struct supervisor {
	struct shared *shared;
	int watcher;			/* a session for the whole GPU */
	struct amdgpudbg_wave waves[MAX_WAVES];
	struct guarded control, gentle;
	struct foreign foreign;
	struct hints *hints;		/* of buffers, for the hostile target */
	int hints_fd;
	struct vgpu_regs before;
	unsigned int calls;		/* of a worker in a round */
	unsigned int shallow, odd;	/* see struct process */
	unsigned int round_seconds;
	unsigned int bound_seconds;	/* for one call */
	int64_t took_ns, calling_ns;	/* all rounds; the debuggers in them */
	double busy;			/* part of the time that the CPUs were not idle */
	unsigned int rounds, kills;
	unsigned int long_jobs;		/* of the hostile target, that were ended */
	unsigned int ended_debuggers;	/* times that it took their end */
	unsigned int rebuilt;		/* times that VRAM had lost its gaps */
};

/* guarded.c: 0 or -errno; each says what is wrong by problem() */
int guarded_start(struct supervisor *s);
void guarded_check(struct supervisor *s, bool resting);
int guarded_finish(struct supervisor *s);
/* What a thread does in the kernel. */
void show_stack(pid_t tid);
/* Waves in the VMIDs of @mask (0: all), into s->waves. Their number or -errno. */
int list_waves(struct supervisor *s, uint32_t mask);

/* round.c: false when nothing more can be done */
bool round_run(struct supervisor *s, uint64_t seed);

/* tally.c */
uint64_t tally_calls(const struct shared *shared);
/* Without those that the first check of a call may have refused */
uint64_t tally_deep(const struct shared *shared);
uint64_t tally_role(const struct shared *shared, enum role role);
void tally_print(const struct shared *shared);

#endif /* FUZZ_SUPERVISE_H */
