/* SPDX-License-Identifier: GPL-2.0-only */
/* What trap.c, which has the state of the handler, and trap_set.c share */
#ifndef WDBG_TARGET_TRAP_H
#define WDBG_TARGET_TRAP_H

#include "gpu.h"
#include "session.h"
#include "target/target.h"

/**
 * struct wdbg_trap - the trap handler of the reserved VMID
 * @owner: the session that has set it, or NULL
 * @set: the VMID's registers are not as before. Without @owner: waves are leaving it.
 * @lost: the registers were cleared by a reset, or hold what the driver has written
 * @looked: when that was checked last, in jiffies
 * @holds_timeouts: it may have halted waves, so timeouts are held for as long as it is
 *	there; not for callers without CAP_SYS_ADMIN
 * @before: what the registers held before
 * @now: what they were set to
 * @tba: address of the handler
 * @tma: address of its memory
 * @leave: the handler that replaces it, if @set
 * @left: waves that have to stay halted while they leave, although they have no owner:
 *	one bit per slot
 * @turned_off: being restored: the registers are those of @leave
 * @kept: buffers that waves may need until they have left
 */
struct wdbg_trap {
	struct wdbg_session *owner;
	bool set;
	bool lost;
	unsigned long looked;
	bool holds_timeouts;
	struct wdbg_trap_regs before;
	struct wdbg_trap_regs now;
	u64 tba;
	u64 tma;
	struct wdbg_buffer *leave;
	unsigned long *left;
	bool turned_off;
	struct list_head kept;
};

/**
 * wdbg_trap_of() - get the trap handler of a GPU
 * @gpu: the GPU
 *
 * Return: its state.
 */
static inline struct wdbg_trap *wdbg_trap_of(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_trap_part);
}

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

/**
 * wdbg_trap_owner() - get the session whose handler the waves of an address space have
 * @gpu: the GPU
 * @drm: DRM file of the address space
 *
 * Context: the GPU's lock is held.
 * Return: the session, or NULL.
 */
static inline struct wdbg_session *wdbg_trap_owner(const struct wdbg_gpu *gpu,
						   const struct drm_file *drm)
{
	return wdbg_vmid_drm(gpu) == drm ? wdbg_trap_of(gpu)->owner : NULL;
}

void wdbg_trap_begin(struct wdbg_session *session,
		     const struct amdgpudbg_trap_handler *args);
int wdbg_trap_clear(struct wdbg_session *session);
void wdbg_trap_finish_lost(struct wdbg_session *owner);

#endif /* WDBG_TARGET_TRAP_H */
