/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts: what sessions can have on a GPU, and how lower files call higher ones */
#ifndef WDBG_PART_H
#define WDBG_PART_H

#include <linux/amdgpudbg.h>
#include <linux/bits.h>
#include <linux/types.h>

struct drm_file;
struct wdbg_gpu;
struct wdbg_session;

/*
 * Four verbs describe how the changes of a session are taken back: *restore* writes
 * registers as they were before; *discard* releases what is left without touching
 * registers, because they were restored or the hardware cannot be reached; *drain*
 * waits until waves have left; *revoke* restores the registers of a VMID that another
 * process was granted.
 */

/* When the parts of a session are restored before the session ends */
#define WDBG_AT_SLEEP	BIT(0)	/* the system is about to sleep */
#define WDBG_FOR_VMID	BIT(1)	/* its target loses the reserved VMID */
#define WDBG_FOR_WAVES	BIT(2)	/* waves have to be resumed: no halt time left, a new target */
#define WDBG_AT_END	BIT(3)	/* the session or its target ends, or the GPU is removed */
#define WDBG_FOR_TIME	BIT(4)	/* with FOR_WAVES: the session has no halt time left */

/* The places of the parts in wdbg_parts[], which is in the order of parts.c */
enum wdbg_part_id {
	WDBG_PART_GUARD,
	WDBG_PART_WATCH,
	WDBG_PART_PATCH,
	WDBG_PART_PATCHED,
	WDBG_PART_TRAP,
	WDBG_PART_LAUNCH,
	WDBG_PART_WAVE,
	WDBG_PART_STALL,
	WDBG_PART_HALT_BUDGET,
	WDBG_PART_MEMORY,
	WDBG_PART_BUFFER,
	WDBG_PART_VMID_SHARE,
	WDBG_PART_RESERVE,
	WDBG_PART_EVENT,
	WDBG_PART_JOB,
	WDBG_PART_MAPPING,
	WDBG_NUM_PARTS
};

/* How a wave was halted that no session has halted */
enum wdbg_halted {
	WDBG_HALTED_AT_START,
	WDBG_HALTED_AT_TRAP,
};

/**
 * struct wdbg_part - something that sessions can have on a GPU
 * @id: its place in wdbg_parts[]
 * @when: WDBG_AT_*, WDBG_FOR_*: when to call @restore and @discard
 * @data_size: size of its data for each GPU, which begin as zeros: wdbg_part_data(). They are
 *	protected by the GPU's lock, except for what the structure or its file says otherwise:
 *	probes and @revoke read some members without it
 * @init: begin, after the GPU was probed. Without the lock; may fail, with an errno.
 * @exit: end, when the GPU is not attached any more and no tick runs. Without the lock.
 * @tick: look for changes that raise no event. Not in the bracket. Returns in how many
 *	milliseconds to call it again, 0 for never; wdbg_part_tick() starts it.
 * @claim_all: let owners own the waves that this part stops, because they are about to
 *	be resumed although the part is not restored. In the bracket.
 * @restore: write registers as they were. In the bracket, one for all parts.
 * @discard: release the rest, after @restore, or instead of it if the hardware cannot
 *	be reached. Not in the bracket, since it may call amdgpu.
 * @drain: free what waves needed until they have left, for those that leave soon; with
 *	@now everything that is left, because the GPU or the module is removed. Not in
 *	the bracket.
 * @revoke: restore the registers of the VMID, which another process was granted.
 *	Without the GPU's lock, within wdbg_vmid_lock() of the VMID, with power; changes
 *	no owner.
 * @vmid_revoked: discard what was set for the VMID, after @revoke. Not in the bracket.
 * @after_reset: discard what a reset of the GPU has cleared. In the bracket, unless no
 *	session has anything on the GPU (wdbg_gpu.power_users).
 * @resumed: note that these waves were resumed; @at NULL: all of the VMID
 * @listed: report what is known from outside the GPU's lock about the waves that were
 *	listed, or their jobs, as far as it has happened. Not in the bracket.
 * @handler_goes: the waves of @owner's target are about to lose their trap handler:
 *	remove what needs it. In the bracket.
 * @claim: if this part stops waves in that way, wdbg_wave_claim_for() its owner. Within
 *	wdbg_bank_lock(), the wave's bank selected.
 * @keeps_halted: get the VMIDs, one bit each, in which waves have to stay halted for
 *	others than the session
 * @num_kept: get how many buffers of an address space it keeps for waves
 * @vmid_goes: is the VMID of the session's target being given back? With @in_time: by a
 *	worker, which is not late. The GPU need not be attached.
 * @uses_vmid: does the session need the reserved VMID for it?
 * @stops: does the session stop waves by it, or keep them from starting, now?
 * @holds_timeouts: do sessions whose time is @bounded, or is not, have a reason to hold
 *	the job timeouts now? The bank lock may be held.
 * @may_stop: return a session whose time is limited, and whose waves may have stopped
 *	without a notice, or NULL
 *
 * parts.c lists the parts in the order in which they are taken back. Each operation
 * except @init and @exit may be missing, and runs with the GPU's lock held and the GPU
 * attached, unless it says otherwise; "in the bracket" is between wdbg_power_begin() or
 * wdbg_power_begin_cleanup() and wdbg_power_end(). @session NULL means all sessions.
 */
struct wdbg_part {
	enum wdbg_part_id id;
	u32 when;
	size_t data_size;
	int (*init)(struct wdbg_gpu *gpu);
	void (*exit)(struct wdbg_gpu *gpu);
	u32 (*tick)(struct wdbg_gpu *gpu);

	void (*claim_all)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*restore)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*discard)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*drain)(struct wdbg_gpu *gpu, bool now);

	void (*revoke)(struct wdbg_gpu *gpu);
	void (*vmid_revoked)(struct wdbg_gpu *gpu, u32 vmid);
	void (*after_reset)(struct wdbg_gpu *gpu);
	void (*resumed)(struct wdbg_gpu *gpu, u32 vmid,
			const struct amdgpudbg_wave_coord *at);
	void (*listed)(struct wdbg_gpu *gpu);

	void (*claim)(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at,
		      enum wdbg_halted how);
	void (*handler_goes)(struct wdbg_gpu *gpu, struct wdbg_session *owner);
	u32 (*keeps_halted)(struct wdbg_gpu *gpu, const struct wdbg_session *session);
	unsigned int (*num_kept)(struct wdbg_gpu *gpu, const struct drm_file *drm);
	bool (*vmid_goes)(struct wdbg_gpu *gpu, const struct wdbg_session *session,
			  bool in_time);
	bool (*uses_vmid)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	bool (*stops)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	bool (*holds_timeouts)(struct wdbg_gpu *gpu, bool bounded);
	struct wdbg_session *(*may_stop)(struct wdbg_gpu *gpu);
};

/* parts.c */
extern const struct wdbg_part *const wdbg_parts[];

#endif /* WDBG_PART_H */
