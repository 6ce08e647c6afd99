/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stages in which a debugger can be when it dies.
 */
#ifndef GUEST_DEATH_H
#define GUEST_DEATH_H

#include <stdbool.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#define DEATH_MAX_WAVES 64

/*
 * The victim's waves that run in a loop. While a target has waves, memory that is
 * no longer needed stays, and Linux 6.1 waits for up to two seconds when a
 * VMID is released.
 */
enum stage_waves {
	WAVES_STAY,		/* all the time */
	WAVES_END,		/* at the debugger's death; then new ones begin */
	WAVES_ARE_GONE,		/* all the time, and begin after its death */
};

struct stage {
	const char *name;
	bool as_root;		/* else as the user whose process it is */
	bool whole_gpu;		/* without a target */
	enum stage_waves waves;
	/* Get there. 0 or -errno. */
	int (*reach)(struct adbg_session *session);
	/* When the job has begun, or NULL. 0 or -errno. */
	int (*then)(struct adbg_session *session);
	/* Done again and again until death, or NULL. 0 or -errno. */
	int (*again)(struct adbg_session *session);
	/* A job that is begun after reach(), as death.c lists them, or 0. */
	char job;
	/* The waves of that job do not start, or are halted soon. */
	bool stops_new;
	bool halts_new;
	/* It can be seen that something is another way than it was. */
	bool shows;
	/* It has the VMID that can be reserved. */
	bool reserves;
	/* There is, or was, memory, which stays for a while. */
	bool memory;
};

extern const struct stage stages[];
extern const unsigned int num_stages;

#endif /* GUEST_DEATH_H */
