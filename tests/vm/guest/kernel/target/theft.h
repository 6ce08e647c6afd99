/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "theft": a user without privileges, the thief, programs the VMID of a process of
 * the same user, the target, and tries to access waves of root's and another user's processes,
 * the victims. A test runs as root and calls functions for the acts of the thief. It begins with
 * a session of the thief, and with an idle target and idle victims. Unless stated otherwise, a
 * failure ends the test.
 */
#ifndef GUEST_THEFT_H
#define GUEST_THEFT_H

#include <stdbool.h>
#include <stdint.h>

#include "array_size.h"
#include "actor.h"
#include "people.h"

/* amdgpu gives VMIDs 1 to 7 to the jobs of all processes (gmc_v10_0_sw_init). */
#define NUM_VMIDS 7
/*
 * With the target one for each compute ring, of which the first is for high priority
 * (amdgpu_gfx_is_high_priority_compute_queue). Were there more, the driver might put a
 * job behind one that spins.
 */
#define NUM_VICTIMS NUM_VMIDS
/* The one that is idle while all before it spin */
#define LATE (NUM_VICTIMS - 1)

/* What can be set for a VMID */
struct kind {
	const char *name;
	bool handler;		/* one that changes a wave's result, */
	bool gift;		/* whose pages the victims have mapped, too */
	bool watch;		/* of all memory that victims and target use */
	uint32_t flags, mode;	/* of amdgpudbg_launch_set */
	uint32_t excp;
	int result;		/* of a job of the target, see actor.h */
};

#define NOT_TRIED 1

extern const struct kind kinds[];
extern const unsigned int num_kinds;

extern struct actor victims[NUM_VICTIMS];
extern struct actor target;

/* theft_people.c: who there is */
int set_up(void **state);
int take_down(void **state);
int each_test_begins(void **state);
int each_test_ends(void **state);

/* The first @n victims spin, in a VMID of their own each. */
void occupy(unsigned int n);
/* They end, with right results. */
void vacate(unsigned int n);
/*
 * All VMIDs but one are busy, and the one that amdgpu gives to the next process
 * that reserves one is among them.
 */
void make_the_next_one_busy(void);
/* What has happened to their waves so far, does not matter. */
void forget_the_past(void);
/* In which VMIDs are there waves? One bit each. */
uint32_t busy_vmids(void);
/* The victims from @first on have one job after the other. */
void begin_loops(unsigned int first);
/* They end, with right results. How many jobs were there? */
unsigned int end_loops(unsigned int first);
/* How many waves of that victim, or of all, have started there since then? */
uint64_t waves_in(const struct actor *victim, uint32_t vmid);
uint64_t all_waves_in(uint32_t vmid);
/*
 * No wave of any victim has had anything of the thief's since then. Exceptions count
 * for all VMIDs, see AMDGPUDBG_IOC_LAUNCH_SET, so only those in @vmid matter.
 */
void assert_unharmed(uint32_t vmid);

/* theft_thief.c: what he has */
int thief_set_up(void);
/* A new session of his, about the target; the old one is closed. */
void thief_begins(void);
void thief_ends(void);
/* The one that there is, and one more; as the thief */
int thief_session(void);
int thief_opens(void);
/* Single calls of a session of his: 0 or -errno */
int thief_watches(int fd, uint32_t *vmid, uint32_t *id);
int thief_clears_watch(int fd, uint32_t id);
int thief_launches(int fd, uint32_t mode, uint32_t *vmid);
/* The pages that the victims are to be given. */
int gift_make(void);

/*
 * Let the thief set all of that for his target, and @vmid is where he did. 0, or
 * -errno of what failed; what was set before that stays.
 */
int grab(const struct kind *kind, uint32_t *vmid);
/* He takes it back. What is gone already does not matter. */
void release(const struct kind *kind);
/*
 * Is what there was of a target that is gone forgotten, so that another can have a
 * VMID? The last waves of a handler are waited for.
 */
bool can_begin(void *arg);
/* The victims map the thief's handler where it is in the target. */
void give(const struct kind *kind);
void take_gifts_back(const struct kind *kind);
/* Nothing of it is set any more, also as the session knows it. */
void assert_gone(const struct kind *kind);
/* The registers are as before any test. */
void assert_registers_are_as_before(void);

/* theft_away.c: the VMID goes away while it is programmed */
void the_target_gives_it_back(void **state);
void with_waves_in_it(void **state);
void others_wait_for_it(void **state);
void another_process_shares_it(void **state);
void the_target_is_killed(void **state);
void the_target_exits(void **state);

void registers_are_read_in_between(void **state);

/* theft_reader.c: a process of root's that reads registers of a halted wave */
/* There are waves; one of them is halted until the end. */
void reader_begins(void);
/* Its calls have all succeeded. Nothing is done if there is none. */
void reader_ends(void);

/* theft_lost.c: which sessions get the event */
/* Also after a failure: what these tests leave open */
void close_others(void);
void sessions_get_an_event(void **state);
void sessions_get_an_event_when_another_process_has_the_vmid(void **state);
void a_vmid_that_another_shares_is_lost_for_that_reason(void **state);
void what_is_taken_back_is_not_lost(void **state);

/* theft_tba.c: where a handler may lie */
void a_handler_lies_in_ones_own_buffer(void **state);

/* theft_rounds.c */
extern unsigned int num_rounds;
void many_rounds(void **state);

#endif /* GUEST_THEFT_H */
