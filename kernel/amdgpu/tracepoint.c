// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listen to tracepoints of amdgpu, now and whenever amdgpu is loaded. Other modules can
 * listen to a tracepoint of a module by its name.
 *
 * A probe may run before a GPU is attached and while it is detached, and may be
 * preempted: Linux 7.2 does not prevent that. It is removed before the text of amdgpu
 * or of this module is unloaded.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "amdgpu/tracepoint.h"

#ifdef CONFIG_TRACEPOINTS
/*
 * Registering and unregistering a probe interrupts all CPUs, as the kernel changes its
 * own code. A session may enable and disable events as often as it likes: so a probe on
 * demand stays for this time after its last user.
 */
#define LINGER_MS	10000

static DEFINE_MUTEX(users_lock); /* users of all tracepoints, and their probes */

static struct tracepoint *tracepoint_find(const struct module *mod, const char *name)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp =
			tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, name))
			return tp;
	}
	return NULL;
}

static void tracepoint_stop_listening(struct wdbg_tracepoint *t)
{
	lockdep_assert_held(&users_lock);
	if (t->listening)
		tracepoint_probe_unregister(t->tp, t->probe, NULL);
	t->listening = false;
}

static void tracepoint_linger_work(struct work_struct *work)
{
	struct wdbg_tracepoint *t = container_of(to_delayed_work(work),
						 struct wdbg_tracepoint,
						 linger);

	mutex_lock(&users_lock);
	if (!t->users)
		tracepoint_stop_listening(t);
	mutex_unlock(&users_lock);
}

/* No user is left: users on demand have a GPU that amdgpu is bound to. */
static void tracepoint_discard(struct wdbg_tracepoint *t)
{
	if (!t->on_demand)
		tracepoint_probe_unregister(t->tp, t->probe, NULL);
	mutex_lock(&users_lock);
	tracepoint_stop_listening(t);
	WRITE_ONCE(t->tp, NULL);
	mutex_unlock(&users_lock);
}

/*
 * Also called for modules that are loaded when it is registered, as if they were loaded
 * then, and for those that are still loaded when it is unregistered, as if they were
 * unloaded. The kernel never calls it twice at a time.
 */
static int tracepoint_on_module(struct notifier_block *nb, unsigned long event,
				void *data)
{
	struct wdbg_tracepoint *t = container_of(nb, struct wdbg_tracepoint,
						 notifier);
	const struct tp_module *tp_mod = data;
	struct tracepoint *tp;

	if (strcmp(tp_mod->mod->name, "amdgpu"))
		return NOTIFY_DONE;
	if (event == MODULE_STATE_COMING) {
		tp = tracepoint_find(tp_mod->mod, t->name);
		if (tp && (t->on_demand ||
			   !tracepoint_probe_register(tp, t->probe, NULL)))
			WRITE_ONCE(t->tp, tp);
	} else if (event == MODULE_STATE_GOING && t->tp) {
		tracepoint_discard(t);
	}
	return NOTIFY_DONE;
}

/**
 * wdbg_tracepoint_init() - listen, now and whenever amdgpu is loaded
 * @t: the tracepoint; name and probe are set
 *
 * Context: before any GPU is attached.
 * Return: 0 or an error of the kernel.
 */
int wdbg_tracepoint_init(struct wdbg_tracepoint *t)
{
	INIT_DELAYED_WORK(&t->linger, tracepoint_linger_work);
	t->notifier.notifier_call = tracepoint_on_module;
	return register_tracepoint_module_notifier(&t->notifier);
}

/**
 * wdbg_tracepoint_exit() - end wdbg_tracepoint_init()
 * @t: the tracepoint
 *
 * Context: no GPU is attached any more.
 */
void wdbg_tracepoint_exit(struct wdbg_tracepoint *t)
{
	unregister_tracepoint_module_notifier(&t->notifier);
	cancel_delayed_work_sync(&t->linger);
	/* A probe may still be running on another CPU. */
	tracepoint_synchronize_unregister();
}

/**
 * wdbg_tracepoint_get() - count one more user, and register the probe for the first one
 * @t: the tracepoint, on demand; wdbg_tracepoint_is_there()
 *
 * Context: may sleep; a GPU is bound to amdgpu, and stays so until
 *	wdbg_tracepoint_put().
 * Return: 0 or an error of the kernel.
 */
int wdbg_tracepoint_get(struct wdbg_tracepoint *t)
{
	int ret = 0;

	mutex_lock(&users_lock);
	if (!t->listening)
		ret = tracepoint_probe_register(t->tp, t->probe, NULL);
	if (!ret) {
		t->listening = true;
		t->users++;
	}
	mutex_unlock(&users_lock);
	return ret;
}

/**
 * wdbg_tracepoint_put() - end wdbg_tracepoint_get()
 * @t: the tracepoint
 *
 * The probe stays registered for a while, and may still run after that.
 * Context: may sleep.
 */
void wdbg_tracepoint_put(struct wdbg_tracepoint *t)
{
	mutex_lock(&users_lock);
	if (!--t->users) {
		cancel_delayed_work(&t->linger);
		schedule_delayed_work(&t->linger, msecs_to_jiffies(LINGER_MS));
	}
	mutex_unlock(&users_lock);
}
#else
int wdbg_tracepoint_init(struct wdbg_tracepoint *t)
{
	return 0;
}

void wdbg_tracepoint_exit(struct wdbg_tracepoint *t)
{
}

int wdbg_tracepoint_get(struct wdbg_tracepoint *t)
{
	return -EOPNOTSUPP;
}

void wdbg_tracepoint_put(struct wdbg_tracepoint *t)
{
}
#endif

/**
 * wdbg_tracepoint_is_there() - check that a tracepoint exists
 * @t: the tracepoint
 *
 * Context: a GPU is bound to amdgpu, which therefore stays.
 * Return: false if amdgpu has no such tracepoint, or if the kernel has left it out
 *	because amdgpu was loaded by force.
 */
bool wdbg_tracepoint_is_there(const struct wdbg_tracepoint *t)
{
	return READ_ONCE(t->tp);
}
