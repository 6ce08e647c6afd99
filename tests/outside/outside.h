/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the C programs of this folder have in common: a session, and a target.
 * Errors end the program with status 1 and a message.
 */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <linux/amdgpudbg.h>

#include <stddef.h>
#include <sys/types.h>

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* For a failed ioctl: its name, errno in words, and what its @busy says */
void fail_call(const char *what, __u32 busy) __attribute__((noreturn));

void *allocate(size_t count, size_t size);

/* A number of an argument, within the bounds */
unsigned long number(const char *text, unsigned long min, unsigned long max);

/* open_session: of /dev/amdgpudbgN */
int open_session(unsigned int gpu, struct amdgpudbg_info *info);

/* take_target: from then on the session acts on the first address space of the process */
void take_target(int session, pid_t pid, struct amdgpudbg_target_set *target);

/* num_slots: no list of waves has more records */
__u32 num_slots(const struct amdgpudbg_info *info);

#endif
