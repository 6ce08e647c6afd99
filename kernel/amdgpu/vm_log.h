/* SPDX-License-Identifier: GPL-2.0-only */
/* The log of changes of address spaces: which of them have got or lost a mapping */
#ifndef WDBG_VM_LOG_H
#define WDBG_VM_LOG_H

#include <linux/list.h>
#include <linux/types.h>

struct wdbg_layout;

/*
 * Address spaces that are kept until they are taken; if there are more, any may have
 * changed.
 */
#define WDBG_NUM_CHANGED	16

/**
 * struct wdbg_vm_changed - address spaces whose mappings have changed
 * @vm: the address spaces, each once: struct amdgpu_vm of amdgpu, only to be compared
 * @num: their number
 * @any: any other may have changed, too
 */
struct wdbg_vm_changed {
	const void *vm[WDBG_NUM_CHANGED];
	u32 num;
	bool any;
};

/**
 * struct wdbg_vm_log - changes that were seen for one GPU and not yet taken
 * @node: in the list of logs
 * @layout: of amdgpu's structures
 * @wake: called when there is something to take, in the thread that changes a mapping
 *	and holds the lock of its address space; must not sleep
 * @wanted: in the list
 * @changed: changes since the last time
 */
struct wdbg_vm_log {
	struct list_head node;
	const struct wdbg_layout *layout;
	void (*wake)(struct wdbg_vm_log *log);
	bool wanted;
	struct wdbg_vm_changed changed;
};

int wdbg_vm_logs_init(void);
void wdbg_vm_logs_exit(void);
bool wdbg_vm_log_available(const struct wdbg_layout *layout);
int wdbg_vm_log_want(struct wdbg_vm_log *log, bool wanted);
bool wdbg_vm_log_take(struct wdbg_vm_log *log, struct wdbg_vm_changed *changed);

#endif /* WDBG_VM_LOG_H */
