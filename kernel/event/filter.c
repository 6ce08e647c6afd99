// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which sessions get an event that an interrupt has reported.
 */
#include "private.h"

/**
 * wdbg_event_concerns() - does a session want events of an address space?
 * @session: the session
 * @mask: of &enum amdgpudbg_event_type
 * @pasid: of the address space, as the interrupt carried it
 * @time: when the interrupt was seen
 *
 * An interrupt of before the session had its target may be of who had the PASID then.
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_event_concerns(const struct wdbg_session *session, u64 mask, u32 pasid,
			 u64 time)
{
	if (!wdbg_events_want(&session->events, mask))
		return false;
	if (session->target)
		return pasid && pasid == wdbg_target_pasid(session->target) &&
		       time >= session->events.target_since;
	return session->events.whole && !session->target_gone;
}
