/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Breakpoints and watchpoints of a process: breakpoint.c, breakpoint_find.c, breakpoint_remove.c,
 * insert.c, condition.c, host_test.c, stepped.c, watch.c.
 */
#ifndef ADBGD_BREAKPOINT_H
#define ADBGD_BREAKPOINT_H

#include "isa/length.h"
#include "process.h"

/* In info.flags: a momentary breakpoint of until.c. It has no number, and is not listed. */
#define ADBGD_BREAKPOINT_MOMENTARY	(1U << 31)

/* A breakpoint without an address has no displaced instruction. */
#define ADBGD_NO_SLOT			UINT32_MAX

/**
 * struct adbgd_host_test - the part of a condition that the host decides
 * @evaluate: test for which active lanes of a halted wave the whole condition is true, also the
 *	part that the GPU has decided. 0 or -errno. NULL: there is no such part
 * @expression: as the user has given it; owned by the breakpoint
 * @hits: number of waves for which the condition was true, for @every and @nth
 */
struct adbgd_host_test {
	int (*evaluate)(struct adbgd_breakpoint *breakpoint,
			const struct amdgpudbg_wave_coord *at, uint64_t *lanes,
			struct adbgd_error *error);
	char *expression;
	uint64_t hits;
};

/**
 * struct adbgd_breakpoint - a breakpoint
 * @next: the list is in the order of numbers
 * @insn: the instruction of the program, and the dwords that follow it
 * @slot: slot of the displaced instruction
 * @momentary: condition of the momentary breakpoint at the same address (until.c)
 * @ends_with_momentary: the breakpoint ends at its first stop, and was hit while there was a
 *	momentary one
 * @counter: offset in the handler's memory of the hit counter, if the condition counts hits
 * @counted: hits that were counted before the breakpoint lost its address, and still count
 * @is_expired: the breakpoint ends at its first stop and was hit, but could not be cleared or
 *	disabled yet
 * @is_clearing: the breakpoint is being cleared; waves that it has stopped are still to be
 *	resumed
 * @was_pending: it was pending when it was reported last, see adbgd_process_report_breakpoints()
 */
struct adbgd_breakpoint {
	struct adbgd_breakpoint_info info;
	struct adbgd_process *process;
	struct adbgd_breakpoint *next;
	uint32_t insn[ADBGD_MAX_DWORDS];
	uint32_t slot;
	struct adbgd_condition condition;
	bool has_condition;
	struct adbgd_host_test test;
	struct adbgd_condition momentary;
	bool has_momentary;
	bool ends_with_momentary;
	uint32_t counter;
	uint64_t counted;
	bool is_expired;
	bool is_clearing;
	bool was_pending;
};

/*
 * Test for a breakpoint by stepping (stepped.c), which has no patch and no displaced instruction.
 */
static inline bool adbgd_is_stepped(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->info.flags & ADBGD_BREAKPOINT_STEPPED;
}

/* Test for a breakpoint that is neither in the code nor in the trap handler, and does not wait. */
static inline bool adbgd_is_out_of_use(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->info.flags & (ADBGD_BREAKPOINT_DISABLED | ADBGD_BREAKPOINT_NO_ADDRESS);
}

/* Test for a breakpoint by stepping that is neither out of use nor being cleared. */
static inline bool adbgd_is_set_stepped(const struct adbgd_breakpoint *breakpoint)
{
	return adbgd_is_stepped(breakpoint) && !breakpoint->is_clearing &&
	       !adbgd_is_out_of_use(breakpoint);
}

/* Test whether the GPU alone decides for which waves a breakpoint stops, and not for all. */
static inline bool adbgd_is_gpu_condition(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->has_condition && !breakpoint->test.evaluate;
}

/* Test for a breakpoint for which the trap handler evaluates something. */
static inline bool adbgd_is_in_handler(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->has_condition || adbgd_is_stepped(breakpoint);
}

struct adbgd_watchpoint {
	struct adbgd_watchpoint_info info;
	struct adbgd_process *process;
	struct adbgd_watchpoint *next;	/* the list is in the order of numbers */
	uint32_t id;		/* identifies the GPU's watch */
};

/* --------------------------------------------------------------- insert.c */

/** adbgd_patch_insn() - get the s_trap that replaces an instruction */
uint32_t adbgd_patch_insn(void);

/**
 * adbgd_is_patched() - test whether the patch is in memory
 *
 * If the memory cannot be read, the function returns true, because waves may still execute it.
 */
bool adbgd_is_patched(struct adbgd_process *process, uint64_t address);

/**
 * adbgd_insert_read() - read up to ADBGD_MAX_DWORDS dwords of code
 *
 * Return: the number of dwords that could be read, or -errno.
 */
int adbgd_insert_read(struct adbgd_process *process, uint64_t address,
		      uint32_t insn[ADBGD_MAX_DWORDS], struct adbgd_error *error);

/**
 * adbgd_insert_check() - test whether a breakpoint can be inserted at an address
 * @memory: the process's memory, without breakpoints
 * @insn: set to the instruction, and the dwords that follow it
 *
 * Return: length of the instruction in dwords, or
 * -EINVAL: no instruction begins there;
 * -EACCES: waves may not execute the memory;
 * -ENXIO: nothing is mapped there; another -errno: the memory cannot be read.
 */
int adbgd_insert_check(struct adbgd_process *process, const struct adbgd_memory *memory,
		       uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		       struct adbgd_error *error);

/* -------------------------------------------------------------- stepped.c */

/** adbgd_stepped_tag() - get the value of TTMP13 in waves that stop for this breakpoint */
uint32_t adbgd_stepped_tag(const struct adbgd_breakpoint *breakpoint);

/** adbgd_stepped_exist() - test whether the process has breakpoints by stepping */
bool adbgd_stepped_exist(const struct adbgd_process *process);

/**
 * adbgd_stepped_at() - find a breakpoint by stepping for an address, or for the instruction there
 *
 * Return: a breakpoint without a condition, if there is one; NULL: there is no breakpoint.
 */
struct adbgd_breakpoint *adbgd_stepped_at(struct adbgd_process *process, uint64_t address);

/**
 * adbgd_stepped_next() - find the next one with a test for an address, or for the instruction there
 * @breakpoint: the one after which the list is searched
 */
struct adbgd_breakpoint *adbgd_stepped_next(struct adbgd_process *process,
					    const struct adbgd_breakpoint *breakpoint,
					    uint64_t address);

/**
 * adbgd_stepped_by_tag() - find the breakpoint by stepping that has stopped a wave
 * @tag: TTMP13 of the wave
 * @set: set to whether @tag belongs to a breakpoint, which may have been cleared
 *
 * Return: NULL: @tag belongs to no breakpoint, or the breakpoint was cleared.
 */
struct adbgd_breakpoint *adbgd_stepped_by_tag(const struct adbgd_process *process, uint32_t tag,
					      bool *set);

/** adbgd_stepped_enable() - put all waves into debug mode, and those that start later */
int adbgd_stepped_enable(struct adbgd_process *process, struct adbgd_error *error);

/** adbgd_stepped_disable() - take all waves out of debug mode; new ones start without it */
void adbgd_stepped_disable(struct adbgd_process *process);

/** adbgd_stepped_invalidate() - take waves out of debug mode after the launch mode was lost */
void adbgd_stepped_invalidate(struct adbgd_process *process);

/** adbgd_stepped_prepare_resume() - put a halted wave into debug mode, if all waves are in it */
int adbgd_stepped_prepare_resume(struct adbgd_process *process,
				 const struct amdgpudbg_wave *wave);

/** adbgd_stepped_prepare_step() - take a halted wave out of debug mode before a single step */
int adbgd_stepped_prepare_step(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/* ------------------------------------------------------------ condition.c */

/**
 * adbgd_condition_assign() - check a condition, and assign it to a breakpoint
 * @breakpoint: the trap handler evaluates the condition after adbgd_conditions_load()
 * @condition: NULL: remove the condition
 */
int adbgd_condition_assign(struct adbgd_breakpoint *breakpoint,
			   const struct adbgd_condition *condition, struct adbgd_error *error);

/** adbgd_condition_counts() - test whether a condition counts hits */
static inline bool adbgd_condition_counts(const struct adbgd_condition *condition)
{
	return condition->every > 1 || condition->nth;
}

/** adbgd_condition_get_hits() - get the hits that a condition has counted; 0: it counts none */
uint64_t adbgd_condition_get_hits(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_condition_set_hits() - count from @counted on, before any wave stops for the condition
 */
int adbgd_condition_set_hits(struct adbgd_breakpoint *breakpoint, struct adbgd_error *error);

/**
 * adbgd_conditions_load() - set a trap handler that evaluates all conditions
 *
 * The function does nothing if handler.has_conditions is set. Call it before setting a patch that
 * the handler has to know.
 *
 * Return: 0, or
 * -ENOSPC: the conditions do not fit;
 * -EAGAIN: waves do not leave the handler that was set before;
 * any error of adbg_trap_handler_set().
 *
 * On failure the handler stays as it was.
 */
int adbgd_conditions_load(struct adbgd_process *process, struct adbgd_error *error);

/**
 * adbgd_conditions_reload() - set the handler again, and list the waves when all of them have
 * left the previous handler
 */
int adbgd_conditions_reload(struct adbgd_process *process, struct adbgd_error *error);

/* ------------------------------------------------------------ host_test.c */

/**
 * adbgd_breakpoint_evaluate() - test whether a halted wave satisfies the condition of a breakpoint
 * @breakpoint: has a test
 * @at: slot of the wave. It is halted at the breakpoint, without a pending stop.
 * @stop: if the wave is to stop, @lanes is set, or ADBGD_STOP_UNDECIDED
 *
 * The list of waves stays as it is.
 *
 * Return: 1 it does, or this could not be found out; 0 it does not; -EINTR interrupted; -ESTALE the
 * wave has ended; or another error of adbgd_waves_list().
 */
int adbgd_breakpoint_evaluate(struct adbgd_breakpoint *breakpoint,
			      const struct amdgpudbg_wave_coord *at, struct adbgd_stop *stop);

/** adbgd_breakpoint_undecided() - the decision was interrupted, and the wave stops */
void adbgd_breakpoint_undecided(struct adbgd_breakpoint *breakpoint, struct adbgd_stop *stop);

/**
 * adbgd_breakpoint_is_at() - test whether a stepped wave stops for a breakpoint with a test
 * @stop: why and where it has stopped; @lanes or ADBGD_STOP_UNDECIDED are added
 *
 * A step is no hit, so that a condition that counts hits is false.
 */
bool adbgd_breakpoint_is_at(struct adbgd_breakpoint *breakpoint, struct adbgd_stop *stop);

/** adbgd_breakpoint_stops_next() - what adbgd_breakpoint_count() will return, without counting */
bool adbgd_breakpoint_stops_next(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_breakpoint_count() - count a wave that satisfies the condition
 *
 * Return: whether it is one of those at which @every or @nth of the condition stops.
 */
bool adbgd_breakpoint_count(struct adbgd_breakpoint *breakpoint);

/* ------------------------------------------------------ breakpoint_find.c */

/**
 * adbgd_breakpoint_find() - find a breakpoint that is in use by its address
 * @flags: with ADBGD_BREAKPOINT_STEPPED one by stepping, else one with a patch. An address may
 *	have one of each kind, and any number of breakpoints that are out of use.
 */
struct adbgd_breakpoint *adbgd_breakpoint_find(const struct adbgd_process *process,
					       uint64_t address, uint32_t flags);

/** adbgd_breakpoint_for() - find the breakpoint for an address, also a pending one */
struct adbgd_breakpoint *adbgd_breakpoint_for(const struct adbgd_process *process,
					      uint64_t address);

/** adbgd_breakpoint_at() - find the breakpoint that is set at an address; NULL: none */
struct adbgd_breakpoint *adbgd_breakpoint_at(const struct adbgd_process *process,
					     uint64_t address);

/* ----------------------------------------------------------- breakpoint.c */

/**
 * adbgd_breakpoint_under() - find the breakpoint at the address from which a wave is resumed
 *
 * The code may have been replaced since the patch was set. In this case the breakpoint becomes
 * pending, and NULL is returned.
 */
struct adbgd_breakpoint *adbgd_breakpoint_under(struct adbgd_process *process,
						uint64_t address);

/**
 * adbgd_breakpoints_arm() - set those pending breakpoints that can be set
 * @wanted: NULL, or the breakpoint whose failure is the function's; all others stay pending
 *
 * Return: 0; -errno the handler cannot be set or waves cannot be listed; or the error of @wanted.
 */
int adbgd_breakpoints_arm(struct adbgd_process *process,
			  const struct adbgd_breakpoint *wanted, struct adbgd_error *error);

/** adbgd_canonical() - sign-extend an address, as in a wave's PC */
uint64_t adbgd_canonical(const struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoint_change_condition() - set the condition of the GPU, and drop that of the host */
int adbgd_breakpoint_change_condition(struct adbgd_breakpoint *breakpoint,
				      const struct adbgd_condition *condition,
				      struct adbgd_error *error);

/**
 * adbgd_breakpoint_set_test() - let the host decide, after what the GPU decides
 * @test: @expression is copied
 *
 * Return: 0; -ENOMEM; or any error of adbgd_conditions_load(). On failure nothing has changed.
 */
int adbgd_breakpoint_set_test(struct adbgd_breakpoint *breakpoint,
			      const struct adbgd_host_test *test, struct adbgd_error *error);

/** adbgd_breakpoint_drop_test() - leave the decision to the GPU again */
void adbgd_breakpoint_drop_test(struct adbgd_breakpoint *breakpoint);

/** adbgd_breakpoint_add() - do what adbgd_breakpoint_set_if() does; @flags may have _MOMENTARY */
int adbgd_breakpoint_add(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 const struct adbgd_condition *condition,
			 struct adbgd_breakpoint **breakpoint, struct adbgd_error *error);

/**
 * adbgd_breakpoint_expire() - clear a breakpoint, or disable it if it has ADBGD_BREAKPOINT_ONCE
 *
 * If that fails, adbgd_breakpoints_arm() tries it again. Until then stops are not reported.
 */
int adbgd_breakpoint_expire(struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_breakpoint_was_at() - test whether a breakpoint at @address was cleared
 *
 * If the program itself has an s_trap there, the function returns false.
 */
bool adbgd_breakpoint_was_at(struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoints_pending() - test whether there are pending breakpoints to be set */
bool adbgd_breakpoints_pending(const struct adbgd_process *process);

/** adbgd_breakpoints_invalidate() - make all breakpoints pending, because the patches are lost */
void adbgd_breakpoints_invalidate(struct adbgd_process *process);

/** adbgd_breakpoints_check_code() - make breakpoints pending whose code was replaced */
void adbgd_breakpoints_check_code(struct adbgd_process *process);

/** adbgd_breakpoints_free() - free all breakpoints; the end of the session removes the patches */
void adbgd_breakpoints_free(struct adbgd_process *process);

/* ---------------------------------------------------- breakpoint_remove.c */

/**
 * adbgd_breakpoint_unpatch() - remove the patch from the code
 * @was_there: set to whether it was there; it may have been removed with the handler or the memory
 *
 * Return: 0; -errno: it is still there.
 */
int adbgd_breakpoint_unpatch(struct adbgd_breakpoint *breakpoint, bool *was_there,
			     struct adbgd_error *error);

/** adbgd_breakpoint_resume_removed() - resume waves that have stopped for a removed breakpoint */
int adbgd_breakpoint_resume_removed(struct adbgd_breakpoint *breakpoint,
				    struct adbgd_error *error);

/**
 * adbgd_breakpoint_resume_past() - let a wave continue that is halted at @pc, without a report
 *
 * If a breakpoint is set at @pc, the wave executes its displaced instruction. A wave that the
 * caller has halted stays so, see adbgd_wave_is_kept().
 */
int adbgd_breakpoint_resume_past(struct adbgd_process *process, struct amdgpudbg_wave *wave,
				 uint64_t pc);

/* ---------------------------------------------------------------- watch.c */

/** adbgd_watchpoints_hit() - count the hits of @stop->watch_mask, and set @stop->watchpoint */
void adbgd_watchpoints_hit(struct adbgd_process *process, struct adbgd_stop *stop);

/** adbgd_watchpoints_invalidate() - mark all watchpoints as invalidated: no wave stops for them */
void adbgd_watchpoints_invalidate(struct adbgd_process *process);

/** adbgd_watchpoints_clear() - clear all watchpoints in a session that stays open */
void adbgd_watchpoints_clear(struct adbgd_process *process);

/** adbgd_watchpoints_free() - free all watchpoints; the end of the session removes the watches */
void adbgd_watchpoints_free(struct adbgd_process *process);

#endif /* ADBGD_BREAKPOINT_H */
