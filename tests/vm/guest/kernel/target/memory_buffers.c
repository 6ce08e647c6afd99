// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers of a debugger in the address space of a hostile target: see memory.h. The target owns
 * the table of handles in which the buffers are. So it can move them, close them, put other
 * objects in their places, and hold the lock of the address space.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "child.h"
#include "people.h"
#include "self.h"
#include "until.h"
#include "userfault.h"

/* ------------------------------------------------------- handles of a file */

static int create_object(int drm, uint64_t bytes, uint64_t domain, uint64_t flags,
			 uint32_t *handle)
{
	union drm_amdgpu_gem_create create = {
		.in.bo_size = bytes,
		.in.alignment = PAGE,
		.in.domains = domain,
		.in.domain_flags = flags,
	};

	if (ioctl(drm, DRM_IOCTL_AMDGPU_GEM_CREATE, &create))
		return -errno;
	*handle = create.out.handle;
	return 0;
}

static int close_object(int drm, uint32_t handle)
{
	struct drm_gem_close args = { .handle = handle };

	return ioctl(drm, DRM_IOCTL_GEM_CLOSE, &args) ? -errno : 0;
}

/* DRM gives out the lowest handle that is free. */
static uint32_t next_handle(int drm)
{
	uint32_t handle = 0;

	assert_int_equal(create_object(drm, PAGE, AMDGPU_GEM_DOMAIN_GTT, 0,
				       &handle), 0);
	assert_int_equal(close_object(drm, handle), 0);
	return handle;
}

static uint8_t *map_object(int drm, uint32_t handle, uint64_t bytes)
{
	union drm_amdgpu_gem_mmap where = { .in.handle = handle };
	uint8_t *cpu;

	assert_int_equal(ioctl(drm, DRM_IOCTL_AMDGPU_GEM_MMAP, &where), 0);
	cpu = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, drm,
		   where.out.addr_ptr);
	assert_ptr_not_equal(cpu, MAP_FAILED);
	return cpu;
}

/* ------------------------------------------------- memory between the pieces */

#define NUM_PIECES 128
#define PIECE (2 * PAGE)
#define NUM_BUFFERS 16
/* A piece and half of one: of an allocator of powers of two, it gets two blocks. */
#define BUFFER (3 * PAGE)

/* Another DRM client, that has memory on both sides of each hole */
struct stranger {
	int drm;
	uint32_t handle[NUM_PIECES];
	uint8_t *cpu[NUM_PIECES];	/* NULL: it is a hole */
};

static uint8_t strangers_byte(unsigned int piece, unsigned int at)
{
	return 0x80 | (piece * 3 + at * 7);
}

static void stranger_open(struct stranger *s)
{
	unsigned int i, at;

	s->drm = open(RENDER, O_RDWR | O_CLOEXEC);
	assert_true(s->drm >= 0);
	for (i = 0; i < NUM_PIECES; i++) {
		assert_int_equal(create_object(s->drm, PIECE,
					       AMDGPU_GEM_DOMAIN_VRAM, 0,
					       &s->handle[i]), 0);
		s->cpu[i] = map_object(s->drm, s->handle[i], PIECE);
		for (at = 0; at < PIECE; at++)
			s->cpu[i][at] = strangers_byte(i, at);
	}
	for (i = 1; i < NUM_PIECES; i += 2) {
		munmap(s->cpu[i], PIECE);
		s->cpu[i] = NULL;
		assert_int_equal(close_object(s->drm, s->handle[i]), 0);
	}
}

static void stranger_is_unchanged(const struct stranger *s)
{
	unsigned int i, at;

	for (i = 0; i < NUM_PIECES; i++)
		for (at = 0; s->cpu[i] && at < PIECE; at++)
			if (s->cpu[i][at] != strangers_byte(i, at))
				fail_msg("byte %u of piece %u is %#x", at, i,
					 s->cpu[i][at]);
}

static void stranger_close(struct stranger *s)
{
	unsigned int i;

	for (i = 0; i < NUM_PIECES; i++)
		if (s->cpu[i])
			munmap(s->cpu[i], PIECE);
	close(s->drm);
}

static void want_in_vram(uint32_t handle)
{
	struct drm_amdgpu_gem_op op = {
		.handle = handle,
		.op = AMDGPU_GEM_OP_SET_PLACEMENT,
		.value = AMDGPU_GEM_DOMAIN_VRAM,
	};

	assert_int_equal(ioctl(prog.gpu.fd, DRM_IOCTL_AMDGPU_GEM_OP, &op), 0);
}

/* What the debugger has written; no byte of a stranger's looks like it. */
static void fill(uint8_t *data, unsigned int buffer, unsigned int round)
{
	unsigned int at;

	for (at = 0; at < BUFFER; at++)
		data[at] = (buffer * 5 + at * 11 + round * 13) & 0x7f;
}

static void move_to_vram(const struct amdgpudbg_mem_alloc *b, const uint32_t *handles)
{
	struct amdgpudbg_mapping m;
	struct gpu_job job;
	unsigned int i;

	for (i = 0; i < NUM_BUFFERS; i++)
		want_in_vram(handles[i]);
	/* amdgpu moves them for the next job. */
	start("trap_value", &job);
	finish(&job, 5);
	for (i = 0; i < NUM_BUFFERS; i++) {
		vm_at(b[i].va, &m);
		assert_int_equal(m.kind, AMDGPUDBG_KIND_VRAM);
	}
}

void a_copy_of_a_fragmented_buffer_stays_in_it(void **state)
{
	static uint8_t want[BUFFER], got[BUFFER];
	struct amdgpudbg_mem_alloc b[NUM_BUFFERS];
	uint32_t handles[NUM_BUFFERS];
	struct stranger stranger;
	unsigned int i, round;

	(void)state;
	stranger_open(&stranger);
	for (i = 0; i < NUM_BUFFERS; i++) {
		handles[i] = next_handle(prog.gpu.fd);
		assert_int_equal(mem_alloc(dev, &b[i], 0, BUFFER), 0);
		fill(want, i, 0);
		assert_int_equal(mem_write(dev, b[i].id, 0, want, BUFFER), 0);
	}
	move_to_vram(b, handles);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < NUM_BUFFERS; i++) {
			fill(want, i, round);
			assert_int_equal(mem_read(dev, b[i].id, 0, got, BUFFER),
					 0);
			assert_memory_equal(got, want, BUFFER);
			assert_int_equal(vm_read(b[i].va, got, BUFFER), 0);
			assert_memory_equal(got, want, BUFFER);
			fill(want, i, round + 1);
			assert_int_equal(mem_write(dev, b[i].id, 0, want,
						   BUFFER), 0);
		}
		stranger_is_unchanged(&stranger);
	}
	for (i = 0; i < NUM_BUFFERS; i++)
		assert_int_equal(mem_free(dev, b[i].id), 0);
	stranger_close(&stranger);
}

/* ------------------------------------------------------- handles are swapped */

#define SWAPPED (64 << 10)
#define SWAP_ROUNDS 150

/**
 * struct swapper - a thread of the target that puts other objects in a buffer's place
 * @handle: the buffer's, as soon as it is made
 * @round: which try is under way; 0: the last one is over
 * @swapped: how often the first object was replaced
 * @pause: for how long the second object is there, in turns of a loop
 * @quit: no try follows
 */
struct swapper {
	atomic_uint handle;
	atomic_uint round;
	unsigned int swapped;
	unsigned int pause;
	atomic_bool quit;
};

static void pause_for(unsigned int turns)
{
	volatile unsigned int i;

	for (i = 0; i < turns; i++)
		;
}

/* Each of them may be refused: the debugger may be quicker. */
static void swap_once(struct swapper *s, unsigned int round)
{
	uint32_t mine = s->handle, other = 0;
	int drm = prog.gpu.fd;

	while (s->round == round && close_object(drm, mine))
		;
	if (s->round != round)
		return;
	s->swapped++;
	if (create_object(drm, PAGE, AMDGPU_GEM_DOMAIN_GTT,
			  AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &other))
		return;
	pause_for(s->pause);
	close_object(drm, other);
	/* One that is large enough to be mapped there. */
	if (!create_object(drm, SWAPPED, AMDGPU_GEM_DOMAIN_GTT,
			   AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &other)) {
		while (s->round == round)
			;
		close_object(drm, other);
	}
}

static void *swap_handles(void *arg)
{
	struct swapper *s = arg;
	unsigned int done = 0, round;

	while (!s->quit) {
		round = s->round;
		if (!round || round == done)
			continue;
		swap_once(s, round);
		done = round;
	}
	return NULL;
}

/* Each of them waits for a while, see AMDGPUDBG_BUSY_MOVED. */
#define READ_TRIES 50

static void is_all_zero(uint32_t id)
{
	static uint8_t got[SWAPPED];
	unsigned int at, tries = 0;
	int ret;

	/* The other thread may hold a lock that the call does not wait for. */
	do {
		ret = mem_read(dev, id, 0, got, SWAPPED);
	} while (ret == -EBUSY && ++tries < READ_TRIES);
	assert_int_equal(ret, 0);
	for (at = 0; at < SWAPPED; at++)
		if (got[at])
			fail_msg("byte %u of a new buffer is %#x", at, got[at]);
}

/* A buffer has the size, and is the memory, that it was made with, or there is none. */
void a_replaced_buffer_shows_no_other_memory(void **state)
{
	unsigned int round, made = 0, refused = 0;
	struct swapper s = { .swapped = 0 };
	struct amdgpudbg_mem_alloc b;
	pthread_t thread;
	int ret;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, swap_handles, &s), 0);
	for (round = 1; round <= SWAP_ROUNDS; round++) {
		s.handle = next_handle(prog.gpu.fd);
		s.pause = round * 97 % 3000;
		s.round = round;
		ret = mem_alloc(dev, &b, 0, SWAPPED);
		s.round = 0;
		if (ret) {
			if (ret != -ESTALE && ret != -EBUSY &&
			    ret != -EADDRNOTAVAIL)
				fail_msg("MEM_ALLOC gives %d", ret);
			refused++;
			continue;
		}
		made++;
		is_all_zero(b.id);
		assert_int_equal(mem_free(dev, b.id), 0);
	}
	s.quit = true;
	pthread_join(thread, NULL);
	print_message("# %u made, %u refused, %u swapped\n", made, refused,
		      s.swapped);
	assert_true(s.swapped > 0);
	/* It works as before when nothing is swapped. */
	assert_int_equal(mem_alloc(dev, &b, 0, SWAPPED), 0);
	is_all_zero(b.id);
	assert_int_equal(mem_free(dev, b.id), 0);
}

/* ------------------------------------------- the address space's lock is held */

/* More than one context may have under way: amdgpu_sched_jobs, 32 */
#define NUM_JOBS 48

/**
 * struct submitter - a thread of the target that waits in DRM_AMDGPU_CS
 * @tid: the thread
 * @jobs: what it has submitted
 * @num: how many
 */
struct submitter {
	atomic_int tid;
	struct gpu_job jobs[NUM_JOBS];
	unsigned int num;
};

static void *submit_many(void *arg)
{
	struct submitter *s = arg;

	s->tid = gettid();
	while (s->num < NUM_JOBS &&
	       !prog_submit(&prog, "trap_value", &s->jobs[s->num]))
		s->num++;
	return NULL;
}

static bool waits_in_cs(void *arg)
{
	struct submitter *s = arg;
	char path[64], text[4096];
	size_t n;
	FILE *f;

	if (!s->tid)
		return false;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stack", s->tid);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	/* It can be seen in other functions of fences while it does not wait. */
	return strstr(text, "amdgpu_cs_ioctl") &&
	       strstr(text, "dma_fence_default_wait");
}

/**
 * struct allocator - a process that makes buffers
 * @made: how many it has made
 * @refused: how often it was refused, because the lock was not free
 * @quit: it is to end
 */
struct allocator {
	atomic_uint made;
	atomic_uint refused;
	atomic_bool quit;
};

/* Until it is to end; 0, or the first error that is none of those expected. */
static int make_buffers(void *arg)
{
	struct amdgpudbg_mem_alloc b;
	struct allocator *a = arg;
	int ret = 0, fd = session();

	while (!a->quit && !ret) {
		ret = mem_alloc(fd, &b, 0, PAGE);
		if (!ret) {
			a->made++;
			ret = mem_free(fd, b.id);
		} else if (ret == -EBUSY) {
			a->refused++;
			ret = 0;
		} else if (ret == -ENOSPC) {
			/* What was freed is still there. */
			usleep(1000);
			ret = 0;
		}
	}
	close(fd);
	return ret;
}

static bool has_made(void *arg)
{
	return ((struct allocator *)arg)->made;
}

static void want_expiry(int fd)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable),
		.mask = 1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
}

static bool has_expired(void *fd)
{
	struct pollfd p = { .fd = *(int *)fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static int get_info(void *unused)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	(void)unused;
	return fd < 0 ? -errno : self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info);
}

static void finish_submitted(struct submitter *s)
{
	unsigned int i;

	for (i = 0; i < s->num; i++) {
		assert_int_equal(gpu_wait(&prog.gpu, &s->jobs[i],
					  deadline_ns(DEADLINE_S) - now_ns()),
				 0);
		gpu_job_free(&prog.gpu, &s->jobs[i]);
	}
}

/* The halted job has been resumed: it ends, and so does all that was submitted behind it. */
static void finish_blocked(pthread_t thread, struct submitter *s,
			   struct gpu_job *job)
{
	stop_spinning();
	pthread_join(thread, NULL);
	assert_int_equal(s->num, NUM_JOBS);
	finish_submitted(s);
	assert_int_equal(gpu_wait(&prog.gpu, job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, job);
}

/*
 * The target waits in DRM_AMDGPU_CS, with the lock of its address space, for a job whose
 * waves a user has halted. Others make buffers there, before and then. The waves have to
 * be resumed in time; only the time that users have to halt waves ends that.
 */
void waves_are_resumed_while_a_target_is_blocked(void **state)
{
	struct allocator *a = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct amdgpudbg_wave waves[NUM_WAVES];
	static struct submitter s;
	struct amdgpudbg_mem_alloc b;
	int fd = session(), status;
	unsigned int limit;
	pthread_t thread;
	struct gpu_job job;
	pid_t pid;

	(void)state;
	assert_ptr_not_equal(a, MAP_FAILED);
	want_expiry(fd);
	start("trap_spin", &job);
	wait_begun();
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(-make_buffers(a));
	assert_true(until(has_made, a, DEADLINE_S));
	be(ROOT, true);
	limit = self_limit_users(5);
	be(USER, true);
	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), NUM_WAVES);
	assert_int_equal(pthread_create(&thread, NULL, submit_many, &s), 0);
	be(ROOT, true);
	assert_true(until(waits_in_cs, &s, DEADLINE_S));
	be(USER, true);
	assert_true(until(has_expired, &fd, DEADLINE_S));
	assert_int_equal(child_run(get_info, NULL), 0);
	finish_blocked(thread, &s, &job);

	a->quit = true;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	print_message("# %u made, %u refused\n", a->made, a->refused);
	close(fd);
	be(ROOT, true);
	self_set_limit(limit);
	be(USER, true);
	/* All that was made is gone. */
	assert_int_equal(mem_alloc(dev, &b, 0, PAGE), 0);
	assert_int_equal(mem_free(dev, b.id), 0);
	munmap(a, PAGE);
}

/* Root may halt for as long as it likes: a call of its own does not wait for that. */
void calls_end_while_a_target_is_blocked(void **state)
{
	struct amdgpudbg_mem_alloc b, before;
	struct amdgpudbg_wave waves[NUM_WAVES];
	static struct submitter s;
	uint8_t c = 1;
	pthread_t thread;
	struct gpu_job job;
	int fd;

	(void)state;
	be(ROOT, true);
	fd = session();
	assert_int_equal(mem_alloc(fd, &before, 0, PAGE), 0);
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), NUM_WAVES);
	assert_int_equal(pthread_create(&thread, NULL, submit_many, &s), 0);
	assert_true(until(waits_in_cs, &s, DEADLINE_S));

	assert_int_equal(mem_alloc(fd, &b, 0, PAGE), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_MOVED, 0);
	assert_int_equal(mem_write(fd, before.id, 0, &c, 1), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_MOVED, 0);
	assert_int_equal(mem_free(fd, before.id), 0);
	assert_int_equal(self_resume(fd, waves[0].vmid), 0);
	finish_blocked(thread, &s, &job);
	assert_true(until(is_free, &before, DEADLINE_S));
	assert_int_equal(mem_alloc(fd, &b, 0, PAGE), 0);
	close(fd);
	be(USER, true);
}

/* ------------------------------------- the VMID is released during calls */

/* The VMID of the session's target is reserved for a watch. */
static int set_watch(int fd, struct amdgpudbg_watch_set *watch)
{
	*watch = (struct amdgpudbg_watch_set){
		.size = sizeof(*watch), .address = 1 << 20, .bytes = PAGE,
	};
	return self_call(fd, AMDGPUDBG_IOC_WATCH_SET, watch);
}

/* A session that has had the VMID is closed. */
static int close_with_watch(void *unused)
{
	struct amdgpudbg_watch_set watch;
	int fd = session(), ret = set_watch(fd, &watch);

	(void)unused;
	close(fd);
	return ret;
}

static int clear_the_watch(void *arg)
{
	struct amdgpudbg_watch_clear clear = { .size = sizeof(clear) };
	struct amdgpudbg_watch_set watch;
	int fd = *(int *)arg, ret = set_watch(fd, &watch);

	clear.id = watch.id;
	return ret ? ret : self_call(fd, AMDGPUDBG_IOC_WATCH_CLEAR, &clear);
}

static int list_all(void *unused)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.entry_size = sizeof(waves[0]),
		.capacity = NUM_WAVES,
		.waves = (uintptr_t)waves,
	};
	int fd = session(), ret = self_call(fd, AMDGPUDBG_IOC_WAVE_LIST, &list);

	(void)unused;
	close(fd);
	return ret;
}

/*
 * Do what gives the VMID back, in a child. If that does not end, nothing that follows
 * does: this process ends then, and with it the thread that holds the lock.
 */
static void give_back_while_blocked(int (*how)(void *), void *arg)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		_exit(-how(arg));
	if (!until(child_has_ended, &pid, 60)) {
		fprintf(stderr, "# The call that gives the VMID back does not end.\n");
		_exit(1);
	}
	assert_int_equal(pid, 0);
}

/* Only amdgpu of Linux 6.1 takes the lock of the address space to give a VMID back. */
static bool vmid_waits_for_lock(void)
{
	struct utsname name;

	return !uname(&name) && !strncmp(name.release, "6.1.", 4);
}

static bool can_watch(void *arg)
{
	struct amdgpudbg_watch_set watch;

	return !set_watch(*(int *)arg, &watch);
}

static void vmid_is_given_back(int (*how)(void *), bool look_at_others)
{
	int fd = session(), drm = open(RENDER, O_RDWR | O_CLOEXEC), other;
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_watch_set watch;
	struct submitter s = { .num = 0 };
	pthread_t thread;
	struct gpu_job job;

	assert_true(drm >= 0);
	other = open_session(drm);
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), NUM_WAVES);
	assert_int_equal(pthread_create(&thread, NULL, submit_many, &s), 0);
	assert_true(until(waits_in_cs, &s, DEADLINE_S));

	give_back_while_blocked(how, &fd);
	assert_int_equal(child_run(get_info, NULL), 0);
	assert_int_equal(child_run(list_all, NULL), 0);
	/* The VMID counts as reserved until it is given back, and not longer. */
	if (look_at_others && vmid_waits_for_lock()) {
		assert_int_equal(set_watch(other, &watch), -EBUSY);
		assert_busy(other, AMDGPUDBG_BUSY_VMID_SESSION, 0);
	}
	/* All of that has happened before the target could continue. */
	assert_true(waits_in_cs(&s));

	assert_int_equal(self_resume(fd, waves[0].vmid), 0);
	finish_blocked(thread, &s, &job);
	assert_true(until(can_watch, &other, DEADLINE_S));
	close(other);
	close(drm);
	close(fd);
}

/*
 * A target waits in DRM_AMDGPU_CS with the lock of its address space, for a job whose waves
 * are halted. Its VMID is given back then, by a call and by the end of a session. Other
 * callers must not wait for the target.
 */
void a_vmid_is_given_back_while_its_target_is_blocked(void **state)
{
	(void)state;
	be(ROOT, true);
	vmid_is_given_back(clear_the_watch, true);
	vmid_is_given_back(close_with_watch, false);
	be(USER, true);
}

/* ---------------------------------------------- the caller's page never comes */

/**
 * struct slow_reader - a thread that reads memory to a page that is not there
 * @va: from where
 * @page: to where
 * @ret: what the call gave
 */
struct slow_reader {
	uint64_t va;
	void *page;
	int ret;
};

static void *read_slowly(void *arg)
{
	struct slow_reader *r = arg;
	struct amdgpudbg_vm_access a = {
		.size = sizeof(a),
		.va = r->va,
		.data = (uintptr_t)r->page,
		.bytes = PAGE,
	};

	r->ret = self_call(dev, AMDGPUDBG_IOC_VM_ACCESS, &a);
	return NULL;
}

/* Unbind the driver from the GPU. */
static int unbind(void *unused)
{
	char link[256];
	ssize_t n = readlink("/sys/class/drm/renderD128/device", link,
			     sizeof(link) - 1);

	(void)unused;
	if (n < 0)
		return -errno;
	link[n] = '\0';
	return write_file("/sys/bus/pci/drivers/amdgpu/unbind",
			  strrchr(link, '/') + 1);
}

/*
 * The first half of what is read has pages, the second has none, and gets some. The
 * GPU must not be kept while the first half is copied to the caller.
 */
void a_page_that_never_comes_does_not_delay_unbind(void **state)
{
	uint64_t rw = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE;
	struct bo there, absent, room;
	struct slow_reader r;
	struct userfault u;
	pthread_t thread;
	bool ended;
	pid_t pid;

	(void)state;
	bo_new(&there, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	memset(there.cpu, 1, BO_BYTES);
	bo_new(&absent, AMDGPU_GEM_DOMAIN_CPU, 0, false);
	bo_room(&room, 2 * PAGE, false);
	assert_int_equal(bo_map(&there, 0, PAGE, room.reserved, rw), 0);
	assert_int_equal(bo_map(&absent, 0, PAGE, room.reserved + PAGE, rw), 0);
	be(ROOT, true);
	assert_int_equal(userfault_open(&u), 0);
	r = (struct slow_reader){
		.va = room.reserved + PAGE / 2, .page = u.page,
	};
	assert_int_equal(pthread_create(&thread, NULL, read_slowly, &r), 0);
	assert_int_equal(userfault_wait(&u), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(-unbind(NULL));
	ended = until(child_has_ended, &pid, 60);
	/* Or else nothing that follows works. */
	assert_int_equal(userfault_release(&u), 0);
	assert_true(until(child_has_ended, &pid, DEADLINE_S));
	pthread_join(thread, NULL);
	assert_true(ended);
	assert_int_equal(pid, 0);
	assert_int_equal(r.ret, -ENODEV);
	userfault_close(&u);
}
