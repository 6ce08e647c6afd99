/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reporting the stop of a wave: stop.c and fault.c.
 */
#ifndef ADBGD_STOP_H
#define ADBGD_STOP_H

#include "process.h"

/**
 * adbgd_wave_report() - report the pending stop of a wave
 * @wave: a wave for which adbgd_wave_pending_trap() is true
 * @stop: set to the stop
 *
 * Return: 0; -EAGAIN there is nothing to report, because the wave was resumed; -errno.
 */
int adbgd_wave_report(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		      struct adbgd_stop *stop);

/**
 * adbgd_fault_insn() - find the instruction that has caused a stop
 * @stop: all members are set except @insn and @breakpoint
 *
 * Return: address of the instruction; 0: it is not known.
 */
uint64_t adbgd_fault_insn(struct adbgd_process *process, const struct adbg_trap *trap,
			  const struct adbgd_stop *stop);

#endif /* ADBGD_STOP_H */
