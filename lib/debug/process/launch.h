/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * New waves that are halted before their first instruction: see wave_launch.c.
 */
#ifndef ADBGD_LAUNCH_H
#define ADBGD_LAUNCH_H

#include "wave.h"

/** adbgd_wave_is_starting() - is it halted at its first instruction, and not reported? */
adbgd_wave_test adbgd_wave_is_starting;

/** adbgd_launch_mark_halted() - note that the wave's stop was reported: it is no new wave */
void adbgd_launch_mark_halted(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at);

/** adbgd_launch_mark_resumed() - note that the slot may have another wave from now on */
void adbgd_launch_mark_resumed(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at);

/** adbgd_launch_job_begun() - count the job of AMDGPUDBG_EVENT_JOB_BEGIN */
void adbgd_launch_job_begun(struct adbgd_process *process, const struct amdgpudbg_event *event);

/** adbgd_launch_events_lost() - stop counting jobs: begins of jobs may have been lost */
void adbgd_launch_events_lost(struct adbgd_process *process);

/**
 * adbgd_launch_poll() - report a new wave, or resume those of jobs that are only counted
 *
 * All waves were listed directly before.
 *
 * Return: 0; -EAGAIN there is nothing to report; -errno with @error set.
 */
int adbgd_launch_poll(struct adbgd_process *process, struct adbgd_stop *stop,
		      struct adbgd_error *error);

/** adbgd_launch_poll_timeout() - get the milliseconds until the next poll; -1: none needed */
int adbgd_launch_poll_timeout(const struct adbgd_process *process);

#endif /* ADBGD_LAUNCH_H */
