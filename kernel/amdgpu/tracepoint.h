/* SPDX-License-Identifier: GPL-2.0-only */
/* Listen to tracepoints of amdgpu. */
#ifndef WDBG_TRACEPOINT_H
#define WDBG_TRACEPOINT_H

#include <linux/notifier.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct tracepoint;

/**
 * struct wdbg_tracepoint - a tracepoint of amdgpu, whether amdgpu is loaded or not
 * @name: its name
 * @probe: called with a NULL pointer and the tracepoint's own arguments
 * @on_demand: listen only between wdbg_tracepoint_get() and wdbg_tracepoint_put(), and
 *	for a while afterwards
 * @tp: the tracepoint, while amdgpu is loaded; unless @on_demand, while @probe is
 *	registered
 * @users: if @on_demand: number of users
 * @listening: if @on_demand: @probe is registered
 * @linger: if @on_demand: unregisters it
 * @notifier: called when amdgpu is loaded and unloaded
 */
struct wdbg_tracepoint {
	const char *name;
	void *probe;
	bool on_demand;
	struct tracepoint *tp;
	unsigned int users;
	bool listening;
	struct delayed_work linger;
	struct notifier_block notifier;
};

int wdbg_tracepoint_init(struct wdbg_tracepoint *t);
void wdbg_tracepoint_exit(struct wdbg_tracepoint *t);
int wdbg_tracepoint_get(struct wdbg_tracepoint *t);
void wdbg_tracepoint_put(struct wdbg_tracepoint *t);
bool wdbg_tracepoint_is_there(const struct wdbg_tracepoint *t);

#endif /* WDBG_TRACEPOINT_H */
