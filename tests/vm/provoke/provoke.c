// SPDX-License-Identifier: GPL-2.0-only
/*
 * While it loads, this module makes one mistake that the debug kernel must find; the parameter
 * "what" selects the kind. tests/vm/selftest checks that the harness detects the report.
 */

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static char *what = "";
module_param(what, charp, 0);

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);
static DEFINE_SPINLOCK(spin);

struct with_timer {
	struct timer_list timer;
	u32 value;
};

static void provoke_kasan(void)
{
	struct with_timer *gone = kzalloc(sizeof(*gone), GFP_KERNEL);

	if (!gone)
		return;
	OPTIMIZER_HIDE_VAR(gone);
	kfree(gone);
	pr_info("%u\n", READ_ONCE(gone->value));
}

static void provoke_ubsan(void)
{
	int bits = 40;

	OPTIMIZER_HIDE_VAR(bits);
	pr_info("%d\n", 1 << bits);
}

static void provoke_lockdep(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);
	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
}

static void provoke_atomic(void)
{
	spin_lock(&spin);
	might_sleep();
	spin_unlock(&spin);
}

static void provoke_leak(void)
{
	for (int i = 0; i < 10; i++)
		if (!kmalloc(4711, GFP_KERNEL))
			return;
}

static void expire(struct timer_list *timer)
{
}

static void provoke_objects(void)
{
	struct with_timer *armed = kzalloc(sizeof(*armed), GFP_KERNEL);

	if (!armed)
		return;
	timer_setup(&armed->timer, expire, 0);
	mod_timer(&armed->timer, jiffies + 1000 * HZ);
	/* The checker takes the timer out. */
	kfree(armed);
}

static const struct {
	const char *name;
	void (*make)(void);
} mistakes[] = {
	{ "kasan", provoke_kasan },
	{ "ubsan", provoke_ubsan },
	{ "lockdep", provoke_lockdep },
	{ "atomic", provoke_atomic },
	{ "leak", provoke_leak },
	{ "objects", provoke_objects },
};

static int __init provoke_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(mistakes); i++) {
		if (!strcmp(mistakes[i].name, what)) {
			mistakes[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit provoke_exit(void)
{
}

module_init(provoke_init);
module_exit(provoke_exit);
MODULE_DESCRIPTION("Mistakes that a debug kernel must report");
MODULE_LICENSE("GPL");
