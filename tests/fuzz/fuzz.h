/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the parts of the fuzzer share. One supervisor (main.c) starts the
 * victims and, in each round (round.c), one process per role (process.c). Each of these
 * processes has several workers, which make calls (worker.c), and one nuisance, a thread
 * that disturbs the workers during their calls (nuisance.c).
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "../vm/guest/parts/until.h"
#include "abi.h"
#include "hostile.h"
#include "rng.h"

#define NODE "/dev/amdgpudbg0"
#define NUM_VMID 16
#define NUM_WORKERS 3
#define NUM_SESSIONS 6
#define MAX_FDS 8

/*
 * Ranges of descriptor numbers, one for each kind of file, so that a call on a file that
 * another thread has closed cannot use a file of another kind. The numbers of sessions are
 * not reused soon. The C library and amdgpu use lower numbers.
 */
#define SESSION_FD 100
#define NUM_SESSION_FDS 400
#define SPARE_FD 500		/* one for each worker of all roles */
#define SHARED_FD 600		/* duplicates of sessions */
#define NO_FD 9999		/* never open */

/*
 * What ends processes that have a DRM file which others use, too. Its default action is that of
 * SIGKILL, but SIGKILL itself makes amdgpu disable the contexts of a file that other processes
 * still use (drm_sched_entity_flush() of Linux 6.1). A job that one of these submits afterwards
 * ("Trying to push to a killed entity") never ends, and nor does what waits for it: moves of
 * buffers, and the close of other files, which holds drm_global_mutex, so that this file cannot be
 * closed.
 */
#define END_SIGNAL SIGHUP

#define MAX_WAVES 48
#define MAX_BUFFERS 16

/*
 * The role of a process. A wild process may do anything to its own victims. A gentle one
 * does to its victim only what must not change the victim's results. Root also acts on the
 * whole GPU, but not on the victims of the gentle processes and of the control process.
 */
enum role {
	ROLE_ROOT,
	ROLE_WILD,
	ROLE_GENTLE,
	NUM_ROLES,
};

/*
 * The call that a worker makes at the moment, and its counts. The slots are in memory that
 * all processes share, so that the supervisor sees them and they outlast a killed process.
 */
struct slot {
	_Atomic uint64_t since;		/* ns: when the call began; 0 between calls */
	enum call_id call;
	pid_t tid;
	unsigned char arg[MAX_STRUCT];
	uint64_t longest[NUM_CALLS];	/* ns */
	uint64_t total[NUM_CALLS];	/* ns */
	uint64_t count[NUM_CALLS][MAX_ERRNO];
};

#define MAX_PROBLEMS 32

struct shared {
	_Atomic bool stop;
	_Atomic unsigned int num_problems;
	char problem[MAX_PROBLEMS][512];
	bool there[NUM_CALLS];		/* the kernel knows this ioctl */
	struct slot slot[NUM_ROLES][NUM_WORKERS];
};

/*
 * The memory of a worker that the kernel reads and writes. It is mapped twice: the worker
 * uses @ours, and passes addresses in @theirs to the kernel. The nuisance unmaps or
 * protects pages of @theirs at random, and the worker can still read and write all of it.
 * The layout is one page for the structure, a hole, pages for arrays, and another hole.
 */
struct arena {
	int memfd;
	unsigned char *ours;
	unsigned char *theirs;
	size_t used;		/* bytes of the array pages that this call uses */
	_Atomic uint32_t flips;	/* incremented before and after each change by the nuisance */
};

#define PAGE 4096u
#define ARENA_DATA (2 * PAGE)
#define ARENA_DATA_SIZE (96 * PAGE)
#define ARENA_SIZE (ARENA_DATA + ARENA_DATA_SIZE + PAGE)

struct process;

struct buffer {
	int session;		/* the owner's index in process.sessions */
	uint32_t id;
	uint64_t va, bytes;
};

struct worker {
	struct process *process;
	struct slot *slot;
	struct rng rng;
	struct arena arena;
	pthread_t thread;
	_Atomic pid_t tid;
	_Atomic bool ended;
	int session;		/* this call's index in sessions; -1: bare or reader */
	bool on_reader;		/* this call uses the process's reader */
	int taken_fd;		/* this call's file of the hostile target, or -1 */
	int taken_file;		/* which of the target's files that is; -1: none */
	uint32_t taken_birth;	/* the value of hints.birth for that file */
	bool wants_hostile;	/* the next TARGET_SET takes a file of the hostile target */
	struct buffer fresh;	/* allocated just now, and copied next; id 0: none */
};

/* One process of a round, and what its threads share. */
struct process {
	enum role role;
	struct shared *shared;
	struct rng rng;
	struct amdgpudbg_info info;
	unsigned int calls;		/* number of calls that each worker makes */
	unsigned int shallow;		/* calls after each of those that must be refused */
	unsigned int odd;		/* one in this many calls has odd arguments */
	uint32_t control_vmid;		/* no call acts on this VMID */
	uint32_t gentle_vmids;		/* no call harms the waves of these VMIDs */
	int drm_fds[MAX_FDS];		/* DRM files of its victims */
	int pidfds[MAX_FDS];		/* pidfds of its victims */
	unsigned int num_victims;
	int hostile;			/* pidfd of the hostile target; 0: there is none */
	struct hints *hints;		/* for the hostile target */
	int odd_fds[MAX_FDS];		/* files that are neither DRM files nor pidfds of victims */
	unsigned int num_odd_fds;

	_Atomic int sessions[NUM_SESSIONS];
	_Atomic bool has_target[NUM_SESSIONS];	/* as far as the workers know */
	_Atomic int file[NUM_SESSIONS];	/* the hostile target's file; -1: none */
	_Atomic uint32_t birth[NUM_SESSIONS];	/* the value of hints.birth for it */
	int bare;			/* a session that never gets a target */
	int reader;			/* opened for reading only, with a target */
	_Atomic unsigned int next_fd;

	pthread_mutex_t lock;
	struct amdgpudbg_wave waves[MAX_WAVES];
	unsigned int num_waves;
	struct buffer buffers[MAX_BUFFERS];
	unsigned int num_buffers;	/* all that were allocated so far; buffers is a ring */

	struct worker workers[NUM_WORKERS];
};

__attribute__((format(printf, 2, 3)))
void problem(struct shared *shared, const char *fmt, ...);

/* arena.c */
int arena_map(struct arena *a);
void arena_restore(struct arena *a);
/* Allocate an array: returns where to write it, and in @addr the address for the kernel. */
void *arena_array(struct worker *w, size_t bytes, __u64 *addr);
/* Where the worker can read an address that the kernel got; NULL: outside of the arena. */
void *arena_at(struct worker *w, uint64_t addr, size_t bytes);
uint64_t arena_hole(const struct worker *w);

/* Returns the index of a session that has a buffer, or -1. */
int place_with_buffer(struct worker *w);
/* True if the hostile target still has the file that is the target of a session. */
bool reaches_hostile(const struct process *p, int session);
/* Find a buffer of the session that this call uses. */
bool find_buffer(struct worker *w, uint32_t id, struct buffer *b);
/* good.c: fill a structure so that the call can succeed. */
void fill_good(struct worker *w, enum call_id id, void *arg);
void fill_good_batch(struct worker *w, struct amdgpudbg_wave_batch *batch);
void fill_good_control(struct worker *w, struct amdgpudbg_wave_control *wc);
void fill_good_regs(struct worker *w, struct amdgpudbg_reg_access *ra);

/* mutate.c: change some members. Returns true if the kernel must refuse the result. */
bool mutate(struct worker *w, enum call_id id, void *arg);
/* Make one member certainly wrong; returns false if that did not succeed. */
bool mutate_badly(struct worker *w, enum call_id id, void *arg);
bool mutate_member(struct worker *w, const struct call *call, void *arg,
		   const struct member *m);
uint64_t odd_number(struct rng *r);

/* guard.c: remove from a call what would harm programs that must not be harmed. */
void guard(struct worker *w, enum call_id id, void *arg);

/* learn.c: check that a call has not read memory of another user. */
void learn_copy(struct worker *w, enum call_id id, const void *in);
/* Learn from the result @arg of the successful call @in, and check that it is allowed. */
void learn(struct worker *w, enum call_id id, const void *in, const void *arg);
/* The same for the events that read() has returned. */
void learn_events(struct worker *w, const void *buf, size_t len);

/* Record that a session has lost buffer @id, or all its buffers if @id is 0. */
void forget_buffers(struct process *p, int session, uint32_t id);

/* worker.c */
void *worker_main(void *worker);
/* nuisance.c */
void *nuisance_main(void *process);
/* process.c: does not return */
void process_main(struct process *p);
int session_open(struct process *p);

#endif /* FUZZ_FUZZ_H */
