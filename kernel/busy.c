// SPDX-License-Identifier: GPL-2.0-only
/*
 * Noting why a call gives -EBUSY, for the call itself and for AMDGPUDBG_IOC_GET_BUSY.
 */
#include <linux/pid.h>

#include "private.h"

/* Of the calls of the session's threads, this thread's */
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
 * wdbg_busy() - note why a call of a session gives -EBUSY
 * @session: the session
 * @cause: why
 *
 * Context: the caller's thread, with the GPU's lock held.
 * Return: -EBUSY.
 */
int wdbg_busy(struct wdbg_session *session, enum amdgpudbg_busy_cause cause)
{
	return wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_NOBODY);
}

/**
 * wdbg_busy_by() - the same, because of somebody who is no session
 * @session: the session
 * @cause: why
 * @by: who
 *
 * Context: as wdbg_busy().
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
 * wdbg_busy_with() - the same, because of another session
 * @session: the session
 * @cause: why
 * @holder: the other one; NULL: it has ended, and what it did is not undone yet
 *
 * Context: as wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_with(struct wdbg_session *session,
		   enum amdgpudbg_busy_cause cause,
		   const struct wdbg_session *holder)
{
	if (!holder)
		return wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_LEFT);
	wdbg_busy_by(session, cause, AMDGPUDBG_BUSY_BY_SESSION);
	/* As the caller knows it: 0 if it is in none of his namespaces. */
	session->busy.pid = pid_vnr(holder->opener);
	return -EBUSY;
}

/**
 * wdbg_busy_jobs() - the same, because of jobs
 * @session: the session
 * @by: whose they are: of another process, or of nobody but the target
 * @vmid: the VMID that they are in
 * @pasid: of their address space, 0 if it is not known
 *
 * Context: as wdbg_busy().
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
 * wdbg_busy_display() - the same, because of a picture on a display
 * @session: the session
 * @pid: of the process that shows it, 0 if it is not known
 *
 * Context: as wdbg_busy().
 * Return: -EBUSY.
 */
int wdbg_busy_display(struct wdbg_session *session, s32 pid)
{
	wdbg_busy_by(session, AMDGPUDBG_BUSY_DISPLAY, AMDGPUDBG_BUSY_BY_PROCESS);
	session->busy.pid = pid;
	return -EBUSY;
}
