// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log of changes of address spaces. amdgpu reports them only to its tracepoints
 * amdgpu_vm_bo_map and amdgpu_vm_bo_unmap, in the ioctl that makes the change and
 * afterwards. The probes are registered only while a session wants to know.
 *
 * The probe runs with the lock of the address space held. It only records which one
 * that is, so that no other thread waits for it. It does not look up the GPU: no
 * session of another GPU has such an address space. A mapping that is split, by an
 * unmapping in the middle of it, does not name its address space: then it may be any.
 */
#include <linux/spinlock.h>
#include <linux/string.h>

#include "amdgpu/layout.h"
#include "amdgpu/tracepoint.h"
#include "amdgpu/vm_log.h"

static LIST_HEAD(logs);
static DEFINE_RAW_SPINLOCK(logs_lock); /* the list of logs, and their contents */

static void vm_log_add(struct wdbg_vm_changed *changed, const void *vm)
{
	u32 i;

	for (i = 0; i < changed->num; i++)
		if (changed->vm[i] == vm)
			return;
	if (!vm || changed->num == WDBG_NUM_CHANGED)
		changed->any = true;
	else
		changed->vm[changed->num++] = vm;
}

/* TP_PROTO(struct amdgpu_bo_va *, struct amdgpu_bo_va_mapping *): see layout_changes_are_known() */
static void vm_log_on_change(void *unused, const void *bo_va, const void *mapping)
{
	struct wdbg_vm_log *log;
	unsigned long flags;
	const void *vm;

	raw_spin_lock_irqsave(&logs_lock, flags);
	list_for_each_entry(log, &logs, node) {
		vm = bo_va ? *(const void * const *)(bo_va +
				log->layout->offset[WDBG_BO_VA_VM]) : NULL;
		vm_log_add(&log->changed, vm);
		log->wake(log);
	}
	raw_spin_unlock_irqrestore(&logs_lock, flags);
}

static struct wdbg_tracepoint on_map = {
	.name = "amdgpu_vm_bo_map",
	.probe = vm_log_on_change,
	.on_demand = true,
};

static struct wdbg_tracepoint on_unmap = {
	.name = "amdgpu_vm_bo_unmap",
	.probe = vm_log_on_change,
	.on_demand = true,
};

/**
 * wdbg_vm_logs_init() - find amdgpu's tracepoints, now and whenever amdgpu is loaded
 *
 * Context: before any GPU is attached.
 * Return: 0 or an error of the kernel.
 */
int wdbg_vm_logs_init(void)
{
	int ret = wdbg_tracepoint_init(&on_map);

	if (ret)
		return ret;
	ret = wdbg_tracepoint_init(&on_unmap);
	if (ret)
		wdbg_tracepoint_exit(&on_map);
	return ret;
}

/**
 * wdbg_vm_logs_exit() - end wdbg_vm_logs_init()
 *
 * Context: no GPU is attached any more.
 */
void wdbg_vm_logs_exit(void)
{
	wdbg_tracepoint_exit(&on_unmap);
	wdbg_tracepoint_exit(&on_map);
}

/**
 * wdbg_vm_log_available() - check that changes of mappings can be seen
 * @layout: of the amdgpu.ko that is loaded
 *
 * Context: a GPU is bound to amdgpu, which therefore stays.
 * Return: false if amdgpu has no such tracepoints, or others, or if the kernel has left
 *	them out because amdgpu was loaded by force.
 */
bool wdbg_vm_log_available(const struct wdbg_layout *layout)
{
	return layout->has_changes && wdbg_tracepoint_is_there(&on_map) &&
	       wdbg_tracepoint_is_there(&on_unmap);
}

static int vm_log_listen(void)
{
	int ret = wdbg_tracepoint_get(&on_map);

	if (ret)
		return ret;
	ret = wdbg_tracepoint_get(&on_unmap);
	if (ret)
		wdbg_tracepoint_put(&on_map);
	return ret;
}

/**
 * wdbg_vm_log_want() - begin or cease to listen
 * @log: the log; layout and wake are set; wdbg_vm_log_available()
 * @wanted: listen. If not, what was seen is dropped.
 *
 * Afterwards, wake() neither runs nor is called, if it is not wanted.
 * Context: may sleep; one caller at a time.
 * Return: 0; an error of the kernel, and nothing has changed.
 */
int wdbg_vm_log_want(struct wdbg_vm_log *log, bool wanted)
{
	int ret = 0;

	if (wanted == log->wanted)
		return 0;
	if (wanted)
		ret = vm_log_listen();
	if (ret)
		return ret;
	log->wanted = wanted;
	raw_spin_lock_irq(&logs_lock);
	memset(&log->changed, 0, sizeof(log->changed));
	if (wanted)
		list_add_tail(&log->node, &logs);
	else
		list_del(&log->node);
	raw_spin_unlock_irq(&logs_lock);
	if (!wanted) {
		wdbg_tracepoint_put(&on_unmap);
		wdbg_tracepoint_put(&on_map);
	}
	return 0;
}

/**
 * wdbg_vm_log_take() - take the changes since the last call
 * @log: the log
 * @changed: out
 *
 * Return: false if there are none.
 */
bool wdbg_vm_log_take(struct wdbg_vm_log *log, struct wdbg_vm_changed *changed)
{
	raw_spin_lock_irq(&logs_lock);
	*changed = log->changed;
	memset(&log->changed, 0, sizeof(log->changed));
	raw_spin_unlock_irq(&logs_lock);
	return changed->num || changed->any;
}
