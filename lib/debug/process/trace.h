/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Traces: the registers of a wave, instruction by instruction.
 */
#ifndef ADBGD_TRACE_H
#define ADBGD_TRACE_H

#include <stdbool.h>

#include "internal.h"

struct adbgd_process;

/* A word that an instruction has changed. The same change is applied forward and backward. */
struct adbgd_trace_change {
	uint32_t word;
	uint32_t bits;		/* old value XOR new value */
};

struct adbgd_trace {
	struct adbgd_trace_info info;
	uint32_t *words;		/* registers at step @position */
	uint64_t position;
	struct adbgd_trace_change *changes;	/* of all steps, one step after the other */
	size_t num_changes, room_changes;
	size_t *ends;			/* index in @changes of the end of each step */
	size_t room_ends;
	bool has_begun;
	uint32_t *taken;		/* buffer for recording a step */
	uint32_t *masks;		/* bits of hardware registers that instructions change */
};

/* ----------------------------------------------------------------- trace.c */

/**
 * adbgd_trace_record_words() - add the registers that were read from a wave to a trace
 * @words: changed: bits that no instruction sets get the values of the trace's beginning
 */
int adbgd_trace_record_words(struct adbgd_trace *trace, uint32_t *words, struct adbgd_error *error);

/* ------------------------------------------------------------- trace_gpu.c */

/* Result of recording by the trap handler; or -errno */
enum adbgd_traced {
	ADBGD_TRACED,		/* the wave is halted, and its stop was reported */
	ADBGD_TRACED_TO_TRAP,	/* the wave has stopped for another reason, which is pending */
	ADBGD_TRACED_TO_END,
};

/**
 * adbgd_trace_on_gpu() - let the trap handler of a trace's wave record up to @num steps
 *
 * The wave is where the trace ends. If its next instruction cannot be executed by the handler,
 * nothing is done. Afterwards the wave may have executed one instruction that is not in the
 * trace.
 */
int adbgd_trace_on_gpu(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t num,
		       struct adbgd_error *error);

/** adbgd_steps_on_gpu() - do the same without a trace; @num is set to the number of steps */
int adbgd_steps_on_gpu(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		       uint64_t *num, struct adbgd_error *error);

/* The wave after recording; @wave is not set if it has ended */
struct adbgd_traced_at {
	struct adbgd_stop stop;
	struct amdgpudbg_wave wave;
	bool has_undone;	/* one more instruction, not recorded, has trapped */
};

/**
 * adbgd_traced_stop() - describe the stop after one of these functions
 * @traced: what that function returned
 * @now: set to the wave and its stop
 *
 * Return: 0 or -errno.
 */
int adbgd_traced_stop(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      int traced, struct adbgd_traced_at *now, struct adbgd_error *error);

/* For fewer steps, setting up the handler takes as many calls as stepping by the host. */
#define ADBGD_MIN_ON_GPU	8

#endif /* ADBGD_TRACE_H */
