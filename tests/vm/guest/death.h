/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a debugger may be in the middle of when it dies.
 */
#ifndef GUEST_DEATH_H
#define GUEST_DEATH_H

#include <stdbool.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#define DEATH_MAX_WAVES 64

struct stage {
	const char *name;
	bool as_root;		/* else as the user whose process it is */
	bool whole_gpu;		/* without a target */
	/* Get there. 0 or -errno. */
	int (*reach)(struct adbg_session *session);
	/* Done again and again until death, or NULL. 0 or -errno. */
	int (*again)(struct adbg_session *session);
	/* The waves of a job that is begun then do not start, or halted. */
	bool stops_new;
	bool halts_new;
	/* It can be seen that something is another way than it was. */
	bool shows;
};

extern const struct stage stages[];
extern const unsigned int num_stages;

#endif /* GUEST_DEATH_H */
