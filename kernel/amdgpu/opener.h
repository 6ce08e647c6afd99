/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the process of a DRM file. */
#ifndef WDBG_OPENER_H
#define WDBG_OPENER_H

#include <drm/drm_file.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>

/**
 * wdbg_opener() - get the process that has opened a DRM file, or from Linux 6.7 on uses
 *	it
 * @drm: the file, which the caller keeps
 *
 * Return: its number in the caller's PID namespace, or 0.
 */
static inline pid_t wdbg_opener(struct drm_file *drm)
{
	/* Before Linux 6.7, it does not change, and has no __rcu. */
	struct pid __rcu **pid = (struct pid __rcu __force **)&drm->pid;
	pid_t number;

	rcu_read_lock();
	number = pid_vnr(rcu_dereference(*pid));
	rcu_read_unlock();
	return number;
}

#endif /* WDBG_OPENER_H */
