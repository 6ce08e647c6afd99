// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Acting as several users: see people.h. The effective and the real user id change, because the
 * kernel's ptrace check uses both; the saved id stays root's.
 */
#define _GNU_SOURCE
#include "people.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uid_t now;
static bool now_in_group = true;

static void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	perror(what);
	abort();
}

static void set_groups(uid_t uid, bool in_group)
{
	const gid_t group = GROUP_RENDER;

	must(setgroups(in_group && uid, &group), "setgroups");
}

void be(uid_t uid, bool in_group)
{
	must(setresuid(ROOT, ROOT, ROOT), "setresuid");
	must(setresgid(ROOT, ROOT, ROOT), "setresgid");
	set_groups(uid, in_group);
	must(setresgid(uid, uid, ROOT), "setresgid");
	must(setresuid(uid, uid, ROOT), "setresuid");
	now = uid;
	now_in_group = in_group;
}

void be_for_good(uid_t uid, bool in_group)
{
	be(ROOT, false);
	set_groups(uid, in_group);
	must(setresgid(uid, uid, uid), "setresgid");
	must(setresuid(uid, uid, uid), "setresuid");
}

static struct adbg_session *root_session(void)
{
	static struct adbg_session *session;
	int ret = 0;

	if (!session)
		ret = adbg_open("0", &session);
	if (ret) {
		fprintf(stderr, "root cannot open the GPU: %s\n",
			adbg_strerror(NULL, ret));
		abort();
	}

	return session;
}

uint32_t pasid_of(pid_t pid)
{
	const uid_t uid = now;
	const bool in_group = now_in_group;
	struct adbg_client_list *list;
	uint32_t pasid = 0;

	be(ROOT, true);
	if (!adbg_client_list_new(root_session(), pid, &list)) {
		if (adbg_client_list_count(list) == 1)
			pasid = adbg_client_list_get(list, 0)->pasid;
		adbg_client_list_free(list);
	}
	be(uid, in_group);
	return pasid;
}

/* All waves of the GPU, until the next call */
static const struct adbg_wave_list *list_waves(void)
{
	static struct adbg_wave_list *all;
	const uid_t uid = now;
	const bool in_group = now_in_group;
	int ret = 0;

	be(ROOT, true);
	if (!all)
		ret = adbg_wave_list_new(&all);
	if (!ret)
		ret = adbg_wave_list_read(all, root_session(), 0);
	be(uid, in_group);
	if (ret) {
		fprintf(stderr, "root cannot list the waves: %s\n",
			adbg_strerror(root_session(), ret));
		abort();
	}
	return all;
}

unsigned int see_waves(uint32_t pasid, struct amdgpudbg_wave *waves,
		       unsigned int max)
{
	const struct adbg_wave_list *all = list_waves();
	const struct amdgpudbg_wave *w;
	unsigned int n = 0;

	for (size_t i = 0; (w = adbg_wave_list_get(all, i)); i++) {
		if (pasid && w->pasid != pasid)
			continue;
		if (n < max)
			waves[n] = *w;
		n++;
	}

	return n;
}

unsigned int see_halted(uint32_t pasid)
{
	const struct adbg_wave_list *all = list_waves();
	const struct amdgpudbg_wave *w;
	unsigned int halted = 0;

	for (size_t i = 0; (w = adbg_wave_list_get(all, i)); i++)
		halted += (!pasid || w->pasid == pasid) &&
			  w->flags & AMDGPUDBG_WAVE_HALTED;

	return halted;
}
