// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count and limit the sessions, patches and buffers of each user, and the files of
 * targets that were given up and are still to be closed: some work under a GPU's lock
 * takes longer the more there are, and a worker waits in each close of a file for as
 * long as the target's jobs take. A buffer counts until it is removed from its target,
 * which may be long after its session has ended.
 *
 * A user is the real user ID of the process that has opened a session, on all GPUs
 * together, as for RLIMIT_NPROC. It is assumed that a user who may map many user IDs
 * into a user namespace was trusted with as many shares. CAP_SYS_RESOURCE overrides the
 * limits, as it overrides those of setrlimit(2).
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "session.h"

/**
 * struct wdbg_user - a user with sessions, or with what has outlived them
 * @node: in user_table
 * @uid: the user ID
 * @refs: sessions, and what outlives them
 * @sessions: open sessions
 * @num: what is in the memory of targets
 * @closing: files of targets that were given up and are not closed yet
 *
 * Under user_lock.
 */
struct wdbg_user {
	struct hlist_node node;
	kuid_t uid;
	u32 refs;
	u32 sessions;
	u32 num[WDBG_USER_NUM_ITEMS];
	u32 closing;
};

static DEFINE_SPINLOCK(user_lock);
static DEFINE_HASHTABLE(user_table, 6);

static struct wdbg_user *user_find(kuid_t uid)
{
	struct wdbg_user *user;

	hash_for_each_possible(user_table, user, node, __kuid_val(uid))
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

static void user_drop(struct wdbg_user *user)
{
	if (--user->refs)
		return;
	hash_del(&user->node);
	kfree(user);
}

/* Without an entry in the audit log for callers without the capability */
static bool user_is_unlimited(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE);
}

/**
 * wdbg_user_open() - count a new session of the calling user
 *
 * Return: the user, for wdbg_user_close(); -EMFILE if there are AMDGPUDBG_SESSION_MAX
 *	sessions; -ENOMEM.
 */
struct wdbg_user *wdbg_user_open(void)
{
	bool unlimited = user_is_unlimited();
	struct wdbg_user *user, *new;
	kuid_t uid = current_uid();

	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return ERR_PTR(-ENOMEM);
	spin_lock(&user_lock);
	user = user_find(uid);
	if (!user) {
		user = new;
		new = NULL;
		user->uid = uid;
		hash_add(user_table, &user->node, __kuid_val(uid));
	}
	if (user->sessions >= AMDGPUDBG_SESSION_MAX && !unlimited) {
		user = ERR_PTR(-EMFILE);
	} else {
		user->sessions++;
		user->refs++;
	}
	spin_unlock(&user_lock);
	kfree(new);
	return user;
}

/**
 * wdbg_user_close() - count a session no more
 * @user: its user
 */
void wdbg_user_close(struct wdbg_user *user)
{
	spin_lock(&user_lock);
	user->sessions--;
	user_drop(user);
	spin_unlock(&user_lock);
}

/**
 * wdbg_user_may_close() - check whether a session may get one more target
 * @user: of the session
 *
 * Each target has to be closed at some time.
 * Context: the caller's thread.
 * Return: 0; -EMFILE if AMDGPUDBG_USER_CLOSING_MAX files of the user have to be closed.
 */
int wdbg_user_may_close(struct wdbg_user *user)
{
	return READ_ONCE(user->closing) < AMDGPUDBG_USER_CLOSING_MAX ||
	       user_is_unlimited() ? 0 : -EMFILE;
}

/**
 * wdbg_user_add_closing() - count a target that was given up and whose file has to be
 *	closed
 * @user: of its session
 *
 * With the targets of open sessions, there are AMDGPUDBG_SESSION_MAX and
 * AMDGPUDBG_USER_CLOSING_MAX of them at most.
 */
void wdbg_user_add_closing(struct wdbg_user *user)
{
	spin_lock(&user_lock);
	WRITE_ONCE(user->closing, user->closing + 1);
	user->refs++;
	spin_unlock(&user_lock);
}

/**
 * wdbg_user_drop_closing() - end wdbg_user_add_closing()
 * @user: the same user; may be freed
 */
void wdbg_user_drop_closing(struct wdbg_user *user)
{
	spin_lock(&user_lock);
	WRITE_ONCE(user->closing, user->closing - 1);
	user_drop(user);
	spin_unlock(&user_lock);
}

static const u32 user_max[WDBG_USER_NUM_ITEMS] = {
	[WDBG_USER_PATCH] = AMDGPUDBG_USER_PATCH_MAX,
	[WDBG_USER_BUFFER] = AMDGPUDBG_USER_BUFFER_MAX,
};

/**
 * wdbg_user_add() - count something that is about to be put into a target's memory
 * @user: of the session that does it
 * @item: what it is
 *
 * Context: the caller's thread.
 * Return: 0; -ENOSPC if the user has as many as are allowed.
 */
int wdbg_user_add(struct wdbg_user *user, enum wdbg_user_item item)
{
	bool unlimited = user_is_unlimited();
	int ret = 0;

	spin_lock(&user_lock);
	if (user->num[item] >= user_max[item] && !unlimited) {
		ret = -ENOSPC;
	} else {
		user->num[item]++;
		user->refs++;
	}
	spin_unlock(&user_lock);
	return ret;
}

/**
 * wdbg_user_remove() - count it no more: it was removed, or not put there
 * @user: of wdbg_user_add(); may be freed
 * @item: see wdbg_user_add()
 */
void wdbg_user_remove(struct wdbg_user *user, enum wdbg_user_item item)
{
	spin_lock(&user_lock);
	user->num[item]--;
	user_drop(user);
	spin_unlock(&user_lock);
}
