/* SPDX-License-Identifier: GPL-2.0-only */
/* What trap.c, which has the state of the handler, and trap_set.c share */
#ifndef WDBG_TARGET_TRAP_H
#define WDBG_TARGET_TRAP_H

#include "private.h"

/**
 * wdbg_trap_is_leaving() - check whether waves are leaving a handler that was replaced
 * @trap: the handler
 *
 * Return: true if so.
 */
static inline bool wdbg_trap_is_leaving(const struct wdbg_trap *trap)
{
	return trap->set && !trap->owner;
}

/**
 * wdbg_trap_lies_in() - check whether an address is in a buffer
 * @buffer: the buffer
 * @address: the address
 *
 * Return: true if so.
 */
static inline bool wdbg_trap_lies_in(const struct wdbg_buffer *buffer, u64 address)
{
	return address >= buffer->va && address - buffer->va < buffer->bytes;
}

void wdbg_trap_begin(struct wdbg_session *session,
		     const struct amdgpudbg_trap_handler *args);
int wdbg_trap_clear(struct wdbg_session *session);
void wdbg_trap_finish_lost(struct wdbg_session *owner);

#endif /* WDBG_TARGET_TRAP_H */
