/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waves of a process: listing, testing, moving and resuming them. Functions are in wave.c,
 * wait.c, run.c and exception.c.
 */
#ifndef ADBGD_WAVE_H
#define ADBGD_WAVE_H

#include "process.h"

/* ----------------------------------------------------------------- wave.c */

/** adbgd_waves_list() - list all waves of the process; if @at is not NULL, only the one there */
int adbgd_waves_list(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     struct adbgd_error *error);

/** adbgd_field() - get a field of a hardware register of a listed wave; 0: no such field */
uint32_t adbgd_field(const struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		     const char *reg_name, const char *field_name);

/**
 * adbgd_wave_is_pending() - test whether a wave has a pending stop: its handler has halted it,
 * and the stop was not reported yet
 */
bool adbgd_wave_is_pending(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave);

/** adbgd_wave_pending_trap() - adbgd_wave_is_pending() that also sets @trap to the wave's trap */
bool adbgd_wave_pending_trap(const struct adbgd_process *process,
			     const struct amdgpudbg_wave *wave, struct adbg_trap *trap);

/**
 * adbgd_wave_left_handler() - test whether a wave is outside of its trap handler
 *
 * The TTMPs of a halted wave must also be readable (AMDGPUDBG_WAVE_TTMP).
 */
bool adbgd_wave_left_handler(const struct amdgpudbg_wave *wave);

/* A test of a listed wave */
typedef bool adbgd_wave_test(const struct adbgd_process *process,
			     const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_in_handler() - the opposite of adbgd_wave_left_handler()
 *
 * If a condition often fails, there are waves in their handler at any time.
 */
adbgd_wave_test adbgd_wave_in_handler;

/** adbgd_wave_is_halting() - test whether a wave is halted, but still in its handler */
adbgd_wave_test adbgd_wave_is_halting;

/** adbgd_wave_is_stopping() - test whether a wave's handler may have sent the event of a stop */
adbgd_wave_test adbgd_wave_is_stopping;

/** adbgd_waves_have() - test whether @test is true for one of the listed waves */
bool adbgd_waves_have(const struct adbgd_process *process, adbgd_wave_test *test);

/**
 * adbgd_waves_list_without() - list all waves until @test is false for all of them
 *
 * After ADBGD_MAX_POLLS lists the function returns 0 although @test is still true for some waves.
 */
int adbgd_waves_list_without(struct adbgd_process *process, adbgd_wave_test *test,
			     struct adbgd_error *error);

/**
 * adbgd_wave_wait_left_handler() - list a wave until it has left its handler
 * @wave: set to its last state; NULL: there is no wave in the slot any more
 *
 * Return: 0 or -errno; -EAGAIN the wave does not leave its handler.
 */
int adbgd_wave_wait_left_handler(struct adbgd_process *process,
				 const struct amdgpudbg_wave_coord *at,
				 const struct amdgpudbg_wave **wave, struct adbgd_error *error);

/**
 * adbgd_wave_is_gone() - test whether @ret means that the slot has another wave, or that the wave
 * is running
 */
static inline bool adbgd_wave_is_gone(int ret)
{
	return ret == -ESTALE || ret == -ENODATA;
}

/* TTMPs with the wave's work-group, written by the hardware (emit_gfx10_3.c) */
#define ADBGD_TTMP_GROUP	8
#define ADBGD_NUM_TTMP_GROUP	3

/**
 * adbgd_wave_is_same() - test whether @now is still the wave that was @before in its slot
 *
 * A wave with the same work-group in a later job, or a running wave, cannot be distinguished
 * from the original one.
 */
bool adbgd_wave_is_same(const struct amdgpudbg_wave *before, const struct amdgpudbg_wave *now);

/** adbgd_wave_resume_op() - get the operation of adbgd_wave_resume(), for a batch */
struct amdgpudbg_wave_control adbgd_wave_resume_op(const struct amdgpudbg_wave *wave);

/** adbgd_wave_resume() - resume a halted wave, if its PC still is the one in @wave */
int adbgd_wave_resume(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/**
 * adbgd_waves_resume() - execute operations in as few calls as possible
 * @first: set to the error of the first operation that failed, unless it is set already or the
 *	operation's wave is gone
 *
 * Return: 0; -errno a call has failed, and the other operations were not executed.
 */
int adbgd_waves_resume(struct adbgd_process *process, struct amdgpudbg_batch_op *ops, int num,
		       int *first);

/** adbgd_wave_has_handler() - test whether a wave has started with the debugger's trap handler */
bool adbgd_wave_has_handler(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_move_reported() - move a halted wave to @pc, and mark its stop as reported
 * @wave: the wave's state; updated
 *
 * Return: 0; -ESTALE PC, TTMP0 or TTMP1 have changed since @wave was read; or an error of
 * adbg_reg_access().
 */
int adbgd_wave_move_reported(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			     uint64_t pc);

/**
 * adbgd_wave_is_kept() - test whether a wave must not be resumed without being asked to
 *
 * See adbgd_process_keep_halted().
 */
bool adbgd_wave_is_kept(const struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_keep_again() - keep a wave whose id has changed, because its handler has run
 * @before: the wave's record of before; nothing happens if it was not kept
 */
void adbgd_wave_keep_again(struct adbgd_process *process, const struct amdgpudbg_wave *before);

/**
 * adbgd_wave_look_up_halted() - read a halted wave, and leave the list of waves as it is
 *
 * Return: 0; -ESTALE there is no halted wave at @at; -ENOMEM; or any error of adbgd_waves_list().
 */
int adbgd_wave_look_up_halted(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at, struct amdgpudbg_wave *wave);

/** adbgd_wave_move() - move a halted wave; its stop stays pending until it is resumed */
int adbgd_wave_move(struct adbgd_process *process, struct amdgpudbg_wave *wave, uint64_t pc);

/**
 * adbgd_wave_make_pending() - undo adbgd_wave_move_reported()
 * @before: the wave's state before it
 */
int adbgd_wave_make_pending(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			    const struct amdgpudbg_wave *before);

/**
 * adbgd_wave_mark_reported() - mark a wave's stop as reported, and write TTMP0 and TTMP1 of @ttmp
 */
int adbgd_wave_mark_reported(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			     const uint32_t *ttmp);

/* ------------------------------------------------ displaced instructions, wave.c */

/** adbgd_displaced_va() - get the address of a slot, 0 to ADBGD_NUM_DISPLACED - 1 */
uint64_t adbgd_displaced_va(const struct adbgd_process *process, uint32_t slot);

/** adbgd_breakpoint_displaced() - get the address of the breakpoint's displaced instruction */
uint64_t adbgd_breakpoint_displaced(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_displaced_take_slot() - take a free slot for a displaced instruction
 * @slot: set to its number; the instruction is not written there yet
 *
 * Return: 0; -ENOSPC all slots are in use; or an error of adbgd_waves_list().
 */
int adbgd_displaced_take_slot(struct adbgd_process *process, const struct adbgd_displaced *copy,
			      uint32_t *slot, struct adbgd_error *error);

/**
 * adbgd_displaced_around() - find the displaced instruction that @pc is in
 * @in_program: set to the address in the program that corresponds to @pc
 *
 * Return: NULL if @pc is in no displaced instruction.
 */
const struct adbgd_displaced *adbgd_displaced_around(const struct adbgd_process *process,
						     uint64_t pc, uint64_t *in_program);

/**
 * adbgd_is_in_displaced() - test whether @pc is in a displaced instruction, before its return
 * trap
 */
bool adbgd_is_in_displaced(const struct adbgd_process *process, uint64_t pc);

/**
 * adbgd_is_in_same_displaced() - test whether @pc and @other are in the same displaced
 * instruction, before its return trap
 */
bool adbgd_is_in_same_displaced(const struct adbgd_process *process, uint64_t pc,
				uint64_t other);

/**
 * adbgd_displaced_check() - compare the displaced instruction at @pc with what was written there
 *
 * Waves of the target can write to the buffer of displaced instructions. This finds a changed
 * instruction before a wave is stepped through it. If another wave changes it during the step,
 * the step does something else, but is never endless.
 *
 * Return: 0, also if @pc is in no displaced instruction; -EBADMSG the instruction was changed;
 * -errno it cannot be read.
 */
int adbgd_displaced_check(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error);

/* ------------------------------------------------------------ exception.c */

/* Bits of MODE.EXCP_EN and TRAPSTS.EXCP, as the registers of gfx10.3 name them */
#define ADBGD_EXCP_WATCH	(1U << 7)
#define ADBGD_EXCP_MEM_VIOL	(1U << 8)

/**
 * adbgd_wave_trapped_for() - get the bits of TRAPSTS for which the wave traps
 *
 * These are enabled exceptions, and those that cannot be disabled.
 */
uint32_t adbgd_wave_trapped_for(const struct adbgd_process *process,
				const struct amdgpudbg_wave *wave);

/** adbgd_wave_cause() - get AMDGPUDBG_CAUSE_* of the exceptions for which the wave has trapped */
uint64_t adbgd_wave_cause(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_clear_exceptions() - clear exceptions, before a reported wave is moved
 *
 * Otherwise a wave that stopped for an exception raises it again before its next instruction:
 * trap/stop.S clears it only when the wave is resumed where it stopped.
 */
int adbgd_wave_clear_exceptions(struct adbgd_process *process,
				const struct amdgpudbg_wave *wave);

/** adbgd_wave_watches() - get the GPU's watches for which the wave has trapped, as bits */
uint32_t adbgd_wave_watches(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave);

/* ----------------------------------------------------------------- wait.c */

/* State of a resumed wave after the wait; or -errno */
enum adbgd_wave_now {
	ADBGD_WAVE_STOPPED,	/* its handler halted it; the stop is pending */
	ADBGD_WAVE_ENDED,
	ADBGD_WAVE_LATE,	/* neither, before the wait timed out or was interrupted */
};

/* In ns: the first of the pauses between two calls of adbgd_wave_poll() */
#define ADBGD_FIRST_PAUSE_NS	50000

/**
 * adbgd_wave_pause() - pause between two calls of adbgd_wave_poll()
 * @ns: length of the pause; updated for the next one
 */
void adbgd_wave_pause(const struct adbgd_process *process, long *ns);

/**
 * adbgd_wave_poll() - test once whether a resumed wave has stopped or ended
 * @before: its state when it was resumed
 * @now: set to the wave's state, unless it has ended
 *
 * Return: enum adbgd_wave_now or -errno.
 */
int adbgd_wave_poll(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    struct amdgpudbg_wave *now, struct adbgd_error *error);

/* Test whether to stop waiting: 0, 1, or -errno with @error set */
typedef int adbgd_wave_late(void *arg, struct adbgd_error *error);

/**
 * adbgd_wave_wait() - wait until a resumed wave stops or ends
 * @before: its state when it was resumed
 * @is_late: called between two polls, with @arg
 * @now: set to the wave's state, if it has stopped
 *
 * Return: enum adbgd_wave_now or -errno.
 */
int adbgd_wave_wait(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    adbgd_wave_late *is_late, void *arg, struct amdgpudbg_wave *now,
		    struct adbgd_error *error);

/**
 * adbgd_wave_halt() - halt a resumed wave
 * @before: its state when it was resumed
 * @now: set to the wave's state, unless it has ended
 *
 * Return: enum adbgd_wave_now or -errno.
 */
int adbgd_wave_halt(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    struct amdgpudbg_wave *now, struct adbgd_error *error);

/* ------------------------------------------------------------------ run.c */

/** adbgd_wave_can_resume() - test whether a wave is halted, and has no pending stop or start */
adbgd_wave_test adbgd_wave_can_resume;

/**
 * adbgd_wave_find() - find a halted wave that can be resumed
 * @wave: set to its state
 *
 * Return: 0, or
 * -ENODATA: there is no wave;
 * -EINPROGRESS: the wave is not halted;
 * -EBUSY: its stop or start is pending;
 * any error of adbgd_waves_list().
 */
int adbgd_wave_find(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    struct amdgpudbg_wave *wave, struct adbgd_error *error);

/**
 * adbgd_wave_prepare_resume() - prepare a halted wave for being resumed
 *
 * A wave at a breakpoint is moved to the displaced instruction, and put into debug mode if
 * needed.
 */
int adbgd_wave_prepare_resume(struct adbgd_process *process, struct amdgpudbg_wave *wave);

/**
 * adbgd_stop_is_at_breakpoint() - test whether a step has reached a breakpoint
 *
 * A step does not evaluate the condition of a breakpoint, so only one without a condition counts.
 */
bool adbgd_stop_is_at_breakpoint(const struct adbgd_process *process,
				 const struct adbgd_stop *stop);

#endif /* ADBGD_WAVE_H */
