/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the supervisor: rounds, the checks after each round, and the sums.
 */
#ifndef FUZZ_SUPERVISE_H
#define FUZZ_SUPERVISE_H

#include "foreign.h"
#include "fuzz.h"
#include "vgpu.h"
#include "victims.h"

#define CONTROL_ITEMS 256
#define GENTLE_ITEMS 128

/* A program that the supervisor watches all the time: see guarded.c. */
struct guarded {
	struct victim victim;
	uint32_t vmid;
	unsigned int waves;
	bool running;
};

struct supervisor {
	struct shared *shared;
	int watcher;			/* the supervisor's session, for the whole GPU */
	struct amdgpudbg_wave waves[MAX_WAVES];
	struct guarded control, gentle;
	bool guarded_ending;		/* both were asked to end: see guarded_let_end() */
	struct foreign foreign;
	struct hints *hints;		/* shared with the hostile target */
	int hints_fd;
	struct vgpu_regs before;
	unsigned int calls;		/* number of calls of a worker in a round */
	unsigned int shallow, odd;	/* see struct process */
	unsigned int round_seconds;
	unsigned int bound_seconds;	/* longest time for one call */
	int64_t took_ns, calling_ns;	/* time of all rounds, and of the debuggers in them */
	double busy;			/* part of the time that the CPUs were not idle */
	unsigned int rounds, kills;
	unsigned int long_jobs;		/* jobs of the hostile target that were ended */
	unsigned int ended_debuggers;	/* how often the debuggers had to be ended for that */
	unsigned int unblocked;		/* how often the guarded programs had to end early */
	unsigned int rebuilt;		/* how often VRAM had lost its gaps */
};

/* guarded.c: these return 0 or -errno, and report what is wrong by problem(). */
int guarded_start(struct supervisor *s);
void guarded_check(struct supervisor *s, bool resting);
int guarded_finish(struct supervisor *s);
/*
 * Something waits too long. If the kernel is one where jobs can wait for programs that spin,
 * ask both guarded programs to end, without waiting for them. guarded_finish() still checks
 * their results; guarded_check() has nothing to check until guarded_start().
 */
void guarded_let_end(struct supervisor *s);
/* List the waves of the VMIDs in @mask (0: all) in s->waves. Returns their number or -errno. */
int list_waves(struct supervisor *s, uint32_t mask);

/* stacks.c: print kernel stacks */
void show_stack(pid_t tid);
/* Of all threads of a process */
void show_stacks(pid_t pid);
/*
 * Of all threads that are in amdgpu. One that waits for a lock does not show why; the one
 * that holds the lock does, and it can belong to any process.
 */
void show_amdgpu_stacks(void);

/* jobs.c: trace what the GPU scheduler does, and print the end of the trace */
void jobs_trace(void);
void show_jobs(void);

/* round.c: returns false if no further round is possible. */
bool round_run(struct supervisor *s, uint64_t seed);

/* tally.c */
uint64_t tally_calls(const struct shared *shared);
/* The number of calls without those that the first check may have refused */
uint64_t tally_deep(const struct shared *shared);
uint64_t tally_role(const struct shared *shared, enum role role);
void tally_print(const struct shared *shared);

#endif /* FUZZ_SUPERVISE_H */
