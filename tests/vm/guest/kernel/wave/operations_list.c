// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches of operations, and snapshots and filters of lists: see operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "self.h"

/* ------------------------------------------------------------------ batches */

/* In as many calls as it takes. All of them succeed. */
static void batch_all(struct amdgpudbg_batch_op *ops, uint32_t count)
{
	while (count) {
		struct amdgpudbg_wave_batch batch = {
			.ops = (uintptr_t)ops, .count = count,
		};

		assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
		assert_in_range(batch.done, 1, count);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(ops[i].error, i < batch.done ? 0 :
					 -ECANCELED);
		/* What was not tried shows nothing. */
		if (batch.done < count)
			assert_int_equal(ops[batch.done].control.matched, 0);
		ops += batch.done;
		count -= batch.done;
	}
}

void a_batch_does_all_in_order(void **state)
{
	enum { STEPS = 100 };
	struct amdgpudbg_batch_op ops[STEPS + 2] = { 0 };
	struct truth t;

	(void)state;
	ops[0].control = single(AMDGPUDBG_WAVEOP_HALT, 0);
	for (int i = 1; i <= STEPS; i++)
		ops[i].control = single(AMDGPUDBG_WAVEOP_STEP, 0);
	ops[STEPS + 1].control = single(AMDGPUDBG_WAVEOP_RESUME, 0);
	batch_all(ops, STEPS + 2);
	for (int i = 0; i < STEPS + 2; i++) {
		assert_int_equal(ops[i].control.changed, 1);
		/* In the loop of five instructions, never twice the same. */
		if (i > 1 && i <= STEPS)
			assert_true(ops[i].control.new_pc !=
				    ops[i - 1].control.new_pc);
		if (i > 5 && i <= STEPS)
			assert_true(ops[i].control.new_pc ==
				    ops[i - 5].control.new_pc);
	}
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

/* It holds up everybody else, and even a reset of the GPU. */
void the_time_of_a_batch_is_limited(void **state)
{
	static struct amdgpudbg_batch_op ops[AMDGPUDBG_WAVE_BATCH_MAX];
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
		.count = AMDGPUDBG_WAVE_BATCH_MAX,
	};
	uint32_t tried = 0;
	struct truth t;

	(void)state;
	for (int i = 0; i < AMDGPUDBG_WAVE_BATCH_MAX; i++)
		ops[i].control = process(AMDGPUDBG_WAVEOP_HALT);
	/* Each of them takes all the time that it has. */
	vgpu_fault("ignore-sq-cmd", 1000000);
	assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
	vgpu_fault("ignore-sq-cmd", 0);
	assert_int_equal(batch.done, 0);
	while (tried < batch.count && ops[tried].error == -ETIMEDOUT)
		tried++;
	assert_in_range(tried, 1, 6);
	for (uint32_t i = tried; i < batch.count; i++) {
		assert_int_equal(ops[i].error, -ECANCELED);
		assert_int_equal(ops[i].control.matched, 0);
	}
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

/* However many calls it takes, all of it is done, and once. */
void the_rest_of_a_batch_is_done_by_the_next(void **state)
{
	static struct amdgpudbg_batch_op ops[AMDGPUDBG_WAVE_BATCH_MAX];
	struct truth before, after;
	int mine;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	for (int i = 0; i < AMDGPUDBG_WAVE_BATCH_MAX; i++)
		ops[i].control = i % 2 ? process(AMDGPUDBG_WAVEOP_HALT) :
				 single(AMDGPUDBG_WAVEOP_STEP, 3);
	before = look();
	batch_all(ops, AMDGPUDBG_WAVE_BATCH_MAX);
	after = look();
	assert_int_equal(truth_halted(&after), NUM_WAVES);
	mine = truth_find(&after, &wave(3)->at);
	assert_true(mine >= 0);
	for (int i = 0; i < NUM_WAVES; i++)
		assert_int_equal(after.wave[i].instructions -
				 before.wave[i].instructions,
				 i == mine ? AMDGPUDBG_WAVE_BATCH_MAX / 2 : 0);
}

void a_batch_ends_at_an_error_or_continues(void **state)
{
	struct amdgpudbg_batch_op ops[3] = { 0 };
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .count = 3,
	};
	struct truth t;

	(void)state;
	ops[0].control = single(AMDGPUDBG_WAVEOP_HALT, 0);
	ops[1].control = single(AMDGPUDBG_WAVEOP_STEP, 1);
	ops[2].control = single(AMDGPUDBG_WAVEOP_HALT, 2);
	assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, 1);
	assert_int_equal(ops[0].error, 0);
	assert_int_equal(ops[1].error, -EINPROGRESS);
	assert_int_equal(ops[2].error, -ECANCELED);
	t = look();
	assert_int_equal(truth_halted(&t), 1);

	batch.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE;
	assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, 2);
	assert_int_equal(ops[1].error, -EINPROGRESS);
	assert_int_equal(ops[2].error, 0);
	t = look();
	assert_int_equal(truth_halted(&t), 2);
}

void a_wrong_batch_changes_nothing(void **state)
{
	struct amdgpudbg_batch_op ops[2] = {
		{ .control = process(AMDGPUDBG_WAVEOP_KILL) },
		{ .control = process(AMDGPUDBG_WAVEOP_HALT) },
	};
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .count = 2,
	};

	(void)state;
#define EXPECT(err, change) do { \
	ops[1].control = process(AMDGPUDBG_WAVEOP_HALT); \
	change; \
	assert_int_equal(adbg_wave_batch(fx.session, &batch), err); \
	assert_int_equal(look().count, NUM_WAVES); \
} while (0)
	EXPECT(-EOPNOTSUPP, ops[1].control.op = 0);
	EXPECT(-EOPNOTSUPP, ops[1].control.flags = 1U << 31);
	EXPECT(-EINVAL, ops[1].control.vmid = 0);
	EXPECT(-EINVAL, ops[1].control.trap_id = 1);
	EXPECT(-EINVAL, ops[1].control.mode = 1);
	EXPECT(-ENXIO, (ops[1].control.mode = AMDGPUDBG_WAVEMODE_SINGLE,
			ops[1].control.at.wgp = 99));
#undef EXPECT
}

/* ---------------------------------------------------------------- snapshots */

/* How many waves it has halted */
static uint32_t snapshot(uint32_t flags)
{
	struct amdgpudbg_wave_list what = {
		.flags = flags, .select.vmid_mask = 1U << fx.vmid,
	};

	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 0);
	assert_int_equal(adbg_wave_list_count(fx.list), NUM_WAVES);
	return what.num_halted;
}

void a_snapshot_is_one_moment(void **state)
{
	struct truth t;
	int n;

	(void)state;
	assert_int_equal(snapshot(AMDGPUDBG_WAVE_LIST_HOLD |
				  AMDGPUDBG_WAVE_LIST_TTMP), NUM_WAVES);
	t = look();
	assert_int_equal(truth_halted(&t), NUM_WAVES);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		n = truth_find(&t, &wave(i)->at);
		assert_true(n >= 0);
		assert_true(wave(i)->pc == t.wave[n].pc);
		assert_int_equal(wave(i)->flags & (AMDGPUDBG_WAVE_HALTED |
						   AMDGPUDBG_WAVE_TTMP),
				 AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP);
	}
	/* They are the session's. */
	assert_int_equal(snapshot(0), 0);
	t = look();
	assert_int_equal(truth_halted(&t), NUM_WAVES);
	do_process(AMDGPUDBG_WAVEOP_RESUME);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
}

void a_snapshot_resumes_what_it_halted_and_no_more(void **state)
{
	struct truth t;

	(void)state;
	assert_int_equal(snapshot(0), NUM_WAVES);
	assert_true(wave(0)->flags & AMDGPUDBG_WAVE_HALTED);
	t = look();
	assert_int_equal(truth_halted(&t), 0);

	do_single(AMDGPUDBG_WAVEOP_HALT, 5);
	assert_int_equal(snapshot(0), NUM_WAVES - 1);
	t = look();
	assert_int_equal(truth_halted(&t), 1);
	assert_true(t.wave[truth_find(&t, &wave(5)->at)].halted);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
}

/* What does not fit was halted all the same, and has to be resumed. */
void a_snapshot_that_does_not_fit_halts_all_waves(void **state)
{
	struct amdgpudbg_wave one;
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_HOLD, .capacity = 1,
		.waves = (uintptr_t)&one,
	};
	struct truth t;

	(void)state;
	assert_int_equal(adbg_wave_snapshot(fx.session, &what), -EMSGSIZE);
	assert_int_equal(what.count, NUM_WAVES);
	assert_int_equal(what.num_halted, NUM_WAVES);
	assert_true(one.flags & AMDGPUDBG_WAVE_HALTED);
	t = look();
	assert_int_equal(truth_halted(&t), NUM_WAVES);
	do_process(AMDGPUDBG_WAVEOP_RESUME);

	what.flags = 0;
	assert_int_equal(adbg_wave_snapshot(fx.session, &what), -EMSGSIZE);
	assert_int_equal(what.num_halted, NUM_WAVES);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

/* Waves start and end all the time; each job may have another VMID. */
void a_snapshot_is_one_moment_of_busy_waves(void **state)
{
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_HOLD };
	struct amdgpudbg_wave_control c;
	unsigned int count, seen = 0;
	const uint32_t most_turns = 1 << 30;
	uint32_t turns = 20000, items = 1 << 17;
	struct truth t;
	int n;

	(void)state;
	for (int i = 0; i < 10 || (!seen && turns < most_turns); i++) {
		assert_int_equal(end_waves(), 0);
		assert_int_equal(submit("busy", items, turns), 0);
		/* What it counts is who ends, and then they may all. */
		do {
			assert_int_equal(adbg_wave_list_read(fx.list,
							     fx.session, 0), 0);
		} while (!adbg_wave_list_count(fx.list) && !ctl()[CTL_BEGUN]);
		assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session,
							 &what), 0);
		count = adbg_wave_list_count(fx.list);
		if (!count) {
			/*
			 * All ended before they were halted: fewer, longer, until
			 * the machine is not too slow.
			 */
			turns *= 2;
			if (items > 1 << 10)
				items /= 2;
			continue;
		}
		fx.vmid = wave(0)->vmid;
		/* Others may have started since, where there is room. */
		t = look();
		assert_int_equal(truth_halted(&t), count);
		assert_int_equal(what.num_halted, count);
		for (size_t w = 0; w < count; w++) {
			n = truth_find(&t, &wave(w)->at);
			assert_true(n >= 0 && t.wave[n].halted);
			assert_true(wave(w)->pc == t.wave[n].pc);
		}
		seen += count;
		c = process(AMDGPUDBG_WAVEOP_RESUME);
		assert_int_equal(adbg_wave_control(fx.session, &c), 0);
	}
	assert_true(seen);
}

/* Waves of the list that are halted elsewhere than it says */
static unsigned int count_wrong(unsigned int *halted)
{
	struct truth t = look();
	unsigned int wrong = 0;
	int n;

	for (size_t w = 0; w < adbg_wave_list_count(fx.list); w++) {
		if (!(wave(w)->flags & AMDGPUDBG_WAVE_HALTED))
			continue;
		(*halted)++;
		n = truth_find(&t, &wave(w)->at);
		wrong += n < 0 || !t.wave[n].halted ||
			 t.wave[n].pc != wave(w)->pc;
	}
	return wrong;
}

/* Waves halt themselves while they are listed; only this test resumes them. */
void a_list_has_the_pc_of_halted_waves(void **state)
{
	struct amdgpudbg_wave_control c;
	unsigned int halted = 0, wrong = 0;

	(void)state;
	assert_int_equal(end_waves(), 0);
	assert_int_equal(submit("pauses", NUM_WAVES * 32, 0), 0);
	assert_int_equal(prog_wait(&fx.prog, CTL_BEGUN, NUM_WAVES * 32), 0);
	assert_int_equal(adbg_wave_list_read(fx.list, fx.session, 0), 0);
	fx.vmid = wave(0)->vmid;
	for (int i = 0; i < 200; i++) {
		list_waves();
		wrong += count_wrong(&halted);
		c = process(AMDGPUDBG_WAVEOP_RESUME);
		wrong += adbg_wave_control(fx.session, &c) != 0;
	}
	ctl()[CTL_GO] = GO;
	do {
		c = process(AMDGPUDBG_WAVEOP_RESUME);
		wrong += adbg_wave_control(fx.session, &c) != 0;
		list_waves();
	} while (adbg_wave_list_count(fx.list));
	assert_int_equal(wrong, 0);
	assert_true(halted);
}

void a_snapshot_that_fails_leaves_waves_as_they_were(void **state)
{
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_HOLD };
	struct truth t;

	(void)state;
	vgpu_fault("ignore-sq-cmd", 1000000);
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 -ETIMEDOUT);
	vgpu_fault("ignore-sq-cmd", 0);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
	/* A buffer that is none is noticed before. */
	what.waves = (uintptr_t)(struct amdgpudbg_wave *)4096;
	what.capacity = 8;
	assert_int_equal(adbg_wave_snapshot(fx.session, &what), -EFAULT);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

static uint32_t count_with(struct amdgpudbg_wave_list *what)
{
	what->size = sizeof(*what);
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, what), 0);
	return adbg_wave_list_count(fx.list);
}

void lists_are_filtered(void **state)
{
	const struct amdgpudbg_wave_coord at = wave(4)->at;
	struct amdgpudbg_wave_list what = { .select.vmid_mask = 1U << fx.vmid };
	uint32_t same = 0;

	(void)state;
	for (size_t i = 0; i < NUM_WAVES; i++)
		same += wave(i)->at.simd == at.simd;
	do_single(AMDGPUDBG_WAVEOP_HALT, 4);
	what.select.at_mask = AMDGPUDBG_AT_SIMD;
	what.select.at.simd = at.simd;
	assert_int_equal(count_with(&what), same);
	what.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA |
		       AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE;
	what.select.at = at;
	assert_int_equal(count_with(&what), 1);
	assert_memory_equal(&wave(0)->at, &at, sizeof(at));
	what = (struct amdgpudbg_wave_list){
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED |
				   AMDGPUDBG_WAVE_WAVE64,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	assert_int_equal(count_with(&what), 1);
	what.select.wave_flags = 0;
	assert_int_equal(count_with(&what), NUM_WAVES - 1);
	what.select.wave_flags = AMDGPUDBG_WAVE_WAVE64;
	assert_int_equal(count_with(&what), 0);
	/* A filter says what is listed, not what is halted. */
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 0);
	assert_int_equal(adbg_wave_list_count(fx.list), 0);
	assert_int_equal(what.num_halted, NUM_WAVES - 1);
}

void wrong_lists_are_refused(void **state)
{
	struct amdgpudbg_wave_list what;
	struct truth t;

	(void)state;
#define EXPECT(err, change) do { \
	what = (struct amdgpudbg_wave_list){ .size = sizeof(what) }; \
	change; \
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what), \
			 err); \
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what), \
			 err); \
} while (0)
	EXPECT(-EOPNOTSUPP, what.flags = 1U << 31);
	EXPECT(-EOPNOTSUPP, what.select.at_mask = 1U << 6);
	EXPECT(-EOPNOTSUPP, what.select.wave_flags_mask = AMDGPUDBG_WAVE_TTMP);
	EXPECT(-EINVAL, what.select.at.simd = 1);
	EXPECT(-EINVAL, what.select.wave_flags = 1);
	EXPECT(-EINVAL, what.select.at.__reserved = 1);
	EXPECT(-ENXIO, (what.select.at_mask = AMDGPUDBG_AT_WGP, what.select.at.wgp = 99));
	EXPECT(-ENXIO, (what.select.at_mask = AMDGPUDBG_AT_XCC, what.select.at.xcc = 1));
	EXPECT(-ENXIO, (what.select.at_mask = AMDGPUDBG_AT_WAVE, what.select.at.wave = 32));
#undef EXPECT
	/* A list halts none that could be held. */
	what = (struct amdgpudbg_wave_list){
		.flags = AMDGPUDBG_WAVE_LIST_HOLD,
	};
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what),
			 -EOPNOTSUPP);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}
