/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Breakpoints and watchpoints of a process: breakpoint.c, insert.c, condition.c, stepped.c,
 * watch.c.
 */
#ifndef ADBGD_BREAKPOINT_H
#define ADBGD_BREAKPOINT_H

#include "isa/length.h"
#include "process.h"

/* In info.flags: a momentary breakpoint of until.c. It has no number, and is not listed. */
#define ADBGD_BREAKPOINT_MOMENTARY	(1U << 31)

/**
 * struct adbgd_breakpoint - a breakpoint
 * @next: by number
 * @insn: the program's instruction, and what follows it
 * @slot: of the displaced instruction
 * @momentary: condition of the momentary breakpoint in the same place (until.c)
 * @ends_with_momentary: it is temporary, and was hit while there was a momentary one
 * @counter: of a condition that counts hits: offset in the handler's memory
 * @is_expired: a temporary one that could not be cleared yet
 * @is_clearing: being cleared: waves that it has stopped are to be resumed
 */
struct adbgd_breakpoint {
	struct adbgd_breakpoint_info info;
	struct adbgd_process *process;
	struct adbgd_breakpoint *next;
	uint32_t insn[ADBGD_MAX_DWORDS];
	uint32_t slot;
	struct adbgd_condition condition;
	bool has_condition;
	struct adbgd_condition momentary;
	bool has_momentary;
	bool ends_with_momentary;
	uint32_t counter;
	bool is_expired;
	bool is_clearing;
};

/* Is it a breakpoint by stepping (stepped.c)? It has no patch and no displaced instruction. */
static inline bool adbgd_is_stepped(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->info.flags & ADBGD_BREAKPOINT_STEPPED;
}

/* The same, and it is not being cleared */
static inline bool adbgd_is_set_stepped(const struct adbgd_breakpoint *breakpoint)
{
	return adbgd_is_stepped(breakpoint) && !breakpoint->is_clearing;
}

struct adbgd_watchpoint {
	struct adbgd_watchpoint_info info;
	struct adbgd_process *process;
	struct adbgd_watchpoint *next;	/* by number */
	uint32_t id;		/* of the GPU's watch */
};

/* --------------------------------------------------------------- insert.c */

/** adbgd_patch_insn() - get the s_trap that replaces an instruction */
uint32_t adbgd_patch_insn(void);

/**
 * adbgd_is_patched() - is the patch in memory?
 *
 * Also true if the memory cannot be read, because waves may still execute it.
 */
bool adbgd_is_patched(struct adbgd_process *process, uint64_t address);

/** adbgd_insert_read() - read up to ADBGD_MAX_DWORDS dwords; returns how many, or -errno */
int adbgd_insert_read(struct adbgd_process *process, uint64_t address,
		      uint32_t insn[ADBGD_MAX_DWORDS], struct adbgd_error *error);

/**
 * adbgd_insert_check() - test whether a breakpoint can be inserted at an address
 * @memory: the process's memory, without breakpoints
 * @insn: set to the instruction, and what follows it
 * Return: its length in dwords; -EINVAL no instruction begins there; -EACCES waves may not
 * execute the memory; -ENXIO nothing is mapped there; -errno it cannot be read.
 */
int adbgd_insert_check(struct adbgd_process *process, const struct adbgd_memory *memory,
		       uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		       struct adbgd_error *error);

/* -------------------------------------------------------------- stepped.c */

/** adbgd_stepped_tag() - get the value of TTMP13 in waves that stop for a breakpoint */
uint32_t adbgd_stepped_tag(const struct adbgd_breakpoint *breakpoint);

/** adbgd_stepped_exist() - has the process breakpoints by stepping? */
bool adbgd_stepped_exist(const struct adbgd_process *process);

/**
 * adbgd_stepped_at() - find one that is set for an address or the instruction there
 * Return: one without a condition, if there is one; NULL: none.
 */
struct adbgd_breakpoint *adbgd_stepped_at(struct adbgd_process *process, uint64_t address);

/**
 * adbgd_stepped_by_tag() - find the one for which a step has stopped a wave
 * @tag: the wave's TTMP13
 * @set: set to: is @tag a tag of a breakpoint, which may have been cleared
 * Return: NULL: @tag is none, or the breakpoint was cleared.
 */
struct adbgd_breakpoint *adbgd_stepped_by_tag(const struct adbgd_process *process, uint32_t tag,
					      bool *set);

/** adbgd_stepped_enable() - put all waves into debug mode, also new ones */
int adbgd_stepped_enable(struct adbgd_process *process, struct adbgd_error *error);

/** adbgd_stepped_disable() - take all waves out of debug mode, also new ones */
void adbgd_stepped_disable(struct adbgd_process *process);

/** adbgd_stepped_invalidate() - the same, when the launch mode of new waves was lost */
void adbgd_stepped_invalidate(struct adbgd_process *process);

/** adbgd_stepped_prepare_resume() - put a halted wave into debug mode, if it has to be */
int adbgd_stepped_prepare_resume(struct adbgd_process *process,
				 const struct amdgpudbg_wave *wave);

/** adbgd_stepped_prepare_step() - take a halted wave out of debug mode for a step */
int adbgd_stepped_prepare_step(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/* ------------------------------------------------------------ condition.c */

/**
 * adbgd_condition_assign() - check a condition, and give it to a breakpoint
 * @breakpoint: the trap handler does not know its condition before adbgd_conditions_load()
 * @condition: NULL: none
 */
int adbgd_condition_assign(struct adbgd_breakpoint *breakpoint,
			   const struct adbgd_condition *condition, struct adbgd_error *error);

/**
 * adbgd_conditions_load() - set a trap handler that evaluates all conditions
 *
 * Nothing is done if handler.has_conditions is set. Call it before setting a patch that the
 * handler has to know.
 *
 * Return: 0; -ENOSPC the conditions do not fit; -EAGAIN waves do not leave the handler that
 * was set before; as adbg_trap_handler_set(). On failure the handler stays as it was.
 */
int adbgd_conditions_load(struct adbgd_process *process, struct adbgd_error *error);

/**
 * adbgd_conditions_reload() - set the handler again, and list waves when all have left the
 * one before
 */
int adbgd_conditions_reload(struct adbgd_process *process, struct adbgd_error *error);

/* ----------------------------------------------------------- breakpoint.c */

/** adbgd_breakpoint_for() - find the breakpoint for an address; it may be pending */
struct adbgd_breakpoint *adbgd_breakpoint_for(const struct adbgd_process *process,
					      uint64_t address);

/** adbgd_breakpoint_at() - find the breakpoint that is set at an address; NULL: none */
struct adbgd_breakpoint *adbgd_breakpoint_at(const struct adbgd_process *process,
					     uint64_t address);

/**
 * adbgd_breakpoint_under() - find the breakpoint from which a wave is to be resumed
 *
 * The code may have been replaced since the patch was set. Then the breakpoint becomes
 * pending, and NULL is returned.
 */
struct adbgd_breakpoint *adbgd_breakpoint_under(struct adbgd_process *process,
						uint64_t address);

/**
 * adbgd_breakpoints_arm() - set pending breakpoints, if they can be set
 * @wanted: NULL, or the one whose failure is the call's; all others stay pending
 * Return: 0; -errno the handler cannot be set or waves cannot be listed; or @wanted's error.
 */
int adbgd_breakpoints_arm(struct adbgd_process *process,
			  const struct adbgd_breakpoint *wanted, struct adbgd_error *error);

/** adbgd_canonical() - sign-extend an address, as waves have it */
uint64_t adbgd_canonical(const struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoint_add() - adbgd_breakpoint_set_if() that also takes _MOMENTARY in @flags */
int adbgd_breakpoint_add(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 const struct adbgd_condition *condition,
			 struct adbgd_breakpoint **breakpoint, struct adbgd_error *error);

/** adbgd_breakpoint_resume_past() - resume a halted wave at @pc as if it had not stopped */
int adbgd_breakpoint_resume_past(struct adbgd_process *process, struct amdgpudbg_wave *wave,
				 uint64_t pc);

/** adbgd_breakpoint_expire() - clear it, or try again later if that fails now */
void adbgd_breakpoint_expire(struct adbgd_breakpoint *breakpoint);

/** adbgd_breakpoint_was_at() - was one cleared at that address, and is no s_trap there now? */
bool adbgd_breakpoint_was_at(struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoints_pending() - are there pending ones that can be set? */
bool adbgd_breakpoints_pending(const struct adbgd_process *process);

/** adbgd_breakpoints_invalidate() - make all pending, because the patches are lost */
void adbgd_breakpoints_invalidate(struct adbgd_process *process);

/** adbgd_breakpoints_check_code() - make those pending whose code was replaced */
void adbgd_breakpoints_check_code(struct adbgd_process *process);

/** adbgd_breakpoints_free() - free them; the session's end removes their patches */
void adbgd_breakpoints_free(struct adbgd_process *process);

/* ---------------------------------------------------------------- watch.c */

/** adbgd_watchpoints_hit() - set the watchpoint of a stop by its @watch_mask, and count it */
void adbgd_watchpoints_hit(struct adbgd_process *process, struct adbgd_stop *stop);

/** adbgd_watchpoints_invalidate() - mark all as invalidated: no wave stops for them */
void adbgd_watchpoints_invalidate(struct adbgd_process *process);

/** adbgd_watchpoints_clear() - clear all, in a session that is not closed */
void adbgd_watchpoints_clear(struct adbgd_process *process);

/** adbgd_watchpoints_free() - free them; the session's end removes the GPU's watches */
void adbgd_watchpoints_free(struct adbgd_process *process);

#endif /* ADBGD_BREAKPOINT_H */
