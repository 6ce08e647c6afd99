// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which sessions get an event that an interrupt has reported.
 */
#include "event/event.h"
#include "session.h"
#include "target/target.h"

/**
 * wdbg_event_concerns() - check whether a session wants events of an address space
 * @session: the session
 * @mask: of &enum amdgpudbg_event_type
 * @pasid: of the address space, from the interrupt
 * @time: when the interrupt was seen
 *
 * An interrupt from before the session had its target may belong to the former owner of
 * the PASID.
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
