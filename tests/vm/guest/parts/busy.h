/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a call has returned -EBUSY, as AMDGPUDBG_IOC_GET_BUSY reports it.
 */
#ifndef GUEST_BUSY_H
#define GUEST_BUSY_H

#include <sys/types.h>

#include <linux/amdgpudbg.h>

/* Of session @fd, whatever it is. What fails here ends the test. */
struct amdgpudbg_busy busy_of(int fd);

/*
 * Check that the last -EBUSY of session @fd is reported with @cause and @pid, and with
 * nothing else: no jobs, and a time only with HALT_EXPIRED. AMDGPUDBG_BUSY_NONE: there was
 * none. Returns the report.
 */
#define assert_busy(fd, cause, pid) \
	busy_assert(fd, cause, pid, __FILE__, __LINE__)
/* The same of AMDGPUDBG_BUSY_VMID_JOBS; which VMID, and whose jobs, is in what it returns. */
#define assert_busy_jobs(fd) busy_assert_jobs(fd, __FILE__, __LINE__)

struct amdgpudbg_busy busy_assert(int fd, enum amdgpudbg_busy_cause cause,
				  pid_t pid, const char *file, int line);
struct amdgpudbg_busy busy_assert_jobs(int fd, const char *file, int line);

#endif /* GUEST_BUSY_H */
