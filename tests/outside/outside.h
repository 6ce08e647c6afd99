/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the C programs of this folder share: they open a session and set its
 * target. An error ends the program with status 1 and a message.
 */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <linux/amdgpudbg.h>

#include <stddef.h>
#include <sys/types.h>

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Report a failed ioctl: print its name, errno in words, and the meaning of its @busy. */
void fail_call(const char *what, __u32 busy) __attribute__((noreturn));

void *allocate(size_t count, size_t size);

/* Convert an argument to a number within the bounds. */
unsigned long number(const char *text, unsigned long min, unsigned long max);

/* open_session: open /dev/amdgpudbgN, where N is @gpu, and read the GPU's properties */
int open_session(unsigned int gpu, struct amdgpudbg_info *info);

/* take_target: from then on the session acts on the first address space of the process */
void take_target(int session, pid_t pid, struct amdgpudbg_target_set *target);

/* num_slots: no list of waves has more records */
__u32 num_slots(const struct amdgpudbg_info *info);

#endif
