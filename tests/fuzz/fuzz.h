/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the fuzzer share. One supervisor (main.c) starts victims
 * and, for each round, one process per role (process.c); each of those has
 * workers that make calls (worker.c) and a nuisance that disturbs them
 * (nuisance.c).
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "../vm/guest/until.h"
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

/* What a worker is doing, and has counted. In memory that all processes share. */
struct slot {
	_Atomic uint64_t since;		/* ns; 0 between calls */
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
 * A worker's memory for the kernel, mapped twice: a worker writes through @ours,
 * the kernel is given addresses in @theirs, which the nuisance takes away now
 * and then. One page for the structure, a hole, pages for arrays, a hole.
 */
struct arena {
	int memfd;
	unsigned char *ours;
	unsigned char *theirs;
	size_t used;		/* of the arrays, by this call */
	_Atomic uint32_t flips;	/* times that the nuisance has changed content */
};

#define PAGE 4096u
#define ARENA_DATA (2 * PAGE)
#define ARENA_DATA_SIZE (96 * PAGE)
#define ARENA_SIZE (ARENA_DATA + ARENA_DATA_SIZE + PAGE)

struct process;

struct buffer {
	int session;		/* place of the session that has it */
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
	int session;		/* of this call: its place, -1: bare or reader */
	bool on_reader;		/* this call is made on the process's reader */
	int taken_fd;		/* of this call: a file of the hostile target, or -1 */
	int taken_file;		/* and which one of it; -1: none */
	uint32_t taken_birth;	/* which had that place */
	bool wants_hostile;	/* TARGET_SET is to take one of these */
	struct buffer fresh;	/* was just made, and is copied next; id 0: none */
};

/* One process of a round, and what its threads know together. */
struct process {
	enum role role;
	struct shared *shared;
	struct rng rng;
	struct amdgpudbg_info info;
	unsigned int calls;		/* to make, by each worker */
	unsigned int shallow;		/* others after each of those */
	unsigned int odd;		/* one in so many has odd arguments */
	uint32_t control_vmid;		/* no call acts on it */
	uint32_t gentle_vmids;		/* no call harms them */
	int drm_fds[MAX_FDS];		/* of its victims */
	int pidfds[MAX_FDS];		/* of its victims */
	unsigned int num_victims;
	int hostile;			/* pidfd of the hostile target; 0: has none */
	struct hints *hints;		/* for it */
	int odd_fds[MAX_FDS];		/* files that are nothing of the kind */
	unsigned int num_odd_fds;

	_Atomic int sessions[NUM_SESSIONS];
	_Atomic bool has_target[NUM_SESSIONS];	/* as far as is known */
	_Atomic int file[NUM_SESSIONS];	/* which one of the hostile target; -1: none */
	_Atomic uint32_t birth[NUM_SESSIONS];	/* and which had that place */
	int bare;			/* a session that never gets a target */
	int reader;			/* opened for reading only, with a target */
	_Atomic unsigned int next_fd;

	pthread_mutex_t lock;
	struct amdgpudbg_wave waves[MAX_WAVES];
	unsigned int num_waves;
	struct buffer buffers[MAX_BUFFERS];
	unsigned int num_buffers;	/* ever */

	struct worker workers[NUM_WORKERS];
};

__attribute__((format(printf, 2, 3)))
void problem(struct shared *shared, const char *fmt, ...);

/* arena.c */
int arena_map(struct arena *a);
void arena_restore(struct arena *a);
/* An array for the kernel: where to write it, and in @addr what to tell. */
void *arena_array(struct worker *w, size_t bytes, __u64 *addr);
/* Where an address that arena_array() told can be read. NULL: not there. */
void *arena_at(struct worker *w, uint64_t addr, size_t bytes);
uint64_t arena_hole(const struct worker *w);

/* The place of a session that has a buffer, or -1. */
int place_with_buffer(struct worker *w);
/* Has the hostile target the file that a session has as its target? */
bool reaches_hostile(const struct process *p, int session);
/* One of this call's session */
bool find_buffer(struct worker *w, uint32_t id, struct buffer *b);
/* good.c: fill a structure so that the call may well succeed */
void fill_good(struct worker *w, enum call_id id, void *arg);
void fill_good_batch(struct worker *w, struct amdgpudbg_wave_batch *batch);
void fill_good_control(struct worker *w, struct amdgpudbg_wave_control *wc);
void fill_good_regs(struct worker *w, struct amdgpudbg_reg_access *ra);

/* mutate.c: true when the kernel must refuse what it has become */
bool mutate(struct worker *w, enum call_id id, void *arg);
/* With one member that is wrong for sure; false if it did not come to that. */
bool mutate_badly(struct worker *w, enum call_id id, void *arg);
bool mutate_member(struct worker *w, const struct call *call, void *arg,
		   const struct member *m);
uint64_t odd_number(struct rng *r);

/* guard.c: take out what would harm those who must not be harmed */
void guard(struct worker *w, enum call_id id, void *arg);

/* learn.c: memory of another user must not be in what a call has read. */
void learn_copy(struct worker *w, enum call_id id, const void *in);
/* What a call @in that succeeded tells by @arg, and whether it may */
void learn(struct worker *w, enum call_id id, const void *in, const void *arg);
/* The same of what read() has given. */
void learn_events(struct worker *w, const void *buf, size_t len);

/* A session has no buffers any more (@id 0), or not that one. */
void forget_buffers(struct process *p, int session, uint32_t id);

/* worker.c */
void *worker_main(void *worker);
/* nuisance.c */
void *nuisance_main(void *process);
/* process.c: does not return */
void process_main(struct process *p);
int session_open(struct process *p);

#endif /* FUZZ_FUZZ_H */
