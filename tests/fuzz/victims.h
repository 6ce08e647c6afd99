/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs with waves on the GPU, of several users, and how a debugger gets at
 * their DRM files.
 */
#ifndef FUZZ_VICTIMS_H
#define FUZZ_VICTIMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "../vm/guest/victim.h"

#define USER_UID 1000	/* has a debugger */
#define CONTROL_UID 1001	/* has none */

/* "spin" with so many work-items. The others say nothing about their results. */
int victim_spin(struct victim *v, uid_t uid, unsigned int items);
int victim_spin_silent(struct victim *v, uid_t uid);
/* One short kernel after the other, first of all one that spins for a moment. */
int victim_loop(struct victim *v, uid_t uid);
/*
 * The same without an end. With @moves, it gives back the VMID that its debuggers have
 * reserved, at random, whatever they have set there.
 */
int victim_loop_on(struct victim *v, uid_t uid, bool moves);
/* The PASID of its address space, or -errno. */
int victim_pasid(const struct victim *v);
/* Its DRM file, as pidfd_getfd() gives it. -errno. */
int victim_drm_fd(const struct victim *v, int pidfd);
int victim_pidfd(const struct victim *v);
/* Let it end, and wait so long. True when it has ended. */
bool victim_let_end(struct victim *v, unsigned int ms);
/* It gets no more commands; its result does not matter. */
void victim_drop(struct victim *v);

#endif /* FUZZ_VICTIMS_H */
