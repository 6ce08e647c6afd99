/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session's hold on the reserved VMID, for its watches and its launch mode.
 */
#ifndef WDBG_LEASE_H
#define WDBG_LEASE_H

#include "session.h"

int wdbg_lease_begin(struct wdbg_session *session, u32 *vmid);
void wdbg_lease_end_unused(struct wdbg_session *session);

#endif /* WDBG_LEASE_H */
