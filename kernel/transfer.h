/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies between a caller and its target */
#ifndef WDBG_TRANSFER_H
#define WDBG_TRANSFER_H

#include <linux/types.h>

#include "amdgpu/amdgpu.h"

struct wdbg_session;

/**
 * struct wdbg_transfer - a copy between a caller's memory and that of its target
 * @session: the session; it has a target, whose address space can be accessed
 * @user: the caller's memory
 * @no_user: copy nothing from or to @user
 * @bytes: how many
 * @copy: the piece that comes next: the caller of wdbg_transfer() sets @copy.va, if
 *	@run uses it, and @copy.write
 * @run: copies the piece. In the power bracket; returns the same as
 *	wdbg_mappings_copy()
 * @arg: for @run
 * @done: out, bytes that were copied
 * @absent: for transfer.c, the object that needs pages first, or NULL
 */
struct wdbg_transfer {
	struct wdbg_session *session;
	void __user *user;
	bool no_user;
	u64 bytes;
	struct wdbg_vm_copy copy;
	int (*run)(struct wdbg_transfer *t);
	void *arg;
	u64 done;
	struct drm_gem_object *absent;
};

int wdbg_transfer(struct wdbg_transfer *t);
unsigned long wdbg_transfer_deadline(void);
int wdbg_transfer_wait(struct wdbg_session *session, unsigned long deadline);

#endif /* WDBG_TRANSFER_H */
