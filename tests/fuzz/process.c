// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One debugger process of a round: it gives up its privileges according to its role,
 * opens its sessions and runs its threads.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "victims.h"

int session_open(struct process *p)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC), to, ret;

	if (fd < 0)
		return fd;
	to = SESSION_FD + atomic_fetch_add(&p->next_fd, 1) % NUM_SESSION_FDS;
	ret = dup3(fd, to, O_CLOEXEC);
	close(fd);
	return ret;
}

static void on_signal(int sig)
{
	(void)sig;
}

static void add_odd_fd(struct process *p, int fd)
{
	if (fd >= 0 && p->num_odd_fds < MAX_FDS)
		p->odd_fds[p->num_odd_fds++] = fd;
}

static int dead_pidfd(void)
{
	pid_t pid = fork();
	int fd;

	if (pid == 0)
		_exit(0);
	fd = syscall(SYS_pidfd_open, pid, 0);
	waitpid(pid, NULL, 0);
	return fd;
}

static void open_odd_fds(struct process *p)
{
	add_odd_fd(p, open("/dev/null", O_RDWR | O_CLOEXEC));
	add_odd_fd(p, open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC));
	add_odd_fd(p, open("/", O_PATH | O_CLOEXEC));
	add_odd_fd(p, eventfd(0, EFD_CLOEXEC));
	add_odd_fd(p, epoll_create1(EPOLL_CLOEXEC));
	add_odd_fd(p, dead_pidfd());
	add_odd_fd(p, syscall(SYS_pidfd_open, getpid(), 0));
}

static int set_up(struct process *p)
{
	static const uid_t uid[NUM_ROLES] = {
		[ROLE_WILD] = USER_UID, [ROLE_GENTLE] = USER_UID,
	};
	struct sigaction sa = { .sa_handler = on_signal };
	unsigned int i;
	int ret = victim_become(uid[p->role]);

	if (ret)
		return ret;
	/* Set it again, because the change of the user has cleared it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	sa.sa_flags = SA_RESTART;
	sigaction(SIGUSR2, &sa, NULL);
	pthread_mutex_init(&p->lock, NULL);
	p->bare = open(NODE, O_RDWR | O_CLOEXEC);
	p->reader = open(NODE, O_RDONLY | O_CLOEXEC);
	if (p->bare < 0 || p->reader < 0)
		return -errno;
	p->info.size = sizeof(p->info);
	if (ioctl(p->bare, AMDGPUDBG_IOC_GET_INFO, &p->info))
		return -errno;
	open_odd_fds(p);
	for (i = 0; i < NUM_SESSIONS; i++) {
		p->file[i] = -1;
		p->sessions[i] = session_open(p);
		if (p->sessions[i] < 0)
			return -errno;
	}
	return 0;
}

/* The target is the first file of the hostile target, see prepare() of round.c. */
static void set_file(struct process *p, unsigned int session)
{
	p->file[session] = 0;
	p->birth[session] = p->hints->birth[0];
}

/* Give most sessions a target, because a user can do nothing without one. */
static void set_targets(struct process *p)
{
	struct amdgpudbg_target_set t = { .size = sizeof(t), .pidfd = -1 };
	unsigned int i;

	t.drm_fd = p->drm_fds[0];
	ioctl(p->reader, AMDGPUDBG_IOC_TARGET_SET, &t);
	for (i = 0; i < NUM_SESSIONS - 2; i++) {
		t.drm_fd = p->drm_fds[i % p->num_victims];
		p->has_target[i] = !ioctl(p->sessions[i],
					  AMDGPUDBG_IOC_TARGET_SET, &t);
		if (p->has_target[i] && p->hints &&
		    i % p->num_victims == p->num_victims - 1)
			set_file(p, i);
	}
}

static int start_worker(struct process *p, unsigned int i)
{
	struct worker *w = &p->workers[i];

	w->process = p;
	w->slot = &p->shared->slot[p->role][i];
	w->rng.state = rng_next(&p->rng);
	w->taken_fd = -1;
	if (arena_map(&w->arena))
		return -errno;
	return -pthread_create(&w->thread, NULL, worker_main, w);
}

void process_main(struct process *p)
{
	pthread_t nuisance;
	unsigned int i;
	int ret = set_up(p);

	if (!ret)
		set_targets(p);
	for (i = 0; i < NUM_WORKERS && !ret; i++)
		ret = start_worker(p, i);
	if (!ret)
		ret = -pthread_create(&nuisance, NULL, nuisance_main, p);
	if (ret) {
		problem(p->shared, "A process of role %d does not start: %s.",
			p->role, strerror(-ret));
		_exit(1);
	}
	for (i = 0; i < NUM_WORKERS; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_join(nuisance, NULL);
	_exit(0);
}
