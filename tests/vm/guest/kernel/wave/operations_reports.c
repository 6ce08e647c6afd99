// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What calls report: the registers of a record, the number of waves that an operation affected,
 * and its cost. See operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "self.h"

#define NUM_REGS (AMDGPUDBG_GFX10_3_SCHED_MODE + 1)
#define FLAT_SCRATCH_LO AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO

/* ------------------------------------------------------------------ records */

/* Hardware registers of wave @i of the list */
static int access_hwregs(size_t i, uint32_t flags, uint32_t first,
			 uint32_t count, uint32_t *values)
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = first, .count = count,
	};
	struct amdgpudbg_reg_access access = {
		.flags = flags, .at = wave(i)->at, .vmid = fx.vmid,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)values, .num_values = count,
	};

	return adbg_reg_access(fx.session, &access);
}

static void compare_record(size_t i)
{
	const struct amdgpudbg_wave *w = wave(i);
	uint32_t values[NUM_REGS];

	assert_int_equal(access_hwregs(i, 0, 0, NUM_REGS, values), 0);
	for (uint32_t n = 0; n < AMDGPUDBG_WAVE_NUM_HW; n++) {
		if (w->hw_mask >> n & 1)
			assert_true(n < NUM_REGS && w->hw[n] == values[n]);
		else
			assert_int_equal(w->hw[n], 0);
	}
	assert_true(w->pc == ((uint64_t)HW(w, PC_HI) << 32 | HW(w, PC_LO)));
	assert_true(w->exec == ((uint64_t)HW(w, EXEC_HI) << 32 |
				HW(w, EXEC_LO)));
	/* It was put there, and is none of those that are read. */
	assert_int_equal(values[FLAT_SCRATCH_LO], 0x11110000 + i);
	assert_int_equal(values[FLAT_SCRATCH_LO + 1], 0x22220000 + i);
	/* MODE to EXEC_HI, see default_want in kernel/hw/gfx10_3_regs.c */
	assert_int_equal(w->hw_mask, 0xffff);
}

/* Registers that are not read are zero, whatever the wave has there. */
void a_record_has_what_its_mask_says(void **state)
{
	uint32_t scratch[2];

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	list_waves();
	for (uint32_t i = 0; i < NUM_WAVES; i++) {
		scratch[0] = 0x11110000 + i;
		scratch[1] = 0x22220000 + i;
		assert_int_equal(access_hwregs(i, AMDGPUDBG_REG_ACCESS_WRITE,
					       FLAT_SCRATCH_LO, 2, scratch),
				 0);
	}
	list_waves();
	for (uint32_t i = 0; i < NUM_WAVES; i++)
		compare_record(i);
}

/* ------------------------------------------------------------------ matched */

/* Waves of the list in the WGP of wave 0, of the first @num */
static uint32_t num_in_wgp(uint32_t num)
{
	const struct amdgpudbg_wave_coord at = wave(0)->at;
	uint32_t n = 0;

	for (uint32_t i = 0; i < num; i++)
		n += wave(i)->at.se == at.se && wave(i)->at.sa == at.sa &&
		     wave(i)->at.wgp == at.wgp;
	return n;
}

static void resume_of_process_is(uint32_t num)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_RESUME);
	struct truth t;

	succeeds(&c, num, num);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

/* Those that run are not resumed, and so it is not about them. */
void resume_returns_halted_waves_only(void **state)
{
	enum { HALTED = 3 };
	struct amdgpudbg_wave_control c;
	struct truth t;
	uint32_t n;

	(void)state;
	resume_of_process_is(0);
	for (int i = 0; i < HALTED; i++)
		do_single(AMDGPUDBG_WAVEOP_HALT, i);
	resume_of_process_is(HALTED);
	do_process(AMDGPUDBG_WAVEOP_HALT);
	resume_of_process_is(NUM_WAVES);

	c = single(AMDGPUDBG_WAVEOP_RESUME, 0);
	succeeds(&c, 0, 0);
	do_single(AMDGPUDBG_WAVEOP_HALT, 0);
	succeeds(&c, 1, 1);
	succeeds(&c, 0, 0);

	for (int i = 0; i < HALTED; i++)
		do_single(AMDGPUDBG_WAVEOP_HALT, i);
	n = num_in_wgp(HALTED);
	c = process(AMDGPUDBG_WAVEOP_RESUME);
	c.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	c.at = wave(0)->at;
	c.at.simd = 0;
	c.at.wave = 0;
	succeeds(&c, n, n);
	t = look();
	assert_int_equal(truth_halted(&t), HALTED - n);
	resume_of_process_is(HALTED - n);
}

/* --------------------------------------------------------------------- cost */

static void take_snapshot(void)
{
	struct amdgpudbg_wave_list what = { .select.vmid_mask = 1U << fx.vmid };

	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 0);
}

static void halt_and_resume(void)
{
	do_process(AMDGPUDBG_WAVEOP_HALT);
	do_process(AMDGPUDBG_WAVEOP_RESUME);
}

static void step_in_a_batch(void)
{
	struct amdgpudbg_batch_op ops[] = {
		{ .control = single(AMDGPUDBG_WAVEOP_HALT, 0) },
		{ .control = single(AMDGPUDBG_WAVEOP_STEP, 0) },
		{ .control = single(AMDGPUDBG_WAVEOP_STEP, 0) },
		{ .control = single(AMDGPUDBG_WAVEOP_RESUME, 0) },
	};
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .count = 4,
	};

	assert_int_equal(adbg_wave_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, 4);
}

static void read_hwregs(void)
{
	uint32_t values[NUM_REGS];

	assert_int_equal(access_hwregs(0, 0, 0, NUM_REGS, values), 0);
}

/* It is noticed by looking, which costs, too. */
static void fail_to_step(void)
{
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_STEP, 0);

	assert_int_equal(adbg_wave_control(fx.session, &c), -EINPROGRESS);
}

/* Is the reported number of accesses all that the GPU sees during the call? Never more. */
static bool is_all(void (*act)(void))
{
	struct truth_accesses t0 = truth_accesses(), t1;
	struct truth_accesses i0 = truth_counted_accesses(), i1;
	uint64_t reads, writes;

	act();
	i1 = truth_counted_accesses();
	t1 = truth_accesses();
	reads = i1.reads - i0.reads;
	writes = i1.writes - i0.writes;
	assert_in_range(reads, 1, t1.reads - t0.reads);
	assert_in_range(writes, 1, t1.writes - t0.writes);
	return reads == t1.reads - t0.reads && writes == t1.writes - t0.writes;
}

/* In at least one try no other program, such as the driver, accesses a register. */
void each_register_access_is_counted(void **state)
{
	static void (*const acts[])(void) = {
		list_waves, take_snapshot, halt_and_resume, step_in_a_batch,
		read_hwregs, fail_to_step,
	};
	int tries;

	(void)state;
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		for (tries = 0; tries < 50 && !is_all(acts[i]); tries++)
			;
		if (tries == 50)
			fail_msg("call %zu", i);
	}
}
