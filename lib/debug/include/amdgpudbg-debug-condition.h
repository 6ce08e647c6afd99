/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: conditions of breakpoints that the host decides, because they need memory or
 * more than comparisons. amdgpudbg-debug.h includes this header.
 *
 * A wave that reaches such a breakpoint is halted. The function that reports stops evaluates an
 * expression in each active lane of the wave, and either reports the stop, or resumes the wave
 * past the breakpoint. This takes milliseconds, while a condition that the GPU decides takes some
 * tens of instructions. So give the GPU the part that it can decide: a struct adbgd_condition,
 * which then is a filter, and of which the host evaluates the comparisons again, because all of
 * the condition has to be true in the same lane.
 *
 * Waves that are halted for the decision are resumed when the breakpoint is removed or the debugger
 * ends, as all others. While a blocking function waits for one wave, such as adbgd_wave_until(), it
 * also decides for the others, which that wave may be waiting for; and it resumes those at
 * breakpoints that are ignored or were cleared.
 */
#ifndef AMDGPUDBG_DEBUG_CONDITION_H
#define AMDGPUDBG_DEBUG_CONDITION_H

#include <amdgpudbg-debug-breakpoint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * adbgd_process_set_code_callback() - set how code objects are found for conditions
 * @find: returns the code object that contains the instruction at @address; NULL: there is none.
 *	It is called when a wave reaches a breakpoint, and must not call functions of this library
 *	that change @process. adbgd_objects_at() finds them in an adbgd_objects.
 * @data: passed to @find
 */
void adbgd_process_set_code_callback(struct adbgd_process *process,
				     struct adbgd_code *(*find)(void *data, uint64_t address),
				     void *data);

struct adbgd_value_names;

/**
 * adbgd_process_set_value_names() - set how conditions find the values that they name after a $
 * @names: see &struct adbgd_context; it must stay valid as long as @process, and is asked at each
 *	decision. Its callback must not change @process. NULL: there are none
 */
void adbgd_process_set_value_names(struct adbgd_process *process,
				   const struct adbgd_value_names *names);

/**
 * adbgd_breakpoint_set_expression() - let the host decide for which waves a breakpoint stops
 * @expression: an expression of adbgd_value_eval(), which is copied. It can name the variables in
 *	scope at the instruction, if adbgd_process_set_code_callback() was called, and values of
 *	adbgd_process_set_value_names().
 *
 * The breakpoint stops waves that have an active lane for which @expression is not 0 and for which
 * all comparisons of its struct adbgd_condition are true; @lanes, @group, @at, @every and @nth of
 * it must hold, too. @every and @nth count on the host, waves for which all of that is true. In
 * struct adbgd_stop, @lanes has the active lanes for which it is.
 *
 * If the expression cannot be evaluated in some lanes, and is true in no other one, the wave stops,
 * and @flags has ADBGD_STOP_UNDECIDED. If a call is interrupted, the stop stays pending.
 *
 * A wave of an operation that meets the breakpoint on its way is handled in the same way, also if
 * the host executes its instructions; but a single step does not count for @every and @nth.
 *
 * Setting another condition, or taking its address from the breakpoint, removes the expression.
 *
 * Return: 0, or
 * -EINVAL: it is malformed, see adbgd_expression_check(), or the breakpoint has no address;
 * -ENOENT: it names a variable that is not in scope, or @find of the callback has returned NULL;
 * -EAGAIN, -ENOSPC: see adbgd_breakpoint_set_condition().
 * On failure nothing has changed. Names are not checked for adbgd_breakpoint_set_insn().
 */
int adbgd_breakpoint_set_expression(struct adbgd_breakpoint *breakpoint, const char *expression,
				    struct adbgd_error *error) ADBG_WUR;

/** adbgd_breakpoint_get_expression() - get the expression; NULL: the GPU decides alone */
const char *adbgd_breakpoint_get_expression(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_process_keep_halted() - keep waves halted that were halted through the session
 * @wants: returns whether the caller has halted the halted wave @wave; NULL: all
 * @data: passed to @wants
 *
 * Some waves stop at a breakpoint without a report: its condition is false or its expression is to
 * be evaluated, it is ignored, or it was cleared. They are resumed, even if the caller has halted
 * all waves since they stopped, unless they were kept. A wave is kept until it is resumed.
 *
 * Return: 0, or any error of adbg_wave_list_fill().
 */
int adbgd_process_keep_halted(struct adbgd_process *process,
			      bool (*wants)(void *data, const struct amdgpudbg_wave *wave),
			      void *data, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_get_condition_error() - get why the last condition could not be evaluated
 *
 * Call this after a stop with ADBGD_STOP_UNDECIDED, before the next one.
 */
const struct adbgd_error *adbgd_process_get_condition_error(const struct adbgd_process *process);

/**
 * adbgd_condition_find_lanes() - find the active lanes for which a condition is true
 * @condition: its comparisons, @lanes and @group must be true; NULL: none
 * @variables, @expression: see adbgd_value_eval(); @expression NULL: there is none
 * @context: reads the wave; its @lane is ignored
 * @lanes: set to one bit for each lane
 *
 * Comparisons come first, and the expression is not evaluated in lanes for which one is false.
 *
 * Return: 0, or any error of adbgd_expression_is_true(), if it is true in no lane, and cannot be
 * evaluated in some of them.
 */
int adbgd_condition_find_lanes(const struct adbgd_condition *condition,
			       struct adbgd_variables *variables, const char *expression,
			       const struct adbgd_context *context, uint64_t *lanes,
			       struct adbgd_error *error) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_CONDITION_H */
