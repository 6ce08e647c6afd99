/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "events": sessions of this process, which is its own target, and messages
 * that its waves send. Unless stated otherwise, a failure ends the test.
 */
#ifndef GUEST_EVENTS_H
#define GUEST_EVENTS_H

#include <stdint.h>

#include <linux/amdgpudbg.h>

#define DEADLINE_MS 60000
#define OF_WAVES (1ULL << AMDGPUDBG_EVENT_WAVE)
/* Waves of one work-group of the kernel "message" */
#define WAVES 2

extern struct prog prog;	/* of this process */
extern int dev;		/* the session of the test that runs, or -1 */

/* Neither waits for events in read(). */
int open_session(void);
int own_session(uint64_t mask, uint32_t capacity, uint32_t *pasid);
/* 0 or -errno */
int enable(int fd, uint64_t mask, uint32_t capacity);
/* Waits for an event; poll()'s revents, 0 when none came in time. */
short wait_event(int fd);
/* The next event, waiting for it */
struct amdgpudbg_event next_event(int fd);
/* -errno of a read(), 0 if there was an event */
int read_error(int fd);
/* WAVES waves send @count messages each; returns when they have ended. */
void send_messages(uint32_t count);
/* Closes @dev. */
int take_down(void **state);

/* events_read.c */
void reading_into_a_small_buffer_is_emsgsize(void **state);
void a_large_buffer_takes_several_events(void **state);
void a_fault_keeps_the_event(void **state);
void two_readers_get_each_event_once(void **state);
void a_number_is_given_once(void **state);
void poll_returns_when_an_event_arrives(void **state);
void a_signal_ends_a_blocking_read(void **state);
void lost_events_are_reported(void **state);
void a_queue_of_one_event_works(void **state);
void a_flood_of_events_is_counted(void **state);
void a_smaller_queue_keeps_the_oldest(void **state);

/* events_vm.c */
void code_that_comes_and_goes_is_noticed_each_time(void **state);
void changes_that_are_not_read_are_one_event_or_two(void **state);
void only_the_targets_mappings_are_reported(void **state);

#endif /* GUEST_EVENTS_H */
