/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Victims: programs of several users that run waves on the GPU, and functions by which a
 * debugger gets their DRM files.
 */
#ifndef FUZZ_VICTIMS_H
#define FUZZ_VICTIMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "../vm/guest/parts/victim.h"

#define USER_UID 1000	/* the user of the wild and gentle debuggers */
#define CONTROL_UID 1001	/* a user without debuggers */

/* Run "spin" with @items work-items. The other victims do not report their results. */
int victim_spin(struct victim *v, uid_t uid, unsigned int items);
int victim_spin_silent(struct victim *v, uid_t uid);
/* Run one short kernel after the other; the first spins for a moment. */
int victim_loop(struct victim *v, uid_t uid);
/*
 * The same without an end. With @moves, the victim at random frees the VMID that its
 * debuggers have reserved, and with it what they have set there.
 */
int victim_loop_on(struct victim *v, uid_t uid, bool moves);
/* Returns the PASID of the victim's address space, or -errno. */
int victim_pasid(const struct victim *v);
/* Returns a copy of the victim's DRM file by pidfd_getfd(), or -errno. */
int victim_drm_fd(const struct victim *v, int pidfd);
int victim_pidfd(const struct victim *v);
/* Tell the victim to end, and wait at most @ms. Returns true if it has ended. */
bool victim_let_end(struct victim *v, unsigned int ms);
/* Kill the victim; its result does not matter. */
void victim_drop(struct victim *v);

#endif /* FUZZ_VICTIMS_H */
