// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ids of waves: when a wave has one, and that an operation with an id never affects another
 * wave. See operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

#define DEADLINE_S 60
#define ROUNDS 1000
#define ROUNDS_SHORT 300
#define ALL_ROUNDS 100000	/* of all slots together */
#define ALL_ROUNDS_SHORT 1000
#define LONGEST_S 200		/* the suite has three times as long for all its tests */
#define REPORT_S 30		/* a guest that prints nothing for minutes is taken for dead */

#define EXPECT_ID AMDGPUDBG_WAVE_CONTROL_EXPECT_ID

static uint64_t id_of(struct adbg_session *session, size_t i)
{
	struct amdgpudbg_wave one;
	struct amdgpudbg_wave_list what = {
		.select = {
			.at = wave(i)->at, .at_mask = 0x3f,
			.vmid_mask = 1U << fx.vmid,
		},
		.waves = (uintptr_t)&one, .capacity = 1,
		.hw_want = 1ULL << AMDGPUDBG_GFX10_3_STATUS,
	};

	assert_int_equal(adbg_wave_read(session, &what), 0);
	assert_int_equal(what.count, 1);
	return one.id;
}

static struct amdgpudbg_wave_control by_id(enum amdgpudbg_waveop op, uint64_t id)
{
	return (struct amdgpudbg_wave_control){
		.op = op, .mode = AMDGPUDBG_WAVEMODE_ID, .id = id,
	};
}

static int write_m0(const struct amdgpudbg_wave_coord *at, uint64_t id)
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_M0,
		.count = 1,
	};
	uint32_t value = 0x1234;
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE |
			 AMDGPUDBG_REG_ACCESS_EXPECT_ID,
		.at = *at, .id = id,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)&value, .num_values = 1,
	};

	return adbg_reg_access(fx.session, &access);
}

void a_wave_has_an_id_while_it_is_halted(void **state)
{
	struct amdgpudbg_wave_control c;
	struct adbg_session *other;
	uint64_t id, last;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_true(!id_of(fx.session, i));
	do_process(AMDGPUDBG_WAVEOP_HALT);
	last = id_of(fx.session, 0);
	assert_true(last);
	/* Unique, the same in each list, and in that of another session */
	for (size_t i = 1; i < NUM_WAVES; i++) {
		id = id_of(fx.session, i);
		assert_true(id > last);
		assert_true(id_of(other, i) == id);
		last = id;
	}
	id = id_of(fx.session, 0);
	do_single(AMDGPUDBG_WAVEOP_STEP, 0);
	assert_int_equal(write_m0(&wave(0)->at, id), 0);
	/* To halt once more what is halted changes nothing. */
	do_process(AMDGPUDBG_WAVEOP_HALT);
	c = single(AMDGPUDBG_WAVEOP_HALT, 0);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	assert_true(id_of(fx.session, 0) == id);

	do_single(AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_true(!id_of(fx.session, 0));
	assert_true(id_of(fx.session, 1) && id_of(fx.session, 1) < last);
	do_single(AMDGPUDBG_WAVEOP_HALT, 0);
	assert_true(id_of(fx.session, 0) > last);
	do_process(AMDGPUDBG_WAVEOP_RESUME);
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_true(!id_of(fx.session, i));

	/* The end of the other session resumes its wave. */
	c = single(AMDGPUDBG_WAVEOP_HALT, 2);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	id = id_of(fx.session, 2);
	assert_true(id);
	adbg_session_close(other);
	c = by_id(AMDGPUDBG_WAVEOP_HALT, id);
	assert_int_equal(adbg_wave_control(fx.session, &c), -ESTALE);
	assert_true(!id_of(fx.session, 2));
}

void a_halt_returns_the_id_of_its_wave(void **state)
{
	struct amdgpudbg_wave_control c, again;
	struct amdgpudbg_batch_op op = { 0 };
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)&op, .count = 1,
	};
	uint64_t id;

	(void)state;
	list_waves();
	c = single(AMDGPUDBG_WAVEOP_HALT, 1);
	succeeds(&c, 1, 1);
	id = c.id;
	assert_true(id && id == id_of(fx.session, 1));
	/* As it is, for a wave that is halted already, and in a batch */
	succeeds(&c, 1, 1);
	assert_true(c.id == id);
	op.control = single(AMDGPUDBG_WAVEOP_HALT, 1);
	assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
	assert_int_equal(op.error, 0);
	assert_true(op.control.id == id);
	c = by_id(AMDGPUDBG_WAVEOP_STEP, id);
	succeeds(&c, 1, 1);
	/* Resumed and halted once more, it has another. */
	c = single(AMDGPUDBG_WAVEOP_RESUME, 1);
	succeeds(&c, 1, 1);
	assert_true(!c.id);
	again = single(AMDGPUDBG_WAVEOP_HALT, 1);
	succeeds(&again, 1, 1);
	assert_true(again.id > id);
	/* The halt of a whole process returns none. */
	c = process(AMDGPUDBG_WAVEOP_HALT);
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	assert_true(!c.id);
}

void an_id_finds_its_wave(void **state)
{
	struct amdgpudbg_wave_control c;
	struct truth before, after;
	uint64_t id[NUM_WAVES];
	int n;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	for (size_t i = 0; i < NUM_WAVES; i++)
		id[i] = id_of(fx.session, i);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		before = look();
		c = by_id(AMDGPUDBG_WAVEOP_STEP, id[i]);
		memset(&c.at, 0xff, sizeof(c.at));
		succeeds(&c, 1, 1);
		assert_memory_equal(&c.at, &wave(i)->at, sizeof(c.at));
		after = look();
		n = truth_find(&after, &wave(i)->at);
		assert_true(n >= 0 && after.wave[n].pc == c.new_pc);
		for (int w = 0; w < NUM_WAVES; w++)
			assert_int_equal(after.wave[w].instructions -
					 before.wave[w].instructions, w == n);
	}
	c = by_id(AMDGPUDBG_WAVEOP_KILL, id[3]);
	succeeds(&c, 1, 1);
	after = look();
	assert_int_equal(after.count, NUM_WAVES - 1);
	assert_int_equal(truth_find(&after, &wave(3)->at), -1);
	assert_int_equal(adbg_wave_control(fx.session, &c), -ESTALE);
}

void an_id_is_expected(void **state)
{
	struct amdgpudbg_wave_control c;
	uint64_t id;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	id = id_of(fx.session, 0);
#define EXPECT(err, change) do { \
	c = single(AMDGPUDBG_WAVEOP_STEP, 0); \
	c.flags = EXPECT_ID; \
	c.id = id; \
	change; \
	assert_int_equal(adbg_wave_control(fx.session, &c), err); \
} while (0)
	EXPECT(0, (void)0);
	EXPECT(-ESTALE, c.at = wave(1)->at);
	EXPECT(-ESTALE, c.id = id + 1000000);
	EXPECT(-EINVAL, c.id = 0);
	/* It is not looked at: a structure that a HALT has filled can be used again. */
	EXPECT(0, c.flags = 0);
	assert_true(!c.id);
	EXPECT(-EINVAL, c.mode = AMDGPUDBG_WAVEMODE_ID);
	EXPECT(-EINVAL, (c = by_id(AMDGPUDBG_WAVEOP_STEP, 0)));
	EXPECT(-EINVAL, (c = process(AMDGPUDBG_WAVEOP_RESUME), c.id = id));
	EXPECT(-EINVAL, (c = process(AMDGPUDBG_WAVEOP_RESUME), c.id = id,
			 c.flags = EXPECT_ID));
	EXPECT(-ESTALE, (c = by_id(AMDGPUDBG_WAVEOP_STEP, id),
			 c.vmid = fx.vmid == 1 ? 2 : 1));
#undef EXPECT
	assert_int_equal(write_m0(&wave(0)->at, id), 0);
	assert_int_equal(write_m0(&wave(1)->at, id), -ESTALE);
	assert_int_equal(write_m0(&wave(0)->at, 0), -EINVAL);
	assert_true(id_of(fx.session, 0) == id);
}

/* ------------------------------------------------- slots that change hands */

/* One slot, and the waves that have it one after the other */
struct reuse {
	struct amdgpudbg_wave_coord at;
	uint32_t full;		/* waves that are live at a time */
	uint32_t ended;
	uint32_t per_job;
};

/* All that fit, those that have taken the places of others included */
static bool have_begun(void *arg)
{
	const struct reuse *r = arg;

	return ctl()[CTL_BEGUN] == (r->full + r->ended) * 32;
}

/* A job of so many waves that the next is waiting for each slot. */
static void start_many(struct reuse *r)
{
	const uint32_t waves = 8 * MAX_WAVES;
	int ret;

	assert_int_equal(end_waves(), 0);
	/* One wave in a group: a slot is free as soon as its wave has ended. */
	fx.prog.group_size = 32;
	ret = submit("steps", waves * 32, 0);
	fx.prog.group_size = 0;
	assert_int_equal(ret, 0);
	/* look() needs the VMID. */
	do {
		ret = adbg_wave_list_read(fx.list, fx.session, 0);
		assert_int_equal(ret, 0);
	} while (!adbg_wave_list_count(fx.list));
	fx.vmid = wave(0)->vmid;
	r->full = wait_full(0);
	assert_int_equal(adbg_wave_list_read(fx.list, fx.session, 0), 0);
	r->at = wave(0)->at;
	r->ended = 0;
	/* Those that are live at its end have no successors. */
	r->per_job = waves - 2 * MAX_WAVES;
}

static struct amdgpudbg_wave_control at_slot(const struct reuse *r,
					     enum amdgpudbg_waveop op)
{
	return (struct amdgpudbg_wave_control){
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SINGLE, .at = r->at,
		.vmid = fx.vmid,
	};
}

/* Halt the wave that is there now; its id */
static uint64_t halt_and_list(const struct reuse *r)
{
	struct amdgpudbg_wave_control c = at_slot(r, AMDGPUDBG_WAVEOP_HALT);
	struct amdgpudbg_wave one;
	struct amdgpudbg_wave_list what = {
		.select = { .at = r->at, .at_mask = 0x3f },
		.waves = (uintptr_t)&one, .capacity = 1,
		.hw_want = 1ULL << AMDGPUDBG_GFX10_3_STATUS,
	};

	assert_true(until(have_begun, (void *)r, DEADLINE_S));
	succeeds(&c, 1, 1);
	assert_int_equal(adbg_wave_read(fx.session, &what), 0);
	assert_int_equal(what.count, 1);
	assert_true(one.flags & AMDGPUDBG_WAVE_HALTED);
	return one.id;
}

/* The slot has another wave, or none. */
static void is_refused(int ret)
{
	assert_true(ret == -ESTALE || ret == -ENODATA);
}

/* Nothing that is meant for the wave @id is done to the one that has its slot now. */
static void nothing_is_done(const struct reuse *r, uint64_t id)
{
	static const enum amdgpudbg_waveop ops[] = {
		AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEOP_RESUME,
		AMDGPUDBG_WAVEOP_KILL, AMDGPUDBG_WAVEOP_STEP,
		AMDGPUDBG_WAVEOP_DEBUG,
	};
	enum { NUM = sizeof(ops) / sizeof(ops[0]) };
	struct amdgpudbg_batch_op both[2 * NUM] = { 0 };
	unsigned int first = 0;

	for (size_t i = 0; i < NUM; i++) {
		both[2 * i].control = by_id(ops[i], id);
		both[2 * i + 1].control = at_slot(r, ops[i]);
		both[2 * i + 1].control.flags = EXPECT_ID;
		both[2 * i + 1].control.id = id;
	}
	/* A batch attempts no further operation after a second; then another one continues. */
	while (first < 2 * NUM) {
		struct amdgpudbg_wave_batch batch = {
			.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
			.ops = (uintptr_t)&both[first], .count = 2 * NUM - first,
		};

		assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
		while (first < 2 * NUM && both[first].error != -ECANCELED)
			first++;
	}
	for (size_t i = 0; i < NUM; i++) {
		assert_int_equal(both[2 * i].error, -ESTALE);
		is_refused(both[2 * i + 1].error);
	}
	is_refused(write_m0(&r->at, id));
}

/*
 * Rounds that a test makes: @most, or as many, but at least @least, as the time allows. With
 * many slots, or on a busy machine, a round can take half a second.
 */
struct rounds {
	unsigned int least, most, done;
	int64_t begin, reported;
};

static void rounds_report(const struct rounds *r)
{
	printf("# %u rounds, %lld ms\n", r->done, (long long)(now_ns() - r->begin) / 1000000);
	fflush(stdout);
}

static struct rounds rounds_begin(unsigned int least, unsigned int most)
{
	int64_t now = now_ns();

	return (struct rounds){
		.least = least, .most = long_or_short(most, least), .begin = now, .reported = now,
	};
}

static bool rounds_go_further(struct rounds *r)
{
	int64_t now = now_ns();

	if (now - r->reported > REPORT_S * 1000000000LL) {
		rounds_report(r);
		r->reported = now;
	}
	return r->done < r->most &&
	       (r->done < r->least || now - r->begin < LONGEST_S * 1000000000LL);
}

static void reuse_once(struct reuse *r, uint64_t *last)
{
	struct amdgpudbg_wave_control c;
	uint64_t id = halt_and_list(r), next;

	/* No id comes twice. */
	assert_true(id > *last);
	c = by_id(AMDGPUDBG_WAVEOP_KILL, id);
	succeeds(&c, 1, 1);
	assert_memory_equal(&c.at, &r->at, sizeof(c.at));
	r->ended++;
	/* The slot is empty, or another wave runs there. */
	nothing_is_done(r, id);
	next = halt_and_list(r);
	assert_true(next > id);
	/* Another wave is halted there. */
	nothing_is_done(r, id);
	c = by_id(AMDGPUDBG_WAVEOP_RESUME, next);
	succeeds(&c, 1, 1);
	/* The same wave runs there. */
	nothing_is_done(r, next);
	*last = next;
}

/*
 * A slot is used by one wave after the other. What is meant for a wave that has ended is
 * never done to its successor; the truth is that none but those has ended.
 */
void a_slot_that_is_reused_gets_nothing_that_was_meant_for_the_wave_before(void **state)
{
	struct rounds rounds = rounds_begin(ROUNDS_SHORT, ROUNDS);
	struct reuse r = { .ended = 1 };
	uint64_t last = 0;
	struct truth t;

	(void)state;
	for (; rounds_go_further(&rounds); rounds.done++) {
		if (r.ended >= r.per_job)
			start_many(&r);
		reuse_once(&r, &last);
		if (rounds.done % 1000)
			continue;
		/* Each that was killed has had one successor, and none else has ended. */
		assert_int_equal(wait_full(r.ended), r.full);
		t = look();
		assert_true(truth_find(&t, &r.at) >= 0);
		assert_int_equal(truth_halted(&t), 0);
	}
	assert_int_equal(wait_full(r.ended), r.full);
	rounds_report(&rounds);
}

/* ------------------------------------- all slots change hands at the same time */

/* The waves that had the slots at a time */
struct generation {
	uint32_t count;
	struct {
		struct amdgpudbg_wave_coord at;
		uint64_t id;
	} wave[MAX_WAVES];
};

/* All operations, also when the call has taken its second before the last of them */
static void run_batch(struct amdgpudbg_batch_op *ops, uint32_t count)
{
	uint32_t done = 0, end;

	while (done < count) {
		struct amdgpudbg_wave_batch batch = {
			.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
			.ops = (uintptr_t)&ops[done], .count = count - done,
		};

		if (batch.count > AMDGPUDBG_WAVE_BATCH_MAX)
			batch.count = AMDGPUDBG_WAVE_BATCH_MAX;
		end = done + batch.count;
		assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
		while (done < end && ops[done].error != -ECANCELED)
			done++;
	}
}

/* Halt the waves that have the slots now; each has an id that none has had before. */
static void halt_and_list_all(const struct reuse *r, struct generation *g, uint64_t *last)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_HALT);
	struct amdgpudbg_wave_list what = {
		.select.vmid_mask = 1U << fx.vmid,
		.hw_want = 1ULL << AMDGPUDBG_GFX10_3_STATUS,
	};
	uint64_t greatest = *last;

	assert_true(until(have_begun, (void *)r, DEADLINE_S));
	succeeds(&c, r->full, r->full);
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what), 0);
	assert_int_equal(what.count, r->full);
	g->count = what.count;
	for (uint32_t i = 0; i < g->count; i++) {
		const struct amdgpudbg_wave *w = wave(i);

		assert_true(w->flags & AMDGPUDBG_WAVE_HALTED);
		assert_true(w->id > *last);
		g->wave[i].at = w->at;
		g->wave[i].id = w->id;
		if (w->id > greatest)
			greatest = w->id;
	}
	*last = greatest;
}

/*
 * Nothing that is meant for the waves @g is done to those that have their slots now. An
 * operation that keeps new waves from starting takes much longer by a slot than by an id,
 * so that most of those by a slot are others.
 */
static void nothing_is_done_to_successors(const struct generation *g, uint32_t turn)
{
	static const enum amdgpudbg_waveop all_ops[] = {
		AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEOP_RESUME, AMDGPUDBG_WAVEOP_STEP,
		AMDGPUDBG_WAVEOP_KILL, AMDGPUDBG_WAVEOP_DEBUG,
	};
	static struct amdgpudbg_batch_op ops[2 * MAX_WAVES];
	const struct reuse none = { .full = 0 };

	memset(ops, 0, sizeof(ops));
	for (uint32_t i = 0; i < g->count; i++) {
		struct amdgpudbg_wave_control *by_slot = &ops[2 * i + 1].control;
		unsigned int num = (i + turn) % 32 ? 3 : 5;

		ops[2 * i].control = by_id(all_ops[(i + turn) % 5], g->wave[i].id);
		*by_slot = at_slot(&none, all_ops[(i / 32 + i + turn) % num]);
		by_slot->at = g->wave[i].at;
		by_slot->flags = EXPECT_ID;
		by_slot->id = g->wave[i].id;
	}
	run_batch(ops, 2 * g->count);
	for (uint32_t i = 0; i < g->count; i++) {
		assert_int_equal(ops[2 * i].error, -ESTALE);
		is_refused(ops[2 * i + 1].error);
	}
}

/* Each wave that has a slot ends, and is taken for the wave that follows it. */
static void reuse_all_once(struct reuse *r, uint32_t turn, uint64_t *last)
{
	static struct generation old, new;
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_KILL, .mode = AMDGPUDBG_WAVEMODE_SELECT,
		.select = {
			.wave_flags_mask = AMDGPUDBG_WAVE_OWNED,
			.wave_flags = AMDGPUDBG_WAVE_OWNED,
		},
	};
	struct truth t;

	halt_and_list_all(r, &old, last);
	succeeds(&c, r->full, r->full);
	r->ended += r->full;
	/* The slots are empty, or other waves run there. */
	nothing_is_done_to_successors(&old, turn);
	assert_int_equal(wait_full(r->ended), r->full);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
	halt_and_list_all(r, &new, last);
	/* Other waves are halted there. */
	nothing_is_done_to_successors(&old, turn + 1);
	t = look();
	assert_int_equal(t.count, r->full);
	assert_int_equal(truth_halted(&t), r->full);
	c = process(AMDGPUDBG_WAVEOP_RESUME);
	succeeds(&c, r->full, r->full);
}

/*
 * A round is one wave that has taken the slot of another. A machine that is too busy for all
 * of them does as many as it can.
 */
void slots_that_are_all_reused_get_nothing_that_was_meant_for_the_waves_before(void **state)
{
	struct rounds rounds = rounds_begin(ALL_ROUNDS_SHORT, ALL_ROUNDS);
	struct reuse r = { .ended = 1 };
	uint64_t last = 0;

	(void)state;
	for (uint32_t turn = 0; rounds_go_further(&rounds); turn++) {
		if (r.ended >= r.per_job)
			start_many(&r);
		reuse_all_once(&r, turn, &last);
		rounds.done += r.full;
	}
	rounds_report(&rounds);
}
