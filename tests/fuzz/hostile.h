/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target that works against its debuggers: see hostile.c.
 */
#ifndef FUZZ_HOSTILE_H
#define FUZZ_HOSTILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "victims.h"

/* Numbers of its DRM files, which it opens, closes and exchanges all the time */
#define HOSTILE_FD 200
#define HOSTILE_FILES 4

/* Its own objects, and where each of its files has them mapped */
#define HOSTILE_OBJECTS 4
#define HOSTILE_VA 0x500000000000ull
#define HOSTILE_STRIDE 0x100000ull

/* What it does to its debuggers, for the report */
enum act {
	ACT_SWAP,		/* a handle has got another object */
	ACT_STEAL,		/* so has that of the buffer that a call was making */
	ACT_MOVE,		/* all objects of a file are to be elsewhere */
	ACT_SCATTER,		/* the buffer that a call is about to copy is in VRAM */
	ACT_MAP,		/* a mapping has changed */
	ACT_FILE,		/* a DRM file was closed or replaced */
	ACT_CHILD,
	ACT_CREDENTIALS,
	ACT_EXEC,
	NUM_ACTS,
};

/* The call of a debugger that follows an announcement */
enum step {
	STEP_ALLOC,
	STEP_COPY,
};

/**
 * struct hints - what the debuggers tell their target, and it tells the supervisor
 * @va: of buffers of the debuggers, and in @bytes how long they are; 0: none
 * @next: of @va, without end
 * @births: how many DRM files it has opened
 * @birth: of its DRM files, the number of the one that has this place
 * @claimed: since when (ns) a worker is between step_begin() and step_end(); 0: none is
 * @step: what it announces: enum step
 * @file: of which DRM file of the target, from 0
 * @step_bytes: how large the buffer is
 * @asked: number of the announcement
 * @answered: the last one that the target is prepared for
 * @over: the last one whose call has returned
 * @job_since: since when (ns) the target waits for a job with waves; 0: it has none
 * @nop_since: the same for a job without waves, which ends after all before it
 * @in_vram: buffers that were in VRAM when they were copied
 * @acts: how often it has done each
 *
 * The target could find all of this by debugging itself, but not as quickly. In a memfd,
 * as it has to outlast exec().
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
 * step.c: announce a call, and wait a moment until the target is prepared for it. False:
 * it does not listen, or another call is announced; else step_end() has to follow.
 */
bool step_begin(struct hints *h, enum step kind, unsigned int file,
		uint64_t bytes);
void step_end(struct hints *h);
/* The target: wait for the announcement after @last. Its number. */
uint32_t step_wait(struct hints *h, uint32_t last);
/* The target is prepared for announcement @number. */
void step_answer(struct hints *h, uint32_t number);

/* Started as root, it becomes @uid itself. @hints: the memfd. 0 or -errno. */
int hostile_start(struct victim *v, uid_t uid, int hints, uint64_t seed);
/* The program; its arguments are those that hostile_start() gives it. */
int hostile_main(int argc, char **argv);

#endif /* FUZZ_HOSTILE_H */
