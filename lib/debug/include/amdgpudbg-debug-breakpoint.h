/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: breakpoints of a process, and their conditions. amdgpudbg-debug.h includes
 * this header.
 */
#ifndef AMDGPUDBG_DEBUG_BREAKPOINT_H
#define AMDGPUDBG_DEBUG_BREAKPOINT_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_process;		/* see amdgpudbg-debug.h */
struct adbgd_breakpoint;	/* stops waves before an instruction */

#define ADBGD_BREAKPOINT_TEMPORARY	(1U << 0)	/* cleared at the first stop */
#define ADBGD_BREAKPOINT_PENDING	(1U << 1)	/* output: not set yet */
#define ADBGD_BREAKPOINT_STEPPED	(1U << 2)	/* does not patch the code */
#define ADBGD_BREAKPOINT_DISABLED	(1U << 3)	/* output: see adbgd_breakpoint_disable() */
#define ADBGD_BREAKPOINT_ONCE		(1U << 4)	/* disabled at the first stop */
#define ADBGD_BREAKPOINT_NO_ADDRESS	(1U << 5)	/* output: adbgd_breakpoint_set_later() */

/** struct adbgd_breakpoint_info - description of a breakpoint */
struct adbgd_breakpoint_info {
	uint64_t address;	/* 0 if it has none, also for adbgd_breakpoint_set_insn() */
	uint64_t hits;		/* stops, reported or ignored */
	uint32_t number;	/* from 1, never used again */
	uint32_t flags;		/* ADBGD_BREAKPOINT_* */
	uint32_t num_insns;	/* for adbgd_breakpoint_set_insn(); else 0 */
	uint32_t ignore;	/* see adbgd_breakpoint_set_ignore() */
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
};

/**
 * adbgd_breakpoint_set() - set a breakpoint: stop waves before an instruction
 * @address: the instruction
 * @flags: ADBGD_BREAKPOINT_TEMPORARY, ADBGD_BREAKPOINT_STEPPED, or 0
 * @breakpoint: NULL, or set to the breakpoint; it belongs to @process
 *
 * While the process has waves or jobs that started before the attach, the breakpoint is pending:
 * such waves have no trap handler, and would skip the instruction.
 *
 * With ADBGD_BREAKPOINT_STEPPED the code is not changed. As long as there is such a breakpoint,
 * all waves are in debug mode, and the trap handler compares their PC after each instruction,
 * which takes about forty further instructions. A wave does not stop before its very first
 * instruction, nor directly after an ordinary breakpoint, whose displaced instruction is at
 * another address.
 *
 * Return: 0, or
 * -EINVAL: no instruction begins at @address, or @flags has unknown bits;
 * -ENXIO: nothing is mapped there;
 * -EACCES: waves may not execute this memory;
 * -EEXIST: there is a breakpoint at @address;
 * -EOPNOTSUPP: the instruction cannot be displaced, so waves could not resume from there;
 * any error of adbg_vm_patch().
 */
int adbgd_breakpoint_set(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 struct adbgd_breakpoint **breakpoint,
			 struct adbgd_error *error) ADBG_WUR;

/* How a register is compared; unsigned if not stated otherwise */
enum adbgd_relation {
	ADBGD_RELATION_NONE,
	ADBGD_RELATION_EQUAL,
	ADBGD_RELATION_NOT_EQUAL,
	ADBGD_RELATION_LESS,
	ADBGD_RELATION_LESS_SIGNED,
	ADBGD_RELATION_HAS_BITS, /* at least one of these bits is set */
	ADBGD_RELATION_GREATER,
	ADBGD_RELATION_GREATER_SIGNED,
};

/** struct adbgd_comparison - compare a register with a value, see struct adbgd_condition */
struct adbgd_comparison {
	uint32_t relation;	/* enum adbgd_relation */
	uint32_t space;
	uint32_t reg;
	uint32_t value;
};

#define ADBGD_MAX_MORE	5	/* comparisons of a condition, besides the first one */

#define ADBGD_CONDITION_WAVE	(1U << 0)	/* only the wave in slot @at */
#define ADBGD_CONDITION_GROUP	(1U << 1)	/* only waves of work-group @group */

/**
 * struct adbgd_condition - which waves stop at a breakpoint; all given parts must hold
 * @flags: ADBGD_CONDITION_*
 * @relation: compare a register with @value: enum adbgd_relation
 * @space: the register: AMDGPUDBG_REG_SGPR, AMDGPUDBG_REG_VGPR, ADBGD_REG_EXEC, ADBGD_REG_M0 or
 *	ADBGD_REG_SCC. A VGPR has to match in one active lane only. SCC is 0 or 1.
 * @reg: number of the register; if it is a VGPR, the waves must have it
 * @value: the value to compare with
 * @every: stop at every n-th hit, whichever wave hits; 0 and 1: at each hit
 * @nth: stop only at the n-th hit, from 1; 0: no such limit. Not together with @every
 * @lanes: mask: one of these lanes must be active, and match if it is a VGPR; 0: any active lane
 * @at: slot of the wave, for ADBGD_CONDITION_WAVE
 * @group: x, y and z of the work-group in its dispatch, for ADBGD_CONDITION_GROUP
 * @more: further comparisons, up to the first one without a relation. All that compare VGPRs have
 *	to match in the same lane. None of them without @relation.
 *
 * A hit is a wave at the breakpoint for which all other parts hold.
 */
struct adbgd_condition {
	uint32_t flags;
	uint32_t relation;	/* enum adbgd_relation */
	uint32_t space;
	uint32_t reg;
	uint32_t value;
	uint32_t every;
	uint32_t nth;
	uint32_t group[3];
	uint64_t lanes;
	struct amdgpudbg_wave_coord at;
	struct adbgd_comparison more[ADBGD_MAX_MORE];
	uint32_t __reserved[4];	/* 0 */
};

/**
 * adbgd_breakpoint_set_if() - set a breakpoint with a condition
 * @condition: which waves stop; NULL: all
 *
 * The GPU evaluates the condition. Waves for which it does not hold keep running, without any work
 * of the CPU.
 *
 * Return: 0, or
 * -EINVAL: the condition is invalid, or can never hold;
 * -ENOSPC: the trap handler has no room for one more condition;
 * -EAGAIN: waves did not leave the trap handler in time, so that its conditions cannot be replaced;
 * any error of adbgd_breakpoint_set().
 */
int adbgd_breakpoint_set_if(struct adbgd_process *process, uint64_t address, uint32_t flags,
			    const struct adbgd_condition *condition,
			    struct adbgd_breakpoint **breakpoint,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_set_condition() - replace the condition of a breakpoint
 * @condition: NULL: none, all waves stop
 *
 * Hits are counted from 0 again. A wave that stopped under the old condition is still reported,
 * unless the host evaluates the new one, or finds the old one false.
 *
 * Return: as adbgd_breakpoint_set_if(); on failure nothing has changed. -EINVAL also: it has no
 * address, see adbgd_breakpoint_place().
 */
int adbgd_breakpoint_set_condition(struct adbgd_breakpoint *breakpoint,
				   const struct adbgd_condition *condition,
				   struct adbgd_error *error) ADBG_WUR;

/** adbgd_breakpoint_get_condition() - get the condition of a breakpoint; NULL: all waves stop */
const struct adbgd_condition *
adbgd_breakpoint_get_condition(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_breakpoint_set_insn() - set a breakpoint on all instructions of a kind
 * @insns: patterns, see adbgd_mnemonic_get_patterns(); a wave stops before an instruction
 *	that matches one
 * @num: number of patterns, 1 to ADBGD_MAX_INSN_MATCHES
 * @flags: ADBGD_BREAKPOINT_TEMPORARY, or 0; ADBGD_BREAKPOINT_STEPPED is implied
 * @condition: see adbgd_breakpoint_set_if(); NULL: none
 * @breakpoint: NULL, or set to the breakpoint; it belongs to @process
 *
 * The comparison sees patched memory: where an ordinary breakpoint is set, it sees an s_trap.
 *
 * Return: 0, or
 * -EINVAL: a mask is 0, or a value has bits outside of its mask;
 * any error of adbgd_breakpoint_set_if().
 */
int adbgd_breakpoint_set_insn(struct adbgd_process *process,
			      const struct adbgd_insn_match *insns, size_t num, uint32_t flags,
			      const struct adbgd_condition *condition,
			      struct adbgd_breakpoint **breakpoint,
			      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_set_later() - make a breakpoint for code that is not loaded yet
 * @flags: ADBGD_BREAKPOINT_TEMPORARY, ADBGD_BREAKPOINT_STEPPED, or 0
 * @breakpoint: set to the breakpoint; it belongs to @process
 *
 * It has a number, ADBGD_BREAKPOINT_NO_ADDRESS and ADBGD_BREAKPOINT_PENDING, and no wave stops for
 * it until adbgd_breakpoint_place(). Use adbgd_process_set_start_callback() to set it before the
 * first wave executes the code.
 *
 * Return: 0, or
 * -EINVAL: @flags has unknown bits.
 */
int adbgd_breakpoint_set_later(struct adbgd_process *process, uint32_t flags,
			       struct adbgd_breakpoint **breakpoint,
			       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_place() - give an address to a breakpoint without one, and set it
 * @address: the instruction
 * @condition: which waves stop; NULL: all
 *
 * Return: 0, or
 * -EINVAL: it has an address;
 * any error of adbgd_breakpoint_set_if(). On failure it stays without an address.
 */
int adbgd_breakpoint_place(struct adbgd_breakpoint *breakpoint, uint64_t address,
			   const struct adbgd_condition *condition,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_unplace() - take its address from a breakpoint, because its code was unloaded
 *
 * It keeps its number and its hits, but not its condition, which may name registers of this code.
 * If the condition of adbgd_breakpoint_place() has the same @every or @nth, it counts on.
 * Waves that have stopped for it and were not reported are resumed. Nothing happens if it has no
 * address.
 *
 * Return: 0, or
 * -EINVAL: it is one of adbgd_breakpoint_set_insn();
 * -EAGAIN: it is being cleared;
 * any error of adbgd_breakpoint_clear(). It has no address then either, unless the patch could not
 *	be removed.
 */
int adbgd_breakpoint_unplace(struct adbgd_breakpoint *breakpoint,
			     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_clear() - remove a breakpoint, and free it
 *
 * Waves that have stopped for it and were not reported are resumed. If that fails, the s_trap is
 * removed from the code, and the breakpoint has ADBGD_BREAKPOINT_PENDING, but it is not freed:
 * clear it again, or detach. The module has then moved these waves back to the instruction.
 *
 * Return: 0, or
 * -EAGAIN: waves did not leave the trap handler in time, so that its conditions cannot be replaced;
 * any error of adbg_vm_unpatch(): the breakpoint is still set;
 * any error of adbg_wave_list(), adbg_reg_access() or adbg_wave_control(): see above.
 */
int adbgd_breakpoint_clear(struct adbgd_breakpoint *breakpoint,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_disable() - remove a breakpoint from the code, but keep it
 *
 * It keeps its number, condition and hits. It has ADBGD_BREAKPOINT_DISABLED and _PENDING, and
 * another breakpoint may be set at its address. Nothing happens if it is disabled already. Waves
 * that have stopped for it and were not reported are resumed; if that fails, it is disabled, and
 * adbgd_process_handle_timeout() resumes them.
 *
 * Return: as adbgd_breakpoint_clear().
 */
int adbgd_breakpoint_disable(struct adbgd_breakpoint *breakpoint,
			     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_enable() - insert a disabled breakpoint again
 * @flags: ADBGD_BREAKPOINT_ONCE: disable it at its next stop; ADBGD_BREAKPOINT_TEMPORARY: clear it
 *	at its next stop; 0: what happens then does not change
 *
 * Return: 0, or
 * -EINVAL: @flags has other bits, or both;
 * -EEXIST: there is another breakpoint at its address;
 * -ESTALE: the instruction at its address is another one than when it was set;
 * -EAGAIN: it is being cleared, or waves did not leave the trap handler in time;
 * any error of adbgd_breakpoint_set_if().
 */
int adbgd_breakpoint_enable(struct adbgd_breakpoint *breakpoint, uint32_t flags,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_set_ignore() - do not report the next stops at a breakpoint
 * @count: number of stops at which the wave is resumed
 *
 * Each of these waves is halted for a moment. A condition with @nth or @every counts on the GPU
 * instead, and such a count comes first: only stops are ignored here.
 */
void adbgd_breakpoint_set_ignore(struct adbgd_breakpoint *breakpoint, uint32_t count);

/** adbgd_breakpoint_get_info() - get the current description of a breakpoint */
const struct adbgd_breakpoint_info *
adbgd_breakpoint_get_info(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_process_get_breakpoint() - get the breakpoint at index @i, from 0, in the order of numbers
 *
 * Return: NULL if there are no more.
 */
struct adbgd_breakpoint *adbgd_process_get_breakpoint(const struct adbgd_process *process,
						      size_t i);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_BREAKPOINT_H */
