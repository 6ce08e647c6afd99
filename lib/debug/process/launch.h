/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * New waves that are halted before their first instruction: see wave_launch.c.
 */
#ifndef ADBGD_LAUNCH_H
#define ADBGD_LAUNCH_H

#include "wave.h"

/**
 * adbgd_wave_is_starting() - test whether a wave is new: halted at its first instruction, and
 * awaited, but not reported
 */
adbgd_wave_test adbgd_wave_is_starting;

/** adbgd_slot_set_make() - make an empty set; 0 or -ENOMEM */
int adbgd_slot_set_make(const struct adbgd_process *process, struct adbgd_slot_set *set);

/** adbgd_slot_set_free() - free a set, or one that was not made */
void adbgd_slot_set_free(struct adbgd_slot_set *set);

/** adbgd_slot_set_has() - test whether a slot is in a set; false: the set was not made */
bool adbgd_slot_set_has(const struct adbgd_process *process, const struct adbgd_slot_set *set,
			const struct amdgpudbg_wave_coord *at);

/**
 * adbgd_slot_set_assign() - add or remove a slot
 *
 * A set that was not made, and slots without mailbox stay as they are.
 */
void adbgd_slot_set_assign(const struct adbgd_process *process, struct adbgd_slot_set *set,
			   const struct amdgpudbg_wave_coord *at, bool is_in);

/** adbgd_launch_mark_halted() - record that a wave's stop was reported, so it is not a new wave */
void adbgd_launch_mark_halted(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at);

/** adbgd_launch_mark_resumed() - record that a slot may have a new wave from now on */
void adbgd_launch_mark_resumed(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at);

/** adbgd_launch_job_begun() - count the job of AMDGPUDBG_EVENT_JOB_BEGIN */
void adbgd_launch_job_begun(struct adbgd_process *process, const struct amdgpudbg_event *event);

/** adbgd_launch_events_lost() - stop counting jobs, because events of their begins may be lost */
void adbgd_launch_events_lost(struct adbgd_process *process);

/** adbgd_launch_look() - show new waves to launch.look, after listing all waves */
int adbgd_launch_look(struct adbgd_process *process, struct adbgd_error *error);

/**
 * adbgd_launch_poll() - report a new wave, or resume those that are only looked at, or whose job
 *	is before the awaited one
 *
 * Call it directly after listing all waves.
 *
 * Return: 0; -EAGAIN there is nothing to report; -errno with @error set.
 */
int adbgd_launch_poll(struct adbgd_process *process, struct adbgd_stop *stop,
		      struct adbgd_error *error);

/** adbgd_launch_poll_timeout() - get the time until the next poll in ms; -1: no poll is needed */
int adbgd_launch_poll_timeout(const struct adbgd_process *process);

#endif /* ADBGD_LAUNCH_H */
