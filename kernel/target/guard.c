// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guard the reserved VMID: no wave of another process starts there before the registers
 * that were set for it are restored.
 *
 * The target can give its VMID back at any time, and from Linux 6.12 on other processes
 * can come to share it; amdgpu does not report either. But its tracepoint
 * amdgpu_vm_grab_id fires for each job that is granted a VMID, before the job goes to a
 * ring, in the thread that sends it there, with id_mgr.lock held, and in all of
 * amdgpu's ways to a VMID: an idle one, the last one, a reserved one. All jobs of the
 * former owner have ended then (see id_mgr.c), so the VMID has no waves.
 *
 * What happens to another process that is granted the guarded VMID:
 *
 * - Before anything was set there, the guard notes it, and nothing will be set.
 * - Afterwards the probe stalls the VMID, so that no wave starts in it, and reads the
 *   stall back before it returns. That is one write: the probe cannot sleep. A worker,
 *   which waits for the locks of the registers only, restores the registers
 *   (wdbg_part.revoke) and ends the stall; this is the only delay for the other
 *   process. A second worker, under the GPU's lock, discards what the sessions had
 *   (wdbg_part.vmid_revoked) and reports the loss.
 *
 * So registers that count for a VMID, and the notes about them, change only within the
 * bank lock, and only after wdbg_guard_enter() has succeeded there.
 *
 * That the stall comes first is a matter of order, not of time. Suite vmid-window
 * proves the order from traces on each kernel; these times come from its long form (27
 * to 37 VMIDs that were granted to others, several runs, on an emulated machine under
 * load; median, worst in brackets):
 *
 *  Linux  grant to stall    then to the job's turn  grant to end of stall
 *  6.1    0.5 ms (6)        0.1 ms (19)             4 ms (26)
 *  6.12   0.6 ms (75)       0.1 to 0.9 ms (14)      4 to 6 ms (76)
 *  7.2    0.6 ms (250)      0.2 to 0.4 ms (13)      3 ms (260)
 *
 * The worker competes for the locks of wdbg_vmid_lock() with long calls of other
 * sessions. A process that calls REG_ACCESS with 16,384 values without a pause delays
 * it by 3 register accesses (Linux 6.1, median of 35; at most 78), since
 * wdbg_bank_breathe() gives it precedence; by up to 1,018 without. A call that walks
 * over all waves releases the lock between two SIMDs (about 27 accesses for each wave
 * of one); a stall takes 116.
 *
 * What is not covered:
 *
 * - VMIDs from first_kfd_vmid on are amdkfd's. amdgpu never grants them, and the module
 *   sets nothing for them.
 * - Without this tracepoint, or with another one, nothing can be set for a VMID
 *   (-EOPNOTSUPP, see wdbg_guard_unsupported_reason()).
 * - amdkfd's debugger (Linux 6.5 and later) ends the stall of all VMIDs, or restores an
 *   older one, when it attaches, detaches, or changes how waves start
 *   (kgd_gfx_v10_set_wave_launch_stall()). If that happens between the grant and the
 *   end of the stall, waves start too early. See wdbg_guard_gap().
 * - Another holder of grbm_idx_mutex for more than the time that wdbg_hw_freeze()
 *   waits: debugfs (root) or amdkfd. The probe then writes without the mutex, with all
 *   banks selected and the other holder's selection restored. If that holder selects a
 *   bank just in that moment, only this bank is stalled, and one access of the holder
 *   may reach all.
 */
#include <drm/drm_drv.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/tracepoint.h"
#include "gpu.h"
#include "hw/mmio.h"
#include "hw/trace.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/**
 * struct wdbg_guard - detects that another process is granted a VMID that something is
 *	set for
 * @gpu: the GPU
 * @node: among all open guards, under RCU
 * @open: it is in that list
 * @adev: amdgpu's device: jobs name a ring of it
 * @ddev: the DRM device within it
 * @layout: of what the probe reads
 * @vm: amdgpu's struct amdgpu_vm that may have the VMID; NULL: nothing is guarded
 * @drm: the DRM file of @vm, open while there is a reservation; under the GPU's lock
 * @vmid: the VMID
 * @noted: another process has got it in the meantime
 * @programmed: something is set for it, or about to be
 * @lost: another process has got it while @programmed
 * @accesses: value of wdbg_hw_accesses() then
 * @revoke: restores registers, and lets the other process's waves start
 * @report: discards the rest, and reports to sessions
 *
 * @vm, and from @vmid to @accesses: under wdbg_hw.lock, for writing.
 */
struct wdbg_guard {
	struct wdbg_gpu *gpu;
	struct list_head node;
	bool open;
	void *adev;
	struct drm_device *ddev;
	const struct wdbg_layout *layout;
	const void *vm;
	struct drm_file *drm;
	u32 vmid;
	bool noted;
	bool programmed;
	bool lost;
	u32 accesses;
	struct work_struct revoke;
	struct work_struct report;
};

static LIST_HEAD(guards);
static DEFINE_SPINLOCK(guards_lock); /* protects changes of guards */

/*
 * The jobs of other processes wait for its works: a queue of its own, so that they
 * never wait behind works that wait for the lock of a GPU.
 */
static struct workqueue_struct *guard_workqueue;

static struct wdbg_guard *guard_of(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_guard_part);
}

/* Is it a job of the graphics hub of this GPU? Other hubs number their own VMIDs. */
static bool guard_is_of(const struct wdbg_guard *guard, void *ring)
{
	const struct wdbg_layout *layout = guard->layout;
	void *base = ring, *adev;
	enum wdbg_field field = WDBG_RING_VM_HUB;

	adev = *(void **)wdbg_field_ptr(layout, ring, WDBG_RING_ADEV);
	if (adev != guard->adev)
		return false;
	if (!layout->present[field]) {
		field = WDBG_RING_FUNCS_VMHUB;
		base = *(void **)wdbg_field_ptr(layout, ring, WDBG_RING_FUNCS);
	}
	/* AMDGPU_GFXHUB_0 of 6.1, AMDGPU_GFXHUB(0) */
	return !*(u32 *)wdbg_field_ptr(layout, base, field);
}

static bool guard_is_foreign(const struct wdbg_guard *guard, const void *vm, u32 vmid)
{
	const void *own = READ_ONCE(guard->vm);

	return own && own != vm && READ_ONCE(guard->vmid) == vmid;
}

/*
 * The check before is without the lock: a guard that begins only then is followed by a
 * proof, under the lock of amdgpu that is held here.
 */
static void guard_granted(struct wdbg_guard *guard, const void *vm, u32 vmid)
{
	struct wdbg_gpu *gpu = guard->gpu;
	int idx;

	if (!guard_is_foreign(guard, vm, vmid) || !drm_dev_enter(guard->ddev, &idx))
		return;
	wdbg_hw_freeze(&gpu->hw);
	if (guard_is_foreign(guard, vm, vmid)) {
		guard->noted = true;
		if (guard->programmed) {
			guard->lost = true;
			wdbg_hw_guard(&gpu->hw, vmid);
			guard->accesses = wdbg_hw_accesses(&gpu->hw);
			/* Within the lock, so that wdbg_guard_end() finds it. */
			queue_work(guard_workqueue, &guard->revoke);
		}
	}
	wdbg_hw_thaw(&gpu->hw);
	drm_dev_exit(idx);
}

/* TP_PROTO(struct amdgpu_vm *, struct amdgpu_ring *, struct amdgpu_job *) */
static void guard_on_grab_id(void *unused, void *vm, void *ring, void *job)
{
	struct wdbg_guard *guard;

	rcu_read_lock();
	list_for_each_entry_rcu(guard, &guards, node) {
		if (!guard_is_of(guard, ring))
			continue;
		guard_granted(guard, vm, *(u32 *)wdbg_field_ptr(guard->layout, job,
								WDBG_JOB_VMID));
		break;
	}
	rcu_read_unlock();
}

static struct wdbg_tracepoint grab_id = {
	.name = "amdgpu_vm_grab_id",
	.probe = guard_on_grab_id,
};

/**
 * wdbg_guards_init() - prepare to guard VMIDs
 *
 * Context: before any GPU is attached.
 * Return: 0 or an error of the kernel.
 */
int wdbg_guards_init(void)
{
	int ret;

	guard_workqueue = alloc_workqueue("amdgpudbg_guard",
					  WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!guard_workqueue)
		return -ENOMEM;
	ret = wdbg_tracepoint_init(&grab_id);
	if (ret)
		destroy_workqueue(guard_workqueue);
	return ret;
}

/**
 * wdbg_guards_exit() - end wdbg_guards_init()
 *
 * Context: no GPU is attached any more.
 */
void wdbg_guards_exit(void)
{
	wdbg_tracepoint_exit(&grab_id);
	destroy_workqueue(guard_workqueue);
}

/**
 * wdbg_guard_unsupported_reason() - explain why no VMID can be guarded with this amdgpu
 * @gpu: the GPU
 *
 * Return: NULL if one can, else a sentence.
 */
const char *wdbg_guard_unsupported_reason(const struct wdbg_gpu *gpu)
{
	if (!gpu->layout.has_grant || !wdbg_tracepoint_is_there(&grab_id))
		return "The owners of VMIDs are not known: registers could affect other processes.";
	if (!gpu->hw.srbm_lock)
		return "The lock that protects the selected VMID of this amdgpu is not known.";
	return NULL;
}

#define ENDED_BY_AMDKFD \
	"When amdkfd's debugger lets its own waves start again, those of a process start, too, " \
	"that was just granted a VMID with changed registers."

/**
 * wdbg_guard_gap() - explain how the guard can be bypassed
 * @gpu: the GPU; wdbg_guard_unsupported_reason() has returned NULL
 *
 * Return: NULL if no way is known, else a sentence.
 */
const char *wdbg_guard_gap(const struct wdbg_gpu *gpu)
{
	/* It cannot be seen whether it was ever used. */
	if (gpu->layout.present[WDBG_KFD_ENABLE_DEBUG_TRAP])
		return ENDED_BY_AMDKFD;
	return NULL;
}

/* Restore what was set for the VMID, if it was granted to another process. */
static void guard_revoke(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;
	struct wdbg_guard *guard = guard_of(gpu);
	u32 asked;
	int bracket;

	if (wdbg_power_enter(gpu, &bracket)) {
		/* Hardware that cannot be reached stalls nothing. */
		wdbg_hw_unguard(&gpu->hw, ~0);
		return;
	}
	asked = wdbg_hw_accesses(&gpu->hw);
	wdbg_vmid_lock(&gpu->hw, guard->vmid);
	trace_amdgpudbg_revoke(guard->vmid, asked - guard->accesses,
			       gpu->hw.locked_at - asked);
	if (wdbg_guard_is_lost(gpu)) {
		for (p = gpu->parts; *p; p++)
			if ((*p)->revoke)
				(*p)->revoke(gpu);
	}
	wdbg_stall_unguard(gpu, guard->vmid);
	/*
	 * A process that is granted the VMID now finds nothing of this module, and need
	 * not wait.
	 */
	raw_spin_lock(&gpu->hw.lock);
	guard->programmed = false;
	raw_spin_unlock(&gpu->hw.lock);
	wdbg_vmid_unlock(&gpu->hw);
	wdbg_power_leave(gpu, bracket);
}

static void guard_revoke_work(struct work_struct *work)
{
	struct wdbg_guard *guard = container_of(work, struct wdbg_guard, revoke);

	guard_revoke(guard->gpu);
	queue_work(wdbg_look_workqueue, &guard->report);
}

/* Note the sessions that have something there, before it is discarded. */
static void guard_note_losers(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		session->lost_vmid = session->vmid_uses;
}

/* After guard_note_losers(): no session needs the VMID any more. */
static void guard_report_loss(struct wdbg_gpu *gpu, u32 vmid, enum amdgpudbg_handler_lost why)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node) {
		if (!session->lost_vmid)
			continue;
		session->lost_vmid = false;
		wdbg_event_post_handler_lost(session, vmid, why);
	}
}

/*
 * The target cannot give back a VMID that it shares, and amdgpu's isolation leaves it
 * reserved.
 */
static enum amdgpudbg_handler_lost guard_why_lost(struct wdbg_gpu *gpu)
{
	struct drm_file *drm = guard_of(gpu)->drm;

	return wdbg_id_mgr_has_vmid(gpu, drm) ? AMDGPUDBG_HANDLER_LOST_VMID_SHARED :
						AMDGPUDBG_HANDLER_LOST_VMID_RELEASED;
}

/* Another process has got the VMID: none of the target's waves is in it any more. */
static void guard_report_work(struct work_struct *work)
{
	const struct wdbg_part *const *p;
	struct wdbg_guard *guard = container_of(work, struct wdbg_guard, report);
	struct wdbg_gpu *gpu = guard->gpu;
	enum amdgpudbg_handler_lost why;
	u32 vmid;

	wdbg_gpu_lock_urgent(gpu);
	if (gpu->adev && wdbg_guard_is_lost(gpu)) {
		flush_work(&guard->revoke);
		vmid = guard->vmid;
		/* The last part that needs the reservation may drop it. */
		why = guard_why_lost(gpu);
		guard_note_losers(gpu);
		for (p = gpu->parts; *p; p++)
			if ((*p)->vmid_revoked)
				(*p)->vmid_revoked(gpu, vmid);
		guard_report_loss(gpu, vmid, why);
	}
	wdbg_gpu_unlock(gpu);
}

/**
 * wdbg_guard_is_of() - check whether the guarded VMID is that of an address space
 * @gpu: the GPU
 * @drm: DRM file of the address space
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_guard_is_of(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	return wdbg_id_mgr_vm(gpu, drm) == guard_of(gpu)->vm;
}

/**
 * wdbg_guard_restore() - restore a VMID that the target has given back and no process
 *	has got
 * @gpu: the GPU, attached
 *
 * Restores what was set for the VMID, and reports it to the sessions.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 */
void wdbg_guard_restore(struct wdbg_gpu *gpu)
{
	enum amdgpudbg_handler_lost why = guard_why_lost(gpu);
	u32 vmid = guard_of(gpu)->vmid;
	struct wdbg_session *session;

	lockdep_assert_held(&gpu->lock);
	guard_note_losers(gpu);
	/* Sessions with other targets do not use this VMID. */
	list_for_each_entry(session, &gpu->sessions, node)
		session->together = session->target &&
				    wdbg_guard_is_of(gpu, session->target->drm);
	list_for_each_entry(session, &gpu->sessions, node) {
		if (session->together)
			wdbg_restore(gpu, session, WDBG_FOR_VMID);
		session->together = false;
	}
	guard_report_loss(gpu, vmid, why);
}

static int guard_init_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_guard *guard = guard_of(gpu);

	guard->gpu = gpu;
	INIT_WORK(&guard->revoke, guard_revoke_work);
	INIT_WORK(&guard->report, guard_report_work);
	guard->adev = gpu->adev;
	guard->ddev = gpu->ddev;
	guard->layout = &gpu->layout;
	/* The members that the probe reads of all jobs must be known. */
	if (wdbg_guard_unsupported_reason(gpu))
		return 0;
	guard->open = true;
	spin_lock(&guards_lock);
	list_add_tail_rcu(&guard->node, &guards);
	spin_unlock(&guards_lock);
	return 0;
}

static void guard_exit_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_guard *guard = guard_of(gpu);

	if (guard->open) {
		spin_lock(&guards_lock);
		list_del_rcu(&guard->node);
		spin_unlock(&guards_lock);
		synchronize_rcu();
	}
	cancel_work_sync(&guard->revoke);
	cancel_work_sync(&guard->report);
}

/* It has no state of its own that would have to be restored. */
const struct wdbg_part wdbg_guard_part = {
	.id = WDBG_PART_GUARD,
	.data_size = sizeof(struct wdbg_guard),
	.init = guard_init_gpu,
	.exit = guard_exit_gpu,
};

/**
 * wdbg_guard_begin() - watch from now on which other process is granted a VMID
 * @gpu: the GPU, attached
 * @drm: DRM file of the address space that may be
 * @vmid: the VMID
 *
 * To be called before the proof that the VMID has no other process. May be called
 * again.
 * Context: the GPU's lock is held.
 */
void wdbg_guard_begin(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid)
{
	struct wdbg_guard *guard = guard_of(gpu);
	void *vm = wdbg_id_mgr_vm(gpu, drm);

	lockdep_assert_held(&gpu->lock);
	guard->drm = drm;
	raw_spin_lock(&gpu->hw.lock);
	WRITE_ONCE(guard->vmid, vmid);
	WRITE_ONCE(guard->vm, vm);
	guard->noted = guard->lost;
	raw_spin_unlock(&gpu->hw.lock);
}

/**
 * wdbg_guard_end() - stop guarding: nothing is set for the VMID any more
 * @gpu: the GPU; its VMID need not be guarded
 *
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end(); the GPU is still awake.
 */
void wdbg_guard_end(struct wdbg_gpu *gpu)
{
	struct wdbg_guard *guard = guard_of(gpu);

	lockdep_assert_held(&gpu->lock);
	guard->drm = NULL;
	raw_spin_lock(&gpu->hw.lock);
	WRITE_ONCE(guard->vm, NULL);
	guard->programmed = false;
	raw_spin_unlock(&gpu->hw.lock);
	/* If waves of another process are stalled, they start before this returns. */
	flush_work(&guard->revoke);
	guard->noted = false;
	guard->lost = false;
}

/**
 * wdbg_guard_enter() - prepare to set registers for the VMID
 * @session: the session; its GPU has a reservation
 *
 * From here on, another process that is granted the VMID has no waves there until these
 * registers, which are noted in the same section of the bank lock, are restored.
 * Context: within wdbg_bank_lock().
 * Return: 0; -EBUSY if another process was granted it.
 */
int wdbg_guard_enter(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_guard *guard = guard_of(gpu);
	bool noted;

	lockdep_assert_held(gpu->hw.bank_lock);
	raw_spin_lock(&gpu->hw.lock);
	noted = guard->noted;
	if (!noted)
		guard->programmed = true;
	raw_spin_unlock(&gpu->hw.lock);
	return noted ? wdbg_busy(session, AMDGPUDBG_BUSY_VMID_LOST) : 0;
}

/**
 * wdbg_guard_is_lost() - check whether another process was granted the VMID
 * @gpu: the GPU
 *
 * What was set for it is restored then, or about to be, and must not be set again.
 * Return: true if so. If it is false within wdbg_bank_lock(), everything that is set
 *	there before the lock is released will be restored.
 */
bool wdbg_guard_is_lost(const struct wdbg_gpu *gpu)
{
	return READ_ONCE(guard_of(gpu)->lost);
}

/**
 * wdbg_guard_is_programmed() - check whether something is set for the guarded VMID
 * @gpu: the GPU
 *
 * Return: true if so, or if that is about to happen.
 */
bool wdbg_guard_is_programmed(const struct wdbg_gpu *gpu)
{
	return READ_ONCE(guard_of(gpu)->programmed);
}
