// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The event for a target that has lost its VMID (AMDGPUDBG_EVENT_HANDLER_LOST): the sessions that
 * get it, and what they can do afterwards. See theft.h.
 */
#include "theft.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

#define LOST (1ULL << AMDGPUDBG_EVENT_HANDLER_LOST)
/* And but jobs, which there are. */
#define ALL_BUT_IT (1ULL << AMDGPUDBG_EVENT_WAVE | 1ULL << AMDGPUDBG_EVENT_GPU_RESET | \
		    1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | 1ULL << AMDGPUDBG_EVENT_SLEEP)

/* Sessions about the target beside the thief's first one */
enum {
	WATCHER,	/* has a watch in the same VMID */
	IDLER,		/* has nothing there */
	DEAF,		/* has a watch, but asked for other events only */
	NUM_OTHERS,
};

static int others[NUM_OTHERS] = { -1, -1, -1 };
static uint32_t watches[NUM_OTHERS];

static void listen_for(int fd, uint64_t mask)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = mask,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
}

static void open_others(void)
{
	be(USER, true);
	listen_for(thief_session(), LOST);
	for (int i = 0; i < NUM_OTHERS; i++) {
		others[i] = thief_opens();
		listen_for(others[i], i == DEAF ? ALL_BUT_IT : LOST);
	}
	be(ROOT, true);
}

static void others_watch(uint32_t vmid)
{
	uint32_t got;

	be(USER, true);
	for (int i = 0; i < NUM_OTHERS; i++) {
		if (i == IDLER)
			continue;
		assert_int_equal(thief_watches(others[i], &got, &watches[i]),
				 0);
		assert_int_equal(got, vmid);
	}
	be(ROOT, true);
}

void close_others(void)
{
	for (int i = 0; i < NUM_OTHERS; i++) {
		if (others[i] >= 0)
			close(others[i]);
		others[i] = -1;
	}
}

static bool has_event(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1 && p.revents & POLLIN;
}

/* The next event of @fd is that @vmid is lost. */
static void assert_reported(const struct kind *kind, int fd, uint32_t vmid,
			    uint64_t seq, enum amdgpudbg_handler_lost why)
{
	int left_ms = (deadline_ns(60) - now_ns()) / 1000000;
	struct amdgpudbg_event event = { .size = 0 };

	if (!has_event(fd, left_ms))
		fail_msg("%s: no event that VMID %u is lost", kind->name,
			 vmid);
	assert_int_equal(read(fd, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.size, sizeof(event));
	assert_int_equal(event.type, AMDGPUDBG_EVENT_HANDLER_LOST);
	assert_int_equal(event.data, why);
	assert_int_equal(event.vmid, vmid);
	assert_int_equal(event.seq, seq);
	/* It is about no wave. */
	assert_int_equal(event.flags, 0);
	assert_int_equal(event.cause, 0);
}

static void assert_no_other_event(void)
{
	assert_false(has_event(thief_session(), 0));
	for (int i = 0; i < NUM_OTHERS; i++)
		assert_false(has_event(others[i], 0));
}

/* Check that all sessions that had set something there get the event, and no others. */
static void assert_all_get_it(const struct kind *kind, uint32_t vmid,
			      uint64_t seq, enum amdgpudbg_handler_lost why)
{
	assert_reported(kind, thief_session(), vmid, seq, why);
	assert_reported(kind, others[WATCHER], vmid, seq, why);
	/* The loss of a VMID is one event. */
	assert_no_other_event();
}

/* As the header says of each call */
static void assert_nothing_is_left(const struct kind *kind)
{
	uint32_t vmid;

	assert_gone(kind);
	be(USER, true);
	for (int i = 0; i < NUM_OTHERS; i++)
		assert_int_equal(thief_clears_watch(others[i], watches[i]),
				 -ENOENT);
	be(ROOT, true);
	/* A launch mode has no number; a second session finds none in its way. */
	assert_int_equal(thief_launches(others[IDLER], AMDGPUDBG_LAUNCH_DEBUG,
					&vmid), 0);
	assert_int_equal(thief_launches(others[IDLER], 0, &vmid), 0);
}

/*
 * The same can be set again, applies to the target, and is reported again when it
 * is lost again.
 */
static void begin_again(const struct kind *kind, uint32_t *vmid)
{
	assert_int_equal(grab(kind, vmid), 0);
	assert_int_not_equal(*vmid, 0);
	if (kind->result != NOT_TRIED)
		assert_int_equal(actor_call(&target, ACTOR_RUN, 1),
				 kind->result);
	others_watch(*vmid);
	assert_no_other_event();
}

static void lose_twice(const struct kind *kind, void (*lose)(uint32_t vmid),
		       enum amdgpudbg_handler_lost why)
{
	uint32_t vmid;

	open_others();
	for (uint64_t seq = 1; seq <= 2; seq++) {
		begin_again(kind, &vmid);
		forget_the_past();
		lose(vmid);
		assert_all_get_it(kind, vmid, seq, why);
		assert_unharmed(vmid);
		assert_nothing_is_left(kind);
		/* Settings that are discarded now cannot be reported later. */
		assert_no_other_event();
	}
	release(kind);
	assert_registers_are_as_before();
	assert_int_equal(actor_call(&target, ACTOR_RUN, 1), 0);
	assert_no_other_event();
}

static void to_no_process(uint32_t vmid)
{
	(void)vmid;
	assert_int_equal(actor_call(&target, ACTOR_UNRESERVE, 0), 0);
}

void sessions_get_an_event(void **state)
{
	lose_twice(*state, to_no_process, AMDGPUDBG_HANDLER_LOST_VMID_RELEASED);
}

static void to_the_next(uint32_t vmid)
{
	struct actor *next = &victims[LATE];

	occupy(NUM_VMIDS - 1);
	assert_int_equal(actor_call(&target, ACTOR_UNRESERVE, 0), 0);
	assert_int_equal(actor_call(next, ACTOR_RUN, 1), 0);
	assert_int_not_equal(waves_in(next, vmid), 0);
	vacate(NUM_VMIDS - 1);
}

void sessions_get_an_event_when_another_process_has_the_vmid(void **state)
{
	lose_twice(*state, to_the_next, AMDGPUDBG_HANDLER_LOST_VMID_RELEASED);
}

static void to_one_that_shares(uint32_t vmid)
{
	struct actor *next = &victims[LATE];

	assert_int_equal(actor_call(next, ACTOR_RESERVE, 0), 0);
	assert_int_equal(actor_call(next, ACTOR_RUN, 1), 0);
	assert_int_not_equal(waves_in(next, vmid), 0);
	assert_int_equal(actor_call(next, ACTOR_UNRESERVE, 0), 0);
}

/* Linux 6.12 gives the VMID that is reserved to all who have reserved one. */
void a_vmid_that_another_shares_is_lost_for_that_reason(void **state)
{
	const struct kind *kind = *state;
	struct actor *next = &victims[LATE];
	uint32_t vmid;
	int ret;

	assert_int_equal(grab(kind, &vmid), 0);
	ret = actor_call(next, ACTOR_RESERVE, 0);
	release(kind);
	if (ret)
		skip();
	assert_int_equal(actor_call(next, ACTOR_UNRESERVE, 0), 0);
	lose_twice(kind, to_one_that_shares, AMDGPUDBG_HANDLER_LOST_VMID_SHARED);
}

/* Taking it back by itself is no loss, nor is the session's end one to others. */
void what_is_taken_back_is_not_lost(void **state)
{
	const struct kind *kind = *state;
	uint32_t vmid;

	open_others();
	begin_again(kind, &vmid);
	release(kind);
	thief_ends();
	be(USER, true);
	for (int i = 0; i < NUM_OTHERS; i++)
		if (i != IDLER)
			assert_int_equal(thief_clears_watch(others[i],
							    watches[i]), 0);
	be(ROOT, true);
	assert_registers_are_as_before();
	/* Now no session is concerned. */
	occupy(NUM_VMIDS);
	vacate(NUM_VMIDS);
	for (int i = 0; i < NUM_OTHERS; i++)
		assert_false(has_event(others[i], 0));
}
