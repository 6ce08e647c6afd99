// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A target that tries to make the calls of its debuggers fail. While they make calls,
 * threads of the target
 *
 * - close handles that they did not open, and create smaller objects with the same numbers;
 * - move all objects between VRAM and system memory, including those of the debuggers;
 * - unmap, replace and map memory at the addresses of the debuggers' buffers;
 * - close DRM files, or put others in their places by dup2();
 * - fork processes that use the same files with other credentials, or execute programs;
 * - change whether the process may be traced.
 *
 * The first thread runs jobs whose waves the debuggers look for. At random, it executes
 * the program again: the process remains, but all its threads and memory disappear.
 *
 * A further thread acts in step with single calls that a worker announces (step.c). Just
 * before MEM_COPY, it moves the buffer of the call to VRAM. During MEM_ALLOC, it closes
 * the handle that the call gets, and gives its number first to a smaller object, and then
 * to one that can be mapped at the buffer's address.
 *
 * The target spares what a running job needs. To destroy that would only hang the GPU,
 * which any program can do without a debugger.
 *
 * Two more acts are limited, because any program can stop all others by them, whether the
 * module is loaded or not. amdgpu writes page tables by jobs, whose commands come from a
 * pool that all processes share (AMDGPU_IB_POOL_DELAYED). After an unmap, such a job waits
 * for all jobs of its address space. So a program whose job does not end can exhaust that
 * pool by changing mappings. Then each process that needs a part of the pool waits in
 * amdgpu, uninterruptibly and with the lock of its address space, until that job ends.
 * Therefore:
 *
 * - Each job of this target ends: after JOB_SECONDS of round.c, the supervisor kills all
 *   waves, and later the debuggers, which may have halted them, and this target (see
 *   end_long_job() of round.c). A thread of the target measures that also for jobs without
 *   waves, which wait for those with waves if page tables have changed in between.
 * - This target changes no page tables while a job takes longer than a second, and before
 *   that at most MAX_UPDATES times. The acts in step with calls do not count.
 */
#define _GNU_SOURCE
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../vm/guest/parts/prog.h"
#include "../vm/guest/parts/until.h"
#include "drm.h"
#include "rng.h"

#define PAGE 4096ull
#define ITEMS 64
#define JOB_NS 200000000
#define EXEC_ONCE_IN 128
#define TURN_MS 3

/* amdgpu numbers handles from 1, and a new object gets the lowest free number. */
#define MAX_HANDLE 40
#define SWAP_TRIES 1000
#define MAX_MOVED (16 * PAGE)
/* After this many unused numbers in a row, there are no further handles. */
#define MAX_UNUSED 6

/* A job that takes longer may never end, so no further changes must wait for it. */
#define LATE_NS 1000000000

/* Far below the size of the pool: it has 1 MiB, and each change needs 1 KiB or more. */
#define MAX_UPDATES 256

/* Time between two checks of whether jobs end */
#define WATCH_MS 300

/* Longest time for an act in step with a call */
#define STEP_NS 150000000ll

/* Address of the code of empty jobs, outside of HOSTILE_VA and the buffers' range */
#define IB_VA 0x480000000000ull

/* All of the addresses that a debugger's buffers get: kernel/target/target.h */
#define BUFFER_BASE 0x600000000000ull
#define BUFFER_SPAN (1ull << 40)

/*
 * One of the DRM files. A thread may still use a context or handle of the file that was
 * in this place before; such a call fails, which does no harm.
 */
struct file {
	uint32_t ctx;
	uint64_t kept;		/* handles that must not be closed, one bit each */
	uint32_t object[HOSTILE_OBJECTS];
};

static struct file files[HOSTILE_FILES];
/* Serialises the closing of handles and the creation of jobs by the first thread. */
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
/* Whether the target may make amdgpu wait for jobs with the address space's lock held */
static bool blocks;
static struct hints *hints;
static struct prog prog;
/* Number of page table changes since a job began, all of which may wait for that job */
static atomic_uint updates;

static uint64_t object_bytes(unsigned int i)
{
	return PAGE << i;
}

static void count(enum act act)
{
	atomic_fetch_add(&hints->acts[act], 1);
}

static bool is_late(int64_t since)
{
	return since && now_ns() - since > LATE_NS;
}

/* Returns true, and counts the changes, if @num changes of page tables are permitted. */
static bool may_update(unsigned int num)
{
	if (atomic_load(&updates) >= MAX_UPDATES ||
	    is_late(atomic_load(&hints->job_since)) ||
	    is_late(atomic_load(&hints->nop_since)))
		return false;
	atomic_fetch_add(&updates, num);
	return true;
}

/* ------------------------------------------------------------ its DRM files */

/* Half of the objects are always valid, the others only for jobs that name them. */
static int make_objects(int fd, struct file *f)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < HOSTILE_OBJECTS && !ret; i++) {
		ret = drm_create(fd, object_bytes(i), i & 1 ?
				 AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT,
				 AMDGPU_GEM_CREATE_VRAM_CLEARED |
				 (i & 2 ? AMDGPU_GEM_CREATE_VM_ALWAYS_VALID : 0),
				 &f->object[i]);
		if (!ret)
			ret = drm_va(fd, AMDGPU_VA_OP_MAP, f->object[i], 0,
				     HOSTILE_VA + i * HOSTILE_STRIDE,
				     object_bytes(i));
	}
	return ret;
}

static int set_up_file(int fd, struct file *f)
{
	uint32_t ib = 0, *code = NULL;
	int ret = drm_ctx(fd, &f->ctx);

	if (!ret)
		ret = drm_create(fd, PAGE, AMDGPU_GEM_DOMAIN_GTT,
				 AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &ib);
	/* Keeps this object and those before it, which belong to the program itself. */
	f->kept = (2ull << ib) - 1;
	if (!ret)
		code = drm_mmap(fd, ib, PAGE);
	if (!code)
		return ret ? ret : -ENOMEM;
	drm_write_nops(code);
	munmap(code, PAGE);
	ret = drm_va(fd, AMDGPU_VA_OP_MAP, ib, 0, IB_VA, PAGE);
	return ret ? ret : make_objects(fd, f);
}

/* Record that another file has the place of file @i; its objects are all different. */
static void is_born(unsigned int i)
{
	atomic_store(&hints->birth[i], atomic_fetch_add(&hints->births, 1) + 1);
}

/* Open another file in the place of file @i, and close this. */
static int renew_file(unsigned int i)
{
	int fd = open(RENDER_NODE, O_RDWR | O_CLOEXEC), ret;
	struct file f = { 0 };

	if (fd < 0)
		return -errno;
	ret = set_up_file(fd, &f);
	if (!ret) {
		pthread_mutex_lock(&handles_lock);
		files[i] = f;
		dup2(fd, HOSTILE_FD + i);
		is_born(i);
		pthread_mutex_unlock(&handles_lock);
	}
	close(fd);
	return ret;
}

static unsigned int some_file(struct rng *r)
{
	return rng_below(r, HOSTILE_FILES);
}

static bool is_kept(unsigned int i, uint32_t handle)
{
	return handle < 64 && files[i].kept >> handle & 1;
}

static bool is_own(unsigned int i, uint32_t handle)
{
	unsigned int j;

	for (j = 0; j < HOSTILE_OBJECTS; j++)
		if (files[i].object[j] == handle)
			return true;
	return is_kept(i, handle);
}

/*
 * Close a handle that another thread may have opened. The first thread may have created the
 * code of its job with this number since the caller checked it. Returns -EAGAIN if that is
 * so, or if the lock is busy.
 */
static int close_other(unsigned int i, uint32_t handle)
{
	int ret = -EAGAIN;

	if (pthread_mutex_trylock(&handles_lock))
		return ret;
	if (!is_kept(i, handle))
		ret = drm_close(HOSTILE_FD + i, handle);
	pthread_mutex_unlock(&handles_lock);
	return ret;
}

/* --------------------------------------------------------------- the attacks */

static uint64_t some_flags(struct rng *r)
{
	return AMDGPU_GEM_CREATE_VRAM_CLEARED |
	       (rng_once_in(r, 2) ? AMDGPU_GEM_CREATE_VM_ALWAYS_VALID : 0) |
	       (rng_once_in(r, 4) ? AMDGPU_GEM_CREATE_NO_CPU_ACCESS : 0);
}

/* VRAM most often, because amdgpu moves little to VRAM while little of it is free. */
static uint32_t some_domain(struct rng *r)
{
	switch (rng_below(r, 16)) {
	case 0:
		return AMDGPU_GEM_DOMAIN_CPU;
	case 1 ... 3:
		return AMDGPU_GEM_DOMAIN_GTT;
	default:
		return AMDGPU_GEM_DOMAIN_VRAM;
	}
}

/* Close an object, and most often create one with other properties and the same number. */
static bool exchange(struct rng *r, unsigned int i, uint32_t handle)
{
	int fd = HOSTILE_FD + i;
	bool closed;
	uint32_t h;

	pthread_mutex_lock(&handles_lock);
	closed = !is_kept(i, handle) && !drm_close(fd, handle);
	if (closed && !rng_once_in(r, 8))
		drm_create(fd, PAGE << rng_below(r, 3), some_domain(r),
			   some_flags(r), &h);
	pthread_mutex_unlock(&handles_lock);
	if (closed)
		count(ACT_SWAP);
	return closed;
}

/* Exchange the next object that a debugger creates, or any existing one. */
static void swap_handles(struct rng *r)
{
	unsigned int i = some_file(r), tries;
	uint32_t handle;

	if (!may_update(2))
		return;
	if (rng_once_in(r, 8)) {
		exchange(r, i, 1 + rng_below(r, MAX_HANDLE));
		return;
	}
	/* Find the lowest free number, which the next object gets. */
	if (drm_create(HOSTILE_FD + i, PAGE, AMDGPU_GEM_DOMAIN_GTT, 0, &handle))
		return;
	close_other(i, handle);
	for (tries = 0; tries < SWAP_TRIES; tries++) {
		if (!exchange(r, i, handle))
			continue;
		/* A moment later, exchange it again, perhaps for one that is large enough. */
		for (tries = rng_below(r, 64); tries; tries--)
			sched_yield();
		exchange(r, i, handle);
		if (rng_once_in(r, 2))
			close_other(i, handle);
		return;
	}
}

static void move_object(unsigned int i, uint32_t handle, uint32_t domain)
{
	uint64_t bytes;

	/* No job can use an object in the CPU's domain, and amdgpu waits for jobs first. */
	if (domain == AMDGPU_GEM_DOMAIN_CPU && (is_kept(i, handle) || !blocks))
		return;
	/* For a large object, amdgpu would evict the pages of foreign.c. */
	if (drm_bytes(HOSTILE_FD + i, handle, &bytes) || bytes > MAX_MOVED)
		return;
	drm_place(HOSTILE_FD + i, handle, domain);
}

/* Move all objects of a file, or those that may belong to a debugger. */
static void move_objects(struct rng *r)
{
	unsigned int i = some_file(r), jobs;
	uint32_t domain = some_domain(r), handle;
	bool all = rng_once_in(r, 8);

	if (!may_update(8))
		return;
	count(ACT_MOVE);
	for (handle = 1; handle <= MAX_HANDLE; handle++) {
		pthread_mutex_lock(&handles_lock);
		if (all || !is_own(i, handle))
			move_object(i, handle, domain);
		pthread_mutex_unlock(&handles_lock);
	}
	/* Before each job, amdgpu moves some of the objects. */
	for (jobs = 1 + rng_below(r, 4); jobs; jobs--)
		drm_job(HOSTILE_FD + i, files[i].ctx, IB_VA, NULL, 0);
	/* Not often: if one of the objects is gone, amdgpu writes to the kernel log. */
	if (rng_once_in(r, 16))
		drm_job(HOSTILE_FD + i, files[i].ctx, IB_VA, files[i].object, 2);
}

static uint64_t some_va(struct rng *r, uint64_t *bytes)
{
	unsigned int i = rng_below(r, MAX_HINTS);
	uint64_t va = atomic_load(&hints->va[i]);

	*bytes = atomic_load(&hints->bytes[i]);
	if (!va || !*bytes || rng_once_in(r, 4)) {
		i = rng_below(r, HOSTILE_OBJECTS);
		va = HOSTILE_VA + i * HOSTILE_STRIDE;
		*bytes = object_bytes(i);
	}
	if (rng_once_in(r, 2)) {
		va += PAGE * rng_below(r, *bytes / PAGE);
		*bytes = PAGE;
	}
	return va;
}

static void change_mapping(struct rng *r)
{
	static const uint32_t ops[] = {
		AMDGPU_VA_OP_UNMAP, AMDGPU_VA_OP_CLEAR, AMDGPU_VA_OP_REPLACE,
		AMDGPU_VA_OP_REPLACE,
	};
	unsigned int i = some_file(r), object = rng_below(r, HOSTILE_OBJECTS);
	uint32_t handle = files[i].object[object];
	uint64_t bytes, va = some_va(r, &bytes);

	if (!may_update(1))
		return;
	count(ACT_MAP);
	if (rng_once_in(r, 32)) {
		drm_va(HOSTILE_FD + i, AMDGPU_VA_OP_CLEAR, 0, 0, BUFFER_BASE,
		       BUFFER_SPAN);
		return;
	}
	/* Any handle of the file, which may be that of a debugger's buffer */
	if (rng_once_in(r, 3))
		handle = 1 + rng_below(r, MAX_HANDLE);
	drm_va(HOSTILE_FD + i, ops[rng_below(r, 4)], handle, 0, va, bytes);
	/* Not often: if the range is not free, amdgpu writes to the kernel log. */
	if (rng_once_in(r, 16))
		drm_va(HOSTILE_FD + i, AMDGPU_VA_OP_MAP, handle, 0, va, bytes);
}

static void change_files(struct rng *r)
{
	unsigned int i = 1 + rng_below(r, HOSTILE_FILES - 1);

	count(ACT_FILE);
	switch (rng_below(r, 4)) {
	case 0:
		close(HOSTILE_FD + i);
		break;
	case 1:
		/* Replace file 0 by another one for a moment. */
		dup2(HOSTILE_FD + i, HOSTILE_FD);
		poll(NULL, 0, rng_below(r, TURN_MS));
		dup2(prog.gpu.fd, HOSTILE_FD);
		break;
	default:
		renew_file(i);
	}
}

/*
 * The child process of make_children(). It has a single thread, so that no end of another
 * thread interrupts its UNRESERVE_VMID: with Linux 6.1, a signal there would leave the page
 * directory locked (amdgpu_vm_ioctl()).
 */
static void __attribute__((noreturn)) be_child(struct rng *r)
{
	signal(SIGTERM, SIG_IGN);
	switch (rng_below(r, 4)) {
	case 0:
		unshare(CLONE_NEWUSER);
		break;
	case 1:
		drm_unreserve_vmid(HOSTILE_FD + some_file(r));
		break;
	case 2:
		/* exec() closes the files; end_long_job() may have to end it there. */
		signal(SIGTERM, SIG_DFL);
		execlp("true", "true", NULL);
		break;
	}
	poll(NULL, 0, rng_below(r, 4 * TURN_MS));
	_exit(0);
}

static void make_children(struct rng *r)
{
	pid_t pid = fork();

	if (!pid)
		be_child(r);
	count(ACT_CHILD);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Change whether other processes may duplicate this process's files. */
static void change_credentials(struct rng *r)
{
	prctl(PR_SET_DUMPABLE, rng_once_in(r, 3) ? 0 : 1);
	count(ACT_CREDENTIALS);
}

/* ------------------------------------------------- in step with single calls */

/* Place all objects in VRAM that are as large as the buffer that a call will copy. */
static bool place_in_vram(unsigned int i, uint64_t bytes)
{
	unsigned int handle, unused = 0;
	bool placed = false;
	uint64_t there;

	for (handle = 1; handle <= MAX_HANDLE && unused < MAX_UNUSED; handle++) {
		if (is_kept(i, handle))
			continue;
		if (drm_bytes(HOSTILE_FD + i, handle, &there)) {
			unused++;
			continue;
		}
		unused = 0;
		if (there == bytes)
			placed |= !drm_place(HOSTILE_FD + i, handle,
					     AMDGPU_GEM_DOMAIN_VRAM);
	}
	return placed;
}

/* Move the buffer to VRAM, where it is scattered: VRAM has no large gaps (foreign.c). */
static void scatter(unsigned int i, uint64_t bytes)
{
	struct timespec end;
	bool placed;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += STEP_NS / 4;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	/* With a timeout, as the first thread may wait in the kernel with this lock. */
	if (pthread_mutex_timedlock(&handles_lock, &end))
		return;
	placed = place_in_vram(i, bytes);
	pthread_mutex_unlock(&handles_lock);
	if (!placed)
		return;
	count(ACT_SCATTER);
	drm_job_wait(HOSTILE_FD + i, files[i].ctx, IB_VA, now_ns() + STEP_NS);
}

static bool is_over(uint32_t number, int64_t end)
{
	return atomic_load(&hints->over) == number || now_ns() > end;
}

static void pause_for(unsigned int turns)
{
	volatile unsigned int i;

	for (i = 0; i < turns; i++)
		;
}

/*
 * As soon as the buffer of a MEM_ALLOC has its handle, give this handle a small object, and
 * then one that can be mapped at the buffer's address. The first exchange must fall between
 * two steps of the module, whose distance in time is not known.
 */
static void steal(struct rng *r, unsigned int i, uint64_t bytes, uint32_t number)
{
	int fd = HOSTILE_FD + i;
	int64_t end = now_ns() + STEP_NS;
	uint32_t mine, other;

	if (drm_create(fd, PAGE, AMDGPU_GEM_DOMAIN_GTT, 0, &mine)) {
		step_answer(hints, number);
		return;
	}
	/* Free the lowest number, which the next object gets. */
	close_other(i, mine);
	step_answer(hints, number);
	while (close_other(i, mine))
		if (is_over(number, end))
			return;
	if (drm_create(fd, PAGE, AMDGPU_GEM_DOMAIN_GTT, some_flags(r), &other))
		return;
	count(ACT_STEAL);
	pause_for(rng_below(r, 3000));
	close_other(i, other);
	if (drm_create(fd, bytes, AMDGPU_GEM_DOMAIN_GTT,
		       AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &other))
		return;
	while (!is_over(number, end))
		sched_yield();
	if (rng_once_in(r, 2))
		close_other(i, other);
}

static void *keep_step(void *arg)
{
	uint32_t number = atomic_load(&hints->asked);
	struct rng *r = arg;
	unsigned int i;
	uint64_t bytes;

	for (;;) {
		/* The first turn also answers an announcement from before exec(). */
		step_answer(hints, number);
		number = step_wait(hints, number);
		i = atomic_load(&hints->file) % HOSTILE_FILES;
		bytes = atomic_load(&hints->step_bytes);
		if (atomic_load(&hints->step) == STEP_COPY)
			scatter(i, bytes);
		else
			steal(r, i, bytes, number);
	}
	return NULL;
}

/*
 * Wait for one empty job of each file in turn, and let the supervisor know how long that
 * takes. The jobs of a file end in the order in which they were submitted, so this shows
 * when an earlier one does not end.
 */
static void *watch_jobs(void *arg)
{
	unsigned int i;
	int ret;

	(void)arg;
	for (i = 0;; i = (i + 1) % HOSTILE_FILES) {
		atomic_store(&hints->nop_since, now_ns());
		ret = drm_job_wait(HOSTILE_FD + i, files[i].ctx, IB_VA,
				   INT64_MAX);
		atomic_store(&hints->nop_since, 0);
		/* All updates before this job have ended with it. */
		if (!i && !ret)
			atomic_store(&updates, 0);
		poll(NULL, 0, WATCH_MS);
	}
	return NULL;
}

static int start_in_step(struct rng *r)
{
	static pthread_t thread, watch;
	static struct rng own;
	int ret;

	own.state = rng_next(r);
	ret = -pthread_create(&thread, NULL, keep_step, &own);
	return ret ? ret : -pthread_create(&watch, NULL, watch_jobs, NULL);
}

/* ------------------------------------------------------------------- threads */

struct attacker {
	void (*attack)(struct rng *r);
	unsigned int ms;	/* longest time between two attacks */
	struct rng rng;
	pthread_t thread;
};

static void *attack(void *arg)
{
	struct attacker *a = arg;

	for (;;) {
		a->attack(&a->rng);
		poll(NULL, 0, rng_below(&a->rng, a->ms));
	}
	return NULL;
}

static int start_attackers(struct rng *r)
{
	static struct attacker attackers[] = {
		{ .attack = swap_handles, .ms = 4 },
		/* Seldom: amdgpu limits moves per time, and scatter() needs some of them. */
		{ .attack = move_objects, .ms = 1024 },
		{ .attack = change_mapping, .ms = 8 },
		/* Seldom, so that debuggers have time to use the file */
		{ .attack = change_files, .ms = 2048 },
		{ .attack = make_children, .ms = 512 },
		{ .attack = change_credentials, .ms = 32 },
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < sizeof(attackers) / sizeof(attackers[0]) && !ret; i++) {
		attackers[i].rng.state = rng_next(r);
		ret = -pthread_create(&attackers[i].thread, NULL, attack,
				      &attackers[i]);
	}
	return ret;
}

static bool must_end(int timeout_ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&in, 1, timeout_ms) != 0;
}

/* Submit a job, and keep the handle of its code until it has ended. */
static int submit(const char *kernel, struct gpu_job *job, uint32_t *ib)
{
	int ret;

	pthread_mutex_lock(&handles_lock);
	ret = prog_submit(&prog, kernel, job);
	if (!ret)
		amdgpu_bo_export(job->ib.bo, amdgpu_bo_handle_type_kms, ib);
	if (!ret && *ib < 64)
		files[0].kept |= 1ull << *ib;
	pthread_mutex_unlock(&handles_lock);
	return ret;
}

static void finish(struct gpu_job *job, uint32_t ib)
{
	pthread_mutex_lock(&handles_lock);
	gpu_job_free(&prog.gpu, job);
	if (ib < 64)
		files[0].kept &= ~(1ull << ib);
	pthread_mutex_unlock(&handles_lock);
}

/* Run jobs until the program is to execute itself again. */
static void run_jobs(struct rng *r)
{
	static const char *const kernels[] = {
		"hash", "saxpy", "intloop", "divide",
	};
	struct gpu_job job;
	uint32_t ib = 0;

	do {
		atomic_store(&hints->job_since, now_ns());
		if (submit(kernels[rng_below(r, 4)], &job, &ib)) {
			atomic_store(&hints->job_since, 0);
			/* The attacks have made objects unusable, or memory is short. */
			if (must_end(TURN_MS))
				exit(0);
			continue;
		}
		while (gpu_wait(&prog.gpu, &job, JOB_NS) == -ETIME)
			if (must_end(0))
				exit(0);
		atomic_store(&hints->job_since, 0);
		finish(&job, ib);
		if (must_end(0))
			exit(0);
	} while (!rng_once_in(r, EXEC_ONCE_IN));
}

static void execute_again(struct rng *r, const char *hints_fd)
{
	char seed[32];

	count(ACT_EXEC);
	snprintf(seed, sizeof(seed), "%#llx", (unsigned long long)rng_next(r));
	execl("/proc/self/exe", "fuzz", "--hostile", seed, hints_fd, "again",
	      NULL);
	_exit(1);
}

static int set_up(int hints_fd)
{
	unsigned int i;
	int ret;

	hints = mmap(NULL, sizeof(*hints), PROT_READ | PROT_WRITE, MAP_SHARED,
		     hints_fd, 0);
	if (hints == MAP_FAILED)
		return -errno;
	ret = prog_open(&prog, NULL, NULL, ITEMS, 0);
	if (!ret)
		ret = set_up_file(prog.gpu.fd, &files[0]);
	if (!ret && dup2(prog.gpu.fd, HOSTILE_FD) < 0)
		ret = -errno;
	is_born(0);
	for (i = 1; i < HOSTILE_FILES && !ret; i++)
		ret = renew_file(i);
	return ret;
}

/* --hostile SEED HINTS [UID | "again"] */
int hostile_main(int argc, char **argv)
{
	struct rng r;
	bool again;
	int ret;

	if (argc != 5)
		return 2;
	r.state = strtoull(argv[2], NULL, 0);
	blocks = rng_once_in(&r, 4);
	again = !strcmp(argv[4], "again");
	ret = again ? 0 : victim_become(atoi(argv[4]));
	/* A group of its own, so that it can be ended with its children. */
	if (!again)
		setpgid(0, 0);
	/* The change of the user has made the process untraceable. */
	prctl(PR_SET_DUMPABLE, 1);
	if (!ret)
		ret = set_up(atoi(argv[3]));
	if (!ret)
		ret = start_attackers(&r);
	if (!ret)
		ret = start_in_step(&r);
	if (ret) {
		fprintf(stderr, "hostile: %s\n", strerror(-ret));
		return 1;
	}
	if (!again) {
		printf("running\n");
		fflush(stdout);
	}
	run_jobs(&r);
	execute_again(&r, argv[3]);
	return 1;
}

int hostile_start(struct victim *v, uid_t uid, int hints_fd, uint64_t seed)
{
	char seed_text[32], fd_text[16], uid_text[16];
	char *const argv[] = {
		"fuzz", "--hostile", seed_text, fd_text, uid_text, NULL,
	};

	snprintf(seed_text, sizeof(seed_text), "%#llx", (unsigned long long)seed);
	snprintf(fd_text, sizeof(fd_text), "%d", hints_fd);
	snprintf(uid_text, sizeof(uid_text), "%u", uid);
	return victim_start_as(v, 0, argv);
}
