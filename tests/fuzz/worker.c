// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread that makes calls. It chooses a call, fills its structure, makes and counts the
 * call, and compares the result with what the header allows.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORK_ONCE_IN 600
#define FORK_CALLS 12
#define SIGNAL_US 50000
#define TEXT_SIZE 400

static void begin(struct worker *w, enum call_id id)
{
	w->slot->call = id;
	atomic_store(&w->slot->since, now_ns());
}

/*
 * Record the end of a call that has returned @ret; errno is that of this call. Returns
 * the error or 0.
 */
static int end(struct worker *w, long ret)
{
	int err = ret < 0 ? errno : 0;
	struct slot *slot = w->slot;
	uint64_t took = now_ns() - atomic_load(&slot->since);

	atomic_store(&slot->since, 0);
	slot->total[slot->call] += took;
	if (took > slot->longest[slot->call])
		slot->longest[slot->call] = took;
	slot->count[slot->call][err < MAX_ERRNO ? err : MAX_ERRNO - 1]++;
	return err;
}

static void hex(char *text, const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && 2 * i + 3 < TEXT_SIZE; i++)
		sprintf(text + 2 * i, "%02x", p[i]);
}

static void complain(struct worker *w, enum call_id id, int err,
		     const char *what)
{
	char text[TEXT_SIZE] = "";

	if (id < NUM_IOCTLS)
		hex(text, w->slot->arg, calls[id].size);
	problem(w->process->shared, "%s, role %d: %s: %s %s", calls[id].name,
		w->process->role, err ? strerrorname_np(err) : "success", what,
		text);
}

static void check_errno(struct worker *w, enum call_id id, int err)
{
	const struct shared *shared = w->process->shared;

	if (!err || errno_is_documented(id, err) ||
	    (err == ENOTTY && !shared->there[id]))
		return;
	complain(w, id, err, "is not among its documented errors:");
}

/* Choose a session in which the call is likely to have an effect. */
static int place_of_session(struct worker *w, enum call_id id)
{
	unsigned int i, at = rng_below(&w->rng, NUM_SESSIONS);
	int with_buffer = -1;

	if (w->fresh.id)
		return w->fresh.session;
	if (rng_once_in(&w->rng, 16))
		return at;
	if (calls[id].needs_buffer)
		with_buffer = place_with_buffer(w);
	if (with_buffer >= 0)
		return with_buffer;
	if (id == CALL_MEM_ALLOC)
		for (i = 0; i < NUM_SESSIONS; i++, at = (at + 1) % NUM_SESSIONS)
			if (reaches_hostile(w->process, at))
				return at;
	if (calls[id].needs_target)
		for (i = 0; i < NUM_SESSIONS; i++, at = (at + 1) % NUM_SESSIONS)
			if (w->process->has_target[at])
				break;
	return at;
}

/*
 * Choose the descriptor for a call. @bare is set for the session that never gets a target;
 * that must be used without privilege, so a thread of root calls drop_privilege() first.
 */
static int some_session(struct worker *w, enum call_id id, bool *bare)
{
	struct process *p = w->process;

	*bare = !w->fresh.id && rng_once_in(&w->rng, 16);
	w->on_reader = !*bare && !w->fresh.id && rng_once_in(&w->rng, 16);
	w->session = *bare || w->on_reader ? -1 : place_of_session(w, id);
	if (*bare)
		return p->bare;
	return w->on_reader ? p->reader : p->sessions[w->session];
}

/*
 * True for calls that return -EBADF if the node was opened for reading only, see "General
 * rules" in the header. REG_BATCH is not one of them: it succeeds, and refuses only the
 * accesses that write.
 */
static bool needs_writing(enum call_id id, const void *arg)
{
	switch (id) {
	case CALL_WAVE_SNAPSHOT:
	case CALL_WAVE_CONTROL:
	case CALL_WAVE_BATCH:
	case CALL_MEM_ALLOC:
	case CALL_MEM_FREE:
	case CALL_TRAP_HANDLER:
	case CALL_WATCH_SET:
	case CALL_WATCH_CLEAR:
	case CALL_LAUNCH_SET:
		return true;
	case CALL_REG_ACCESS:
		return ((const struct amdgpudbg_reg_access *)arg)->flags &
		       AMDGPUDBG_REG_ACCESS_WRITE;
	case CALL_MEM_COPY:
		return ((const struct amdgpudbg_mem_copy *)arg)->flags &
		       AMDGPUDBG_MEM_COPY_WRITE;
	case CALL_VM_ACCESS:
		return ((const struct amdgpudbg_vm_access *)arg)->flags &
		       (AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_UNPATCH);
	default:
		return false;
	}
}

/* The direct system call changes this thread only; the C library would change all. */
static void drop_privilege(const struct worker *w)
{
	if (w->process->role == ROLE_ROOT)
		syscall(SYS_setresuid, -1, USER_UID, -1);
}

static void regain_privilege(const struct worker *w)
{
	if (w->process->role == ROLE_ROOT)
		syscall(SYS_setresuid, -1, 0, -1);
}

/* Returns the offset of the structure within its page. */
static size_t place(struct worker *w, size_t size)
{
	switch (rng_below(&w->rng, 24)) {
	case 0:		/* ends with the page */
		return PAGE - size;
	case 1:		/* extends into the hole after the page */
		return PAGE - 1 - rng_below(&w->rng, size);
	case 2:		/* misaligned */
		return 1 + rng_below(&w->rng, 64);
	default:
		return 0;
	}
}

/* Copy a structure into the arena, and return its address for the kernel. */
static void *write_struct(struct worker *w, enum call_id id,
			  const unsigned char *arg, size_t *offset, bool *bad)
{
	struct arena *a = &w->arena;
	size_t n = MAX_STRUCT;

	*offset = place(w, calls[id].size);
	if (*offset + n > PAGE)
		n = PAGE - *offset;
	memcpy(a->ours + *offset, arg, n);
	if (*offset + calls[id].size > PAGE)
		*bad = true;
	return a->theirs + *offset;
}

static void *odd_struct(struct worker *w)
{
	static void *const odd[] = {
		NULL, (void *)1, (void *)0x7ffffffff000,
		(void *)0xffff888000001000, (void *)UINTPTR_MAX,
	};
	unsigned int i = rng_below(&w->rng, 6);

	return i < 5 ? odd[i] : (void *)(uintptr_t)arena_hole(w);
}

static bool gives_up_events(enum call_id id, const void *arg)
{
	const struct amdgpudbg_event_enable *e = arg;

	return id == CALL_EVENT_ENABLE && !e->mask;
}

/*
 * A call that takes its descriptor gets a duplicate, because all calls of the process
 * share the original. Each worker has one number for such duplicates. Returns -1 if the
 * call takes no descriptor.
 */
static int spare_fd(struct worker *w, enum call_id id, void *arg)
{
	struct amdgpudbg_target_set *t = arg;
	int fd = SPARE_FD + (int)(w->slot - &w->process->shared->slot[0][0]);

	if (id != CALL_TARGET_SET || !(t->flags & AMDGPUDBG_TARGET_SET_TAKE_FD))
		return -1;
	fd = dup3(t->drm_fd, fd, O_CLOEXEC);
	/* Not the old number, which another thread may reuse at any time */
	t->drm_fd = fd < 0 ? NO_FD : fd;
	return fd;
}

/*
 * Remove the duplicate if the call has not taken it: it has not if its structure could not
 * be read, or if the nuisance has changed it. close() alone would wait for the jobs of the
 * target, which may wait for this process. So another call takes the descriptor: it fails
 * because of its pidfd, but has taken the descriptor before.
 */
static void end_spare(struct worker *w, int fd)
{
	struct amdgpudbg_target_set t = {
		.size = sizeof(t), .flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		.drm_fd = fd, .pidfd = NO_FD,
	};

	if (fd < 0 || fcntl(fd, F_GETFD) < 0)
		return;
	ioctl(w->process->bare, AMDGPUDBG_IOC_TARGET_SET, &t);
	close(fd);
}

/* If the target has closed its own reference, the session may now have the last one. */
static void give_back_file(struct worker *w)
{
	if (w->taken_fd >= 0)
		close(w->taken_fd);
	w->taken_fd = -1;
}

/* For the report, which shows whether the acts of the hostile target are effective */
static bool is_in_vram(int fd, const struct buffer *b)
{
	struct amdgpudbg_mapping m = { 0 };
	struct amdgpudbg_vm_list list = {
		.size = sizeof(list), .va = b->va, .bytes = b->bytes,
		.entry_size = sizeof(m), .capacity = 1,
		.mappings = (uintptr_t)&m,
	};

	return !ioctl(fd, AMDGPUDBG_IOC_VM_LIST, &list) && list.count &&
	       m.kind == AMDGPUDBG_KIND_VRAM;
}

/*
 * Announce a call to the hostile target, unless a check of the arguments must refuse it.
 * Returns true if the call was announced; then the caller must call step_end() after it.
 */
static bool announce(struct worker *w, int fd, enum call_id id, const void *arg)
{
	const struct amdgpudbg_mem_alloc *alloc = arg;
	const struct amdgpudbg_mem_copy *copy = arg;
	struct process *p = w->process;
	struct buffer b;
	int file;

	if (!reaches_hostile(p, w->session))
		return false;
	file = p->file[w->session];
	if (id == CALL_MEM_ALLOC)
		return step_begin(p->hints, STEP_ALLOC, file,
				  (alloc->bytes + PAGE - 1) & ~(PAGE - 1ull));
	if (id != CALL_MEM_COPY || !find_buffer(w, copy->id, &b) ||
	    !step_begin(p->hints, STEP_COPY, file, b.bytes))
		return false;
	if (is_in_vram(fd, &b))
		atomic_fetch_add(&p->hints->in_vram, 1);
	return true;
}

/* @shallow: make the call only if a check of its arguments must refuse it */
static void do_ioctl(struct worker *w, enum call_id id, bool shallow)
{
	unsigned char arg[MAX_STRUCT] = { 0 }, out[MAX_STRUCT];
	uint32_t flips;
	size_t offset;
	bool bare, bad, announced, same;
	void *user;
	int fd, spare, err;

	fd = some_session(w, id, &bare);
	/* The target of these two sessions must not change: bare has none, reader has one. */
	if ((bare || w->on_reader) && id == CALL_TARGET_SET)
		return;
	w->taken_file = -1;
	fill_good(w, id, arg);
	w->fresh.id = 0;
	bad = shallow ? mutate_badly(w, id, arg) : mutate(w, id, arg);
	if (shallow && !bad) {
		give_back_file(w);
		return;
	}
	guard(w, id, arg);
	spare = spare_fd(w, id, arg);
	flips = atomic_load(&w->arena.flips);
	user = write_struct(w, id, arg, &offset, &bad);
	if (rng_once_in(&w->rng, 64)) {
		user = odd_struct(w);
		bad = true;
	}
	memcpy(w->slot->arg, arg, sizeof(arg));

	announced = !bad && announce(w, fd, id, arg);
	if (bare)
		drop_privilege(w);
	begin(w, id);
	err = end(w, ioctl(fd, calls[id].nr, user));
	if (announced)
		step_end(w->process->hints);
	end_spare(w, spare);
	if (bare)
		regain_privilege(w);
	give_back_file(w);

	check_errno(w, id, err);
	if (!err)
		learn_copy(w, id, arg);
	/*
	 * Results that the nuisance may have changed are ignored, except those of TARGET_SET
	 * and MEM_ALLOC: at worst, a buffer or a target is unknown after these.
	 */
	same = flips == atomic_load(&w->arena.flips);
	if (err || (!same && id != CALL_TARGET_SET && id != CALL_MEM_ALLOC))
		return;
	if (bad && same)
		complain(w, id, 0, "although it must be refused:");
	if (bare && same && calls[id].needs_scope && !gives_up_events(id, arg))
		complain(w, id, 0, "for a user without privilege or target:");
	if (w->on_reader && same && needs_writing(id, arg))
		complain(w, id, 0, "on a node that was opened for reading only:");
	memcpy(out, w->arena.ours + offset, calls[id].size);
	learn(w, id, arg, out);
	/* Copy a new buffer at once, before another thread frees it. */
	if (w->fresh.id)
		do_ioctl(w, CALL_MEM_COPY, false);
}

/* Make ioctls with numbers and directions that resemble known ones. */
static void do_unknown(struct worker *w)
{
	unsigned long nr = calls[rng_below(&w->rng, NUM_IOCTLS)].nr;
	bool bare;

	nr ^= 1ul << rng_below(&w->rng, 32);
	if (_IOC_TYPE(nr) == AMDGPUDBG_IOC_TYPE && !_IOC_SIZE(nr) &&
	    _IOC_DIR(nr) == _IOC_NONE &&
	    _IOC_NR(nr) - AMDGPUDBG_CMD_BASE < NUM_IOCTLS)
		return;
	begin(w, CALL_UNKNOWN);
	check_errno(w, CALL_UNKNOWN,
		    end(w, ioctl(some_session(w, CALL_UNKNOWN, &bare), nr,
				 w->arena.theirs)));
}

static void do_open(struct worker *w)
{
	struct process *p = w->process;
	unsigned int i = rng_below(&w->rng, NUM_SESSIONS);
	int fd;

	begin(w, CALL_OPEN);
	fd = session_open(p);
	check_errno(w, CALL_OPEN, end(w, fd));
	if (fd < 0)
		return;
	p->has_target[i] = false;
	p->file[i] = -1;
	forget_buffers(p, i, 0);
	fd = atomic_exchange(&p->sessions[i], fd);
	begin(w, CALL_CLOSE);
	end(w, close(fd));
}

/*
 * Replace a session by a duplicate of another. That closes the former, perhaps during a
 * call of another thread.
 */
static void do_close(struct worker *w)
{
	struct process *p = w->process;
	unsigned int i = rng_below(&w->rng, NUM_SESSIONS);
	unsigned int other = rng_below(&w->rng, NUM_SESSIONS);
	int fd = fcntl(p->sessions[other], F_DUPFD_CLOEXEC, SHARED_FD);

	if (fd < 0)
		return;
	p->has_target[i] = p->has_target[other];
	p->birth[i] = p->birth[other];
	p->file[i] = p->file[other];
	forget_buffers(p, i, 0);
	fd = atomic_exchange(&p->sessions[i], fd);
	begin(w, CALL_CLOSE);
	end(w, close(fd));
}

static void do_read(struct worker *w)
{
	static const size_t lengths[] = {
		0, 1, sizeof(struct amdgpudbg_event) - 1,
		sizeof(struct amdgpudbg_event), 4096, 100000,
	};
	size_t len = lengths[rng_below(&w->rng, 6)];
	__u64 addr;
	bool bare;
	int fd = some_session(w, CALL_READ, &bare), flags;
	uint32_t flips = atomic_load(&w->arena.flips);
	ssize_t n;
	void *buf;

	buf = arena_array(w, len, &addr);
	if (rng_once_in(&w->rng, 8))
		addr = arena_hole(w);
	flags = fcntl(fd, F_GETFL);
	if (flags >= 0)
		fcntl(fd, F_SETFL, rng_once_in(&w->rng, 8) ?
		      flags & ~O_NONBLOCK : flags | O_NONBLOCK);
	begin(w, CALL_READ);
	n = read(fd, (void *)(uintptr_t)addr, len);
	check_errno(w, CALL_READ, end(w, n));
	if (n > 0 && flips == atomic_load(&w->arena.flips))
		learn_events(w, buf, n);
}

static void do_poll(struct worker *w)
{
	struct pollfd pfd[2];
	bool bare;

	pfd[0] = (struct pollfd){
		.fd = some_session(w, CALL_POLL, &bare), .events = -1,
	};
	pfd[1] = (struct pollfd){
		.fd = some_session(w, CALL_POLL, &bare), .events = POLLIN,
	};
	begin(w, CALL_POLL);
	check_errno(w, CALL_POLL, end(w, poll(pfd, 2, rng_below(&w->rng, 3))));
}

static enum call_id choose(struct worker *w)
{
	static unsigned int total;
	unsigned int i, at;

	if (!total)
		for (i = 0; i < NUM_CALLS; i++)
			total += calls[i].weight;
	at = rng_below(&w->rng, total);
	for (i = 0; at >= calls[i].weight; i++)
		at -= calls[i].weight;
	return i;
}

/* Take a file of the hostile target as a target, as it replaces its files frequently. */
static void find_hostile(struct worker *w)
{
	int i;

	if (!w->process->hints)
		return;
	for (i = 0; i < NUM_SESSIONS; i++)
		if (reaches_hostile(w->process, i))
			return;
	w->wants_hostile = true;
	do_ioctl(w, CALL_TARGET_SET, false);
	w->wants_hostile = false;
}

static void do_call(struct worker *w)
{
	enum call_id id = choose(w);

	if (id == CALL_MEM_ALLOC)
		find_hostile(w);
	switch (id) {
	case CALL_UNKNOWN:
		do_unknown(w);
		break;
	case CALL_OPEN:
		do_open(w);
		break;
	case CALL_CLOSE:
		do_close(w);
		break;
	case CALL_READ:
		do_read(w);
		break;
	case CALL_POLL:
		do_poll(w);
		break;
	default:
		do_ioctl(w, id, false);
	}
}

/*
 * A child sends signals to itself: the nuisance exists in the parent only, and without
 * signals, a read() could wait for an event for ever.
 */
static void send_signals_to_self(void)
{
	const struct itimerval often = {
		.it_interval.tv_usec = SIGNAL_US,
		.it_value.tv_usec = SIGNAL_US,
	};

	setitimer(ITIMER_REAL, &often, NULL);
}

/* Fork a child that makes calls on the sessions that it inherits, and kill it sometimes. */
static void do_fork(struct worker *w)
{
	unsigned int i, turns = rng_below(&w->rng, 64);
	bool kill_it = rng_once_in(&w->rng, 2);
	pid_t pid = fork();

	if (pid < 0)
		return;
	if (pid == 0) {
		/* Another thread may have held the lock at fork(); it does not exist here. */
		pthread_mutex_init(&w->process->lock, NULL);
		w->slot->tid = getpid();
		send_signals_to_self();
		for (i = 0; i < FORK_CALLS; i++)
			do_call(w);
		_exit(0);
	}
	if (kill_it) {
		for (i = 0; i < turns; i++)
			sched_yield();
		kill(pid, END_SIGNAL);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	w->slot->tid = w->tid;
	/* The child may have been killed during a call. */
	atomic_store(&w->slot->since, 0);
}

void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct process *p = w->process;
	unsigned int i, j;

	w->tid = syscall(SYS_gettid);
	w->slot->tid = w->tid;
	for (i = 0; i < p->calls && !atomic_load(&p->shared->stop); i++) {
		do_call(w);
		for (j = 0; j < p->shallow; j++)
			do_ioctl(w, rng_below(&w->rng, NUM_IOCTLS), true);
		if (rng_once_in(&w->rng, FORK_ONCE_IN))
			do_fork(w);
	}
	w->ended = true;
	return NULL;
}
