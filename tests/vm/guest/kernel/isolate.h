/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "isolate": three processes of three users always have waves on the GPU. A test
 * begins as USER. Unless stated otherwise, a failure ends the test.
 */
#ifndef GUEST_ISOLATE_H
#define GUEST_ISOLATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#include "array_size.h"
#include "people.h"
#include "victim.h"

#define RENDER "/dev/dri/renderD128"
#define WAVES 2			/* of 32 work-items, see start() */
#define MAX_WAVES 64

struct person {
	uid_t uid;
	unsigned int ring;
	struct victim victim;
	uint32_t pasid;
};

extern struct person root, user, other;
/* What was seen last */
extern struct amdgpudbg_wave waves[MAX_WAVES];

int set_up(void **state);
/* Check that all results are correct in the end. */
int take_down(void **state);
int each_test_begins(void **state);
int each_test_ends(void **state);

/* As root from then on: another process with waves. 0 or -1. */
int start(struct person *p);
/* In a child: a process that has the GPU open. */
pid_t start_bystander(bool dumpable);
/* All its waves are there, and none is halted. */
void assert_runs(const struct person *p);
uint32_t vmid_of(const struct person *p);

struct adbg_session *open_session(void);
/* A session whose target is @p. */
struct adbg_session *open_on(const struct person *p);
/* A duplicate of the only DRM file of @p. */
int file_of(const struct person *p, int pidfd);
/* 0 or -errno */
int set_target(struct adbg_session *session, int drm_fd, int pidfd);
int list(struct adbg_session *session, unsigned int *count);
/* All waves of @vmid. */
int control(struct adbg_session *session, enum amdgpudbg_waveop op,
	    uint32_t vmid);
/* The session sees the waves of @p, and no others. */
void assert_sees_only(struct adbg_session *session, const struct person *p);
/* All waves of @p; @session may. */
void halt(struct adbg_session *session, const struct person *p);
void resume(struct adbg_session *session, const struct person *p);

/* isolate_target.c: what is no target, and the end of one */
void files_of_other_kinds_are_no_target(void **state);
void files_of_other_kinds_are_no_pidfd(void **state);
void reopening_a_descriptor_gives_no_access(void **state);
void the_session_ends_with_its_target(void **state);
void a_pasid_that_is_used_again_is_not_seen(void **state);
void the_pidfd_of_another_process_only_ends_it(void **state);

/* isolate_calls.c: all calls, on what is foreign */
void without_a_target_nothing_can_be_done(void **state);
void with_a_target_nothing_can_be_done_to_others(void **state);
void waves_halted_by_root_stay_halted(void **state);

#endif /* GUEST_ISOLATE_H */
