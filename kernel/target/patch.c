// SPDX-License-Identifier: GPL-2.0-only
/*
 * Patches: AMDGPUDBG_IOC_VM_ACCESS with PATCH. A patch is what a session has written
 * over its target's code; the original bytes are kept and restored when the session
 * ends.
 *
 * Where a patch is an s_trap, a wave that has executed it waits behind it, and has not
 * executed the instruction that the patch replaces. So before the handler is removed,
 * by whichever session, the code is restored while no wave starts, the instruction
 * caches are invalidated (SQC_CACHES), and such waves are moved back to the address of
 * the patch, by whatever address they have reached it. Waves that are in their handler
 * are waited for as long as for any wave: once for all patches that are removed
 * together, however many sessions have set them (trace event amdgpudbg_rewind), because
 * a handler can keep its waves for any time. UNPATCH moves waves back in the same way,
 * without the stall: the handler stays, so that a wave that starts with the old code
 * halts in it. It reads again the waves that were in their handler, and no others: with
 * conditions, some wave is in its handler at any time.
 *
 * No patch is set while the target has a handler and also earlier jobs in another VMID
 * that have not ended (patch_waves_have_handler()): they may still start waves, which would
 * continue behind an s_trap. With the VMID reserved, no job is granted another, so this
 * state does not come back.
 *
 * The program may store beside a patch, or over it, at any time. So only dwords of the
 * patch are written, and each is exchanged separately; in VRAM this is not atomic,
 * since the CPU cannot do that over the bus (amdgpu/vm.c).
 *
 * A patch is in memory, not at an address: otherwise a second patch over the same bytes
 * would take the first for the original, and what is mapped at the address later is
 * other memory. So it is identified by the buffer object and the offset in it, as a
 * uprobe is by inode and offset, and is removed there (target/patched.c). The object is
 * referenced: a mere pointer may be that of another object later. An object that only
 * patches still hold cannot be mapped or seen; the next tick releases it, so that a
 * debugger does not keep the target's memory. A worker drops the reference, because the
 * last one takes locks of amdgpu and may wait.
 *
 * Each session has a list of its own patches, of which there are few. Patches without
 * an owner are in the GPU's list, and a tick tries some of them at once, so that no
 * caller waits for all the patches of others. A user has AMDGPUDBG_USER_PATCH_MAX of
 * them at most, including those that still have to be removed (user.c).
 *
 * amdgpu's locks are only tried (amdgpu/vm.c). If one is not free for longer than a
 * moment, the patch loses its owner, and a tick removes it. The same applies to patches
 * that a reset or the loss of the VMID has separated from their handler, where nothing
 * may be waited for, and to memory that has no pages: to get them may take as long as
 * jobs do, so a worker gets them, for one object at a time.
 */
#include <drm/drm_gem.h>
#include <linux/delay.h>
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "hw/trace.h"
#include "session.h"
#include "target/patched.h"
#include "target/target.h"
#include "target/trap.h"
#include "wave/wave.h"

#define LOOK_MS		20

/* How often to check whether others still have the memory, in ms */
#define FREED_MS	1000

/* How long to try, for all patches together, while others have to wait */
#define SOON_US		4000
/* How long to try if there is no later try */
#define LAST_US		(2 * USEC_PER_SEC)

/* So many patches without an owner are tried at once. */
#define KEPT_AT_ONCE	256

/* Invalidate the instruction caches. In the bracket. */
static void patch_invalidate(struct wdbg_gpu *gpu)
{
	wdbg_bank_lock(&gpu->hw);
	gpu->hw.ops->icache_inv(&gpu->hw);
	wdbg_bank_unlock(&gpu->hw);
}

/**
 * struct wdbg_patches - what patches need that have no owner
 * @gpu: the GPU
 * @kept: patches that have to be removed and have no owner any more
 * @absent: an object of theirs without pages, which @populate gets pages for; else NULL
 * @populate: gets pages; may wait for jobs
 */
struct wdbg_patches {
	struct wdbg_gpu *gpu;
	struct list_head kept;
	struct drm_gem_object *absent;
	struct work_struct populate;
};

static struct wdbg_patches *patch_data(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_patch_part);
}

/*
 * Restore the words that still hold the patch. Errors for which patch_must_wait(): try
 * later; any other: nothing can be restored there. @hold: see &struct wdbg_vm_copy.
 */
static int patch_write_back(struct wdbg_patch *patch, struct drm_gem_object **hold)
{
	struct wdbg_vm_copy copy = {
		.data = patch->before, .bytes = patch->bytes, .write = true,
		.only = patch->now, .hold = hold,
	};

	return wdbg_object_copy(patch->gpu, &patch->in, &copy);
}

static void patch_populate_work(struct work_struct *work)
{
	struct wdbg_patches *patches = container_of(work, struct wdbg_patches, populate);

	/* If that fails, the next user of the memory asks again. */
	wdbg_object_populate(patches->absent);
	/* Not before it was read: see patch_write_back_or_populate(). */
	smp_store_release(&patches->absent, NULL);
	wdbg_gpu_closed(patches->gpu);
}

/* As patch_write_back(), and let a worker get pages for memory without any. */
static int patch_write_back_or_populate(struct wdbg_patch *patch)
{
	struct wdbg_patches *patches = patch_data(patch->gpu);
	struct drm_gem_object *absent = NULL;
	int ret;

	/* The worker is busy as long as it has not written this. */
	if (smp_load_acquire(&patches->absent))
		return patch_write_back(patch, NULL);
	ret = patch_write_back(patch, &absent);
	if (absent) {
		patches->absent = absent;
		wdbg_gpu_populate_later(patch->gpu, &patches->populate);
	}
	return ret;
}

static bool patch_must_wait(int error)
{
	return error == -EAGAIN || error == -ENODATA || error == -ENOMEM;
}

/* Wait for pages only if this is the @last try. */
static bool patch_write_back_until(struct wdbg_patch *patch, ktime_t deadline, bool last)
{
	int ret = patch_write_back_or_populate(patch);

	while ((ret == -ENODATA ? last : patch_must_wait(ret)) &&
	       ktime_before(ktime_get(), deadline)) {
		usleep_range(200, 1000);
		ret = patch_write_back_or_populate(patch);
	}
	return !patch_must_wait(ret);
}

static void patch_disown(struct wdbg_patch *patch)
{
	patch->owner->num_patches--;
	patch->owner = NULL;
}

static void patch_free(struct wdbg_patch *patch)
{
	list_del(&patch->node);
	if (patch->user)
		wdbg_user_remove(patch->user, WDBG_USER_PATCH);
	wdbg_patched_remove(patch);
}

/* ------------------------------------------------- whose memory was freed */

static void patch_drop_if_freed(struct wdbg_patch *patch)
{
	if (!wdbg_patched_is_freed(patch->patched))
		return;
	patch_disown(patch);
	patch_free(patch);
}

/* Patches without an owner are removed in any case. */
static void patch_drop_freed_of(struct wdbg_session *session)
{
	struct wdbg_patch *patch, *next;

	list_for_each_entry_safe(patch, next, &session->patches, node)
		patch_drop_if_freed(patch);
}

static void patch_drop_freed(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		patch_drop_freed_of(session);
}

/* ------------------------------------------------- those without an owner */

static void patch_keep_for_later(struct wdbg_patch *patch)
{
	struct wdbg_gpu *gpu = patch->gpu;

	patch_disown(patch);
	list_move_tail(&patch->node, &patch_data(gpu)->kept);
	wdbg_power_get(gpu);
	wdbg_part_tick(gpu, &wdbg_patch_part, LOOK_MS);
}

static void patch_end_kept(struct wdbg_patch *patch)
{
	struct wdbg_gpu *gpu = patch->gpu;

	patch_free(patch);
	wdbg_power_put(gpu);
}

/* Try some, or @all. Patches that have to wait are the last to be tried the next time. */
static void patch_remove_kept(struct wdbg_gpu *gpu, bool all)
{
	ktime_t deadline = ktime_add_us(ktime_get(), all ? LAST_US : 0);
	u32 num = all ? U32_MAX : KEPT_AT_ONCE;
	struct wdbg_patch *patch, *next;
	LIST_HEAD(waits);
	LIST_HEAD(done);
	int bracket;

	if (wdbg_power_begin_cleanup(gpu, &bracket))
		bracket = -1;
	list_for_each_entry_safe(patch, next, &patch_data(gpu)->kept, node) {
		if (!num--)
			break;
		if ((bracket < 0 || !patch_write_back_until(patch, deadline, all)) && !all)
			list_move_tail(&patch->node, &waits);
		else
			list_move_tail(&patch->node, &done);
	}
	list_splice_tail(&waits, &patch_data(gpu)->kept);
	if (bracket >= 0) {
		if (!list_empty(&done))
			patch_invalidate(gpu);
		wdbg_power_end(gpu, bracket);
	}
	list_for_each_entry_safe(patch, next, &done, node)
		patch_end_kept(patch);
}

static bool patch_has_kept(struct wdbg_gpu *gpu)
{
	return !list_empty(&patch_data(gpu)->kept);
}

/* Remove the remaining patches of a session later, when amdgpu's locks are free. */
static void patch_keep_all(struct wdbg_session *session)
{
	struct wdbg_patch *patch, *next;

	list_for_each_entry_safe(patch, next, &session->patches, node)
		patch_keep_for_later(patch);
}

/* Do waves of an address space have a handler? */
static bool patch_has_handler(struct wdbg_gpu *gpu, const struct drm_file *drm)
{
	return wdbg_trap_owner(gpu, drm);
}

/*
 * Where the handler was removed without its patches, waves that reach them would not
 * stop.
 */
static void patch_look_for_handlers(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node) {
		if (!session->patches_look)
			continue;
		session->patches_look = false;
		if (list_empty(&session->patches))
			continue;
		if (!patch_has_handler(gpu, session->target->drm) || wdbg_trap_of(gpu)->lost)
			patch_keep_all(session);
	}
}

static u32 patch_tick(struct wdbg_gpu *gpu)
{
	patch_look_for_handlers(gpu);
	patch_drop_freed(gpu);
	if (patch_has_kept(gpu) && !gpu->sleeping)
		patch_remove_kept(gpu, false);
	if (patch_has_kept(gpu))
		return LOOK_MS;
	return wdbg_patched_any(gpu) ? FREED_MS : 0;
}

static void patch_drain(struct wdbg_gpu *gpu, bool now)
{
	if (now && patch_has_kept(gpu))
		patch_remove_kept(gpu, true);
}

/* Sessions with other targets do not use this VMID. */
static void patch_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (!list_empty(&session->patches) && wdbg_guard_is_of(gpu, session->target->drm))
			patch_keep_all(session);
}

/* Later, when it is known which handlers have survived it: see &wdbg_trap_part. */
static void patch_after_reset(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		session->patches_look = !list_empty(&session->patches) &&
					patch_has_handler(gpu, session->target->drm);
	if (wdbg_patched_any(gpu))
		wdbg_part_tick(gpu, &wdbg_patch_part, LOOK_MS);
}

/* -------------------------------------------------------------------- set */

/* Does another patch overlap? */
static int patch_is_free(struct wdbg_session *session,
			 const struct wdbg_patch *patch)
{
	const struct wdbg_patch *there =
		wdbg_patched_overlap(session->gpu, &patch->in, patch->bytes);

	if (!there)
		return 0;
	if (there->owner == session)
		return -EEXIST;
	return wdbg_busy_with(session, AMDGPUDBG_BUSY_PATCH, there->owner);
}

/* Count one more for the session and its user, within the limits. */
static int patch_count(struct wdbg_session *session, struct wdbg_patch *patch)
{
	int ret = -ENOSPC;

	if (session->num_patches < AMDGPUDBG_PATCH_MAX)
		ret = wdbg_user_add(session->user, WDBG_USER_PATCH);
	if (ret) {
		patch_drop_freed_of(session);
		if (session->num_patches < AMDGPUDBG_PATCH_MAX)
			ret = wdbg_user_add(session->user, WDBG_USER_PATCH);
	}
	if (!ret)
		patch->user = session->user;
	return ret;
}

static int patch_write(struct wdbg_patch *patch, struct wdbg_vm_copy *copy)
{
	struct wdbg_vm_copy set = *copy;
	int ret;

	set.data = patch->now;
	set.was = patch->before;
	ret = wdbg_object_copy(patch->gpu, &patch->in, &set);
	copy->kind = set.kind;
	if (!ret)
		patch_invalidate(patch->gpu);
	return ret;
}

/*
 * A write to VRAM may have failed half way. False: what was written cannot be restored
 * at the moment.
 */
static bool patch_undo(struct wdbg_patch *patch)
{
	/* Words that were not reached are the same in both. */
	if (!memcmp(patch->before, patch->now, patch->bytes))
		return true;
	if (patch_must_wait(patch_write_back(patch, NULL)))
		return false;
	patch_invalidate(patch->gpu);
	return true;
}

static void patch_own(struct wdbg_session *session, struct wdbg_patch *patch)
{
	patch->owner = session;
	session->num_patches++;
	list_add_tail(&patch->node, &session->patches);
	wdbg_part_tick(session->gpu, &wdbg_patch_part, FREED_MS);
}

/* @patch is entered, but has no owner yet. After an error, it is freed, or will be. */
static int patch_set_new(struct wdbg_session *session, struct wdbg_patch *patch,
			 struct wdbg_vm_copy *copy)
{
	int ret = patch_count(session, patch);

	if (!ret)
		ret = patch_write(patch, copy);
	if (!ret) {
		patch_own(session, patch);
		copy->done = copy->bytes;
	} else if (patch_undo(patch)) {
		patch_free(patch);
	} else {
		patch_own(session, patch);
		patch_keep_for_later(patch);
	}
	return ret;
}

static struct wdbg_patch *patch_new(struct wdbg_session *session,
				    const struct wdbg_vm_copy *copy)
{
	struct wdbg_patch *patch = kzalloc(sizeof(*patch), GFP_KERNEL_ACCOUNT);

	if (!patch)
		return NULL;
	patch->gpu = session->gpu;
	patch->va = copy->va;
	patch->bytes = copy->bytes;
	memcpy(patch->now, copy->data, copy->bytes);
	memcpy(patch->before, copy->data, copy->bytes);
	INIT_LIST_HEAD(&patch->node);
	return patch;
}

/*
 * Enter a new patch, unless another one overlaps. It references the object then, also
 * if setting it fails: the reference may be the last by then, which only a worker
 * drops.
 */
static int patch_enter(struct wdbg_session *session, struct wdbg_patch *patch,
		       struct wdbg_vm_copy *copy)
{
	struct wdbg_patched *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!new)
		return -ENOMEM;
	ret = wdbg_mappings_find(session->gpu, session->target->drm, copy,
				 &patch->in, true);
	if (ret)
		goto free;
	ret = patch_is_free(session, patch);
	if (ret) {
		/* The patch that is there has another reference. */
		drm_gem_object_put(patch->in.obj);
		goto free;
	}
	wdbg_patched_add(patch, new);
	return 0;

free:
	kfree(new);
	return ret;
}

/*
 * A wave has a handler if it starts in the VMID that has one. Jobs that were granted
 * another VMID before may still start waves: such a wave would continue behind an
 * s_trap. No job is granted another VMID any more.
 */
static int patch_waves_have_handler(struct wdbg_session *session)
{
	struct wdbg_target *target = session->target;
	struct wdbg_gpu *gpu = session->gpu;
	u32 vmid;

	if (!patch_has_handler(gpu, target->drm))
		return 0;
	vmid = wdbg_id_mgr_other_jobs(gpu, target->drm,
				      wdbg_vmid_reserved(gpu));
	if (!vmid)
		return 0;
	return wdbg_busy_jobs(session, AMDGPUDBG_BUSY_BY_NONE, vmid,
			      wdbg_target_pasid(target));
}

/**
 * wdbg_patch_set() - write over the target's memory until the session ends
 * @session: the session, which has a target
 * @copy: the bytes and their address, within a page, in whole dwords
 *
 * Context: the GPU's lock is held; in the bracket.
 * Return: 0; errors of wdbg_mappings_copy(); -EEXIST or -EBUSY if a patch of this or
 *	another session is there; -EBUSY if the target has a handler, and jobs from
 *	before it; -ENOSPC if the session or its user has the maximum; -ENOMEM.
 */
int wdbg_patch_set(struct wdbg_session *session, struct wdbg_vm_copy *copy)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_patch *patch;
	int ret;

	lockdep_assert_held(&gpu->lock);
	if (gpu->sleeping)
		return wdbg_busy(session, AMDGPUDBG_BUSY_SLEEP);
	ret = patch_waves_have_handler(session);
	if (ret)
		return ret;
	/* Patches from before a reset must not be taken for this one. */
	if (session->patches_look)
		patch_look_for_handlers(gpu);
	patch = patch_new(session, copy);
	if (!patch)
		return -ENOMEM;
	ret = patch_enter(session, patch, copy);
	if (ret) {
		kfree(patch);
		return ret;
	}
	return patch_set_new(session, patch, copy);
}

/*
 * Find the patch that is in the memory at the address now, or was when it was set
 * there.
 */
static struct wdbg_patch *patch_find_own(struct wdbg_session *session,
					 const struct wdbg_vm_copy *copy,
					 const struct wdbg_in_object *in)
{
	struct wdbg_patch *patch =
		wdbg_patched_overlap(session->gpu, in, copy->bytes);

	if (patch && patch->owner == session && patch->bytes == copy->bytes &&
	    patch->in.offset == in->offset)
		return patch;
	list_for_each_entry(patch, &session->patches, node)
		if (patch->bytes == copy->bytes && patch->va == copy->va)
			return patch;
	return NULL;
}

/* ------------------------------------------------------ waves at patches */

/**
 * struct rewind - waves are moved back to the addresses of patches
 * @vmids: their VMIDs
 * @again: not the first walk: only waves that were in their handler then
 * @busy: some are in their handler, and may still stop there
 */
struct rewind {
	u32 vmids;
	bool again;
	bool busy;
};

/*
 * Was the instruction at @pc in a patch that was removed, no matter by which address
 * and session it was set? If a lock is not free, or nothing is mapped there any more,
 * only by this address.
 */
static bool patch_original(struct wdbg_gpu *gpu, u64 pc)
{
	struct wdbg_vm_copy copy = { .va = pc, .bytes = sizeof(u32) };
	struct drm_file *drm = wdbg_vmid_drm(gpu);
	struct wdbg_session *s;
	struct wdbg_patch *patch;
	struct wdbg_in_object in;

	if (!wdbg_mappings_find(gpu, drm, &copy, &in, false)) {
		patch = wdbg_patched_overlap(gpu, &in, copy.bytes);
		return patch && patch->out;
	}
	list_for_each_entry(s, &gpu->sessions, node) {
		if (list_empty(&s->patches) || s->target->drm != drm)
			continue;
		list_for_each_entry(patch, &s->patches, node)
			if (patch->out && pc - patch->va < patch->bytes)
				return true;
	}
	return false;
}

static void patch_rewind_wave(struct wdbg_gpu *gpu,
			      const struct amdgpudbg_wave_coord *at, u32 state)
{
	const struct wdbg_trap_ops *ops = gpu->hw.ops->trap;
	u64 pc;

	if (!(state & WDBG_WAVE_HALTED) || !wdbg_wave_at_trap(gpu, at, state))
		return;
	/* While it still shows that its handler has halted it */
	wdbg_wave_claim(gpu, at);
	if (ops->trapped_by(&gpu->hw, at, &pc) && patch_original(gpu, pc))
		ops->rewind(&gpu->hw, at, pc);
}

static bool patch_is_of_vmids(struct wdbg_gpu *gpu,
			      const struct amdgpudbg_wave_coord *at, u32 vmids)
{
	return vmids & BIT(gpu->hw.ops->wave->vmid(&gpu->hw, at));
}

static int patch_rewind_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			     u32 live, void *arg)
{
	const struct wdbg_hw *hw = &gpu->hw;
	struct rewind *r = arg;
	struct wdbg_slot *slot;
	u32 state;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++) {
		slot = wdbg_wave_slot(gpu, at);
		if (r->again && !slot->in_handler)
			continue;
		slot->in_handler = false;
		if (!(live & BIT(at->wave)) || !patch_is_of_vmids(gpu, at, r->vmids))
			continue;
		state = hw->ops->wave->state(&gpu->hw, at);
		slot->in_handler = state & WDBG_WAVE_PRIV;
		if (slot->in_handler)
			r->busy = true;
		else if (state & WDBG_WAVE_VALID)
			patch_rewind_wave(gpu, at, state);
	}
	return 0;
}

/*
 * Move waves back that removed patches have stopped. An s_trap stops waves only in the
 * VMID of the handler. Waves that are in their handler reach their stop first. The code
 * was restored: a wave that was seen outside of its handler does not enter it because
 * of a patch any more, though it may enter it again and again for another reason.
 *
 * A handler can keep its waves for any time, and others wait for the GPU. Therefore all
 * patches that are removed together share one deadline.
 */
static void patch_rewind(struct wdbg_gpu *gpu)
{
	ktime_t deadline = wdbg_wave_deadline(0);
	struct rewind r = { };
	int looks = 0, walks = 0;

	if (wdbg_guard_is_lost(gpu))
		return;
	r.vmids = BIT(wdbg_vmid_reserved(gpu));
	do {
		r.busy = false;
		wdbg_wave_scan(gpu, NULL, patch_rewind_simd, &r);
		r.again = true;
		walks++;
	} while (r.busy && !wdbg_wave_late(&looks, deadline));
	trace_amdgpudbg_rewind(walks);
}

/* ------------------------------------------------------------------ clear */

static int patch_clear(struct wdbg_session *session, struct wdbg_vm_copy *copy,
		       bool keep)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_in_object in = { .obj = NULL };
	struct wdbg_patch *patch;
	int ret;

	lockdep_assert_held(&gpu->lock);
	ret = wdbg_mappings_find(gpu, session->target->drm, copy, &in, false);
	if (ret == -EAGAIN)
		return ret;
	patch = patch_find_own(session, copy, &in);
	if (!patch)
		return -ENOENT;
	ret = patch_write_back(patch, copy->hold);
	if (patch_must_wait(ret))
		return ret;
	patch_invalidate(gpu);
	patch->out = true;
	if (!keep && patch_has_handler(gpu, session->target->drm))
		patch_rewind(gpu);
	patch_disown(patch);
	patch_free(patch);
	wdbg_halt_budget_update(gpu);
	copy->done = copy->bytes;
	return 0;
}

/**
 * wdbg_patch_clear() - remove a patch, and move waves back that it has stopped
 * @session: its owner
 * @copy: its address and size
 *
 * Such a wave stays halted, and is owned by the session that has set its handler.
 * Context: see wdbg_patch_set().
 * Return: 0, also if nothing can be restored; -ENOENT; -EAGAIN, -ENODATA, -ENOMEM: try
 *	later.
 */
int wdbg_patch_clear(struct wdbg_session *session, struct wdbg_vm_copy *copy)
{
	return patch_clear(session, copy, false);
}

/**
 * wdbg_patch_clear_keep() - remove a patch, and leave waves where they are
 * @session: its owner
 * @copy: its address and size
 *
 * Context: see wdbg_patch_set().
 * Return: see wdbg_patch_clear().
 */
int wdbg_patch_clear_keep(struct wdbg_session *session,
			  struct wdbg_vm_copy *copy)
{
	return patch_clear(session, copy, true);
}

/* -------------------------------------------------------------- give back */

/*
 * When the patches of a session are restored, do those of @s have to be restored with
 * them? Those that need the handler which is removed with the session, and those of
 * sessions that are restored for the same reason.
 */
static bool patch_goes_with(struct wdbg_gpu *gpu,
			    const struct wdbg_session *session,
			    const struct wdbg_session *s)
{
	return !session || s == session || (session->together && s->together) ||
	       wdbg_trap_owner(gpu, s->target->drm) == session;
}

/* Remaining patches are removed later. */
static void patch_end_of(struct wdbg_session *session)
{
	struct wdbg_patch *patch, *next;

	list_for_each_entry_safe(patch, next, &session->patches, node) {
		if (!patch->out) {
			patch_keep_for_later(patch);
			continue;
		}
		patch_disown(patch);
		patch_free(patch);
	}
}

/* Mark the sessions whose patches are removed; get their VMIDs. False: there are none. */
static bool patch_mark(struct wdbg_gpu *gpu, const struct wdbg_session *session,
		       u32 *vmids)
{
	struct wdbg_session *s;
	bool any = false;

	*vmids = 0;
	list_for_each_entry(s, &gpu->sessions, node) {
		s->patches_go = !list_empty(&s->patches) &&
				patch_goes_with(gpu, session, s);
		if (!s->patches_go)
			continue;
		any = true;
		*vmids |= wdbg_scope_vmids(s);
	}
	return any;
}

static void patch_write_back_marked(struct wdbg_gpu *gpu)
{
	ktime_t deadline = ktime_add_us(ktime_get(), SOON_US);
	bool handler = false;
	struct wdbg_patch *patch;
	struct wdbg_session *s;

	list_for_each_entry(s, &gpu->sessions, node) {
		if (!s->patches_go)
			continue;
		handler |= patch_has_handler(gpu, s->target->drm);
		list_for_each_entry(patch, &s->patches, node)
			patch->out = patch_write_back_until(patch, deadline, false);
	}
	patch_invalidate(gpu);
	if (handler)
		patch_rewind(gpu);
}

/*
 * Remove the patches of all sessions that lose theirs with @session, in one step; no
 * wave starts with the old code in the meantime.
 */
static void patch_remove(struct wdbg_gpu *gpu, const struct wdbg_session *session)
{
	struct wdbg_session *s;
	bool stalled;
	u32 vmids;

	if (!patch_mark(gpu, session, &vmids))
		return;
	wdbg_bank_lock(&gpu->hw);
	stalled = vmids && !wdbg_stall_begin(gpu, vmids);
	wdbg_bank_unlock(&gpu->hw);
	patch_write_back_marked(gpu);
	if (stalled) {
		wdbg_bank_lock(&gpu->hw);
		wdbg_stall_end(gpu, vmids);
		wdbg_bank_unlock(&gpu->hw);
	}
	list_for_each_entry(s, &gpu->sessions, node)
		if (s->patches_go)
			patch_end_of(s);
}

static void patch_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	patch_remove(gpu, session);
}

/* All patches of its owner are in the target that has the handler. */
static void patch_handler_goes(struct wdbg_gpu *gpu, struct wdbg_session *owner)
{
	lockdep_assert_held(&gpu->lock);
	patch_remove(gpu, owner);
}

/* The hardware cannot be reached, and neither can the memory. */
static void patch_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_patch *patch, *next;
	struct wdbg_session *s;

	list_for_each_entry(s, &gpu->sessions, node) {
		if (session && s != session)
			continue;
		list_for_each_entry_safe(patch, next, &s->patches, node) {
			patch_disown(patch);
			patch_free(patch);
		}
	}
}

static int patch_init_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_patches *patches = patch_data(gpu);

	patches->gpu = gpu;
	INIT_LIST_HEAD(&patches->kept);
	INIT_WORK(&patches->populate, patch_populate_work);
	return 0;
}

const struct wdbg_part wdbg_patch_part = {
	.id = WDBG_PART_PATCH,
	.when = WDBG_AT_SLEEP | WDBG_FOR_VMID | WDBG_FOR_TIME | WDBG_AT_END,
	.data_size = sizeof(struct wdbg_patches),
	.handler_goes = patch_handler_goes,
	.init = patch_init_gpu,
	.tick = patch_tick,
	.restore = patch_restore,
	.discard = patch_discard,
	.drain = patch_drain,
	.vmid_revoked = patch_vmid_revoked,
	.after_reset = patch_after_reset,
};
