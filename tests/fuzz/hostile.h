/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target that tries to make the calls of its debuggers fail: see hostile.c.
 */
#ifndef FUZZ_HOSTILE_H
#define FUZZ_HOSTILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "victims.h"

/* Descriptor numbers of its DRM files, which it opens, closes and exchanges all the time */
#define HOSTILE_FD 200
#define HOSTILE_FILES 4

/* The objects of each of its files, and the addresses where they are mapped */
#define HOSTILE_OBJECTS 4
#define HOSTILE_VA 0x500000000000ull
#define HOSTILE_STRIDE 0x100000ull

/* What the target does against its debuggers; the report has the number of each. */
enum act {
	ACT_SWAP,		/* gives a handle another object */
	ACT_STEAL,		/* the same for a buffer that MEM_ALLOC is creating */
	ACT_MOVE,		/* moves all objects of a file */
	ACT_SCATTER,		/* moves a buffer to VRAM just before MEM_COPY */
	ACT_MAP,		/* changes a mapping */
	ACT_FILE,		/* closes or replaces a DRM file */
	ACT_CHILD,
	ACT_CREDENTIALS,
	ACT_EXEC,
	NUM_ACTS,
};

/* The call that a debugger announces */
enum step {
	STEP_ALLOC,
	STEP_COPY,
};

/**
 * struct hints - memory shared by the debuggers, their hostile target and the supervisor
 * @va: addresses of buffers of the debuggers; 0: none
 * @bytes: the sizes of these buffers
 * @next: counts the writes to @va, which is used as a ring
 * @births: number of DRM files that the target has opened so far
 * @birth: for each of the target's DRM files, the value of @births when it was opened
 * @claimed: when (ns) a worker called step_begin() without step_end(); 0: no worker has
 * @step: the announced call: enum step
 * @file: the DRM file of the target, from 0, to which that call applies
 * @step_bytes: the size of that call's buffer
 * @asked: number of the latest announcement
 * @answered: number of the latest announcement for which the target is prepared
 * @over: number of the latest announcement whose call has returned
 * @job_since: since when (ns) the target waits for a job with waves; 0: it has none
 * @nop_since: the same for a job without waves, which ends after all jobs before it
 * @in_vram: number of buffers that were in VRAM when they were copied
 * @acts: how often the target has done each act
 *
 * The target could find the debuggers' buffers by debugging itself, but not as quickly.
 * The structure is in a memfd because it has to outlast exec() of the target.
 */
#define MAX_HINTS 16

struct hints {
	_Atomic uint64_t va[MAX_HINTS];
	_Atomic uint64_t bytes[MAX_HINTS];
	_Atomic uint32_t next;
	_Atomic uint32_t births;
	_Atomic uint32_t birth[HOSTILE_FILES];
	_Atomic int64_t claimed;
	_Atomic uint32_t step;
	_Atomic uint32_t file;
	_Atomic uint64_t step_bytes;
	_Atomic uint32_t asked;
	_Atomic uint32_t answered;
	_Atomic uint32_t over;
	_Atomic int64_t job_since;
	_Atomic int64_t nop_since;
	_Atomic uint64_t in_vram;
	_Atomic uint64_t acts[NUM_ACTS];
};

/*
 * step.c: announce a call, and wait until the target is prepared for it, but not for
 * long. Returns false if the target does not answer announcements or another call is
 * announced. Otherwise the caller must call step_end() after the call.
 */
bool step_begin(struct hints *h, enum step kind, unsigned int file,
		uint64_t bytes);
void step_end(struct hints *h);
/* For the target: wait for the announcement after @last, and return its number. */
uint32_t step_wait(struct hints *h, uint32_t last);
/* For the target: report that it is prepared for announcement @number. */
void step_answer(struct hints *h, uint32_t number);

/*
 * Start the target as root; it changes to user @uid itself. @hints is the descriptor of
 * the memfd. Returns 0 or -errno.
 */
int hostile_start(struct victim *v, uid_t uid, int hints, uint64_t seed);
/* The main function of the target, with the arguments that hostile_start() passes. */
int hostile_main(int argc, char **argv);

#endif /* FUZZ_HOSTILE_H */
