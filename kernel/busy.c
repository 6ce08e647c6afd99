// SPDX-License-Identifier: GPL-2.0-only
/*
 * Record why a call returns -EBUSY, for the call itself and for AMDGPUDBG_IOC_GET_BUSY.
 */
#include <linux/pid.h>

#include "gpu.h"
#include "ioctl.h"
#include "session.h"

/* Find this thread's call among the calls of the session's threads. */
static void busy_note_call(struct wdbg_session *session, u32 cause)
{
	struct wdbg_cmd *cmd;

	spin_lock(&session->calls_lock);
	list_for_each_entry(cmd, &session->calls, node)
		if (cmd->task == current)
			cmd->busy = cause;
	spin_unlock(&session->calls_lock);
}

/**
 * wdbg_busy() - record why a call of a session returns -EBUSY
 * @session: the session
 * @cause: the cause
 *
 * Context: the caller's thread, with the GPU's lock held.
 * Return: -EBUSY.
 */
int wdbg_busy(struct wdbg_session *session, enum amdgpudbg_busy_cause cause)
{
	return wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_NONE);
}

/**
 * wdbg_busy_by() - record that an agent which is no session causes -EBUSY
 * @session: the session
 * @cause: the cause
 * @by: the agent
 *
 * Context: see wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_by(struct wdbg_session *session, enum amdgpudbg_busy_cause cause,
		 enum amdgpudbg_busy_by by)
{
	lockdep_assert_held(&session->gpu->lock);
	session->busy = (struct wdbg_busy){ .cause = cause, .by = by };
	busy_note_call(session, cause);
	return -EBUSY;
}

/**
 * wdbg_busy_with() - record that another session causes -EBUSY
 * @session: the session
 * @cause: the cause
 * @holder: the other session; NULL: it has ended, and its changes are not taken back
 *	yet
 *
 * Context: see wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_with(struct wdbg_session *session,
		   enum amdgpudbg_busy_cause cause,
		   const struct wdbg_session *holder)
{
	if (!holder)
		return wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_LEFT);
	wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_SESSION);
	/* In the caller's namespace: 0 if the process is in none of its namespaces. */
	session->busy.pid = pid_vnr(holder->opener);
	return -EBUSY;
}

/**
 * wdbg_busy_jobs() - record that jobs cause -EBUSY
 * @session: the session
 * @by: their owner: another process, or the target alone
 * @vmid: the VMID that they are in
 * @pasid: of their address space, 0 if it is not known
 *
 * Context: see wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_jobs(struct wdbg_session *session, enum amdgpudbg_busy_by by,
		   u32 vmid, u32 pasid)
{
	wdbg_busy_by(session, AMDGPUDBG_BUSY_VMID_JOBS, by);
	session->busy.vmid = vmid;
	session->busy.pasid = pasid;
	return -EBUSY;
}

/**
 * wdbg_busy_display() - record that a picture on a display causes -EBUSY
 * @session: the session
 * @pid: process that shows it, 0 if it is not known
 *
 * Context: see wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_display(struct wdbg_session *session, s32 pid)
{
	wdbg_busy_by(session, AMDGPUDBG_BUSY_DISPLAY, AMDGPUDBG_BUSY_BY_PROCESS);
	session->busy.pid = pid;
	return -EBUSY;
}
