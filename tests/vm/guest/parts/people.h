/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets a test act as several users: root, and those of the guest's /etc/passwd. Also reads, as
 * root, all waves of the GPU, independent of their owners.
 */
#ifndef GUEST_PEOPLE_H
#define GUEST_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#define ROOT 0
#define USER 1000
#define OTHER 1001

/* of /etc/group */
#define GROUP_RENDER 106

/*
 * From now on this process is @uid, without any capability unless that is root,
 * and in the group of the GPU's nodes if @in_group. It can become anybody else
 * again. Ends the program on failure.
 */
void be(uid_t uid, bool in_group);
/* The same in a child that will not be anybody else ever again. */
void be_for_good(uid_t uid, bool in_group);

/* PASID of the only DRM client of a process; 0: it has none, or several. */
uint32_t pasid_of(pid_t pid);

/*
 * As root: the live waves of @pasid, or of all if that is 0. Up to @max of them
 * go to @waves. Returns how many there are.
 */
unsigned int see_waves(uint32_t pasid, struct amdgpudbg_wave *waves,
		       unsigned int max);
/* As root: how many of them are halted. */
unsigned int see_halted(uint32_t pasid);

#endif /* GUEST_PEOPLE_H */
