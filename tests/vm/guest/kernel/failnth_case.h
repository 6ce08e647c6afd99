/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls in which faults are injected, and the state that each of them needs.
 */
#ifndef GUEST_FAILNTH_CASE_H
#define GUEST_FAILNTH_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/amdgpudbg.h>

#include "fuzz/abi.h"
#include "fuzz/victims.h"
#include "self.h"

#define VICTIM_WAVES 8

/* Whose waves a case's session is about. */
enum scope {
	NO_SESSION,
	WHOLE_GPU,
	THE_VICTIM,	/* whose waves run all the time */
	OURSELVES,	/* world.self, which runs nothing unless the case says so */
};

struct world {
	struct victim victim;
	int pidfd;
	int drm_fd;		/* the victim's */
	struct self self;
	int session;		/* of the case, or -1 */
	uint32_t vmid;		/* of the victim's waves */
	struct amdgpudbg_wave waves[VICTIM_WAVES];
};

extern struct world world;

/**
 * struct fault_case - a call that can succeed again and again
 * @name: for the reader
 * @call: which, for the errors that are documented
 * @also: one more error that it may give
 * @scope: of the session, which is there before @set_up
 * @set_up: once, before the first call
 * @run: the call, and no other system call; 0 or -errno
 * @undo: after a call that succeeded: all is as after @set_up. 0 or -errno
 * @take_down: once, in the end; the session is closed afterwards
 * @probe: what only the interface itself can tell, as a number
 * @changes: it can be seen that it succeeded
 * @late: -EFAULT may come when all is done, and is then to be undone as a
 *	success: the structure could not be written back
 * @reserves: a VMID, which is none before, nor after a failure
 *
 * All but @name, @call and @run may be left out.
 */
struct fault_case {
	const char *name;
	enum call_id call;
	int also;
	enum scope scope;
	int (*set_up)(void);
	int (*run)(void);
	int (*undo)(void);
	int (*take_down)(void);
	uint64_t (*probe)(void);
	bool changes;
	bool late;
	bool reserves;
};

extern const struct fault_case wave_cases[], lease_cases[];
extern const unsigned int num_wave_cases, num_lease_cases;

/* An ioctl of the case's session. 0 or -errno. */
int do_ioctl(unsigned long nr, void *arg);
/* An operation on wave @i of the victim, its WGP, or all, as @mode says. */
int control(uint32_t op, uint32_t mode, unsigned int i, uint32_t flags);

#endif /* GUEST_FAILNTH_CASE_H */
