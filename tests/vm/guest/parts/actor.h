/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of several users, each with a GPU program, that execute a test's orders. Their
 * kernel is trap_wait of tests/kernels/traps.cl, whose result is wrong if a trap handler was
 * executed that is not the program's.
 */
#ifndef GUEST_ACTOR_H
#define GUEST_ACTOR_H

#include <stdint.h>
#include <sys/types.h>

#include "truth.h"

/* An answer is 0 or -errno if nothing else is said. */
enum actor_order {
	ACTOR_NOTHING,
	ACTOR_SPIN,	/* start a job of @arg groups; answer when some have begun */
	ACTOR_SUBMIT,	/* the same, and answer at once */
	ACTOR_END,	/* let it end; -ETIME: it did not, -EIO: a wrong result */
	ACTOR_RUN,	/* @arg jobs, one after the other; as ACTOR_END */
	/*
	 * Run jobs until the next order; returns their number. Each may end as soon as it
	 * has begun, so that jobs of others can run in between.
	 */
	ACTOR_LOOP,
	ACTOR_RESERVE,	/* AMDGPU_VM_OP_RESERVE_VMID on its own file */
	ACTOR_UNRESERVE,
	ACTOR_MAP,	/* the first page of its gift at @arg, executable */
	ACTOR_MAP_DATA,	/* the second page at @arg */
	ACTOR_UNMAP,	/* what is at @arg */
	ACTOR_EXIT,	/* does not answer */
};

/* Two to a WGP: so many groups of a job can be there at once, by their LDS. */
#define ACTOR_GROUPS_AT_ONCE 8
#define ACTOR_MAX_GROUPS (2 * ACTOR_GROUPS_AT_ONCE)

struct actor {
	/* By the caller: */
	uid_t uid;
	bool urgent;		/* uses the compute ring of high priority: root */
	int gift;		/* a dma-buf of two pages, or -1 */

	pid_t pid;
	int fd;			/* our end of its socket */
	uint32_t pasid;
	int drm_fd;		/* number of its DRM file, in the actor */
	uint64_t memory;	/* GPU address of what all its waves write */
	struct truth_history begun[MAX_VMIDS];
};

/* As root. 0 or -errno. */
int actor_start(struct actor *a);
/* Kill it, whatever it does. */
void actor_kill(struct actor *a);
/* Let it end by itself. 0, or -ECHILD if it did so otherwise. */
int actor_exit(struct actor *a);

/* One order; what it answers, or -ETIME if it does not. */
int actor_call(struct actor *a, enum actor_order order, uint64_t arg);
/* The same in two parts. */
void actor_send(struct actor *a, enum actor_order order, uint64_t arg);
int actor_answer(struct actor *a);

/* What has happened to its waves in each VMID since it was started. */
void actor_history(const struct actor *a, struct truth_history h[MAX_VMIDS]);

#endif /* GUEST_ACTOR_H */
