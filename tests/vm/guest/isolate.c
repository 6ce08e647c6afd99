// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who may do what to whom. Three processes of three users have waves on the GPU;
 * sessions of one user try everything on the waves of the others, which must run
 * on as if nothing had happened. Modelled on xe_eudebug of the Intel GPU tests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>
#include <linux/amdgpudbg.h>

#include "child.h"
#include "people.h"
#include "until.h"
#include "victim.h"

#define RENDER "/dev/dri/renderD128"
#define WAVES 2			/* of 32 work-items, see start() */
#define MAX_WAVES 64
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct person {
	uid_t uid;
	unsigned int ring;
	struct victim victim;
	uint32_t pasid;
};

static struct person root = { .uid = ROOT, .ring = 2 };
static struct person user = { .uid = USER, .ring = 0 };
static struct person other = { .uid = OTHER, .ring = 1 };

static struct adbg_wave waves[MAX_WAVES];

static int start(struct person *p)
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

static int set_up(void **state)
{
	(void)state;
	return start(&root) || start(&user) || start(&other) ? -1 : 0;
}

/* Nobody's results are wrong in the end. */
static int take_down(void **state)
{
	int ret;

	(void)state;
	be(ROOT, true);
	ret = victim_finish(&root.victim);
	ret = victim_finish(&user.victim) ?: ret;
	return victim_finish(&other.victim) ?: ret;
}

/* All its waves are there, and none is halted. */
static void assert_runs(const struct person *p)
{
	assert_int_equal(see_waves(p->pasid, waves, MAX_WAVES), WAVES);
	for (unsigned int i = 0; i < WAVES; i++)
		assert_false(waves[i].flags & ADBG_WAVE_HALTED);
}

static int each_test_begins(void **state)
{
	(void)state;
	be(USER, true);
	return 0;
}

static int each_test_ends(void **state)
{
	(void)state;
	assert_runs(&root);
	assert_runs(&user);
	assert_runs(&other);
	be(ROOT, true);
	return 0;
}

static struct adbg_session *open_session(void)
{
	struct adbg_session *session = NULL;

	assert_int_equal(adbg_session_open(0, &session), 0);
	return session;
}

static struct adbg_session *open_on(const struct person *p)
{
	struct adbg_session *session = open_session();
	ADBG_DEFINE_STRUCT(adbg_target, target);

	assert_int_equal(adbg_target_attach(session, p->victim.pid, 0, &target),
			 0);
	assert_int_equal(target.pasid, p->pasid);
	return session;
}

static int list(struct adbg_session *session, uint32_t vmid_mask,
		unsigned int *count)
{
	ADBG_DEFINE_STRUCT(adbg_wave_read, read, .vmid_mask = vmid_mask,
			   .waves = waves, .capacity = MAX_WAVES);
	int ret = adbg_wave_read(session, &read);

	*count = read.count;
	return ret;
}

/* The session sees the waves of @p, and no others. */
static void assert_sees_only(struct adbg_session *session,
			     const struct person *p)
{
	unsigned int count;

	assert_int_equal(list(session, 0, &count), 0);
	assert_int_equal(count, WAVES);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(waves[i].pasid, p->pasid);
}

static uint32_t vmid_of(const struct person *p)
{
	assert_int_equal(see_waves(p->pasid, waves, MAX_WAVES), WAVES);
	return waves[0].vmid;
}

/* All waves of @vmid. */
static int control(struct adbg_session *session, enum adbg_wave_op op,
		   uint32_t vmid)
{
	ADBG_DEFINE_STRUCT(adbg_wave_control, c, .op = op, .vmid = vmid,
			   .mode = ADBG_WAVE_MODE_PROCESS);

	return adbg_wave_control(session, &c);
}

static void halt(struct adbg_session *session, const struct person *p)
{
	assert_int_equal(control(session, ADBG_WAVE_OP_HALT, vmid_of(p)), 0);
	assert_int_equal(see_halted(p->pasid), WAVES);
}

static void resume(struct adbg_session *session, const struct person *p)
{
	assert_int_equal(control(session, ADBG_WAVE_OP_RESUME, vmid_of(p)), 0);
	assert_int_equal(see_halted(p->pasid), 0);
}

/* ------------------------------------------------------- who may open what */

static void a_user_debugs_his_own_process(void **state)
{
	struct adbg_session *session = open_on(&user);

	(void)state;
	assert_sees_only(session, &user);
	halt(session, &user);
	assert_runs(&root);
	assert_runs(&other);
	resume(session, &user);
	adbg_session_close(session);
}

/* In a child: somebody who is really nobody else, and can never be again. */
static int debug_for_good(void *arg)
{
	struct adbg_session *session;
	unsigned int count;

	(void)arg;
	be_for_good(USER, true);
	if (adbg_session_open(0, &session))
		return 1;
	if (adbg_target_attach(session, user.victim.pid, 0, NULL))
		return 2;
	if (list(session, 0, &count) || count != WAVES)
		return 3;
	if (control(session, ADBG_WAVE_OP_HALT, waves[0].vmid))
		return 4;
	if (list(session, 0, &count) || count != WAVES ||
	    !(waves[0].flags & ADBG_WAVE_HALTED))
		return 5;
	return 0;
}

static void a_real_user_does_so(void **state)
{
	(void)state;
	be(ROOT, true);
	assert_int_equal(child_run(debug_for_good, NULL), 0);
}

static void without_the_group_the_node_stays_closed(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(USER, false);
	assert_int_equal(adbg_session_open(0, &session), -EACCES);
	be(OTHER, false);
	assert_int_equal(adbg_session_open(0, &session), -EACCES);
}

static void cannot_attach(struct adbg_session *session, pid_t pid,
			  const char *why)
{
	int ret = adbg_target_attach(session, pid, 0, NULL);

	assert_true(ret == -EPERM || ret == -EACCES);
	if (!strstr(adbg_target_reason(pid), why))
		fail_msg("'%s' is not in '%s'", why, adbg_target_reason(pid));
}

static void others_processes_are_refused(void **state)
{
	struct adbg_session *session = open_session();
	unsigned int count;
	int pidfd;

	(void)state;
	cannot_attach(session, other.victim.pid, "another user's");
	cannot_attach(session, root.victim.pid, "another user's");

	/* It is the kernel that refuses, not the library. */
	pidfd = pidfd_open(other.victim.pid, 0);
	assert_true(pidfd >= 0);
	for (int fd = 0; fd < 16; fd++) {
		assert_int_equal(pidfd_getfd(pidfd, fd, 0), -1);
		assert_int_equal(errno, EPERM);
	}
	close(pidfd);

	assert_int_equal(list(session, 0, &count), -EPERM);
	adbg_session_close(session);
}

static void root_debugs_everybody(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(ROOT, true);
	session = open_on(&other);
	assert_sees_only(session, &other);
	assert_int_equal(adbg_target_clear(session), 0);
	adbg_session_close(session);
}

/* In a child: a process that has the GPU open. */
static int bystander(void *dumpable)
{
	be_for_good(USER, true);
	/* A change of the user has made it not dumpable. */
	prctl(PR_SET_DUMPABLE, *(bool *)dumpable);
	return open(RENDER, O_RDWR) < 0;
}

static pid_t start_bystander(bool dumpable)
{
	pid_t pid;

	be(ROOT, true);
	pid = child_hold(bystander, &dumpable);
	assert_true(pid > 0);
	be(USER, true);
	return pid;
}

static void what_is_not_dumpable_is_refused(void **state)
{
	struct adbg_session *session = open_session();
	pid_t pid = start_bystander(false);

	(void)state;
	cannot_attach(session, pid, "not dumpable");
	be(ROOT, true);
	assert_int_equal(child_kill(pid), 0);
	be(USER, true);
	adbg_session_close(session);
}

/* ----------------------------------------------------- what is no target */

static int set_target(struct adbg_session *session, int drm_fd, int pidfd)
{
	struct amdgpudbg_target_set set = {
		.size = sizeof(set), .drm_fd = drm_fd, .pidfd = pidfd,
	};

	return ioctl(adbg_session_get_fd(session), AMDGPUDBG_IOC_TARGET_SET,
		     &set) ? -errno : 0;
}

static void files_that_are_no_target(void **state)
{
	static const struct {
		const char *path;
		int flags;
		int error;
	} files[] = {
		{ "/dev/null", O_RDWR, -ENOTTY },
		{ "/dev/amdgpudbg0", O_RDWR, -ENOTTY },
		{ "/tmp", O_RDONLY | O_DIRECTORY, -ENOTTY },
		{ "/proc/self/status", O_RDONLY, -ENOTTY },
		{ RENDER, O_PATH, -EBADF },
		{ "/dev/kfd", O_RDWR, -ENOTTY },
	};
	struct adbg_session *session = open_session();
	unsigned int count;
	int fd, fds[2];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		fd = open(files[i].path, files[i].flags | O_CLOEXEC);
		/* Not every guest has one. */
		if (fd < 0 && !strcmp(files[i].path, "/dev/kfd"))
			continue;
		assert_true(fd >= 0);
		assert_int_equal(set_target(session, fd, -1), files[i].error);
		close(fd);
		/* It was the highest that is open. */
		assert_int_equal(set_target(session, fd, -1), -EBADF);
	}
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(set_target(session, fds[0], -1), -ENOTTY);
	close(fds[0]);
	close(fds[1]);

	assert_int_equal(set_target(session, -2, -1), -EINVAL);
	assert_int_equal(set_target(session, -1, 0), -EINVAL);
	assert_int_equal(set_target(session, INT32_MIN, -1), -EINVAL);
	assert_int_equal(set_target(session, INT32_MAX, -1), -EBADF);
	/* None of them became one. */
	assert_int_equal(list(session, 0, &count), -EPERM);
	adbg_session_close(session);
}

static int exited_pidfd(void)
{
	pid_t pid = fork();
	int pidfd;

	if (!pid)
		_exit(0);
	pidfd = pidfd_open(pid, 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pidfd;
}

static void files_that_are_no_pidfd(void **state)
{
	/* One whose name is that of a pidfd. */
	static const char fifo[] = "/tmp/[pidfd]";
	struct adbg_session *session = open_session();
	int drm = open(RENDER, O_RDWR | O_CLOEXEC);
	int event = eventfd(0, EFD_CLOEXEC);
	unsigned int count;
	int fd;

	(void)state;
	assert_true(drm >= 0 && event >= 0);
	assert_int_equal(set_target(session, drm, event), -EINVAL);
	assert_int_equal(set_target(session, drm, drm), -EINVAL);
	assert_int_equal(set_target(session, drm, -2), -EINVAL);
	assert_int_equal(set_target(session, drm, 1000), -EBADF);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(set_target(session, drm, fd), -EINVAL);
	close(fd);
	unlink(fifo);
	fd = exited_pidfd();
	assert_int_equal(set_target(session, drm, fd), -ESRCH);
	close(fd);
	assert_int_equal(list(session, 0, &count), -EPERM);

	/* Right, and an address space of its own that has no waves. */
	assert_int_equal(set_target(session, drm, -1), 0);
	assert_int_equal(list(session, 0, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(set_target(session, drm, -1), -EBUSY);
	close(event);
	close(drm);
	adbg_session_close(session);
}

/* The file behind /proc/PID/fd/N is opened anew: no way to its waves. */
static void opening_a_descriptor_again_leads_nowhere(void **state)
{
	struct adbg_session *session = open_session();
	struct adbg_client_list *clients;
	unsigned int count;
	char path[64];
	int fd;

	(void)state;
	assert_int_equal(adbg_client_list_new(session, user.victim.pid,
					      &clients), 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", user.victim.pid,
		 adbg_client_list_get(clients, 0)->fd);
	adbg_client_list_free(clients);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(set_target(session, fd, -1), 0);
	assert_int_equal(list(session, 0, &count), 0);
	assert_int_equal(count, 0);
	close(fd);
	adbg_session_close(session);
}

/* ---------------------------------------------- all calls, on what is foreign */

static struct amdgpudbg_wave foreign;	/* a wave of another user */
static uint32_t own_vmid;
static uint32_t value;
static struct amdgpudbg_wave room[MAX_WAVES];
static struct amdgpudbg_reg_range range = {
	.space = AMDGPUDBG_REG_SGPR, .first = 0, .count = 1,
};

static struct amdgpudbg_batch_op op;

union any {
	uint32_t size;
	struct amdgpudbg_wave_list list;
	struct amdgpudbg_wave_control control;
	struct amdgpudbg_wave_batch batch;
	struct amdgpudbg_reg_access reg;
	struct amdgpudbg_mem_alloc alloc;
	struct amdgpudbg_mem_free free;
	struct amdgpudbg_mem_copy copy;
	struct amdgpudbg_trap_handler handler;
	struct amdgpudbg_watch_set watch;
	struct amdgpudbg_watch_clear unwatch;
	struct amdgpudbg_launch_set launch;
	struct amdgpudbg_event_enable events;
};

static void fill_list(union any *a)
{
	a->list.entry_size = sizeof(room[0]);
	a->list.capacity = MAX_WAVES;
	a->list.waves = (uintptr_t)room;
}

static void fill_list_halt(union any *a)
{
	fill_list(a);
	a->list.flags = AMDGPUDBG_WAVE_LIST_HALT;
	a->list.vmid_mask = 1U << foreign.vmid;
}

static void fill_single(union any *a, uint32_t what)
{
	a->control.op = what;
	a->control.mode = AMDGPUDBG_WAVEMODE_SINGLE;
	a->control.vmid = foreign.vmid;
	a->control.at = foreign.at;
}

static void fill_halt(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
}

/* The wave is foreign, the VMID that it is said to be of is not. */
static void fill_halt_lie(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
	a->control.vmid = own_vmid;
}

static void fill_halt_any(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
	a->control.vmid = 0;
}

static void fill_resume(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_RESUME);
}

static void fill_kill(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_KILL);
}

static void fill_debug(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_DEBUG);
}

static void fill_trap(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_TRAP);
}

static void fill_step(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_STEP);
}

static void fill_halt_all(union any *a)
{
	a->control.op = AMDGPUDBG_WAVEOP_HALT;
	a->control.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	a->control.vmid = foreign.vmid;
}

static void fill_kill_all(union any *a)
{
	fill_halt_all(a);
	a->control.op = AMDGPUDBG_WAVEOP_KILL;
}

static void fill_halt_cu(union any *a)
{
	fill_halt_all(a);
	a->control.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	a->control.at = foreign.at;
	a->control.at.simd = 0;
	a->control.at.wave = 0;
}

static void fill_batch(union any *a)
{
	union any one = { .control = { .size = sizeof(one.control) } };

	fill_halt(&one);
	op = (struct amdgpudbg_batch_op){ .control = one.control };
	a->batch.entry_size = sizeof(op);
	a->batch.count = 1;
	a->batch.ops = (uintptr_t)&op;
}

static void fill_read(union any *a)
{
	a->reg.at = foreign.at;
	a->reg.vmid = foreign.vmid;
	a->reg.num_ranges = 1;
	a->reg.ranges = (uintptr_t)&range;
	a->reg.values = (uintptr_t)&value;
	a->reg.num_values = 1;
}

static void fill_read_any(union any *a)
{
	fill_read(a);
	a->reg.vmid = 0;
}

static void fill_write(union any *a)
{
	fill_read(a);
	a->reg.flags = AMDGPUDBG_REG_ACCESS_WRITE;
}

static void fill_alloc(union any *a)
{
	a->alloc.bytes = 4096;
}

static void fill_copy(union any *a)
{
	a->copy.bytes = sizeof(value);
	a->copy.data = (uintptr_t)&value;
}

static void fill_handler(union any *a)
{
	a->handler.tba = 0x600000000000;
	a->handler.tba_size = 256;
}

static void fill_watch(union any *a)
{
	a->watch.mode = AMDGPUDBG_WATCH_ALL;
	a->watch.address = 0x600000000000;
	a->watch.bytes = 4096;
}

static void fill_launch(union any *a)
{
	a->launch.mode = AMDGPUDBG_LAUNCH_HALT;
}

static void fill_excp(union any *a)
{
	a->launch.flags = AMDGPUDBG_LAUNCH_SET_EXCP;
	a->launch.excp_mask = AMDGPUDBG_EXCP_MEM_VIOL;
}

static void fill_events(union any *a)
{
	a->events.mask = 1U << AMDGPUDBG_EVENT_WAVE_STOPPED;
}

static void fill_nothing(union any *a)
{
	(void)a;
}

/* What a user is told who has no target, and one who has one of his own. */
#define NOT_TRIED 1
static const struct attempt {
	const char *name;
	unsigned long nr;
	uint32_t size;
	void (*fill)(union any *a);
	int alone;
	int with_target;
} attempts[] = {
#define LIST AMDGPUDBG_IOC_WAVE_LIST, sizeof(struct amdgpudbg_wave_list)
#define CONTROL AMDGPUDBG_IOC_WAVE_CONTROL, \
	sizeof(struct amdgpudbg_wave_control)
#define REG AMDGPUDBG_IOC_REG_ACCESS, sizeof(struct amdgpudbg_reg_access)
#define MEM(which, type) AMDGPUDBG_IOC_MEM_##which, \
	sizeof(struct amdgpudbg_mem_##type)
	{ "list", LIST, fill_list, -EPERM, NOT_TRIED },
	{ "list and halt", LIST, fill_list_halt, -EPERM, 0 },
	{ "halt", CONTROL, fill_halt, -EPERM, -ENODATA },
	{ "halt, own VMID", CONTROL, fill_halt_lie, -EPERM, -ENODATA },
	{ "halt, any VMID", CONTROL, fill_halt_any, -EPERM, -ENODATA },
	{ "resume", CONTROL, fill_resume, -EPERM, -ENODATA },
	{ "kill", CONTROL, fill_kill, -EPERM, -ENODATA },
	{ "debug", CONTROL, fill_debug, -EPERM, -ENODATA },
	{ "trap", CONTROL, fill_trap, -EPERM, -ENODATA },
	{ "step", CONTROL, fill_step, -EPERM, -ENODATA },
	{ "halt all", CONTROL, fill_halt_all, -EPERM, -ENODATA },
	{ "kill all", CONTROL, fill_kill_all, -EPERM, -ENODATA },
	{ "halt WGP", CONTROL, fill_halt_cu, -EPERM, -ENODATA },
	{ "batch", AMDGPUDBG_IOC_WAVE_BATCH,
	  sizeof(struct amdgpudbg_wave_batch), fill_batch, -EPERM, 0 },
	{ "read", REG, fill_read, -EPERM, -ENODATA },
	{ "read, any VMID", REG, fill_read_any, -EPERM, -ENODATA },
	{ "write", REG, fill_write, -EPERM, -ENODATA },
	{ "alloc", MEM(ALLOC, alloc), fill_alloc, -ENOTCONN, NOT_TRIED },
	{ "free", MEM(FREE, free), fill_nothing, -ENOTCONN, -ENOENT },
	{ "copy", MEM(COPY, copy), fill_copy, -ENOTCONN, -ENOENT },
	{ "handler", AMDGPUDBG_IOC_TRAP_HANDLER,
	  sizeof(struct amdgpudbg_trap_handler), fill_handler, -ENOTCONN,
	  NOT_TRIED },
	{ "watch", AMDGPUDBG_IOC_WATCH_SET,
	  sizeof(struct amdgpudbg_watch_set), fill_watch, -ENOTCONN,
	  NOT_TRIED },
	{ "unwatch", AMDGPUDBG_IOC_WATCH_CLEAR,
	  sizeof(struct amdgpudbg_watch_clear), fill_nothing, -ENOENT,
	  -ENOENT },
	{ "launch mode", AMDGPUDBG_IOC_LAUNCH_SET,
	  sizeof(struct amdgpudbg_launch_set), fill_launch, -ENOTCONN,
	  NOT_TRIED },
	{ "exceptions", AMDGPUDBG_IOC_LAUNCH_SET,
	  sizeof(struct amdgpudbg_launch_set), fill_excp, -EPERM, -EPERM },
	{ "events", AMDGPUDBG_IOC_EVENT_ENABLE,
	  sizeof(struct amdgpudbg_event_enable), fill_events, -EPERM,
	  NOT_TRIED },
#undef LIST
#undef CONTROL
#undef REG
#undef MEM
};

static int attempt(struct adbg_session *session, const struct attempt *t)
{
	union any a = { .size = 0 };

	memset(&a, 0, sizeof(a));
	t->fill(&a);
	a.size = t->size;
	value = 0xdeadbeef;
	if (ioctl(adbg_session_get_fd(session), t->nr, &a))
		return -errno;
	/* What may succeed has found nothing. */
	if (t->nr == AMDGPUDBG_IOC_WAVE_LIST)
		assert_int_equal(a.list.count, 0);
	if (t->nr == AMDGPUDBG_IOC_WAVE_BATCH) {
		assert_int_equal(a.batch.done, 0);
		assert_int_equal(op.error, -ENODATA);
	}

	return 0;
}

static void try_all(struct adbg_session *session, const struct person *victim,
		    bool with_target)
{
	int wanted, got;

	assert_int_equal(see_waves(victim->pasid, waves, MAX_WAVES), WAVES);
	memcpy(&foreign, &waves[1], sizeof(foreign));
	own_vmid = vmid_of(&user);
	assert_true(victim == &user || own_vmid != foreign.vmid);

	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		wanted = with_target ? attempts[i].with_target :
				       attempts[i].alone;
		if (wanted == NOT_TRIED)
			continue;
		got = attempt(session, &attempts[i]);
		if (got != wanted)
			fail_msg("%s: %d, not %d", attempts[i].name, got,
				 wanted);
		assert_int_equal(value, 0xdeadbeef);
		assert_runs(victim);
	}
}

static void without_a_target_nothing_can_be_done(void **state)
{
	struct adbg_session *session = open_session();

	(void)state;
	try_all(session, &other, false);
	try_all(session, &root, false);
	try_all(session, &user, false);
	adbg_session_close(session);
}

static void with_a_target_nothing_can_be_done_to_others(void **state)
{
	struct adbg_session *session = open_on(&user);

	(void)state;
	try_all(session, &other, true);
	try_all(session, &root, true);
	/* Also while one's own waves are halted. */
	halt(session, &user);
	try_all(session, &other, true);
	adbg_session_close(session);
}

/* Root has halted them: a user can neither see that nor change it. */
static void what_root_has_halted_stays_halted(void **state)
{
	struct adbg_session *session = open_on(&user), *roots;
	unsigned int count;

	(void)state;
	be(ROOT, true);
	roots = open_session();
	halt(roots, &other);
	be(USER, true);
	assert_int_equal(see_waves(other.pasid, waves, MAX_WAVES), WAVES);
	memcpy(&foreign, &waves[1], sizeof(foreign));
	own_vmid = vmid_of(&user);
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		if (attempts[i].with_target != NOT_TRIED)
			assert_int_equal(attempt(session, &attempts[i]),
					 attempts[i].with_target);
		assert_int_equal(see_halted(other.pasid), WAVES);
	}
	assert_sees_only(session, &user);
	/* His own, which root halts now, he sees, but cannot let go. */
	be(ROOT, true);
	halt(roots, &user);
	be(USER, true);
	assert_int_equal(list(session, 0, &count), 0);
	assert_int_equal(count, WAVES);
	assert_true(waves[0].flags & ADBG_WAVE_HALTED);
	assert_int_equal(control(session, ADBG_WAVE_OP_RESUME, waves[0].vmid),
			 -EBUSY);
	be(ROOT, true);
	adbg_session_close(roots);
	be(USER, true);
	adbg_session_close(session);
}

static void leaving_waves_halted_needs_privilege(void **state)
{
	struct adbg_session *session = open_on(&user);
	ADBG_DEFINE_STRUCT(adbg_wave_control, c, .op = ADBG_WAVE_OP_HALT,
			   .flags = ADBG_WAVE_LEAVE_HALTED,
			   .mode = ADBG_WAVE_MODE_PROCESS);

	(void)state;
	c.vmid = vmid_of(&user);
	assert_int_equal(adbg_wave_control(session, &c), -EPERM);
	assert_runs(&user);
	adbg_session_close(session);
}

/* ------------------------------------------------------------ many sessions */

static void two_sessions_have_one_target(void **state)
{
	struct adbg_session *a = open_on(&user), *b = open_on(&user);
	uint32_t vmid = vmid_of(&user);

	(void)state;
	assert_sees_only(a, &user);
	assert_sees_only(b, &user);
	halt(a, &user);
	assert_int_equal(control(b, ADBG_WAVE_OP_RESUME, vmid), -EBUSY);
	assert_int_equal(see_halted(user.pasid), WAVES);
	/* Halting what is halted is no change, and takes nothing over. */
	assert_int_equal(control(b, ADBG_WAVE_OP_HALT, vmid), 0);
	adbg_session_close(b);
	assert_int_equal(see_halted(user.pasid), WAVES);
	adbg_session_close(a);
	assert_int_equal(see_halted(user.pasid), 0);
}

static void two_sessions_have_two_targets(void **state)
{
	struct adbg_session *a = open_on(&user), *b;

	(void)state;
	be(OTHER, true);
	b = open_on(&other);
	halt(b, &other);
	assert_runs(&user);
	be(USER, true);
	assert_sees_only(a, &user);
	halt(a, &user);
	be(OTHER, true);
	assert_sees_only(b, &other);
	adbg_session_close(b);
	assert_int_equal(see_halted(other.pasid), 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	be(USER, true);
	adbg_session_close(a);
	assert_runs(&root);
}

static void a_session_changes_its_target(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(ROOT, true);
	session = open_on(&user);
	halt(session, &user);
	assert_int_equal(adbg_target_attach(session, other.victim.pid, 0, NULL),
			 -EBUSY);
	assert_int_equal(see_halted(user.pasid), WAVES);
	/* What it did for the old one ends with that. */
	assert_int_equal(adbg_target_clear(session), 0);
	assert_int_equal(see_halted(user.pasid), 0);
	halt(session, &root);
	assert_int_equal(adbg_target_attach(session, other.victim.pid, 0, NULL),
			 0);
	assert_int_equal(see_halted(0), 0);
	assert_sees_only(session, &other);
	adbg_session_close(session);
}

/* A duplicate of the only DRM file of @p. */
static int file_of(const struct person *p, int pidfd)
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

/*
 * All by one duplicate of the file: whenever one is closed while its process has
 * jobs, amdgpu_flush() waits for a second.
 */
static void debuggers_come_and_go(void **state)
{
	int pidfd = pidfd_open(user.victim.pid, 0);
	int fd = file_of(&user, pidfd);

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct adbg_session *session = open_session();

		assert_int_equal(set_target(session, fd, pidfd), 0);
		halt(session, &user);
		adbg_session_close(session);
		assert_int_equal(see_halted(user.pasid), 0);
	}
	close(fd);
	close(pidfd);
}

/* In a child: a debugger of the user's waves, which are halted then. */
static int halt_all(void *arg)
{
	struct adbg_session *session;
	int ret;

	(void)arg;
	be_for_good(USER, true);
	ret = adbg_session_open(0, &session);
	if (!ret)
		ret = adbg_target_attach(session, user.victim.pid, 0, NULL);
	return ret ? ret : control(session, ADBG_WAVE_OP_HALT, 0);
}

static void a_killed_debugger_leaves_nothing(void **state)
{
	pid_t pid;

	(void)state;
	be(ROOT, true);
	pid = child_hold(halt_all, NULL);
	assert_true(pid > 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(see_halted(user.pasid), 0);
}

/* ------------------------------------------------------------- the end of it */

static bool is_gone(void *arg)
{
	unsigned int count;

	return list(arg, 0, &count) == -ENOTCONN;
}

static void the_session_ends_with_its_target(void **state)
{
	struct person mortal = { .uid = USER, .ring = 3 };
	struct adbg_session *session, *roots;
	unsigned int count;

	(void)state;
	assert_int_equal(start(&mortal), 0);
	roots = open_on(&mortal);
	be(USER, true);
	session = open_on(&mortal);
	assert_sees_only(session, &mortal);
	be(ROOT, true);
	assert_int_equal(victim_finish(&mortal.victim), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 10));
	assert_int_equal(control(session, ADBG_WAVE_OP_HALT, 1), -ENOTCONN);

	/* It can have another. */
	assert_int_equal(adbg_target_attach(session, user.victim.pid, 0, NULL),
			 0);
	assert_sees_only(session, &user);
	/* The whole GPU is for the privileged only. */
	assert_int_equal(adbg_target_clear(session), 0);
	assert_int_equal(list(session, 0, &count), -EPERM);
	adbg_session_close(session);

	be(ROOT, true);
	assert_true(until(is_gone, roots, 10));
	assert_int_equal(adbg_target_clear(roots), 0);
	assert_int_equal(list(roots, 0, &count), 0);
	assert_int_equal(count, 3 * WAVES);
	adbg_session_close(roots);
}

/*
 * A PASID goes to the next process when the last file of the old one closes. A
 * session that keeps the file keeps it from that; one that notices the exit
 * does not see the next one.
 */
static void a_pasid_that_is_used_again_is_not_seen(void **state)
{
	struct person first = { .uid = USER, .ring = 3 };
	struct person second = { .uid = OTHER, .ring = 3 };
	struct adbg_session *keeper, *session;
	unsigned int count;
	int pidfd, fd;

	(void)state;
	assert_int_equal(start(&first), 0);
	be(USER, true);
	session = open_on(&first);
	keeper = open_session();
	pidfd = pidfd_open(first.victim.pid, 0);
	fd = file_of(&first, pidfd);
	assert_int_equal(set_target(keeper, fd, -1), 0);
	close(fd);
	close(pidfd);

	be(ROOT, true);
	assert_int_equal(victim_finish(&first.victim), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 10));
	assert_int_equal(start(&second), 0);
	be(USER, true);
	assert_int_not_equal(second.pasid, first.pasid);
	assert_int_equal(list(session, 0, &count), -ENOTCONN);
	assert_int_equal(list(keeper, 0, &count), 0);
	assert_int_equal(count, 0);

	/* Now it is free, and the next may get it. */
	be(ROOT, true);
	assert_int_equal(victim_finish(&second.victim), 0);
	adbg_session_close(keeper);
	assert_int_equal(start(&second), 0);
	be(USER, true);
	print_message("# PASID %u, then %u\n", first.pasid, second.pasid);
	assert_int_equal(list(session, 0, &count), -ENOTCONN);
	be(ROOT, true);
	assert_int_equal(victim_finish(&second.victim), 0);
	be(USER, true);
	adbg_session_close(session);
}

/* The pidfd says when it ends, and nothing about who it is. */
static void the_pidfd_of_another_process_only_ends_it(void **state)
{
	struct adbg_session *session = open_session();
	pid_t pid = start_bystander(true);
	struct adbg_client_list *clients;
	int pidfd, theirs, fd;

	(void)state;
	assert_int_equal(adbg_client_list_new(session, user.victim.pid,
					      &clients), 0);
	pidfd = pidfd_open(user.victim.pid, 0);
	fd = pidfd_getfd(pidfd, adbg_client_list_get(clients, 0)->fd, 0);
	adbg_client_list_free(clients);
	theirs = pidfd_open(pid, 0);
	assert_true(fd >= 0 && theirs >= 0);
	assert_int_equal(set_target(session, fd, theirs), 0);
	close(fd);
	close(pidfd);
	close(theirs);
	assert_sees_only(session, &user);
	halt(session, &user);
	be(ROOT, true);
	assert_int_equal(child_kill(pid), 0);
	be(USER, true);
	assert_true(until(is_gone, session, 10));
	assert_int_equal(see_halted(user.pasid), 0);
	adbg_session_close(session);
}

int main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, each_test_begins, each_test_ends)
	const struct CMUnitTest tests[] = {
		TEST(a_user_debugs_his_own_process),
		TEST(a_real_user_does_so),
		TEST(without_the_group_the_node_stays_closed),
		TEST(others_processes_are_refused),
		TEST(root_debugs_everybody),
		TEST(what_is_not_dumpable_is_refused),
		TEST(files_that_are_no_target),
		TEST(files_that_are_no_pidfd),
		TEST(opening_a_descriptor_again_leads_nowhere),
		TEST(without_a_target_nothing_can_be_done),
		TEST(with_a_target_nothing_can_be_done_to_others),
		TEST(what_root_has_halted_stays_halted),
		TEST(leaving_waves_halted_needs_privilege),
		TEST(two_sessions_have_one_target),
		TEST(two_sessions_have_two_targets),
		TEST(a_session_changes_its_target),
		TEST(debuggers_come_and_go),
		TEST(a_killed_debugger_leaves_nothing),
		TEST(the_session_ends_with_its_target),
		TEST(a_pasid_that_is_used_again_is_not_seen),
		TEST(the_pidfd_of_another_process_only_ends_it),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}
