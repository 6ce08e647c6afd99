// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on all waves of a selection, in one call each: see operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"
#include "victim.h"

#define OTHER_WAVES 4

static struct amdgpudbg_wave_control selected(enum amdgpudbg_waveop op)
{
	return (struct amdgpudbg_wave_control){
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SELECT,
	};
}

/* Another process with waves; its VMID */
static uint32_t start_other(struct victim *victim)
{
	const struct amdgpudbg_wave *w;
	uint32_t vmid = 0;

	assert_int_equal(victim_start(victim, OTHER_WAVES * 32, 1), 0);
	assert_int_equal(adbg_wave_list_read(fx.list, fx.session, 0), 0);
	for (size_t i = 0; (w = adbg_wave_list_get(fx.list, i)); i++)
		if (w->vmid != fx.vmid)
			vmid = w->vmid;
	assert_int_not_equal(vmid, 0);
	list_waves();
	return vmid;
}

static unsigned int num_halted(uint32_t vmid)
{
	struct truth t = truth_of(vmid);

	return truth_halted(&t);
}

void all_processes_are_halted_and_resumed_by_one_call_each(void **state)
{
	struct amdgpudbg_wave_control c = selected(AMDGPUDBG_WAVEOP_HALT);
	struct victim victim;
	uint32_t vmid;

	(void)state;
	vmid = start_other(&victim);
	succeeds(&c, NUM_WAVES + OTHER_WAVES, NUM_WAVES + OTHER_WAVES);
	assert_int_equal(num_halted(fx.vmid), NUM_WAVES);
	assert_int_equal(num_halted(vmid), OTHER_WAVES);
	c.op = AMDGPUDBG_WAVEOP_RESUME;
	succeeds(&c, NUM_WAVES + OTHER_WAVES, NUM_WAVES + OTHER_WAVES);
	assert_int_equal(num_halted(fx.vmid), 0);
	assert_int_equal(num_halted(vmid), 0);
	assert_int_equal(victim_finish(&victim), 0);
}

void a_process_is_halted_by_its_pasid(void **state)
{
	struct amdgpudbg_wave_control c = selected(AMDGPUDBG_WAVEOP_HALT);
	struct victim victim;
	uint32_t vmid;

	(void)state;
	vmid = start_other(&victim);
	c.select.pasid = wave(0)->pasid;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	assert_int_equal(num_halted(fx.vmid), NUM_WAVES);
	assert_int_equal(num_halted(vmid), 0);
	c.op = AMDGPUDBG_WAVEOP_RESUME;
	c.select.vmid_mask = 1U << vmid;
	succeeds(&c, 0, 0);
	c.select.vmid_mask = 1U << vmid | 1U << fx.vmid;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	assert_int_equal(num_halted(fx.vmid), 0);
	/* A PASID that no VMID belongs to */
	c = selected(AMDGPUDBG_WAVEOP_KILL);
	c.select.pasid = wave(0)->pasid + 1000;
	succeeds(&c, 0, 0);
	assert_int_equal(victim_finish(&victim), 0);
}

static bool is_there(const struct amdgpudbg_select *select,
		     const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave_coord *want = &select->at;
	uint32_t mask = select->at_mask;

	return !(mask & AMDGPUDBG_AT_SE && at->se != want->se) &&
	       !(mask & AMDGPUDBG_AT_SA && at->sa != want->sa) &&
	       !(mask & AMDGPUDBG_AT_WGP && at->wgp != want->wgp) &&
	       !(mask & AMDGPUDBG_AT_SIMD && at->simd != want->simd) &&
	       !(mask & AMDGPUDBG_AT_WAVE && at->wave != want->wave);
}

/* How many of the waves are there; those are halted, and no others. */
static uint32_t only_these_are_halted(const struct amdgpudbg_select *select)
{
	struct truth t = look();
	uint32_t there = 0;

	assert_int_equal(t.count, NUM_WAVES);
	for (unsigned int i = 0; i < t.count; i++) {
		assert_int_equal(t.wave[i].halted,
				 is_there(select, &t.wave[i].at));
		there += t.wave[i].halted;
	}
	return there;
}

/* By a broadcast to each WGP, or by a command to each wave */
void waves_are_halted_by_a_filter_of_coordinates(void **state)
{
	static const uint32_t masks[] = {
		AMDGPUDBG_AT_SE, AMDGPUDBG_AT_SA, AMDGPUDBG_AT_WGP,
		AMDGPUDBG_AT_SE | AMDGPUDBG_AT_WGP, AMDGPUDBG_AT_SIMD,
		AMDGPUDBG_AT_WAVE, AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SIMD,
		AMDGPUDBG_AT_XCC,
	};
	uint32_t there, some = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		struct amdgpudbg_wave_control c =
			selected(AMDGPUDBG_WAVEOP_HALT);
		struct amdgpudbg_wave_coord *at = &c.select.at;
		uint32_t mask = masks[i];

		c.select.at_mask = mask;
		at->se = mask & AMDGPUDBG_AT_SE ? wave(0)->at.se : 0;
		at->sa = mask & AMDGPUDBG_AT_SA ? wave(0)->at.sa : 0;
		at->wgp = mask & AMDGPUDBG_AT_WGP ? wave(0)->at.wgp : 0;
		at->simd = mask & AMDGPUDBG_AT_SIMD ? wave(0)->at.simd : 0;
		at->wave = mask & AMDGPUDBG_AT_WAVE ? wave(0)->at.wave : 0;
		assert_int_equal(adbg_wave_control(fx.session, &c), 0);
		there = only_these_are_halted(&c.select);
		assert_in_range(there, 1, NUM_WAVES);
		assert_int_equal(c.matched, there);
		assert_int_equal(c.changed, there);
		some += there < NUM_WAVES;
		c.op = AMDGPUDBG_WAVEOP_RESUME;
		succeeds(&c, there, there);
		assert_int_equal(num_halted(fx.vmid), 0);
	}
	/* Such a place has not always all of them. */
	assert_true(some);
}

void waves_are_selected_by_their_flags(void **state)
{
	enum { HALTED = 3 };
	struct amdgpudbg_wave_control c = selected(AMDGPUDBG_WAVEOP_HALT);
	struct truth before, after;

	(void)state;
	for (int i = 0; i < HALTED; i++)
		do_single(AMDGPUDBG_WAVEOP_HALT, i);
	/* The running ones of the process */
	c.select.vmid_mask = 1U << fx.vmid;
	c.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED;
	succeeds(&c, NUM_WAVES - HALTED, NUM_WAVES - HALTED);
	assert_int_equal(num_halted(fx.vmid), NUM_WAVES);
	do_process(AMDGPUDBG_WAVEOP_RESUME);

	for (int i = 0; i < HALTED; i++)
		do_single(AMDGPUDBG_WAVEOP_HALT, i);
	before = look();
	c.op = AMDGPUDBG_WAVEOP_KILL;
	c.select.wave_flags = AMDGPUDBG_WAVE_HALTED;
	succeeds(&c, HALTED, HALTED);
	after = look();
	assert_int_equal(after.count, NUM_WAVES - HALTED);
	for (unsigned int i = 0; i < before.count; i++)
		assert_int_equal(truth_find(&after, &before.wave[i].at) < 0,
				 before.wave[i].halted);
	assert_int_equal(truth_halted(&after), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
}

/* What another session has halted is only halted once more. */
void a_selection_does_not_take_waves_of_another_session(void **state)
{
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_HALT, 0);
	struct adbg_session *other;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	c = selected(AMDGPUDBG_WAVEOP_HALT);
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	c = selected(AMDGPUDBG_WAVEOP_RESUME);
	assert_int_equal(adbg_wave_control(fx.session, &c), -EBUSY);
	assert_int_equal(num_halted(fx.vmid), NUM_WAVES);
	adbg_session_close(other);
	assert_int_equal(num_halted(fx.vmid), NUM_WAVES - 1);
	succeeds(&c, NUM_WAVES - 1, NUM_WAVES - 1);
	assert_int_equal(num_halted(fx.vmid), 0);
}

void a_wrong_selection_changes_nothing(void **state)
{
	struct amdgpudbg_wave_control c;

	(void)state;
#define EXPECT(err, change) do { \
	c = selected(AMDGPUDBG_WAVEOP_HALT); \
	change; \
	assert_int_equal(adbg_wave_control(fx.session, &c), err); \
	assert_int_equal(num_halted(fx.vmid), 0); \
} while (0)
	EXPECT(-EINVAL, c.op = AMDGPUDBG_WAVEOP_STEP);
	EXPECT(-EINVAL, c.vmid = fx.vmid);
	EXPECT(-EINVAL, c.at.wgp = 1);
	EXPECT(-EINVAL, c.timeout_ms = AMDGPUDBG_TIMEOUT_MS_MAX + 1);
	EXPECT(-EINVAL, c.select.__reserved[8] = 1);
	EXPECT(-EINVAL, c.select.vmid_mask = 1);
	EXPECT(-EINVAL, c.select.vmid_mask = 1U << 16);
	EXPECT(-EINVAL, c.select.wave_flags = AMDGPUDBG_WAVE_HALTED);
	EXPECT(-EINVAL, c.select.at.simd = 1);
	EXPECT(-EOPNOTSUPP, c.select.at_mask = 1U << 6);
	EXPECT(-EOPNOTSUPP, c.select.wave_flags_mask = 1U << 31);
	EXPECT(-ENXIO, c.select.xcc_mask = 2);
	EXPECT(-ENXIO, (c.select.at_mask = AMDGPUDBG_AT_SE, c.select.at.se = 99));
	/* Another mode has no selection. */
	EXPECT(-EINVAL, (c = process(AMDGPUDBG_WAVEOP_HALT),
			 c.select.vmid_mask = 1U << fx.vmid));
#undef EXPECT
	c = selected(AMDGPUDBG_WAVEOP_HALT);
	c.select.xcc_mask = 1;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
}

/*
 * The slots of one wave's SIMD. On a slow machine, to look at all slots of a large GPU as often as
 * a call does at least takes longer than the longest timeout.
 */
static struct amdgpudbg_select few_slots;

static int64_t ns_of_halt(uint32_t timeout_ms)
{
	struct amdgpudbg_wave_control c = selected(AMDGPUDBG_WAVEOP_HALT);
	int64_t begun = now_ns();

	c.select = few_slots;
	c.timeout_ms = timeout_ms;
	assert_int_equal(adbg_wave_control(fx.session, &c), -ETIMEDOUT);
	return now_ns() - begun;
}

static int64_t ns_of_snapshot(uint32_t timeout_ms)
{
	struct amdgpudbg_wave_list what = { .select = few_slots, .timeout_ms = timeout_ms };
	int64_t begun = now_ns();

	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 -ETIMEDOUT);
	return now_ns() - begun;
}

/*
 * A call never takes less than its timeout. How much more it takes depends on the machine; the
 * quickest of several calls show the difference.
 */
static void takes_its_timeout(int64_t (*ns_of)(uint32_t timeout_ms))
{
	enum { LONG_MS = 900, TRIES = 20 };
	int64_t brief = INT64_MAX, longer = INT64_MAX, ns;
	const int64_t more = LONG_MS / 2 * 1000000LL;

	for (int n = 0; n < TRIES && brief > longer - more; n++) {
		ns = ns_of(LONG_MS);
		assert_true(ns >= LONG_MS * 1000000LL);
		longer = ns < longer ? ns : longer;
		ns = ns_of(1);
		brief = ns < brief ? ns : brief;
	}
	assert_true(brief <= longer - more);
}

/* No command does anything. */
void a_call_waits_as_long_as_its_timeout_says(void **state)
{
	struct amdgpudbg_wave_list what = { .timeout_ms = 1 };

	(void)state;
	few_slots.at = wave(0)->at;
	few_slots.at_mask = 0x3f & ~AMDGPUDBG_AT_WAVE;
	vgpu_fault("ignore-sq-cmd", 1000000);
	takes_its_timeout(ns_of_halt);
	takes_its_timeout(ns_of_snapshot);
	vgpu_fault("ignore-sq-cmd", 0);
	assert_int_equal(num_halted(fx.vmid), 0);
	/* A list waits for nothing. */
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what),
			 -EINVAL);
	what.timeout_ms = AMDGPUDBG_TIMEOUT_MS_MAX + 1;
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 -EINVAL);
}
