// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of many waves in one call: see operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "self.h"

#define VALUES 3

static const struct amdgpudbg_reg_range ranges[] = {
	{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_LO, .count = 2 },
	{ .space = AMDGPUDBG_REG_SGPR, .first = 3, .count = 1 },
};

static uint32_t values[NUM_WAVES][VALUES];
static struct amdgpudbg_reg_batch_op ops[NUM_WAVES];

static struct amdgpudbg_reg_batch batch_of_all(void)
{
	memset(values, 0, sizeof(values));
	memset(ops, 0, sizeof(ops));
	for (size_t i = 0; i < NUM_WAVES; i++)
		ops[i].access = (struct amdgpudbg_reg_access){
			.at = wave(i)->at, .vmid = fx.vmid,
			.ranges = (uintptr_t)ranges, .num_ranges = 2,
			.values = (uintptr_t)values[i], .num_values = VALUES,
		};
	return (struct amdgpudbg_reg_batch){
		.ops = (uintptr_t)ops, .count = NUM_WAVES,
	};
}

/* What a call for each wave alone gives */
static void compare_with_single_calls(void)
{
	uint32_t alone[VALUES];

	for (size_t i = 0; i < NUM_WAVES; i++) {
		struct amdgpudbg_reg_access access = ops[i].access;

		access.values = (uintptr_t)alone;
		assert_int_equal(adbg_reg_access(fx.session, &access), 0);
		assert_memory_equal(values[i], alone, sizeof(alone));
		assert_int_equal(ops[i].access.num_done, VALUES);
		assert_int_equal(ops[i].error, 0);
		assert_int_equal(alone[0], (uint32_t)wave(i)->pc);
	}
}

void registers_of_all_waves_are_read_by_one_call(void **state)
{
	struct amdgpudbg_reg_batch batch;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	list_waves();
	batch = batch_of_all();
	assert_int_equal(adbg_reg_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, NUM_WAVES);
	compare_with_single_calls();
}

void a_batch_of_accesses_ends_with_an_error_or_continues(void **state)
{
	struct amdgpudbg_reg_batch batch;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	do_single(AMDGPUDBG_WAVEOP_RESUME, 2);
	batch = batch_of_all();
	assert_int_equal(adbg_reg_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, 2);
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_int_equal(ops[i].error, i < 2 ? 0 :
				 i == 2 ? -EINPROGRESS : -ECANCELED);
	assert_int_equal(ops[3].access.num_done, 0);
	batch = batch_of_all();
	batch.flags = AMDGPUDBG_REG_BATCH_CONTINUE;
	assert_int_equal(adbg_reg_batch(fx.session, &batch), 0);
	assert_int_equal(batch.done, NUM_WAVES - 1);
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_int_equal(ops[i].error, i == 2 ? -EINPROGRESS : 0);
}

static const struct amdgpudbg_reg_range m0 = {
	.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_M0, .count = 1,
};

void an_access_of_a_batch_says_why_it_is_busy(void **state)
{
	struct amdgpudbg_wave_control c;
	struct amdgpudbg_reg_batch batch;
	struct adbg_session *other;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	do_single(AMDGPUDBG_WAVEOP_RESUME, 1);
	assert_int_equal(adbg_open(NULL, &other), 0);
	c = single(AMDGPUDBG_WAVEOP_HALT, 1);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	batch = batch_of_all();
	batch.flags = AMDGPUDBG_REG_BATCH_CONTINUE;
	batch.busy = UINT32_MAX;
	/* M0 of a wave of its own, and of one that the other session has halted */
	for (size_t i = 0; i < 2; i++) {
		ops[i].access.flags = AMDGPUDBG_REG_ACCESS_WRITE;
		ops[i].access.ranges = (uintptr_t)&m0;
		ops[i].access.num_ranges = 1;
		ops[i].access.num_values = 1;
		ops[i].access.busy = UINT32_MAX;
	}
	assert_int_equal(adbg_reg_batch(fx.session, &batch), 0);
	assert_int_equal(batch.busy, AMDGPUDBG_BUSY_NONE);
	assert_int_equal(ops[0].error, 0);
	assert_int_equal(ops[0].access.busy, AMDGPUDBG_BUSY_NONE);
	assert_int_equal(ops[1].error, -EBUSY);
	assert_int_equal(ops[1].access.busy, AMDGPUDBG_BUSY_WAVE);
	assert_int_equal(batch.done, NUM_WAVES - 1);
	adbg_session_close(other);
}

/* Not adbg_reg_batch(), which would set the sizes of all accesses first. */
static int call_batch(struct amdgpudbg_reg_batch *batch)
{
	for (size_t i = 0; i < NUM_WAVES; i++)
		ops[i].access.size = sizeof(ops[i].access);
	batch->size = sizeof(*batch);
	batch->entry_size = sizeof(ops[0]);
	return adbg_call(fx.session, AMDGPUDBG_IOC_REG_BATCH, batch);
}

void a_wrong_batch_of_accesses_changes_nothing(void **state)
{
	struct amdgpudbg_reg_batch batch;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	list_waves();
#define EXPECT(err, change) do { \
	batch = batch_of_all(); \
	values[0][0] = 0xabcd; \
	ops[0].access.flags = AMDGPUDBG_REG_ACCESS_WRITE; \
	ops[0].access.ranges = (uintptr_t)&m0; \
	ops[0].access.num_ranges = 1; \
	ops[0].access.num_values = 1; \
	change; \
	assert_int_equal(call_batch(&batch), err); \
	list_waves(); \
	assert_true(HW(wave(0), M0) != 0xabcd || !err); \
} while (0)
	EXPECT(-EOPNOTSUPP, ops[1].access.flags = 1U << 31);
	EXPECT(-EOPNOTSUPP, batch.flags = 2);
	EXPECT(-EINVAL, ops[7].access.num_values = VALUES + 1);
	EXPECT(-EINVAL, ops[7].__reserved = 1);
	EXPECT(-EINVAL, batch.count = 0);
	EXPECT(-EINVAL, batch.count = AMDGPUDBG_REG_BATCH_MAX + 1);
	EXPECT(-ENXIO, ops[7].access.at.wgp = 99);
	EXPECT(-EFAULT, ops[7].access.ranges = 4096);
	EXPECT(-EFAULT, batch.ops = 4096);
	EXPECT(0, (void)0);
#undef EXPECT
	assert_int_equal(HW(wave(0), M0), 0xabcd);
}
