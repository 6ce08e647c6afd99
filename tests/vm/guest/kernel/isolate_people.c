// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The users and their processes: see isolate.h.
 */
#define _GNU_SOURCE
#include "isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "child.h"

struct person root = { .uid = ROOT, .ring = 2 };
struct person user = { .uid = USER, .ring = 0 };
struct person other = { .uid = OTHER, .ring = 1 };

struct amdgpudbg_wave waves[MAX_WAVES];

int start(struct person *p)
{
	char items[] = "64", ring[16];
	char *argv[] = { "compute", "-n", items, "-r", ring, "spin", NULL };

	snprintf(ring, sizeof(ring), "%u", p->ring);
	be(ROOT, true);
	if (victim_start_as(&p->victim, p->uid, argv))
		return -1;
	p->pasid = pasid_of(p->victim.pid);
	return p->pasid && see_waves(p->pasid, waves, MAX_WAVES) == WAVES ?
	       0 : -1;
}

int set_up(void **state)
{
	(void)state;
	return start(&root) || start(&user) || start(&other) ? -1 : 0;
}

int take_down(void **state)
{
	int ret;

	(void)state;
	be(ROOT, true);
	ret = victim_finish(&root.victim);
	ret = victim_finish(&user.victim) ?: ret;
	return victim_finish(&other.victim) ?: ret;
}

void assert_runs(const struct person *p)
{
	assert_int_equal(see_waves(p->pasid, waves, MAX_WAVES), WAVES);
	for (unsigned int i = 0; i < WAVES; i++)
		assert_false(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
}

int each_test_begins(void **state)
{
	(void)state;
	be(USER, true);
	return 0;
}

int each_test_ends(void **state)
{
	(void)state;
	assert_runs(&root);
	assert_runs(&user);
	assert_runs(&other);
	be(ROOT, true);
	return 0;
}

struct adbg_session *open_session(void)
{
	struct adbg_session *session = NULL;

	assert_int_equal(adbg_open("0", &session), 0);
	return session;
}

struct adbg_session *open_on(const struct person *p)
{
	struct adbg_session *session = open_session();
	struct amdgpudbg_target_set target = { 0 };

	assert_int_equal(adbg_target_attach(session, p->victim.pid, 0, &target),
			 0);
	assert_int_equal(target.pasid, p->pasid);
	return session;
}

int list(struct adbg_session *session, unsigned int *count)
{
	struct amdgpudbg_wave_list read = {
		.waves = (uintptr_t)waves, .capacity = MAX_WAVES,
	};
	int ret = adbg_wave_read(session, &read);

	*count = read.count;
	return ret;
}

void assert_sees_only(struct adbg_session *session, const struct person *p)
{
	unsigned int count;

	assert_int_equal(list(session, &count), 0);
	assert_int_equal(count, WAVES);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(waves[i].pasid, p->pasid);
}

uint32_t vmid_of(const struct person *p)
{
	assert_int_equal(see_waves(p->pasid, waves, MAX_WAVES), WAVES);
	return waves[0].vmid;
}

int control(struct adbg_session *session, enum amdgpudbg_waveop op,
	    uint32_t vmid)
{
	struct amdgpudbg_wave_control c = {
		.op = op, .vmid = vmid,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};

	return adbg_wave_control(session, &c);
}

void halt(struct adbg_session *session, const struct person *p)
{
	assert_int_equal(control(session, AMDGPUDBG_WAVEOP_HALT, vmid_of(p)),
			 0);
	assert_int_equal(see_halted(p->pasid), WAVES);
}

void resume(struct adbg_session *session, const struct person *p)
{
	assert_int_equal(control(session, AMDGPUDBG_WAVEOP_RESUME, vmid_of(p)),
			 0);
	assert_int_equal(see_halted(p->pasid), 0);
}

int set_target(struct adbg_session *session, int drm_fd, int pidfd)
{
	struct amdgpudbg_target_set set = {
		.size = sizeof(set), .drm_fd = drm_fd, .pidfd = pidfd,
	};

	return ioctl(adbg_session_get_fd(session), AMDGPUDBG_IOC_TARGET_SET,
		     &set) ? -errno : 0;
}

int file_of(const struct person *p, int pidfd)
{
	struct adbg_session *session = open_session();
	struct adbg_client_list *clients;
	int fd;

	assert_int_equal(adbg_client_list_new(session, p->victim.pid, &clients),
			 0);
	fd = pidfd_getfd(pidfd, adbg_client_list_get(clients, 0)->fd, 0);
	assert_true(fd >= 0);
	adbg_client_list_free(clients);
	adbg_session_close(session);
	return fd;
}

/* In a child: a process that has the GPU open. */
static int bystander(void *dumpable)
{
	be_for_good(USER, true);
	/* A change of the user has made it not dumpable. */
	prctl(PR_SET_DUMPABLE, *(bool *)dumpable);
	return open(RENDER, O_RDWR) < 0;
}

pid_t start_bystander(bool dumpable)
{
	pid_t pid;

	be(ROOT, true);
	pid = child_hold(bystander, &dumpable);
	assert_true(pid > 0);
	be(USER, true);
	return pid;
}
