/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding stops, and reporting the stop of a wave: stop.c and fault.c.
 */
#ifndef ADBGD_STOP_H
#define ADBGD_STOP_H

#include "wave.h"

/**
 * adbgd_wave_report() - report the pending stop of a wave
 * @wave: a wave for which adbgd_wave_pending_trap() is true
 * @stop: set to the stop
 *
 * Return: 0; -EAGAIN there is nothing to report, because the wave was resumed; -errno.
 */
int adbgd_wave_report(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		      struct adbgd_stop *stop);

/** adbgd_unless_gone() - -EAGAIN if the process is gone: another event reports that next */
static inline int adbgd_unless_gone(int ret)
{
	return adbgd_wave_is_gone(ret) || ret == -ENOTCONN ? -EAGAIN : ret;
}

/** adbgd_stop_from_event() - do what adbgd_process_handle_event() does, without operations */
int adbgd_stop_from_event(struct adbgd_process *process, const struct amdgpudbg_event *event,
			  struct adbgd_stop *stop, struct adbgd_error *error);

/**
 * adbgd_stop_poll_timeout() - get the time until adbgd_stop_poll() in ms
 *
 * Return: -1: there is nothing to poll for, because all stops raise events.
 */
int adbgd_stop_poll_timeout(const struct adbgd_process *process);

/** adbgd_stop_poll() - do what adbgd_process_handle_timeout() does, without operations */
int adbgd_stop_poll(struct adbgd_process *process, struct adbgd_stop *stop,
		    struct adbgd_error *error);

/**
 * adbgd_stops_pass_others() - resume waves that have stopped at a breakpoint without a report
 * @is_first: the first call while the caller waits for a wave, which may wait for the others
 *
 * These are waves for which the host decides that they do not stop, or whose stop is ignored, and
 * those at a breakpoint that was cleared or is another wave's goal. Call this again and again.
 * Stops that are to be reported stay pending.
 */
void adbgd_stops_pass_others(struct adbgd_process *process, bool is_first);

/**
 * adbgd_fault_insn() - find the instruction that has caused a stop
 * @stop: all members are set except @insn and @breakpoint
 *
 * Return: address of the instruction; 0: it is not known.
 */
uint64_t adbgd_fault_insn(struct adbgd_process *process, const struct adbg_trap *trap,
			  const struct adbgd_stop *stop);

#endif /* ADBGD_STOP_H */
