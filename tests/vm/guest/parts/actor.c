// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that execute orders: see actor.h.
 */
#define _GNU_SOURCE
#include "actor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "people.h"
#include "prog.h"
#include "until.h"

#define CODE_OBJECT "/usr/share/amdgpudbg/traps.co"
#define PAGE 4096
/* Two groups fill the LDS of a WGP, which has 128 KiB. */
#define LDS_BYTES (64 << 10)
#define LAST_FD 255
#define JOB_S 60
#define ANSWER_S 120

/* Words of ctl, and what trap_wait adds, see traps.cl */
enum { CTL_END, CTL_BEGUN };
#define ADDS 5

struct message {
	uint32_t order;
	uint64_t arg;
};

struct hello {
	int drm_fd;
	uint64_t memory;
};

/* --------------------------------------------------------- within the actor */

static struct prog prog;
static struct gpu_job job;
static bool busy;
static amdgpu_bo_handle gift_bo;

static int submit(unsigned int groups)
{
	uint32_t *in = prog.buf[PROG_IN].cpu;
	uint32_t *ctl = prog_ctl(&prog);
	int ret;

	if (busy || groups > ACTOR_MAX_GROUPS)
		return -EINVAL;
	prog.items = groups * PROG_GROUP;
	/* Others are to find room beside a single group. */
	prog.lds_bytes = groups > 1 ? LDS_BYTES : 0;
	for (uint32_t i = 0; i < prog.items; i++)
		in[i] = i * 2654435761u + getpid();
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
	ctl[CTL_BEGUN] = 0;
	ret = prog_submit(&prog, "trap_wait", &job);
	busy = !ret;
	return ret;
}

static bool has_begun(void *ctl)
{
	return ((volatile uint32_t *)ctl)[CTL_BEGUN] >= PROG_GROUP;
}

static int spin(unsigned int groups)
{
	uint32_t *ctl = prog_ctl(&prog);
	int ret;

	ctl[CTL_END] = 0;
	ret = submit(groups);
	if (!ret && !until(has_begun, ctl, JOB_S))
		ret = -ETIME;
	return ret;
}

static int end(void)
{
	const uint32_t *in = prog.buf[PROG_IN].cpu;
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	int ret;

	if (!busy)
		return 0;
	prog_ctl(&prog)[CTL_END] = 1;
	ret = gpu_wait(&prog.gpu, &job, deadline_ns(JOB_S) - now_ns());
	if (ret)
		return ret;
	gpu_job_free(&prog.gpu, &job);
	busy = false;
	for (uint32_t i = 0; i < prog.items; i++)
		if (out[i] != in[i] + ADDS)
			return -EIO;
	return 0;
}

static int run(unsigned int times)
{
	int ret = 0;

	while (times-- && !ret) {
		prog_ctl(&prog)[CTL_END] = 1;
		ret = submit(1);
		if (!ret)
			ret = end();
	}
	return ret;
}

static int loop(int fd)
{
	struct pollfd more = { .fd = fd, .events = POLLIN };
	int ret = 0, jobs = 0;

	while (!ret && poll(&more, 1, 0) == 0) {
		ret = spin(1);
		if (!ret)
			ret = end();
		jobs++;
	}
	return ret ? ret : jobs;
}

static int map(const struct actor *a, uint64_t offset, uint64_t va)
{
	struct amdgpu_bo_import_result import;
	int ret = 0;

	if (!gift_bo) {
		ret = amdgpu_bo_import(prog.gpu.dev,
				       amdgpu_bo_handle_type_dma_buf_fd,
				       a->gift, &import);
		gift_bo = ret ? NULL : import.buf_handle;
	}
	if (ret)
		return ret;
	return amdgpu_bo_va_op_raw(prog.gpu.dev, gift_bo, offset, PAGE, va,
				   AMDGPU_VM_PAGE_READABLE |
				   AMDGPU_VM_PAGE_WRITEABLE |
				   AMDGPU_VM_PAGE_EXECUTABLE,
				   AMDGPU_VA_OP_MAP);
}

static int unmap(uint64_t va)
{
	return amdgpu_bo_va_op(gift_bo, 0, PAGE, va, 0, AMDGPU_VA_OP_UNMAP);
}

static int obey(const struct actor *a, int fd, const struct message *m)
{
	switch (m->order) {
	case ACTOR_NOTHING:
		return 0;
	case ACTOR_SPIN:
		return spin(m->arg);
	case ACTOR_SUBMIT:
		prog_ctl(&prog)[CTL_END] = 0;
		return submit(m->arg);
	case ACTOR_END:
		return end();
	case ACTOR_RUN:
		return run(m->arg);
	case ACTOR_LOOP:
		return loop(fd);
	case ACTOR_RESERVE:
		return amdgpu_vm_reserve_vmid(prog.gpu.dev, 0);
	case ACTOR_UNRESERVE:
		return amdgpu_vm_unreserve_vmid(prog.gpu.dev, 0);
	case ACTOR_MAP:
		return map(a, 0, m->arg);
	case ACTOR_MAP_DATA:
		return map(a, PAGE, m->arg);
	case ACTOR_UNMAP:
		return unmap(m->arg);
	default:
		return -EINVAL;
	}
}

static int become_urgent(void)
{
	amdgpu_cs_ctx_free(prog.gpu.ctx);
	return amdgpu_cs_ctx_create2(prog.gpu.dev, AMDGPU_CTX_PRIORITY_HIGH,
				     &prog.gpu.ctx);
}

/* What is another's must end with that one. */
static void close_others(int fd, int gift)
{
	for (int i = STDERR_FILENO + 1; i <= LAST_FD; i++)
		if (i != fd && i != gift)
			close(i);
}

static void act(const struct actor *a, int fd)
{
	struct hello hello;
	struct message m;
	int ret;

	close_others(fd, a->gift);
	be_for_good(a->uid, true);
	/* After a change of the user it is neither. */
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (prog_open(&prog, NULL, CODE_OBJECT, ACTOR_MAX_GROUPS * PROG_GROUP,
		      0) || (a->urgent && become_urgent()))
		_exit(1);
	hello.drm_fd = prog.gpu.fd;
	hello.memory = prog.buf[PROG_CTL].va;
	if (write(fd, &hello, sizeof(hello)) != sizeof(hello))
		_exit(1);
	while (read(fd, &m, sizeof(m)) == sizeof(m) && m.order != ACTOR_EXIT) {
		ret = obey(a, fd, &m);
		if (write(fd, &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
	}
	_exit(0);
}

/* ----------------------------------------------------------- and of the test */

/* -ETIME, or -ECHILD if the actor has ended. */
static int receive(const struct actor *a, void *buf, size_t size)
{
	struct pollfd in = { .fd = a->fd, .events = POLLIN };
	int64_t left = deadline_ns(ANSWER_S) - now_ns();

	if (poll(&in, 1, left / 1000000) <= 0)
		return -ETIME;
	return read(a->fd, buf, size) == (ssize_t)size ? 0 : -ECHILD;
}

int actor_start(struct actor *a)
{
	struct hello hello;
	int fds[2], ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	a->pid = fork();
	if (!a->pid)
		act(a, fds[1]);
	close(fds[1]);
	a->fd = fds[0];
	if (a->pid < 0)
		return -errno;
	ret = receive(a, &hello, sizeof(hello));
	if (ret)
		return ret;
	a->drm_fd = hello.drm_fd;
	a->memory = hello.memory;
	a->pasid = pasid_of(a->pid);
	if (!a->pasid)
		return -ENODEV;
	truth_history_of(a->pasid, a->begun);
	return 0;
}

void actor_kill(struct actor *a)
{
	close(a->fd);
	child_kill(a->pid);
	a->pid = 0;
}

int actor_exit(struct actor *a)
{
	int status;

	actor_send(a, ACTOR_EXIT, 0);
	close(a->fd);
	if (waitpid(a->pid, &status, 0) != a->pid)
		return -errno;
	a->pid = 0;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECHILD;
}

void actor_send(struct actor *a, enum actor_order order, uint64_t arg)
{
	struct message m = { .order = order, .arg = arg };

	/* If the actor has ended, the wait for its answer returns -ECHILD. */
	if (send(a->fd, &m, sizeof(m), MSG_NOSIGNAL) < 0)
		perror("actor");
}

int actor_answer(struct actor *a)
{
	int answer = 0, ret = receive(a, &answer, sizeof(answer));

	return ret ? ret : answer;
}

int actor_call(struct actor *a, enum actor_order order, uint64_t arg)
{
	actor_send(a, order, arg);
	return actor_answer(a);
}

void actor_history(const struct actor *a, struct truth_history h[MAX_VMIDS])
{
	truth_history_of(a->pasid, h);
	for (int i = 0; i < MAX_VMIDS; i++) {
		const struct truth_history *b = &a->begun[i];

		h[i].waves -= b->waves;
		h[i].trap_en -= b->trap_en;
		h[i].halted -= b->halted;
		h[i].debug -= b->debug;
		h[i].excp -= b->excp;
		h[i].stalls -= b->stalls;
		h[i].watch_hits -= b->watch_hits;
		h[i].traps -= b->traps;
	}
}
