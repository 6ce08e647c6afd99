/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session's buffers in its target's GPU address space.
 */
#ifndef WDBG_MEM_H
#define WDBG_MEM_H

#include "session.h"

void wdbg_mem_give_back(struct wdbg_session *session);

#endif /* WDBG_MEM_H */
